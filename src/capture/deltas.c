#include "config.h"
#include "capture/compare.h"
#include "capture/internal.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/framework/ops.h"
#include "analyze/ops/opdb.h"
#include "base/mem.h"

static struct diff_delta delta_of_op(const struct dump *d, const struct diff *diff, const struct op *o)
{
	const struct diff_op *x = diff_op_of(diff, o->program, op_short_name(d, o));

	return x ? (struct diff_delta){ x->base, x->new } : (struct diff_delta){ NAN, NAN };
}

/* A framework op: of its device ops those that are known. */
struct framework_sum {
	struct slice name;
	struct diff_delta sum;
};

static int by_name(const void *a, const void *b)
{
	return slice_order(((const struct framework_sum *)a)->name, ((const struct framework_sum *)b)->name);
}

/* By name; the caller frees. */
static struct framework_sum *sum_framework(const struct dump *d, const struct diff *diff,
    const struct opdb *db, size_t *n)
{
	struct framework_sum *v = xcalloc(db->n + 1, sizeof *v);
	size_t all = 0;

	for (size_t i = 0; i < db->n; i++) {
		struct slice name = dump_text(d, db->v[i].name), type;
		struct diff_delta x = delta_of_op(d, diff, &db->v[i]);

		if (db->v[i].provenance.n)
			framework_parse(db->v[i].provenance, &name, &type);
		if (!isnan(x.new))
			v[all++] = (struct framework_sum){ name, x };
	}
	VEC_SORT(v, all, by_name);
	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (*n && slice_same(v[*n - 1].name, v[i].name)) {
			v[*n - 1].sum.base += v[i].sum.base;
			v[*n - 1].sum.new += v[i].sum.new;
		} else {
			v[(*n)++] = v[i];
		}
	return v;
}

static void fill_framework(const struct table *t, const struct framework_sum *v, size_t n, struct table *to)
{
	int name = table_column(t, "operation"), where = table_column(t, "host_or_device");

	for (size_t i = 0; i < t->nrows; i++) {
		struct framework_sum key = { .name = table_str(t, i, (size_t)name) }, *x = NULL;

		if (slice_is(table_str(t, i, (size_t)where), "Device"))
			x = bsearch(&key, v, n, sizeof *v, by_name);
		table_add(to, x ? &x->sum : &(struct diff_delta){ NAN, NAN });
	}
}

void *result_make_deltas(const struct result_env *e)
{
	const struct compared *x = capture_has(e->c, RESULT_DIFF);
	const struct opdb *db = ((const struct op_set *)capture_has(e->c, RESULT_TABLE_OPS))->db;
	const struct framework_set *framework = capture_has(e->c, RESULT_FRAMEWORK);
	const struct dump *d = e->c->base;
	struct deltas *to = xcalloc(1, sizeof *to);
	struct framework_sum *v;
	size_t n;

	table_begin(&to->ops, &diff_delta_schema);
	for (size_t i = 0; i < db->n; i++) {
		struct diff_delta one = delta_of_op(d, &x->diff, &db->v[i]);

		table_add(&to->ops, &one);
	}
	v = sum_framework(d, &x->diff, db, &n);
	for (int i = 0; i < 2; i++) {
		table_begin(&to->framework[i], &diff_delta_schema);
		if (framework->table[i].columns)
			fill_framework(&framework->table[i], v, n, &to->framework[i]);
	}
	free(v);
	return to;
}

void result_free_deltas(void *p)
{
	struct deltas *x = p;

	table_free(&x->ops);
	table_free(&x->framework[0]);
	table_free(&x->framework[1]);
	free(x);
}
