#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ops/layout_fit.h"
#include "analyze/ops/roofline.h"
#include "analyze/tables/legacy_op_profile.h"
#include "base/clamp.h"
#include "base/codec/json.h"
#include "capture/results.h"
#include "report/choose.h"
#include "report/warnings.h"
#include "model/hlo.h"

static void put_text(struct json_out *j, const char *key, struct slice t)
{
	json_key(j, key);
	json_str(j, t.s, t.n);
}

static void triple(struct json_out *j, const char *key, const double v[3])
{
	json_key(j, key);
	json_arr(j);
	for (int i = 0; i < 3; i++)
		json_double(j, v[i]);
	json_end(j);
}

static void put_integer(struct json_out *j, const char *key, int64_t v, bool known)
{
	json_key(j, key);
	if (known)
		json_int(j, v);
	else
		json_null(j);
}

/* Writes a count, as a string of digits if a double could not hold it. */
static void put_count(struct json_out *j, const char *key, int64_t v, bool known)
{
	char text[24];

	if (!known || v <= OPS_EXACT) {
		put_integer(j, key, v, known);
		return;
	}
	snprintf(text, sizeof text, "%" PRId64, v);
	json_key(j, key);
	json_strz(j, text);
}

static void metrics(struct json_out *j, const struct opprofile *p, const struct op_node *x)
{
	bool times = p->knows & KNOWS_TIME, counts = p->knows & KNOWS_COUNT;
	double avg = safe_div((double)x->sum.time, (double)x->sum.occurrences);
	struct op_use u;

	opprofile_use(p, x, &u);
	json_key(j, "metrics");
	json_obj(j);
	if (!times) {
		json_key(j, "time");
		json_double(j, u.share);
	}
	put_integer(j, "rawTime", x->sum.time, times);
	json_key(j, "rawFlops");
	json_double(j, times && p->knows & KNOWS_MODEL_COUNT ? x->sum.model_flops : NAN);
	json_key(j, "bf16Flops");
	json_double(j, times && p->knows & KNOWS_FLOP_COUNT ? x->sum.flops : NAN);
	json_key(j, "flops");
	json_double(j, u.flops);
	json_key(j, "uncappedFlops");
	json_double(j, u.uncapped);
	triple(j, "bandwidthUtils", u.bandwidth);
	triple(j, "rawBytesAccessedArray", u.bytes);
	put_count(j, "occurrences", x->sum.occurrences, counts);
	json_key(j, "avgTimePs");
	json_double(j, times && counts ? avg : NAN);
	put_integer(j, "normalizedTimePs", x->sum.normalized, times);
	json_key(j, "wasted");
	json_double(j, u.wasted);
	json_key(j, "utilization");
	json_double(j, u.utilization);
	json_end(j);
}

struct xla {
	struct slice op, expression, provenance, category, source, stack;
	uint64_t program;
	bool no_program;
	struct layout_fit fit;
	const struct shape_dim *dim; /* dimensions that the file states, instead of a fit */
	size_t ndims;
};

static void put_layout(struct json_out *j, const struct xla *x)
{
	const struct fit_shape *f = x->fit.n ? &x->fit.v[x->fit.main] : NULL;
	const struct shape_dim *dim = x->ndims ? x->dim : f ? f->dim : NULL;
	size_t n = x->ndims ? x->ndims : f ? f->ndims : 0;

	json_key(j, "layout");
	json_arr(j);
	for (size_t i = 0; i < n; i++) {
		json_obj(j);
		put_integer(j, "size", dim[i].size, true);
		put_integer(j, "alignment", dim[i].alignment, dim[i].alignment > 0);
		json_key(j, "semantics");
		if (dim[i].semantics)
			json_strz(j, dim[i].semantics);
		else
			json_null(j);
		json_end(j);
	}
	json_end(j);
}

static void put_xla(struct json_out *j, const struct xla *x)
{
	char id[24];

	snprintf(id, sizeof id, "%" PRIu64, x->program);
	json_key(j, "xla");
	json_obj(j);
	put_text(j, "op", x->op);
	put_text(j, "expression", x->expression);
	put_text(j, "provenance", x->provenance);
	put_text(j, "category", x->category);
	json_key(j, "program_id");
	if (x->no_program)
		json_null(j);
	else
		json_strz(j, id);
	json_key(j, "source");
	if (x->source.n)
		json_str(j, x->source.s, x->source.n);
	else
		json_null(j);
	put_text(j, "source_stack", x->stack);
	put_layout(j, x);
	json_end(j);
}

static struct slice slice_or_empty(const char *s)
{
	return (struct slice){ s ? s : "", s ? strlen(s) : 0 };
}

struct writing {
	struct json_out *j;
	const struct opprofile *p;
	struct hlo_contents *hlo; /* NULL: contents are in the tree */
	const struct dump *d;
	size_t depth, top; /* levels below the root, children of a node */
};

static void put_contents(struct writing *w, uint64_t program, const Pb__HloComputationProto *body, int depth);

static void put_content(struct writing *w, uint64_t program, const Pb__HloComputationProto *body,
    const Pb__HloInstructionProto *i, int depth)
{
	struct op_node empty = { .sum.occurrences = 1 };
	const Pb__OpMetadata *m = i->metadata;
	char *provenance =
	    xasprintf("%s:%s", m && m->op_name ? m->op_name : "", m && m->op_type ? m->op_type : "");
	char *expression = xasprintf("%%%s = %s(…)", i->name ? i->name : "", i->opcode ? i->opcode : "");
	char *source = m && m->source_file && *m->source_file
	    ? xasprintf("%s:%d", m->source_file, m->source_line)
	    : NULL;
	struct xla x = { .op = slice_or_empty(i->opcode),
		.expression = slice_or_empty(expression),
		.provenance = slice_or_empty(provenance),
		.category = slice_or_empty(i->opcode),
		.source = slice_or_empty(source),
		.stack = slice_or_empty(NULL),
		.program = program };

	layout_fit_instruction(w->hlo, program, body, i, &x.fit);
	json_obj(w->j);
	put_text(w->j, "name", slice_or_empty(i->name));
	metrics(w->j, w->p, &empty);
	put_xla(w->j, &x);
	layout_fit_free(&x.fit);
	put_contents(w, program, depth < HLO_DEPTH ? contents_body(w->hlo, program, i) : NULL, depth + 1);
	json_end(w->j);
	free(provenance);
	free(expression);
	free(source);
}

static void put_contents(struct writing *w, uint64_t program, const Pb__HloComputationProto *body, int depth)
{
	int64_t n = 0;

	for (size_t i = 0; body && i < body->n_instructions; i++)
		n += contents_is(body->instructions[i]);
	json_key(w->j, "numChildren");
	json_int(w->j, n);
	json_key(w->j, "children");
	json_arr(w->j);
	for (size_t i = 0; body && i < body->n_instructions; i++)
		if (contents_is(body->instructions[i]))
			put_content(w, program, body, body->instructions[i], depth);
	json_end(w->j);
}

static void xla_of(struct writing *w, const struct op_node *x)
{
	const struct op *o = x->op;
	struct xla v = { .op = slice_or_empty(NULL),
		.expression = slice_or_empty(NULL),
		.provenance = slice_or_empty(NULL),
		.category = slice_or_empty("IDLE"),
		.source = slice_or_empty(NULL),
		.stack = slice_or_empty(NULL) };

	if (o)
		v = (struct xla){ .op = o->category,
			.expression = o->expression,
			.provenance = x->kind == NODE_DUPLICATES ? slice_or_empty(NULL) : o->provenance,
			.category = o->category,
			.source = o->source,
			.stack = o->stack,
			.program = o->program,
			.no_program = o->module,
			.dim = x->dim,
			.ndims = x->ndims };
	else if (x->kind != NODE_IDLE)
		return;
	if (o && w->hlo)
		layout_fit_op(w->d, w->hlo, o, &v.fit);
	put_xla(w->j, &v);
	layout_fit_free(&v.fit);
}

static void node(struct writing *w, const struct op_node *x, size_t level)
{
	static const char more[] = " and its duplicate(s)";
	struct json_out *j = w->j;
	char *name = xasprintf("%.*s%s", (int)x->name.n, x->name.s, x->kind == NODE_DUPLICATES ? more : "");

	json_obj(j);
	json_key(j, "name");
	json_strz(j, name);
	free(name);
	metrics(j, w->p, x);
	xla_of(w, x);
	if (x->kind == NODE_OP && w->hlo && level < w->depth) {
		put_contents(w, x->op->program,
		    contents_body(w->hlo, x->op->program,
			contents_instruction(w->hlo, x->op->program, op_short_name(w->d, x->op))),
		    0);
	} else {
		json_key(j, "numChildren");
		json_int(j, (int64_t)x->n);
		json_key(j, "children");
		json_arr(j);
		for (size_t i = 0; i < x->n && i < w->top && level < w->depth; i++)
			node(w, x->child[i], level + 1);
		json_end(j);
	}
	json_end(j);
}

static void summarize(struct report *r, const struct dump *d, const struct opdb *db, const char *device)
{
	report_op_warnings(r, d, db);
	report_sum_str(r, "deviceType", device);
	report_sum_num(r, "aggDvfsTimeScaleMultiplier",
	    safe_div((double)db->normalized, (double)db->op_time));
}

static const char *device_of(const struct dump *d)
{
	return trace_has_plane(&d->trace, PLANE_TPU) ? "TPU"
	    : trace_has_plane(&d->trace, PLANE_GPU)  ? "GPU"
						     : "CPU_ONLY";
}

/* Warns about what the tree cannot show, before it is written. */
static void warn_contents(struct report *r, const struct dump *d, const struct opdb *db,
    struct hlo_contents *hlo)
{
	bool fusions = false;

	for (size_t i = 0; i < db->n; i++) {
		if (!slice_ends(db->v[i].category, " fusion"))
			continue;
		fusions = true;
		contents_instruction(hlo, db->v[i].program, op_short_name(d, &db->v[i]));
	}
	if (fusions && contents_missing(hlo))
		report_warning(r,
		    "no readable HLO proto for %zu programs, so the contents of their fusions are missing; "
		    "%s",
		    contents_missing(hlo),
		    hlo_modules_why(d)
			? hlo_modules_why(d)
			: "capture with HLO protos on (enable_hlo_proto of the profiler's options)");
	if (contents_endless(hlo))
		report_warning(r,
		    "%zu fusions in the HLO protos contain themselves (damaged); their contents are not "
		    "shown",
		    contents_endless(hlo));
}

static enum op_group group_of(const struct report_options *o)
{
	for (int i = 0; o->group && i < OP_GROUPS; i++)
		if (!strcmp(op_group_name[i], o->group))
			return (enum op_group)i;
	return GROUP_PROGRAM;
}

struct telling { /* what the document says before the tree: about the database, or the file */
	const struct opdb *db;
	struct hlo_contents *hlo; /* JSON only */
	const struct toolfile *tool;
	size_t more;
	enum op_group asked, by;
	bool asked_idle, idle;
};

static void tell_file(struct report *r, const struct dump *d, const struct telling *t)
{
	const struct json *device = json_get(t->tool->json, "deviceType");
	const struct json *dvfs = json_get(t->tool->json, "aggDvfsTimeScaleMultiplier");

	report_tool_warnings(r, d, t->tool, t->more);
	if (t->by != t->asked || t->idle != t->asked_idle)
		report_warning(r,
		    "the file has no tree by %s %s idle time; showing the one by %s %s idle time",
		    op_group_name[t->asked], t->asked_idle ? "with" : "without", op_group_name[t->by],
		    t->idle ? "with" : "without");
	report_sum_str(r, "deviceType", device && device->type == JSON_STRING ? device->s : NULL);
	report_sum_num(r, "aggDvfsTimeScaleMultiplier", json_number(dvfs, NAN));
}

static void add_warnings(struct report *r, const struct dump *d, const struct telling *t)
{
	if (t->tool) {
		tell_file(r, d, t);
		return;
	}
	if (t->hlo)
		warn_contents(r, d, t->db, t->hlo);
	summarize(r, d, t->db, device_of(d));
}

static int put_profile(const struct dump *d, const struct report_options *o, FILE *f,
    const struct opprofile *p, const struct telling *before, struct err *e)
{
	struct writing w = { .p = p,
		.hlo = before->hlo,
		.d = d,
		.depth = o->depth ? (size_t)o->depth : SIZE_MAX,
		.top = o->top >= 0 ? (size_t)o->top : SIZE_MAX };
	struct table t;
	struct report *r;
	int bad;

	tables_profile(o->format == REPORT_JSON ? NULL : p, &t);
	table_depth(&t, o->depth);
	if (!(bad = report_order(o, &t, e))) {
		r = report_open(o, f, "op_profile", d);
		add_warnings(r, d, before);
		if (o->format == REPORT_JSON) {
			w.j = report_json(r, "root");
			node(&w, p->root, 0);
		} else {
			report_whole(r, NULL, &t);
		}
		bad = report_end(r, e);
	}
	table_free(&t);
	return bad ? -1 : EXIT_OK;
}

static int from_file(const struct dump *d, const struct report_options *o, FILE *f, struct telling *t,
    struct err *e)
{
	struct opprofile p;
	int status;

	t->by = t->asked;
	t->idle = t->asked_idle;
	if (legacy_op_profile(t->tool, &t->by, &t->idle, &p, e))
		return -1;
	status = put_profile(d, o, f, &p, t, e);
	opprofile_free(&p);
	return status;
}

int report_op_profile(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	struct telling t = { .asked = group_of(o), .asked_idle = !o->exclude_idle };
	const struct dump *d = c->base;
	const struct op_set *ops;
	struct opprofile p;
	int status;

	if (report_check(c, o, e))
		return -1;
	if (o->format == REPORT_JSON && o->sort)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "--sort works only with text and CSV: the JSON of op_profile is a tree");
	if (!capture_get(c, RESULT_OPS, NULL, e))
		return -1;
	if ((t.tool = capture_file(c, FILE_OP_PROFILE, &t.more)))
		return from_file(d, o, f, &t, e);
	if (!(ops = capture_get(c, RESULT_TABLE_OPS, NULL, e)))
		return -1;
	opprofile_build(d, ops->db, t.asked, t.asked_idle, &p);
	t.db = ops->db;
	t.hlo = o->format == REPORT_JSON ? contents_new(d) : NULL;
	status = put_profile(d, o, f, &p, &t, e);
	if (t.hlo)
		contents_free(t.hlo);
	opprofile_free(&p);
	return status;
}
