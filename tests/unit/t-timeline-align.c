/* Hosts side by side: while they are aligned everything the timeline shows, counts and jumps to is in aligned
 * time, and what was marked stays where it was put. */
#include "config.h"

#include "../lib/mktrace.h"
#include "../lib/mkview.h"
#include "base/text/regex.h"
#include "base/text/units.h"

#define US PS_PER_US
#define AHEAD 5000 /* us: the clock of the second host */

/* Four steps of a millisecond: alpha 300 us (400 on the second host), gap 100, beta 200, gap. */
static struct dump *sample(int64_t ahead)
{
	struct mktrace m = { 0 };

	for (int host = 0; host < 2; host++) {
		mk_host(&m, host ? "w-1" : "w-0");
		mk_plane(&m, "/device:TPU:0");
		mk_track(&m, "Steps");
		for (int i = 0; i < 4; i++)
			mk_event(&m, &"0\0001\0002\0003"[2 * i], (i * 1000 + host * ahead) * US, 1000 * US);
		mk_track(&m, "XLA Ops");
		for (int i = 0; i < 4; i++) {
			int64_t t = (i * 1000 + host * ahead) * US;

			mk_event(&m, "alpha", t, (300 + 100 * host) * US);
			mk_event(&m, "beta", t + 500 * US, 200 * US);
		}
	}
	return mk_done(&m);
}

static uint32_t ops_of(int host)
{
	for (uint32_t i = 0; i < app.cap->dump->trace.ntracks; i++)
		if (app.cap->dump->trace.tracks[i].role == TRACK_OPS &&
		    app.cap->dump->trace.planes[app.cap->dump->trace.tracks[i].plane].host == host)
			return i;
	fail();
	return 0;
}

/* Aligned on step 1, the cursor on an op of a host, nothing selected. */
static void align(int host)
{
	assert_true(cursor_go_to_event(&tl()->scene, ops_of(0), 2));
	cursor_unselect(&tl()->scene);
	act(ACT_ALIGN);
	assert_true(tl()->scene.shift.on);
	assert_true(cursor_go_to_event(&tl()->scene, ops_of(host), 2));
	cursor_unselect(&tl()->scene);
	finish();
}

static void times(void **state)
{
	(void)state;
	view_begin(sample(AHEAD), 40, 120, false);
	assert_int_equal(tl()->scene.port.last, (AHEAD + 4000) * US);
	assert_true(cursor_go_to_event(&tl()->scene, ops_of(1), 2));
	assert_int_equal(tl()->scene.cursor.at, (AHEAD + 1000) * US);
	act(ACT_ALIGN);
	assert_int_equal(tl()->scene.cursor.at, 0); /* it stands where it stood, times count from there */
	assert_int_equal(tl()->scene.port.first, -1000 * US);
	assert_int_equal(tl()->scene.port.last, 3000 * US);
	assert_true(shown("0.000"));
	assert_true(shown("times count from the step"));
	act(ACT_STEP_NEXT);
	assert_int_equal(tl()->scene.cursor.at, 1000 * US);
	act(ACT_ALIGN);
	assert_int_equal(tl()->scene.cursor.at, (AHEAD + 2000) * US);
	assert_int_equal(tl()->scene.port.first, 0);
	assert_int_equal(tl()->scene.port.last, (AHEAD + 4000) * US);
	view_end();
}

static void zoomed(void **state)
{
	int64_t begins;

	(void)state;
	view_begin(sample(AHEAD), 40, 120, false);
	cursor_go_to_event(&tl()->scene, ops_of(1), 2);
	act(ACT_FIT);
	begins = viewport_begin(&tl()->scene.port);
	act(ACT_ALIGN);
	assert_true(viewport_begin(&tl()->scene.port) + (AHEAD + 1000) * US - begins <= 0);
	assert_true(viewport_begin(&tl()->scene.port) + (AHEAD + 1000) * US - begins > -tl()->scene.port.c);
	view_end();
}

static const struct window_name *name_of(const struct window *w, const char *name)
{
	for (size_t i = 0; i < w->nnames; i++)
		if (!strcmp(strtab_str(&app.cap->dump->str, w->names[i].name), name))
			return &w->names[i];
	fail();
	return NULL;
}

static void is_interval(int64_t t0, int64_t t1)
{
	const struct mark *v = marks_current(&tl()->marks);

	assert_non_null(v);
	assert_int_equal(v->t0 + marks_shift(&tl()->marks, v), t0 * US);
	assert_int_equal(v->t1 + marks_shift(&tl()->marks, v), t1 * US);
}

static void statistics(void **state)
{
	const struct interval *v;

	(void)state;
	view_begin(sample(AHEAD), 40, 120, false);
	align(1);
	act(ACT_OPEN); /* the second host's alpha */
	act(ACT_MARK);
	is_interval(0, 400);
	act(ACT_END_RIGHT); /* to where beta begins, as that host's row has it */
	is_interval(0, 500);
	act(ACT_STATISTICS);
	v = &tl()->stats.shown;
	assert_int_equal(v->t0, 0);
	assert_int_equal(name_of(&v->window, "alpha")->count, 2);
	assert_int_equal(name_of(&v->window, "alpha")->total, 700 * US);
	assert_int_equal(v->window.nnames, 1);
	assert_int_equal(v->tracks[0].busy, 300 * US);
	assert_int_equal(v->tracks[0].at, 300 * US);
	assert_int_equal(v->tracks[1].busy, 400 * US);
	assert_int_equal(v->tracks[1].at, 400 * US);
	assert_int_equal(v->occupied, 400 * US);
	act(ACT_ALIGN); /* the mark stays on what it was put on */
	is_interval(AHEAD + 1000, AHEAD + 1500);
	assert_int_equal(name_of(&v->window, "alpha")->count, 1);
	view_end();
}

static void in_view(void **state)
{
	const struct interval *v;

	(void)state;
	view_begin(sample(AHEAD), 40, 120, false);
	align(0);
	/* a place of another view: a time of its track */
	view_timeline.show(&view,
	    &(struct ref){ .kind = REF_TIME,
		.track = ops_of(1),
		.file = -1,
		.t0 = (AHEAD + 1000) * US,
		.t1 = (AHEAD + 1500) * US });
	assert_int_equal(tl()->scene.cursor.at, 0);
	/* a mere time is one of the ruler */
	view_timeline.show(&view,
	    &(struct ref){ .kind = REF_TIME, .track = ROWS_NONE, .file = -1, .t0 = 70 * US, .t1 = 70 * US });
	assert_int_equal(tl()->scene.cursor.at, 70 * US);
	act(ACT_STATISTICS);
	v = &tl()->stats.shown;
	assert_int_equal(v->t0, viewport_begin(&tl()->scene.port));
	assert_int_equal(name_of(&v->window, "alpha")->count, 2);
	act(ACT_STATISTICS);
	view_end();
}

static int find(const char *pattern, int dir)
{
	struct regex *re = pattern ? regex_new(pattern, REGEX_SMART_CASE, NULL) : NULL;
	int n = view_timeline.find(&view, re, dir);

	finish();
	regex_free(re);
	return n;
}

static void hits(void **state)
{
	const struct search *s;
	uint32_t columns = 0;

	(void)state;
	view_begin(sample(AHEAD), 40, 120, false);
	align(0);
	s = &tl()->search;
	assert_int_equal(find("alpha", 0), 8);
	assert_int_equal(s->at.track, ops_of(0));
	assert_int_equal(s->rank, 3); /* those of step 0 on both hosts come before */
	find("alpha", 1);
	assert_int_equal(s->at.track, ops_of(1));
	assert_int_equal(s->at.i, 2);
	assert_int_equal(tl()->scene.cursor.at, 0); /* both begin together */
	find("alpha", 1);
	assert_int_equal(s->at.track, ops_of(0));
	assert_int_equal(tl()->scene.cursor.at, 1000 * US);
	shown("");
	for (int x = 0; x < s->strip_w; x++)
		columns += s->strip[x] > 0;
	assert_int_equal(columns, 4);
	act(ACT_ALIGN);
	assert_int_equal(s->rank, 3); /* third of the first host, all of the second's come behind */
	shown("");
	for (int x = columns = 0; x < s->strip_w; x++)
		columns += s->strip[x] > 0;
	assert_int_equal(columns, 8);
	view_end();
}

static void places(void **state)
{
	struct ref r;

	(void)state;
	view_begin(sample(AHEAD), 40, 120, false);
	align(1);
	view_timeline.act(&view, ACT_RIGHT, 2); /* beta of the second host */
	assert_int_equal(tl()->scene.cursor.at, 500 * US);
	r = view_timeline.here(&view);
	assert_int_equal(r.at, (AHEAD + 1500) * US);
	app.cap->base->start_unix_ns = 1790003000000000000;
	scene_toggle_utc(&tl()->scene);
	assert_string_equal(app.message, "Times count from the step while hosts are aligned; UTC after =");
	scene_toggle_utc(&tl()->scene);
	act(ACT_TOP);
	act(ACT_STEP_NEXT);
	view_timeline.show(&view, &r);
	assert_int_equal(tl()->scene.cursor.at, 500 * US);
	act(ACT_ALIGN);
	act(ACT_TOP);
	view_timeline.show(&view, &r); /* the same moment of the same host */
	assert_int_equal(tl()->scene.cursor.at, (AHEAD + 1500) * US);
	view_end();
}

static void bookmarks(void **state)
{
	(void)state;
	view_begin(sample(AHEAD), 40, 120, false);
	align(1);
	marks_bookmark(&tl()->marks, "here");
	act(ACT_ALIGN);
	act(ACT_TOP);
	assert_true(marks_go(&tl()->marks, marks_find(&tl()->marks, "here")));
	assert_int_equal(tl()->scene.cursor.at, (AHEAD + 1000) * US);
	view_end();
}

/* Two hosts of two cores: ops of the first one's second core take twice as long, and the others wait. */
static struct dump *straggler(void)
{
	struct mktrace m = { 0 };

	for (int host = 0; host < 2; host++) {
		mk_host(&m, host ? "some-pod-w-1" : "some-pod-w-0");
		for (int core = 0; core < 2; core++) {
			int64_t own = host == 0 && core == 1 ? 800 : 400;

			mk_plane(&m, core ? "/device:TPU:1" : "/device:TPU:0");
			mk_track(&m, "Steps");
			mk_event(&m, "0", 0, 1000 * US);
			mk_track(&m, "XLA Ops");
			mk_event(&m, "fusion.1", 0, own * US);
			mk_event(&m, "all-reduce.1", own * US, (1000 - own) * US);
		}
	}
	return mk_done(&m);
}

/* The sentences are there to their end, and the title, on a narrow screen too. */
static void sentences(void **state)
{
	(void)state;
	for (int w = 80; w <= 120; w += 40) {
		view_begin(straggler(), 24, w, false);
		cursor_go_to_event(&tl()->scene, ops_of(0), 0);
		cursor_unselect(&tl()->scene);
		act(ACT_ALIGN);
		assert_true(shown("w-0 TPU:1 has 800.000 µs of own work"));
		assert_true(shown("for it."));
		assert_true(shown(" 0 ─"));
		view_end();
	}
}

/* Runs of a module stand for steps: they are called by their numbers, and all that is said has room. */
static void runs(void **state)
{
	struct mktrace m = { 0 };
	char left[400], right[400];

	(void)state;
	mk_host(&m, "w-0");
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Modules");
	for (int i = 0; i < 4; i++)
		mk_event(&m, "jit_f(12190760917235803885)", i * 1000 * US, 800 * US);
	mk_track(&m, "XLA Ops");
	for (int i = 0; i < 4; i++)
		mk_event(&m, "alpha", i * 1000 * US, 300 * US);
	view_begin(mk_done(&m), 24, 80, false);
	assert_true(cursor_go_to_event(&tl()->scene, 0, 1));
	cursor_unselect(&tl()->scene);
	act(ACT_ALIGN);
	assert_string_equal(tl()->lineup.name, "run 1 of jit_f");
	assert_true(shown(" run 1 of jit_f ─"));
	view_timeline.status(&view, left, right, sizeof left);
	assert_string_equal(left, "run 1 + 0 ps");
	act(ACT_STEP_NEXT);
	view_timeline.status(&view, left, right, sizeof left);
	assert_string_equal(left, "run 1 + 1.000 ms   0 ps into run 2");
	view_end();
}

/* Whatever is done, times are those of the screen in between. */
static void walk(void **state)
{
	static const enum action does[] = {
		ACT_ALIGN,
		ACT_UP,
		ACT_DOWN,
		ACT_LEFT,
		ACT_RIGHT,
		ACT_END_LEFT,
		ACT_END_RIGHT,
		ACT_OPEN,
		ACT_BACK,
		ACT_FIT,
		ACT_WHOLE,
		ACT_STEP_NEXT,
		ACT_STEP_PREV,
		ACT_SAME_NEXT,
		ACT_SAME_PREV,
		ACT_ZOOM_IN,
		ACT_ZOOM_OUT,
		ACT_PAN_LEFT,
		ACT_PAN_RIGHT,
		ACT_MARK,
		ACT_SELECT_ADD,
		ACT_STATISTICS,
		ACT_STEP_TABLE,
		ACT_CHAIN,
		ACT_LONGEST,
		ACT_PROBLEM_NEXT,
		ACT_SORT_NEXT,
		ACT_SORT_REVERSE,
		ACT_TOOL_TIMING,
		ACT_TOOL_SELECT,
		ACT_TOP,
		ACT_BOTTOM,
		ACT_FOLD,
	};
	uint32_t seed = 1;
	size_t moved = 0;

	(void)state;
	view_begin(sample(AHEAD), 40, 120, false);
	for (int i = 0; i < 4000; i++) {
		const struct viewport *g = &tl()->scene.port;

		seed = seed * 1664525 + 1013904223;
		act(does[(seed >> 16) % (sizeof does / sizeof *does)]);
		shown("");
		assert_int_equal(g->shift, 0);
		assert_true(
		    tl()->scene.cursor.at >= viewport_begin(g) && tl()->scene.cursor.at < viewport_end(g));
		assert_int_equal(g->last - g->first, (tl()->scene.shift.on ? 4000 : AHEAD + 4000) * US);
		moved += tl()->scene.shift.on;
	}
	assert_in_range(moved, 1, 3999);
	view_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times),
		cmocka_unit_test(zoomed),
		cmocka_unit_test(statistics),
		cmocka_unit_test(in_view),
		cmocka_unit_test(hits),
		cmocka_unit_test(places),
		cmocka_unit_test(bookmarks),
		cmocka_unit_test(sentences),
		cmocka_unit_test(runs),
		cmocka_unit_test(walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
