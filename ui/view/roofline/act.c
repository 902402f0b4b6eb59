#include "config.h"
#include "view/roofline/roofline.h"

#include <stdlib.h>

#include "core/app.h"
#include "core/choice.h"

/* Moves to the nearest point; from an op that is not on the plot, to the largest that is. */
static void step_on_plot(struct roof_view *r, enum action a, int count)
{
	int dy = a == ACT_DOWN ? 1 : a == ACT_UP ? -1 : 0, dx = a == ACT_RIGHT ? 1 : a == ACT_LEFT ? -1 : 0;
	size_t at = sheet_row(&r->t.sheet), n = r->plot.n;

	roofline_view_look_at_filter(r);
	if (at >= n || !r->plot.v[at].plotted) {
		for (at = 0; at < n && !(r->plot.v[at].plotted && r->plot.v[at].shown);)
			at++;
		count = 0;
	}
	if (at >= n)
		return;
	for (int i = 0; i < count; i++)
		at = a == ACT_POINT_NEXT || a == ACT_POINT_PREV
		    ? roofline_view_plot_same(&r->plot, at, a == ACT_POINT_NEXT ? 1 : -1)
		    : roofline_view_plot_step(&r->plot, at, dy, dx);
	sheet_go(&r->t.sheet, at);
}

/* Moves to the next, first or last op on the plot, ordered by time. */
static void step_by_time(struct roof_view *r, enum action a, int count)
{
	size_t at = sheet_row(&r->t.sheet), n = r->plot.n, best = SIZE_MAX;
	bool down = a == ACT_PAGE_DOWN || a == ACT_TOP;

	roofline_view_look_at_filter(r);
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
		app_say(v->app, "no other memory has a known peak");
	roofline_view_look_from(r, r->memory);
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
		step_on_plot(r, a, count);
		return REACT_REDRAW;
	case ACT_TOP:
	case ACT_BOTTOM:
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		step_by_time(r, a, count);
		return REACT_REDRAW;
	default:
		return ACT_PASS;
	}
}

bool roofline_view_shows_plot(const struct view *v)
{
	const struct roof_view *r = v->state;

	return roofline_view_is_plot(r, r->t.frame.at.main);
}

bool roofline_view_is_plotted(const struct roof_view *r)
{
	size_t row = sheet_row(&r->t.sheet);

	return row < r->plot.n && r->plot.v[row].plotted;
}

unsigned roofline_view_act(struct view *v, enum action a, int count)
{
	struct roof_view *r = v->state;

	if (r->t.frame.full)
		return ACT_PASS;
	switch (a) {
	case ACT_MEMORY:
		next_memory(v);
		break;
	case ACT_ONLY_LARGE:
		r->only = !r->only;
		frame_renew(v);
		break;
	case ACT_TRANSFERS:
		r->without_transfers = !r->without_transfers;
		frame_renew(v);
		break;
	case ACT_AS_TABLE:
		r->as_table = !r->as_table;
		break;
	default:
		return roofline_view_shows_plot(v) ? act_on_plot(r, a, count) : ACT_PASS;
	}
	return REACT_REDRAW;
}

/* A plot cannot be sorted. */
unsigned roofline_view_keys(struct view *v, enum action a, int count)
{
	bool of_table = a == ACT_SORT_NEXT || a == ACT_SORT_PREV || a == ACT_SORT_REVERSE ||
	    a == ACT_SORT_BY || a == ACT_COLUMNS;

	return of_table && roofline_view_shows_plot(v) ? ACT_PASS : frame_act(v, a, count);
}

unsigned roofline_view_press(struct view *v, const struct mouse *m)
{
	struct roof_view *r = v->state;
	size_t was = sheet_row(&r->t.sheet), at;

	if (!roofline_view_shows_plot(v))
		return ACT_PASS;
	if ((at = roofline_view_plot_at(&r->plot, m->y, m->x)) == SIZE_MAX)
		return REACT_NONE;
	sheet_go(&r->t.sheet, at);
	return sheet_row(&r->t.sheet) == was ? frame_act(v, ACT_OPEN, 1) : REACT_REDRAW;
}
