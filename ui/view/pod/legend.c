#include "config.h"
#include "view/pod/pod.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"

enum { HEATS = 8, STRIP_MOST = 32 };

#define LEAST_SPAN .05 /* a smaller range is noise: it is not stretched over all colors */

/* --- scale --- */

void pod_view_scale(const struct pod_view *v, double *low, double *high)
{
	double by;

	*low = 0;
	*high = 1;
	if (!v->narrow || !v->stats.n)
		return;
	by = v->stats.high - v->stats.low > 2 * LEAST_SPAN ? .05 : .01;
	*low = floor(v->stats.low / by + 1e-9) * by;
	*high = ceil(v->stats.high / by - 1e-9) * by;
	if (*high - *low < LEAST_SPAN)
		*high = *low + LEAST_SPAN;
	if (*high > 1 && v->stats.high <= 1) {
		*low = *low > *high - 1 ? *low - (*high - 1) : 0;
		*high = 1;
	}
}

int pod_view_scale_step(const struct pod_view *v, double value, int n)
{
	double low, high, i;

	if (!(value > 0))
		return 0;
	pod_view_scale(v, &low, &high);
	i = floor((value - low) / (high - low) * n + 1e-9);
	return i < 0 ? 0 : i < n ? (int)i : n - 1;
}

enum role pod_view_heat(const struct pod_view *v, double value)
{
	return isnan(value) ? ROLE_TEXT : (enum role)(ROLE_HEAT_0 + pod_view_scale_step(v, value, HEATS));
}

/* --- what of the map is in sight --- */

static double plane_worst(const struct pod_view *v, int plane)
{
	double worst = NAN;

	for (size_t i = 0; i < v->grid.ncells; i++)
		if (v->grid.cell[i].gz == plane)
			worst = fmax(worst, v->stats.value[v->grid.cell[i].worst]);
	return worst;
}

/* One cell for each plane of a map that does not fit, those in sight between brackets; returns the column
 * where it begins. */
static int draw_strip(const struct pod_view *v, struct canvas *c, int y, int end, int from, int to)
{
	int x = end - v->grid.planes - 2, at = x;

	for (int z = 0; z <= v->grid.planes; z++) {
		if (z == from)
			canvas_put(c, y, at++, '[', ROLE_BOLD, ATTR_BOLD);
		if (z == to)
			canvas_put(c, y, at++, ']', ROLE_BOLD, ATTR_BOLD);
		if (z == v->grid.planes)
			break;
		if (c->mono)
			canvas_fmt(c, y, at++, 1, ROLE_TEXT, 0, "%d",
			    pod_view_scale_step(v, plane_worst(v, z), 10));
		else
			canvas_put(c, y, at++, ' ', pod_view_heat(v, plane_worst(v, z)), 0);
	}
	return x;
}

/* Says which planes or rows are in sight of a map that does not fit; returns the column where it begins. */
static int draw_sight(const struct pod_view *v, struct canvas *c, int y, int end)
{
	const struct pod_grid *g = &v->grid;
	const char *dash = "–";
	int row = g->plane_h + 1,
	    deep = g->level->unit == POD_HOST && g->placed ? v->pod->topology.host_z : 1;
	int from = v->top / row * g->per_row, to = (v->top + v->map.h + 1) / row * g->per_row;
	char text[64];

	if (g->height <= v->map.h || v->map.h < 1)
		return end;
	if (to <= from) { /* a part of one row of planes */
		snprintf(text, sizeof text, "rows %d%s%d of %d", v->top + 1, dash, v->top + v->map.h,
		    g->height);
		return canvas_right(c, y, end, ROLE_TEXT, 0, text);
	}
	to = to > g->planes ? g->planes : to;
	if (g->planes <= STRIP_MOST)
		end = draw_strip(v, c, y, end, from, to) - 1;
	snprintf(text, sizeof text, "Z %d%s%d of %d", from * deep, dash, (to - 1) * deep, g->planes * deep);
	return canvas_right(c, y, end, ROLE_TEXT, 0, text);
}

/* --- legend --- */

enum { TENTHS_COLS = 5 * HEATS + 10 /* "% of step" */ };

void pod_view_legend_draw(const struct pod_view *v, struct canvas *c, int y, struct rect r)
{
	int w = 4, x = r.x + (v->grid.level && v->grid.level->left ? v->grid.level->left : 1);
	int end = draw_sight(v, c, y, r.x + r.w - 1) - 1, tenths;
	char text[64];
	double low, high;

	if (v->group) {
		canvas_str(c, y, x, end - x, ROLE_DIM, 0, "a number and a color for each replica group");
		return;
	}
	pod_view_scale(v, &low, &high);
	tenths = high - low < .08;
	if (r.w >= 60 || (tenths && r.w > TENTHS_COLS))
		w = 5;
	tenths = tenths && w > 4;
	for (int i = 0; i < HEATS; i++, x += w) {
		canvas_fill(c, (struct rect){ y, x, 1, w }, ' ', (enum role)(ROLE_HEAT_0 + i), 0);
		canvas_fmt(c, y, x, w - 1, (enum role)(ROLE_HEAT_0 + i), 0, "%*.*f", w - 1, tenths,
		    100 * (low + (high - low) * i / HEATS));
	}
	snprintf(text, sizeof text, "%% of step, %.0f – %.0f", 100 * low, 100 * high);
	if (c->mono && v->grid.level && !v->grid.level->number)
		snprintf(text, sizeof text, "%% of step; 0-9: tenths of %.0f - %.0f", 100 * low, 100 * high);
	if (utf8_cols(text, strlen(text)) > end - x - 1) /* whole words or none */
		snprintf(text, sizeof text, "%s", end - x - 1 < 9 ? "%" : "% of step");
	canvas_str(c, y, x + 1, end - x - 1, ROLE_DIM, 0, text);
}
