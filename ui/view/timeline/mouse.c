#include "config.h"

#include "view/timeline/internal.h"

#include <stdlib.h>

enum { PAN_PART = 16 }; /* part of the view panned per notch of the wheel with Shift or Alt */

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

static unsigned press_plot(struct timeline *t, const struct mouse *m)
{
	uint32_t track;
	size_t event;

	t->drag = (struct drag){ .held = true,
		.from = column_of(t, m->x),
		.to = column_of(t, m->x),
		.k = t->scene.port.k };
	if (t->scene.cursor.tool == CURSOR_PANS || t->scene.cursor.tool == CURSOR_ZOOMS)
		return REACT_REDRAW;
	if (!go_to_row(t, m->y))
		return REACT_NONE;
	t->scene.cursor.at = in_run(t, viewport_time(&t->scene.port, column_of(t, m->x)));
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

static unsigned drag_to(struct timeline *t, const struct mouse *m)
{
	int x = column_of(t, m->x);

	if (!t->drag.held || x == t->drag.to)
		return REACT_NONE;
	t->drag.to = x;
	if (t->scene.cursor.tool == CURSOR_PANS) {
		viewport_pan(&t->scene.port, t->drag.k + t->drag.from - x - t->scene.port.k);
		return redraw_moved(t);
	}
	return t->scene.cursor.tool == CURSOR_SELECTS ? REACT_NONE : REACT_REDRAW;
}

static unsigned release_button(struct timeline *t)
{
	bool moved = t->drag.held && t->drag.from != t->drag.to;
	int64_t t0, t1;

	if (!t->drag.held)
		return REACT_NONE;
	t->drag.held = false;
	dragged_span(t, &t0, &t1);
	if (moved && t->scene.cursor.tool == CURSOR_ZOOMS) {
		viewport_fit(&t->scene.port, t0, t1);
		t->scene.cursor.at = t0;
	} else if (moved && t->scene.cursor.tool == CURSOR_TIMES) {
		int first = t->drag.from < t->drag.to ? t->drag.from : t->drag.to,
		    last = t->drag.from + t->drag.to - first;

		scene_enter_row(&t->scene);
		t0 = snap_to_edge(t, first, t0 - t->scene.port.shift);
		t1 = snap_to_edge(t, last, t1 - t->scene.port.shift);
		if (t1 > t0)
			marks_set(&t->marks, t0, t1, NULL);
		scene_leave(&t->scene);
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

/* The interval being dragged on the ruler. */
void timeline_draw_drag(const struct timeline *t, struct canvas *cv)
{
	int a = t->drag.from < t->drag.to ? t->drag.from : t->drag.to, n = abs(t->drag.to - t->drag.from) + 1;

	if (t->drag.held && n > 1 &&
	    (t->scene.cursor.tool == CURSOR_ZOOMS || t->scene.cursor.tool == CURSOR_TIMES) &&
	    t->scene.lay.ruler >= 0)
		canvas_attr(cv, (struct rect){ t->scene.lay.ruler, t->scene.lay.plot.x + a, 1, n },
		    ATTR_REVERSE);
}
