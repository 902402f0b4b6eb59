#include "config.h"
#include "analyze/tables/legacy_op_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX " and its duplicate(s)"

struct making {
	struct opprofile *p;
	enum op_group by;
	double total; /* rawTime of the root */
	bool old;
};

static struct slice text_of(const struct json *j)
{
	return j && j->type == JSON_STRING ? (struct slice){ j->s, j->len } : (struct slice){ "", 0 };
}

static int64_t integer_of(double d)
{
	return d >= 9.2e18 ? INT64_MAX : d > 0 ? (int64_t)d : 0;
}

static double ratio(double a, double b)
{
	return b > 0 ? a / b : 0;
}

static const struct json *array_of(const struct json *obj, const char *key)
{
	const struct json *j = json_get(obj, key);

	return j && j->type == JSON_ARRAY ? j->child : NULL;
}

static double wasted(double share, double flops, double hbm)
{
	double best = isnan(hbm) || flops > hbm ? flops : hbm;

	return share * (best < 1 ? 1 - best : 0);
}

static void take_old(const struct json *m, struct op_use *u)
{
	u->share = json_number(json_get(m, "time"), 0);
	u->flops = u->uncapped = json_number(json_get(m, "flops"), 0);
	u->bandwidth[0] = json_number(json_get(m, "memoryBandwidth"), 0);
	u->wasted = wasted(u->share, ratio(u->flops, u->share), u->bandwidth[0]);
}

static void take_three(const struct json *m, const char *key, double v[3])
{
	const struct json *j = array_of(m, key);

	for (int i = 0; i < 3; i++) {
		v[i] = j ? json_number(j, 0) : 0;
		j = j ? j->next : NULL;
	}
}

static void take_new(const struct making *k, const struct json *m, struct op_use *u, struct opsum *s)
{
	double time = json_number(json_get(m, "rawTime"), 0);

	u->share = ratio(time, k->total);
	u->flops = json_number(json_get(m, "flops"), 0);
	u->uncapped = json_number(json_get(m, "uncappedFlops"), u->flops);
	take_three(m, "bandwidthUtils", u->bandwidth);
	take_three(m, "rawBytesAccessedArray", u->bytes);
	u->wasted = wasted(u->share, ratio(u->uncapped, u->share), u->bandwidth[0]);
	s->time = s->self = integer_of(time);
	s->normalized = integer_of(json_number(json_get(m, "normalizedTimePs"), 0));
	s->occurrences = integer_of(json_number(json_get(m, "occurrences"), 0));
	s->model_flops = json_number(json_get(m, "rawFlops"), 0);
	s->flops = json_number(json_get(m, "bf16Flops"), s->model_flops);
}

/* Returns what the file knows, judging by the metrics of a node. */
static unsigned known_metrics(const struct making *k, const struct json *m)
{
	static const struct {
		const char *key;
		unsigned knows;
		bool old;
	} keys[] = {
		{ "rawTime", KNOWS_TIME | KNOWS_ALL_COUNTS, false },
		{ "occurrences", KNOWS_COUNT, false },
		{ "flops", KNOWS_FLOPS, false },
		{ "uncappedFlops", KNOWS_FLOPS, false },
		{ "bandwidthUtils", KNOWS_HBM, false },
		{ "flops", KNOWS_FLOPS, true },
		{ "memoryBandwidth", KNOWS_HBM, true },
	};
	unsigned knows = 0;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i].old == k->old && json_get(m, keys[i].key))
			knows |= keys[i].knows;
	return knows;
}

static void metrics(struct making *k, const struct json *j, struct op_node *x)
{
	const struct json *m = json_get(j, "metrics");
	struct op_use *u = arena_alloc(&k->p->arena, sizeof *u);

	*u = (struct op_use){ NAN, NAN, NAN, NAN, { NAN, NAN, NAN }, { NAN, NAN, NAN }, NAN, NAN };
	x->use = u;
	if (!m || x->kind == NODE_PART)
		return;
	k->p->knows |= known_metrics(k, m);
	if (k->old)
		take_old(m, u);
	else
		take_new(k, m, u, &x->sum);
}

static void layout(struct making *k, const struct json *xla, struct op_node *x)
{
	const struct json *dims = json_get(json_get(xla, "layout"), "dimensions");
	struct shape_dim *v;

	if (!dims || dims->type != JSON_ARRAY || !dims->n)
		return;
	x->dim = v = arena_alloc(&k->p->arena, dims->n * sizeof *v);
	for (const struct json *j = dims->child; j; j = j->next, v++) {
		struct slice meaning = text_of(json_get(j, "semantics"));

		v->size = v->padded = integer_of(json_number(json_get(j, "size"), 0));
		v->alignment = integer_of(json_number(json_get(j, "alignment"), 0));
		v->index = (int64_t)x->ndims++;
		v->semantics = meaning.n ? meaning.s : NULL;
		if (v->alignment && v->size % v->alignment && v->size < INT64_MAX - v->alignment)
			v->padded = v->size - v->size % v->alignment + v->alignment;
	}
}

static struct slice source_of(struct making *k, const struct json *info)
{
	struct slice file = text_of(json_get(info, "fileName"));
	double line = json_number(json_get(info, "lineNumber"), 0);
	char *s, *copy;

	if (!file.n || !(line > 0 && line < 1e9))
		return file;
	s = xasprintf("%.*s:%d", (int)file.n, file.s, (int)line);
	copy = arena_strndup(&k->p->arena, s, strlen(s));
	free(s);
	return (struct slice){ copy, strlen(copy) };
}

static const struct op *op_of(struct making *k, const struct json *xla, const struct op_node *x)
{
	const struct json *program = json_get(xla, "programId"), *source = json_get(xla, "sourceInfo");
	struct op *o = arena_alloc(&k->p->arena, sizeof *o);

	*o = (struct op){
		.category = text_of(json_get(xla, "category")),
		.expression = text_of(json_get(xla, "expression")),
		.provenance = text_of(json_get(xla, "provenance")),
		.source = source_of(k, source),
		.stack = text_of(json_get(source, "stackFrame")),
		.dedup = { "", 0 },
		.shape = { "", 0 },
		.sum = x->sum,
		.parent = OP_NONE,
		.meta = UINT32_MAX,
	};
	if (program && (program->type == JSON_STRING || program->type == JSON_NUMBER))
		o->program = strtoull(program->s, NULL, 10);
	return o;
}

/* Ops occur only directly below categories and their groups of duplicates. */
static bool holds_ops(const struct json *j)
{
	return json_get(array_of(j, "children"), "xla");
}

static enum op_node_kind kind_of(const struct making *k, const struct json *j, const struct op_node *parent,
    struct slice *name)
{
	const struct json *xla = json_get(j, "xla");

	if (!parent)
		return NODE_ROOT;
	if (parent->kind == NODE_OP || parent->kind == NODE_PART)
		return NODE_PART;
	if (xla && slice_is(*name, "IDLE"))
		return NODE_IDLE;
	if (xla)
		return slice_cut_end(name, SUFFIX) ? NODE_DUPLICATES : NODE_OP;
	if (k->by == GROUP_CATEGORY || json_get(j, "category"))
		return NODE_CATEGORY;
	if (parent->kind == NODE_ROOT)
		return NODE_PROGRAM;
	return k->by == GROUP_PROVENANCE && !holds_ops(j) ? NODE_PROVENANCE : NODE_CATEGORY;
}

/* Recursion is as deep as the JSON, whose depth the parser limits. */
static struct op_node *add_node(struct making *k, const struct json *j, struct op_node *parent)
{
	const struct json *xla = json_get(j, "xla"), *c;
	struct op_node *x = arena_alloc(&k->p->arena, sizeof *x);

	*x = (struct op_node){ .name = text_of(json_get(j, "name")), .parent = parent };
	x->kind = kind_of(k, j, parent, &x->name);
	metrics(k, j, x);
	if (xla && x->kind != NODE_IDLE) {
		x->op = op_of(k, xla, x);
		layout(k, xla, x);
	}
	k->p->nodes++;
	for (c = array_of(j, "children"); c; c = c->next) {
		struct op_node *child = add_node(k, c, x);

		VEC_ADD(x->child, x->n, x->cap, child);
	}
	return x;
}

static const char *const trees[][2] = {
	/* by enum op_group; without idle time, then with it */
	{ "byProgramExcludeIdle", "byProgram" },
	{ "byCategoryExcludeIdle", "byCategory" },
	{ "byProvenanceExcludeIdle", "byProvenance" },
};

static const struct json *choose_tree(const struct json *file, enum op_group *by, bool *idle)
{
	for (unsigned i = 0; i <= sizeof trees / sizeof *trees; i++) {
		enum op_group group = i ? (enum op_group)(i - 1) : *by;

		for (int other = 0; other < 2; other++) {
			const struct json *j = json_get(file, trees[group][*idle != other]);

			if (!j || j->type != JSON_OBJECT)
				continue;
			*by = group;
			*idle ^= other;
			return j;
		}
	}
	return NULL;
}

int legacy_op_profile(const struct toolfile *t, enum op_group *by, bool *with_idle, struct opprofile *p,
    struct err *err)
{
	const struct json *j = choose_tree(t->json, by, with_idle), *m = json_get(j, "metrics");
	struct making k = { .p = p, .by = *by };

	*p = (struct opprofile){ .root = NULL };
	if (!j)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "the file has no tree of ops");
	k.old = json_get(m, "time") != NULL;
	k.total = json_number(json_get(m, "rawTime"), 0);
	p->root = add_node(&k, j, NULL);
	return 0;
}
