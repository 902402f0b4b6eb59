#include "config.h"

#include "view/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/classify.h"
#include "analyze/derive.h"
#include "base/pool.h"
#include "base/regex.h"
#include "view/tl.h"

enum {
	FAST = 6,			/* zoom steps of a large one: 2^(6/2) */
	PAN = 8,			/* a pan is 1/8 of the view */
	WIDEN = 4,			/* zoom steps when the selection is fitted again */
	COUNTERS_AT_ONCE = 200000	/* host events: up to here counters of memory come with the first frame */
};

/* --- layout --- */

void tl_relayout(struct tl *t)
{
	tl_layout(&t->lay, t->view->area, tl_pane_kind(t), t->search.find);
	if (t->grid.w != t->lay.plot.w)
		tl_grid_resize(&t->grid, t->lay.plot.w);
	tl_cells_resize(&t->cells, t->lay.area.h, t->grid.w);
}

static void resize(struct view *v, int rows, int cols)
{
	(void)rows;
	(void)cols;
	tl_keep_visible(tl_of(v));
}

/* --- opening --- */

/* Where the first step begins, else the first event of the first row that has one. */
static int64_t first_moment(const struct tl *t)
{
	for (size_t i = 0; i < t->rows.n; i++) {
		const struct tl_node *v = &t->rows.v[i];
		uint32_t track = v->steps != TL_NONE ? v->steps : v->track;

		if (track != TL_NONE && tl_track(t, track)->n)
			return tl_track(t, track)->start[0];
	}
	return t->grid.first;
}

/* The run begins at 0, where the capture did, unless that is further away than the run is long. */
static void measure_run(struct tl *t)
{
	const struct trace *r = &t->dump->trace;
	int64_t first = r->first > 0 && r->first <= r->last - r->first ? 0 : r->first;

	t->grid.first = first;
	t->grid.last = r->last > first ? r->last : first;
}

static void make_memory_counters(struct tl *t)
{
	t->memory_done = true;
	if (derive_memory_counters(t->dump)) {
		tl_rebuild(t);
		t->view->stale = true;
	}
}

static size_t host_events(const struct dump *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->trace.ntracks; i++)
		if (d->trace.planes[d->trace.tracks[i].plane].kind == PLANE_HOST)
			n += d->trace.tracks[i].n;
	return n;
}

static int tl_open(struct view *v)
{
	struct tl *t = tl_of(v);

	t->view = v;
	t->dump = v->app->dump;
	t->host = v->app->host;
	if (!t->dump->trace.meta_class)
		classify(t->dump);
	measure_run(t);
	tl_grid_init(&t->grid, t->grid.first, t->grid.last, 1);
	tl_rebuild(t);
	if (host_events(t->dump) <= COUNTERS_AT_ONCE)
		make_memory_counters(t);
	t->cursor = first_moment(t);
	tl_keep_visible(t);
	return 0;
}

static void tl_close(struct view *v)
{
	struct tl *t = tl_of(v);

	tl_matches_end(&t->filter);
	tl_steps_free(t);
	tl_chain_forget(t);
	tl_search_end(t);
	tl_marks_free(t);
	tl_inview_free(t);
	tl_detail_free(t);
	tl_cells_free(&t->cells);
	tl_rows_free(&t->rows);
	free(t->map.busy);
	for (size_t i = 0; i < t->nindex; i++)
		free(t->index[i].max);
	free(t->index);
	history_free(&t->filters);
	tl_align_free(t);
	tl_colour_forget(t);
}

/* --- background work --- */

/* Unions of the thread groups on screen, one at a time. */
static bool unite(struct tl *t)
{
	for (int i = 0; i < t->lay.plot.h && tl_place_at(t, i) < t->rows.nvis; i++) {
		uint32_t node = t->rows.vis[tl_place_at(t, i)];

		if (!tl_rows_want_union(&t->rows, node))
			continue;
		tl_rows_make_union(&t->rows, t->dump, node);
		t->inview.has_class = false;
		t->view->stale = true;
		return true;
	}
	return false;
}

/* The same search on the rows there are now. */
static void search_again(struct tl *t)
{
	char *pattern = xstrdup(t->search.pattern);
	struct regex *re = query_regex(pattern, NULL);

	tl_search_end(t);
	if (re)
		tl_find(t, re, 0);
	regex_free(re);
	free(pattern);
}

/* Another host may have been chosen since. */
static void follow_app(struct tl *t)
{
	if (t->host == t->view->app->host)
		return;
	tl_unselect(t);
	tl_marks_forget(t);
	tl_rebuild(t);
	if (t->search.find)
		search_again(t);
	tl_filter_again(t);
	tl_keep_visible(t);
}

static int step(struct view *v, int budget_ms)
{
	struct tl *t = tl_of(v);

	follow_app(t);
	if (!t->memory_done) {
		make_memory_counters(t);
		return 1;
	}
	if (tl_align_step(t) || tl_colour_step(t, budget_ms))
		return 1;
	if (t->map.done < t->rows.ndevice) {
		if (tl_minimap_step(t, (int64_t)budget_ms * 1000))
			return 1;
		v->stale = true;
	}
	if (tl_stats_step(t, budget_ms) || tl_inview_step(t, budget_ms) || tl_search_step(t, budget_ms) || tl_detail_step(t))
		return 1;
	if (tl_filter_step(t, budget_ms) || tl_steps_step(t))
		return 1;
	return unite(t);
}

/* --- drawing --- */

static void draw(struct view *v, struct canvas *cv)
{
	struct tl *t = tl_of(v);

	follow_app(t);
	tl_keep_visible(t);
	if (t->full && t->selected) {
		tl_draw_full(t, cv);
		return;
	}
	tl_cells_frame(t, t->top, t->lay.plot.h);
	tl_draw_strips(t, cv);
	tl_draw_gutter(t, cv);
	tl_draw_rows(t, cv);
	tl_mark_draw(t, cv);
	tl_draw_pane(t, cv);
	tl_mouse_draw(t, cv);
	if (!t->rows.nvis && t->lay.plot.h > 0)
		canvas_str(cv, t->lay.plot.y, t->lay.plot.x + 1, t->lay.plot.w - 1, ROLE_DIM, 0,
		    "no events with times in this capture");
}

/* --- folding --- */

static void toggle(struct tl *t, uint32_t node)
{
	struct tl_node v = t->rows.v[node];
	size_t place = t->cur;

	tl_rows_fold(&t->rows, node, !v.folded);
	if (v.kind == TL_DEVICE || v.kind == TL_LAZY || v.kind == TL_HOST)
		tl_rebuild(t);
	else
		tl_rows_show(&t->rows);
	if (v.kind == TL_LAZY) {
		t->cur = place;
		if (place >= t->rows.nvis || tl_node_at(t, place)->role != v.role)
			app_message(t->view->app, false, "Nothing to make %.*s from", (int)v.len, v.name);
	} else {
		t->cur = tl_rows_find(&t->rows, v.id);
	}
	tl_keep_visible(t);
}

/* The row's own fold, else the nearest one around it. */
static unsigned fold(struct tl *t)
{
	uint32_t node;

	if (t->cur >= t->rows.nvis)
		return REACT_NONE;
	for (node = t->rows.vis[t->cur]; node != TL_NONE && !t->rows.v[node].foldable;
	     node = t->rows.v[node].parent)
		;
	if (node == TL_NONE)
		return REACT_NONE;
	toggle(t, node);
	return REACT_REDRAW;
}

static bool is_section(const struct tl_node *v)
{
	return v->kind == TL_HOST || v->kind == TL_DEVICE || v->kind == TL_THREADS;
}

static unsigned fold_all(struct tl *t)
{
	bool open = false;
	uint32_t at = t->cur < t->rows.nvis ? t->rows.vis[t->cur] : TL_NONE;

	for (uint32_t i = 0; i < t->rows.n; i++)
		open |= is_section(&t->rows.v[i]) && t->rows.v[i].kind != TL_HOST && !t->rows.v[i].folded;
	for (uint32_t i = 0; i < t->rows.n; i++)
		if (is_section(&t->rows.v[i]) && (t->rows.v[i].kind != TL_HOST || !open))
			tl_rows_fold(&t->rows, i, open);
	while (at != TL_NONE && !is_section(&t->rows.v[at]))
		at = t->rows.v[at].parent;
	if (at != TL_NONE) {
		uint64_t id = t->rows.v[at].id;

		tl_rebuild(t);
		t->cur = tl_rows_find(&t->rows, id);
	}
	tl_keep_visible(t);
	return REACT_REDRAW;
}

static unsigned open_row(struct tl *t)
{
	const struct tl_node *v = t->cur < t->rows.nvis ? tl_node_at(t, t->cur) : NULL;
	uint32_t track;
	size_t event;

	if (!v)
		return REACT_NONE;
	if (v->kind != TL_TRACK && v->kind != TL_ROW)
		return v->foldable ? fold(t) : REACT_NONE;
	if (!tl_event_here(t, &event, &track))
		return v->foldable ? fold(t) : REACT_NONE;
	if (t->selected && t->sel_track == track && t->sel_event == event)
		t->full = true;
	else
		tl_select(t, track, event);
	tl_keep_visible(t);
	return REACT_REDRAW;
}

/* --- zoom, clock --- */

static unsigned zoom(struct tl *t, int steps)
{
	tl_grid_zoom(&t->grid, t->cursor, steps);
	tl_keep_visible(t);
	return REACT_REDRAW;
}

static unsigned pan(struct tl *t, int dir, int count, bool fast)
{
	int64_t by = fast ? t->grid.w : t->grid.w / PAN > 0 ? t->grid.w / PAN : 1;

	tl_grid_pan(&t->grid, dir * by * count);
	tl_keep_visible(t);
	return REACT_REDRAW;
}

static unsigned fit(struct tl *t)
{
	uint32_t track = t->sel_track;
	size_t event = t->sel_event;
	const struct track *k;
	struct tl_grid before = t->grid;

	if (!t->selected && !tl_event_here(t, &event, &track)) {
		app_message(t->view->app, false, "No event under the cursor");
		return REACT_REDRAW;
	}
	k = tl_track(t, track);
	tl_grid_fit(&t->grid, k->start[event], k->start[event] + k->dur[event]);
	if (t->fitted && t->fit_t0 == k->start[event] && t->fit_t1 == k->start[event] + k->dur[event] &&
	    before.c >= t->grid.c) {
		t->grid = before;
		tl_grid_zoom(&t->grid, k->start[event] + k->dur[event] / 2, -WIDEN);
	}
	t->fitted = true;
	t->fit_t0 = k->start[event];
	t->fit_t1 = k->start[event] + k->dur[event];
	tl_keep_visible(t);
	return REACT_REDRAW;
}

/* Events of the device planes get other times and other places: what remembers some is made again. */
static unsigned change_clock(struct tl *t)
{
	struct app *app = t->view->app;
	enum clock_kind to = app->clocks.in_use == CLOCK_DEVICE ? CLOCK_PLAIN : CLOCK_DEVICE;
	int threads = app->opt->load.threads;

	if (!app->clocks.any_differs) {
		app_message(app, false, "This capture has one clock: nothing to choose");
		return REACT_REDRAW;
	}
	tl_unselect(t);
	tl_marks_forget(t);
	tl_detail_free(t);
	tl_inview_free(t);
	tl_colour_forget(t);
	tl_align_forget(t);
	tl_chain_forget(t);
	tl_steps_forget(t);
	t->longest_on = false;
	clock_use(t->dump, &app->clocks, to, threads > 0 ? threads : pool_default_threads());
	measure_run(t);
	if (t->grid.whole)
		tl_grid_whole(&t->grid);
	tl_rebuild(t);
	t->map.grid.w = 0;
	t->fitted = false;
	if (t->search.find)
		search_again(t);
	tl_filter_again(t);
	tl_keep_visible(t);
	app_message(app, false, to == CLOCK_DEVICE ? "Ops by the device's own clock" :
		"Ops by the file's plain clock, as XProf's trace viewer draws them");
	return REACT_REDRAW;
}

/* --- actions --- */

static void scroll(struct tl *t, long by)
{
	long most = (long)t->full_lines - (t->lay.area.h - 1), to = (long)t->full_top + by;

	to = to > most ? most : to;
	t->full_top = to < 0 ? 0 : (int)to;
}

static unsigned act_full(struct tl *t, enum action a, int count)
{
	int page = t->lay.area.h > 3 ? t->lay.area.h - 2 : 1;

	switch (a) {
	case ACT_UP: scroll(t, -count); break;
	case ACT_DOWN: scroll(t, count); break;
	case ACT_PAGE_UP: scroll(t, -(long)page * count); break;
	case ACT_PAGE_DOWN: scroll(t, (long)page * count); break;
	case ACT_TOP: case ACT_WHOLE: t->full_top = 0; break;
	case ACT_BOTTOM: scroll(t, INT32_MAX); break;
	case ACT_LEFT: return tl_move_event(t, -1, count);
	case ACT_RIGHT: return tl_move_event(t, 1, count);
	case ACT_SAME_PREV: return tl_move_same(t, -1, count);
	case ACT_SAME_NEXT: return tl_move_same(t, 1, count);
	case ACT_FLOW_PREV: return tl_move_flow(t, -1, count);
	case ACT_FLOW_NEXT: return tl_move_flow(t, 1, count);
	case ACT_BACK: case ACT_OPEN: t->full = false; break;
	default: return REACT_NONE;
	}
	return REACT_REDRAW;
}

static unsigned back(struct tl *t)
{
	if (tl_mark_leave(t)) {
		tl_keep_visible(t);
		return REACT_REDRAW;
	}
	if (tl_filter_leave(t))
		return REACT_REDRAW;
	if (t->search.find || t->search.match.working || !t->selected)	/* the app ends the search, or the program */
		return ACT_PASS;
	tl_unselect(t);
	tl_keep_visible(t);
	return REACT_REDRAW;
}

static unsigned move_rows(struct tl *t, long by)
{
	tl_move_row(t, by);
	return REACT_REDRAW;
}

/* --- tools --- */

static unsigned take_tool(struct tl *t, enum tl_tool tool)
{
	t->tool = tool;
	return REACT_REDRAW;
}

static unsigned sort_statistics(struct tl *t, int by, bool reverse)
{
	if (!t->marks.stats.open)
		app_message(t->view->app, false, "Sorts the statistics: i opens them");
	else
		tl_stats_sort(t, by, reverse);
	return REACT_REDRAW;
}

static unsigned move_cursor(struct tl *t, int64_t columns)
{
	t->cursor = tl_grid_time(&t->grid, tl_grid_column(&t->grid, t->cursor) + columns);
	tl_keep_visible(t);
	return REACT_REDRAW;
}

/* What the arrows and Shift-arrows do is the tool's business; up and down change the row but for zooming. */
static unsigned arrow(struct tl *t, enum action a, int count)
{
	int dir = a == ACT_LEFT || a == ACT_UP || a == ACT_END_LEFT ? -1 : 1;
	bool shift = a == ACT_END_LEFT || a == ACT_END_RIGHT;

	if (a == ACT_UP || a == ACT_DOWN)
		return t->tool == TL_ZOOM ? zoom(t, -dir * count) : move_rows(t, dir * count);
	switch (t->tool) {
	case TL_PAN: return pan(t, dir, count, shift);
	case TL_ZOOM: return move_cursor(t, (int64_t)dir * count * (shift ? PAN : 1));
	case TL_TIMING: return shift ? tl_mark_move(t, dir, count) : tl_move_edge(t, dir, count);
	default: return shift ? tl_mark_move(t, dir, count) : tl_move_event(t, dir, count);
	}
}

static struct ref here(const struct view *v);

static unsigned act_in(struct view *v, enum action a, int count)
{
	struct tl *t = tl_of(v);
	long page = t->lay.plot.h > 2 ? t->lay.plot.h - 1 : 1;
	unsigned react;

	follow_app(t);
	if (t->full)
		return act_full(t, a, count);
	if (tl_steps_act(t, a, count, &react) || tl_chain_act(t, a, count, &react))
		return react;
	switch (a) {
	case ACT_UP: case ACT_DOWN: case ACT_LEFT: case ACT_RIGHT: case ACT_END_LEFT: case ACT_END_RIGHT:
		return arrow(t, a, count);
	case ACT_PAGE_UP: return tl_stats_scroll(t, -count) ? REACT_REDRAW : move_rows(t, -page * count);
	case ACT_PAGE_DOWN: return tl_stats_scroll(t, count) ? REACT_REDRAW : move_rows(t, page * count);
	case ACT_TOP: return move_rows(t, -(long)t->rows.nvis);
	case ACT_BOTTOM: return move_rows(t, (long)t->rows.nvis);
	case ACT_OPEN: return open_row(t);
	case ACT_BACK: return back(t);
	case ACT_STEP_TABLE: return tl_steps_toggle(t);
	case ACT_CHAIN: return tl_chain_toggle(t);
	case ACT_PROBLEM_NEXT: return tl_move_problem(t, count);
	case ACT_LONGEST: return tl_move_longest(t, count);
	case ACT_PARENT: case ACT_CHILD: case ACT_CHILD_LONGEST: return tl_move_family(t, a);
	case ACT_ZOOM_IN: return zoom(t, count);
	case ACT_ZOOM_OUT: return zoom(t, -count);
	case ACT_ZOOM_IN_FAST: return zoom(t, FAST * count);
	case ACT_ZOOM_OUT_FAST: return zoom(t, -FAST * count);
	case ACT_PAN_LEFT: return pan(t, -1, count, false);
	case ACT_PAN_RIGHT: return pan(t, 1, count, false);
	case ACT_PAN_LEFT_FAST: return pan(t, -1, count, true);
	case ACT_PAN_RIGHT_FAST: return pan(t, 1, count, true);
	case ACT_WHOLE: tl_grid_whole(&t->grid); tl_keep_visible(t); return REACT_REDRAW;
	case ACT_FIT: return fit(t);
	case ACT_STEP_NEXT: return tl_move_step(t, 1, count);
	case ACT_STEP_PREV: return tl_move_step(t, -1, count);
	case ACT_SAME_NEXT: return tl_move_same(t, 1, count);
	case ACT_SAME_PREV: return tl_move_same(t, -1, count);
	case ACT_FLOW_NEXT: return tl_move_flow(t, 1, count);
	case ACT_FLOW_PREV: return tl_move_flow(t, -1, count);
	case ACT_FOLD: return fold(t);
	case ACT_FOLD_ALL: return fold_all(t);
	case ACT_GUTTER: t->number = (enum tl_number)((t->number + 1) % TL_NUMBER_COUNT); return REACT_REDRAW;
	case ACT_CLOCK: return change_clock(t);
	case ACT_MARK: return tl_mark_toggle(t);
	case ACT_STATISTICS: t->chain.open = t->steps.open = false; return tl_stats_key(t);
	case ACT_END_OTHER: t->marks.moves_begin = !t->marks.moves_begin; return REACT_REDRAW;
	case ACT_SELECT_ADD: return tl_pick_toggle(t);
	case ACT_SELECT_TRACK: return tl_pick_track(t);
	case ACT_BOOKMARK: return tl_mark_bookmark(t, NULL);
	case ACT_MARK_GO: return tl_mark_menu(t);
	case ACT_SORT_NEXT: return sort_statistics(t, 1, false);
	case ACT_SORT_PREV: return sort_statistics(t, -1, false);
	case ACT_SORT_REVERSE: return sort_statistics(t, 0, true);
	case ACT_TOOL_SELECT: return take_tool(t, TL_SELECT);
	case ACT_TOOL_PAN: return take_tool(t, TL_PAN);
	case ACT_TOOL_ZOOM: return take_tool(t, TL_ZOOM);
	case ACT_TOOL_TIMING: return take_tool(t, TL_TIMING);
	default: return tl_tracks_act(t, a, count);
	}
}

/* What goes somewhere else at once: Backspace leads back. */
static bool jumps(enum action a)
{
	switch (a) {
	case ACT_FIT: case ACT_WHOLE: case ACT_STEP_NEXT: case ACT_STEP_PREV: case ACT_SAME_NEXT: case ACT_SAME_PREV:
	case ACT_FLOW_NEXT: case ACT_FLOW_PREV: case ACT_TOP: case ACT_BOTTOM: case ACT_PROBLEM_NEXT: case ACT_LONGEST:
		return true;
	default:
		return false;
	}
}

static bool elsewhere(const struct ref *a, const struct ref *b)
{
	return a->t0 != b->t0 || a->t1 != b->t1 || a->at != b->at || a->row != b->row;
}

static unsigned act(struct view *v, enum action a, int count)
{
	struct tl *t = tl_of(v);
	struct ref before, after;
	unsigned react;

	follow_app(t);
	before = here(v);
	tl_align_enter_row(t);
	react = act_in(v, a, count);
	tl_align_leave(t);
	after = here(v);
	if (jumps(a) && a != t->last && elsewhere(&before, &after))
		app_remember(v->app, &before);
	t->last = a;
	return react;
}

/* --- search, places --- */

static int find(struct view *v, const struct regex *re, int dir)
{
	struct tl *t = tl_of(v);
	struct ref before = here(v), after;
	int hits = tl_find(t, re, dir);

	after = here(v);
	if (re && (!dir || t->last != ACT_FIND) && elsewhere(&before, &after))
		app_remember(v->app, &before);
	t->last = ACT_FIND;
	return hits;
}

static int filter(struct view *v, const char *text, struct err *e)
{
	return tl_filter(tl_of(v), text, e);
}

static struct ref here(const struct view *v)
{
	const struct tl *t = v->state;
	struct ref r = {
		.kind = REF_TIME, .track = TL_NONE, .t0 = tl_grid_begin(&t->grid), .t1 = tl_grid_end(&t->grid), .file = -1,
		.exact = true, .at = t->cursor, .row = t->cur < t->rows.nvis ? tl_node_at(t, t->cur)->id : 0,
	};

	if (t->selected) {
		const struct track *k = tl_track(t, t->sel_track);

		r.kind = REF_EVENT;
		r.track = t->sel_track;
		r.event = t->sel_event;
		r.name = t->dump->trace.metas[k->meta[t->sel_event]].name;
		r.file = k->file;
	} else if (t->cur < t->rows.nvis && tl_node_at(t, t->cur)->track != TL_NONE) {
		r.track = tl_node_at(t, t->cur)->track;
		r.file = tl_track(t, r.track)->file;
	}
	return r;
}

/* The first event of a name after the cursor, else the first at all. */
static int show_name(struct tl *t, strid name)
{
	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < t->rows.n; i++) {
			const struct tl_node *n = &t->rows.v[i];
			const struct track *k = n->kind == TL_TRACK ? tl_track(t, n->track) : NULL;

			for (size_t e = k && !again ? track_lower(k, t->cursor) : 0; k && e < k->n; e++)
				if (t->dump->trace.metas[k->meta[e]].name == name)
					return tl_goto_event(t, n->track, e) ? 0 : -1;
		}
	return -1;
}

static int show_what(struct tl *t, const struct ref *r)
{
	bool span = r->t1 > r->t0;

	if (span)
		tl_grid_fit(&t->grid, r->t0, r->t1);
	switch (r->kind) {
	case REF_EVENT:
		return r->track < t->dump->trace.ntracks && tl_goto_event(t, r->track, r->event) ? 0 : -1;
	case REF_NAME:
		return show_name(t, r->name);
	case REF_TRACK:
		if (r->track >= t->rows.ntracks || t->rows.node_of[r->track] == TL_NONE)
			return -1;
		tl_rows_open_to(&t->rows, t->rows.node_of[r->track]);
		tl_rows_show(&t->rows);
		t->cur = tl_rows_find(&t->rows, t->rows.v[t->rows.node_of[r->track]].id);
		break;
	case REF_STEP:
	case REF_TIME:
		if (r->track < t->rows.ntracks && t->rows.node_of[r->track] != TL_NONE)
			t->cur = tl_rows_find(&t->rows, t->rows.v[t->rows.node_of[r->track]].id);
		break;
	default:
		return -1;
	}
	if (span || r->kind == REF_TIME)
		t->cursor = r->t0;
	if (!span && r->kind == REF_TIME)	/* a moment: the zoom stays */
		tl_grid_reveal(&t->grid, r->t0, r->t0 + 1);
	tl_keep_visible(t);
	return 0;
}

/* --- mouse, copies --- */

static unsigned mouse(struct view *v, const struct mouse *m)
{
	return tl_mouse(tl_of(v), m);
}

static bool drags(const struct view *v)
{
	return tl_mouse_drags(v->state);
}

static int copy(struct view *v, FILE *f)
{
	return tl_copy(tl_of(v), f);
}

static void export(struct view *v, struct report *r)
{
	tl_export(tl_of(v), r);
}

/* --- commands of its own, from session to session --- */

static int command(struct view *v, const char *name, const char *arg)
{
	return tl_mark_command(tl_of(v), name, arg) ? 0 : tl_tracks_command(tl_of(v), name, arg);
}

static void save(const struct view *v, struct kv *kv)
{
	const struct tl *t = v->state;

	tl_tracks_put(&t->rows.tracks, kv);
	tl_mark_save(t, kv);
	tl_place_save(t, kv);
	if (t->colour.by != TL_BY_CATEGORY)
		kv_put(kv, "colour", tl_colour_name(t));
}

static void restore(struct view *v, const struct kv *kv)
{
	struct tl *t = tl_of(v);

	tl_tracks_get(&t->rows.tracks, kv);
	tl_mark_restore(t, kv);
	if (kv_get(kv, "colour"))
		tl_colour_set(t, kv_get(kv, "colour"));
	tl_place_folds(t, kv);
	tl_rebuild(t);
	tl_keep_visible(t);
	tl_place_restore(t, kv);
}

/* A place of the history: the same columns, row and cursor, if the window is as wide as it was. */
static void show_exactly(struct tl *t, const struct ref *r)
{
	int64_t span = r->t1 - r->t0;

	if (r->kind == REF_TIME)
		tl_unselect(t);
	if (r->t0 <= t->grid.first && r->t1 >= t->grid.last) {
		tl_grid_whole(&t->grid);
	} else if (span > 0 && span % t->grid.w == 0) {
		t->grid.c = span / t->grid.w;
		t->grid.k = tl_floor_div(r->t0, t->grid.c);
		t->grid.whole = false;
	}
	if (r->row)
		t->cur = tl_rows_find(&t->rows, r->row);
	t->cursor = r->at;
	tl_keep_visible(t);
}

static int show(struct view *v, const struct ref *r)
{
	struct tl *t = tl_of(v);
	int shown = show_what(t, r);

	t->last = ACT_NONE;
	if (!shown && r->exact)
		show_exactly(t, r);
	return shown;
}

const struct view_ops view_timeline = {
	.id = "timeline", .title = "Timeline", .short_title = "Timeline", .letter = 't',
	.scope = SCOPE_TIMELINE, .needs = NEED_TRACE, .size = sizeof(struct tl), .open = tl_open,
	.step = step, .resize = resize, .draw = draw, .act = act, .find = find, .filter = filter,
	.find_status = tl_find_status, .here = here, .show = show, .status = tl_status,
	.title_right = tl_title_right, .command = command, .commands = "sort show tracks colour mark unmark bookmark", .save = save, .restore = restore,
	.mouse = mouse, .drags = drags, .copy = copy, .export = export,
	.close = tl_close,
};
