#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ops/layout_fit.h"

struct size_count {
	int64_t size;
	size_t n;
};

static bool is_spatial(const struct shape_dim *d)
{
	return d->semantics && !strcmp(d->semantics, "spatial");
}

/* The TPU also runs dots as convolutions, whose "batch" may be any dimension.  Only a window larger than 1
 * and smaller than what it slides over is a convolution that the program asked for. */
static bool slides(const struct layout_fit *f)
{
	const struct fit_shape *lhs = NULL, *rhs = NULL;
	int64_t window = 0, least = INT64_MAX;

	for (size_t i = 0; i < f->n; i++) {
		lhs = strcmp(f->v[i].role, "lhs") ? lhs : &f->v[i];
		rhs = strcmp(f->v[i].role, "rhs") ? rhs : &f->v[i];
	}
	for (size_t k = 0; rhs && k < rhs->ndims; k++)
		if (is_spatial(&rhs->dim[k]) && rhs->dim[k].size > window)
			window = rhs->dim[k].size;
	for (size_t k = 0; lhs && k < lhs->ndims; k++)
		if (is_spatial(&lhs->dim[k]) && lhs->dim[k].size > 1 && lhs->dim[k].size < least)
			least = lhs->dim[k].size;
	return window > 1 && least < INT64_MAX && window < least;
}

static int64_t batch_of(const struct layout_fit *f)
{
	if (!f->kind || strcmp(f->kind, "convolution") || !slides(f))
		return 0;
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; !strcmp(f->v[i].role, "result") && k < f->v[i].ndims; k++)
			if (f->v[i].dim[k].semantics && !strcmp(f->v[i].dim[k].semantics, "batch"))
				return f->v[i].dim[k].size;
	return 0;
}

/* Returns the batch size that most convolutions have; those that compute weight gradients have another
 * one. */
static int64_t find_batch(struct rule_work *w, size_t *same, size_t *all)
{
	const struct opdb *db = w->in->ops;
	struct size_count *v = NULL;
	size_t n = 0, cap = 0, best = 0;
	int64_t size;

	*same = *all = 0;
	for (size_t i = 0; i < db->n && !rule_stopped(w); i++) {
		const struct op *o = &db->v[i];
		struct layout_fit fit;
		size_t k = 0;

		if (!rule_checks_shape(w, o, i))
			break;
		if (step_metric_of(o->category.s, o->category.n) != METRIC_HIGH_FLOPS)
			continue;
		layout_fit_op(w->in->dump, rule_contents(w), o, &fit);
		size = batch_of(&fit);
		layout_fit_free(&fit);
		if (!size)
			continue;
		while (k < n && v[k].size != size)
			k++;
		if (k == n)
			VEC_ADD(v, n, cap, (struct size_count){ size, 0 });
		v[k].n++;
		++*all;
		best = v[k].n > v[best].n ? k : best;
	}
	size = n ? v[best].size : 0;
	*same = n ? v[best].n : 0;
	free(v);
	return size;
}

void rule_batch(struct rule_work *w)
{
	int64_t size, whole;
	struct finding *f;
	size_t same, all;
	double step, cores;

	if (!w->in->ops || !w->in->dump || !w->in->ops->op_time)
		return;
	size = find_batch(w, &same, &all);
	if (!size || all < 2 || same * 2 <= all)
		return;
	step = rule_limit(w->rule, "multiple");
	whole = (size + (int64_t)step - 1) / (int64_t)step * (int64_t)step;
	cores = (double)w->in->ops->planes;
	if (whole == size || !(f = rule_raise(w, 100 * (1 - (double)size / (double)whole), NAN, NULL))) {
		rule_checked(w, "%" PRId64 " per core, global %.0f", size, (double)size * cores);
		return;
	}
	f->evidence = rule_say(w,
	    "batch %" PRId64
	    " per core in %zu of %zu convolutions (global %.0f on %.0f cores), not a multiple of %.0f; the "
	    "next one is %" PRId64,
	    size, same, all, (double)size * cores, cores, step, whole);
}

/* Does an op of batch normalization run?  Frameworks name it in the op's path. */
static const struct op *norm_op(const struct rule_work *w)
{
	static const char *const names[] = { "BatchNorm", "batch_norm", "batchnorm" };
	const struct opdb *db = w->in->ops;

	for (size_t i = 0; i < db->n && !rule_stopped(w); i++)
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (slice_find(db->v[i].provenance, names[k]))
				return &db->v[i];
	return NULL;
}

void rule_batch_norm(struct rule_work *w)
{
	const struct op *norm;
	struct finding *f;
	size_t same, all;
	int64_t size;

	if (!w->in->ops || !w->in->dump || !w->in->ops->op_time || !(norm = norm_op(w)))
		return;
	size = find_batch(w, &same, &all);
	if (!size || all < 2 || same * 2 <= all) {
		rule_unknown(w, "the batch per core is not known");
		return;
	}
	if (!(f = rule_raise(w, (rule_limit(w->rule, "least") - 1) / (double)size, NAN, NULL))) {
		rule_checked(w, "%" PRId64 " per core", size);
		return;
	}
	f->evidence = rule_say(w,
	    "each core normalizes over its own batch of %" PRId64
	    " (global %.0f); %.0f or more per core give steady "
	    "means",
	    size, (double)size * (double)w->in->ops->planes, rule_limit(w->rule, "least"));
	rule_at_op(w, f, norm);
}
