#include "config.h"

#include "view/timeline/viewport/viewport.h"

#include "model/trace.h"

#define MARGIN 8 /* what is longer than half a view is placed 1/8 of the view from its edge */
#define TIME_MAX TRACE_TIME_MAX

static int64_t at_least_1(int64_t v)
{
	return v < 1 ? 1 : v;
}

int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t ceil_div(int64_t a, int64_t b)
{
	return -floor_div(-a, b);
}

int64_t viewport_time(const struct viewport *g, int64_t x)
{
	int64_t t;

	if (__builtin_mul_overflow(g->k + x, g->c, &t)) /* half a view beyond the longest possible run */
		return g->k + x < 0 ? -INT64_MAX : INT64_MAX;
	return __builtin_sub_overflow(t, g->shift, &t) ? (g->shift < 0 ? INT64_MAX : -INT64_MAX) : t;
}

/* Zoom factors of about the square root of two that are readable: two significant digits, the same in every
 * decade. */
int64_t viewport_zoom_step(int64_t c, int dir)
{
	static const int64_t tenths[] = { 10, 14, 20, 28, 40, 56, 75 };
	int64_t unit = 1, below = 1;

	for (;; unit *= 10) {
		for (size_t i = 0; i < sizeof tenths / sizeof *tenths; i++) {
			int64_t v = unit >= 10 ? unit / 10 * tenths[i] : (tenths[i] + 5) / 10;

			if (dir > 0 ? v > c : v >= c)
				return dir > 0 ? v : below;
			below = v;
		}
		if (unit > TIME_MAX / 100)
			return dir > 0 ? c : below;
	}
}

/* The column width that shows the whole run, and the start of the first column. */
static int64_t whole_width(const struct viewport *g)
{
	int64_t span = at_least_1(g->last - g->first), c = at_least_1(ceil_div(span, g->w));

	if (floor_div(g->first, c) + g->w < ceil_div(g->last, c) && g->w > 1)
		c = at_least_1(ceil_div(span, g->w - 1));
	return c;
}

void viewport_whole(struct viewport *g)
{
	g->c = whole_width(g);
	g->k = floor_div(g->first, g->c);
	g->whole = true;
}

void viewport_init(struct viewport *g, int64_t first, int64_t last, int w)
{
	g->first = clamp64(first, -TIME_MAX, TIME_MAX);
	g->last = clamp64(last, g->first, TIME_MAX);
	g->w = w < 1 ? 1 : w;
	g->shift = 0;
	viewport_whole(g);
}

/* The view may extend beyond the run by at most half its width. */
static void hold_in_run(struct viewport *g)
{
	int64_t lo = floor_div(g->first, g->c) - g->w / 2, hi = floor_div(g->last, g->c) - (g->w - 1) / 2;

	g->k = clamp64(g->k, lo, hi < lo ? lo : hi);
}

void viewport_resize(struct viewport *g, int w)
{
	g->w = w < 1 ? 1 : w;
	if (g->whole || g->c >= whole_width(g))
		viewport_whole(g);
	else
		hold_in_run(g);
}

int viewport_column(const struct viewport *g, int64_t t)
{
	int64_t x = floor_div(t + g->shift, g->c) - g->k;

	return (int)clamp64(x, -1, g->w);
}

void viewport_zoom(struct viewport *g, int64_t around, int steps)
{
	int64_t x, whole = whole_width(g);

	around += g->shift;
	x = clamp64(floor_div(around, g->c) - g->k, 0, g->w - 1);
	for (; steps > 0 && g->c > 1; steps--)
		g->c = viewport_zoom_step(g->c, -1);
	for (; steps < 0 && g->c < whole; steps++)
		g->c = viewport_zoom_step(g->c, 1);
	if (g->c >= whole) {
		viewport_whole(g);
		return;
	}
	g->whole = false;
	g->k = floor_div(around, g->c) - x;
	hold_in_run(g);
}

void viewport_pan(struct viewport *g, int64_t columns)
{
	int64_t k = g->k;

	g->k += clamp64(columns, -TIME_MAX / g->c, TIME_MAX / g->c);
	hold_in_run(g);
	if (g->k != k)
		g->whole = false;
}

/* Rounds up to two significant digits. */
static int64_t round_width(int64_t c)
{
	int64_t unit = 1;

	while (c / unit >= 100)
		unit *= 10;
	return ceil_div(c, unit) * unit;
}

void viewport_fit(struct viewport *g, int64_t t0, int64_t t1)
{
	int64_t span, c;

	t0 = clamp64(t0 + g->shift, g->first, g->last);
	t1 = clamp64(t1 + g->shift, t0, g->last);
	span = at_least_1(t1 - t0);
	c = round_width(at_least_1(ceil_div(span, at_least_1(g->w - g->w / MARGIN))));
	if (c >= whole_width(g)) {
		viewport_whole(g);
		return;
	}
	g->whole = false;
	g->c = c;
	g->k = floor_div(t0 + span / 2, c) - (g->w - 1) / 2;
	hold_in_run(g);
}

void viewport_reveal(struct viewport *g, int64_t t0, int64_t t1)
{
	int64_t a = floor_div(t0 + g->shift, g->c), b = at_least_1(ceil_div(t1 + g->shift, g->c) - a) + a,
		n = b - a, margin = n <= g->w / 2 ? g->w / 2 : g->w / MARGIN;
	int64_t shown = (b < g->k + g->w ? b : g->k + g->w) - (a > g->k ? a : g->k), k = g->k;

	if (n > g->w) { /* too long: show its start, unless a good part is visible already */
		if (shown < g->w / 4)
			k = a - margin;
	} else if (a < g->k) {
		k = n + margin <= g->w ? a - margin : a;
	} else if (b > g->k + g->w) {
		k = n + margin <= g->w ? b - g->w + margin : b - g->w;
	}
	if (k != g->k)
		viewport_pan(g, k - g->k);
}

int64_t viewport_span(const struct viewport *g)
{
	int64_t a = viewport_begin(g) + g->shift, b = viewport_end(g) + g->shift;

	a = a > g->first ? a : g->first;
	b = b < g->last ? b : g->last;
	return at_least_1(b - a);
}
