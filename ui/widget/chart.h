/* Columns of stacked parts over an axis with units: step times, memory over a program.  Values are in the
 * unit of the axis; parts are stacked from the bottom in the order of `part`, with its signs and colors (its
 * share is not used).  Heights are eighths of a cell; a cell with two parts shows both colors, or the larger
 * part's sign without colors; in ASCII several parts use whole cells, because signs for heights would look
 * like other parts.  The axis takes CHART_AXIS columns at the left; there are no grid lines. */
#ifndef WIDGET_CHART_H
#define WIDGET_CHART_H

#include "widget/bar.h"

#define CHART_AXIS 7
#define CHART_PARTS 8

struct chart {
	const double *v; /* [ncol][nparts] */
	size_t ncol, nparts;
	const struct bar_part *part;
	double top;     /* of the axis, chart_top() of the largest column */
	int width, gap; /* cells of a column and between columns */
	bool bytes;     /* axis in KiB, MiB …: top, middle and 0 */
	double line;    /* a dotted line where cells are free; <= 0 = none */
};

double chart_top(double largest); /* rounds up */
/* Chooses the widest columns that fit `cols` cells; false = more columns than cells, so the caller must merge
 * some. */
bool chart_fit(struct chart *, int cols);
void chart_draw(const struct chart *, struct canvas *, struct rect);
int chart_x(const struct chart *, struct rect, size_t col); /* first cell of a column */
/* text of the axis at a value, as short as possible: "4.5", "120M" (bytes: powers of 1024) */
void chart_label(char *buf, size_t size, double v, bool bytes);

#endif
