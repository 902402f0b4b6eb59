#include "config.h"
#include "report/reports.h"

#include <string.h>

#include "analyze/roofline.h"
#include "report/ops_part.h"

static const struct column columns[] = {
	{ "rank", "rank", "", COL_INTEGER },
	{ "program_id", "program id", "", COL_STRING },
	{ "category", "category", "", COL_STRING },
	{ "hlo_op_name", "HLO op", "", COL_STRING },
	{ "hlo_op_expression", "HLO op expression", "", COL_STRING },
	{ "tf_op_name", "framework op", "", COL_STRING },
	{ "occurrences", "occurrences", "", COL_INTEGER },
	{ "total_time", "total time", "us", COL_NUMBER },
	{ "avg_time", "avg time", "us", COL_NUMBER },
	{ "total_self_time", "self time", "us", COL_NUMBER },
	{ "avg_self_time", "avg self time", "us", COL_NUMBER },
	{ "total_self_time_percent", "self", "percent", COL_NUMBER },
	{ "cumulative_total_self_time_percent", "cumulative self", "percent", COL_NUMBER },
	{ "dma_stall_percent", "DMA stall", "fraction", COL_NUMBER },
	{ "model_flop_rate", "model FLOP rate", "GFLOP/s", COL_NUMBER },
	{ "normalized_flop_rate", "FLOP rate", "GFLOP/s", COL_NUMBER },
	{ "measured_memory_bw", "memory BW", "GiB/s", COL_NUMBER },
	{ "hbm_bw", "HBM BW", "GiB/s", COL_NUMBER },
	{ "cmem_read_bw", "CMEM read BW", "GiB/s", COL_NUMBER },
	{ "cmem_write_bw", "CMEM write BW", "GiB/s", COL_NUMBER },
	{ "operational_intensity", "intensity", "FLOP/B", COL_NUMBER },
	{ "bound_by", "bound by", "", COL_STRING },
	{ "hlo_rematerialization", "rematerialized", "", COL_STRING },
	{ "outside_compilation", "outside compilation", "", COL_STRING },
	{ "autotuned", "autotuned", "", COL_STRING },
	{ "source_info", "source", "", COL_STRING },
	{ "source_stack", "source stack", "", COL_STRING },
	{ "core_type", "core type", "", COL_STRING },
	{ "parent_op_name", "parent op", "", COL_STRING },
	{ "vdd_energy", "VDD energy", "J", COL_NUMBER },
};
#define NCOLUMNS (sizeof columns / sizeof *columns)

static const char *const for_people[] = { "rank", "total_self_time", "total_self_time_percent", "occurrences",
	"avg_time", "normalized_flop_rate", "hbm_bw", "operational_intensity", "bound_by", "category",
	"hlo_op_name", NULL };

static struct cell word(const char *s)
{
	return cell_str(s, strlen(s));
}

static bool has(struct optext t, const char *part)
{
	return memmem(t.s, t.n, part, strlen(part)) != NULL;
}

static bool ends(struct optext t, const char *tail)
{
	size_t n = strlen(tail);

	return t.n >= n && !memcmp(t.s + t.n - n, tail, n);
}

static bool is_rematerialized(const struct op *o)
{
	struct optext head = o->expression;
	const char *eq = head.n ? memchr(head.s, '=', head.n) : NULL;

	if (eq)
		head.n = (size_t)(eq - head.s);
	return has(head, ".remat") || has(o->provenance, "/rematted_computation/");
}

static bool is_outside(const struct op *o)
{
	return ends(o->provenance, ":XlaSendToHost") || ends(o->provenance, ":XlaRecvFromHost") ||
	       (has(o->expression, "send-done") && has(o->expression, "is_host_transfer=true"));
}

static struct cell yes_no(bool yes)
{
	return word(yes ? "Yes" : "No");
}

static void add_row(
    const struct dump *d, const struct opdb *db, const struct op *o, double *cumulative, struct table *t)
{
	const struct opsum *s = &o->sum;
	double n = (double)s->occurrences, percent = 100 * safe_div((double)s->self, (double)db->total);
	struct cell *c = table_row(t);
	struct roof r;

	roof_of(s, &db->peaks, &r);
	*cumulative += o->sparse ? 0 : percent;
	*c++ = cell_int((int64_t)t->nrows);
	*c++ = ops_program(t, o->program);
	*c++ = ops_text(o->category);
	*c++ = ops_text(op_short_name(d, o));
	*c++ = ops_text(o->expression);
	*c++ = ops_text(o->provenance);
	*c++ = cell_int(s->occurrences);
	*c++ = ops_us((double)s->time);
	*c++ = ops_us(safe_div((double)s->time, n));
	*c++ = ops_us((double)s->self);
	*c++ = ops_us(safe_div((double)s->self, n));
	*c++ = cell_num(percent);
	*c++ = cell_num(*cumulative);
	*c++ = cell_num(safe_div((double)s->dma, (double)s->time));
	*c++ = cell_num(r.model_rate);
	*c++ = cell_num(r.flop_rate);
	*c++ = cell_num(r.all_bw);
	*c++ = cell_num(r.bw[ROOF_HBM]);
	*c++ = cell_num(r.bw[ROOF_CMEM_RD]);
	*c++ = cell_num(r.bw[ROOF_CMEM_WR]);
	*c++ = cell_num(r.all_intensity);
	*c++ = word(r.bound_by);
	*c++ = yes_no(is_rematerialized(o));
	*c++ = yes_no(is_outside(o));
	*c++ = yes_no(false);
	*c++ = ops_text(o->source);
	*c++ = ops_text(o->stack);
	*c++ = word(o->sparse ? "SparseCore" : "TensorCore");
	*c++ = o->parent == OP_NONE ? word("") : ops_text(op_short_name(d, &db->v[o->parent]));
	*c = cell_num(0);
}

static double custom_call_percent(const struct opdb *db)
{
	double sum = 0;

	for (size_t i = 0; i < db->n; i++)
		if (optext_is(db->v[i].category, "custom-call"))
			sum += (double)db->v[i].sum.self;
	return 100 * safe_div(sum, (double)db->op_time);
}

int report_hlo_stats(struct dump *d, const struct report_options *o, FILE *f, struct err *e)
{
	struct opdb db;
	struct table t;
	struct report *r;
	double cumulative = 0, custom;

	if (report_check(o, "hlo_stats", TAKES_CORE, e))
		return -1;
	ops_build(d, o, &db);
	table_init(&t, columns, NCOLUMNS);
	for (size_t i = 0; i < db.n; i++)
		add_row(d, &db, &db.v[i], &cumulative, &t);
	if (report_order(o, &t, e)) {
		table_free(&t);
		opdb_free(&db);
		return -1;
	}
	custom = custom_call_percent(&db);
	r = report_begin(f, o->format, o->width, "hlo_stats", d);
	ops_warnings(r, d, &db);
	if (custom >= 10)
		report_warning(r,
		    "custom calls take %.1f %% of op time: XLA counts no FLOPs in them, FLOP rates are at "
		    "least what is shown",
		    custom);
	report_sum_num(r, "total_time_us", (double)db.total / 1e6);
	report_sum_num(r, "op_time_us", (double)db.op_time / 1e6);
	report_sum_num(r, "custom_call_self_time_percent", custom);
	ops_table(r, o, NULL, &t, for_people);
	table_free(&t);
	opdb_free(&db);
	return report_end(r, e) ? -1 : EXIT_OK;
}
