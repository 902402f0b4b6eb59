/* Steps as columns of a chart, for the views where h and l choose a step: a column per step, or, with more
 * steps than columns, the slowest step of each bucket.  Numbers and values are below the chart, the chosen
 * step marked with ▲; without room for all, every n-th number and only the chosen step's value.  The owner
 * frees it (step_cols_free); for one thread. */
#ifndef WIDGET_STEP_COLS_H
#define WIDGET_STEP_COLS_H

#include "widget/chart.h"

struct step_cols {
	struct chart chart; /* the owner sets v, nparts, part, top, line */
	size_t n;           /* steps */
	size_t *step;       /* the step shown in each column */
	double *v;          /* room for the chart's values: [ncol][nparts] */
};

/* Makes as many columns as fit `cols` cells (with the axis); height: [n]. */
void step_cols_fit(struct step_cols *, size_t n, const double *height, size_t nparts, int cols);
void step_cols_free(struct step_cols *);
size_t step_cols_of(const struct step_cols *, size_t step); /* the column of a step */
/* the step under a cell, SIZE_MAX = none */
size_t step_cols_at(const struct step_cols *, struct rect chart, int x);

struct step_labels {
	const char *(*number)(const void *ctx, size_t step);
	double (*value)(const void *ctx, size_t step);
	const void *ctx;
	const char *head, *unit; /* labels at the left of the numbers and values */
};

/* Draws row `y` (numbers) and row y + 1 (values). */
void step_cols_labels(const struct step_cols *, struct canvas *, struct rect chart, int y, size_t here,
    const struct step_labels *);

/* draws one more row of values */
void step_cols_values(const struct step_cols *, struct canvas *, struct rect chart, int y, size_t here,
    const struct step_labels *);

/* "4.78", "41.2", "350", "12.3k": at most 5 cells; "–" for NaN */
const char *short_number(char *buf, size_t size, double);

/* Draws, in place of the chart, why there are no steps and how to get some. */
void step_cols_none(bool tpu, bool of_result, struct canvas *, struct rect);

#endif
