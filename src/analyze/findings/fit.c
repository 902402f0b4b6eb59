#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ops/layout_fit.h"

#define GROUPS_SHOWN 4

/* Dimensions of the same size and meaning that are padded to the same size. */
struct group {
	int64_t size, padded;
	char semantics[24];
	double self, cost;
	size_t n;
	const struct op *longest;
};

#define OPS_MAX 200 /* how many of the longest ops have their shapes checked */

/* Is op number i, in the order of time, one of those whose shapes are looked at? */
static bool rule_checks_shape(const struct rule_work *w, const struct op *o, size_t i)
{
	return i < OPS_MAX && !o->sparse &&
	    100 * (double)o->sum.self >= rule_limit(w->rule, "op") * (double)w->in->ops->op_time;
}

static void add_group(struct rule_work *w, struct group **v, size_t *n, size_t *cap, const struct op *o,
    const struct shape_dim *d, const char *role, double lost)
{
	char semantics[24];
	size_t i = 0;

	snprintf(semantics, sizeof semantics, "%s", role ? role : "dimension");
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
	rule_counts_op(w, o);
}

VEC_ORDER(by_cost, struct group, DOWN(cost) UP(size));

/* Leaves of an op what is no padding: "op:fusion.1*0.8,op:fusion.2*0.9". */
static void add_unpadded(const struct rule_work *w, const struct op *o, double factor, char **mend)
{
	struct slice name = op_short_name(w->in->dump, o);
	char *longer =
	    xasprintf("%s%sop:%.*s*%.4f", *mend ? *mend : "", *mend ? "," : "", (int)name.n, name.s, factor);

	free(*mend);
	*mend = longer;
}

/* shapes: counts the ops whose shapes are known.  mend: what takes the padding away, NULL: nothing */
static size_t find_groups(struct rule_work *w, struct group **v, size_t *shapes, char **mend)
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

		if (!rule_checks_shape(w, o, i))
			break;
		if (m != METRIC_HIGH_FLOPS && m != METRIC_LOW_FLOPS)
			continue;
		layout_fit_op(w->in->dump, rule_contents(w), o, &fit);
		*shapes += fit.n > 0;
		if (fit.n) {
			efficiency = fit.v[fit.main].efficiency;
			dim = shape_worst(fit.v[fit.main].dim, fit.v[fit.main].ndims);
			if (dim && efficiency * 100 < rule_limit(w->rule, "fit") &&
			    (double)shape_padded(&fit.v[fit.main].shape) >= rule_limit(w->rule, "bytes")) {
				add_group(w, v, &n, &cap, o, dim, layout_fit_role(&fit, dim), 1 - efficiency);
				add_unpadded(w, o, efficiency, mend);
			}
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
	char *mend = NULL;

	if (why) {
		rule_unknown(w, "%s", why);
		return;
	}
	all = (double)w->in->ops->op_time;
	n = find_groups(w, &v, &shapes, &mend);
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
		f->mend = arena_strndup(&w->out->text, mend, strlen(mend));
		say_groups(w, f, v, n);
	}
	free(mend);
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

/* --- sizes of layers --- */

/* A layer multiplies activations by weights: no dimension is common to all arrays, as in the dots of attention, and
 * no image is slid over. */
static bool is_layer(const struct layout_fit *f)
{
	int spatial = 0;

	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->v[i].ndims; k++) {
			const char *s = f->v[i].dim[k].semantics;
			bool rhs = !strcmp(f->v[i].role, "rhs"), long_one = f->v[i].dim[k].size > 1;

			if (rhs && (!s || (long_one && (!strcmp(s, "batch") || !strcmp(s, "spatial")))))
				return false;
			spatial += !strcmp(f->v[i].role, "lhs") && long_one && s && !strcmp(s, "spatial");
		}
	return f->kind && spatial < 2;
}

/* The dimension of the weights that fits the matrix units least; NULL: all do. */
static const struct shape_dim *odd_dimension(const struct rule_work *w, const struct layout_fit *f)
{
	const struct shape_dim *odd = NULL;
	int64_t least = (int64_t)rule_limit(w->rule, "least"),
		multiple = (int64_t)rule_limit(w->rule, "multiple");

	for (size_t i = 0; i < f->n && is_layer(f); i++)
		for (size_t k = 0; !strcmp(f->v[i].role, "rhs") && k < f->v[i].ndims; k++) {
			const struct shape_dim *d = &f->v[i].dim[k];

			if (d->size > 1 && (d->size < least || d->size % multiple) &&
			    (!odd || d->size < odd->size))
				odd = d;
		}
	return odd;
}

/* counts the layers whose dimensions are known */
static size_t find_odd_layers(struct rule_work *w, struct group **v, size_t *layers)
{
	const struct opdb *db = w->in->ops;
	size_t n = 0, cap = 0;

	*v = NULL;
	*layers = 0;
	for (size_t i = 0; i < db->n && !rule_stopped(w) && rule_checks_shape(w, &db->v[i], i); i++) {
		const struct op *o = &db->v[i];
		const struct shape_dim *odd;
		struct layout_fit fit;

		if (step_metric_of(o->category.s, o->category.n) != METRIC_HIGH_FLOPS)
			continue;
		layout_fit_op(w->in->dump, rule_contents(w), o, &fit);
		*layers += is_layer(&fit);
		if ((odd = odd_dimension(w, &fit)))
			add_group(w, v, &n, &cap, o, odd, odd->semantics, 1);
		layout_fit_free(&fit);
	}
	VEC_SORT(*v, n, by_cost);
	return n;
}

void rule_layer_size(struct rule_work *w)
{
	struct group *v;
	struct finding *f;
	double self = 0;
	size_t n, layers, ops = 0;

	if (!w->in->ops || !w->in->dump || !w->in->ops->op_time)
		return;
	n = find_odd_layers(w, &v, &layers);
	for (size_t i = 0; i < n; i++) {
		self += v[i].self;
		ops += v[i].n;
	}
	if (layers && (!n || !(f = rule_raise(w, 100 * rule_op_share(w, self), NAN, NULL)))) {
		rule_checked(w, "%.1f %% of op time in layers below %.0f or not a multiple of %.0f",
		    100 * rule_op_share(w, self), rule_limit(w->rule, "least"),
		    rule_limit(w->rule, "multiple"));
	} else if (layers) {
		f->evidence = rule_say(w,
		    "%s, %.1f %% of op time, with %s %" PRId64
		    ": layers fill the matrix units with %.0f or more, "
		    "in multiples of %.0f",
		    rule_ops(w, ops), 100 * rule_op_share(w, self), v[0].semantics, v[0].size,
		    rule_limit(w->rule, "least"), rule_limit(w->rule, "multiple"));
		rule_at_op(w, f, v[0].longest);
	}
	free(v);
}
