#include "config.h"

#include "view/timeline/internal.h"

#include "base/pool.h"
#include "core/job.h"

enum {
	FAST = 6, /* zoom steps of a fast zoom: a factor of 2^(6/2) */
	PAN = 8,  /* a pan is 1/8 of the view */
	WIDEN = 4 /* zoom steps when the selection is fitted again */
};

/* --- folding --- */

static void toggle_fold(struct timeline *t, uint32_t node)
{
	struct rows_node v = t->scene.rows.v[node];
	size_t place = t->scene.cursor.row;

	rows_fold(&t->scene.rows, node, !v.folded);
	if (v.kind == NODE_DEVICE || v.kind == NODE_LAZY || v.kind == NODE_HOST)
		scene_rebuild(&t->scene);
	else
		rows_show(&t->scene.rows);
	if (v.kind == NODE_LAZY) {
		t->scene.cursor.row = place;
		if (place >= t->scene.rows.nvis || scene_node(&t->scene, place)->role != v.role)
			app_say(t->scene.view->app, "no stats to derive %.*s from", (int)v.len, v.name);
	} else {
		t->scene.cursor.row = rows_find(&t->scene.rows, v.id);
	}
	scene_keep_visible(&t->scene);
}

/* Finds the row's own fold, else that of the closest row around it. */
static unsigned fold_at_cursor(struct timeline *t)
{
	uint32_t node;

	if (t->scene.cursor.row >= t->scene.rows.nvis)
		return REACT_NONE;
	for (node = t->scene.rows.vis[t->scene.cursor.row];
	     node != ROWS_NONE && !t->scene.rows.v[node].foldable; node = t->scene.rows.v[node].parent)
		;
	if (node == ROWS_NONE)
		return REACT_NONE;
	toggle_fold(t, node);
	return REACT_REDRAW;
}

static bool is_section(const struct rows_node *v)
{
	return v->kind == NODE_HOST || v->kind == NODE_DEVICE || v->kind == NODE_THREADS;
}

static unsigned fold_all(struct timeline *t)
{
	bool open = false;
	uint32_t at =
	    t->scene.cursor.row < t->scene.rows.nvis ? t->scene.rows.vis[t->scene.cursor.row] : ROWS_NONE;

	for (uint32_t i = 0; i < t->scene.rows.n; i++)
		open |= is_section(&t->scene.rows.v[i]) && t->scene.rows.v[i].kind != NODE_HOST &&
		    !t->scene.rows.v[i].folded;
	for (uint32_t i = 0; i < t->scene.rows.n; i++)
		if (is_section(&t->scene.rows.v[i]) && (t->scene.rows.v[i].kind != NODE_HOST || !open))
			rows_fold(&t->scene.rows, i, open);
	while (at != ROWS_NONE && !is_section(&t->scene.rows.v[at]))
		at = t->scene.rows.v[at].parent;
	if (at != ROWS_NONE) {
		uint64_t id = t->scene.rows.v[at].id;

		scene_rebuild(&t->scene);
		t->scene.cursor.row = rows_find(&t->scene.rows, id);
	}
	scene_keep_visible(&t->scene);
	return REACT_REDRAW;
}

static unsigned open_row(struct timeline *t)
{
	const struct rows_node *v =
	    t->scene.cursor.row < t->scene.rows.nvis ? scene_node(&t->scene, t->scene.cursor.row) : NULL;
	uint32_t track;
	size_t event;

	if (!v)
		return REACT_NONE;
	if (v->kind != NODE_TRACK && v->kind != NODE_ROW)
		return v->foldable ? fold_at_cursor(t) : REACT_NONE;
	if (!cursor_event(&t->scene, &event, &track))
		return v->foldable ? fold_at_cursor(t) : REACT_NONE;
	if (t->scene.cursor.selected && t->scene.cursor.track == track && t->scene.cursor.event == event)
		t->scene.cursor.full = true;
	else
		cursor_select(&t->scene, track, event);
	scene_keep_visible(&t->scene);
	return REACT_REDRAW;
}

/* --- zoom, clock --- */

static unsigned zoom_view(struct timeline *t, int steps)
{
	viewport_zoom(&t->scene.port, t->scene.cursor.at, steps);
	scene_keep_visible(&t->scene);
	return REACT_REDRAW;
}

static unsigned pan_view(struct timeline *t, int dir, int count, bool fast)
{
	struct viewport *g = &t->scene.port;
	int64_t by = fast ? g->w : g->w / PAN > 0 ? g->w / PAN : 1;

	viewport_pan(g, dir * by * count);
	scene_keep_visible(&t->scene);
	return REACT_REDRAW;
}

static unsigned fit_selection(struct timeline *t)
{
	uint32_t track = t->scene.cursor.track;
	size_t event = t->scene.cursor.event;
	const struct track *k;
	struct viewport before;

	if (!t->scene.cursor.selected && !cursor_event(&t->scene, &event, &track)) {
		app_say(t->scene.view->app, "no event under the cursor");
		return REACT_REDRAW;
	}
	k = scene_track(&t->scene, track);
	scene_enter(&t->scene, k->plane); /* the selected event may be on another host than the cursor */
	before = t->scene.port;
	viewport_fit(&t->scene.port, track_start(k, event), track_end(k, event));
	if (t->fitted && t->fit_t0 == track_start(k, event) && t->fit_t1 == track_end(k, event) &&
	    before.c >= t->scene.port.c) {
		t->scene.port = before;
		viewport_zoom(&t->scene.port, track_start(k, event) + track_dur(k, event) / 2, -WIDEN);
	}
	t->fitted = true;
	t->fit_t0 = track_start(k, event);
	t->fit_t1 = track_end(k, event);
	scene_keep_visible(&t->scene);
	return REACT_REDRAW;
}

/* After a change of times on the screen, drops or converts what is stored in the old times. */
static void follow_times(struct timeline *t)
{
	statistics_forget(&t->stats);
	t->fitted = false;
	search_realign(&t->search);
}

static unsigned line_up(struct timeline *t)
{
	unsigned times = t->scene.changes.times, react = lineup_toggle(&t->lineup);

	if (times != t->scene.changes.times)
		follow_times(t);
	return react;
}

/* Changes the times and places of all events of device planes, so everything stored about them is made
 * again. */
static unsigned change_clock(struct timeline *t)
{
	struct app *app = t->scene.view->app;
	enum clock_kind to = app->cap->clocks.in_use == CLOCK_DEVICE ? CLOCK_PLAIN : CLOCK_DEVICE;
	int threads = app->opt->load.threads;
	bool aligned = t->scene.shift.on;

	if (!app->cap->clocks.any_differs) {
		app_say(app, "this capture has only one clock");
		return REACT_REDRAW;
	}
	cursor_unselect(&t->scene);
	picks_clear(&t->scene);
	statistics_forget(&t->stats);
	details_free(&t->details);
	t->scene.changes.times++;
	colors_forget(&t->picture.colors);
	lineup_forget(&t->lineup);
	follow_times(t);
	cause_forget(&t->cause);
	step_table_forget(&t->steps);
	t->search.longest_on = false;
	flows_free(&t->flows);
	overlay_clock(app->cap->overlay, &app->cap->clocks, to,
	    threads > 0 ? threads : pool_default_threads());
	scene_measure(&t->scene);
	if (t->scene.port.whole)
		viewport_whole(&t->scene.port);
	scene_rebuild(&t->scene);
	t->fitted = false;
	if (t->search.find)
		search_again(&t->search);
	filter_again(&t->filter);
	scene_keep_visible(&t->scene);
	app_say(app, "%s%s",
	    to == CLOCK_DEVICE ? "Ops by the device's own clock" : "Ops by the file's plain clock",
	    aligned                  ? "; no longer aligned"
		: to == CLOCK_DEVICE ? ""
				     : ", as XProf's trace viewer draws them");
	return REACT_REDRAW;
}

/* --- marks --- */

static void name_typed(struct view *v, const char *name)
{
	marks_bookmark(&timeline_of(v)->marks, name);
}

static void mark_picked(struct app *app, int i)
{
	struct view *v = app_view(app, "timeline");

	if (v && v->opened)
		marks_go(&timeline_of(v)->marks, i);
}

/* --- actions --- */

static unsigned act_full(struct timeline *t, enum action a, int count)
{
	int page = t->scene.lay.area.h > 3 ? t->scene.lay.area.h - 2 : 1;

	switch (a) {
	case ACT_UP:
		details_scroll(&t->details, -count);
		break;
	case ACT_DOWN:
		details_scroll(&t->details, count);
		break;
	case ACT_PAGE_UP:
		details_scroll(&t->details, -(long)page * count);
		break;
	case ACT_PAGE_DOWN:
		details_scroll(&t->details, (long)page * count);
		break;
	case ACT_TOP:
	case ACT_WHOLE:
		details_scroll(&t->details, INT32_MIN);
		break;
	case ACT_BOTTOM:
		details_scroll(&t->details, INT32_MAX);
		break;
	case ACT_LEFT:
		return cursor_move_event(&t->scene, -1, count);
	case ACT_RIGHT:
		return cursor_move_event(&t->scene, 1, count);
	case ACT_SAME_PREV:
		return cursor_move_same(&t->scene, -1, count);
	case ACT_SAME_NEXT:
		return cursor_move_same(&t->scene, 1, count);
	case ACT_FLOW_PREV:
		return flows_move(&t->flows, -1, count, t->last == ACT_FLOW_PREV);
	case ACT_FLOW_NEXT:
		return flows_move(&t->flows, 1, count, t->last == ACT_FLOW_NEXT);
	case ACT_BACK:
	case ACT_OPEN:
		t->scene.cursor.full = false;
		break;
	default:
		return REACT_NONE;
	}
	return REACT_REDRAW;
}

/* Only one pane is open at a time; Esc closes it. */
static bool close_statistics(struct timeline *t)
{
	if (!t->scene.open[PANE_STATS])
		return false;
	t->scene.open[PANE_STATS] = false;
	statistics_forget(&t->stats);
	return true;
}

/* Esc keeps the marked interval; m clears it. */
static unsigned go_back(struct timeline *t)
{
	if (t->scene.picks.n > 1 && t->scene.open[PANE_STATS]) { /* they opened it */
		picks_clear(&t->scene);
		cursor_unselect(&t->scene);
	}
	if (close_statistics(t))
		t->scene.open[PANE_STEPS] = t->steps.below;
	else if (!search_on(&t->search) && picks_clear(&t->scene))
		cursor_unselect(&t->scene);
	else if (!t->scene.cursor.selected && !search_on(&t->search) && filter_leave(&t->filter))
		return REACT_REDRAW;
	/* the app ends the search, or quits */
	else if (search_on(&t->search) || !t->scene.cursor.selected)
		return ACT_PASS;
	else
		cursor_unselect(&t->scene);
	scene_keep_visible(&t->scene);
	return REACT_REDRAW;
}

static unsigned open_statistics(struct timeline *t)
{
	if (!t->scene.open[PANE_STATS])
		t->steps.below = t->scene.open[PANE_STEPS];
	t->scene.open[PANE_CHAIN] = t->scene.open[PANE_STEPS] = false;
	return statistics_key(&t->stats);
}

void timeline_show_picks(struct timeline *t)
{
	bool open = t->scene.open[PANE_STATS];

	if (t->scene.picks.n > 1 && !open)
		open_statistics(t);
	else if (t->scene.picks.n < 2 && open && t->picks_opened && close_statistics(t))
		t->scene.open[PANE_STEPS] = t->steps.below;
	t->picks_opened = t->scene.picks.n > 1 && (t->picks_opened || !open);
}

static unsigned add_to_selection(struct timeline *t)
{
	unsigned react = picks_toggle(&t->scene);

	timeline_show_picks(t);
	return react;
}

static unsigned move_rows(struct timeline *t, long by)
{
	cursor_move_row(&t->scene, by);
	return REACT_REDRAW;
}

/* --- tools --- */

/* The tool's name is in the status line, before the time, unless that is used for something else. */
static unsigned take_tool(struct timeline *t, enum cursor_tool tool)
{
	static const char *const name[] = { [CURSOR_SELECTS] = "select",
		[CURSOR_PANS] = "pan",
		[CURSOR_ZOOMS] = "zoom",
		[CURSOR_TIMES] = "timing" };

	t->scene.cursor.tool = tool;
	if (t->scene.picks.n || t->scene.open[PANE_STATS])
		app_say(t->scene.view->app, "tool: %s", name[tool]);
	return REACT_REDRAW;
}

static bool scroll_pane(struct timeline *t, int pages)
{
	return statistics_scroll(&t->stats, pages) || search_scroll(&t->search, pages);
}

static unsigned sort_pane(struct timeline *t, enum action a, int count)
{
	char key[32];

	if (search_sort(&t->search, a, count) != ACT_PASS)
		return REACT_REDRAW;
	if (!t->scene.open[PANE_STATS])
		app_say(t->scene.view->app, "Nothing to sort; %s opens the statistics",
		    scene_key(&t->scene, ACT_STATISTICS, key, sizeof key));
	else
		statistics_act(&t->stats, a, count);
	return REACT_REDRAW;
}

static unsigned move_cursor(struct timeline *t, int64_t columns)
{
	t->scene.cursor.at =
	    viewport_time(&t->scene.port, viewport_column(&t->scene.port, t->scene.cursor.at) + columns);
	scene_keep_visible(&t->scene);
	return REACT_REDRAW;
}

/* Left and right, with or without Shift, depend on the tool; up and down change the row, except when
 * zooming. */
static unsigned move_by_tool(struct timeline *t, enum action a, int count)
{
	int dir = a == ACT_LEFT || a == ACT_UP || a == ACT_END_LEFT ? -1 : 1;
	bool shift = a == ACT_END_LEFT || a == ACT_END_RIGHT;

	if (a == ACT_UP || a == ACT_DOWN)
		return t->scene.cursor.tool == CURSOR_ZOOMS ? zoom_view(t, -dir * count)
							    : move_rows(t, dir * count);
	switch (t->scene.cursor.tool) {
	case CURSOR_PANS:
		return pan_view(t, dir, count, shift);
	case CURSOR_ZOOMS:
		return move_cursor(t, (int64_t)dir * count * (shift ? PAN : 1));
	case CURSOR_TIMES:
		return shift ? marks_move_end(&t->marks, dir, count)
			     : cursor_move_edge(&t->scene, dir, count);
	default:
		return shift ? marks_move_end(&t->marks, dir, count)
			     : cursor_move_event(&t->scene, dir, count);
	}
}

/* Moves the cursor, the rows or the window; ACT_PASS: it is another action. */
static unsigned act_move(struct timeline *t, enum action a, int count)
{
	long page = t->scene.lay.plot.h > 2 ? t->scene.lay.plot.h - 1 : 1;

	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
	case ACT_LEFT:
	case ACT_RIGHT:
	case ACT_END_LEFT:
	case ACT_END_RIGHT:
		return move_by_tool(t, a, count);
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		count = a == ACT_PAGE_DOWN ? count : -count;
		return scroll_pane(t, count) ? REACT_REDRAW : move_rows(t, page * count);
	case ACT_TOP:
		return move_rows(t, -(long)t->scene.rows.nvis);
	case ACT_BOTTOM:
		return move_rows(t, (long)t->scene.rows.nvis);
	case ACT_PROBLEM_NEXT:
		return step_table_go_to_problem(&t->steps, count);
	case ACT_LONGEST:
		return search_move_longest(&t->search, &t->filter);
	case ACT_PARENT:
	case ACT_CHILD:
	case ACT_CHILD_LONGEST:
		return cursor_move_family(&t->scene, a, count);
	case ACT_ZOOM_IN:
	case ACT_ZOOM_OUT:
		return zoom_view(t, a == ACT_ZOOM_IN ? count : -count);
	case ACT_ZOOM_IN_FAST:
	case ACT_ZOOM_OUT_FAST:
		return zoom_view(t, a == ACT_ZOOM_IN_FAST ? FAST * count : -FAST * count);
	case ACT_PAN_LEFT:
	case ACT_PAN_RIGHT:
		return pan_view(t, a == ACT_PAN_RIGHT ? 1 : -1, count, false);
	case ACT_PAN_LEFT_FAST:
	case ACT_PAN_RIGHT_FAST:
		return pan_view(t, a == ACT_PAN_RIGHT_FAST ? 1 : -1, count, true);
	case ACT_STEP_NEXT:
	case ACT_STEP_PREV:
		return cursor_move_step(&t->scene, a == ACT_STEP_NEXT ? 1 : -1, count);
	case ACT_SAME_NEXT:
	case ACT_SAME_PREV:
		return cursor_move_same(&t->scene, a == ACT_SAME_NEXT ? 1 : -1, count);
	case ACT_FLOW_NEXT:
	case ACT_FLOW_PREV:
		return flows_move(&t->flows, a == ACT_FLOW_NEXT ? 1 : -1, count, t->last == a);
	default:
		return ACT_PASS;
	}
}

static unsigned (*const plain_acts[ACT_COUNT])(struct timeline *) = {
	[ACT_OPEN] = open_row,
	[ACT_BACK] = go_back,
	[ACT_FIT] = fit_selection,
	[ACT_FOLD] = fold_at_cursor,
	[ACT_FOLD_ALL] = fold_all,
	[ACT_CLOCK] = change_clock,
	[ACT_STATISTICS] = open_statistics,
	[ACT_SELECT_ADD] = add_to_selection,
	[ACT_ALIGN] = line_up,
};

unsigned timeline_act(struct timeline *t, enum action a, int count)
{
	unsigned react;

	if (t->scene.cursor.full)
		return act_full(t, a, count);
	if (step_table_act(&t->steps, a, count, &react) || cause_act(&t->cause, a, count, &react) ||
	    (react = act_move(t, a, count)) != ACT_PASS)
		return react;
	switch (a) {
	case ACT_STEP_TABLE:
		close_statistics(t);
		t->scene.open[PANE_CHAIN] = false;
		return step_table_toggle(&t->steps);
	case ACT_CHAIN:
		close_statistics(t);
		if (t->scene.open[PANE_STEPS] && step_table_here(&t->steps))
			return cause_of_step(&t->cause, step_table_here(&t->steps)->worst);
		return cause_toggle(&t->cause);
	case ACT_UNDO_VIEW:
	case ACT_REDO_VIEW:
		return views_step(&t->views, &t->scene, a == ACT_REDO_VIEW ? 1 : -1);
	case ACT_WHOLE:
		viewport_whole(&t->scene.port);
		scene_keep_visible(&t->scene);
		return REACT_REDRAW;
	case ACT_GUTTER:
		t->picture.number = (enum gutter_number)((t->picture.number + 1) % GUTTER_NUMBERS);
		return REACT_REDRAW;
	case ACT_MARK:
		return marks_toggle(&t->marks);
	case ACT_END_OTHER:
		return marks_other_end(&t->marks);
	case ACT_SELECT_TRACK:
		return picks_toggle_track(&t->scene);
	case ACT_BOOKMARK:
		return marks_ask(&t->marks, name_typed);
	case ACT_MARK_GO:
		return marks_menu(&t->marks, mark_picked);
	case ACT_SORT_NEXT:
	case ACT_SORT_PREV:
	case ACT_SORT_REVERSE:
		return sort_pane(t, a, count);
	case ACT_TIME_UTC:
		return scene_toggle_utc(&t->scene);
	case ACT_COLOR:
		return colors_next(&t->picture.colors);
	case ACT_TOOL_SELECT:
		return take_tool(t, CURSOR_SELECTS);
	case ACT_TOOL_PAN:
		return take_tool(t, CURSOR_PANS);
	case ACT_TOOL_ZOOM:
		return take_tool(t, CURSOR_ZOOMS);
	case ACT_TOOL_TIMING:
		return take_tool(t, CURSOR_TIMES);
	default:
		return plain_acts[a] ? plain_acts[a](t) : arrange_act(&t->scene, a, count);
	}
}
