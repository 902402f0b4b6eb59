#include "config.h"
#include "view/memory/memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/app.h"
#include "core/overlay.h"
#include "view/memprof/memprof.h"
#include "widget/text.h"

static void show_whole_program(struct mem_view *s)
{
	s->from = 0;
	s->to = s->m.npoints ? (int64_t)s->m.npoints : 1;
	s->box.lo = 0;
	s->box.hi = s->box.top;
}

static bool is_zoomed(const struct mem_view *s)
{
	return s->from > 0 || s->to < (int64_t)s->m.npoints || s->box.lo > 0 || s->box.hi < s->box.top;
}

static unsigned choose_space(struct view *v, int space)
{
	struct mem_view *s = v->state;

	if (space == s->space) {
		show_whole_program(s);
		return REACT_REDRAW;
	}
	for (size_t i = 0; i < s->nspaces; i++)
		if (s->spaces[i].space == space) {
			memory_view_choose(v, s->module, space);
			return REACT_REDRAW;
		}
	app_say(v->app, "this program does not use memory space %d%s%s", space,
	    memory_space_name(space) ? " " : "", memory_space_name(space) ? memory_space_name(space) : "");
	return REACT_REDRAW;
}

static void picked_module(struct app *app, int i)
{
	struct view *v = app_view(app, "memory");
	const struct memory_ranks *ranks = v ? memory_view_ranks(v) : NULL;

	if (ranks && i >= 0 && (size_t)i < ranks->n)
		memory_view_choose(v, (int)ranks->v[i].module, 0);
}

static unsigned choose_module(struct view *v)
{
	const struct memory_ranks *ranks = memory_view_ranks(v);
	const struct mem_view *s = v->state;
	struct menu_item *item;
	char(*note)[24], (*title)[HLO_TITLE];
	int n = 0, here = 0;

	if (!ranks) {
		app_say(v->app,
		    v->cap->dump->nmodules > 1 ? "the modules are still being read"
					       : "this capture has only one module");
		return REACT_REDRAW;
	}
	item = xcalloc(ranks->n + 1, sizeof *item);
	note = xcalloc(ranks->n + 1, sizeof *note);
	title = xcalloc(ranks->n + 1, sizeof *title);
	for (size_t i = 0; i < ranks->n && (n == 0 || ranks->v[i].peak >= 0); i++, n++) {
		if (ranks->v[i].peak >= 0)
			text_bytes(note[n], sizeof note[n], (double)ranks->v[i].peak);
		else
			snprintf(note[n], sizeof note[n], "no buffers");
		hlo_module_title(v->cap->dump, ranks->v[i].module, title[n], sizeof title[n]);
		item[n] = (struct menu_item){ 0, title[n], note[n], NULL };
		here = (int)ranks->v[i].module == s->module ? n : here;
	}
	if (n)
		app_menu(v->app, "modules by peak", item, n, here, picked_module);
	free(item);
	free(note);
	free(title);
	return REACT_REDRAW;
}

/* Moves to another point; a step is a column of the chart, but at least a point. */
static unsigned move_point(struct mem_view *s, int by)
{
	int64_t last = (int64_t)s->m.npoints - 1, step = s->chart.w > 0 ? (s->to - s->from) / s->chart.w : 1;
	int64_t to = s->point + by * (step > 1 ? step : 1);

	to = to < 0 ? 0 : to > last ? last : to;
	if (last < 0 || to == s->point)
		return REACT_NONE;
	s->point = to;
	while (to < s->from || to >= s->to)
		memory_view_pan(s, to < s->from ? -4 : 4);
	memory_view_rows(s);
	return REACT_REDRAW;
}

static void go_to_peak(struct mem_view *s)
{
	s->point = memory_view_peak_point(&s->m);
	if (s->point < s->from || s->point >= s->to)
		show_whole_program(s);
	memory_view_rows(s);
}

static void sort_table(struct mem_view *s, const char *by)
{
	s->by_op = s->boxes = false;
	sheet_sort(&s->sheet, by, 1);
}

static void zoom_by(struct mem_view *s, double factor, int count)
{
	for (int i = 0; i < count && s->m.npoints; i++) {
		if (s->boxes)
			memory_view_boxes_zoom(s, factor);
		else
			memory_view_zoom(s, factor);
	}
}

/* false: not an action of this view's own */
static bool act_on_view(struct mem_view *s, enum action a, int count)
{
	switch (a) {
	case ACT_BY_SIZE:
		if (s->boxes || is_zoomed(s))
			zoom_by(s, 2, count);
		else
			sort_table(s, "logicalBufferSizeMib");
		return true;
	case ACT_BY_PADDING:
		if (s->boxes)
			s->padding = !s->padding;
		else
			sort_table(s, "padding_mib");
		return true;
	case ACT_BY_PROGRAM:
		sort_table(s, NULL);
		return true;
	case ACT_BOXES:
		s->boxes = !s->boxes;
		return true;
	case ACT_OP_TREE:
		s->by_op = s->boxes || !s->by_op;
		s->boxes = false;
		return true;
	case ACT_PEAK:
		go_to_peak(s);
		return true;
	case ACT_POINTS_IN:
		zoom_by(s, .5, count);
		return true;
	case ACT_POINTS_OUT:
		zoom_by(s, 2, count);
		return true;
	case ACT_POINTS_LEFT:
		memory_view_pan(s, -count);
		return true;
	case ACT_POINTS_RIGHT:
		memory_view_pan(s, count);
		return true;
	default:
		return false;
	}
}

/* A leaf of the tree is a buffer: goes to its row.  false: not an action of the tree. */
static bool act_on_tree(struct mem_view *s, enum action a, int count)
{
	const struct memory_buffer *b = memory_view_op_buffer(s);

	a = a == ACT_POINTS_IN ? ACT_EXPAND : a == ACT_POINTS_OUT ? ACT_COLLAPSE : a;
	if (a == ACT_OPEN && b) {
		go_to_peak(s);
		s->by_op = false;
		for (size_t i = 0; i < s->nrows; i++)
			if (s->row[i]->id == b->id)
				sheet_show(&s->sheet, i);
		return true;
	}
	return (a == ACT_OPEN || a == ACT_TOGGLE || a == ACT_EXPAND || a == ACT_COLLAPSE ||
		   a == ACT_EXPAND_ALL) &&
	    sheet_act(&s->tree, a, count) != ACT_PASS;
}

/* The line of all small buffers opens like one of the tree; * also closes it. */
static bool opens_small(const struct mem_view *s, enum action a)
{
	const struct memory_buffer *b = memory_view_here(s);
	bool on_it = b && b->id == -1;

	return s->m.nsmall && (a == ACT_EXPAND_ALL || ((a == ACT_TOGGLE || a == ACT_OPEN) && on_it));
}

static unsigned act_on_boxes(struct mem_view *s, enum action a, int count)
{
	switch (a) {
	case ACT_UP:
		memory_view_boxes_step(s, -1, 0, count);
		return REACT_REDRAW;
	case ACT_DOWN:
		memory_view_boxes_step(s, 1, 0, count);
		return REACT_REDRAW;
	case ACT_LEFT:
		memory_view_boxes_step(s, 0, -1, count);
		return REACT_REDRAW;
	case ACT_RIGHT:
		memory_view_boxes_step(s, 0, 1, count);
		return REACT_REDRAW;
	case ACT_TOP:
		s->box.at = 0;
		return REACT_REDRAW;
	case ACT_BOTTOM:
		s->box.at = s->box.n ? s->box.n - 1 : 0;
		return REACT_REDRAW;
	default:
		return ACT_PASS;
	}
}

unsigned memory_view_act_always(struct view *v, enum action a, int count)
{
	(void)count;
	if (a == ACT_MODULE && v->cap->dump->nmodules)
		return choose_module(v);
	if (a != ACT_MEMORY_VIEW)
		return ACT_PASS;
	memprof_view_views_next(v);
	return REACT_REDRAW;
}

unsigned memory_view_act(struct view *v, enum action a, int count)
{
	struct mem_view *s = v->state;

	count = count > 0 ? count : 1;
	if (a >= ACT_SPACE_HBM && a <= ACT_SPACE_OTHER)
		return choose_space(v, (int)a - ACT_SPACE_HBM);
	if (s->frame.full)
		return ACT_PASS;
	if (s->by_op && !s->boxes && act_on_tree(s, a, count))
		return REACT_REDRAW;
	if (a == ACT_BACK && s->boxes) {
		s->boxes = false;
		return REACT_REDRAW;
	}
	if (act_on_view(s, a, count))
		return REACT_REDRAW;
	if (s->boxes)
		return act_on_boxes(s, a, count);
	if (a == ACT_LEFT || a == ACT_RIGHT)
		return move_point(s, a == ACT_LEFT ? -count : count);
	if (!s->by_op && opens_small(s, a)) {
		size_t at = s->sheet.list.at;

		s->all = !s->all;
		memory_view_rows(s);
		if (at < s->sheet.list.n && a != ACT_EXPAND_ALL)
			sheet_go(&s->sheet, s->sheet.order[at]);
		return REACT_REDRAW;
	}
	if (s->by_op || (a != ACT_TOGGLE && a != ACT_EXPAND && a != ACT_COLLAPSE && a != ACT_EXPAND_ALL))
		return ACT_PASS;
	app_say(v->app, "buffers have no parts; b shows them as a tree by op");
	return REACT_REDRAW;
}

unsigned memory_view_press(struct view *v, const struct mouse *m)
{
	struct mem_view *s = v->state;
	struct rect r = s->chart;
	size_t at;

	for (size_t i = 0; m->y == s->spaces_y && i < s->nspaces; i++)
		if (m->x >= s->spaces_x[i] && m->x < s->spaces_x[i + 1])
			return choose_space(v, s->spaces[i].space);
	if (s->boxes) {
		if ((at = memory_view_boxes_at(s, m->y, m->x)) == SIZE_MAX)
			return REACT_NONE;
		if (at == s->box.at)
			return frame_act(v, ACT_OPEN, 1);
		s->box.at = at;
		return REACT_REDRAW;
	}
	if (!r.h || m->y < r.y || m->y >= r.y + r.h || m->x < r.x || m->x >= r.x + r.w)
		return ACT_PASS;
	s->point = memory_view_point_at(s, r, m->x);
	memory_view_rows(s);
	return REACT_REDRAW;
}
