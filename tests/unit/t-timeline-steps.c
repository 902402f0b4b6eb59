/* The table of steps, going through problems, queries and the filter, family and longest jumps, the pane of
 * causes. */
#include "config.h"

#include "../lib/mkspace.h"
#include "../lib/mktrace.h"
#include "../lib/mkview.h"
#include "analyze/trace/links.h"
#include "base/text/units.h"

#define US PS_PER_US
#define STEPS 12

/* Steps of 100 us, the sixth of 150: an op of 20 us with two inside it, and an all-reduce, longer from step
 * to step; 100 us of nothing before step 9, ended by what the host enqueues. */
static struct dump *sample(void)
{
	struct mktrace m = { 0 };
	int64_t at[STEPS], t = 0;
	struct dump *d;

	mk_host(&m, "w-0");
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "Steps");
	for (int i = 0; i < STEPS; i++) {
		char name[16];

		t += i == 9 ? 100 * US : 0;
		at[i] = t;
		snprintf(name, sizeof name, "%d", i);
		mk_event(&m, name, t, (i == 6 ? 150 : 100) * US);
		t += (i == 6 ? 150 : 100) * US;
	}
	mk_track(&m, "XLA Modules");
	for (int i = 0; i < STEPS; i++)
		mk_event(&m, "jit_f", at[i], (i == 6 ? 150 : 100) * US);
	mk_track(&m, "XLA Ops");
	for (int i = 0; i < STEPS; i++) {
		mk_event(&m, "while.1", at[i], 20 * US);
		mk_event(&m, "dot.2", at[i] + 1 * US, 5 * US);
		mk_event(&m, "dot.3", at[i] + 7 * US, 9 * US);
		mk_event(&m, "all-reduce.4", at[i] + 20 * US, (30 + i) * US);
		mk_event(&m, "fusion.5", at[i] + (50 + i) * US, ((i == 6 ? 100 : 50) - i) * US);
	}
	mk_plane(&m, "/host:CPU");
	mk_track(&m, "main/1");
	mk_event(&m, "np.asarray(jax.Array)", at[8], 150 * US);
	mk_event(&m, "DoEnqueueProgram", at[9] - 30 * US, 5 * US);
	d = mk_done(&m);
	mk_link(d, (struct edge){ 3, 1, 1, 9, 0 });
	return d;
}

static const char *selected(void)
{
	const struct trace *t = &app.cap->dump->trace;

	return tl()->scene.cursor.selected
	    ? strtab_str(&app.cap->dump->str,
		  t->metas[track_meta(&t->tracks[tl()->scene.cursor.track], tl()->scene.cursor.event)].name)
	    : "";
}

static int search(const char *text)
{
	struct regex *re = query_regex(text, NULL);
	int hits = view_timeline.find(&view, re, 0);

	finish();
	regex_free(re);
	return hits;
}

/* Does y copy something that contains `text`? */
static bool copied(const char *text)
{
	char *all;
	size_t n;
	FILE *f = open_memstream(&all, &n);
	bool found;

	view_timeline.copy(&view, f);
	fclose(f);
	found = strstr(all, text);
	free(all);
	return found;
}

static void test_copy(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	assert_true(copied("\tself_ps\t")); /* of what is in view */
	act(ACT_STEP_TABLE);
	assert_true(copied("label\t0\n"));
	for (int i = 0; i < 6; i++)
		act(ACT_DOWN);
	assert_true(copied("label\t6\n"));
	assert_true(copied("duration_ps\t150000000\n"));
	assert_true(copied("slow\ttrue\n"));
	assert_false(copied("\tself_ps\t"));
	act(ACT_CHAIN);
	look();
	assert_true(copied("what bounds step 6\njit_f "));
	assert_true(copied("\n  ops: "));
	assert_false(copied("\tself_ps\t"));
	act(ACT_BACK); /* back to the table, and out of it */
	while (tl()->scene.open[PANE_CHAIN] || tl()->scene.open[PANE_STEPS])
		act(ACT_BACK);
	finish();
	assert_true(copied("\tself_ps\t"));
	view_end();
}

static void test_table(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	assert_int_equal(act(ACT_STEP_TABLE), REACT_REDRAW);
	assert_true(shown("12 steps"));
	assert_true(shown("idle"));
	assert_true(shown(" ! 6 "));
	assert_true(tl()->steps.serial);
	assert_true(shown("to the median"));
	for (int i = 0; i < 6; i++)
		act(ACT_DOWN);
	assert_int_equal(tl()->steps.sheet.list.at, 6);
	act(ACT_OPEN);
	assert_int_equal(tl()->scene.cursor.at, 600 * US);
	assert_true(
	    viewport_begin(&tl()->scene.port) <= 600 * US && viewport_end(&tl()->scene.port) >= 750 * US);
	assert_true(viewport_span(&tl()->scene.port) < 400 * US);
	act(ACT_BOTTOM);
	assert_int_equal(tl()->steps.sheet.list.at, STEPS - 1);
	act(ACT_CHAIN); /* what bounds that step */
	assert_true(shown("what bounds step 11"));
	act(ACT_BACK); /* to the table */
	assert_false(tl()->scene.open[PANE_CHAIN]);
	assert_true(tl()->scene.open[PANE_STEPS]);
	assert_int_equal(tl()->steps.sheet.list.at, STEPS - 1);
	act(ACT_STATISTICS);
	assert_false(tl()->scene.open[PANE_STEPS]);
	act(ACT_BACK);
	assert_true(tl()->scene.open[PANE_STEPS]);
	act(ACT_BACK);
	assert_false(tl()->scene.open[PANE_STEPS]);
	act(ACT_STATISTICS); /* not from the table */
	act(ACT_BACK);
	assert_false(tl()->scene.open[PANE_STEPS]);
	view_end();
}

/* Two hosts of a core; steps of 100 us, the fourth of 150; the second core is 1 us slower, but for the sixth,
 * in which the first one takes 30 us more. */
static struct dump *two_hosts(void)
{
	struct mktrace m = { 0 };

	for (int host = 0; host < 2; host++) {
		int64_t t = 0;

		mk_host(&m, host ? "some-pod-w-1" : "some-pod-w-0");
		mk_plane(&m, "/device:TPU:3");
		mk_track(&m, "Steps");
		for (int i = 0; i < STEPS; i++) {
			char name[16];

			snprintf(name, sizeof name, "%d", i);
			mk_event(&m, name, t, (i == 3 ? 150 : i == 5 && !host ? 130 : 100 + host) * US);
			t += 200 * US;
		}
		mk_track(&m, "XLA Ops");
		mk_event(&m, "fusion.1", 0, 10 * US);
	}
	return mk_done(&m);
}

/* as shown */
static const struct step_row *row(size_t i)
{
	return &tl()->steps.row[tl()->steps.sheet.order[i]];
}

static void test_rows(void **state)
{
	struct track *steps;

	(void)state;
	view_begin(two_hosts(), 40, 120, true);
	act(ACT_STEP_TABLE);
	assert_int_equal(tl()->steps.n, STEPS);
	assert_true(shown("w-0 TPU:3")); /* the host and the core */
	assert_true(shown("w-1 TPU:3"));
	for (size_t i = 0; i < STEPS; i++) {
		assert_int_equal(row(i)->slow, i == 3 || i == 5);
		assert_int_equal(row(i)->interval, i + 1 < STEPS ? 200 * US : -1);
	}
	steps = &app.cap->base->trace.tracks[2]; /* as after a change of clock */
	assert_int_equal(steps->n, STEPS);
	for (size_t i = 0; i < STEPS; i++)
		track_set_time(steps, i, track_start(steps, i) + (int64_t)i * i * US, track_dur(steps, i));
	step_table_forget(&tl()->steps);
	step_table_want(&tl()->steps);
	assert_int_equal(row(0)->interval, 201 * US); /* of the core shown, by that clock */
	assert_int_equal(row(3)->interval, 200 * US);
	assert_int_equal(row(4)->interval, 209 * US);
	view_end();
}

/* Two cores that begin at other moments: the second one, 5 us behind, takes longer; without a line of steps
 * it begins 3 us before the first one. */
static struct dump *two_cores(bool line)
{
	struct mktrace m = { 0 };

	mk_host(&m, "w-0");
	for (int core = 0; core < 2; core++) {
		int64_t by = core ? line ? 5 : -3 : 0, apart = core && !line ? 201 : 200;

		mk_plane(&m, core ? "/device:TPU:1" : "/device:TPU:0");
		mk_track(&m, line ? "Steps" : "XLA Modules");
		for (int i = 0; i < STEPS; i++) {
			char name[16];

			snprintf(name, sizeof name, "%d", i + 100);
			mk_event(&m, line ? name : "jit_f(12190760917235803885)",
			    (1000 + apart * i + by) * US, (100 + 10 * core) * US);
		}
		mk_track(&m, "XLA Ops");
		mk_event(&m, "fusion.1", (1000 + by) * US, 10 * US);
	}
	return mk_done(&m);
}

static void go_step(const char *name)
{
	struct ref r;
	struct err e = { 0 };

	assert_int_equal(scene_goto(&tl()->scene, name, &r, &e), 0);
	assert_int_equal(view_timeline.show(&view, &r), 0);
}

static const char *status(void)
{
	static char left[400];
	char right[400];

	view_timeline.status(&view, left, right, sizeof left);
	return left;
}

static const struct rows_node *node_here(void)
{
	return scene_node(&tl()->scene, tl()->scene.cursor.row);
}

/* The table opens on the step at the cursor, on the core of the cursor's row. */
static void test_here(void **state)
{
	(void)state;
	view_begin(two_cores(true), 40, 120, true);
	go_step("step 105");
	assert_int_equal(tl()->scene.cursor.at, 2000 * US);
	act(ACT_STEP_TABLE);
	assert_string_equal(row(tl()->steps.sheet.list.at)->worst->label, "105");
	assert_int_equal(row(5)->from, 2005 * US); /* of the slowest core: after the cursor */
	act(ACT_OPEN);
	assert_int_equal(tl()->scene.cursor.at, 2005 * US);
	assert_int_equal(app.cap->dump->trace.planes[node_here()->plane].core, 1);
	view_end();
	view_begin(two_cores(false), 40, 120, true);
	go_step("run 5");
	act(ACT_STEP_TABLE);
	assert_int_equal(tl()->steps.sheet.list.at, 5);
	view_end();
}

/* Runs of a module are used as steps, separately on each core, even if its rows are folded. */
static void test_runs(void **state)
{
	(void)state;
	view_begin(two_cores(false), 40, 120, true);
	act(ACT_STEP_TABLE);
	act(ACT_DOWN);
	assert_string_equal(row(1)->worst->label, "1");
	act(ACT_OPEN);
	assert_int_equal(tl()->scene.cursor.at, 1198 * US);
	assert_int_equal(app.cap->dump->trace.planes[node_here()->plane].core, 1);
	/* made together with its other rows */
	assert_true(tl()->scene.rows.v[node_here()->parent].steps != ROWS_NONE);
	assert_non_null(strstr(status(), " 0 ps into run 1 of jit_f"));
	act(ACT_BACK);
	act(ACT_FOLD);
	assert_int_equal(node_here()->kind, NODE_DEVICE);
	assert_non_null(strstr(status(), " 0 ps into run 1 of jit_f"));
	act(ACT_STEP_NEXT);
	assert_int_equal(tl()->scene.cursor.at, 1399 * US);
	assert_non_null(strstr(status(), " 0 ps into run 2 of jit_f"));
	act(ACT_STEP_PREV);
	act(ACT_STEP_PREV);
	assert_int_equal(tl()->scene.cursor.at, 997 * US);
	assert_int_equal(colors_at(&tl()->picture.colors, node_here(), 998 * US),
	    colors_at(&tl()->picture.colors, NULL, 1001 * US));
	assert_int_equal(colors_at(&tl()->picture.colors, node_here(), 996 * US), CLASS_OTHER);
	act(ACT_STEP_PREV);
	assert_string_equal(app.message, "this is the first step");
	view_end();
}

static void test_order(void **state)
{
	(void)state;
	view_begin(two_hosts(), 40, 120, true);
	act(ACT_STEP_TABLE);
	act(ACT_SAME_NEXT);
	assert_int_equal(tl()->steps.sheet.list.at, 3);
	act(ACT_SAME_NEXT);
	assert_int_equal(tl()->steps.sheet.list.at, 5);
	act(ACT_SAME_NEXT);
	assert_int_equal(tl()->steps.sheet.list.at, 3);
	act(ACT_SAME_PREV);
	assert_int_equal(tl()->steps.sheet.list.at, 5);
	act(ACT_SORT_NEXT);
	assert_true(shown(" step ^ "));
	for (int i = 0; i < 4 && !shown("longest us v "); i++)
		act(ACT_SORT_NEXT);
	assert_true(shown("longest us v "));
	assert_int_equal(tl()->steps.sheet.list.at, 1); /* still on the same step */
	assert_true(shown(" ! 5 "));
	assert_string_equal(row(0)->worst->number, "3");
	assert_string_equal(row(1)->worst->number, "5");
	assert_string_equal(row(2)->worst->number, "0"); /* equal ones by time */
	act(ACT_UP);
	act(ACT_OPEN);
	assert_int_equal(tl()->scene.cursor.at, 600 * US);
	act(ACT_SORT_REVERSE);
	assert_true(shown("longest us ^ "));
	assert_int_equal(tl()->steps.sheet.list.at, STEPS - 1);
	assert_string_equal(row(STEPS - 1)->worst->number, "3");
	act(ACT_STEP_TABLE);
	act(ACT_STEP_TABLE); /* at the cursor, in the same order */
	assert_int_equal(tl()->steps.sheet.list.at, STEPS - 1);
	act(ACT_SORT_PREV);
	assert_string_equal(row(0)->worst->number, "0");
	for (int i = 0; i < 20; i++) {
		act(i % 3 ? ACT_SORT_NEXT : ACT_SORT_REVERSE);
		look();
	}
	view_end();
}

static void test_problems(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	act(ACT_PROBLEM_NEXT);
	assert_int_equal(tl()->scene.cursor.at, 600 * US);
	assert_non_null(strstr(app.message, "slow step 6"));
	act(ACT_PROBLEM_NEXT);
	assert_non_null(strstr(app.message, "idle for 100"));
	assert_string_equal(selected(), "while.1");
	act(ACT_CHAIN);
	assert_true(shown("gap 100.000 us before while.1"));
	assert_true(shown("launched by DoEnqueueProgram"));
	assert_true(shown("host thread main/1 in np.asarray"));
	act(ACT_DOWN);
	act(ACT_DOWN);
	act(ACT_OPEN); /* to the launch */
	assert_string_equal(selected(), "DoEnqueueProgram");
	act(ACT_BACK);
	act(ACT_PROBLEM_NEXT); /* wraps around to the first one */
	assert_int_equal(tl()->scene.cursor.at, 600 * US);
	view_end();
}

static void test_jumps(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	assert_int_equal(search("name~all-reduce dur>=35us"), 7);
	assert_string_equal(selected(), "all-reduce.4");
	assert_true(shown("7 of"));
	act(ACT_LONGEST);
	assert_int_equal(track_dur(scene_track(&tl()->scene, tl()->scene.cursor.track),
			     tl()->scene.cursor.event),
	    41 * US);
	act(ACT_LONGEST);
	assert_int_equal(track_dur(scene_track(&tl()->scene, tl()->scene.cursor.track),
			     tl()->scene.cursor.event),
	    40 * US);
	view_timeline.find(&view, NULL, 0);
	search("while");
	view_timeline.find(&view, NULL, 0);
	act(ACT_CHILD);
	assert_string_equal(selected(), "dot.2");
	act(ACT_PARENT);
	assert_string_equal(selected(), "while.1");
	act(ACT_CHILD_LONGEST);
	assert_string_equal(selected(), "dot.3");
	act(ACT_CHILD);
	assert_string_equal(selected(), "dot.3");
	assert_true(*app.message);
	assert_int_equal(search("name~nothing dur>3us"), 0);
	view_end();
}

static void test_filter(void **state)
{
	struct err e = { 0 };

	(void)state;
	view_begin(sample(), 40, 120, true);
	assert_false(shown("__"));
	assert_int_equal(view_timeline.filter(&view, "cat=collective", &e), STEPS);
	assert_true(shown("___")); /* the others are dimmed */
	assert_int_equal(view_timeline.filter(&view, "dur>soon", &e), -1);
	assert_int_equal(e.at, 4);
	assert_non_null(tl()->filter.match.find); /* a mistake changes nothing */
	assert_int_equal(act(ACT_BACK), REACT_REDRAW);
	assert_null(tl()->filter.match.find);
	assert_int_equal(act(ACT_BACK) & ACT_PASS, ACT_PASS);
	assert_int_equal(view_timeline.filter(&view, "dot", &e), 2 * STEPS);
	view_end();
}

static void test_marks(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	assert_false(tl()->flows.known); /* not needed yet */
	assert_true(cursor_go_to_event(&tl()->scene, 1, 9));
	finish();
	assert_true(tl()->flows.known);
	assert_true(shown("<- DoEnqueueProgram (main/1)"));
	assert_int_equal(act(ACT_FLOW_PREV), REACT_REDRAW);
	assert_string_equal(selected(), "DoEnqueueProgram");
	assert_true(shown("-> jit_f (TPU:0)"));
	view_end();
}

/* A flow key before flows are known: the jump is made when they are, unless another key was pressed. */
static void test_waiting(void **state)
{
	(void)state;
	for (int other = 0; other < 3; other++) {
		view_begin(sample(), 40, 120, true);
		assert_true(cursor_go_to_event(&tl()->scene, 1, 9));
		tl()->flows.known = false;
		assert_int_equal(view_timeline.act(&view, ACT_FLOW_PREV, 1), REACT_REDRAW);
		assert_true(jobs_busy(&app, tl()->flows.job));
		assert_string_equal(selected(), "jit_f");
		assert_ptr_equal(strstr(status(), "finding flows"), status());
		app.keys += other == 1;
		if (other == 2) /* Esc cancels it and does nothing else */
			assert_int_equal(view_timeline.act(&view, ACT_BACK, 1), REACT_REDRAW);
		finish();
		assert_true(tl()->flows.known);
		assert_string_equal(selected(), other ? "jit_f" : "DoEnqueueProgram");
		assert_null(strstr(status(), "finding flows"));
		view_end();
	}
}

/* A step of a host has no parts by kind; its card says what its thread does in it, and keeps its length. */
static void test_host_step(void **state)
{
	struct mkspace s = { 0 };
	struct dump *d;

	(void)state;
	space_host(&s);
	for (int i = 0; i < 5; i++) {
		space_step(&s, i, i * 1000 * US, 900 * US);
		space_event(&s, "load", i * 1000 * US + 100 * US, 200 * US);
		space_event(&s, "decode", i * 1000 * US + 110 * US, 150 * US);
		space_event(&s, "run", i * 1000 * US + 400 * US, 300 * US);
		space_event(&s, "load", i * 1000 * US + 750 * US, 50 * US);
	}
	d = space_load(&s, 1);
	view_begin(d, 40, 120, false);
	act(ACT_DOWN);
	act(ACT_OPEN);
	assert_true(shown("inside    run 300 µs, load 250 µs"));
	assert_true(shown("duration  900.000 µs"));
	view_close();
	space_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host_step),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_here),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_problems),
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
