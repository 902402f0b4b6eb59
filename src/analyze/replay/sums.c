#include "config.h"
#include "analyze/replay/internal.h"

#include <assert.h>

/* A part of a node in a step; left: what is not yet spent of its bound, or of its wait. */
static void add_part(const struct node *n, bool first, int64_t ps, int64_t *left, int64_t part[SPENT_PARTS])
{
	const int64_t known = ps < *left ? ps : *left;

	if (n->over || !first) {
		part[SPENT_OVERHANG] += ps;
	} else if (n->group <= GROUP_FORMAT) {
		int64_t *work = &part[group_part[n->group]];

		if (n->bound < 0) {
			work[3] += ps;
			return;
		}
		work[n->by_flops ? 0 : 1] += known;
		work[2] += ps - known;
		*left -= known;
	} else if (n->group == GROUP_SYNC) {
		part[SPENT_WAIT] += known;
		part[SPENT_TRANSFER] += ps - known;
		*left -= known;
	} else {
		part[group_part[n->group]] += ps;
	}
}

int64_t replay_wait(const struct replay *r, const struct node *n)
{
	return n->kind == NODE_SYNC ? n->d - replay_meeting(r, n->at)->least_alone : 0;
}

static void add_idle(const struct replay *r, int64_t (*parts)[SPENT_PARTS], int32_t step,
    enum idle_cause cause, int64_t ps)
{
	if (step >= 0 && (size_t)step < r->nsteps)
		parts[step][SPENT_IDLE_OTHER_CORES + (int)cause] += ps;
}

int64_t node_first(const struct replay_core *c, const struct node *n)
{
	int64_t first = n->d;

	for (uint32_t i = 0; i < n->nshares; i++)
		first -= c->share[n->share + i].ps;
	return first;
}

static void add_node(const struct replay *r, const struct replay_core *c, const struct node *n,
    int64_t (*parts)[SPENT_PARTS])
{
	int64_t left = n->group == GROUP_SYNC ? replay_wait(r, n) : n->bound > 0 ? n->bound : 0;
	const int64_t first = node_first(c, n);

	if (n->kind != NODE_LAUNCH && n->meta == NODE_NONE)
		add_idle(r, parts, n->step, n->cause, first);
	else if (n->meta != NODE_NONE && n->step >= 0 && (size_t)n->step < r->nsteps)
		add_part(n, true, first, &left, parts[n->step]);
	for (uint32_t i = 0; i < n->nshares; i++) {
		const struct share *s = &c->share[n->share + i];

		if (n->meta == NODE_NONE)
			add_idle(r, parts, s->step, s->cause, s->ps);
		else if (s->step >= 0 && (size_t)s->step < r->nsteps)
			add_part(n, false, s->ps, &left, parts[s->step]);
	}
}

void sums_make(struct replay *r)
{
	for (size_t k = 0; k < r->ncores; k++)
		for (size_t i = 0; i < r->core[k].nnodes; i++)
			add_node(r, &r->core[k], &r->core[k].node[i], r->parts + k * r->nsteps);
	for (size_t k = 0; k < r->ncores; k++)
		for (size_t i = 0; i < r->nsteps; i++)
			assert(replay_time(r, k, i) == r->core[k].border[i].to - r->core[k].border[i].from);
}
