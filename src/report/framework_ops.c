#include "config.h"
#include "report/reports.h"

#include <string.h>

#include "analyze/framework_ops.h"
#include "analyze/roofline.h"
#include "report/ops_part.h"

static const struct column columns[] = {
	{ "rank", "rank", "", COL_INTEGER },
	{ "host_or_device", "where", "", COL_STRING },
	{ "type", "type", "", COL_STRING },
	{ "operation", "operation", "", COL_STRING },
	{ "occurrences", "occurrences", "", COL_INTEGER },
	{ "total_time", "total time", "us", COL_NUMBER },
	{ "avg_time", "avg time", "us", COL_NUMBER },
	{ "total_self_time", "self time", "us", COL_NUMBER },
	{ "avg_self_time", "avg self time", "us", COL_NUMBER },
	{ "device_total_self_time_percent", "device self", "fraction", COL_NUMBER },
	{ "device_cumulative_total_self_time_percent", "device cumulative", "fraction", COL_NUMBER },
	{ "host_total_self_time_percent", "host self", "fraction", COL_NUMBER },
	{ "Host_cumulative_total_self_time_percent", "host cumulative", "fraction", COL_NUMBER },
	{ "measured_flop_rate", "FLOP rate", "GFLOP/s", COL_NUMBER },
	{ "model_flop_rate", "model FLOP rate", "GFLOP/s", COL_NUMBER },
	{ "measured_memory_bw", "memory BW", "GiB/s", COL_NUMBER },
	{ "operational_intensity", "intensity", "FLOP/B", COL_NUMBER },
	{ "bound_by", "bound by", "", COL_STRING },
	{ "eager", "eager", "", COL_STRING },
};
#define NCOLUMNS (sizeof columns / sizeof *columns)

static const char *const for_people[] = { "rank", "host_or_device", "total_self_time",
	"device_total_self_time_percent", "host_total_self_time_percent", "occurrences", "measured_flop_rate",
	"measured_memory_bw", "bound_by", "type", "operation", NULL };

static struct cell word(const char *s)
{
	return cell_str(s, strlen(s));
}

static void add_row(struct table *t, const struct framework_row *x, const struct op_peaks *p, bool device,
    double share, double cumulative)
{
	const struct opsum *s = &x->sum;
	struct cell *c = table_row(t);
	double n = (double)s->occurrences;
	struct roof r;

	roof_of(s, p, &r);
	*c++ = cell_int((int64_t)t->nrows);
	*c++ = word(device ? "Device" : "Host");
	*c++ = ops_text(x->type);
	*c++ = ops_text(x->name);
	*c++ = cell_int(s->occurrences);
	*c++ = ops_us((double)s->time);
	*c++ = ops_us(safe_div((double)s->time, n));
	*c++ = ops_us((double)s->self);
	*c++ = ops_us(safe_div((double)s->self, n));
	*c++ = cell_num(device ? share : 0);
	*c++ = cell_num(device ? cumulative : 0);
	*c++ = cell_num(device ? 0 : share);
	*c++ = cell_num(device ? 0 : cumulative);
	*c++ = cell_num(r.flop_rate);
	*c++ = cell_num(r.model_rate);
	*c++ = cell_num(r.all_bw);
	*c++ = cell_num(r.all_intensity);
	*c++ = word(r.bound_by);
	*c = word("Function");
}

static void add_rows(
    struct table *t, const struct framework_table *f, const struct op_peaks *p, bool device, bool with_idle)
{
	double total = (double)(with_idle ? f->total : f->op_time), cumulative = 0;

	for (size_t i = 0; i < f->n; i++) {
		double share = safe_div((double)f->v[i].sum.self, total);

		if (!with_idle && framework_is_idle(&f->v[i]))
			continue;
		cumulative += share;
		add_row(t, &f->v[i], p, device, share, cumulative);
	}
}

int report_framework_ops(struct dump *d, const struct report_options *o, FILE *f, struct err *e)
{
	static const char *const names[] = { "with_idle", "without_idle" };
	struct framework framework;
	struct table t[2];
	struct opdb db;
	struct report *r;
	int bad = 0;

	if (ops_check(o, "framework_ops", "with_idle", "without_idle", e))
		return -1;
	ops_build(d, o, &db);
	framework_ops(d, &db, o->host, &framework);
	for (int i = 0; i < 2; i++) {
		table_init(&t[i], columns, NCOLUMNS);
		add_rows(&t[i], &framework.device, &db.peaks, true, i == 0);
		add_rows(&t[i], &framework.host, &db.peaks, false, i == 0);
		bad |= report_order(o, &t[i], e);
	}
	if (!bad) {
		r = report_begin(f, o->format, o->width, "framework_ops", d);
		ops_warnings(r, d, &db);
		for (int i = 0; i < 2; i++)
			if (!o->table || !strcmp(o->table, names[i]))
				ops_table(r, o, names[i], &t[i], for_people);
		bad = report_end(r, e);
	}
	table_free(&t[0]);
	table_free(&t[1]);
	framework_free(&framework);
	opdb_free(&db);
	return bad ? -1 : EXIT_OK;
}
