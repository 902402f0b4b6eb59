/* The roofline: an op is a point, FLOP per byte of a memory across, FLOP/s up, both in decades, below the
 * roofs that the chip's peaks are.  The rows of one table are the points; the sheet over it (widget/sheet.h)
 * has filter, search and the cursor, so that the plot and the table are two looks at the same.  Sizes are
 * shares of the time, of self time where ops hold others.  roofline.c is the view, roof_act.c what keys
 * do, roof_points.c makes rows and points from the database, roof_plot.c maps and draws them (no views, no
 * database: what is tested alone), roof_card.c what stands beside. */
#ifndef VIEW_ROOFLINE_ROOFLINE_H
#define VIEW_ROOFLINE_ROOFLINE_H

#include "analyze/ops/roofline.h"
#include "core/view.h"
#include "view/ops/tables.h"

/* of the ridge; NO_SIDE: no FLOPs, or no peaks */
enum roof_side { ROOF_COMPUTE_SIDE, ROOF_MEMORY_SIDE, ROOF_NO_SIDE };

struct roof_point {
	double x, y;       /* log10 of FLOP/B and FLOP/s; of no meaning unless plotted */
	double share, use; /* of the time; of the roof above it, NAN = not known */
	enum roof_side side;
	bool plotted, shown, above; /* has FLOPs and bytes; the filter leaves it; above the roof */
	int row, col;               /* cell of the screen, roofline_view_plot_place() */
};

struct roof_plot {
	struct rect a;      /* of the points; the axes stand at its left and below */
	int x0, x1, y0, y1; /* decades at its edges */
	double flops, bw;   /* peaks, FLOP/s and B/s; 0 = not known */
	const char *memory;
	struct roof_point *v;
	size_t n; /* largest share first */
	struct roof_point program;
};

/* columns of the axis at the left; rows of axis, its title and legend below */
enum { ROOF_AXIS = 8, ROOF_BELOW = 3 };

/* whole decades with the points and the ridge, as many as `a` has room for */
void roofline_view_plot_fit(struct roof_plot *);
int roofline_view_plot_col(const struct roof_plot *, double x); /* cells of the screen, inside `a` */
/* third of the cell: 0 upper, 1, 2 lower; may be NULL */
int roofline_view_plot_row(const struct roof_plot *, double y, int *third);
void roofline_view_plot_place(struct roof_plot *);
/* The nearest point that way (one of dy, dx is ±1), the largest of its cell; `at` when there is none. */
size_t roofline_view_plot_step(const struct roof_plot *, size_t at, int dy, int dx);
/* next point of the same cell, round */
size_t roofline_view_plot_same(const struct roof_plot *, size_t at, int dir);
size_t roofline_view_plot_at(const struct roof_plot *, int y, int x); /* SIZE_MAX = none near */
/* at: the cursor's, SIZE_MAX none */
void roofline_view_plot_draw(const struct roof_plot *, struct canvas *, size_t at);
enum role roofline_view_role(const struct roof_point *);

enum { ROOF_FAR = 12 };

struct roof_view {
	struct op_table t; /* frame, sheet */
	struct table table;
	const uint32_t *op; /* of each row: index in t.db */
	uint32_t *ops;      /* owns op */
	struct roof_plot plot;
	enum roof_memory memory;
	bool only, without_transfers, as_table;
	double time[ROOF_NO_SIDE + 1], idle; /* shares of the time by side */
	double program_use;
	uint32_t far[ROOF_FAR];
	size_t nfar;    /* rows that lose most below the roof */
	size_t plotted; /* of those that the filter leaves */
};

void roofline_view_look_from(struct roof_view *,
    enum roof_memory); /* points; HBM where the peak is not known */
/* a plot that would be too small is the table */
bool roofline_view_is_plot(const struct roof_view *, struct rect);

/* roof_points.c */
void roofline_view_make_rows(struct roof_view *, const struct dump *);
void roofline_view_make_points(struct roof_view *);    /* seen from the memory chosen */
void roofline_view_look_at_filter(struct roof_view *); /* what it leaves, and what of that loses most */

/* roof_act.c */
unsigned roofline_view_keys(struct view *, enum action, int count);
unsigned roofline_view_act(struct view *, enum action, int count);
unsigned roofline_view_press(struct view *, const struct mouse *);
bool roofline_view_shows_plot(const struct view *);      /* as drawn last */
bool roofline_view_is_plotted(const struct roof_view *); /* the op selected is on the plot */

/* roof_card.c: row SIZE_MAX = none */
void roofline_view_card_beside(const struct roof_view *, const struct dump *, struct canvas *, struct rect,
    size_t row);
void roofline_view_card_below(const struct roof_view *, const struct dump *, struct canvas *, struct rect,
    size_t row);

#endif
