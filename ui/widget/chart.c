#include "config.h"
#include "widget/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	COLUMN = 9,
	WIDE_COLUMN = 14,
	AMPLE = 110
}; /* cells of a column at most, on wide screens from AMPLE on */

double chart_top(double largest)
{
	static const double steps[] = { 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 };
	double unit;

	if (!(largest > 0) || isinf(largest))
		return 1;
	largest = fmin(largest, 1e307); /* a round number above is a number, too */
	unit = pow(10, floor(log10(largest)));
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (steps[i] * unit >= largest * (1 - 1e-12))
			return steps[i] * unit;
	return 10 * unit;
}

bool chart_fit(struct chart *ch, int cols)
{
	int room = cols - CHART_AXIS, each, most = room >= AMPLE ? WIDE_COLUMN : COLUMN;

	if (!ch->ncol || (size_t)(room > 0 ? room : 0) < ch->ncol)
		return false;
	each = room / (int)ch->ncol;
	ch->gap = each > 7 ? 2 : each > 2 ? 1 : 0;
	ch->width = each - ch->gap > most ? most : each - ch->gap;
	return true;
}

int chart_x(const struct chart *ch, struct rect r, size_t col)
{
	return r.x + CHART_AXIS + (int)col * (ch->width + ch->gap);
}

void chart_label(char *buf, size_t size, double v, bool bytes)
{
	static const char suffix[] = "\0KMGTP";
	double unit = bytes ? 1024 : 1000;
	int i = 0;

	while (v >= unit * (bytes ? 1 : 10) && i < 5) {
		v /= unit;
		i++;
	}
	if (v > 0 && v < .95 && !i)
		snprintf(buf, size, v < .00095 ? "%.0e" : "%.2g", v);
	else
		snprintf(buf, size, "%.*f%.1s", v < 9.95 && v != floor(v) ? 1 : 0, v, &suffix[i]);
}

/* How many eighths of the cell that begins at `base` are filled by [from, to). */
static double filled_eighths(double from, double to, double base)
{
	double low = from > base ? from : base, high = to < base + 8 ? to : base + 8;

	return high > low ? high - low : 0;
}

/* Draws one cell of a column: the two largest parts in it, the lower one as foreground, the other as
 * background; a part that ends below the top of the cell leaves the rest free. */
static void draw_cell(const struct chart *ch, struct canvas *c, int y, int x, const double *v, double base,
    double scale)
{
	double at = 0, sum = 0, part[CHART_PARTS] = { 0 };
	size_t first = CHART_PARTS, second = CHART_PARTS,
	       n = ch->nparts < CHART_PARTS ? ch->nparts : CHART_PARTS;
	int eighths;

	for (size_t i = 0; i < n; i++) {
		double to = at + (v[i] > 0 ? v[i] * scale : 0);

		sum += part[i] = filled_eighths(at, to, base);
		at = to;
		if (part[i] > 0 && (first == CHART_PARTS || part[i] > part[first])) {
			second = first;
			first = i;
		} else if (part[i] > 0 && (second == CHART_PARTS || part[i] > part[second])) {
			second = i;
		}
	}
	if (sum < .5 || first == CHART_PARTS)
		return;
	if (c->mono || c->glyphs->ascii || sum < 7.5 || second == CHART_PARTS || part[second] < .5) {
		eighths = (int)(sum + .5);
		if (c->glyphs->ascii && n > 1) { /* a sign for a partial cell would look like another part */
			if (eighths < 4 && base > 0)
				return;
			eighths = 8;
		}
		canvas_put(c, y, x, eighths > 7 ? ch->part[first].sign : c->glyphs->height[eighths],
		    ch->part[first].role, 0);
		return;
	}
	eighths = (int)(8 * part[first < second ? first : second] / (part[first] + part[second]) + .5);
	eighths = eighths < 1 ? 1 : eighths > 7 ? 7 : eighths;
	canvas_two(c, y, x, c->glyphs->height[eighths], ch->part[first < second ? first : second].role,
	    ch->part[first < second ? second : first].role);
}

/* The row of a value, from the top; a value on the edge of two rows is in the lower one. */
static int row_of(const struct chart *ch, int rows, double v)
{
	double part = v / ch->top;
	int row = rows - (int)ceil((part > 0 ? part < 1 ? part : 1 : 0) * rows - 1e-9);

	return row < 0 ? 0 : row < rows ? row : rows - 1;
}

static void draw_bytes_axis(const struct chart *ch, struct canvas *c, struct rect r)
{
	static const char suffix[] = "BKMGTP";

	for (int i = 0; i < (r.h > 2 ? 3 : 2); i++) {
		double v = r.h > 2 ? ch->top * (2 - i) / 2 : ch->top * (1 - i);
		int row = r.h > 2 ? (r.h - 1) * i / 2 : (r.h - 1) * i, unit = 0;
		char text[16], letter[2] = "";

		while (v >= 1000 && unit < 5) {
			v /= 1024;
			unit++;
		}
		letter[0] = suffix[v > 0 ? unit : 6];
		snprintf(text, sizeof text, "%.*f%s", v > 0 && v < 99.95, v, letter);
		canvas_right(c, r.y + row, r.x + CHART_AXIS - 1, ROLE_DIM, 0, text);
	}
}

/* Labels round values, at most one per two rows, at the row where they lie. */
static void draw_axis(const struct chart *ch, struct canvas *c, struct rect r)
{
	static const double nice[] = { 1, 2, 5, 10 };
	double unit = pow(10, floor(log10(ch->top)) - 1), step = ch->top;
	int most = r.h > 3 ? r.h / 2 : 1;
	char text[16];

	if (!(ch->top > 0) || r.h < 1)
		return;
	if (ch->bytes) {
		draw_bytes_axis(ch, c, r);
		return;
	}
	for (int i = 0; i < 8; i++) {
		double one = nice[i % 4] * unit * (i < 4 ? 1 : 10);

		if (ch->top / one <= most + 1e-9) {
			step = one;
			break;
		}
	}
	if (step > ch->top)
		step = ch->top;
	for (int i = 1; i * step <= ch->top * (1 + 1e-9); i++) {
		int row = row_of(ch, r.h, i * step);

		chart_label(text, sizeof text, i * step, false);
		canvas_right(c, r.y + (row), r.x + CHART_AXIS - 2, ROLE_DIM, 0, text);
	}
}

void chart_draw(const struct chart *ch, struct canvas *c, struct rect r)
{
	double scale = ch->top > 0 ? 8.0 * r.h / ch->top : 0;
	int line = ch->line > 0 && ch->line < ch->top ? r.y + row_of(ch, r.h, ch->line) : -1;

	draw_axis(ch, c, r);
	for (int x = r.x + CHART_AXIS; line >= r.y && x < r.x + r.w; x++)
		canvas_glyph(c, line, x, GLYPH_DASH, ROLE_BAD, 0);
	for (size_t i = 0; i < ch->ncol; i++)
		for (int row = 0; row < r.h; row++)
			for (int k = 0; k < ch->width && chart_x(ch, r, i) + k < r.x + r.w; k++)
				draw_cell(ch, c, r.y + r.h - 1 - row, chart_x(ch, r, i) + k,
				    ch->v + i * ch->nparts, row * 8.0, scale);
}
