#include "config.h"
#include "view/pod/pod.h"

#include <stdio.h>
#include <string.h>

#include "core/app.h"

static void remember_place(struct pod_view *v)
{
	snprintf(v->wanted_step, sizeof v->wanted_step, "%s", step_cores_label(&v->pod->cores, v->step));
	if (!v->chosen)
		return;
	v->wanted_host = v->pod->cores.core[v->core].host;
	v->wanted_core = v->pod->cores.core[v->core].core;
}

void pod_view_follow_bars(struct pod_view *v)
{
	for (size_t i = 0; i < v->nlines; i++)
		if (v->by_host ? (int)v->line[i].host == v->pod->cores.core[v->core].host
			       : v->line[i].core == v->core)
			v->bars.at = i;
}

size_t pod_view_worst_core(const struct pod_view *v)
{
	size_t straggler = v->pod->step[v->step].straggler;

	return straggler != SIZE_MAX ? straggler : v->stats.n ? v->stats.order[0] : 0;
}

void pod_view_select(struct pod_view *v, size_t core)
{
	v->core = core;
	v->chosen = true;
	remember_place(v);
	if (v->below == POD_OPS)
		pod_view_beside_want(v);
}

static void move_cursor(struct pod_view *v, int dx, int dy, int n, bool plane)
{
	uint32_t cell = v->grid.cell && v->core < v->pod->cores.ncores ? v->grid.of[v->core] : UINT32_MAX;
	size_t to = cell;

	if (cell == UINT32_MAX) {
		if (v->grid.ncells)
			pod_view_select(v, v->grid.cell[0].worst);
		return;
	}
	for (int i = 0; i < n && i < 1000; i++)
		to = plane ? pod_view_grid_plane(&v->grid, to, dy) : pod_view_grid_move(&v->grid, to, dx, dy);
	if (to != cell)
		pod_view_select(v, v->grid.cell[to].worst);
}

void pod_view_go_step(struct pod_view *v, size_t step)
{
	v->step = step;
	snprintf(v->wanted_step, sizeof v->wanted_step, "%s", step_cores_label(&v->pod->cores, step));
	v->jumped = false;
	pod_view_count(v);
}

static void change_step(struct pod_view *v, int by)
{
	int64_t to = (int64_t)v->step + by, last = (int64_t)v->pod->cores.nsteps - 1;

	pod_view_go_step(v, (size_t)(to < 0 ? 0 : to > last ? last : to));
}

/* Goes to the straggler of the step, or to the worst core if there is none; when repeated, to the next in
 * order. */
static void go_to_straggler(struct pod_view *v, int n)
{
	uint32_t rank = v->stats.rank[v->core];

	if (!v->stats.n)
		return;
	if (!v->jumped || rank == UINT32_MAX)
		pod_view_select(v, pod_view_worst_core(v));
	else
		pod_view_select(v, v->stats.order[(rank + (size_t)n) % v->stats.n]);
	v->jumped = true;
}

void pod_view_below(struct pod_view *v, enum pod_view_below what)
{
	v->below_focus = what != POD_BARS;
	if (v->below == what)
		return;
	pod_view_links_free(v);
	v->below = what;
	if (what == POD_OPS)
		pod_view_beside_want(v);
	v->grid_for = (struct rect){ 0 };
	pod_view_links_make(v);
}

static unsigned act_below(struct pod_view *v, enum action a, int count)
{
	if (v->below != POD_BARS)
		return ACT_PASS;
	if (!list_act(&v->bars, a, count))
		return ACT_PASS;
	if (v->bars.at < v->nlines)
		pod_view_select(v, v->line[v->bars.at].core);
	return REACT_REDRAW;
}

static unsigned act_map(struct pod_view *v, enum action a, int n)
{
	switch (a) {
	case ACT_LEFT:
		move_cursor(v, -1, 0, n, false);
		break;
	case ACT_RIGHT:
		move_cursor(v, 1, 0, n, false);
		break;
	case ACT_UP:
		move_cursor(v, 0, -1, n, false);
		break;
	case ACT_DOWN:
		move_cursor(v, 0, 1, n, false);
		break;
	case ACT_PAGE_UP:
		move_cursor(v, 0, -1, n, true);
		break;
	case ACT_PAGE_DOWN:
		move_cursor(v, 0, 1, n, true);
		break;
	case ACT_TOP:
		pod_view_select(v, 0);
		break;
	case ACT_BOTTOM:
		pod_view_select(v, v->pod->cores.ncores - 1);
		break;
	default:
		return ACT_PASS;
	}
	v->jumped = false;
	pod_view_follow_bars(v);
	return REACT_REDRAW;
}

struct sheet *pod_view_sheet(struct view *view)
{
	struct pod_view *v = view->state;

	return v->below != POD_BARS && v->below_focus ? &v->sheet : NULL;
}

/* Going back closes the full card, then channels or collectives, then moves the focus to the map. */
static unsigned go_back(struct pod_view *v)
{
	if (v->frame.full)
		return ACT_PASS;
	if (v->below != POD_BARS)
		pod_view_below(v, POD_BARS);
	else if (v->below_focus)
		v->below_focus = false;
	else
		return ACT_PASS;
	return REACT_REDRAW;
}

/* The ops of a core; of an op or a collective in a list, itself in the op profile. */
static unsigned show_ops(struct view *view)
{
	struct pod_view *v = view->state;
	struct ref ref = view->ops->here(view);

	if (v->below != POD_BARS && v->below_focus && ref.name && app_view(view->app, "ops")) {
		ref.kind = REF_OP;
		if (app_go(view->app, "ops", &ref))
			app_say(view->app, "the selection is not in Ops");
		return REACT_REDRAW;
	}
	if (!pod_view_has_below(v, POD_OPS))
		app_say(view->app, "no other core, or no ops, to compare with");
	else
		pod_view_below(v, POD_OPS);
	return REACT_REDRAW;
}

unsigned pod_view_act(struct view *view, enum action a, int count)
{
	static const enum pod_view_below after[] = { [POD_BARS] = POD_COLLECTIVES,
		[POD_COLLECTIVES] = POD_CHANNELS,
		[POD_CHANNELS] = POD_OPS,
		[POD_OPS] = POD_BARS };
	struct pod_view *v = view->state;
	int n = count > 0 ? count : 1;
	enum pod_view_below next;

	if (a == ACT_METRIC_OWN || (a >= ACT_METRIC_1 && a <= ACT_METRIC_9)) {
		v->tab = a == ACT_METRIC_OWN ? TAB_OWN : (int)a - ACT_METRIC_1;
		v->tab_chosen = true;
		v->jumped = false;
		return REACT_REDRAW;
	}
	switch (a) {
	case ACT_POD_STEP_NEXT:
		change_step(v, n);
		return REACT_REDRAW;
	case ACT_POD_STEP_PREV:
		change_step(v, -n);
		return REACT_REDRAW;
	case ACT_STRAGGLER:
		go_to_straggler(v, n);
		pod_view_follow_bars(v);
		return REACT_REDRAW;
	case ACT_SCALE:
		v->narrow = !v->narrow;
		return REACT_REDRAW;
	case ACT_ORDER:
		v->by_place = !v->by_place;
		pod_view_bars_make(v);
		pod_view_follow_bars(v);
		return REACT_REDRAW;
	case ACT_FOCUS:
		v->below_focus = !v->below_focus;
		return REACT_REDRAW;
	case ACT_POD_LISTS:
		next = after[v->below];
		while (!pod_view_has_below(v, next))
			next = after[next];
		pod_view_below(v, next);
		return REACT_REDRAW;
	case ACT_POD_OPS:
		return show_ops(view);
	case ACT_BACK:
		return go_back(v);
	default:
		break;
	}
	if (v->frame.full || a == ACT_OPEN)
		return ACT_PASS;
	return v->below_focus ? act_below(v, a, count) : act_map(v, a, n);
}

static unsigned press_tab(struct pod_view *v, int x)
{
	for (int i = 0; i < POD_METRICS; i++)
		if (v->tab_w[i] && x >= v->tab_x[i] && x < v->tab_x[i] + v->tab_w[i]) {
			v->tab = i;
			v->tab_chosen = true;
			return REACT_REDRAW;
		}
	return REACT_NONE;
}

static unsigned press_below(struct pod_view *v, int y, int x)
{
	int line;

	if (v->below != POD_BARS)
		return x < v->sheet.x[v->sheet.ncol] && sheet_click(&v->sheet, y, x) ? REACT_REDRAW
										     : REACT_NONE;
	line = list_line_at(&v->bars, y);
	if (line < 0 || (size_t)line >= v->nlines)
		return REACT_NONE;
	v->bars.at = (size_t)line;
	pod_view_select(v, v->line[line].core);
	return REACT_REDRAW;
}

unsigned pod_view_press(struct view *view, const struct mouse *m)
{
	struct pod_view *v = view->state;
	size_t cell;

	if (m->y == v->tabs_y)
		return press_tab(v, m->x);
	if (m->y == v->steps_y && m->x >= v->steps_x && m->x < v->steps_end) {
		change_step(v, m->x < (v->steps_x + v->steps_end) / 2 ? -1 : 1);
		return REACT_REDRAW;
	}
	if (m->y >= v->map.y + v->map.h)
		return m->x < v->map.x + v->map.w ? press_below(v, m->y, m->x) : REACT_NONE;
	cell = pod_view_grid_at(&v->grid, m->y - v->map.y + v->top, m->x - v->map.x);
	if (cell == SIZE_MAX)
		return REACT_NONE;
	pod_view_select(v, v->grid.cell[cell].worst);
	pod_view_follow_bars(v);
	return REACT_REDRAW;
}
