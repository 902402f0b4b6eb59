#include "config.h"
#include "analyze/replay/internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/bisect.h"
#include "base/mem.h"

const struct meeting *replay_meeting(const struct replay *r, uint32_t member)
{
	size_t m;

	BISECT(m, r->nmeetings, r->meeting[m].member + r->meeting[m].members <= member);
	return &r->meeting[m];
}

/* When a core ends a meeting, by its own clock. */
static double *meeting_ends(const struct replay *r)
{
	double *end = xcalloc(r->nmembers + 1, sizeof *end);

	for (size_t k = 0; k < r->ncores; k++) {
		double t = 0;

		for (size_t i = 0; i < r->core[k].nnodes; i++) {
			const struct node *n = &r->core[k].node[i];

			t += (double)n->d;
			if (n->at != NODE_NONE && (n->kind == NODE_SYNC || n->kind == NODE_LAUNCH))
				end[n->at] = t;
		}
	}
	return end;
}

/* Those that meet an unplaced core get the place that makes them end that together.  passed: by meeting, all that meet
 * there have one. */
static void place_partners(struct replay *r, uint32_t from, const double *end, bool *passed, uint32_t *todo,
    size_t *n)
{
	const struct replay_core *c = &r->core[from];

	for (size_t i = 0; i < c->nnodes; i++) {
		const struct node *x = &c->node[i];
		const struct meeting *m;

		if (x->at == NODE_NONE || x->kind != (r->nsyncs ? NODE_SYNC : NODE_LAUNCH))
			continue;
		m = replay_meeting(r, x->at);
		for (uint32_t q = 0; q < m->members && !passed[m - r->meeting]; q++) {
			const uint32_t k = r->member[m->member + q].core;

			if (!isnan(r->core[k].place))
				continue;
			r->core[k].place = c->place + end[x->at] - end[m->member + q];
			todo[(*n)++] = k;
		}
		passed[m - r->meeting] = true;
	}
}

void place_cores(struct replay *r)
{
	uint32_t *todo;
	double *end;
	bool *passed;

	if (!r->nmeetings)
		return;
	todo = xcalloc(r->ncores + 1, sizeof *todo);
	passed = xcalloc(r->nmeetings, sizeof *passed);
	end = meeting_ends(r);
	for (size_t k = 0; k < r->ncores; k++)
		r->core[k].place = NAN;
	for (uint32_t root = 0; root < r->ncores; root++) {
		size_t n = 0;

		if (!isnan(r->core[root].place))
			continue;
		r->core[root].place = 0;
		todo[n++] = root;
		for (size_t i = 0; i < n; i++)
			place_partners(r, todo[i], end, passed, todo, &n);
	}
	free(end);
	free(passed);
	free(todo);
}
