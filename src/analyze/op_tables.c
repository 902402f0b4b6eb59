#include "config.h"
#include "analyze/op_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/roofline.h"

static const struct column hlo_columns[] = {
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
	{ "cost_source", "cost from", "", COL_STRING },
	{ "event_flop_rate", "FLOP rate of events", "GFLOP/s", COL_NUMBER },
	{ "event_memory_bw", "memory BW of events", "GiB/s", COL_NUMBER },
};

static const struct column framework_columns[] = {
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

struct cell ops_text(struct slice t)
{
	return cell_str(t.s, t.n);
}

struct cell ops_program(struct table *t, uint64_t program)
{
	char text[24];
	size_t n = (size_t)snprintf(text, sizeof text, "%" PRIu64, program);

	return cell_str(table_copy(t, text, n), n);
}

struct cell ops_count(struct table *t, int64_t v)
{
	char text[24];
	size_t n = (size_t)snprintf(text, sizeof text, "%" PRId64, v);

	return v <= OPS_EXACT && v >= -OPS_EXACT ? cell_int(v) : cell_str(table_copy(t, text, n), n);
}

struct cell ops_us(double ps)
{
	return cell_num(ps / 1e6);
}

/* A rate of 0: nothing was stated. */
static struct cell rate(double v, unsigned flags)
{
	return flags & OPS_UNKNOWN_NULL && !(v > 0) ? cell_null() : cell_num(v);
}

static struct cell bound(const struct roof *r, unsigned flags)
{
	if (flags & OPS_UNKNOWN_NULL && !strcmp(r->bound_by, "Unknown"))
		return cell_null();
	return cell_str(r->bound_by, strlen(r->bound_by));
}

static struct cell word(const char *s)
{
	return cell_str(s, strlen(s));
}

static bool has(struct slice t, const char *part)
{
	return memmem(t.s, t.n, part, strlen(part)) != NULL;
}

static bool ends(struct slice t, const char *tail)
{
	size_t n = strlen(tail);

	return t.n >= n && !memcmp(t.s + t.n - n, tail, n);
}

static bool is_rematerialized(const struct op *o)
{
	struct slice head = o->expression;
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

/* Who states the FLOPs and bytes: the compiler, in the op's metadata, or the events of a custom call. */
static struct cell cost_source(const struct op *o)
{
	bool metadata = o->sum.flops > 0 || o->sum.bytes > 0,
	     events = o->event_flops > 0 || o->event_bytes > 0;

	return events ? word("event") : metadata ? word("metadata") : cell_null();
}

static void add_hlo_row(const struct dump *d, const struct opdb *db, const struct op *o, unsigned flags,
    double *cumulative, struct table *t)
{
	const struct opsum *s = &o->sum;
	double ns = (double)s->time / 1e3, n = (double)s->occurrences;
	double percent = 100 * safe_div((double)s->self, (double)db->total);
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
	*c++ = ops_count(t, s->occurrences);
	*c++ = ops_us((double)s->time);
	*c++ = ops_us(safe_div((double)s->time, n));
	*c++ = ops_us((double)s->self);
	*c++ = ops_us(safe_div((double)s->self, n));
	*c++ = cell_num(percent);
	*c++ = cell_num(*cumulative);
	*c++ = s->dma ? cell_num(safe_div((double)s->dma, (double)s->time)) : rate(0, flags);
	*c++ = rate(r.model_rate, flags);
	*c++ = rate(r.flop_rate, flags);
	*c++ = rate(r.all_bw, flags);
	*c++ = rate(r.bw[ROOF_HBM], s->has_mem ? 0 : flags); /* a breakdown without HBM is an answer */
	*c++ = rate(r.bw[ROOF_CMEM_RD], flags);
	*c++ = rate(r.bw[ROOF_CMEM_WR], flags);
	*c++ = rate(r.all_intensity, flags);
	*c++ = bound(&r, flags);
	*c++ = yes_no(is_rematerialized(o));
	*c++ = yes_no(is_outside(o));
	*c++ = yes_no(false);
	*c++ = ops_text(o->source);
	*c++ = ops_text(o->stack);
	*c++ = word(o->sparse ? "SparseCore" : "TensorCore");
	*c++ = o->parent == OP_NONE ? word("") : ops_text(op_short_name(d, &db->v[o->parent]));
	*c++ = rate(0, flags); /* stated nowhere */
	*c++ = cost_source(o);
	*c++ = o->event_flops > 0 ? cell_num(safe_div(o->event_flops, ns)) : cell_null();
	*c = o->event_bytes > 0 ? cell_num(safe_div(o->event_bytes, ns) / GIB_PER_GB) : cell_null();
}

/* A share of the one side; the rows of the other have none. */
static struct cell side(bool here, double share, unsigned flags)
{
	return here ? cell_num(share) : rate(0, flags);
}

static void add_framework_row(struct table *t, const struct framework_row *x, const struct op_peaks *p,
    bool device, unsigned flags, double share, double cumulative)
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
	*c++ = ops_count(t, s->occurrences);
	*c++ = ops_us((double)s->time);
	*c++ = ops_us(safe_div((double)s->time, n));
	*c++ = ops_us((double)s->self);
	*c++ = ops_us(safe_div((double)s->self, n));
	*c++ = side(device, share, flags);
	*c++ = side(device, cumulative, flags);
	*c++ = side(!device, share, flags);
	*c++ = side(!device, cumulative, flags);
	*c++ = rate(r.flop_rate, flags);
	*c++ = rate(r.model_rate, flags);
	*c++ = rate(r.all_bw, flags);
	*c++ = rate(r.all_intensity, flags);
	*c++ = bound(&r, flags);
	*c = word("Function");
}

static void add_framework_rows(struct table *t, const struct framework_table *f, const struct op_peaks *p,
    bool device, unsigned flags)
{
	bool with_idle = flags & OPS_WITH_IDLE;
	double total = (double)(with_idle ? f->total : f->op_time), cumulative = 0;

	for (size_t i = 0; i < f->n; i++) {
		double share = safe_div((double)f->v[i].sum.self, total);

		if (!with_idle && framework_is_idle(&f->v[i]))
			continue;
		cumulative += share;
		add_framework_row(t, &f->v[i], p, device, flags, share, cumulative);
	}
}

void ops_hlo_stats(const struct dump *d, const struct opdb *db, unsigned flags, struct table *t)
{
	double cumulative = 0;

	table_init(t, hlo_columns, sizeof hlo_columns / sizeof *hlo_columns);
	for (size_t i = 0; i < db->n; i++)
		add_hlo_row(d, db, &db->v[i], flags, &cumulative, t);
}

void ops_framework_empty(struct table *t)
{
	table_init(t, framework_columns, sizeof framework_columns / sizeof *framework_columns);
}

void ops_framework(const struct framework *f, const struct op_peaks *p, unsigned flags, struct table *t)
{
	ops_framework_empty(t);
	add_framework_rows(t, &f->device, p, true, flags);
	add_framework_rows(t, &f->host, p, false, flags);
}

double ops_custom_calls(const struct opdb *db)
{
	double sum = 0;

	for (size_t i = 0; i < db->n; i++)
		if (slice_is(db->v[i].category, "custom-call"))
			sum += (double)db->v[i].sum.self;
	return 100 * safe_div(sum, (double)db->op_time);
}

static const struct column profile_columns[] = {
	{ "level", "level", "", COL_INTEGER },
	{ "name", "name", "", COL_STRING },
	{ "time", "time", "fraction", COL_NUMBER },
	{ "wasted", "wasted", "fraction", COL_NUMBER },
	{ "total_time", "total time", "us", COL_NUMBER },
	{ "occurrences", "occurrences", "", COL_INTEGER },
	{ "flops_utilization", "FLOPS", "fraction", COL_NUMBER },
	{ "hbm_utilization", "HBM", "fraction", COL_NUMBER },
};

static struct cell known(double v, bool is)
{
	return is && !isnan(v) ? cell_num(v) : cell_null();
}

static void add_nodes(struct table *t, const struct opprofile *p, const struct op_node *x, int level)
{
	bool flops = p->knows & KNOWS_FLOPS, times = p->knows & KNOWS_TIME, counts = p->knows & KNOWS_COUNT;
	char *name = xasprintf("%.*s%s", (int)x->name.n, x->name.s,
	    x->kind == NODE_DUPLICATES ? " and its duplicate(s)" : "");
	struct cell *c = table_row(t);
	struct op_use u;

	opprofile_use(p, x, &u);
	*c++ = cell_int(level);
	*c++ = cell_str(table_copy(t, name, strlen(name)), strlen(name));
	*c++ = known(u.share, true);
	*c++ = known(u.wasted, true);
	*c++ = times && x->kind != NODE_PART ? ops_us((double)x->sum.time) : cell_null();
	*c++ = counts && x->kind != NODE_PART ? cell_int(x->sum.occurrences) : cell_null();
	*c++ = known(safe_div(u.uncapped, u.share), flops);
	*c = known(u.bandwidth[0], p->knows & KNOWS_HBM);
	free(name);
	for (size_t i = 0; i < x->n; i++)
		add_nodes(t, p, x->child[i], level + 1);
}

void ops_profile(const struct opprofile *p, struct table *t)
{
	table_init(t, profile_columns, sizeof profile_columns / sizeof *profile_columns);
	if (p)
		add_nodes(t, p, p->root, 0);
}
