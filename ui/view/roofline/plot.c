#include "config.h"
#include "view/roofline/roofline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"

enum { DECADES_LEAST = 4, DECADES_MOST = 12 };

/* --- mapping --- */

static double ridge_at(const struct roof_plot *p)
{
	return p->flops > 0 && p->bw > 0 ? log10(p->flops / p->bw) : NAN;
}

static void widen_range(double *lo, double *hi, double v)
{
	if (!isfinite(v))
		return;
	if (!isfinite(v))
		return;
	*lo = fmin(*lo, v);
	*hi = fmax(*hi, v);
}

static void decade_range(double lo, double hi, int least, int most, int *from, int *to)
{
	*from = lo <= hi ? (int)floor(lo) : least;
	*to = lo <= hi ? (int)ceil(hi) : most;
	if (*to == *from)
		++*to;
}

static int decades_that_fit(int cells, int each)
{
	int n = cells / each;

	return n < DECADES_LEAST ? DECADES_LEAST : n > DECADES_MOST ? DECADES_MOST : n;
}

/* Share of time of the ops left, or right, of a decade. */
static double time_beyond(const struct roof_plot *p, int x, bool left)
{
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].plotted && (left ? p->v[i].x < x : p->v[i].x > x))
			sum += p->v[i].share;
	return sum;
}

/* When there is no room for all decades, drops those at the edges with the least time in them, but never the
 * ridge; points outside are drawn as arrows at the edge. */
static void narrow_decades(struct roof_plot *p, double r)
{
	int most = decades_that_fit(p->a.w, 6);

	if (p->y1 - p->y0 > decades_that_fit(p->a.h, 2))
		p->y0 = p->y1 - decades_that_fit(p->a.h, 2);
	while (p->x1 - p->x0 > most) {
		bool left = time_beyond(p, p->x0 + 1, true) <= time_beyond(p, p->x1 - 1, false);

		if (isfinite(r) && (left ? p->x0 + 1 > r : p->x1 - 1 < r))
			left = !left;
		if (left)
			p->x0++;
		else
			p->x1--;
	}
}

void roofline_view_plot_fit(struct roof_plot *p)
{
	double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY, r = ridge_at(p);

	for (size_t i = 0; i <= p->n; i++) {
		const struct roof_point *q = i < p->n ? &p->v[i] : &p->program;

		if (!q->plotted)
			continue;
		widen_range(&x0, &x1, q->x);
		widen_range(&y0, &y1, q->y);
	}
	widen_range(&x0, &x1, r - 1);
	widen_range(&x0, &x1, r + 1);
	if (p->flops > 0) { /* leave room above the line for the text of the peak */
		widen_range(&y0, &y1, log10(p->flops) + .2);
		widen_range(&y0, &y1, log10(p->flops) - 2);
	}
	decade_range(x0, x1, -2, 4, &p->x0, &p->x1);
	decade_range(y0, y1, 8, 14, &p->y0, &p->y1);
	narrow_decades(p, r);
}

static double cell_along(double v, int from, int to, int cells)
{
	double at = (v - from) / (to - from) * (cells - 1);

	return at > 0 ? at < cells - 1 ? at : cells - 1 : 0;
}

int roofline_view_plot_col(const struct roof_plot *p, double x)
{
	return p->a.x + (int)lround(cell_along(x, p->x0, p->x1, p->a.w));
}

int roofline_view_plot_row(const struct roof_plot *p, double y, int *third)
{
	double at = p->a.h - 1 - cell_along(y, p->y0, p->y1, p->a.h), row = floor(at + .5);

	if (third)
		*third = at - row < -1 / 6. ? 0 : at - row > 1 / 6. ? 2 : 1;
	return p->a.y + (int)row;
}

void roofline_view_plot_place(struct roof_plot *p)
{
	for (size_t i = 0; i <= p->n; i++) {
		struct roof_point *q = i < p->n ? &p->v[i] : &p->program;

		if (!q->plotted)
			continue;
		q->col = roofline_view_plot_col(p, q->x);
		q->row = roofline_view_plot_row(p, q->y, NULL);
	}
}

/* --- from point to point --- */

static bool is_on_plot(const struct roof_point *q)
{
	return q->plotted && q->shown;
}

/* The nearest point in a direction.  A cell counts as twice as high as wide; diagonal distance counts
 * more. */
size_t roofline_view_plot_step(const struct roof_plot *p, size_t at, int dy, int dx)
{
	const struct roof_point *from = &p->v[at];
	size_t best = at;
	double least = INFINITY;

	for (size_t i = 0; i < p->n; i++) {
		double y = 2 * (p->v[i].row - from->row), x = p->v[i].col - from->col;
		double ahead = y * dy + x * dx, aside = fabs(dy ? x : y), cost = ahead + 2 * aside;

		if (!is_on_plot(&p->v[i]) || ahead <= 0 || cost >= least)
			continue;
		least = cost;
		best = i;
	}
	return best;
}

size_t roofline_view_plot_same(const struct roof_plot *p, size_t at, int dir)
{
	size_t i = at;

	do
		i = dir > 0 ? (i + 1) % p->n : (i + p->n - 1) % p->n;
	while (
	    i != at && !(is_on_plot(&p->v[i]) && p->v[i].row == p->v[at].row && p->v[i].col == p->v[at].col));
	return i;
}

size_t roofline_view_plot_at(const struct roof_plot *p, int y, int x)
{
	size_t best = SIZE_MAX;
	int least = 3; /* a click next to a point selects it, too */

	for (size_t i = 0; i < p->n; i++) {
		int off = 2 * abs(p->v[i].row - y) + abs(p->v[i].col - x);

		if (!is_on_plot(&p->v[i]) || off >= least)
			continue;
		least = off;
		best = i;
	}
	return best;
}

/* --- drawing --- */

static enum role roofline_view_role(const struct roof_point *q)
{
	return q->above                    ? ROLE_BLOCK_COLLECTIVE
	    : q->side == ROOF_COMPUTE_SIDE ? ROLE_BLOCK_MATMUL
					   : ROLE_BLOCK_COMPUTE;
}

static const struct {
	double share;
	uint32_t sign, ascii;
	const char *what;
} sizes[] = {
	{ .02, 0x2588, '#', "2 %" },
	{ .01, 0x2586, 'O', "1 %" },
	{ .001, 0x25aa, 'o', "0.1 %" },
	{ -1, 0x2219, '.', "less" },
};
enum { SIZES = sizeof sizes / sizeof *sizes, ABOVE = 0x25b2 };

/* Points beyond the edge of the axes are arrows that point to them. */
static bool edge_arrow(const struct roof_plot *p, const struct roof_point *q, enum glyph *g)
{
	*g = q->x < p->x0 ? GLYPH_CUT_LEFT : q->x > p->x1 ? GLYPH_CUT_RIGHT : GLYPH_OPEN;
	return q->x < p->x0 || q->x > p->x1 || q->y < p->y0;
}

/* Without colors, points above the roof have another sign. */
static uint32_t point_sign(const struct roof_plot *p, const struct canvas *c, const struct roof_point *q)
{
	enum glyph g;
	size_t i = 0;

	if (edge_arrow(p, q, &g))
		return g == GLYPH_OPEN && c->glyphs->ascii ? 'v' : c->glyphs->g[g];
	if (c->mono && q->above)
		return c->glyphs->ascii ? '^' : ABOVE;
	while (i + 1 < SIZES && !(q->share >= sizes[i].share))
		i++;
	return c->glyphs->ascii ? sizes[i].ascii : sizes[i].sign;
}

static uint32_t pick_char(const struct canvas *c, uint32_t unicode, uint32_t ascii)
{
	return c->glyphs->ascii ? ascii : unicode;
}

/* "10 T", ".01", "1 k" */
static void decade_text(char *buf, size_t size, int d, const char *unit)
{
	static const char prefix[] = " kMGTPEZY";
	static const char *const ten[] = { "1", "10", "100" };
	static const char *const small[] = { ".1", ".01", ".001" };
	bool known = d / 3 < (int)sizeof prefix - 1;

	if (d < -3 || !known)
		snprintf(buf, size, "1e%d%s%s", d, *unit ? " " : "", unit);
	else if (d < 0)
		snprintf(buf, size, "%s%s%s", small[-d - 1], *unit ? " " : "", unit);
	else if (d < 3)
		snprintf(buf, size, "%s%s%s", ten[d], *unit ? " " : "", unit);
	else
		snprintf(buf, size, "%s %c%s", ten[d % 3], prefix[d / 3], unit);
}

/* Decades per label, so that labels are `cells` apart. */
static int label_stride(int n, int cells, int room)
{
	int k = 1;

	while (k < n && (room - 1) * k / n < cells)
		k++;
	return k;
}

static void draw_left(const struct roof_plot *p, struct canvas *c)
{
	int k = label_stride(p->y1 - p->y0, 2, p->a.h);
	char text[24];

	for (int d = p->y1; d >= p->y0; d -= k) {
		int y = roofline_view_plot_row(p, d, NULL);

		decade_text(text, sizeof text, d, "F");
		canvas_right(c, y, p->a.x - 1, ROLE_DIM, 0, text);
		for (int x = p->a.x; x < p->a.x + p->a.w; x += 4)
			canvas_glyph(c, y, x, GLYPH_BULLET, ROLE_LINE, 0);
	}
}

static void draw_below(const struct roof_plot *p, struct canvas *c)
{
	int y = p->a.y + p->a.h, k = label_stride(p->x1 - p->x0, 6, p->a.w), from = 0, to = 0, last = 0;
	double r = ridge_at(p);
	char text[64];

	if (isfinite(r)) {
		double v = pow(10, r);

		snprintf(text, sizeof text, "%.*f", v < 10, v);
		from = roofline_view_plot_col(p, r) - (int)strlen(text) / 2;
		to = from + canvas_str(c, y, from, 16, ROLE_BOLD, ATTR_BOLD, text);
	}
	for (int d = p->x0; d <= p->x1; d += k) {
		int x, n;

		decade_text(text, sizeof text, d, "");
		n = (int)strlen(text);
		x = roofline_view_plot_col(p, d) - n / 2;
		if (x + n > p->a.x + p->a.w)
			x = p->a.x + p->a.w - n;
		if ((x + n >= from && x <= to) || x <= last)
			continue;
		canvas_str(c, y, x, n, ROLE_DIM, 0, text);
		last = x + n;
	}
	snprintf(text, sizeof text, "FLOP per byte, %s (log)", p->memory);
	canvas_str(c, y + 1, p->a.x + (p->a.w - (int)strlen(text)) / 2, p->a.w, ROLE_DIM, 0, text);
}

static void draw_ridge(const struct roof_plot *p, struct canvas *c)
{
	double r = ridge_at(p);

	if (!isfinite(r))
		return;
	for (int y = roofline_view_plot_row(p, log10(p->flops), NULL) + 1; y < p->a.y + p->a.h; y++)
		canvas_put(c, y, roofline_view_plot_col(p, r), pick_char(c, 0x250a, ':'), ROLE_LINE, 0);
}

/* The sloped roof up to the ridge, the flat one after it; only one of them where the other's peak is
 * unknown. */
static void draw_roofs(const struct roof_plot *p, struct canvas *c)
{
	static const uint32_t slope[] = { 0x2594, 0x2500, 0x2581 }, plain[] = { '"', '-', '_' };
	double step = (double)(p->x1 - p->x0) / (p->a.w > 1 ? p->a.w - 1 : 1), r = ridge_at(p),
	       top = log10(p->flops);

	for (int i = 0; i < p->a.w; i++) {
		double x = p->x0 + i * step, y = log10(p->bw) + x;
		int third, row;

		if (p->flops > 0 && !(x < r)) {
			canvas_put(c, roofline_view_plot_row(p, top, NULL), p->a.x + i,
			    pick_char(c, 0x2501, '='), ROLE_TEXT, 0);
		} else if (p->bw > 0 && y >= p->y0 && y <= p->y1) {
			row = roofline_view_plot_row(p, y, &third);
			if (p->flops > 0 && !third && row == roofline_view_plot_row(p, top, NULL))
				third = 1; /* not above the flat roof */
			canvas_put(c, row, p->a.x + i, pick_char(c, slope[third], plain[third]), ROLE_TEXT,
			    0);
		}
	}
}

static bool is_free(const struct roof_plot *p, int row, int from, int end)
{
	for (size_t i = 0; i <= p->n; i++) {
		const struct roof_point *q = i < p->n ? &p->v[i] : &p->program;

		if ((i < p->n ? is_on_plot(q) : q->plotted) && q->row == row && q->col >= from - 1 &&
		    q->col <= end)
			return false;
	}
	return row >= p->a.y && row < p->a.y + p->a.h;
}

/* Labels the peaks: above the right end of the flat roof, or below it, where points leave room; left of the
 * sloped roof. */
static void draw_peaks(const struct roof_plot *p, struct canvas *c)
{
	char text[32];
	int end = p->a.x + p->a.w, row, col, n;

	if (p->flops > 0) {
		row = roofline_view_plot_row(p, log10(p->flops), NULL);
		units_si(text, sizeof text, p->flops, "FLOP/s");
		n = utf8_cols(text, strlen(text));
		row += is_free(p, row - 1, end - 1 - n, end - 1) ? -1 : 1;
		canvas_right(c, row, end - 1, ROLE_TEXT, 0, text);
	}
	if (!(p->bw > 0))
		return;
	units_si(text, sizeof text, p->bw, "B/s");
	n = utf8_cols(text, strlen(text));
	row = roofline_view_plot_row(p,
	    (log10(p->bw) + p->x0 + 2 * (p->flops > 0 ? log10(p->flops) : p->y1)) / 3, NULL);
	col = roofline_view_plot_col(p,
	    p->y0 + (double)(p->a.y + p->a.h - 1 - row) / (p->a.h > 1 ? p->a.h - 1 : 1) * (p->y1 - p->y0) -
		log10(p->bw));
	if (col - 3 - n > p->a.x)
		canvas_str(c, row, col - 3 - n, n, ROLE_TEXT, 0, text);
}

static void draw_legend(const struct roof_plot *p, struct canvas *c)
{
	static const struct {
		const char *what;
		enum role role;
	} side[] = {
		{ "compute", ROLE_BLOCK_MATMUL },
		{ "memory", ROLE_BLOCK_COMPUTE },
		{ "above the roof", ROLE_BLOCK_COLLECTIVE },
	};
	int y = p->a.y + p->a.h + 2, x = p->a.x - ROOF_AXIS + 1, end = p->a.x + p->a.w;
	/* without colors the position shows the side */
	size_t from = isfinite(ridge_at(p)) ? c->mono ? 2 : 0 : 3;

	for (size_t i = from; i < 3; i++) {
		canvas_put(c, y, x, i == 2 && c->mono ? pick_char(c, ABOVE, '^') : pick_char(c, 0x2588, '#'),
		    side[i].role, 0);
		x += 2 + canvas_str(c, y, x + 2, end - x - 2, ROLE_TEXT, 0, side[i].what) + 1;
	}
	for (size_t i = 0; i < SIZES; i++) {
		char text[24];
		int n;

		snprintf(text, sizeof text, "%s%s",
		    sizes[i].share < 0     ? ""
			: c->glyphs->ascii ? ">= "
					   : "≥ ",
		    sizes[i].what);
		n = utf8_cols(text, strlen(text));
		if (x + 3 + n > end)
			return;
		x += i == 0 && from < 3;
		canvas_put(c, y, x, pick_char(c, sizes[i].sign, sizes[i].ascii), ROLE_DIM, 0);
		x += 2 + canvas_str(c, y, x + 2, n, ROLE_DIM, 0, text) + 2;
	}
}

void roofline_view_plot_draw(const struct roof_plot *p, struct canvas *c, size_t at)
{
	draw_left(p, c);
	draw_below(p, c);
	draw_ridge(p, c);
	draw_roofs(p, c);
	draw_legend(p, c);
	for (size_t i = p->n; i-- > 0;)
		if (is_on_plot(&p->v[i]))
			canvas_put(c, p->v[i].row, p->v[i].col, point_sign(p, c, &p->v[i]),
			    roofline_view_role(&p->v[i]), 0);
	draw_peaks(p, c); /* over the points: a number that misses a digit would be another one */
	if (p->program.plotted)
		canvas_glyph(c, p->program.row, p->program.col, GLYPH_HIT_HERE, ROLE_WARN, ATTR_BOLD);
	if (at >= p->n || !is_on_plot(&p->v[at]))
		return;
	canvas_put(c, p->v[at].row, p->v[at].col, point_sign(p, c, &p->v[at]), roofline_view_role(&p->v[at]),
	    ATTR_BOLD);
	canvas_put(c, p->v[at].row, p->v[at].col - 1, '[', ROLE_BOLD, ATTR_BOLD);
	canvas_put(c, p->v[at].row, p->v[at].col + 1, ']', ROLE_BOLD, ATTR_BOLD);
}
