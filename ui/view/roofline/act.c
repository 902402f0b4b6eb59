#include "config.h"
#include "view/roofline/roofline.h"

#include <stdlib.h>

#include "core/app.h"
#include "view/ops/choice.h"
#include "widget/card.h"

/* From an op that is not on the plot: to the largest that is. */
static void step(struct roof_view *r, enum action a, int count)
{
	int dy = a == ACT_DOWN ? 1 : a == ACT_UP ? -1 : 0, dx = a == ACT_RIGHT ? 1 : a == ACT_LEFT ? -1 : 0;
	size_t at = sheet_row(&r->t.sheet), n = r->plot.n;

	roof_look_at_filter(r);
	if (at >= n || !r->plot.v[at].plotted) {
		for (at = 0; at < n && !(r->plot.v[at].plotted && r->plot.v[at].shown);)
			at++;
		count = 0;
	}
	if (at >= n)
		return;
	for (int i = 0; i < count; i++)
		at = a == ACT_POINT_NEXT || a == ACT_POINT_PREV
		    ? roof_plot_same(&r->plot, at, a == ACT_POINT_NEXT ? 1 : -1)
		    : roof_plot_step(&r->plot, at, dy, dx);
	sheet_go(&r->t.sheet, at);
}

/* The next op on the plot by time, the first or the last. */
static void step_by_time(struct roof_view *r, enum action a, int count)
{
	size_t at = sheet_row(&r->t.sheet), n = r->plot.n, best = SIZE_MAX;
	bool down = a == ACT_PAGE_DOWN || a == ACT_TOP;

	roof_look_at_filter(r);
	if (a == ACT_TOP || a == ACT_BOTTOM || at >= n)
		at = down ? SIZE_MAX : n;
	for (size_t i = at; count > 0 && (down ? i + 1 < n : i > 0 && i != SIZE_MAX);) {
		i = down ? i + 1 : i - 1;
		if (!r->plot.v[i].plotted || !r->plot.v[i].shown)
			continue;
		best = i;
		count--;
	}
	if (best != SIZE_MAX)
		sheet_go(&r->t.sheet, best);
}

static void next_memory(struct view *v)
{
	struct roof_view *r = v->state;
	enum roof_memory was = r->memory;

	do
		r->memory = (r->memory + 1) % ROOF_COUNT;
	while (r->memory != was && !(roof_memory_peak(&r->t.db->peaks, r->memory) > 0));
	if (r->memory == was)
		app_message(v->app, false, "the peak of no other memory is known");
	roof_sync(v);
}

static void picked_column(struct app *app, int i)
{
	struct view *v = &app->views[app->current];
	struct roof_view *r = v->state;

	if (roof_sync(v))
		sheet_toggle(&r->t.sheet, (size_t)i);
}

static unsigned act_on_plot(struct roof_view *r, enum action a, int count)
{
	count = count > 0 ? count : 1;
	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
	case ACT_LEFT:
	case ACT_RIGHT:
	case ACT_POINT_NEXT:
	case ACT_POINT_PREV:
		step(r, a, count);
		return REACT_REDRAW;
	case ACT_TOP:
	case ACT_BOTTOM:
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		step_by_time(r, a, count);
		return REACT_REDRAW;
	case ACT_SORT_NEXT:
	case ACT_SORT_PREV:
	case ACT_SORT_REVERSE:
		return ACT_PASS;
	default:
		return sheet_act(&r->t.sheet, a, count);
	}
}

bool roof_shows_plot(const struct view *v)
{
	struct rect main, card;

	roof_divide(v->area, &main, &card);
	return roof_is_plot(v->state, main);
}

/* true: it was one of these */
static bool act_on_view(struct view *v, enum action a)
{
	struct roof_view *r = v->state;

	switch (a) {
	case ACT_MEMORY:
		next_memory(v);
		break;
	case ACT_ONLY_LARGE:
		r->only = !r->only;
		break;
	case ACT_TRANSFERS:
		r->without_transfers = !r->without_transfers;
		break;
	case ACT_AS_TABLE:
		r->as_table = !r->as_table;
		break;
	case ACT_COLUMNS:
		sheet_choose(&r->t.sheet, v->app, picked_column);
		break;
	default:
		return false;
	}
	roof_keep_row(r, v->app->dump);
	roof_sync(v);
	return true;
}

unsigned roof_act(struct view *v, enum action a, int count)
{
	struct roof_view *r = v->state;

	switch (a) {
	case ACT_ROOF_NEXT:
		op_views_next(v);
		return REACT_REDRAW;
	case ACT_CORE:
		op_choose_core(v->app);
		return REACT_REDRAW;
	case ACT_MODULE:
		op_choose_module(v->app);
		return REACT_REDRAW;
	default:
		break;
	}
	if (!roof_sync(v))
		return a == ACT_BACK ? ACT_PASS : REACT_NONE;
	if (a == ACT_OPEN || (a == ACT_BACK && r->t.full)) {
		r->t.full = !r->t.full && r->t.sheet.list.n;
		r->t.scroll = 0;
		return REACT_REDRAW;
	}
	if (r->t.full)
		return card_scroll(&r->t.scroll, r->t.lines, v->area.h - 1, a, count) ? REACT_REDRAW
										      : ACT_PASS;
	if (act_on_view(v, a))
		return REACT_REDRAW;
	return roof_shows_plot(v) ? act_on_plot(r, a, count) : sheet_act(&r->t.sheet, a, count);
}

unsigned roof_mouse(struct view *v, const struct mouse *m)
{
	struct roof_view *r = v->state;
	size_t was, at;

	if (m->kind == MOUSE_WHEEL || !roof_sync(v))
		return ACT_PASS;
	if (m->kind != MOUSE_PRESS || m->button != 1 || r->t.full)
		return REACT_NONE;
	was = sheet_row(&r->t.sheet);
	if (roof_shows_plot(v)) {
		if ((at = roof_plot_at(&r->plot, m->y, m->x)) == SIZE_MAX)
			return REACT_NONE;
		sheet_go(&r->t.sheet, at);
	} else if (m->x >= r->t.sheet.x[r->t.sheet.ncol] || !sheet_click(&r->t.sheet, m->y, m->x) ||
	    m->y == r->t.sheet.y) {
		return REACT_REDRAW;
	}
	return sheet_row(&r->t.sheet) == was ? roof_act(v, ACT_OPEN, 1) : REACT_REDRAW;
}
