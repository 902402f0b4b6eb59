#include "config.h"
#include "view/account/account.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "core/app.h"
#include "widget/bar.h"
#include "widget/kind.h"

enum { SMALL = 12 };

/* Shares of the step: means over the cores and the steps used; returns how many kinds take time. */
static size_t bar_parts(const struct replay *r, bool narrow, struct bar_part part[KIND_IDLE + 1])
{
	double sum[KIND_COUNT] = { 0 }, step = replay_mean(r, r->step, r->used);
	size_t n = 0;

	for (size_t i = 0; i < r->nsteps; i++)
		for (size_t k = 0; k < r->ncores && r->used[i]; k++)
			for (int p = 0; p < SPENT_PARTS; p++)
				sum[spent_info[p].kind] += (double)replay_parts(r, k, i)[p];
	for (int k = 0; k <= KIND_IDLE; k++)
		if (sum[k] > 0)
			part[n++] = kind_part((enum time_kind)k, narrow,
			    sum[k] / (double)r->ncores / (double)replay_count(r, r->used) / step);
	return n;
}

static void draw_bar(const struct replay *r, struct canvas *c, struct rect a)
{
	struct bar_part part[KIND_IDLE + 1];
	size_t n = bar_parts(r, false, part);

	bar_stack(c, a.y, a.x + 1, a.w - 2, part, n);
	if (bar_legend_cols(part, n) >= a.w - 1)
		bar_parts(r, true, part);
	bar_legend(c, a.y + 1, a.x + 1, a.w - 2, part, n);
}

/* "Step 19.38 ms: longest core, 2 of 2 steps   at its roofs 7.115 ms, 36.7 %" */
static void draw_head(const struct replay *r, struct canvas *c, struct rect a)
{
	const double step = replay_mean(r, r->step, r->used), light = replay_mean(r, r->light, r->used);
	const bool ascii = c->glyphs->ascii;
	char text[200], long_step[40], at_roofs[40], roofs[100] = "no roofs are known";

	if (light > 0)
		snprintf(roofs, sizeof roofs, "at its roofs %s, %.1f %%",
		    units_time_short(at_roofs, sizeof at_roofs, (int64_t)light, ascii), 100 * light / step);
	snprintf(text, sizeof text, "Step %s, longest core, %zu of %zu steps   %s",
	    units_time_short(long_step, sizeof long_step, (int64_t)step, ascii), replay_count(r, r->used),
	    r->nsteps, roofs);
	canvas_str(c, a.y, a.x + 1, a.w - 2, ROLE_BOLD, ATTR_BOLD, text);
}

struct rect account_above(struct view *v, struct canvas *c, struct rect a)
{
	struct account_view *s = v->state;
	bool gap = a.h >= 2 * SMALL;

	if (a.h <= 3)
		return a;
	if (a.h >= SMALL && s->r->nsteps) {
		draw_head(s->r, c, a);
		draw_bar(s->r, c, (struct rect){ a.y + 1 + gap, a.x, a.h, a.w });
		a = (struct rect){ a.y + 3 + 2 * gap, a.x, a.h - 3 - 2 * gap, a.w };
	}
	return pages_tabs(v, c, a);
}
