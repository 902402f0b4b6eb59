/* Navigation on the timeline: cursor, selection, jumps, what is drawn; also odd captures and small
 * screens. */
#include "config.h"

#include "../lib/guarded.h"
#include "../lib/mktrace.h"
#include "../lib/mkview.h"
#include "base/text/regex.h"
#include "base/text/units.h"
#include "view/files/files.h"

#define US PS_PER_US

/* Two steps of: fusion.1, while.2 { dot.3, all-reduce.4 }, fusion.5; a thread with a wait. */
static struct dump *sample(void)
{
	struct mktrace m = { 0 };

	mk_host(&m, "w-0");
	for (int c = 0; c < 2; c++) {
		mk_plane(&m, c ? "/device:TPU:1" : "/device:TPU:0");
		mk_track(&m, "Steps");
		for (int i = 0; i < 2; i++)
			mk_event(&m, i ? "8" : "7", i * 1000 * US, 900 * US);
		mk_track(&m, "XLA Ops");
		for (int i = 0; i < 2; i++) {
			int64_t t = i * 1000 * US;

			mk_event(&m, "fusion.1", t, 300 * US);
			mk_event(&m, "while.2", t + 300 * US, 400 * US);
			mk_event(&m, "dot.3", t + 300 * US, 100 * US);
			mk_event(&m, "all-reduce.4", t + 450 * US, 200 * US);
			mk_event(&m, "fusion.5", t + 750 * US, 100 * US);
		}
	}
	mk_plane(&m, "/host:CPU");
	mk_track(&m, "main/1");
	mk_event(&m, "np.asarray(jax.Array)", 100 * US, 1800 * US);
	return mk_done(&m);
}

static const char *selected(void)
{
	const struct trace *t = &app.cap->dump->trace;

	if (!tl()->scene.cursor.selected)
		return "";
	return strtab_str(&app.cap->dump->str,
	    t->metas[track_meta(&t->tracks[tl()->scene.cursor.track], tl()->scene.cursor.event)].name);
}

static bool selected_is(const char *name)
{
	return !strncmp(selected(), name, strlen(name));
}

static bool on_row(const char *name)
{
	const struct rows_node *v = &tl()->scene.rows.v[tl()->scene.rows.vis[tl()->scene.cursor.row]];

	return v->len == strlen(name) && !memcmp(v->name, name, v->len);
}

static void along_a_row(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, false);
	assert_int_equal(act(ACT_DOWN), REACT_REDRAW);
	assert_true(on_row("XLA Ops"));
	assert_false(tl()->scene.cursor.selected);
	act(ACT_RIGHT); /* the cursor is at its start */
	assert_true(selected_is("fusion.1"));
	act(ACT_RIGHT);
	assert_true(selected_is("while.2"));
	assert_int_equal(tl()->scene.cursor.at, 300 * US);
	act(ACT_RIGHT); /* not into the loop, which is another row */
	assert_true(selected_is("fusion.5"));
	act(ACT_LEFT);
	act(ACT_DOWN); /* the selection stays … */
	assert_true(on_row("depth 1"));
	assert_true(selected_is("while.2"));
	act(ACT_OPEN); /* … until something else is chosen */
	assert_true(selected_is("dot.3"));
	act(ACT_RIGHT);
	assert_true(selected_is("all-reduce.4"));
	view_timeline.act(&view, ACT_RIGHT, 100);
	assert_int_equal(tl()->scene.cursor.at, 1450 * US);
	act(ACT_RIGHT);
	assert_string_equal(app.message, "no later event on this row");
	act(ACT_UP);
	act(ACT_SAME_PREV);
	assert_int_equal(act(ACT_BACK), REACT_REDRAW);
	assert_false(tl()->scene.cursor.selected);
	assert_int_equal(act(ACT_BACK), ACT_PASS);
	view_end();
}

static void same_name_and_steps(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, false);
	act(ACT_DOWN);
	act(ACT_OPEN);
	assert_true(selected_is("fusion.1"));
	act(ACT_SAME_NEXT);
	assert_int_equal(tl()->scene.cursor.at, 1000 * US);
	act(ACT_SAME_NEXT);
	assert_string_equal(app.message, "no later event of this name on this track");
	act(ACT_STEP_PREV);
	assert_int_equal(tl()->scene.cursor.at, 0);
	act(ACT_STEP_NEXT);
	assert_int_equal(tl()->scene.cursor.at, 1000 * US);
	act(ACT_FLOW_NEXT);
	assert_string_equal(app.message, "no flow leaves this event");
	view_end();
}

/* A jump to an interval ends the selection; later moves start from the cursor. */
static void on_from_the_cursor(void **state)
{
	struct ref moment = { .kind = REF_TIME, .track = ROWS_NONE, .file = -1 };

	(void)state;
	view_begin(sample(), 40, 120, false);
	act(ACT_DOWN);
	view_timeline.act(&view, ACT_RIGHT, 2);
	assert_true(selected_is("while.2"));
	act(ACT_STEP_NEXT);
	assert_int_equal(tl()->scene.cursor.at, 1000 * US);
	assert_false(tl()->scene.cursor.selected);
	act(ACT_LEFT); /* selects the event at the cursor, in either direction */
	assert_true(selected_is("fusion.1"));
	assert_int_equal(tl()->scene.cursor.at, 1000 * US);
	act(ACT_BACK);
	act(ACT_RIGHT);
	assert_true(selected_is("fusion.1"));
	assert_int_equal(tl()->scene.cursor.at, 1000 * US);
	act(ACT_RIGHT);
	assert_int_equal(tl()->scene.cursor.at, 1300 * US);
	act(ACT_STEP_PREV); /* the start of its own step */
	act(ACT_STEP_PREV);
	assert_false(tl()->scene.cursor.selected);
	act(ACT_SAME_NEXT); /* of fusion.1, which is at the cursor */
	assert_true(selected_is("fusion.1"));
	assert_int_equal(tl()->scene.cursor.at, 1000 * US);
	moment.t0 = moment.t1 = 500 * US;
	assert_int_equal(view_timeline.show(&view, &moment), 0);
	assert_false(tl()->scene.cursor.selected);
	act(ACT_RIGHT); /* the event around it */
	assert_int_equal(tl()->scene.cursor.at, 300 * US);
	act(ACT_RIGHT);
	assert_int_equal(tl()->scene.cursor.at, 750 * US);
	moment.t0 = moment.t1 = 800 * US; /* still inside the event: the selection stays */
	assert_int_equal(view_timeline.show(&view, &moment), 0);
	assert_true(selected_is("fusion.5"));
	act(ACT_LEFT);
	assert_int_equal(tl()->scene.cursor.at, 300 * US);
	view_end();
}

/* The event selected in a column shared by narrow events is where the next key starts. */
static void selection_of_a_column(void **state)
{
	struct mktrace m = { 0 };

	(void)state;
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Ops");
	mk_event(&m, "early", 0, 10);
	mk_event(&m, "big", 400, 500 * US / 1000);
	mk_event(&m, "after", 2 * US, US);
	mk_event(&m, "end", 1000 * US, US);
	view_begin(mk_done(&m), 40, 120, false);
	act(ACT_DOWN);
	tl()->scene.cursor.at = 100;
	act(ACT_OPEN);
	assert_true(selected_is("after"));
	act(ACT_RIGHT);
	assert_true(selected_is("end"));
	view_end();
}

/* A search continues from where the cursor was moved, too. */
static void search_on_from_the_cursor(void **state)
{
	struct regex *re = regex_new("fusion", REGEX_SMART_CASE, NULL);

	(void)state;
	view_begin(sample(), 40, 120, false);
	act(ACT_DOWN);
	assert_int_equal(view_timeline.find(&view, re, 0), 8);
	act(ACT_STEP_NEXT);
	view_timeline.find(&view, re, 1);
	assert_int_equal(tl()->scene.cursor.at, 1000 * US);
	assert_true(selected_is("fusion.1"));
	view_timeline.find(&view, NULL, 0);
	regex_free(re);
	view_end();
}

static const char *place(const char *text, struct ref *r)
{
	static struct err e;

	e = (struct err){ .at = ERR_NOWHERE };
	return view_timeline.place(&view, text, r, &e) ? e.msg : NULL;
}

/* Steps by the name that the ruler has for them, and UTC as the ruler writes it. */
static void places_by_name(void **state)
{
	struct dump *d = sample();
	struct ref r;

	(void)state;
	d->start_unix_ns = INT64_C(1763737400) * 1000000000; /* 2025-11-21 15:03:20 */
	view_begin(d, 40, 120, false);
	assert_null(place("step 8", &r));
	assert_int_equal(r.t0, 1000 * US);
	assert_null(place("step 1", &r)); /* its number, which is not the name of a step */
	assert_int_equal(r.t0, 1000 * US);
	assert_non_null(strstr(place("step 9", &r), "no step 9"));
	assert_null(place("op dot.3", &r));
	assert_null(place("15:03:20.001", &r));
	assert_int_equal(r.t0, 1000 * US);
	assert_null(place("2025-11-21 15:03:20.0005 UTC", &r));
	assert_int_equal(r.t0, 500 * US);
	assert_non_null(strstr(place("15:03:21", &r), "from 15:03:20.000 to 15:03:20.001"));
	assert_non_null(strstr(place("2024-06-01 19:41:50", &r), "2025-11-21 15:03:20.000 to 2025-11-21"));
	assert_non_null(strstr(place("2030-01-01T00:00:00Z", &r), "2025-11-21 15:03:20.000 to 2025-11-21"));
	assert_non_null(strstr(place("25:03", &r), "not a time of day"));
	view_end();
}

static void add_edge(struct dump *d, uint32_t from, uint32_t from_event, uint32_t to, uint32_t to_event)
{
	VEC_ADD(d->trace.edges, d->trace.nedges, d->trace.edges_cap,
	    (struct edge){ .src_track = from, .dst_track = to, .src = from_event, .dst = to_event });
}

/* The same key again goes to the next end of the same event, then to the first; going back leads to the
 * start. */
static void flows_one_after_the_other(void **state)
{
	struct dump *d = sample();

	(void)state;
	add_edge(d, 4, 0, 1, 0);
	add_edge(d, 4, 0, 1, 5);
	add_edge(d, 4, 0, 3, 5);
	add_edge(d, 3, 0, 3, 5);
	add_edge(d, 1, 5, 1, 9);
	view_begin(d, 40, 120, false);
	cursor_go_to_event(&tl()->scene, 4, 0);
	act(ACT_FLOW_NEXT);
	assert_string_equal(app.message, "1 of 3 consumers; ) again: next");
	assert_int_equal(tl()->scene.cursor.at, 0);
	assert_int_equal(app.p->nplaces, 1);
	act(ACT_FLOW_NEXT);
	assert_string_equal(app.message, "2 of 3 consumers; ) again: next");
	assert_int_equal(tl()->scene.cursor.event, 5);
	act(ACT_FLOW_NEXT);
	assert_int_equal(tl()->scene.cursor.track, 3);
	act(ACT_FLOW_NEXT);
	assert_string_equal(app.message, "1 of 3 consumers; ) again: next");
	assert_int_equal(tl()->scene.cursor.track, 1);
	assert_int_equal(app.p->nplaces, 1); /* one position to return to: the producer */
	assert_int_equal(app.p->places[0].ref.track, 4);
	act(ACT_FLOW_PREV); /* its only producer */
	assert_int_equal(tl()->scene.cursor.track, 4);
	assert_string_equal(app.message, "");
	view_timeline.act(&view, ACT_FLOW_NEXT, 2);
	assert_string_equal(app.message, "2 of 3 consumers; ) again: next");
	act(ACT_RIGHT); /* another move in between: continue from there */
	act(ACT_LEFT);
	act(ACT_FLOW_NEXT);
	assert_int_equal(tl()->scene.cursor.event, 9);
	cursor_go_to_event(&tl()->scene, 3, 5);
	act(ACT_FLOW_PREV);
	assert_string_equal(app.message, "1 of 2 producers; ( again: next");
	act(ACT_FLOW_PREV);
	assert_string_equal(app.message, "2 of 2 producers; ( again: next");
	act(ACT_FLOW_PREV);
	assert_string_equal(app.message, "1 of 2 producers; ( again: next");
	assert_int_equal(keymap_line(&app.keymap, "unbind", "timeline (", NULL), 0); /* keys can be rebound */
	assert_int_equal(keymap_line(&app.keymap, "bind", "timeline X flow-previous", NULL), 0);
	act(ACT_FLOW_PREV);
	assert_string_equal(app.message, "2 of 2 producers; X again: next");
	view_end();
}

static void zoom_pan_fit(void **state)
{
	int64_t c, k;

	(void)state;
	view_begin(sample(), 40, 120, false);
	assert_true(tl()->scene.port.whole);
	act(ACT_DOWN);
	view_timeline.act(&view, ACT_RIGHT, 2);
	act(ACT_FIT); /* while.2: 400 us in 87 columns */
	assert_int_equal(tl()->scene.port.c, 5200000);
	assert_true(
	    viewport_begin(&tl()->scene.port) <= 300 * US && viewport_end(&tl()->scene.port) >= 700 * US);
	c = tl()->scene.port.c;
	act(ACT_FIT);
	assert_true(tl()->scene.port.c > c);
	k = tl()->scene.port.k;
	act(ACT_PAN_RIGHT);
	assert_int_equal(tl()->scene.port.k, k + 87 / 8);
	act(ACT_PAN_LEFT);
	assert_int_equal(tl()->scene.port.k, k);
	act(ACT_WHOLE);
	assert_true(tl()->scene.port.whole);
	resize(30, 90);
	assert_true(tl()->scene.port.whole);
	act(ACT_ZOOM_IN_FAST);
	assert_true(tl()->scene.cursor.at >= viewport_begin(&tl()->scene.port) &&
	    tl()->scene.cursor.at < viewport_end(&tl()->scene.port));
	view_timeline.act(&view, ACT_PAN_RIGHT_FAST, 50);
	assert_true(tl()->scene.cursor.at >= viewport_begin(&tl()->scene.port) &&
	    tl()->scene.cursor.at < viewport_end(&tl()->scene.port));
	view_end();
}

/* Fitted again, an event far from the start of the run is in the middle of a wider view. */
static void fit_again(void **state)
{
	const struct viewport *g;

	(void)state;
	view_begin(sample(), 40, 120, false);
	act(ACT_DOWN);
	view_timeline.act(&view, ACT_RIGHT, 100);
	g = &tl()->scene.port;
	assert_true(selected_is("fusion.5"));
	act(ACT_FIT);
	act(ACT_FIT);
	assert_true(viewport_begin(g) > 1000 * US && viewport_begin(g) <= 1750 * US);
	assert_true(viewport_end(g) >= 1850 * US);
	assert_int_equal(tl()->scene.cursor.at, 1750 * US);
	view_end();
}

/* What is around an op of months is the whole run. */
static void show_a_long_op(void **state)
{
	struct ref r = { .kind = REF_OP, .track = ROWS_NONE, .file = -1 };
	struct mktrace m = { 0 };

	(void)state;
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Ops");
	mk_event(&m, "fusion.1", 0, 10);
	mk_event(&m, "copy.2", 100, INT64_C(1) << 61);
	view_begin(mk_done(&m), 40, 120, false);
	act(ACT_ZOOM_IN_FAST);
	assert_false(tl()->scene.port.whole);
	r.name = strtab_find(&app.cap->dump->str, "copy.2", 6);
	assert_int_equal(view_timeline.show(&view, &r), 0);
	assert_true(selected_is("copy.2"));
	assert_true(tl()->scene.port.whole);
	view_end();
}

/* Turns of the wheel over the middle of the plot: with Shift they pan. */
static void wheel(int turns, unsigned mods)
{
	const struct rect *r = &tl()->scene.lay.plot;

	for (int i = 0; i < abs(turns); i++)
		view_timeline.mouse(&view,
		    &(struct mouse){ .kind = MOUSE_WHEEL,
			.mods = mods,
			.dir = turns < 0 ? -1 : 1,
			.y = r->y + 1,
			.x = r->x + tl()->scene.port.w / 2 });
}

static int cursor_column(void)
{
	return viewport_column(&tl()->scene.port, tl()->scene.cursor.at);
}

/* A zoom after a pan is around what was panned to, not around the edge that the cursor was left at. */
static void zoom_after_pan(void **state)
{
	int x;

	(void)state;
	view_begin(sample(), 40, 120, false);
	act(ACT_ZOOM_IN_FAST);
	act(ACT_PAN_RIGHT_FAST);
	x = viewport_column(&tl()->scene.port, tl()->scene.cursor.at);
	assert_int_equal(x, tl()->scene.port.w / 2);
	act(ACT_ZOOM_IN);
	assert_in_range(viewport_column(&tl()->scene.port, tl()->scene.cursor.at), x - 1, x + 1);
	act(ACT_PAN_RIGHT); /* it is still in view: it stays */
	assert_in_range(viewport_column(&tl()->scene.port, tl()->scene.cursor.at), x - 12, x - 9);
	act(ACT_WHOLE);
	act(ACT_ZOOM_IN_FAST);
	act(ACT_ZOOM_IN_FAST);
	for (x = cursor_column(); x > tl()->scene.port.w / 16; x = cursor_column())
		wheel(1, MOD_SHIFT);
	wheel(1, MOD_SHIFT);
	assert_int_equal(cursor_column(), tl()->scene.port.w / 2);
	view_end();
}

/* Zooms in and out again: the column of the cursor stays the same but for rounding, unless more than half of the
 * view would be beyond the ends of the run. */
static void assert_centered(void)
{
	static const enum action zoom[] = { ACT_ZOOM_IN, ACT_ZOOM_IN, ACT_ZOOM_IN_FAST, ACT_ZOOM_OUT,
		ACT_ZOOM_OUT, ACT_ZOOM_OUT, ACT_ZOOM_IN };
	const struct viewport *g = &tl()->scene.port;

	for (size_t i = 0; i < sizeof zoom / sizeof *zoom; i++) {
		int64_t at = tl()->scene.cursor.at;
		int x = cursor_column(), begin, end;

		act(zoom[i]);
		begin = viewport_column(g, g->first);
		end = viewport_column(g, g->last);
		assert_true(tl()->scene.cursor.at == at);
		if (!g->whole && abs(begin - g->w / 2) > 1 && abs(end - g->w / 2) > 1)
			assert_in_range(cursor_column() + 1, x, x + 2);
		assert_in_range(cursor_column(), 0, g->w - 1);
	}
}

/* After pans by keys, by the wheel and to the ends of the run, and after jumps to edges and marks. */
static void zoom_keeps_the_column(void **state)
{
	static const enum action moves[] = { ACT_PAN_LEFT, ACT_PAN_RIGHT, ACT_PAN_RIGHT_FAST,
		ACT_PAN_LEFT_FAST, ACT_RIGHT, ACT_LEFT, ACT_STEP_NEXT, ACT_STEP_PREV, ACT_MARK, ACT_UNDO_VIEW,
		ACT_REDO_VIEW };

	(void)state;
	view_begin(sample(), 40, 120, false);
	act(ACT_DOWN);
	act(ACT_ZOOM_IN_FAST);
	for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
		for (int n = 1; n < 30; n += 7) {
			view_timeline.act(&view, moves[i], n);
			assert_centered();
			wheel(n % 2 ? n : -n, MOD_SHIFT);
			assert_centered();
			wheel(i % 2 ? 2 : -2, 0);
			assert_centered();
		}
	view_end();
}

/* P and F walk through what was in view; equal actions in a row are one entry. */
static void undo_and_redo(void **state)
{
	struct viewport zoomed, panned;
	int64_t at;

	(void)state;
	view_begin(sample(), 40, 120, false);
	act(ACT_UNDO_VIEW);
	assert_string_equal(app.message, "no zoom or pan to undo");
	at = tl()->scene.cursor.at;
	for (int i = 0; i < 4; i++)
		act(ACT_ZOOM_IN);
	zoomed = tl()->scene.port;
	act(ACT_PAN_RIGHT_FAST);
	panned = tl()->scene.port;
	act(ACT_DOWN); /* does not count */
	act(ACT_UNDO_VIEW);
	assert_true(tl()->scene.port.k == zoomed.k && tl()->scene.port.c == zoomed.c);
	act(ACT_UNDO_VIEW);
	assert_true(tl()->scene.port.whole);
	assert_int_equal(tl()->scene.cursor.at, at);
	act(ACT_REDO_VIEW);
	act(ACT_REDO_VIEW);
	assert_true(tl()->scene.port.k == panned.k && tl()->scene.port.c == panned.c);
	act(ACT_REDO_VIEW);
	assert_string_equal(app.message, "no zoom or pan to redo");
	act(ACT_UNDO_VIEW);
	act(ACT_ZOOM_OUT); /* a new way: nothing to redo */
	act(ACT_REDO_VIEW);
	assert_string_equal(app.message, "no zoom or pan to redo");
	view_end();
}

static void folding(void **state)
{
	size_t n;

	(void)state;
	view_begin(sample(), 40, 120, false);
	n = tl()->scene.rows.nvis;
	act(ACT_DOWN);
	act(ACT_DOWN);
	act(ACT_FOLD); /* depth 1: the track around it */
	assert_true(on_row("XLA Ops"));
	assert_int_equal(tl()->scene.rows.nvis, n - 1);
	act(ACT_FOLD);
	assert_int_equal(tl()->scene.rows.nvis, n);
	act(ACT_TOP);
	act(ACT_OPEN); /* Enter folds a section */
	assert_int_equal(tl()->scene.rows.nvis, n - 2);
	act(ACT_FOLD_ALL);
	assert_int_equal(tl()->scene.rows.nvis, 3);
	act(ACT_FOLD_ALL);
	assert_int_equal(tl()->scene.rows.nvis, 8);
	view_end();
}

static bool shows(const char *text)
{
	size_t n;
	char *all = canvas_dump(&canvas, 0, &n);
	bool found = strstr(all, text);

	free(all);
	return found;
}

static void details(void **state)
{
	char left[256], right[256];

	(void)state;
	view_begin(sample(), 40, 120, false);
	act(ACT_DOWN);
	act(ACT_OPEN);
	look();
	assert_true(shows("occurrence 1 of 2 within this track"));
	assert_true(shows("300.000 \xc2\xb5s"));
	assert_true(shows("33.33 % of step 7"));
	act(ACT_OPEN);
	assert_true(tl()->scene.cursor.full);
	look();
	assert_true(shows("/device:TPU:0"));
	view_timeline.status(&view, left, right, sizeof left);
	assert_non_null(strstr(left, "lines 1-"));
	act(ACT_RIGHT); /* continues with the next event */
	assert_true(tl()->scene.cursor.full && selected_is("while.2"));
	assert_int_equal(act(ACT_BACK), REACT_REDRAW);
	assert_false(tl()->scene.cursor.full);
	view_end();
}

static void searching(void **state)
{
	struct err err = { .at = ERR_NOWHERE };
	struct regex *re = regex_new("all-reduce", REGEX_SMART_CASE, &err),
		     *none = regex_new("nothing like it", REGEX_SMART_CASE, &err);
	char text[128];

	(void)state;
	view_begin(sample(), 40, 120, false);
	assert_int_equal(view_timeline.find(&view, re, 0), 4);
	assert_true(selected_is("all-reduce.4") && on_row("depth 1"));
	assert_int_equal(tl()->scene.cursor.at, 450 * US);
	finish();
	look();
	assert_true(shows("hits of /all-reduce/"));
	assert_true(shows("4 of 25 events   1 name"));
	view_timeline.find(&view, re, 1); /* the same moment on the other core, which opens */
	assert_int_equal(tl()->scene.cursor.at, 450 * US);
	view_timeline.find_status(&view, text, sizeof text);
	assert_non_null(strstr(text, "hit 2 of 4"));
	view_timeline.find(&view, re, -1);
	view_timeline.find(&view, re, -1); /* wraps */
	view_timeline.find_status(&view, text, sizeof text);
	assert_non_null(strstr(text, "hit 4 of 4"));
	assert_int_equal(act(ACT_BACK), ACT_PASS);
	view_timeline.find(&view, NULL, 0);
	assert_null(tl()->search.find);
	assert_int_equal(view_timeline.find(&view, none, 0), 0);
	assert_null(tl()->search.find);
	regex_free(re);
	regex_free(none);
	view_end();
}

static void picture(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	look();
	assert_true(shows(">- TPU:0                   84.2|"));
	assert_true(shows("|step 8--------"));
	assert_true(shows("   - XLA Ops               84.2|"));
	assert_true(shows("|while.2-----"));
	assert_true(shows("np.asarray(jax.Array)---"));
	assert_true(shows("device time of 2 cores: 3.7 ms"));
	view_end();
}

static void places(void **state)
{
	struct ref r;

	(void)state;
	view_begin(sample(), 40, 120, false);
	act(ACT_DOWN);
	view_timeline.act(&view, ACT_RIGHT, 2);
	r = view_timeline.here(&view);
	assert_int_equal(r.kind, REF_EVENT);
	act(ACT_BACK);
	act(ACT_TOP);
	assert_int_equal(view_timeline.show(&view, &r), 0);
	assert_true(selected_is("while.2") && on_row("XLA Ops"));
	r = (struct ref){ .kind = REF_TIME, .track = ROWS_NONE, .t0 = 1000 * US, .t1 = 1100 * US };
	assert_int_equal(view_timeline.show(&view, &r), 0);
	assert_int_equal(tl()->scene.cursor.at, 1000 * US);
	r = (struct ref){ .kind = REF_NAME, .name = strtab_find(&app.cap->dump->str, "fusion.5", 8) };
	assert_int_equal(view_timeline.show(&view, &r), 0);
	assert_int_equal(tl()->scene.cursor.at, 1750 * US);
	r = (struct ref){ .kind = REF_EVENT, .track = 4711 };
	assert_int_equal(view_timeline.show(&view, &r), -1);
	view_end();
}

/* --- odd captures, odd sizes --- */

static void walk(void)
{
	static const enum action keys[] = {
		ACT_RIGHT,
		ACT_DOWN,
		ACT_OPEN,
		ACT_FIT,
		ACT_ZOOM_IN_FAST,
		ACT_PAN_LEFT_FAST,
		ACT_LEFT,
		ACT_SAME_NEXT,
		ACT_STEP_NEXT,
		ACT_FOLD,
		ACT_FOLD_ALL,
		ACT_BOTTOM,
		ACT_OPEN,
		ACT_OPEN,
		ACT_DOWN,
		ACT_BACK,
		ACT_GUTTER,
		ACT_PAGE_UP,
		ACT_ZOOM_OUT,
		ACT_WHOLE,
		ACT_FOLD_ALL,
		ACT_FLOW_NEXT,
		ACT_CLOCK,
		ACT_GUTTER,
		ACT_PAGE_DOWN,
		ACT_RIGHT,
		ACT_ZOOM_IN,
		ACT_ZOOM_IN_FAST,
		ACT_ZOOM_IN_FAST,
		ACT_ZOOM_IN_FAST,
	};
	char left[512], right[512];

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		view_timeline.act(&view, keys[i], 1);
		look();
		if (i % 3 == 0)
			finish();
		view_timeline.status(&view, left, right, sizeof left);
		view_timeline.title_right(&view, right, sizeof right);
		view_timeline.here(&view);
	}
}

static struct dump *odd(int kind)
{
	struct mktrace m = { 0 };

	mk_dump(&m);
	if (!kind)
		return mk_done(&m);
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, kind == 1 ? "Overlay" : "XLA Ops");
	switch (kind) {
	case 2:
		mk_event(&m, "alone", 5, 0);
		break;
	case 3:
		mk_event(&m, "\x1b]0;title\x07\xff\xfe", -5000, 9000);
		break;
	case 4:
		mk_event(&m, "early", INT64_MIN, 1);
		mk_event(&m, "late", INT64_MAX - 1, 1);
		mk_event(&m, "long", INT64_MIN, INT64_MAX);
		break;
	case 5:
		for (int i = 0; i < 400; i++)
			mk_event(&m, "deep", i, 1000 - 2 * i);
		break;
	case 6:
		for (int i = 0; i < 400; i++)
			mk_event(&m, "overlaps", i, 1000);
		break;
	case 7:
		mk_event(&m, "", 0, 1);
		mk_event(&m, "", 1, 0);
		break;
	case 8:
		for (int i = 0; i < 1000; i++)
			mk_event(&m, i % 3 ? "a" : "b", i * 10, 10);
		for (int i = 0; i < 8; i++)
			mk_counter(&m, "counter", i ? "bytes" : "", i * 300, i - 4);
		break;
	default:
		break;
	}
	return mk_done(&m);
}

static void odd_captures(void **state)
{
	static const struct {
		int rows, cols;
	} sizes[] = { { 40, 120 }, { 24, 80 }, { 10, 40 }, { 5, 20 }, { 100, 300 } };

	(void)state;
	for (int kind = 0; kind < 9; kind++)
		for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
			for (int mono = 0; mono < 2; mono++) {
				view_begin(odd(kind), sizes[s].rows, sizes[s].cols, mono);
				walk();
				view_end();
			}
}

/* Names as a mapped file has them; those of steps are numbers. */
static void texts_without_an_end(void **state)
{
	struct dump *d;

	(void)state;
	for (int kind = -1; kind < 9; kind++) {
		d = kind < 0 ? sample() : odd(kind);
		guard_texts(d);
		view_begin(d, 40, 120, false);
		walk();
		view_end();
	}
}

/* A host may be called anything, which takes no longer than to read it. */
static void endless_host(void **state)
{
	enum { LONG = 2000000 };
	char *name = xcalloc(LONG + 1, 1);
	struct mktrace m = { 0 };

	(void)state;
	memset(name, 'h', LONG);
	memcpy(name + LONG - 3, "end", 3);
	for (int i = 0; i < 2; i++) {
		mk_host(&m, name + i);
		mk_plane(&m, "/device:TPU:0");
		mk_track(&m, "XLA Ops");
		mk_event(&m, "fusion.1", 0, 100 * US);
	}
	view_begin(mk_done(&m), 40, 120, false);
	assert_true(shown("hhhend"));
	view_end();
	free(name);
}

/* The row with the number of counters has no tracks. */
static void keys_on_a_row_of_counters(void **state)
{
	static const enum action keys[] = { ACT_LONGEST, ACT_SELECT_TRACK, ACT_STATISTICS };
	struct mktrace m = { 0 };

	(void)state;
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Ops");
	mk_event(&m, "fusion.1", 0, 100 * US);
	mk_event(&m, "fusion.1", 200 * US, 300 * US);
	for (int i = 0; i < 6; i++)
		mk_counter(&m, (char[]){ 'c', (char)('0' + i), 0 }, "", 5, 1);
	view_begin(mk_done(&m), 40, 120, false);
	act(ACT_RIGHT);
	while (!on_row("counters")) {
		size_t row = tl()->scene.cursor.row;

		act(ACT_DOWN);
		assert_true(tl()->scene.cursor.row > row);
	}
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		act(keys[i]);
		look();
	}
	view_end();
}

static void every_size(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, false);
	for (int cols = 20; cols <= 300; cols += 7)
		for (int rows = 5; rows <= 100; rows += 3) {
			resize(rows, cols);
			look();
			assert_true(tl()->scene.cursor.row >= tl()->scene.cursor.top &&
			    tl()->scene.cursor.row < tl()->scene.cursor.top + (size_t)tl()->scene.lay.plot.h);
		}
	walk();
	view_end();
}

/* Steps that the timeline derives are not in the file. */
static void files_lack_what_is_derived(void **state)
{
	struct view files = { .ops = &view_files, .app = &app, .opened = true };
	struct mktrace m = { 0 };
	struct files *f;

	(void)state;
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Modules");
	mk_event(&m, "jit_f(1)", 0, 90 * US);
	mk_event(&m, "jit_f(1)", 100 * US, 90 * US);
	mk_track(&m, "XLA Ops");
	mk_event(&m, "fusion.1", 0, 90 * US);
	m.d->trace.planes[0].file = 0;
	view_begin(mk_done(&m), 40, 120, false);
	assert_int_equal(app.cap->dump->trace.ntracks, 3);
	assert_int_equal(app.cap->base->trace.ntracks, 2);
	files.cap = app.cap;
	files.state = f = xcalloc(1, view_files.size);
	assert_int_equal(view_files.open(&files), 0);
	assert_true(frame_ready(&files));
	assert_true(slice_is(cell_text(table_get(&f->table, 0, "lacks")), "steps, host threads, HLO protos"));
	view_files.close(&files);
	free(f);
	view_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(along_a_row),
		cmocka_unit_test(same_name_and_steps),
		cmocka_unit_test(on_from_the_cursor),
		cmocka_unit_test(selection_of_a_column),
		cmocka_unit_test(search_on_from_the_cursor),
		cmocka_unit_test(places_by_name),
		cmocka_unit_test(flows_one_after_the_other),
		cmocka_unit_test(zoom_pan_fit),
		cmocka_unit_test(fit_again),
		cmocka_unit_test(show_a_long_op),
		cmocka_unit_test(zoom_after_pan),
		cmocka_unit_test(zoom_keeps_the_column),
		cmocka_unit_test(undo_and_redo),
		cmocka_unit_test(folding),
		cmocka_unit_test(details),
		cmocka_unit_test(searching),
		cmocka_unit_test(picture),
		cmocka_unit_test(places),
		cmocka_unit_test(odd_captures),
		cmocka_unit_test(texts_without_an_end),
		cmocka_unit_test(endless_host),
		cmocka_unit_test(keys_on_a_row_of_counters),
		cmocka_unit_test(every_size),
		cmocka_unit_test(files_lack_what_is_derived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
