/* The time of the rows that a table of ops shows, as bars: HLO stats by category, by FLOP rate and, where there
 * are several, by program; framework ops of the device and of the host by type.  A bar is made of kinds of time,
 * in their colors.  Offloaded ops run beside others and are in no bar, as they are in no sum.  The charts are
 * made again when the rows change (sheet.made).  The owner frees them (ops_charts_free); for one thread. */
#ifndef VIEW_OPS_CHARTS_H
#define VIEW_OPS_CHARTS_H

#include "analyze/device/kinds.h"
#include "analyze/ops/profile.h"
#include "base/text/slice.h"
#include "core/paint/canvas.h"

struct op_table;

struct ops_bar {
	struct slice label; /* belongs to the table or to the code */
	double us, kind[KIND_COUNT];
};

enum { OPS_CHARTS = 3 };

struct ops_chart {
	const struct ops_chart_kind *what; /* NULL: not shown */
	struct ops_bar *bar;               /* largest first, or rates from the highest to the lowest */
	size_t n, cap;
	double us;
};

struct ops_charts {
	struct ops_chart v[OPS_CHARTS];
	const struct dump *dump; /* borrowed */
	struct op_program_names programs;
	unsigned long made; /* the rows they were made from, as sheet.made; 0: none */
};

void ops_charts_make(struct ops_charts *, const struct op_table *, const struct dump *);
void ops_charts_free(struct ops_charts *);
/* rows that they take one below the other, with all bars */
int ops_charts_rows(const struct ops_charts *);
/* Draws as many as there is room for, side by side where `across` is set; the bars with the selected row are
 * marked.  Returns the row below. */
int ops_charts_draw(const struct ops_charts *, const struct op_table *, struct canvas *, struct rect,
    bool across);

#endif
