#include "config.h"
#include "report/reports.h"

#include "analyze/tables/ops.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"

int report_hlo_stats(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->base;
	const struct op_set *ops;
	struct table t;
	struct report *r;
	double custom;

	if (report_check(c, o, e) || !(ops = capture_get(c, RESULT_TABLE_OPS, NULL, e)))
		return -1;
	tables_hlo_stats(d, ops->db, tables_flags(ops->db, o->format == REPORT_TEXT), &t);
	if (report_order(o, &t, e)) {
		table_free(&t);
		return -1;
	}
	custom = tables_custom_calls(ops->db);
	r = report_open(o, f, "hlo_stats", d);
	report_op_warnings(r, d, ops->db);
	report_custom_warning(r, custom);
	report_sum_num(r, "total_time_us", (double)ops->db->total / 1e6);
	report_sum_num(r, "op_time_us", (double)ops->db->op_time / 1e6);
	report_sum_num(r, "custom_call_self_time_percent", custom);
	report_whole(r, NULL, &t);
	table_free(&t);
	return report_end(r, e) ? -1 : EXIT_OK;
}
