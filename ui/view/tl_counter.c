#include "config.h"

#include "view/tl.h"

#include <stdlib.h>

#define BLOCK 256			/* samples per entry of the index of largest values */

static size_t first_after(const struct counter *c, int64_t t)
{
	size_t lo = 0, n = c->n;

	while (n) {
		size_t half = n / 2;

		if (c->t[lo + half] <= t) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return lo;
}

static const double *index_of(struct tl *t, int counter)
{
	const struct counter *c = &t->dump->trace.counters[counter];
	struct tl_counter_index *x;

	for (size_t i = 0; i < t->nindex; i++)
		if (t->index[i].counter == counter)
			return t->index[i].max;
	t->index = xrealloc(t->index, t->nindex + 1, sizeof *t->index);
	x = &t->index[t->nindex++];
	x->counter = counter;
	x->max = xcalloc(c->n / BLOCK + 1, sizeof *x->max);
	for (size_t i = 0; i < c->n; i++)
		if (i % BLOCK == 0 || c->v[i] > x->max[i / BLOCK])
			x->max[i / BLOCK] = c->v[i];
	return x->max;
}

double tl_counter_peak(struct tl *t, int counter, int64_t t0, int64_t t1, bool *any)
{
	const struct counter *c = &t->dump->trace.counters[counter];
	size_t from = first_after(c, t0), to = first_after(c, t1 - 1);
	double peak = 0;

	if (from)			/* the value that holds when the piece begins */
		from--;
	*any = from < to;
	if (!*any)
		return 0;
	peak = c->v[from];
	for (size_t i = from; i < to;) {
		if (i % BLOCK == 0 && to - i >= BLOCK) {
			double v = index_of(t, counter)[i / BLOCK];

			peak = v > peak ? v : peak;
			i += BLOCK;
		} else {
			peak = c->v[i] > peak ? c->v[i] : peak;
			i++;
		}
	}
	return peak;
}
