#include "config.h"
#include "report/reports.h"

#include "analyze/tables/ops.h"
#include "report/choose.h"
#include "report/ops_pick.h"
#include "report/warnings.h"

int report_hlo_stats(struct dump *d, const struct report_options *o, FILE *f, struct err *e)
{
	struct opdb db;
	struct table t;
	struct report *r;
	double custom;

	if (report_check(d, o, e))
		return -1;
	if (report_ops_build(d, o, &db, e))
		return -1;
	tables_hlo_stats(d, &db, tables_flags(&db, o->format == REPORT_TEXT), &t);
	if (report_order(o, &t, e)) {
		table_free(&t);
		opdb_free(&db);
		return -1;
	}
	custom = tables_custom_calls(&db);
	r = report_begin(f, o->format, o->width, "hlo_stats", d);
	report_op_warnings(r, d, &db);
	report_custom_warning(r, custom);
	report_sum_num(r, "total_time_us", (double)db.total / 1e6);
	report_sum_num(r, "op_time_us", (double)db.op_time / 1e6);
	report_sum_num(r, "custom_call_self_time_percent", custom);
	report_whole(r, NULL, &t);
	table_free(&t);
	opdb_free(&db);
	return report_end(r, e) ? -1 : EXIT_OK;
}
