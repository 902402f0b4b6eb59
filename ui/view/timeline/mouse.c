#include "config.h"

#include "view/timeline/internal.h"

#include <stdlib.h>

enum {
	PAN_PART = 16, /* part of the view panned per notch of the wheel with Shift or Alt */
	STEEP = 2      /* columns that are about as wide as a line is high */
};

static bool in_rect(struct rect r, int y, int x)
{
	return y >= r.y && y < r.y + r.h && x >= r.x && x < r.x + r.w;
}

static int column_of(const struct timeline *t, int x)
{
	x -= t->scene.lay.plot.x;
	return x < 0 ? 0 : x >= t->scene.port.w ? t->scene.port.w - 1 : x;
}

static int64_t in_run(const struct timeline *t, int64_t ps)
{
	return ps < t->scene.port.first ? t->scene.port.first
	    : ps > t->scene.port.last   ? t->scene.port.last
					: ps;
}

/* Moves the cursor to the row under the mouse; false: there is none. */
static bool go_to_row(struct timeline *t, int y)
{
	size_t place = scene_place(&t->scene, y - t->scene.lay.plot.y);

	if (place >= t->scene.rows.nvis)
		return false;
	t->scene.cursor.row = place;
	return true;
}

static unsigned redraw_moved(struct timeline *t)
{
	scene_keep_visible(&t->scene);
	return REACT_REDRAW;
}

/* --- the wheel --- */

static unsigned turn_wheel(struct timeline *t, const struct mouse *m)
{
	int64_t part = t->scene.port.w / PAN_PART > 0 ? t->scene.port.w / PAN_PART : 1;

	if (t->scene.cursor.full ||
	    !(in_rect(t->scene.lay.plot, m->y, m->x) || m->y == t->scene.lay.ruler ||
		m->y == t->scene.lay.minimap))
		return ACT_PASS;
	if (m->mods & (MOD_SHIFT | MOD_ALT))
		viewport_pan(&t->scene.port, m->dir * part);
	else
		viewport_zoom(&t->scene.port, viewport_time(&t->scene.port, column_of(t, m->x)), -m->dir);
	return redraw_moved(t);
}

/* --- buttons --- */

/* A click on the strip of the whole run moves the view there. */
static unsigned jump_to(struct timeline *t, int x)
{
	int64_t to = in_run(t, viewport_time(&t->picture.map.port, column_of(t, x)));

	if (t->picture.map.port.w < 1)
		return REACT_NONE;
	viewport_pan(&t->scene.port,
	    viewport_column(&t->scene.port, to) < 0 || viewport_column(&t->scene.port, to) >= t->scene.port.w
		? floor_div(to, t->scene.port.c) - t->scene.port.k - t->scene.port.w / 2
		: 0);
	t->scene.cursor.at = to;
	cursor_leave_selection(&t->scene);
	return redraw_moved(t);
}

/* A click on a row's name selects the row; on the selected row, it folds it. */
static unsigned press_name(struct timeline *t, int y)
{
	size_t was = t->scene.cursor.row;

	if (!go_to_row(t, y))
		return REACT_NONE;
	if (t->scene.cursor.row == was)
		return t->scene.view->ops->act(t->scene.view, ACT_FOLD, 1);
	return redraw_moved(t);
}

/* The button was pressed on an end of the interval, or beside it: it moves that end. */
static void take_end(struct timeline *t)
{
	const struct mark *v = marks_current(&t->marks);
	int64_t by = v ? marks_shift(&t->marks, v) : 0;
	int a, b;

	if (!v)
		return;
	a = abs(viewport_column(&t->scene.port, v->t0 + by) - t->drag.from);
	b = abs(viewport_column(&t->scene.port, v->t1 + by) - t->drag.from);
	t->drag.of_end = a <= 1 || b <= 1;
	t->drag.stays = (a < b ? v->t1 : v->t0) + by;
}

static unsigned press_plot(struct timeline *t, const struct mouse *m)
{
	uint32_t track;
	size_t event;

	t->drag = (struct drag){ .held = true,
		.from = column_of(t, m->x),
		.to = column_of(t, m->x),
		.from_y = m->y,
		.to_y = m->y,
		.port = t->scene.port,
		.top = t->scene.cursor.top };
	if (t->scene.cursor.tool == CURSOR_PANS || t->scene.cursor.tool == CURSOR_ZOOMS)
		return REACT_REDRAW;
	if (!go_to_row(t, m->y))
		return REACT_NONE;
	t->scene.cursor.at = in_run(t, viewport_time(&t->scene.port, column_of(t, m->x)));
	if (t->scene.cursor.tool == CURSOR_TIMES)
		take_end(t);
	scene_enter_row(&t->scene);
	if (t->scene.cursor.tool == CURSOR_SELECTS && cursor_event(&t->scene, &event, &track))
		cursor_select(&t->scene, track, event);
	else if (t->scene.cursor.tool == CURSOR_SELECTS)
		cursor_unselect(&t->scene);
	scene_leave(&t->scene);
	return redraw_moved(t);
}

static unsigned press_button(struct timeline *t, const struct mouse *m)
{
	if (t->scene.cursor.full || m->button != 1)
		return REACT_NONE;
	if (m->y == t->scene.lay.minimap || m->y == t->scene.lay.hits)
		return jump_to(t, m->x);
	if (in_rect(t->scene.lay.names, m->y, m->x))
		return press_name(t, m->y);
	return in_rect(t->scene.lay.plot, m->y, m->x) ? press_plot(t, m) : REACT_NONE;
}

/* The interval dragged over, from the start of its first column to the end of its last. */
static void dragged_span(const struct timeline *t, int64_t *t0, int64_t *t1)
{
	int a = t->drag.from < t->drag.to ? t->drag.from : t->drag.to,
	    b = t->drag.from < t->drag.to ? t->drag.to : t->drag.from;

	*t0 = in_run(t, viewport_time(&t->scene.port, a));
	*t1 = in_run(t, viewport_time(&t->scene.port, b + 1));
}

/* Snaps an end to the edge of an event in its column. */
static int64_t snap_to_edge(const struct timeline *t, int x, int64_t otherwise)
{
	int64_t from = viewport_time(&t->scene.port, x), to = viewport_time(&t->scene.port, x + 1), edge;

	return cursor_edge(&t->scene, from - 1, 1, &edge) && edge < to ? edge : otherwise;
}

/* Up and down zooms around where the button was pressed; sideways marks what is to be seen. */
static bool is_steep(const struct drag *d)
{
	return abs(d->to_y - d->from_y) * STEEP > abs(d->to - d->from);
}

static void pan_by(struct timeline *t)
{
	size_t by = (size_t)abs(t->drag.to_y - t->drag.from_y), top = t->drag.top,
	       h = (size_t)t->scene.lay.plot.h;
	struct cursor *c = &t->scene.cursor;

	viewport_pan(&t->scene.port, t->drag.port.k + t->drag.from - t->drag.to - t->scene.port.k);
	c->top = t->drag.to_y < t->drag.from_y ? top + by : top > by ? top - by : 0;
	if (c->top + h > t->scene.rows.nvis)
		c->top = t->scene.rows.nvis > h ? t->scene.rows.nvis - h : 0;
	if (c->row < c->top + scene_pins(&t->scene)) /* the cursor stays in sight */
		c->row = c->top + scene_pins(&t->scene);
	if (c->row >= c->top + h)
		c->row = c->top + h - 1;
}

static void zoom_by(struct timeline *t)
{
	t->scene.port = t->drag.port;
	if (is_steep(&t->drag))
		viewport_zoom(&t->scene.port, viewport_time(&t->drag.port, t->drag.from),
		    t->drag.from_y - t->drag.to_y);
}

static unsigned drag_to(struct timeline *t, const struct mouse *m)
{
	int x = column_of(t, m->x);

	if (!t->drag.held || (x == t->drag.to && m->y == t->drag.to_y))
		return REACT_NONE;
	t->drag.to = x;
	t->drag.to_y = m->y;
	t->drag.moved = true;
	if (t->scene.cursor.tool == CURSOR_PANS)
		pan_by(t);
	else if (t->scene.cursor.tool == CURSOR_ZOOMS)
		zoom_by(t);
	else
		return REACT_REDRAW;
	return redraw_moved(t);
}

/* --- what a drag does when it ends --- */

static void select_box(struct timeline *t)
{
	const struct drag *d = &t->drag;
	int y = t->scene.lay.plot.y, from = (d->from_y < d->to_y ? d->from_y : d->to_y) - y,
	    to = (d->from_y < d->to_y ? d->to_y : d->from_y) - y;

	if (to >= t->scene.lay.plot.h)
		to = t->scene.lay.plot.h - 1;
	cursor_unselect(&t->scene);
	for (int i = from < 0 ? 0 : from; i <= to; i++) /* pinned rows come first */
		picks_box(&t->scene, scene_place(&t->scene, i), i == from || i == 0,
		    d->from < d->to ? d->from : d->to, d->from < d->to ? d->to : d->from);
	picks_box_end(&t->scene);
	timeline_show_picks(t);
	if (!t->scene.picks.n)
		app_say(t->scene.view->app, "no events there");
}

static void time_span(struct timeline *t)
{
	const struct drag *d = &t->drag;
	int first = d->from < d->to ? d->from : d->to, last = d->from + d->to - first;
	int64_t t0, t1;

	dragged_span(t, &t0, &t1);
	scene_enter_row(&t->scene);
	t0 = snap_to_edge(t, first, t0 - t->scene.port.shift);
	t1 = snap_to_edge(t, last, t1 - t->scene.port.shift);
	if (d->of_end) {
		int64_t to = d->to > d->from ? t1 : t0;

		marks_move(&t->marks, d->stays - t->scene.port.shift, to);
	} else if (t1 > t0) {
		marks_set(&t->marks, t0, t1, NULL);
	}
	scene_leave(&t->scene);
}

static unsigned release_button(struct timeline *t)
{
	int64_t t0, t1;

	if (!t->drag.held)
		return REACT_NONE;
	t->drag.held = false;
	dragged_span(t, &t0, &t1);
	if (t->scene.cursor.tool == CURSOR_TIMES && !t->drag.moved && !t->drag.of_end) {
		marks_clear(&t->marks);
	} else if (!t->drag.moved) {
		return redraw_moved(t);
	} else if (t->scene.cursor.tool == CURSOR_SELECTS) {
		select_box(t);
	} else if (t->scene.cursor.tool == CURSOR_ZOOMS && !is_steep(&t->drag)) {
		viewport_fit(&t->scene.port, t0, t1);
		t->scene.cursor.at = t0;
	} else if (t->scene.cursor.tool == CURSOR_TIMES && t->drag.from != t->drag.to) {
		time_span(t);
	}
	return redraw_moved(t);
}

unsigned timeline_mouse(struct timeline *t, const struct mouse *m)
{
	switch (m->kind) {
	case MOUSE_WHEEL:
		return turn_wheel(t, m);
	case MOUSE_PRESS:
		return press_button(t, m);
	case MOUSE_DRAG:
		return drag_to(t, m);
	default:
		return release_button(t);
	}
}

bool timeline_drags(const struct timeline *t)
{
	return t->scene.cursor.tool != CURSOR_SELECTS || t->drag.held;
}

/* The interval being dragged on the ruler, or the box in which events are selected. */
void timeline_draw_drag(const struct timeline *t, struct canvas *cv)
{
	const struct drag *d = &t->drag;
	const struct rect *plot = &t->scene.lay.plot;
	int a = d->from < d->to ? d->from : d->to, n = abs(d->to - d->from) + 1,
	    y = d->from_y < d->to_y ? d->from_y : d->to_y, end = d->from_y < d->to_y ? d->to_y : d->from_y;

	if (!d->held || !d->moved || t->scene.cursor.tool == CURSOR_PANS)
		return;
	if (t->scene.cursor.tool == CURSOR_SELECTS) {
		y = y < plot->y ? plot->y : y;
		end = end >= plot->y + plot->h ? plot->y + plot->h - 1 : end;
		for (; y <= end; y++)
			canvas_attr(cv, (struct rect){ y, plot->x + a, 1, n }, ATTR_REVERSE);
	} else if (t->scene.lay.ruler >= 0 && !(t->scene.cursor.tool == CURSOR_ZOOMS && is_steep(d))) {
		canvas_attr(cv, (struct rect){ t->scene.lay.ruler, plot->x + a, 1, n }, ATTR_REVERSE);
	}
}
