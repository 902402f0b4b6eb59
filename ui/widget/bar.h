/* Bars in one row of cells: a share as eighths of a cell, and several shares side by side with their legend.
 * Shares are fractions of the whole; NaN and what is below 0 count as 0, above 1 as 1.  The parts of a
 * stack have a colour and a sign each (█ ▓ ▒ ▞ ░), different in ASCII too, so that it can be read without
 * colours. */
#ifndef WIDGET_BAR_H
#define WIDGET_BAR_H

#include "core/paint/canvas.h"

struct bar_part {
	const char *label;
	double share;
	enum role role; /* ROLE_BLOCK_… */
	uint32_t sign;
};

/* the rest of the `w` columns is dotted when `rest` is set */
void bar_draw(struct canvas *, int y, int x, int w, double share, enum role, bool rest);
/* the parts in order, rounded so that they end where their sum ends; a part that is not 0 has a cell if
 * there is one left; returns a bit for each part that has cells */
unsigned bar_stack(struct canvas *, int y, int x, int w, const struct bar_part *, size_t n);
/* "█ label 34.1 %   ▓ …": returns the columns used; where not all fit closer together, then without the
 * shares, and then the last ones are left out first */
int bar_legend(struct canvas *, int y, int x, int w, const struct bar_part *, size_t n);
int bar_legend_cols(const struct bar_part *, size_t n); /* of all, with their shares */
/* red, yellow, green by how well something is used: roofs of 16 and 36 % */
enum role bar_use_role(double use);

#endif
