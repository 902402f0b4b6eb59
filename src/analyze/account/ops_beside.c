#include "config.h"
#include "analyze/account/ops_beside.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/device/classify.h"
#include "analyze/ops/opdb.h"
#include "base/mem.h"

struct taking {
	struct ops_beside *to;
	int side;
	double steps;
};

void ops_beside_clear(struct ops_beside *b, int side)
{
	for (size_t i = 0; i < b->nside[side]; i++) {
		struct beside_op *o = &b->v[b->side[side][i]];

		o->ps[side] = 0;
		o->on[side] = false;
	}
	b->nside[side] = 0;
}

void ops_beside_add(struct ops_beside *b, int side, const struct step_op *o, double steps)
{
	const struct evmeta *m = &b->dump->trace.metas[o->meta];
	struct beside_op *x;

	if (!b->op[m->name]) {
		VEC_ADD(b->v, b->n, b->cap,
		    (struct beside_op){ .name = op_name_in(dump_text(b->dump, m->name)),
			.full = m->name,
			.kind = kind_of_op(b->class[o->meta], m -> category) });
		b->op[m->name] = (uint32_t)b->n;
	}
	x = &b->v[b->op[m->name] - 1];
	if (!x->on[side])
		VEC_ADD(b->side[side], b->nside[side], b->side_cap[side], (size_t)(x - b->v));
	x->on[side] = true;
	x->ps[side] += (double)o->self / steps;
}

static void take_op(void *ctx, const struct step_op *o)
{
	struct taking *a = ctx;

	if (o)
		ops_beside_add(a->to, a->side, o, a->steps);
	else
		ops_beside_clear(a->to, a->side);
}

void ops_beside_begin(const struct dump *d, struct ops_beside *b)
{
	*b = (struct ops_beside){ .dump = d };
	b->own_class = d->trace.meta_class ? NULL : classes_of(d);
	b->class = b->own_class ? b->own_class : d->trace.meta_class;
	b->op = xcalloc(d->str.n + 1, sizeof *b->op);
}

void ops_beside_take(struct ops_beside *b, int side, const struct step *row, size_t nrows, size_t only,
    double steps, struct progress *progress)
{
	struct taking a = { b, side, steps };

	if (nrows)
		step_ops_visit_one(b->dump, row, nrows, only, progress,
		    &(struct step_ops_visitor){ .visit = take_op, .ctx = &a });
}

static double difference(const struct beside_op *o)
{
	return fabs(o->ps[0] - o->ps[1]);
}

static int by_difference(const void *a, const void *b)
{
	const struct beside_op *x = a, *y = b;
	double dx = difference(x), dy = difference(y);

	return dx != dy ? (dx < dy ? 1 : -1) : (x->full > y->full) - (x->full < y->full);
}

void ops_beside_sort(struct ops_beside *b)
{
	if (b->n)
		qsort(b->v, b->n, sizeof *b->v, by_difference);
	free(b->op);
	free(b->own_class);
	b->op = NULL;
	b->own_class = b->class = NULL;
}

static size_t put_op(const struct ops_beside *b, size_t op, size_t most, size_t *at, size_t n)
{
	size_t k;

	if (n == most && by_difference(&b->v[at[n - 1]], &b->v[op]) <= 0)
		return n;
	for (n += n < most, k = n - 1; k && by_difference(&b->v[at[k - 1]], &b->v[op]) > 0; k--)
		at[k] = at[k - 1];
	at[k] = op;
	return n;
}

size_t ops_beside_most(const struct ops_beside *b, size_t most, size_t *at)
{
	size_t n = 0;

	for (int side = 0; side < 2 && most; side++)
		for (size_t i = 0; i < b->nside[side]; i++)
			if (!side || !b->v[b->side[side][i]].on[0])
				n = put_op(b, b->side[side][i], most, at, n);
	return n;
}

void ops_beside_free(struct ops_beside *b)
{
	free(b->v);
	free(b->side[0]);
	free(b->side[1]);
	free(b->op);
	free(b->own_class);
	*b = (struct ops_beside){ .n = 0 };
}
