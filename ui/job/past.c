#include "config.h"

#include "job/past.h"

#include <float.h>
#include <math.h>

#include "widget/chart.h"

#define CELLS_MAX 256

size_t past_began(int64_t *last, int64_t now, int ms)
{
	int64_t n = *last ? (now - *last + ms / 2) / ms : 1;

	if (n < 1)
		return 0;
	*last = *last ? *last + n * ms : now;
	return (size_t)n;
}

void past_put(struct past *p, size_t moment, double v)
{
	p->v[moment % PAST_MAX] = fabs(v) <= (double)FLT_MAX ? (float)v : NAN;
}

double past_at(const struct past *p, size_t moment, size_t n)
{
	return moment >= n || n - moment > PAST_MAX || moment < p->from ? NAN
									: (double)p->v[moment % PAST_MAX];
}

double past_largest(const struct past *p, size_t n)
{
	double most = 0;

	for (size_t i = n > PAST_MAX ? n - PAST_MAX : 0; i < n; i++)
		most = past_at(p, i, n) > most ? past_at(p, i, n) : most; /* NaN is not larger */
	return most;
}

struct past_span past_span(size_t n, int w)
{
	static const size_t each[] = { 1, 2, 5, 10, 20, 30 };
	size_t cells = w > 2 ? (size_t)w : 2, i = 0, half;

	while (i + 1 < sizeof each / sizeof *each && n > cells * each[i] && cells * each[i + 1] <= PAST_MAX)
		i++;
	if (n <= cells * each[i])
		return (struct past_span){ 0, each[i] };
	half = cells / 2 * each[i];
	return (struct past_span){ (n - cells * each[i] + half - 1) / half * half, each[i] };
}

/* The mean of what is known of the moments of a cell; false: they have not been yet. */
static bool cell_value(const struct past *p, size_t n, struct past_span s, int cell, double *v)
{
	size_t from = s.first + (size_t)cell * s.each, known = 0;
	double sum = 0;

	for (size_t i = from; i < from + s.each && i < n; i++) {
		double one = past_at(p, i, n);

		known += !isnan(one);
		sum += isnan(one) ? 0 : one;
	}
	*v = known ? sum / (double)known : NAN;
	return from < n;
}

void past_line(const struct past *p, size_t n, struct canvas *c, int y, int x, int w, double top)
{
	struct past_span s = past_span(n, w);
	double v;

	for (int i = 0; i < w && cell_value(p, n, s, i, &v); i++) {
		int level = isnan(v) || !(top > 0) ? 0 : (int)(fmin(fmax(v / top, 0), 1) * 8 + .5);

		if (isnan(v))
			canvas_glyph(c, y, x + i, GLYPH_BULLET, ROLE_DIM, 0);
		else /* what is known to be nothing shows, too */
			canvas_put(c, y, x + i,
			    c->glyphs->graph[level < 1 ? 1
				    : level > 8        ? 8
						       : level],
			    ROLE_COUNTER, 0);
	}
}

void past_chart(const struct past *p, size_t n, struct canvas *c, struct rect r, double top)
{
	double v[CELLS_MAX] = { 0 };
	struct bar_part part = { .label = "", .role = ROLE_COUNTER, .sign = c->glyphs->height[8] };
	struct chart ch = { .v = v, .nparts = 1, .part = &part, .top = top, .width = 1 };
	int w = r.w - CHART_AXIS < CELLS_MAX ? r.w - CHART_AXIS : CELLS_MAX;
	struct past_span s = past_span(n, w);

	for (int i = 0; i < w && cell_value(p, n, s, i, &v[i]); i++)
		ch.ncol = (size_t)i + 1;
	chart_draw(&ch, c, r);
	for (size_t i = 0; i < ch.ncol; i++)
		if (isnan(v[i]))
			canvas_glyph(c, r.y + r.h - 1, chart_x(&ch, r, i), GLYPH_BULLET, ROLE_DIM, 0);
}
