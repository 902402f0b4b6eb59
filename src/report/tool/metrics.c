#include "config.h"
#include "report/tool/ptxla.h"

#include "analyze/ptxla/tables/changes.h"

#include <stdlib.h>
#include <string.h>

/* The rows of the last reports, which are those that count. */
static void put_last(struct report *r, const struct ptxla *x, enum ptxla_table which)
{
	size_t n, *last = ptxla_last_reports(x, &n);
	struct table all, t;

	table_begin(&all, &ptxla_schema[which]);
	for (size_t i = 0; i < n; i++) {
		ptxla_table(x, which, last[i], &t);
		for (size_t k = 0; k < t.nrows; k++) {
			struct cell *to = table_row(&all);

			for (size_t c = 0; c < t.ncolumns; c++) {
				to[c] = t.cells[k * t.ncolumns + c];
				if (to[c].type == CELL_STR)
					to[c].s = table_copy(&all, to[c].s, to[c].n);
			}
		}
		table_free(&t);
	}
	table_sort(&all, which == PTXLA_COUNTERS ? "value" : "sum", NULL);
	if (which == PTXLA_COUNTERS) /* those that are not lowered come first */
		table_sort(&all, "class", NULL);
	if (all.nrows)
		report_whole(r, ptxla_table_name[which], &all);
	table_free(&all);
	free(last);
}

static void put_people(struct report *r, const struct ptxla *x)
{
	static const enum ptxla_table shown[] = { PTXLA_TIMES, PTXLA_DATA, PTXLA_COUNTS, PTXLA_COUNTERS };
	struct table notices, changes;

	report_ptxla_findings(r, x);
	ptxla_changes(x, &changes);
	if (changes.nrows)
		report_whole(r, "changes", &changes);
	table_free(&changes);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		put_last(r, x, shown[i]);
	ptxla_table(x, PTXLA_NOTICES, SIZE_MAX, &notices);
	if (notices.nrows)
		report_whole(r, "notices", &notices);
	table_free(&notices);
}

static const struct ptxla_form form = {
	.tool = "metrics",
	.nothing =
	    "no metrics report of PyTorch/XLA; name a text with torch_xla.debug.metrics.metrics_report(), or "
	    "what XLA_METRICS_FILE names",
	.has = ptxla_has_metrics,
	.summary = ptxla_metrics_summary,
	.most = PTXLA_METRICS,
	.tables = { PTXLA_FINDINGS, PTXLA_METRICS, PTXLA_PERCENTILES, PTXLA_COUNTERS, PTXLA_NOTICES,
	    PTXLA_CHANGES },
	.n = 6,
	.people = put_people,
};

int report_metrics(struct capture *c, const struct report_options *o, FILE *out, struct err *e)
{
	return report_ptxla(c, o, out, &form, e);
}
