#include "config.h"
#include "analyze/pod/beside.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/device/digest.h"
#include "analyze/pod/own.h"
#include "base/mem.h"

static void take_core(struct pod_beside *b, const struct steps *s, const struct step_core_info *core,
    int side, struct progress *progress)
{
	const struct step *row;
	size_t n = steps_of_core(s, core->host, core->core, &row);

	ops_beside_take(&b->ops, side, row, n, SIZE_MAX, (double)n, progress);
}

struct by_own {
	double own;
	size_t core;
};

VEC_ORDER(by_own, struct by_own, UP(own) UP(core));

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
	*b = (struct pod_beside){ .core = SIZE_MAX, .median = SIZE_MAX, .own = { NAN, NAN } };
	if (!choose_cores(c, core, b) || digest_count(d)) /* a digest has no single ops */
		return;
	ops_beside_begin(d, &b->ops);
	take_core(b, s, &c->core[b->core], 0, progress);
	take_core(b, s, &c->core[b->median], 1, progress);
	ops_beside_sort(&b->ops);
}

void pod_beside_free(struct pod_beside *b)
{
	ops_beside_free(&b->ops);
	*b = (struct pod_beside){ .core = SIZE_MAX };
}

#define SCHEMA beside
#define SCHEMA_ROW struct beside_op
#define SCHEMA_DEF "analyze/pod/beside.def"
#include "result/schema_def.h"

const struct schema pod_beside_schema = { SCHEMA_COLUMNS(beside_columns) };

void pod_beside_table(const struct pod_beside *b, struct table *t)
{
	table_begin(t, &pod_beside_schema);
	for (size_t i = 0; i < b->ops.n; i++)
		table_add(t, &b->ops.v[i]);
}
