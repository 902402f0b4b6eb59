#include "config.h"
#include "view/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/app.h"
#include "core/overlay.h"
#include "model/hlo.h"

enum { CALLED_MAX = 40 };

/* --- modules --- */

static void picked_module(struct app *app, int i)
{
	struct view *v = app_view(app, "graph");

	for (size_t m = 0; v && i >= 0 && m < app->cap->dump->nmodules; m++)
		if (graph_view_has(app->cap->dump, m) && !i--)
			graph_view_choose(v, (int)m);
}

static unsigned choose_module(struct view *v)
{
	const struct dump *d = v->cap->dump;
	const struct graph_view *s = v->state;
	struct menu_item *item = xcalloc(d->nmodules + 1, sizeof *item);
	char(*note)[32] = xcalloc(d->nmodules + 1, sizeof *note);
	char(*title)[HLO_TITLE] = xcalloc(d->nmodules + 1, sizeof *title);
	int n = 0, here = 0;

	for (size_t m = 0; m < d->nmodules; m++) {
		if (!graph_view_has(d, m))
			continue;
		snprintf(note[n], sizeof note[n], "%.30s", d->files[d->modules[m].file].base);
		hlo_module_title(d, m, title[n], sizeof title[n]);
		item[n] = (struct menu_item){ 0, title[n], note[n], NULL };
		here = (int)m == s->module ? n : here;
		n++;
	}
	if (n > 1)
		app_menu(v->app, "modules", item, n, here, picked_module);
	else
		app_say(v->app, "this capture has only one module");
	free(item);
	free(note);
	free(title);
	return REACT_REDRAW;
}

/* --- in and out of computations --- */

static void enter(struct view *v, uint32_t computation)
{
	struct graph_view *s = v->state;

	if (computation != HLO_NONE && s->g->computation[computation].root != HLO_NONE)
		graph_view_jump(v, s->g->computation[computation].root);
}

static void picked_called(struct app *app, int k)
{
	struct view *v = app_view(app, "graph");
	struct graph_view *s = v ? v->state : NULL;

	if (s && s->g && k >= 0 && (uint32_t)k < hlo_nlinks(&s->g->calls, s->at))
		enter(v, hlo_link(&s->g->calls, s->at, (uint32_t)k));
}

/* Into the computation that it runs; of several one is chosen. */
static unsigned enter_called(struct view *v)
{
	const struct graph_view *s = v->state;
	uint32_t n = hlo_nlinks(&s->g->calls, s->at);
	struct menu_item item[CALLED_MAX] = { { 0 } };
	char name[CALLED_MAX][80];

	if (n == 1) {
		enter(v, hlo_link(&s->g->calls, s->at, 0));
		return REACT_REDRAW;
	}
	n = n < CALLED_MAX ? n : CALLED_MAX;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t c = hlo_link(&s->g->calls, s->at, k);
		struct slice t = c == HLO_NONE ? slice_of("(missing)") : hlo_computation_name(s->g, c);

		snprintf(name[k], sizeof name[k], "%.*s", (int)(t.n < 79 ? t.n : 79), t.s);
		item[k] = (struct menu_item){ 0, name[k], "", NULL };
	}
	app_menu(v->app, "it calls", item, (int)n, 0, picked_called);
	return REACT_REDRAW;
}

static unsigned leave_to_caller(struct view *v)
{
	struct graph_view *s = v->state;
	uint32_t here = graph_view_here(s),
		 caller = graph_caller(s->g, s->g->v[here == HLO_NONE ? s->at : here].computation);

	if (caller == HLO_NONE)
		app_say(v->app, "nothing calls this computation");
	else
		graph_view_jump(v, caller);
	graph_view_select_row(s);
	s->focus = SIDE_CENTER;
	return REACT_REDRAW;
}

/* The next one that takes less time than the one in the middle; after the last the first. */
static unsigned next_heaviest(struct view *v)
{
	struct graph_view *s = v->state;
	int64_t now = s->costs.v[s->at].self;
	uint32_t best = HLO_NONE, most = 0;

	for (uint32_t i = 0; i < s->g->n; i++) {
		int64_t self = s->costs.v[i].self;

		if (self > s->costs.v[most].self)
			most = i;
		if (self >= 0 && (self < now || (self == now && i > s->at)) &&
		    (best == HLO_NONE || self > s->costs.v[best].self))
			best = i;
	}
	if (!s->costs.timed)
		app_say(v->app, "the capture has no times of this module");
	else
		graph_view_jump(v, best == HLO_NONE ? most : best);
	graph_view_select_row(s);
	return REACT_REDRAW;
}

/* --- the navigator --- */

static struct list *focused(struct graph_view *s)
{
	return s->focus == SIDE_CENTER ? NULL : &s->list[s->focus == SIDE_USERS];
}

/* Along the program, within the computation. */
static void step_order(struct graph_view *s, int64_t by)
{
	const struct hlo_computation *of = &s->g->computation[s->g->v[s->at].computation];
	int64_t to = (int64_t)s->at + by, last = (int64_t)of->first + of->n - 1;

	graph_view_center(s, (uint32_t)(to < of->first ? of->first : to > last ? last : to));
}

/* To the side; from there to what is selected, which becomes the middle. */
static unsigned walk(struct view *v, enum graph_side side)
{
	struct graph_view *s = v->state;
	int k = side == SIDE_USERS;

	graph_view_sides(s);
	if (s->focus != side && s->focus != SIDE_CENTER) {
		s->focus = SIDE_CENTER;
	} else if (s->focus != side) {
		s->focus = s->side[k].n ? side : SIDE_CENTER;
		if (!s->side[k].n)
			app_say(v->app, k ? "nothing uses it" : "it has no operands");
	} else {
		graph_view_jump(v, graph_view_here(s));
		graph_view_sides(s);
	}
	return REACT_REDRAW;
}

static unsigned act_on_nav(struct view *v, enum action a, int count)
{
	struct graph_view *s = v->state;
	struct list *l = focused(s);
	int page = v->area.h > 4 ? v->area.h / 2 : 1;

	if (a == ACT_LEFT || a == ACT_RIGHT)
		return walk(v, a == ACT_LEFT ? SIDE_OPERANDS : SIDE_USERS);
	if (a == ACT_OPEN && s->focus != SIDE_CENTER) {
		graph_view_jump(v, graph_view_here(s));
		s->focus = SIDE_CENTER;
		return REACT_REDRAW;
	}
	if (a == ACT_OPEN && hlo_nlinks(&s->g->calls, s->at))
		return enter_called(v);
	if (a == ACT_BACK && s->focus != SIDE_CENTER) {
		s->focus = SIDE_CENTER;
		return REACT_REDRAW;
	}
	if (l)
		return list_react(l, a, count);
	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
		step_order(s, a == ACT_UP ? -count : count);
		return REACT_REDRAW;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		step_order(s, (a == ACT_PAGE_UP ? -1 : 1) * (int64_t)count * page);
		return REACT_REDRAW;
	case ACT_TOP:
	case ACT_BOTTOM:
		step_order(s, a == ACT_TOP ? INT32_MIN : INT32_MAX);
		return REACT_REDRAW;
	default:
		return ACT_PASS;
	}
}

/* --- boxes --- */

static unsigned act_on_boxes(struct view *v, enum action a, int count)
{
	struct graph_view *s = v->state;

	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
	case ACT_LEFT:
	case ACT_RIGHT:
		for (int i = 0; i < count && i < 1000; i++)
			graph_view_boxes_step(s, (a == ACT_DOWN) - (a == ACT_UP),
			    (a == ACT_RIGHT) - (a == ACT_LEFT));
		return REACT_REDRAW;
	case ACT_OPEN:
		if (graph_view_here(s) != s->at)
			graph_view_jump(v, graph_view_here(s));
		else if (hlo_nlinks(&s->g->calls, s->at))
			return enter_called(v);
		return REACT_REDRAW;
	default:
		return ACT_PASS;
	}
}

/* --- text --- */

static void go_to_line(struct graph_view *s, int64_t line)
{
	int64_t last = (int64_t)graph_view_lines(s->g) - 1;
	uint32_t i;

	line = line < 0 ? 0 : line > last ? last : line;
	i = graph_view_instr_on(s->g, (size_t)line);
	if (i != HLO_NONE)
		graph_view_center(s, i);
	s->line = (size_t)line;
	s->name = -1;
}

static unsigned act_on_text(struct view *v, enum action a, int count)
{
	struct graph_view *s = v->state;
	int64_t page = v->area.h > 4 ? v->area.h - 3 : 1, line = (int64_t)s->line;

	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
		go_to_line(s, line + (a == ACT_UP ? -count : count));
		return REACT_REDRAW;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		go_to_line(s, line + (a == ACT_PAGE_UP ? -1 : 1) * page * count);
		return REACT_REDRAW;
	case ACT_TOP:
	case ACT_BOTTOM:
		go_to_line(s, a == ACT_TOP ? 0 : INT64_MAX / 2);
		return REACT_REDRAW;
	case ACT_LEFT:
	case ACT_RIGHT:
		s->name += a == ACT_RIGHT ? s->name + 1 < graph_view_names_on_line(s) : -(s->name >= 0);
		return REACT_REDRAW;
	case ACT_OPEN:
		if (graph_view_named_on_line(s) != HLO_NONE)
			graph_view_jump(v, graph_view_named_on_line(s));
		else if (graph_view_instr_on(s->g, s->line) != HLO_NONE)
			graph_view_mode(v, GRAPH_NAV);
		return REACT_REDRAW;
	default:
		return ACT_PASS;
	}
}

/* --- all --- */

/* Says where a key works that only one page has; false: this is the page. */
static bool is_elsewhere(struct view *v, enum graph_mode mode, enum action shows, const char *what)
{
	const struct graph_view *s = v->state;
	char key[32];

	if (s->mode == mode)
		return false;
	app_say(v->app, "%s; %s shows them", what,
	    keymap_key_text(&v->app->keymap, shows, v->ops->scope, key, sizeof key));
	return true;
}

static unsigned set_radius(struct view *v, int by)
{
	struct graph_view *s = v->state;
	int64_t radius = (int64_t)s->radius + by;

	if (is_elsewhere(v, GRAPH_BOXES, ACT_GRAPH_BOXES, "only boxes have a radius"))
		return REACT_REDRAW;
	s->radius_set = true;
	s->radius = (uint32_t)(radius < 0 ? 0 : radius > GRAPH_RADIUS_MAX ? GRAPH_RADIUS_MAX : radius);
	return REACT_REDRAW;
}

static unsigned open_row(struct view *v)
{
	struct graph_view *s = v->state;
	uint32_t i = graph_view_here(s);

	s->mode = GRAPH_NAV;
	s->focus = SIDE_CENTER;
	graph_view_jump(v, i);
	return REACT_REDRAW;
}

unsigned graph_view_act_always(struct view *v, enum action a, int count)
{
	(void)count;
	return a == ACT_MODULE && v->cap->dump->nmodules ? choose_module(v) : ACT_PASS;
}

/* Pages: the navigator and all others in turn.  Lists: computations, then instructions, then the navigator. */
static bool switches(struct view *v, enum action a)
{
	const struct graph_view *s = v->state;

	switch (a) {
	case ACT_GRAPH_PAGE:
		graph_view_mode(v, s->mode == GRAPH_INSTRUCTIONS ? s->mode : s->mode + 1);
		return true;
	case ACT_GRAPH_TEXT:
		graph_view_mode(v, GRAPH_TEXT);
		return true;
	case ACT_GRAPH_BOXES:
		graph_view_mode(v, GRAPH_BOXES);
		return true;
	case ACT_GRAPH_LISTS:
		graph_view_mode(v,
		    s->mode == GRAPH_COMPUTATIONS || s->mode == GRAPH_INSTRUCTIONS ? GRAPH_INSTRUCTIONS
										   : GRAPH_COMPUTATIONS);
		return true;
	default:
		return false;
	}
}

unsigned graph_view_act(struct view *v, enum action a, int count)
{
	struct graph_view *s = v->state;

	count = count > 0 ? count : 1;
	if (switches(v, a))
		return REACT_REDRAW;
	if (s->frame.full)
		return ACT_PASS;
	switch (a) {
	case ACT_CALLER:
		return leave_to_caller(v);
	case ACT_HEAVIEST:
		return next_heaviest(v);
	case ACT_RADIUS_MORE:
		return set_radius(v, count);
	case ACT_RADIUS_LESS:
		return set_radius(v, -count);
	case ACT_LONG_FORM:
		if (!is_elsewhere(v, GRAPH_TEXT, ACT_GRAPH_TEXT, "only lines of text have attributes"))
			s->full_text = !s->full_text;
		return REACT_REDRAW;
	case ACT_BACK:
		if (s->mode != GRAPH_NAV) {
			s->mode = GRAPH_NAV;
			return REACT_REDRAW;
		}
		break;
	default:
		break;
	}
	if (s->mode == GRAPH_NAV)
		return act_on_nav(v, a, count);
	if (s->mode == GRAPH_BOXES)
		return act_on_boxes(v, a, count);
	if (s->mode == GRAPH_TEXT)
		return act_on_text(v, a, count);
	return a == ACT_OPEN ? open_row(v) : ACT_PASS;
}

/* --- mouse --- */

static bool is_in(struct rect r, const struct mouse *m)
{
	return r.h && m->y >= r.y && m->y < r.y + r.h && m->x >= r.x && m->x < r.x + r.w;
}

/* Selects the box; again: opens it. */
static unsigned press_box(struct view *v, const struct mouse *m)
{
	struct graph_view *s = v->state;
	uint32_t node = graph_view_box_at(s, m->y, m->x);

	if (node == HLO_NONE)
		return REACT_NONE;
	if (node == s->box)
		return graph_view_act(v, ACT_OPEN, 1);
	s->box = node;
	return REACT_REDRAW;
}

unsigned graph_view_press(struct view *v, const struct mouse *m)
{
	struct graph_view *s = v->state;

	if (s->mode == GRAPH_TEXT && is_in(s->area[SIDE_CENTER], m)) {
		go_to_line(s, (int64_t)s->top + m->y - s->area[SIDE_CENTER].y);
		return REACT_REDRAW;
	}
	for (int side = 0; s->mode == GRAPH_NAV && side < 2; side++) {
		int at;

		if (!is_in(s->area[side ? SIDE_USERS : SIDE_OPERANDS], m) ||
		    (at = list_line_at(&s->list[side], m->y)) < 0)
			continue;
		s->focus = side ? SIDE_USERS : SIDE_OPERANDS;
		if ((size_t)at == s->list[side].at)
			return graph_view_act(v, ACT_OPEN, 1);
		s->list[side].at = (size_t)at;
		return REACT_REDRAW;
	}
	return s->mode == GRAPH_BOXES ? press_box(v, m) : ACT_PASS;
}
