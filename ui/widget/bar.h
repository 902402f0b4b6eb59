/* Bars in one row of cells: a share in eighths of a cell, or several shares side by side with their legend.
 * Shares are fractions of the whole, limited to 0 … 1; NaN counts as 0.  Each part of a stack has a color and
 * a sign (█ ▓ ▒ ▞ ░); the signs differ in ASCII too, so a stack can be read without colors. */
#ifndef WIDGET_BAR_H
#define WIDGET_BAR_H

#include "core/paint/canvas.h"

struct bar_part {
	const char *label;
	double share;
	enum role role; /* ROLE_BLOCK_… */
	uint32_t sign;
};

void bar_draw(struct canvas *, int y, int x, int w, double share, enum role);
/* fills the rest of the `w` columns with dots */
void bar_draw_dotted(struct canvas *, int y, int x, int w, double share, enum role);
/* a column of `rows` rows, from row y up */
void bar_column(struct canvas *, int y, int x, int rows, double share, enum role);
/* draws the parts in order, rounded so that they end where their sum ends; a part that is not 0 gets a cell
 * if there is one left; returns a bit for each part that has cells */
unsigned bar_stack(struct canvas *, int y, int x, int w, const struct bar_part *, size_t n);
/* draws "█ label 34.1 %   ▓ …" and returns the columns used; when there is no room: first with smaller gaps,
 * then without shares, then without the last parts */
int bar_legend(struct canvas *, int y, int x, int w, const struct bar_part *, size_t n);
int bar_legend_cols(const struct bar_part *, size_t n); /* columns of the full legend, with shares */
/* red, yellow or green by utilization, with limits at 16 and 36 % */
enum role bar_use_role(double use);

#endif
