/* Marks, selections, tools, statistics and the history of positions, driven by keys. */
#include "config.h"

#include "../lib/mktrace.h"
#include "../lib/mkview.h"
#include "base/text/units.h"

#define US PS_PER_US

/* Two cores: steps of a 300 us, gap 100, b 200 { c 50 … 150 }, gap 400; the second core is 50 us late. */
static void begin(void)
{
	struct mktrace m = { 0 };

	for (int core = 0; core < 2; core++) {
		mk_plane(&m, core ? "/device:TPU:1" : "/device:TPU:0");
		mk_track(&m, "Steps");
		for (int i = 0; i < 4; i++)
			mk_event(&m, &"0\0001\0002\0003"[2 * i], i * 1000 * US, 1000 * US);
		mk_track(&m, "XLA Ops");
		for (int i = 0; i < 4; i++) {
			int64_t t = (i * 1000 + core * 50) * US;

			mk_event(&m, "alpha", t, 300 * US);
			mk_event(&m, "beta", t + 400 * US, 200 * US);
			mk_event(&m, "gamma", t + 450 * US, 100 * US);
		}
	}
	view_begin(mk_done(&m), 40, 120, false);
	act(ACT_DOWN);
}

static void is_interval(int64_t t0, int64_t t1)
{
	const struct mark *v = marks_current(&tl()->marks);

	assert_non_null(v);
	assert_int_equal(v->t0, t0 * US);
	assert_int_equal(v->t1, t1 * US);
}

static void marking(void **state)
{
	(void)state;
	begin();
	act(ACT_OPEN);
	act(ACT_MARK);
	is_interval(0, 300);
	assert_true(shown("300.000 µs"));
	act(ACT_RIGHT);
	act(ACT_MARK); /* another selection: a second mark, the first one remains */
	is_interval(400, 600);
	assert_int_equal(tl()->marks.n, 2);
	act(ACT_LEFT);
	act(ACT_MARK); /* the first one becomes current again; there is no third */
	is_interval(0, 300);
	assert_int_equal(tl()->marks.n, 2);
	act(ACT_MARK); /* pressed again, it clears the mark */
	assert_null(marks_current(&tl()->marks));
	assert_int_equal(tl()->marks.n, 1);
	assert_int_equal(view.ops->command(&view, "mark", "warm up"), 0);
	is_interval(0, 300);
	assert_int_equal(view.ops->command(&view, "mark", "first"), 0);
	assert_int_equal(marks_find(&tl()->marks, "warm up"), -1);
	assert_true(marks_find(&tl()->marks, "first") >= 0);
	act(ACT_WHOLE);
	assert_int_equal(view.ops->command(&view, "goto", "interval 2"), 0);
	is_interval(400, 600);
	assert_false(tl()->scene.port.whole);
	assert_int_equal(view.ops->command(&view, "goto", "nowhere"), -1);
	assert_int_equal(view.ops->command(&view, "mark", "2ms 100us"), 0);
	is_interval(100, 2000);
	assert_int_equal(view.ops->command(&view, "unmark", marks_current(&tl()->marks)->name), 0);
	assert_int_equal(view.ops->command(&view, "mark", "1ms 99s"), 0);
	assert_true(app.message_error && strstr(app.message, "99s is outside the run"));
	assert_int_equal(view.ops->command(&view, "goto", "interval 2"), 0);
	assert_int_equal(view.ops->command(&view, "mark", "2 phases"), 0); /* a name */
	assert_int_equal(view.ops->command(&view, "goto", "2 phases"), 0);
	assert_int_equal(view.ops->command(&view, "mark", "interval 2"), 0);
	assert_int_equal(act(ACT_BACK), ACT_PASS); /* an interval is not a level to go back from */
	assert_non_null(marks_current(&tl()->marks));
	assert_int_equal(tl()->marks.n, 2);
	assert_int_equal(view.ops->command(&view, "unmark", "first"), 0);
	/* shows a message that there is none */
	assert_int_equal(view.ops->command(&view, "unmark", "first"), 0);
	assert_true(app.message_error);
	assert_int_equal(tl()->marks.n, 1);
	view_end();
}

static void ends_move_from_edge_to_edge(void **state)
{
	static const int64_t right[] = { 300, 400, 600, 1000 };

	(void)state;
	begin();
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		act(ACT_END_RIGHT);
		is_interval(0, right[i]);
	}
	act(ACT_END_LEFT);
	is_interval(0, 600);
	view_timeline.act(&view, ACT_END_LEFT, 2);
	is_interval(0, 300);
	act(ACT_END_OTHER);
	act(ACT_END_RIGHT);
	is_interval(300, 300);
	act(ACT_END_RIGHT); /* past the other end: they are swapped */
	is_interval(300, 400);
	act(ACT_END_RIGHT);
	is_interval(300, 600);
	act(ACT_DOWN); /* the row of what is inside beta */
	act(ACT_END_LEFT);
	is_interval(300, 550);
	act(ACT_END_LEFT);
	is_interval(300, 450);
	view_end();
}

static void tools(void **state)
{
	int64_t c, k;

	(void)state;
	begin();
	act(ACT_FIT);
	act(ACT_TOOL_TIMING);
	act(ACT_RIGHT);
	assert_int_equal(tl()->scene.cursor.at, 300 * US);
	assert_false(tl()->scene.cursor.selected);
	act(ACT_RIGHT);
	act(ACT_RIGHT);
	assert_int_equal(tl()->scene.cursor.at, 600 * US);
	act(ACT_LEFT);
	act(ACT_LEFT);
	act(ACT_LEFT);
	assert_int_equal(tl()->scene.cursor.at, 0);
	act(ACT_LEFT);
	assert_string_equal(app.message, "no earlier edge on this row");
	act(ACT_TOOL_PAN);
	k = tl()->scene.port.k;
	act(ACT_RIGHT);
	assert_int_equal(tl()->scene.port.k, k + tl()->scene.port.w / 8);
	act(ACT_LEFT);
	act(ACT_TOOL_ZOOM);
	c = tl()->scene.port.c;
	act(ACT_UP);
	assert_true(tl()->scene.port.c < c);
	c = tl()->scene.port.c;
	act(ACT_DOWN);
	assert_true(tl()->scene.port.c > c);
	act(ACT_TOOL_SELECT);
	act(ACT_RIGHT);
	assert_true(tl()->scene.cursor.selected);
	view_end();
}

static const char *status(void)
{
	static char left[512];
	char right[512];

	view_timeline.status(&view, left, right, sizeof left);
	return left;
}

static void gaps_are_measured(void **state)
{
	(void)state;
	begin();
	act(ACT_SELECT_ADD);
	act(ACT_RIGHT);
	assert_true(strstr(status(), "1 event selected"));
	act(ACT_SELECT_ADD);
	assert_true(strstr(status(), "100.000000 µs gap: end of alpha to start of beta"));
	act(ACT_MARK); /* of everything selected */
	is_interval(0, 600);
	act(ACT_SELECT_ADD);
	assert_int_equal(tl()->scene.picks.n, 1);
	act(ACT_BACK); /* clears the whole selection */
	assert_int_equal(tl()->scene.picks.n, 0);
	assert_false(tl()->scene.cursor.selected);
	act(ACT_TOOL_TIMING);
	tl()->scene.cursor.at = 330 * US;
	assert_true(strstr(status(), "30.000 µs after alpha ends   70.000 µs before beta begins"));
	view_end();
}

/* A box takes a limited number of events, and says so. */
static void large_box(void **state)
{
	struct mktrace m = { 0 };

	(void)state;
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Ops");
	for (int i = 0; i <= PICKS_MOST; i++)
		mk_event(&m, "alpha", i * 2 * US, US);
	view_begin(mk_done(&m), 40, 120, false);
	for (int most = PICKS_MOST; most <= PICKS_MOST + 1; most++) {
		int64_t end = viewport_column(&tl()->scene.port, (most * 2 - 1) * US);

		for (size_t i = 0; i < tl()->scene.rows.nvis; i++)
			picks_box(&tl()->scene, i, !i, 0, most > PICKS_MOST ? end + 1 : end - 1);
		picks_box_end(&tl()->scene);
		assert_true(tl()->scene.picks.n > 1000);
		assert_int_equal(!!strstr(status(), "only the first 20000 events of the box are selected"),
		    most > PICKS_MOST);
	}
	view_end();
}

static const struct statistics *stats(void)
{
	return &tl()->stats;
}

static void statistics(void **state)
{
	char *text;
	size_t n;
	FILE *f;

	(void)state;
	begin();
	act(ACT_STATISTICS); /* nothing is marked: what is in view */
	assert_true(tl()->scene.open[PANE_STATS] && stats()->has && stats()->shown.has_union);
	assert_true(shown("statistics of what is in view"));
	act(ACT_BACK);
	assert_false(tl()->scene.open[PANE_STATS]);
	view.ops->command(&view, "mark", "piece");
	marks_current(&tl()->marks)->t1 = 1000 * US;
	act(ACT_STATISTICS);
	assert_int_equal(stats()->shown.t1, 1000 * US);
	assert_int_equal(stats()->shown.window.nnames, 3);
	assert_int_equal(stats()->shown.tracks[0].busy, 500 * US);
	assert_int_equal(stats()->shown.tracks[0].longest, 400 * US);
	assert_int_equal(stats()->shown.occupied, 600 * US);
	assert_true(shown("marked: piece"));
	act(ACT_STATISTICS);
	assert_true(stats()->by_track && shown("60.0000 %"));
	act(ACT_STATISTICS);
	act(ACT_SORT_PREV); /* total */
	act(ACT_SORT_PREV); /* count */
	act(ACT_SORT_REVERSE);
	look();
	assert_string_equal(stats()->names.col[stats()->names.sort]->id, "count");
	assert_int_equal(stats()->shown.window.names[stats()->names.order[0]].count, 2);
	for (int i = 0; i < 25; i++) {
		act(i % 5 ? ACT_SORT_NEXT : ACT_PAGE_DOWN);
		look();
	}
	f = open_memstream(&text, &n);
	assert_int_equal(statistics_copy(&tl()->stats, f), 0);
	fclose(f);
	assert_non_null(strstr(text,
	    "\t2\t600000000\t600000000\t300000000\t300000000\t300000000\t300000000\t300000000\t30\n"));
	free(text);
	act(ACT_SELECT_TRACK); /* the selected core, no longer all */
	assert_int_equal(stats()->shown.ntracks, 1);
	assert_int_equal(stats()->shown.occupied, 500 * US);
	act(ACT_SELECT_TRACK);
	assert_int_equal(stats()->shown.ntracks, 2);
	marks_current(&tl()->marks)->t0 = marks_current(&tl()->marks)->t1;
	finish();
	assert_int_equal(stats()->shown.window.events, 0);
	look();
	view_end();
}

static void bookmarks_and_places(void **state)
{
	struct viewport grid;
	struct kv kv = { 0 };

	(void)state;
	begin();
	act(ACT_FIT);
	grid = tl()->scene.port;
	act(ACT_BOOKMARK);
	assert_true(app.p->prompt.open);
	app.p->ask_done(&view, "");
	assert_int_equal(tl()->marks.n, 1);
	act(ACT_BOOKMARK); /* at the same place again: removed */
	assert_int_equal(tl()->marks.n, 0);
	act(ACT_BOOKMARK);
	app.p->ask_done(&view, "");
	view.ops->command(&view, "mark", "two words");
	act(ACT_WHOLE);
	act(ACT_TOP);
	assert_true(marks_go(&tl()->marks, 0));
	assert_int_equal(tl()->scene.port.c, grid.c);
	assert_int_equal(tl()->scene.port.k, grid.k);
	assert_int_equal(tl()->scene.cursor.row, 1);
	app.p->nplaces = 0;
	act(ACT_STEP_NEXT);
	act(ACT_STEP_NEXT); /* equal jumps are one entry of the history */
	assert_int_equal(app.p->nplaces, 1);
	act(ACT_WHOLE);
	assert_int_equal(app.p->nplaces, 2);
	assert_int_equal(view_timeline.show(&view, &app.p->places[0].ref), 0);
	assert_int_equal(tl()->scene.port.k, grid.k);
	act(ACT_MARK_GO);
	assert_non_null(app.p->overlay);
	view_timeline.save(&view, &kv);
	view_end();
	begin();
	view_timeline.restore(&view, &kv);
	assert_int_equal(tl()->marks.n, 2);
	assert_true(tl()->marks.v[1].interval && !strcmp(tl()->marks.v[1].name, "two words"));
	assert_int_equal(tl()->marks.at, 2);
	view_end();
	kv_put(&kv, "mark", "i 5");
	kv_put(&kv, "mark", "i 9 5 0 0 ends before it begins");
	kv_put(&kv, "mark", "i 9223372036854775807 9223372036854775807 0 0 late");
	kv_put(&kv, "mark", "");
	begin();
	view_timeline.restore(&view, &kv);
	assert_int_equal(tl()->marks.n, 2);
	view_end();
	kv_free(&kv);
}

/* Random keys at every size keep the state valid. */
static void walk(void **state)
{
	static const enum action keys[] = {
		ACT_MARK,
		ACT_END_LEFT,
		ACT_END_RIGHT,
		ACT_END_OTHER,
		ACT_STATISTICS,
		ACT_SELECT_ADD,
		ACT_SELECT_TRACK,
		ACT_BOOKMARK,
		ACT_TOOL_PAN,
		ACT_TOOL_ZOOM,
		ACT_TOOL_TIMING,
		ACT_TOOL_SELECT,
		ACT_LEFT,
		ACT_RIGHT,
		ACT_UP,
		ACT_DOWN,
		ACT_FOLD_ALL,
		ACT_ZOOM_IN,
		ACT_WHOLE,
		ACT_PAN_LEFT_FAST,
		ACT_BACK,
		ACT_SORT_NEXT,
		ACT_SORT_REVERSE,
		ACT_PAGE_DOWN,
		ACT_FIT,
		ACT_STEP_NEXT,
		ACT_BOTTOM,
	};
	uint64_t seed = 12345;

	(void)state;
	begin();
	for (int i = 0; i < 6000; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		act(keys[(seed >> 33) % (sizeof keys / sizeof *keys)]);
		if (i % 50 == 0)
			resize(5 + (int)((seed >> 40) % 60), 20 + (int)((seed >> 48) % 200));
		if (i % 3 == 0)
			look();
		status();
	}
	view_end();
}

/* The whole program on the null terminal: the screen after some keys. */
static char *frame(const char *keys)
{
	static const char capture[] =
	    "{\"traceEvents\":["
	    "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"/device:TPU:0\"}},"
	    "{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"XLA Ops\"}},"
	    "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":5,\"name\":\"alpha\"},"
	    "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":20,\"dur\":7,\"name\":\"beta\"},"
	    "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":30,\"dur\":9,\"name\":\"alpha\"}]}";
	static const struct app_options options = {
		.sample = capture,
		.sample_size = sizeof capture - 1,
		.sample_name = "tiny.trace.json",
		.load = { .threads = 1 },
		.colors = -1,
	};
	struct err err = { .at = ERR_NOWHERE };
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (app_snapshot(&options, "timeline", keys, 30, 110, 0, SHOT_NONE, f, &err) != EXIT_OK)
		fail_msg("%s: %s", keys, err.msg);
	fclose(f);
	return text;
}

static void same_screen(const char *keys, const char *as)
{
	char *a = frame(keys), *b = frame(as);

	if (strcmp(a, b))
		fail_msg("after %s the screen should be as after %s:\n%s\n%s", keys, as, a, b);
	free(a);
	free(b);
}

static void history(void **state)
{
	(void)state;
	same_screen("jlf<BS>", "jl");
	same_screen("jlf<C-o><C-n>", "jlf");
	same_screen("jlfww0<BS>", "jlfww");
	same_screen("jh]f0<BS><BS><BS><C-n>", "jh]");
	same_screen("jlf0<BS>f<C-n>d", "jlf0<BS>fd"); /* a new jump clears the forward history */
	same_screen("jl/beta<Enter><BS>/<Enter>", "jl/zzzz<Enter>/<Enter>");
	same_screen("jlf<Esc>M<Enter>kj0'a", "jlf<Esc>M<Enter>kj");
	same_screen("<BS>j", "<C-n>j");
}

/* A jump to the idle time of a core marks the gap on the row of that core, and selects no op beside it. */
static void gap_of_a_core(void **state)
{
	struct mktrace m = { 0 };
	struct ref r = REF_EMPTY;
	const struct mark *v;

	(void)state;
	mk_host(&m, "w-0");
	for (int core = 0; core < 2; core++) {
		mk_plane(&m, core ? "/device:TPU:1" : "/device:TPU:0");
		mk_track(&m, "XLA Ops");
		mk_event(&m, "first", 0, 100 * US);
		mk_event(&m, "second", (core ? 300 : 110) * US, 100 * US);
	}
	view_begin(mk_done(&m), 40, 120, false);
	r.kind = REF_TIME;
	r.host = 0;
	r.core = 1;
	r.gap = true;
	r.t0 = 100 * US;
	r.t1 = 300 * US;
	assert_int_equal(view_timeline.show(&view, &r), 0);
	finish();
	v = marks_current(&tl()->marks);
	assert_non_null(v);
	assert_int_equal(v->t0, 100 * US);
	assert_int_equal(v->t1, 300 * US);
	assert_false(tl()->scene.cursor.selected);
	assert_int_equal(tl()->scene.cursor.at, 200 * US);
	assert_int_equal(strncmp(scene_node(&tl()->scene, tl()->scene.cursor.row)->name, "TPU:1", 5), 0);
	assert_int_equal(view_timeline.show(&view, &r), 0); /* again: the same mark */
	assert_int_equal(tl()->marks.n, 1);
	view_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marking),
		cmocka_unit_test(ends_move_from_edge_to_edge),
		cmocka_unit_test(tools),
		cmocka_unit_test(gaps_are_measured),
		cmocka_unit_test(large_box),
		cmocka_unit_test(statistics),
		cmocka_unit_test(bookmarks_and_places),
		cmocka_unit_test(history),
		cmocka_unit_test(walk),
		cmocka_unit_test(gap_of_a_core),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
