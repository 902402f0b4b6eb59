#include "config.h"

#include "view/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/regex.h"
#include "core/job.h"
#include "view/timeline/internal.h"

/* --- layout --- */

static void timeline_resize(struct view *v, int rows, int cols)
{
	(void)rows;
	(void)cols;
	scene_keep_visible(&timeline_of(v)->scene);
}

/* --- opening --- */

/* The initial position: the start of the first step, else of the first event of the first row that has
 * one. */
static int64_t first_moment(const struct scene *sc)
{
	for (size_t i = 0; i < sc->rows.n; i++) {
		const struct rows_node *v = &sc->rows.v[i];
		uint32_t track = v->steps != ROWS_NONE ? v->steps : v->track;

		if (track != ROWS_NONE && scene_track(sc, track)->n)
			return track_start(scene_track(sc, track), 0);
	}
	return sc->port.first;
}

/* Connects the parts with those they are built on: see internal.h. */
static void connect_parts(struct timeline *t)
{
	struct scene *sc = &t->scene;

	t->filter.sc = t->marks.sc = sc;
	search_open(&t->search, sc);
	t->flows.sc = t->details.sc = t->cause.sc = sc;
	t->details.flows = t->cause.flows = &t->flows;
	t->cause.marks = &t->marks;
	t->steps.sc = t->lineup.sc = sc;
	t->stats.sc = t->inview.sc = sc;
	t->stats.marks = &t->marks;
	statistics_open(&t->stats);
	step_table_open(&t->steps);
	t->inview.colors = &t->picture.colors;
	t->inview.filter = t->stats.filter = &t->filter;
	picture_open(&t->picture, sc, &t->search, &t->filter, &t->lineup);
}

static int open_view(struct view *v)
{
	struct timeline *t = timeline_of(v);

	connect_parts(t);
	t->scene.view = v;
	t->scene.cap = v->cap;
	t->scene.host = v->cap->scope.host;
	scene_measure(&t->scene);
	viewport_init(&t->scene.port, t->scene.port.first, t->scene.port.last, 1);
	scene_rebuild(&t->scene);
	t->scene.cursor.at = first_moment(&t->scene);
	scene_keep_visible(&t->scene);
	return 0;
}

static void close_view(struct view *v)
{
	struct timeline *t = timeline_of(v);

	flows_free(&t->flows);
	matches_end(&t->filter.match);
	step_table_close(&t->steps);
	cause_forget(&t->cause);
	search_close(&t->search);
	marks_free(&t->marks);
	statistics_close(&t->stats);
	picks_free(&t->scene.picks);
	inview_free(&t->inview);
	details_free(&t->details);
	picture_close(&t->picture);
	rows_free(&t->scene.rows);
	history_free(&t->scene.filters);
	lineup_free(&t->lineup);
}

/* --- background work --- */

/* Makes the unions of visible thread groups, one at a time. */
static bool unite_threads(struct timeline *t)
{
	for (int i = 0; i < t->scene.lay.plot.h && scene_place(&t->scene, i) < t->scene.rows.nvis; i++) {
		uint32_t node = t->scene.rows.vis[scene_place(&t->scene, i)];

		if (!rows_want_union(&t->scene.rows, node))
			continue;
		rows_make_union(&t->scene.rows, t->scene.cap, node);
		t->scene.changes.unions++;
		t->scene.view->stale = true;
		return true;
	}
	return false;
}

/* Makes the rows again if another host was chosen. */
static void follow_app(struct timeline *t)
{
	if (t->scene.host == t->scene.view->cap->scope.host)
		return;
	cursor_unselect(&t->scene);
	picks_clear(&t->scene);
	statistics_forget(&t->stats);
	scene_rebuild(&t->scene);
	if (t->search.find)
		search_again(&t->search);
	filter_again(&t->filter);
	scene_keep_visible(&t->scene);
}

static unsigned timeline_view_act(struct view *, enum action, int count);

static bool step_map(struct timeline *t, int budget_ms)
{
	if (minimap_done(&t->picture.map))
		return false;
	if (minimap_step(&t->picture.map, (int64_t)budget_ms * 1000, true))
		return true;
	t->scene.view->stale = true;
	return false;
}

static int timeline_step(struct view *v, int budget_ms)
{
	struct timeline *t = timeline_of(v);
	enum action due;

	follow_app(t);
	if ((due = flows_due(&t->flows)) != ACT_NONE) {
		t->last = ACT_NONE;
		timeline_view_act(v, due, t->flows.count);
		v->stale = true;
		return 1;
	}
	if (lineup_step(&t->lineup) || colors_step(&t->picture.colors, budget_ms))
		return 1;
	if (!filter_on(&t->filter) && step_map(t, budget_ms))
		return 1;
	if (statistics_step(&t->stats, budget_ms) || inview_step(&t->inview, budget_ms) ||
	    search_step(&t->search, budget_ms) || details_step(&t->details))
		return 1;
	if (filter_step(&t->filter, budget_ms) || subset_step(&t->picture.subset) || step_map(t, budget_ms))
		return 1;
	step_table_step(&t->steps);
	if (unite_threads(t))
		return 1;
	if (t->scene.cursor.selected)
		flows_want(&t->flows);
	else
		flows_find(&t->flows); /* so that the first jump does not have to wait */
	return 0;
}

/* --- drawing --- */

static void timeline_draw(struct view *v, struct canvas *cv)
{
	struct timeline *t = timeline_of(v);

	follow_app(t);
	scene_keep_visible(&t->scene);
	if (t->scene.cursor.full && t->scene.cursor.selected) {
		details_draw_page(&t->details, cv);
		return;
	}
	picture_draw(&t->picture, cv);
	flows_draw(&t->flows, cv);
	marks_draw(&t->marks, cv);
	timeline_draw_pane(t, cv);
	timeline_draw_drag(t, cv);
}

/* --- actions --- */

static struct ref timeline_here(const struct view *v);

/* Actions that jump; Backspace returns from them. */
static bool is_jump(enum action a)
{
	switch (a) {
	case ACT_FIT:
	case ACT_WHOLE:
	case ACT_STEP_NEXT:
	case ACT_STEP_PREV:
	case ACT_SAME_NEXT:
	case ACT_SAME_PREV:
	case ACT_FLOW_NEXT:
	case ACT_FLOW_PREV:
	case ACT_TOP:
	case ACT_BOTTOM:
	case ACT_PROBLEM_NEXT:
	case ACT_LONGEST:
		return true;
	default:
		return false;
	}
}

static bool is_elsewhere(const struct ref *a, const struct ref *b)
{
	return a->t0 != b->t0 || a->t1 != b->t1 || a->at != b->at || a->row != b->row;
}

static unsigned timeline_view_act(struct view *v, enum action a, int count)
{
	struct timeline *t = timeline_of(v);
	struct scene_view view = views_now(&t->scene);
	struct ref before, after;
	bool waited = t->flows.wanted != ACT_NONE;
	unsigned react;

	t->flows.wanted = ACT_NONE;
	if (waited && a == ACT_BACK)
		return REACT_REDRAW;
	follow_app(t);
	before = timeline_here(v);
	scene_enter_row(&t->scene);
	react = timeline_act(t, a, count);
	scene_leave(&t->scene);
	after = timeline_here(v);
	if (is_jump(a) && a != t->last && is_elsewhere(&before, &after))
		app_remember(v->app, &before);
	if (a != t->last && a != ACT_UNDO_VIEW && a != ACT_REDO_VIEW)
		views_note(&t->views, &t->scene, &view);
	t->last = a;
	return react;
}

/* --- search, positions --- */

static int timeline_find(struct view *v, const struct regex *re, int dir)
{
	struct timeline *t = timeline_of(v);
	struct scene_view view = views_now(&t->scene);
	struct ref before = timeline_here(v), after;
	int hits = search_find(&t->search, re, dir);

	after = timeline_here(v);
	if (!dir || t->last != ACT_FIND)
		views_note(&t->views, &t->scene, &view);
	if (re && (!dir || t->last != ACT_FIND) && is_elsewhere(&before, &after))
		app_remember(v->app, &before);
	t->last = ACT_FIND;
	return hits;
}

static int timeline_filter(struct view *v, const char *text, struct err *e)
{
	return filter_set(&timeline_of(v)->filter, text, e);
}

static struct ref timeline_here(const struct view *v)
{
	const struct timeline *t = v->state;
	int64_t by = t->scene.port.shift;
	struct ref r = {
		.kind = REF_TIME,
		.track = ROWS_NONE,
		.t0 = viewport_begin(&t->scene.port),
		.t1 = viewport_end(&t->scene.port),
		.file = -1,
		.exact = true,
		.at = t->scene.cursor.at,
		.row = t->scene.cursor.row < t->scene.rows.nvis
		    ? scene_node(&t->scene, t->scene.cursor.row)->id
		    : 0,
	};

	if (t->scene.cursor.selected) {
		const struct track *k = scene_track(&t->scene, t->scene.cursor.track);

		r.kind = REF_EVENT;
		r.track = t->scene.cursor.track;
		r.event = t->scene.cursor.event;
		r.name = t->scene.cap->dump->trace.metas[track_meta(k, t->scene.cursor.event)].name;
		r.file = k->file;
	} else if (t->scene.cursor.row < t->scene.rows.nvis &&
	    scene_node(&t->scene, t->scene.cursor.row)->track != ROWS_NONE) {
		r.track = scene_node(&t->scene, t->scene.cursor.row)->track;
		r.file = scene_track(&t->scene, r.track)->file;
	}
	by -= scene_ref_shift(&t->scene, &r);
	r.t0 += by;
	r.t1 += by;
	r.at += by;
	return r;
}

static int timeline_place(struct view *v, const char *text, struct ref *r, struct err *e)
{
	return scene_goto(v->state, text, r, e);
}

/* An interval in which a core is idle: the gap itself is marked, on the row of the core. */
static void show_gap(struct timeline *t, const struct ref *r)
{
	const struct rows *rows = &t->scene.rows;

	for (size_t i = 0; i < rows->n; i++) {
		const struct plane *p = &t->scene.cap->dump->trace.planes[rows->v[i].plane];

		if (rows->v[i].kind != NODE_DEVICE || p->kind != PLANE_TPU || p->host != r->host ||
		    p->core != r->core)
			continue;
		rows_open_to(&t->scene.rows, (uint32_t)i);
		rows_show(&t->scene.rows);
		t->scene.cursor.row = rows_find(&t->scene.rows, t->scene.rows.v[i].id);
		break;
	}
	marks_gap(&t->marks, r->t0, r->t1);
}

static int show_what(struct timeline *t, const struct ref *r)
{
	bool span = r->t1 > r->t0;

	if (span)
		viewport_fit(&t->scene.port, r->t0, r->t1);
	switch (r->kind) {
	case REF_EVENT:
		return r->track < t->scene.cap->dump->trace.ntracks &&
			cursor_go_to_event(&t->scene, r->track, r->event)
		    ? 0
		    : -1;
	case REF_NAME:
		return scene_show_name(&t->scene, r->name);
	case REF_OP:
		return scene_show_op(&t->scene, r->program, r->name);
	case REF_TRACK:
		if (r->track >= t->scene.rows.ntracks || t->scene.rows.node_of[r->track] == ROWS_NONE)
			return -1;
		rows_open_to(&t->scene.rows, t->scene.rows.node_of[r->track]);
		rows_show(&t->scene.rows);
		t->scene.cursor.row =
		    rows_find(&t->scene.rows, t->scene.rows.v[t->scene.rows.node_of[r->track]].id);
		break;
	case REF_STEP:
		if (*r->text)
			return scene_show_step(&t->scene, r);
		/* fall through */
	case REF_TIME:
		if (r->track < t->scene.rows.ntracks && t->scene.rows.node_of[r->track] != ROWS_NONE)
			t->scene.cursor.row =
			    rows_find(&t->scene.rows, t->scene.rows.v[t->scene.rows.node_of[r->track]].id);
		break;
	default:
		return -1;
	}
	if (span || r->kind == REF_TIME)
		t->scene.cursor.at = r->t0;
	if (span && r->gap)
		show_gap(t, r);
	if (!span && r->kind == REF_TIME) /* a moment: the zoom does not change */
		viewport_reveal(&t->scene.port, r->t0, r->t0 + 1);
	scene_keep_visible(&t->scene);
	return 0;
}

/* --- mouse, copies --- */

static unsigned timeline_view_mouse(struct view *v, const struct mouse *m)
{
	return timeline_mouse(timeline_of(v), m);
}

static bool timeline_view_drags(const struct view *v)
{
	return timeline_drags(v->state);
}

static int timeline_view_copy(struct view *v, FILE *f)
{
	return timeline_copy(timeline_of(v), f);
}

/* --- its own commands, saved state --- */

static int timeline_command(struct view *v, const char *name, const char *arg)
{
	bool mark;

	scene_enter_row(&timeline_of(v)->scene);
	mark = marks_command(&timeline_of(v)->marks, name, arg);
	scene_leave(&timeline_of(v)->scene);
	if (mark)
		return 0;
	if (strcmp(name, "color"))
		return arrange_command(scene_of(v), name, arg);
	if (colors_set(&timeline_of(v)->picture.colors, arg))
		app_error(v->app, "usage: :color category|utilization|name|step");
	return 0;
}

static void timeline_words(const struct view *v, const char *name, void (*offer)(void *, const char *),
    void *ctx)
{
	marks_words(&timeline_of(v)->marks, name, offer, ctx);
}

static void timeline_save(const struct view *v, struct kv *kv)
{
	const struct timeline *t = v->state;

	tracks_put(&t->scene.rows.tracks, kv);
	marks_save(&t->marks, kv);
	timeline_save_place(t, kv);
	if (t->picture.colors.by != COLORS_BY_CATEGORY)
		kv_put(kv, "color", colors_name(&t->picture.colors));
}

static void timeline_restore(struct view *v, const struct kv *kv)
{
	struct timeline *t = timeline_of(v);

	tracks_get(&t->scene.rows.tracks, kv);
	marks_restore(&t->marks, kv);
	if (kv_get(kv, "color"))
		colors_set(&t->picture.colors, kv_get(kv, "color"));
	timeline_restore_folds(t, kv);
	scene_rebuild(&t->scene);
	scene_keep_visible(&t->scene);
	timeline_restore_place(t, kv);
	timeline_arrive(t, kv);
}

/* Restores a position of the history: the same columns, row and cursor if the window has the same width. */
static void show_exactly(struct timeline *t, const struct ref *r)
{
	int64_t span = r->t1 - r->t0;

	if (r->kind == REF_TIME)
		cursor_unselect(&t->scene);
	if (r->t0 <= t->scene.port.first && r->t1 >= t->scene.port.last) {
		viewport_whole(&t->scene.port);
	} else if (span > 0 && span % t->scene.port.w == 0) {
		t->scene.port.c = span / t->scene.port.w;
		t->scene.port.k = floor_div(r->t0, t->scene.port.c);
		t->scene.port.whole = false;
	}
	if (r->row)
		t->scene.cursor.row = rows_find(&t->scene.rows, r->row);
	t->scene.cursor.at = r->at;
	scene_keep_visible(&t->scene);
}

static int timeline_show(struct view *v, const struct ref *r)
{
	struct timeline *t = timeline_of(v);
	struct ref to = *r;
	struct scene_view view = views_now(&t->scene);
	int64_t by = scene_ref_shift(&t->scene, r);
	int shown;

	scene_leave(&t->scene);
	to.t0 += by;
	to.t1 += by;
	to.at += by;
	shown = show_what(t, &to);
	if (!shown)
		cursor_leave_selection(&t->scene);
	t->last = ACT_NONE;
	if (!shown && to.exact)
		show_exactly(t, &to);
	views_note(&t->views, &t->scene, &view);
	return shown;
}

/* what timeline_add() writes */
static const struct view_table tables[] = { { "names", &statistics_name_schema },
	{ "tracks", &statistics_track_schema }, { "hits", &hit_list_schema },
	{ "hit_names", &hit_names_schema }, { "steps", &step_table_schema }, { NULL, NULL } };

const struct view_ops view_timeline = {
	.id = "timeline",
	.title = "Timeline",
	.tables = tables,
	.short_title = "Timeline",
	.letter = 't',
	.scope = SCOPE_TIMELINE,
	.needs = NEED_TRACE,
	.size = sizeof(struct timeline),
	.open = open_view,
	.step = timeline_step,
	.resize = timeline_resize,
	.draw = timeline_draw,
	.act = timeline_view_act,
	.find = timeline_find,
	.filter = timeline_filter,
	.find_status = timeline_find_status,
	.here = timeline_here,
	.show = timeline_show,
	.status = timeline_status,
	.bar = timeline_bar,
	.title_right = timeline_title_right,
	.command = timeline_command,
	.place = timeline_place,
	.words = timeline_words,
	.save = timeline_save,
	.restore = timeline_restore,
	.mouse = timeline_view_mouse,
	.drags = timeline_view_drags,
	.copy = timeline_view_copy,
	.name = timeline_names,
	.report = "trace",
	.document = timeline_document,
	.add = timeline_add,
	.table = timeline_table,
	.close = close_view,
};
