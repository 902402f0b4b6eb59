#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>

#include "analyze/overview/batch.h"

static bool find_batch(struct rule_work *w, struct batch *b)
{
	return batch_find(w->in->dump, w->in->ops, rule_contents(w), rule_limit(w->rule, "op") / 100,
	    w->in->progress, b);
}

void rule_batch(struct rule_work *w)
{
	struct batch b;
	struct finding *f;
	int64_t whole;
	double step, cores;

	if (!w->in->ops || !w->in->dump || !w->in->ops->op_time)
		return;
	if (!find_batch(w, &b))
		return;
	step = rule_limit(w->rule, "multiple");
	whole = (b.size + (int64_t)step - 1) / (int64_t)step * (int64_t)step;
	cores = (double)w->in->ops->planes;
	if (whole == b.size || !(f = rule_raise(w, 100 * (1 - (double)b.size / (double)whole), NAN, NULL))) {
		rule_checked(w, "%" PRId64 " per core, global %.0f", b.size, (double)b.size * cores);
		return;
	}
	f->evidence = rule_say(w,
	    "batch %" PRId64
	    " per core in %zu of %zu convolutions (global %.0f on %.0f cores), not a multiple of %.0f; the "
	    "next one is %" PRId64,
	    b.size, b.same, b.all, (double)b.size * cores, cores, step, whole);
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
	struct batch b;

	if (!w->in->ops || !w->in->dump || !w->in->ops->op_time || !(norm = norm_op(w)))
		return;
	if (!find_batch(w, &b)) {
		rule_unknown(w, "the batch per core is not known");
		return;
	}
	if (!(f = rule_raise(w, (rule_limit(w->rule, "least") - 1) / (double)b.size, NAN, NULL))) {
		rule_checked(w, "%" PRId64 " per core", b.size);
		return;
	}
	f->evidence = rule_say(w,
	    "each core normalizes over its own batch of %" PRId64
	    " (global %.0f); %.0f or more per core give steady "
	    "means",
	    b.size, (double)b.size * (double)w->in->ops->planes, rule_limit(w->rule, "least"));
	rule_at_op(w, f, norm);
}
