#include "config.h"
#include "report/reports.h"

#include <string.h>

#include "analyze/tables/legacy_framework.h"
#include "analyze/tables/ops.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"

static void put_tables(struct report *r, const struct report_options *o, const struct table *t)
{
	for (int i = 0; i < 2; i++)
		if (!o->table || report_is_table(o, "framework_ops", i))
			report_whole(r, report_table_name("framework_ops", i), &t[i]);
}

static int from_file(const struct dump *d, const struct report_options *o, FILE *f,
    const struct toolfile *file, size_t more, struct err *e)
{
	struct table t[2];
	struct report *r;
	bool there[2];
	int bad = 0;

	for (int i = 0; i < 2; i++) {
		there[i] = legacy_framework_ops(file, i == 0, &t[i]);
		bad |= report_order(o, &t[i], e);
	}
	if (!bad) {
		r = report_begin(f, o->format, o->width, "framework_ops", d);
		report_tool_warnings(r, d, file, more);
		for (int i = 0; i < 2; i++)
			if (!there[i])
				report_warning(r, "the file has no table %s",
				    report_table_name("framework_ops", i));
		put_tables(r, o, t);
		bad = report_end(r, e);
	}
	table_free(&t[0]);
	table_free(&t[1]);
	return bad ? -1 : EXIT_OK;
}

int report_framework_ops(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->dump;
	const struct toolfile *file;
	const struct op_set *ops;
	struct framework framework;
	struct table t[2];
	struct report *r;
	size_t more;
	unsigned flags;
	bool part = o->step || o->module;
	int bad = 0;

	if (report_check(c, o, e) || !capture_get(c, RESULT_OPS, NULL, e))
		return -1;
	if ((file = capture_file(c, FILE_FRAMEWORK_OPS, &more)))
		return from_file(d, o, f, file, more, e);
	if (!(ops = capture_get(c, RESULT_TABLE_OPS, NULL, e)))
		return -1;
	flags = tables_flags(ops->db, o->format == REPORT_TEXT);
	framework_ops(d, ops->db, &(struct framework_host_options){ .host = o->host }, &framework);
	if (part)
		framework.host.n = 0;
	for (int i = 0; i < 2; i++) {
		tables_framework(&framework, &ops->db->peaks, flags | (i ? 0 : OPS_WITH_IDLE), &t[i]);
		bad |= report_order(o, &t[i], e);
	}
	if (!bad) {
		r = report_begin(f, o->format, o->width, "framework_ops", d);
		report_op_warnings(r, d, ops->db);
		if (part)
			report_warning(r,
			    "ops of the host belong to no step or module of the device: left out");
		put_tables(r, o, t);
		bad = report_end(r, e);
	}
	table_free(&t[0]);
	table_free(&t[1]);
	framework_free(&framework);
	return bad ? -1 : EXIT_OK;
}
