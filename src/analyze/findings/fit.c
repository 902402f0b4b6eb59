#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ops/layout_fit.h"

#define OPS_MAX 200 /* how many of the longest ops have their shapes checked */
#define GROUPS_SHOWN 4

/* Dimensions of the same size and meaning that are padded to the same size. */
struct group {
	int64_t size, padded;
	char semantics[24];
	double self, cost;
	size_t n;
	const struct op *longest;
};

static bool worth(const struct rule_work *w, const struct op *o, size_t i)
{
	return i < OPS_MAX && !o->sparse &&
	    100 * (double)o->sum.self >= rule_limit(w->rule, "op") * (double)w->in->ops->op_time;
}

static void add_group(struct group **v, size_t *n, size_t *cap, const struct op *o, const struct shape_dim *d,
    double lost)
{
	char semantics[24];
	size_t i = 0;

	snprintf(semantics, sizeof semantics, "%s", d->semantics ? d->semantics : "dimension");
	while (i < *n &&
	    ((*v)[i].size != d->size || (*v)[i].padded != d->padded || strcmp((*v)[i].semantics, semantics)))
		i++;
	if (i == *n) {
		VEC_ADD(*v, *n, *cap, (struct group){ .size = d->size, .padded = d->padded, .longest = o });
		memcpy((*v)[i].semantics, semantics, sizeof semantics);
	}
	(*v)[i].self += (double)o->sum.self;
	(*v)[i].cost += lost * (double)o->sum.self;
	(*v)[i].n++;
}

VEC_ORDER(by_cost, struct group, DOWN(cost) UP(size));

/* shapes: counts the ops whose shapes are known. */
static size_t find_groups(struct rule_work *w, struct group **v, size_t *shapes)
{
	const struct opdb *db = w->in->ops;
	size_t n = 0, cap = 0;

	*v = NULL;
	*shapes = 0;
	for (size_t i = 0; i < db->n && !rule_stopped(w); i++) {
		const struct op *o = &db->v[i];
		enum step_metric m = step_metric_of(o->category.s, o->category.n);
		const struct shape_dim *dim;
		struct layout_fit fit;
		double efficiency;

		if (!worth(w, o, i))
			break;
		if (m != METRIC_HIGH_FLOPS && m != METRIC_LOW_FLOPS)
			continue;
		layout_fit_op(w->in->dump, rule_contents(w), o, &fit);
		*shapes += fit.n > 0;
		if (fit.n) {
			efficiency = fit.v[fit.main].efficiency;
			dim = shape_worst(fit.v[fit.main].dim, fit.v[fit.main].ndims);
			if (dim && efficiency * 100 < rule_limit(w->rule, "fit") &&
			    (double)shape_padded(&fit.v[fit.main].shape) >= rule_limit(w->rule, "bytes"))
				add_group(v, &n, &cap, o, dim, 1 - efficiency);
		}
		layout_fit_free(&fit);
	}
	VEC_SORT(*v, n, by_cost);
	return n;
}

static void say_groups(struct rule_work *w, struct finding *f, const struct group *v, size_t n)
{
	double all = (double)w->in->ops->op_time;

	for (size_t i = 0; i < n && i < GROUPS_SHOWN; i++) {
		struct slice s = op_short_name(w->in->dump, v[i].longest);

		rule_detail(w, f,
		    rule_say(w, "%s %" PRId64 " to %" PRId64, v[i].semantics, v[i].size, v[i].padded),
		    "%s, %.1f %% of op time, most in %.*s", rule_ops(w, v[i].n), 100 * v[i].self / all,
		    (int)s.n, s.s);
	}
	rule_at_op(w, f, v[0].longest);
}

void rule_padding(struct rule_work *w)
{
	struct group *v;
	struct finding *f;
	const char *why = rule_no_ops(w);
	double self = 0, lost = 0, all;
	size_t n, ops = 0, shapes;

	if (why) {
		rule_unknown(w, "%s", why);
		return;
	}
	all = (double)w->in->ops->op_time;
	n = find_groups(w, &v, &shapes);
	for (size_t i = 0; i < n; i++) {
		self += v[i].self;
		lost += v[i].cost;
		ops += v[i].n;
	}
	if (!shapes) {
		rule_unknown(w, "ops state no shapes with layouts");
	} else if (!n ||
	    !(f = rule_raise(w, 100 * rule_step_share(w, lost), rule_step_share(w, lost), NULL))) {
		rule_checked(w, "%.1f %% of op time", 100 * lost / all);
	} else {
		f->evidence = rule_say(w,
		    "%s %" PRId64 " is padded to %" PRId64 "; %s, %.1f %% of op time, %.0f %% padding",
		    v[0].semantics, v[0].size, v[0].padded, rule_ops(w, ops), 100 * self / all,
		    100 * lost / self);
		say_groups(w, f, v, n);
	}
	free(v);
}

/* A dimension has a meaning only in a convolution or dot, where the compiler states it. */
bool rule_fit_small(struct rule_work *w, const struct op *o)
{
	double least = rule_limit(w->rule, "dim");
	struct layout_fit fit;
	bool is = false;

	if (!w->in->dump)
		return false;
	layout_fit_op(w->in->dump, rule_contents(w), o, &fit);
	for (size_t i = 0; fit.kind && i < fit.n; i++)
		for (size_t k = 0; k < fit.v[i].ndims; k++) {
			const char *s = fit.v[i].dim[k].semantics;

			is |= s &&
			    (strstr(s, "feature") || !strcmp(s, "contracting") || !strcmp(s, "free")) &&
			    (double)fit.v[i].dim[k].size < least;
		}
	layout_fit_free(&fit);
	return is;
}

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

		if (!worth(w, o, i))
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
