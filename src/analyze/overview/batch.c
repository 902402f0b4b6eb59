#include "config.h"
#include "analyze/overview/batch.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/ops/layout_fit.h"
#include "analyze/device/step_metric.h"
#include "model/hlo.h"

enum { OPS_MOST = 200 }; /* how many of the longest ops are looked at */

struct size_count {
	int64_t size;
	size_t n;
};

static int64_t batch_of(const struct layout_fit *f)
{
	if (!layout_fit_slides(f))
		return 0;
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; !strcmp(f->v[i].role, "result") && k < f->v[i].ndims; k++)
			if (f->v[i].dim[k].semantics && !strcmp(f->v[i].dim[k].semantics, "batch"))
				return f->v[i].dim[k].size;
	return 0;
}

/* It takes little time to read its module. */
static bool is_near(const struct dump *d, const struct op *o)
{
	int module = hlo_module_by_program(d, o->program, NULL, 0);

	return module < 0 || d->modules[module].len <= BATCH_HLO_BYTES;
}

static int64_t batch_of_op(const struct dump *d, struct hlo_contents *c, const struct op *o)
{
	struct layout_fit fit;
	int64_t size;

	layout_fit_op(d, c, o, &fit);
	size = batch_of(&fit);
	layout_fit_free(&fit);
	return size;
}

bool batch_find(const struct dump *d, const struct opdb *db, struct hlo_contents *contents, double least,
    struct progress *progress, struct batch *b)
{
	struct hlo_contents *own = contents ? NULL : contents_new(d);
	struct size_count *v = NULL;
	size_t n = 0, cap = 0, best = 0;

	*b = (struct batch){ 0 };
	for (size_t i = 0; i < db->n && i < OPS_MOST && !progress_canceled(progress); i++) {
		const struct op *o = &db->v[i];
		int64_t size = 0;
		size_t k = 0;

		if (o->sparse || (double)o->sum.self < least * (double)db->op_time)
			break;
		if (step_metric_of(o->category.s, o->category.n) == METRIC_HIGH_FLOPS &&
		    (contents || is_near(d, o)))
			size = batch_of_op(d, contents ? contents : own, o);
		if (!size)
			continue;
		while (k < n && v[k].size != size)
			k++;
		if (k == n)
			VEC_ADD(v, n, cap, (struct size_count){ size, 0 });
		v[k].n++;
		b->all++;
		best = v[k].n > v[best].n ? k : best;
	}
	b->size = n ? v[best].size : 0;
	b->same = n ? v[best].n : 0;
	free(v);
	if (own)
		contents_free(own);
	return b->all > 1 && 2 * b->same > b->all;
}
