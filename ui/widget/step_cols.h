/* Steps as columns of a chart, for the views that walk them with h and l: a column per step, or, with
 * more steps than columns, the tallest step of its bucket.  Below the chart stand numbers and values,
 * the step chosen with ▲; where there is no room for all, every n-th number and the chosen step's value
 * alone.  The owner frees (step_cols_free); one thread. */
#ifndef WIDGET_STEP_COLS_H
#define WIDGET_STEP_COLS_H

#include "widget/chart.h"

struct step_cols {
	struct chart chart; /* the owner sets v, nparts, part, top, line */
	size_t n;           /* steps */
	size_t *step;       /* of each column: the one shown */
	double *v;          /* room for the chart's values: [ncol][nparts] */
};

/* As many columns as `cols` cells (with the axis) hold; height: [n]. */
void step_cols_fit(struct step_cols *, size_t n, const double *height, size_t nparts, int cols);
void step_cols_free(struct step_cols *);
size_t step_cols_of(const struct step_cols *, size_t step); /* its column */
/* step under a cell, SIZE_MAX = none */
size_t step_cols_at(const struct step_cols *, struct rect chart, int x);

struct step_labels {
	const char *(*number)(const void *ctx, size_t step);
	double (*value)(const void *ctx, size_t step);
	const void *ctx;
	const char *head, *unit; /* at the left of the numbers, of the values */
};

/* Rows `y` (numbers) and, with `values`, y + 1. */
void step_cols_labels(const struct step_cols *, struct canvas *, struct rect chart, int y, size_t here,
    const struct step_labels *, bool values);

/* one more row of values */
void step_cols_values(const struct step_cols *, struct canvas *, struct rect chart, int y, size_t here,
    const struct step_labels *);

/* "4.78", "41.2", "350", "12.3k": at most 5 cells; "–" */
const char *short_number(char *buf, size_t size, double);

/* In place of the chart: why there are no steps, and how to have some. */
void step_cols_none(bool tpu, struct canvas *, struct rect);

#endif
