#include "config.h"
#include "analyze/communication/internal.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/mem.h"

VEC_ORDER(by_run, struct comm_run, UP(op) UP(id) UP(dur) UP(core));

static void add_wait(int64_t *wait, int64_t more)
{
	*wait = add_clamped(*wait < 0 ? 0 : *wait, more);
}

static void add_one(int64_t *count)
{
	*count = *count < 0 ? 1 : *count + 1;
}

/* All cores leave a collective together: the one that came last has the shortest run, and did not wait.  Of equal ones
 * none came last. */
static void take_run(struct communication *c, int64_t *net, const struct comm_run *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct comm_run *r = &v[i];
		int64_t wait = sub_clamped(r->dur, v[0].dur);

		if (!r->counted)
			continue;
		net[r->core] = sub_clamped(net[r->core], wait);
		add_wait(&c->op[r->op].wait, wait);
		add_wait(&c->core[r->core].wait, wait);
		if (r->step != CUT_NONE)
			add_wait(&c->step[r->step].wait, wait);
		if (n > 1 && i == 0 && v[1].dur > r->dur)
			add_one(&c->core[r->core].last);
		if (n > 1 && i == n - 1 && v[i - 1].dur < r->dur)
			add_one(&c->core[r->core].first);
	}
}

/* All runs of an op; returns how many. */
static size_t take_op(struct communication *c, int64_t *net, const struct comm_run *v, size_t n,
    bool whole_groups)
{
	size_t a = 0, b;

	for (; a < n && v[a].op == v[0].op; a = b) {
		for (b = a + 1; b < n && v[b].op == v[a].op && v[b].id == v[a].id;)
			b++;
		if (c->ncores > 1 && whole_groups)
			take_run(c, net, &v[a], b - a);
	}
	return a;
}

/* Finds what all ops together would save on the core on which that is least. */
static void find_save(struct communication *c, const int64_t *sum, int core)
{
	bool any = false;

	for (size_t i = 0; i < c->ncores; i++) {
		if (core >= 0 && c->core[i].core != core)
			continue;
		c->save = any && c->save < sum[i] ? c->save : sum[i];
		any = true;
	}
}

VEC_ORDER(by_op, struct comm_net, UP(op) UP(core));

/* What is exposed of an op less its waits would be saved: on the core with least of it, for the last one decides. */
void comm_waits_find(struct communication *c, struct comm_waits *w, const bool *whole_groups, int core)
{
	int64_t *net = xcalloc(c->ncores + 1, sizeof *net), *sum = xcalloc(c->ncores + 1, sizeof *sum);
	size_t run = 0;

	VEC_SORT(w->v, w->n, by_run);
	VEC_SORT(w->net, w->nnet, by_op);
	for (size_t a = 0, b; a < w->nnet; a = b) {
		struct comm_op *o = &c->op[w->net[a].op];

		for (b = a; b < w->nnet && w->net[b].op == w->net[a].op; b++)
			net[w->net[b].core] = w->net[b].exposed;
		while (run < w->n && w->v[run].op < w->net[a].op)
			run++;
		if (run < w->n && w->v[run].op == w->net[a].op)
			run += take_op(c, net, &w->v[run], w->n - run, whole_groups[w->v[run].op]);
		for (size_t i = a; i < b && o->kind != COMM_COPY; i++) {
			const int64_t save = net[w->net[i].core];

			sum[w->net[i].core] = add_clamped(sum[w->net[i].core], save);
			o->save = save && (!o->save || save < o->save) ? save : o->save;
		}
	}
	find_save(c, sum, core);
	free(net);
	free(sum);
	free(w->v);
	free(w->net);
}
