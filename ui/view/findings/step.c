#include "config.h"
#include "view/findings/findings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"
#include "widget/bar.h"
#include "widget/chart.h"
#include "widget/kind.h"

/* Fills in the parts of the mean step. */
static void mean_parts(const struct account *a, bool narrow, struct bar_part part[CHART_PARTS])
{
	double sum = 0;

	for (size_t k = 0; k < a->nkinds; k++)
		sum += a->ms[a->kind[k]];
	for (size_t k = 0; k < a->nkinds; k++)
		part[k] = kind_part(a->kind[k], narrow, a->ms[a->kind[k]] / fmax(a->core_time, sum));
}

/* The step time as everywhere: the mean of the longest core of each step; of pseudo steps the mean run. */
static void step_head(const struct account *a, bool ascii, char *buf, size_t size)
{
	if (a->several) {
		snprintf(buf, size, "Runs");
		return;
	}
	double ms = a->step > 0 ? a->step : a->core_time;
	int64_t ps = ms > 0 ? from_double(ms * PS_PER_MS + .5) : 0;
	char number[24] = "–";

	if (ps)
		units_time_in(number, sizeof number, ps, unit_for(ps), 2);
	snprintf(buf, size, "%s %s %s", a->source == STEPS_MODULES ? "Run" : "Step", number,
	    ps ? unit_name(unit_for(ps), ascii) : "");
}

/* "Steps 19.38 ms   first 3 findings mended 14.48 ms   at their roofs 7.12 ms", on the last row */
void findings_view_mended(const struct findings *f, struct canvas *c, struct rect a)
{
	const bool ascii = c->glyphs->ascii;
	char now[40], first[40], light[40], text[200];

	if (!f || !(f->whole > 0))
		snprintf(text, sizeof text, "What mending saves: the steps are replayed …");
	else
		snprintf(text, sizeof text, "Steps %s   first %d findings mended %s   at their roofs %s",
		    units_time_short(now, sizeof now, (int64_t)f->whole, ascii), FINDINGS_FIRST,
		    isnan(f->first) ? "-" : units_time_short(first, sizeof first, (int64_t)f->first, ascii),
		    f->light > 0 ? units_time_short(light, sizeof light, (int64_t)f->light, ascii) : "-");
	canvas_str(c, a.y + a.h - 1, a.x + 1, a.w - 2, ROLE_TEXT, 0, text);
}

void findings_view_step_draw(const struct account *m, struct canvas *c, struct rect a, bool legend)
{
	struct bar_part part[CHART_PARTS];
	int x = a.x + 1, end = a.x + a.w - 1;
	unsigned seen;
	size_t n = 0;
	bool all;
	char text[64];

	if (!m->nkinds) {
		canvas_str(c, a.y, x, a.w - 2, ROLE_TEXT, 0,
		    "No complete step in this capture; step breakdown unknown");
		return;
	}
	mean_parts(m, false, part);
	step_head(m, c->glyphs->ascii, text, sizeof text);
	x += canvas_str(c, a.y, x, a.w - 2, ROLE_BOLD, ATTR_BOLD, text) + 1;
	seen = bar_stack(c, a.y, x, end - x, part, m->nkinds);
	if (bar_legend_cols(part, m->nkinds) >= a.w) /* shares before long names */
		mean_parts(m, true, part);
	all = bar_legend_cols(part, m->nkinds) < a.w;
	for (size_t i = 0; i < m->nkinds; i++)
		if (all || seen & 1u << i)
			part[n++] = part[i];
	if (legend && bar_legend_cols(part, n) > end - x) /* use the columns under the heading, too */
		x = a.x + 1;
	if (legend)
		bar_legend(c, a.y + 1, x, end - x, part, n);
}
