#include "config.h"
#include "report/reports.h"

#include <string.h>

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

/* Text has the rows of idle time first; the tables of a result stand the other way round. */
static void make_tables(const struct framework_set *s, const struct op_set *ops,
    const struct report_options *o, struct table t[2])
{
	struct framework shown = s->f;
	unsigned flags = tables_flags(ops->db, o->format == REPORT_TEXT);

	if (o->step || o->module)
		shown.host.n = 0;
	for (int i = 0; i < 2; i++)
		if (s->file)
			table_begin_like(&t[i], &s->table[!i]);
		else
			tables_framework(&shown, &ops->db->peaks, flags | (i ? 0 : OPS_WITH_IDLE), &t[i]);
}

static void put_warnings(struct report *r, const struct dump *d, const struct framework_set *s,
    const struct op_set *ops, const struct report_options *o)
{
	if (s->file)
		report_file_warnings(r, d, s->file, o->host);
	else
		report_op_warnings(r, d, ops->db);
	for (int i = 0; i < 2 && s->file; i++)
		if (s->lacks[!i])
			report_warning(r, "the file has no table %s", report_table_name("framework_ops", i));
	if (!s->file && (o->step || o->module))
		report_warning(r, "ops of the host belong to no step or module of the device: left out");
}

int report_framework_ops(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct framework_set *s;
	const struct op_set *ops;
	struct table t[2];
	struct report *r;
	int bad;

	if (report_check(c, o, e) || !(s = capture_get(c, RESULT_FRAMEWORK, NULL, e)))
		return -1;
	ops = capture_has(c, RESULT_TABLE_OPS);
	make_tables(s, ops, o, t);
	bad = report_order(o, &t[0], e) || report_order(o, &t[1], e);
	if (!bad) {
		r = report_open(o, f, "framework_ops", c->base);
		put_warnings(r, c->base, s, ops, o);
		put_tables(r, o, t);
		bad = report_end(r, e);
	}
	table_free(&t[0]);
	table_free(&t[1]);
	return bad ? -1 : EXIT_OK;
}
