#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hlo_contents.h"
#include "analyze/opprofile.h"
#include "analyze/roofline.h"
#include "base/json.h"
#include "report/ops_part.h"

static void text(struct json_out *j, const char *key, struct optext t)
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

static void metrics(struct json_out *j, const struct opprofile *p, const struct op_node *x)
{
	struct op_use u;

	opprofile_use(p, x, &u);
	json_key(j, "metrics");
	json_obj(j);
	json_key(j, "rawTime");
	json_int(j, x->sum.time);
	json_key(j, "rawFlops");
	json_double(j, x->sum.model_flops);
	json_key(j, "bf16Flops");
	json_double(j, x->sum.flops);
	json_key(j, "flops");
	json_double(j, u.flops);
	json_key(j, "uncappedFlops");
	json_double(j, u.uncapped);
	triple(j, "bandwidthUtils", u.bandwidth);
	triple(j, "rawBytesAccessedArray", u.bytes);
	json_key(j, "occurrences");
	json_int(j, x->sum.occurrences);
	json_key(j, "avgTimePs");
	json_double(j, safe_div((double)x->sum.time, (double)x->sum.occurrences));
	json_key(j, "normalizedTimePs");
	json_int(j, x->sum.normalized);
	json_key(j, "wasted");
	json_double(j, u.wasted);
	json_end(j);
}

struct xla {
	struct optext op, expression, provenance, category, source, stack;
	uint64_t program;
};

static void put_xla(struct json_out *j, const struct xla *x)
{
	char id[24];

	snprintf(id, sizeof id, "%" PRIu64, x->program);
	json_key(j, "xla");
	json_obj(j);
	text(j, "op", x->op);
	text(j, "expression", x->expression);
	text(j, "provenance", x->provenance);
	text(j, "category", x->category);
	json_key(j, "program_id");
	json_strz(j, id);
	json_key(j, "source");
	if (x->source.n)
		json_str(j, x->source.s, x->source.n);
	else
		json_null(j);
	text(j, "source_stack", x->stack);
	json_key(j, "layout");
	json_arr(j);
	json_end(j);
	json_end(j);
}

static struct optext word(const char *s)
{
	return (struct optext){ s ? s : "", s ? strlen(s) : 0 };
}

struct writing {
	struct json_out *j;
	const struct opprofile *p;
	struct hlo_contents *hlo;
	const struct dump *d;
};

static void contents(struct writing *w, uint64_t program, const Pb__HloComputationProto *body, int depth);

static void content(struct writing *w, uint64_t program, const Pb__HloInstructionProto *i, int depth)
{
	struct op_node empty = { .sum.occurrences = 1 };
	const Pb__OpMetadata *m = i->metadata;
	char *provenance =
	    xasprintf("%s:%s", m && m->op_name ? m->op_name : "", m && m->op_type ? m->op_type : "");
	char *expression = xasprintf("%%%s = %s(…)", i->name ? i->name : "", i->opcode ? i->opcode : "");
	char *source = m && m->source_file && *m->source_file
			   ? xasprintf("%s:%d", m->source_file, m->source_line)
			   : NULL;
	struct xla x = { .op = word(i->opcode),
		.expression = word(expression),
		.provenance = word(provenance),
		.category = word(i->opcode),
		.source = word(source),
		.stack = word(NULL),
		.program = program };

	json_obj(w->j);
	text(w->j, "name", word(i->name));
	metrics(w->j, w->p, &empty);
	put_xla(w->j, &x);
	contents(w, program, depth < HLO_DEPTH ? hlo_body(w->hlo, program, i) : NULL, depth + 1);
	json_end(w->j);
	free(provenance);
	free(expression);
	free(source);
}

static void contents(struct writing *w, uint64_t program, const Pb__HloComputationProto *body, int depth)
{
	int64_t n = 0;

	for (size_t i = 0; body && i < body->n_instructions; i++)
		n += hlo_is_content(body->instructions[i]);
	json_key(w->j, "numChildren");
	json_int(w->j, n);
	json_key(w->j, "children");
	json_arr(w->j);
	for (size_t i = 0; body && i < body->n_instructions; i++)
		if (hlo_is_content(body->instructions[i]))
			content(w, program, body->instructions[i], depth);
	json_end(w->j);
}

static void xla_of(struct writing *w, const struct op_node *x)
{
	const struct op *o = x->op;
	struct xla idle = { word(NULL), word(NULL), word(NULL), word("IDLE"), word(NULL), word(NULL), 0 };

	if (x->kind == NODE_IDLE) {
		put_xla(w->j, &idle);
	} else if (o) {
		struct xla v = { o->category, o->expression, x->kind == NODE_OP ? o->provenance : word(NULL),
			o->category, o->source, o->stack, o->program };

		put_xla(w->j, &v);
	}
}

static void node(struct writing *w, const struct op_node *x)
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
	if (x->kind == NODE_OP) {
		contents(w, x->op->program,
		    hlo_body(w->hlo, x->op->program,
			hlo_instruction(w->hlo, x->op->program, op_short_name(w->d, x->op))),
		    0);
	} else {
		json_key(j, "numChildren");
		json_int(j, (int64_t)x->n);
		json_key(j, "children");
		json_arr(j);
		for (size_t i = 0; i < x->n; i++)
			node(w, x->child[i]);
		json_end(j);
	}
	json_end(j);
}

static const struct column columns[] = {
	{ "level", "level", "", COL_INTEGER },
	{ "name", "name", "", COL_STRING },
	{ "time", "time", "fraction", COL_NUMBER },
	{ "wasted", "wasted", "fraction", COL_NUMBER },
	{ "total_time", "total time", "us", COL_NUMBER },
	{ "occurrences", "occurrences", "", COL_INTEGER },
	{ "flops_utilization", "FLOPS", "fraction", COL_NUMBER },
	{ "hbm_utilization", "HBM", "fraction", COL_NUMBER },
};

/* For text and CSV: a row per node, deeper ones indented. */
static void add_rows(struct table *t, const struct opprofile *p, const struct op_node *x, int level)
{
	bool peaks = p->db->peaks.tflops > 0, hbm = p->db->peaks.bw[PEAK_HBM] > 0;
	char *name = xasprintf("%*s%.*s%s", level * 2, "", (int)x->name.n, x->name.s,
	    x->kind == NODE_DUPLICATES ? " and its duplicate(s)" : "");
	struct cell *c = table_row(t);
	struct op_use u;

	opprofile_use(p, x, &u);
	*c++ = cell_int(level);
	*c++ = cell_str(table_copy(t, name, strlen(name)), strlen(name));
	*c++ = cell_num(u.share);
	*c++ = peaks && hbm ? cell_num(u.wasted) : cell_null();
	*c++ = ops_us((double)x->sum.time);
	*c++ = cell_int(x->sum.occurrences);
	*c++ = peaks ? cell_num(safe_div(u.uncapped, u.share)) : cell_null();
	*c = hbm ? cell_num(u.bandwidth[0]) : cell_null();
	free(name);
	for (size_t i = 0; i < x->n; i++)
		add_rows(t, p, x->child[i], level + 1);
}

static void summarize(struct report *r, const struct dump *d, const struct opdb *db, const char *device)
{
	ops_warnings(r, d, db);
	report_sum_str(r, "deviceType", device);
	report_sum_num(
	    r, "aggDvfsTimeScaleMultiplier", safe_div((double)db->normalized, (double)db->op_time));
}

static const char *device_of(const struct dump *d)
{
	const char *device = "CPU_ONLY";

	for (size_t i = 0; i < d->trace.nplanes; i++) {
		if (d->trace.planes[i].kind == PLANE_TPU)
			return "TPU";
		if (d->trace.planes[i].kind == PLANE_GPU)
			device = "GPU";
	}
	return device;
}

static void put_tree(struct report *r, const struct dump *d, const struct opprofile *p)
{
	struct writing w = { report_json(r, "root"), p, hlo_contents_new(d), d };

	node(&w, p->root);
	hlo_contents_free(w.hlo);
}

int report_op_profile(struct dump *d, const struct report_options *o, FILE *f, struct err *e)
{
	static const char *const groups[] = { "program", "category", "provenance" };
	enum op_group by = GROUP_PROGRAM;
	struct opprofile p;
	struct opdb db;
	struct table t;
	struct report *r;
	int bad;

	if (report_check(o, "op_profile", TAKES_CORE | TAKES_GROUP, e))
		return -1;
	for (int i = 0; o->group && i < 3; i++)
		if (!strcmp(groups[i], o->group))
			by = (enum op_group)i;
	ops_build(d, o, &db);
	opprofile_build(d, &db, by, !o->exclude_idle, &p);
	table_init(&t, columns, sizeof columns / sizeof *columns);
	if (o->format != REPORT_JSON)
		add_rows(&t, &p, p.root, 0);
	if (!(bad = report_order(o, &t, e))) {
		r = report_begin(f, o->format, o->width, "op_profile", d);
		summarize(r, d, &db, device_of(d));
		if (o->format == REPORT_JSON)
			put_tree(r, d, &p);
		else
			report_whole(r, NULL, &t);
		bad = report_end(r, e);
	}
	table_free(&t);
	opprofile_free(&p);
	opdb_free(&db);
	return bad ? -1 : EXIT_OK;
}
