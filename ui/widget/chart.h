/* Columns of stacked parts over an axis with units: step times, memory over a program.  Values are in the
 * unit of the axis; parts stand from below in the order of `part`, whose signs and colours they have (share
 * is not looked at).  Heights are eighths of a cell; where two parts meet inside a cell it has both
 * colours, without colours the larger one's sign; in ASCII several parts have whole cells, as signs for
 * heights would look like other parts.  The axis takes CHART_AXIS columns at the left; gridlines stand
 * nowhere. */
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
	double line;    /* drawn as a dotted line where nothing stands; <= 0 none */
};

double chart_top(double largest); /* a round number not below it */
/* Widest columns that fit `cols` cells: false = more columns than cells, so the caller puts several into
 * one. */
bool chart_fit(struct chart *, int cols);
void chart_draw(const struct chart *, struct canvas *, struct rect);
int chart_x(const struct chart *, struct rect, size_t col); /* first cell of a column */
/* text of the axis at a value: as short as it can be, "4.5", "120M" (1024: bytes) */
void chart_label(char *buf, size_t size, double v, bool bytes);

#endif
