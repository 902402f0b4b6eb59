/* The roofline: each op is a point, FLOP per byte of a memory on the x axis, FLOP/s on the y axis, both in
 * decades, below the roofs given by the chip's peaks.  The points are the rows of one table; the sheet over
 * it (widget/sheet/sheet.h) has filter, search and the cursor, so plot and table show the same.  Sizes are shares
 * of self time.  roofline.c is the view, act.c handles keys, points.c makes rows and points from the
 * database, plot.c maps and draws them (without views or database, so that it can be tested alone), card.c is
 * the card. */
#ifndef VIEW_ROOFLINE_ROOFLINE_H
#define VIEW_ROOFLINE_ROOFLINE_H

#include "analyze/ops/roofline.h"
#include "core/view.h"
#include "view/ops/tables.h"

/* side of the ridge; NO_SIDE: no FLOPs, or no peaks */
enum roof_side { ROOF_COMPUTE_SIDE, ROOF_MEMORY_SIDE, ROOF_NO_SIDE };

struct roof_point {
	double x, y;       /* log10 of FLOP/B and FLOP/s; valid if plotted */
	double share, use; /* of the time; of the roof above it, NAN = unknown */
	enum roof_side side;
	bool plotted, shown, above; /* has FLOPs and bytes; matches the filter; above the roof */
	int row, col;               /* cell of the screen, roofline_view_plot_place() */
};

struct roof_plot {
	struct rect a;      /* area of the points; the axes are at its left and below */
	int x0, x1, y0, y1; /* decades at its edges */
	double flops, bw;   /* peaks, FLOP/s and B/s; 0 = unknown */
	const char *memory;
	struct roof_point *v;
	size_t n; /* largest share first */
	struct roof_point program;
};

/* columns of the axis at the left; rows below: axis, its title and the legend */
enum { ROOF_AXIS = 8, ROOF_BELOW = 3 };

/* chooses whole decades that include the points and the ridge, as many as fit in `a` */
void roofline_view_plot_fit(struct roof_plot *);
int roofline_view_plot_col(const struct roof_plot *, double x); /* cells of the screen, inside `a` */
/* third: which third of the cell, 0 = top; may be NULL */
int roofline_view_plot_row(const struct roof_plot *, double y, int *third);
void roofline_view_plot_place(struct roof_plot *);
/* The nearest point in a direction (one of dy, dx is ±1), the largest of its cell; `at` if there is none. */
size_t roofline_view_plot_step(const struct roof_plot *, size_t at, int dy, int dx);
/* next point of the same cell, wrapping around */
size_t roofline_view_plot_same(const struct roof_plot *, size_t at, int dir);
size_t roofline_view_plot_at(const struct roof_plot *, int y, int x); /* SIZE_MAX = none near */
/* at: point of the cursor, SIZE_MAX = none */
void roofline_view_plot_draw(const struct roof_plot *, struct canvas *, size_t at);

enum { ROOF_FAR = 24 };

struct roof_view {
	struct op_table t; /* frame, sheet */
	struct table table;
	const uint32_t *op; /* index in t.db of each row */
	uint32_t *ops;      /* owns op */
	struct roof_plot plot;
	enum roof_memory memory;
	bool only, without_transfers, as_table;
	double time[ROOF_NO_SIDE + 1], idle; /* shares of the time by side */
	double program_use;
	uint32_t far[ROOF_FAR];
	size_t nfar;    /* rows that lose the most time */
	size_t plotted; /* among those that match the filter */
};

/* makes the points; HBM if the memory's peak is unknown */
void roofline_view_look_from(struct roof_view *, enum roof_memory);
/* false: the plot would be too small, the table is shown */
bool roofline_view_is_plot(const struct roof_view *, struct rect);

/* points.c */
void roofline_view_make_rows(struct roof_view *, const struct dump *);
void roofline_view_make_points(struct roof_view *);    /* for the chosen memory */
void roofline_view_look_at_filter(struct roof_view *); /* marks what matches and finds what loses most time */

/* act.c */
unsigned roofline_view_keys(struct view *, enum action, int count);
unsigned roofline_view_act(struct view *, enum action, int count);
unsigned roofline_view_press(struct view *, const struct mouse *);
bool roofline_view_shows_plot(const struct view *);      /* as last drawn */
bool roofline_view_is_plotted(const struct roof_view *); /* the selected op is on the plot */

/* card.c; row SIZE_MAX = none */
void roofline_view_card_beside(const struct roof_view *, const struct dump *, struct canvas *, struct rect,
    size_t row);
void roofline_view_card_below(const struct roof_view *, const struct dump *, struct canvas *, struct rect,
    size_t row);

#endif
