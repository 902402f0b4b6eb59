#include "config.h"

#include "analyze/interval/internal.h"

#include <stdlib.h>

#include "analyze/interval/rank.h"
#include "base/pool.h"

/* Once it is known how many events each name has, and between which limits their parts lie, there is one array for
 * the parts of all names, and a second pass over the events puts them there.  The lower halves are enough where a
 * name's limits are less than 32 bits apart; names where they are not are wide. */
#define SLICE_EVENTS 262144 /* per worker */

static bool is_wide(const struct window_name *n)
{
	return n->max - n->min > UINT32_MAX;
}

static size_t place_names(const struct window *w, size_t *at)
{
	size_t sum = 0;

	for (size_t n = 0; n < w->nnames; n++) {
		at[n] = sum;
		sum += is_wide(&w->names[n]) ? 2 * w->names[n].count : (w->names[n].count + 1) / 2 * 2;
	}
	return sum;
}

/* Gives each worker its piece of each name. */
static void place_keys(const struct window *w)
{
	const struct window_work *k = w->work;
	size_t *next = xcalloc(w->nnames, sizeof *next);

	place_names(w, next);
	for (int i = 0; i < k->nworkers; i++) {
		struct window_worker *o = &k->workers[i];

		o->fill = xcalloc(k->nkeys, sizeof *o->fill);
		for (size_t u = 0; u < o->nused; u++) {
			uint32_t key = o->used[u].key, n = k->name_of[key];
			size_t wide = is_wide(&w->names[n]);

			o->fill[key] = 2 * next[n] + wide;
			next[n] += o->slots[key].count << wide;
		}
	}
	free(next);
}

bool window_ranks_begin(struct window *w)
{
	struct window_parts *p = &w->work->parts;

	if (!w->ranks || !w->nnames)
		return false;
	for (size_t n = 0; n < w->nnames; n++)
		w->names[n].p50 = w->names[n].p99 = -1;
	p->at = xcalloc(w->nnames, sizeof *p->at);
	p->n = place_names(w, p->at);
	p->v = mem_try(NULL, p->n, sizeof *p->v);
	if (p->v)
		place_keys(w);
	return p->v;
}

static void select_name(void *ctx, size_t i)
{
	const struct window *w = ctx;
	const struct window_parts *p = &w->work->parts;
	struct window_name *n = &w->names[w->work->k + i];
	struct rank_two r = rank_two(p->v + p->at[n - w->names], n->count, is_wide(n), (uint64_t)n->min,
	    (uint64_t)(n->max - n->min), (n->count - 1) / 2, n->count - n->count / 100 - 1);

	n->p50 = n->min + (int64_t)r.a;
	n->p99 = n->min + (int64_t)r.b;
}

bool window_select(struct window *w, bool all)
{
	struct window_work *k = w->work;
	uint64_t events = 0, most = all ? UINT64_MAX : SLICE_EVENTS * (uint64_t)k->nworkers;
	size_t end = k->k;

	while (end < w->nnames && events < most)
		events += w->names[end++].count;
	pool_run(k->nworkers, end - k->k, select_name, w);
	k->k = end;
	return k->k < w->nnames;
}
