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
static void take_run(struct communication *c, int64_t *net, size_t cores, const struct comm_run *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct comm_run *r = &v[i];
		int64_t wait = r->dur - v[0].dur;

		if (!r->counted)
			continue;
		net[r->op * cores + r->core] -= wait;
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

void comm_waits_find(struct communication *c, struct comm_waits *w, const bool *whole_groups)
{
	VEC_SORT(w->v, w->n, by_run);
	for (size_t a = 0, b; a < w->n; a = b) {
		for (b = a + 1; b < w->n && w->v[b].op == w->v[a].op && w->v[b].id == w->v[a].id;)
			b++;
		if (w->cores > 1 && whole_groups[w->v[a].op])
			take_run(c, w->net, w->cores, &w->v[a], b - a);
	}
	free(w->v);
}
