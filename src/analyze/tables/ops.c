#include "config.h"
#include "analyze/tables/ops.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ops/roofline.h"
#include "base/clamp.h"

/* A row of hlo_stats: its op, and numbers that several columns use. */
struct hlo_row {
	const struct dump *dump;
	const struct opdb *db;
	const struct op *op;
	unsigned flags;
	int64_t rank;
	double time, self, runs, percent, cumulative; /* ps */
	struct roof roof;
};

struct framework_op {
	const struct framework_row *op;
	bool device;
	unsigned flags;
	int64_t rank;
	double time, self, runs, share, cumulative; /* ps */
	struct roof roof;
};

unsigned tables_flags(const struct opdb *db, bool people)
{
	return (people || db->converted ? OPS_FOR_PEOPLE : 0) | (people ? OPS_WORDS : 0) |
	    (db->converted ? OPS_LOSES_TEXTS : 0) | (opdb_lacks_flops(db) ? OPS_NO_FLOPS : 0);
}

struct cell tables_text(struct slice t)
{
	return cell_str(t.s, t.n);
}

struct cell tables_program(struct arena *text, const struct op *o)
{
	char s[24];
	size_t n = (size_t)snprintf(s, sizeof s, "%" PRIu64, o->program);

	return o->module ? cell_null() : cell_str(arena_strndup(text, s, n), n);
}

struct cell tables_count(struct arena *text, int64_t v)
{
	char s[24];
	size_t n = (size_t)snprintf(s, sizeof s, "%" PRId64, v);

	return v <= OPS_EXACT && v >= -OPS_EXACT ? cell_int(v) : cell_str(arena_strndup(text, s, n), n);
}

struct cell tables_us(double ps)
{
	return cell_num(ps / 1e6);
}

struct cell tables_rate(double v)
{
	return tables_possible_rate(v, false);
}

struct cell tables_possible_rate(double v, bool beyond)
{
	return v > 0 ? cell_rate(v, beyond) : cell_null();
}

struct cell tables_hbm_rate(const struct opsum *s, const struct roof *r)
{
	return opsum_knows_hbm(s) ? cell_rate(r->bw[ROOF_HBM], r->beyond[ROOF_HBM]) : cell_null();
}

/* o: NULL = not of the device */
static struct cell bound(const struct roof *r, const struct op *o, unsigned flags)
{
	const char *by = flags & OPS_WORDS ? roof_bound(r, o) : r->bound_by;

	if (!by || flags & OPS_NO_FLOPS || (flags & OPS_FOR_PEOPLE && !strcmp(by, "Unknown")))
		return cell_null();
	return cell_strz(by);
}

static bool is_rematerialized(const struct op *o)
{
	struct slice head = o->expression;
	const char *eq = head.n ? memchr(head.s, '=', head.n) : NULL;

	if (eq)
		head.n = (size_t)(eq - head.s);
	return slice_find(head, ".remat") || slice_find(o->provenance, "/rematted_computation/");
}

static struct cell yes_no(bool yes)
{
	return cell_strz(yes ? "Yes" : "No");
}

/* A converted trace that does not state a text may have lost it. */
static struct cell text_or_null(struct slice t, unsigned flags)
{
	return flags & OPS_LOSES_TEXTS && !t.n ? cell_null() : tables_text(t);
}

/* Without the framework op a No is not known. */
static struct cell yes_or_null(const struct hlo_row *r, bool yes)
{
	return r->flags & OPS_LOSES_TEXTS && !yes && !r->op->provenance.n ? cell_null() : yes_no(yes);
}

static struct cell rematerialized(const struct hlo_row *r)
{
	return yes_or_null(r, is_rematerialized(r->op));
}

static struct cell talks_to_host(const struct hlo_row *r)
{
	return yes_or_null(r, op_talks_to_host(r->op));
}

/* Where FLOPs and bytes come from: the compiler, in the op's metadata, or the events of a custom call. */
static struct cell cost_source(const struct op *o)
{
	bool metadata = o->sum.flops > 0 || o->sum.bytes > 0,
	     events = o->event_flops > 0 || o->event_bytes > 0;

	return events ? cell_strz("event") : metadata ? cell_strz("metadata") : cell_null();
}

static struct cell dma_stall(const struct hlo_row *r)
{
	double dma = (double)r->op->sum.dma;

	return dma != 0 ? cell_num(safe_div(dma, r->time)) : cell_null();
}

static struct cell parent_name(const struct hlo_row *r)
{
	uint32_t parent = r->op->parent;

	return parent == OP_NONE ? cell_strz("") : tables_text(op_short_name(r->dump, &r->db->v[parent]));
}

static struct cell event_flop_rate(const struct hlo_row *r)
{
	double flops = r->op->event_flops;

	return flops > 0 ? cell_num(safe_div(flops, r->time / 1e3)) : cell_null();
}

static struct cell event_bandwidth(const struct hlo_row *r)
{
	double bytes = r->op->event_bytes;

	return bytes > 0 ? cell_num(safe_div(bytes, r->time / 1e3) / GIB_PER_GB) : cell_null();
}

/* A share of the device or of the host; rows of the other side have none. */
static struct cell side(bool here, double share)
{
	return here ? cell_num(share) : cell_null();
}

#define SCHEMA hlo
#define SCHEMA_ROW struct hlo_row
#define SCHEMA_DEF "analyze/tables/hlo_stats.def"
#include "result/schema_def.h"

#define SCHEMA framework
#define SCHEMA_ROW struct framework_op
#define SCHEMA_DEF "analyze/tables/framework_ops.def"
#include "result/schema_def.h"

const struct schema hlo_schema = {
	SCHEMA_COLUMNS(hlo_columns),
	.view =
	    "-rank total_self_time total_self_time_percent cumulative_total_self_time_percent occurrences "
	    "-total_time avg_time -avg_self_time normalized_flop_rate -model_flop_rate hbm_bw "
	    "-measured_memory_bw -cmem_read_bw -cmem_write_bw hbm_operational_intensity "
	    "-operational_intensity -dma_stall_percent "
	    "bound_by category hlo_op_name tf_op_name -source_info -source_stack -hlo_op_expression "
	    "-parent_op_name -program_id",
	.text =
	    "rank total_self_time total_self_time_percent occurrences avg_time normalized_flop_rate hbm_bw "
	    "hbm_operational_intensity bound_by category hlo_op_name",
};

const struct schema framework_schema = {
	SCHEMA_COLUMNS(framework_columns),
	.view = "-rank host_or_device total_self_time device_total_self_time_percent "
		"device_cumulative_total_self_time_percent host_total_self_time_percent "
		"-Host_cumulative_total_self_time_percent occurrences -total_time avg_time -avg_self_time "
		"measured_flop_rate -model_flop_rate measured_memory_bw operational_intensity bound_by type "
		"operation",
	.text =
	    "rank host_or_device total_self_time device_total_self_time_percent "
	    "host_total_self_time_percent occurrences measured_flop_rate measured_memory_bw bound_by type "
	    "operation",
};

static void add_hlo_row(const struct dump *d, const struct opdb *db, const struct op *o, unsigned flags,
    double *cumulative, struct table *t)
{
	const struct opsum *s = &o->sum;
	struct hlo_row r = { .dump = d,
		.db = db,
		.op = o,
		.flags = flags,
		.rank = (int64_t)t->nrows + 1,
		.time = (double)s->time,
		.self = (double)s->self,
		.runs = (double)s->occurrences,
		.percent = 100 * safe_div((double)s->self, (double)db->total) };

	roof_of(s, &db->peaks, &r.roof);
	*cumulative += o->sparse ? 0 : r.percent;
	r.cumulative = *cumulative;
	table_add(t, &r);
}

static void add_framework_row(struct table *t, const struct framework_row *x, const struct op_peaks *p,
    bool device, unsigned flags, double share, double cumulative)
{
	const struct opsum *s = &x->sum;
	struct framework_op r = { .op = x,
		.device = device,
		.flags = flags,
		.rank = (int64_t)t->nrows + 1,
		.time = (double)s->time,
		.self = (double)s->self,
		.runs = (double)s->occurrences,
		.share = share,
		.cumulative = cumulative };

	roof_of(s, p, &r.roof);
	table_add(t, &r);
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

void tables_hlo_stats(const struct dump *d, const struct opdb *db, unsigned flags, struct table *t)
{
	double cumulative = 0;

	table_begin(t, &hlo_schema);
	for (size_t i = 0; i < db->n; i++)
		add_hlo_row(d, db, &db->v[i], flags, &cumulative, t);
}

void tables_framework(const struct framework *f, const struct op_peaks *p, unsigned flags, struct table *t)
{
	table_begin(t, &framework_schema);
	add_framework_rows(t, &f->device, p, true, flags);
	add_framework_rows(t, &f->host, p, false, flags);
}

double tables_custom_calls(const struct opdb *db)
{
	double sum = 0;

	for (size_t i = 0; i < db->n; i++)
		if (slice_is(db->v[i].category, "custom-call"))
			sum += (double)db->v[i].sum.self;
	return 100 * safe_div(sum, (double)db->op_time);
}

/* A node of the tree and its numbers. */
struct profile_node {
	const struct op_node *node;
	int level;
	bool times, counts, flops, hbm;
	struct op_use use;
};

static struct cell num_if(double v, bool is)
{
	return is ? cell_num(v) : cell_null();
}

static struct cell node_name(const struct op_node *x, struct arena *text)
{
	char *name = xasprintf("%.*s%s", (int)x->name.n, x->name.s,
	    x->kind == NODE_DUPLICATES ? " and its duplicate(s)" : "");
	struct cell c = cell_str(arena_strndup(text, name, strlen(name)), strlen(name));

	free(name);
	return c;
}

#define SCHEMA profile
#define SCHEMA_ROW struct profile_node
#define SCHEMA_DEF "analyze/tables/op_profile.def"
#include "result/schema_def.h"

const struct schema profile_schema = { SCHEMA_COLUMNS(profile_columns) };

static void add_nodes(struct table *t, const struct opprofile *p, const struct op_node *x, int level)
{
	struct profile_node r = { .node = x,
		.level = level,
		.times = p->knows & KNOWS_TIME && x->kind != NODE_PART,
		.counts = p->knows & KNOWS_COUNT && x->kind != NODE_PART,
		.flops = p->knows & KNOWS_FLOPS,
		.hbm = p->knows & KNOWS_HBM };

	opprofile_use(p, x, &r.use);
	table_add(t, &r);
	for (size_t i = 0; i < x->n; i++)
		add_nodes(t, p, x->child[i], level + 1);
}

void tables_profile(const struct opprofile *p, struct table *t)
{
	table_begin(t, &profile_schema);
	if (p)
		add_nodes(t, p, p->root, 0);
}
