#include "config.h"
#include "view/findings/findings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "widget/bar.h"

/* Fills in the parts of the mean step; returns its ms, 0 = no steps. */
static double mean_step(const struct overview_view *m, bool narrow, struct bar_part part[OV_LAYERS])
{
	double whole = 0, sum = 0, layer[OV_LAYERS] = { 0 };

	for (size_t i = 0; i < m->nsteps; i++) {
		whole += m->step[i].mean > 0 ? m->step[i].mean : 0;
		for (size_t k = 0; k < m->nlayers; k++)
			layer[k] += m->step[i].layer[k];
	}
	for (size_t k = 0; k < m->nlayers; k++)
		sum += layer[k];
	for (size_t k = 0; k < m->nlayers; k++) {
		part[k] = kind_part(m->kind[k], narrow, layer[k] / (whole > sum ? whole : sum));
	}
	return m->nsteps ? whole / (double)m->nsteps : 0;
}

/* The step time as everywhere: the mean of the longest core of each step; of pseudo steps the mean run. */
static void step_head(const struct overview *o, double mean_ms, bool ascii, char *buf, size_t size)
{
	double ms = facts_number(&o->summary, "steptime_ms_average");
	bool runs = o->tpu && o->cores.source == STEPS_MODULES;
	char number[24];
	int64_t ps;

	if (!(ms > 0))
		ms = mean_ms;
	ps = ms > 0 && ms < 1e9 ? (int64_t)(ms * PS_PER_MS + .5) : 0;
	units_time_in(number, sizeof number, ps, unit_for(ps), 2);
	snprintf(buf, size, "%s %s %s", runs ? "Run" : "Step", number, unit_name(unit_for(ps), ascii));
}

void findings_view_step_draw(const struct overview_view *m, struct canvas *c, struct rect a, bool legend)
{
	struct bar_part part[OV_LAYERS];
	int x = a.x + 1, end = a.x + a.w - 1;
	double ms = mean_step(m, false, part);
	unsigned seen;
	size_t n = 0;
	bool all;
	char text[64];

	if (!m->nlayers) {
		canvas_str(c, a.y, x, a.w - 2, ROLE_TEXT, 0,
		    "No complete step in this capture; step breakdown unknown");
		return;
	}
	step_head(m->o, ms, c->glyphs->ascii, text, sizeof text);
	x += canvas_str(c, a.y, x, a.w - 2, ROLE_BOLD, ATTR_BOLD, text) + 1;
	seen = bar_stack(c, a.y, x, end - x, part, m->nlayers);
	if (bar_legend_cols(part, m->nlayers) >= a.w) /* shares before long names */
		mean_step(m, true, part);
	all = bar_legend_cols(part, m->nlayers) < a.w;
	for (size_t i = 0; i < m->nlayers; i++)
		if (all || seen & 1u << i)
			part[n++] = part[i];
	if (legend && bar_legend_cols(part, n) > end - x) /* use the columns under the heading, too */
		x = a.x + 1;
	if (legend)
		bar_legend(c, a.y + 1, x, end - x, part, n);
}
