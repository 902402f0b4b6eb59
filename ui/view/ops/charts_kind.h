/* What a chart of ops is about (view/ops/charts.h): which rows count, and what each is counted as.  Pure
 * functions of the table. */
#ifndef VIEW_OPS_CHARTS_KIND_H
#define VIEW_OPS_CHARTS_KIND_H

#include "view/ops/charts.h"

struct ops_chart_kind {
	const char *title;
	bool (*counts)(const struct op_table *, size_t row);
	struct slice (*label)(const struct op_table *, const struct dump *, size_t row);
	enum time_kind (*kind)(const struct op_table *, const struct dump *, size_t row);
	/* rates: what they are parts of; all bars are shown, in a fixed order.  NULL: no rates */
	void (*rates)(const struct op_table *, char *buf, size_t size);
	bool several; /* says nothing with a single bar */
};

#endif
