#include "config.h"
#include "analyze/pod/beside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/classify.h"
#include "analyze/device/digest.h"
#include "analyze/ops/opdb.h"
#include "analyze/pod/own.h"
#include "base/mem.h"

/* Self times by name of the op, of one of the two cores. */
struct adding {
	const struct dump *dump;
	struct pod_beside *to;
	const uint8_t *class; /* by kind of event */
	uint32_t *op;         /* by name: index of the op + 1; 0 = none yet */
	size_t cap;
	int side;
	double steps;
};

static void begin_again(struct adding *a)
{
	for (size_t i = 0; i < a->to->n; i++)
		a->to->v[i].ps[a->side] = 0;
}

static void add_op(void *ctx, const struct step_op *o)
{
	struct adding *a = ctx;
	struct pod_beside *to = a->to;
	const struct trace *t = &a->dump->trace;
	strid name;

	if (!o) {
		begin_again(a);
		return;
	}
	name = t->metas[o->meta].name;
	if (!a->op[name]) {
		VEC_ADD(to->v, to->n, a->cap,
		    (struct beside_op){ .name = op_name_in(dump_text(a->dump, name)),
			.full = name,
			.kind = kind_of_op(a->class[o->meta], t -> metas[o->meta].category) });
		a->op[name] = (uint32_t)to->n;
	}
	to->v[a->op[name] - 1].ps[a->side] += (double)o->self / a->steps;
}

/* The steps of the core, which stand together. */
static size_t rows_of(const struct steps *s, const struct step_core_info *core, const struct step **row)
{
	size_t from = 0, to;

	while (from < s->n && (s->v[from].host != core->host || s->v[from].core != core->core))
		from++;
	for (to = from; to < s->n && s->v[to].host == core->host && s->v[to].core == core->core;)
		to++;
	*row = s->v + from;
	return to - from;
}

static void add_core(struct adding *a, const struct steps *s, const struct step_core_info *core, int side,
    struct progress *progress)
{
	const struct step *row;
	size_t n = rows_of(s, core, &row);

	a->side = side;
	a->steps = (double)n;
	if (n)
		step_ops_visit(a->dump, row, n, progress,
		    &(struct step_ops_visitor){ .visit = add_op, .ctx = a });
}

struct by_own {
	double own;
	size_t core;
};

VEC_ORDER(by_own, struct by_own, UP(own) UP(core));

static int by_difference(const void *a, const void *b)
{
	const struct beside_op *x = a, *y = b;
	double dx = fabs(x->ps[0] - x->ps[1]), dy = fabs(y->ps[0] - y->ps[1]);

	return dx != dy ? (dx < dy ? 1 : -1) : (x->full > y->full) - (x->full < y->full);
}

/* Which two cores are compared; false: there are not two. */
static bool choose_cores(const struct step_cores *c, size_t core, struct pod_beside *b)
{
	double *own = xcalloc(c->ncores + 1, sizeof *own);
	struct by_own *v = xcalloc(c->ncores + 1, sizeof *v);
	size_t n = 0;

	pod_own_times(c, SIZE_MAX, own);
	for (size_t i = 0; i < c->ncores; i++)
		if (!isnan(own[i]))
			v[n++] = (struct by_own){ own[i], i };
	VEC_SORT(v, n, by_own);
	if (n > 1 && core == SIZE_MAX)
		core = v[n - 1].core;
	if (n > 1 && core < c->ncores && !isnan(own[core])) {
		size_t middle = (n - 1) / 2;

		middle += v[middle].core == core ? (middle + 1 < n ? 1 : -(size_t)1) : 0;
		b->core = core;
		b->median = v[middle].core;
		b->step = pod_own_mean(c, core, &b->own[0], &b->own[1]);
	}
	free(own);
	free(v);
	return b->core != SIZE_MAX;
}

void pod_beside_make(const struct dump *d, const struct steps *s, const struct step_cores *c, size_t core,
    struct progress *progress, struct pod_beside *b)
{
	struct adding a = { .dump = d, .to = b };
	uint8_t *class;

	*b = (struct pod_beside){ .core = SIZE_MAX, .median = SIZE_MAX, .own = { NAN, NAN } };
	if (!choose_cores(c, core, b) || digest_count(d)) /* a digest has no single ops */
		return;
	class = d->trace.meta_class ? NULL : classes_of(d);
	a.class = class ? class : d->trace.meta_class;
	a.op = xcalloc(d->str.n + 1, sizeof *a.op);
	add_core(&a, s, &c->core[b->core], 0, progress);
	add_core(&a, s, &c->core[b->median], 1, progress);
	free(a.op);
	free(class);
	qsort(b->v, b->n, sizeof *b->v, by_difference);
}

void pod_beside_free(struct pod_beside *b)
{
	free(b->v);
	*b = (struct pod_beside){ .n = 0 };
}

#define SCHEMA beside
#define SCHEMA_ROW struct beside_op
#define SCHEMA_DEF "analyze/pod/beside.def"
#include "result/schema_def.h"

const struct schema pod_beside_schema = { SCHEMA_COLUMNS(beside_columns) };

void pod_beside_table(const struct pod_beside *b, struct table *t)
{
	table_begin(t, &pod_beside_schema);
	for (size_t i = 0; i < b->n; i++)
		table_add(t, &b->v[i]);
}
