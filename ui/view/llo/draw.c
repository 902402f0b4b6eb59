#include "config.h"
#include "view/llo/llo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/app.h"
#include "widget/bar.h"

enum { NAME = 14, NUMBER = 6, BAR = 14, STRIP_LEAST = 12, STRIP_MOST = 64 };

/* The mean of a unit's slots in each column of a strip that is one pass through the program. */
static void draw_strip(struct canvas *c, int y, int x, int w, const struct llo_kernel *k, size_t unit)
{
	const struct llo_matrix *m = &k->use;

	for (int i = 0; i < w && m->n; i++) {
		size_t from = m->n * (size_t)i / (size_t)w, to = m->n * (size_t)(i + 1) / (size_t)w;
		uint64_t sum = 0;
		double share;
		int level;

		to = to > from ? to : from + 1;
		for (size_t row = from; row < to && row < m->n; row++)
			sum += m->use[row * m->nunits + unit];
		share = m->capacity[unit] ? (double)sum / ((double)(to - from) * m->capacity[unit]) : 0;
		level = share > 0 ? 1 + (int)(share * 8) : 0;
		canvas_put(c, y, x + i, c->glyphs->height[level > 8 ? 8 : level], ROLE_BLOCK_COMPUTE, 0);
	}
}

static int draw_units(struct canvas *c, struct rect a, int y, const struct llo_kernel *k)
{
	int strip = a.w - NAME - NUMBER - BAR - 4;

	strip = strip > STRIP_MOST ? STRIP_MOST : strip;
	canvas_fmt(c, y, a.x + 1, a.w - 1, ROLE_HEAD, 0, "%-*s %*s", NAME, "unit", NUMBER, "busy %");
	if (strip >= STRIP_LEAST)
		canvas_fmt(c, y, a.x + 3 + NAME + NUMBER + BAR, strip, ROLE_HEAD, 0, "one pass, %s 0 to %zu",
		    k->aligned ? "cycle" : "bundle", k->use.n);
	for (size_t i = 0; i < k->nunits; i++) {
		const struct llo_unit_sum *u = &k->unit[i];

		if (u->part)
			continue;
		if (++y >= a.y + a.h)
			break;
		canvas_text(c, y, a.x + 1, NAME, ROLE_TEXT, 0, u->name.s, u->name.n);
		if (!isnan(u->percent))
			canvas_fmt(c, y, a.x + 1 + NAME, NUMBER + 1, ROLE_TEXT, 0, "%*.1f", NUMBER + 1,
			    u->percent);
		bar_draw(c, y, a.x + 3 + NAME + NUMBER, BAR - 1, u->percent / 100, ROLE_BLOCK_COMPUTE);
		if (strip >= STRIP_LEAST)
			draw_strip(c, y, a.x + 3 + NAME + NUMBER + BAR, strip, k, i);
	}
	return y + 2;
}

static int draw_loops(struct canvas *c, struct rect a, int y, const struct llo_kernel *k)
{
	enum { LOOPS_MOST = 6 };
	char trips[32], cycles[32];

	if (!k->nloops || y >= a.y + a.h)
		return y;
	canvas_fmt(c, y, a.x + 1, a.w - 1, ROLE_HEAD, 0, "%-16s %10s %12s %14s %7s  %s", "loop", "trips",
	    "cycles once", "cycles", "share", "limit");
	for (size_t i = 0; i < k->nloops && i < LOOPS_MOST; i++) {
		const struct llo_loop *l = &k->loop[i];
		char name[32];

		if (++y >= a.y + a.h)
			break;
		snprintf(name, sizeof name, "%*s0x%x%s", l->parent == LLO_NONE ? 0 : 1, "", l->first,
		    l->pipeline ? " pipeline" : "");
		canvas_fmt(c, y, a.x + 1, a.w - 1, ROLE_TEXT, 0, "%-16s %10s %12lld %14s %6.1f%%  %.*s %.1f",
		    name, l->trips < 0 ? CELL_UNKNOWN : units_count(trips, sizeof trips, (uint64_t)l->trips),
		    (long long)l->cycles_once,
		    l->own_cycles < 0 ? CELL_UNKNOWN
				      : units_count(cycles, sizeof cycles, (uint64_t)l->own_cycles),
		    100 * l->share, (int)l->limit.n, l->limit.s ? l->limit.s : "",
		    isnan(l->limit_percent) ? 0 : l->limit_percent);
	}
	if (k->nloops > LOOPS_MOST && ++y < a.y + a.h)
		canvas_fmt(c, y, a.x + 1, a.w - 1, ROLE_DIM, 0, "%zu more loops on their page",
		    k->nloops - LOOPS_MOST);
	return y + 2;
}

static void draw_lines(struct canvas *c, struct rect a, int y, const struct llo_kernel *k)
{
	double work = (double)llo_work(k);

	if (!k->nlines || y >= a.y + a.h)
		return;
	canvas_fmt(c, y, a.x + 1, a.w - 1, ROLE_HEAD, 0, "%-28s %8s %14s %6s", "source line", "instr",
	    k->aligned ? "cycles" : "bundles", "%");
	for (size_t i = 0; i < k->nlines && ++y < a.y + a.h; i++) {
		const struct llo_line *l = &k->line[i];
		struct slice s = l->source ? llo_string(k, l->source) : slice_of("(no source)");
		char cycles[32];

		for (size_t j = s.n; j-- > 0;)
			if (s.s[j] == '/') {
				s = (struct slice){ s.s + j + 1, s.n - j - 1 };
				break;
			}
		canvas_cut(c, y, a.x + 1, 28, ROLE_TEXT, 0, s.s, s.n);
		canvas_fmt(c, y, a.x + 30, a.w - 30, ROLE_TEXT, 0, "%8lld %14s %6.1f",
		    (long long)l->instructions,
		    units_count(cycles, sizeof cycles, (uint64_t)(l->cycles + 0.5)),
		    work > 0 ? 100 * l->cycles / work : 0);
		if (a.w > 76)
			bar_draw(c, y, a.x + 62, 14, work > 0 ? l->cycles / work : 0, ROLE_BLOCK_COMPUTE);
	}
}

void llo_view_draw(struct view *v, struct canvas *c, struct rect a)
{
	const struct llo_kernel *k = llo_view_kernel(v->state);
	const char *about;
	char buf[400], n[32];
	int y = a.y;

	if (!k)
		return;
	canvas_fmt(c, y, a.x + 1, a.w - 1, ROLE_BOLD, ATTR_BOLD, "%.*s", (int)k->name.n, k->name.s);
	y++;
	canvas_fmt(c, y++, a.x + 1, a.w - 1, ROLE_DIM, 0, "%s   %s %s%s   schedule, not a measurement",
	    llo_kind_name(k->kind), units_count(n, sizeof n, (uint64_t)llo_work(k)),
	    k->aligned ? "cycles" : "bundles issued", k->trips_known ? "" : " at least");
	llo_said(k, 0, &about, buf, sizeof buf);
	canvas_str(c, y, a.x + 1, a.w - 1, ROLE_TEXT, 0, buf);
	y = k->nunits ? draw_units(c, a, y + 2, k) : y + 2;
	y = draw_loops(c, a, y, k);
	draw_lines(c, a, y, k);
}
