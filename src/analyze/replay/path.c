#include "config.h"
#include "analyze/replay/internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#define OWN_PATH 1.1
#define OWN_PATH_MORE 5e4
#define NEAR 0.02

const char *const path_what_name[] = { "op", "transfer", "async", "dma", "infeed", "outfeed", "host_transfer",
	"sparsecore", "idle", "skew" };

static const enum path_what what_of[] = { [GROUP_SYNC] = PATH_TRANSFER,
	[GROUP_ASYNC] = PATH_ASYNC,
	[GROUP_DMA] = PATH_DMA,
	[GROUP_INFEED] = PATH_INFEED,
	[GROUP_OUTFEED] = PATH_OUTFEED,
	[GROUP_HOST_TRANSFER] = PATH_HOST_TRANSFER,
	[GROUP_SPARSECORE] = PATH_SPARSECORE };

/* A meeting on the path: how much later the last core came than the one before it, and the path when it was met. */
struct turn {
	double margin, transfer, sum; /* margin NaN: no other core is known */
	bool to_other;
};

struct walk {
	const struct replay *r;
	int32_t step;
	struct path_row *v;
	size_t n, cap;
	double sum;
	struct turn *turn;
	size_t nturns, turns_cap;
	uint32_t core, at; /* at: the node + 1 */
	double *of_op;     /* by name: time of ops of a core that are not yet rows */
	strid *op;         /* which */
	size_t nops, ops_cap;
	uint32_t ops_core;
	uint32_t *last; /* by core and step: the last node that takes time in it, + 1 */
};

static void add_row(struct walk *w, uint32_t core, enum path_what what, uint32_t name, double ps)
{
	VEC_ADD(w->v, w->n, w->cap, (struct path_row){ core, what, name, ps, 0 });
	w->sum += ps;
}

/* An op runs many times in a row of nodes of one core: they are a row of the path. */
static void end_ops(struct walk *w)
{
	for (size_t i = 0; i < w->nops; i++) {
		VEC_ADD(w->v, w->n, w->cap,
		    (struct path_row){ w->ops_core, PATH_OP, w->op[i], w->of_op[w->op[i]], 0 });
		w->of_op[w->op[i]] = 0;
	}
	w->nops = 0;
}

static void add_op(struct walk *w, strid name, double ps)
{
	if (!(ps > 0))
		return;
	if (w->core != w->ops_core)
		end_ops(w);
	w->ops_core = w->core;
	if (!(w->of_op[name] > 0))
		VEC_ADD(w->op, w->nops, w->ops_cap, name);
	w->of_op[name] += ps;
	w->sum += ps;
}

static strid op_name(const struct walk *w, const struct node *n)
{
	return w->r->dump->trace.metas[n->meta].name;
}

/* The first share of the step or after it, and the end of all.  They are in order, but for those between two steps. */
static const struct share *shares_in(const struct walk *w, const struct replay_core *c, const struct node *n,
    const struct share **end)
{
	const struct share *low = c->share + n->share, *high = *end = low + n->nshares;

	while (low < high) {
		const struct share *middle = low + (high - low) / 2, *s = middle;

		while (s < high && s->step < 0)
			s++;
		if (s < high && s->step < w->step)
			low = s + 1;
		else
			high = middle;
	}
	return low;
}

/* How much of a node is in the step. */
static double in_step(const struct walk *w, const struct replay_core *c, const struct node *n)
{
	double sum = n->kind != NODE_LAUNCH && n->step == w->step ? (double)node_first(c, n) : 0;
	const struct share *end, *s = n->nshares ? shares_in(w, c, n, &end) : NULL;

	for (; s && s < end && s->step <= w->step; s++)
		sum += s->step == w->step ? (double)s->ps : 0;
	return sum;
}

static void add_idle(struct walk *w, uint32_t core, const struct node *n)
{
	const struct replay_core *c = &w->r->core[core];
	const struct share *end, *s;

	if (n->kind != NODE_LAUNCH) {
		add_row(w, core, PATH_IDLE, n->cause, in_step(w, c, n));
		return;
	}
	s = n->nshares ? shares_in(w, c, n, &end) : NULL;
	for (; s && s < end && s->step <= w->step; s++)
		if (s->step == w->step)
			add_row(w, core, PATH_IDLE, s->cause, (double)s->ps);
}

/* On with the core that came last. */
static void pass_meeting(struct walk *w, const struct node *n)
{
	const struct meeting *m = replay_meeting(w->r, n->at);
	const struct member *last = &w->r->member[m->member];
	int64_t second = INT64_MAX;
	const struct node *x;

	for (uint32_t i = 1; i < m->members; i++)
		if (w->r->member[m->member + i].total < last->total)
			last = &w->r->member[m->member + i];
	for (uint32_t i = 0; i < m->members; i++) {
		const struct member *o = &w->r->member[m->member + i];

		if (o != last && o->total < second)
			second = o->total;
	}
	VEC_ADD(w->turn, w->nturns, w->turns_cap,
	    (struct turn){ second == INT64_MAX ? NAN : (double)(second - last->total), (double)m->least,
		w->sum, last->core != w->core });
	w->core = last->core;
	w->at = last->node;
	x = &w->r->core[w->core].node[last->node];
	if (m->launch) {
		add_idle(w, w->core, x);
		return;
	}
	add_row(w, w->core, PATH_TRANSFER, op_name(w, x), in_step(w, &w->r->core[w->core], x));
	if (w->at && x[-1].kind == NODE_BARRIER) {
		add_idle(w, w->core, &x[-1]);
		w->at--;
	}
}

/* The partner that started last, and its pair; the core itself if its own start decides. */
static uint32_t decider(const struct walk *w, const struct pair *p, uint32_t *pair)
{
	const struct replay *r = w->r;
	uint32_t core = w->core;
	double last = -INFINITY;

	if (!p->npeers || !p->has_off || !(p->flight > OWN_PATH * p->others + OWN_PATH_MORE))
		return core;
	for (uint32_t i = 0; i < p->npeers; i++) {
		uint32_t other = replay_exchanged(r, p->exchange, p->peer[i]);
		double t = other == NODE_NONE ? NAN : r->core[p->peer[i]].pair[other].started;

		if (other != NODE_NONE && (t > last || (!(t < last) && p->peer[i] < core))) {
			last = t;
			core = p->peer[i];
			*pair = other;
		}
	}
	return core;
}

/* A done that waited: its flight counts, not what ran beside it.  false: the start is in another step. */
static bool pass_flight(struct walk *w, const struct node *n)
{
	const struct pair *p = &w->r->core[w->core].pair[n->at];
	uint32_t pair = n->at, core = decider(w, p, &pair), start = w->r->core[core].pair[pair].start;
	const double flight = core != w->core ? p->others : p->flight;
	const enum path_what what = n->group == GROUP_DMA ? PATH_DMA : PATH_ASYNC;
	const struct node *s;

	if (!(p->base < (double)n->d) || start == NODE_NONE)
		return false;
	s = &w->r->core[core].node[start];
	if (!(in_step(w, &w->r->core[core], s) > 0))
		return false;
	add_row(w, w->core, what, op_name(w, n), flight + p->base);
	if (core != w->core)
		VEC_ADD(w->turn, w->nturns, w->turns_cap, (struct turn){ NAN, flight, w->sum, true });
	w->core = core;
	w->at = start;
	add_row(w, core, s->group == GROUP_DMA ? PATH_DMA : PATH_ASYNC, op_name(w, s),
	    in_step(w, &w->r->core[core], s));
	return true;
}

static void pass(struct walk *w)
{
	const struct node *n = &w->r->core[w->core].node[w->at - 1];

	if (n->at != NODE_NONE && (n->kind == NODE_SYNC || n->kind == NODE_LAUNCH)) {
		pass_meeting(w, n);
		return;
	}
	if (n->kind == NODE_DONE && pass_flight(w, n))
		return;
	if (n->meta == NODE_NONE)
		add_idle(w, w->core, n);
	else if (what_of[n->group] == PATH_OP)
		add_op(w, op_name(w, n), in_step(w, &w->r->core[w->core], n));
	else
		add_row(w, w->core, what_of[n->group], op_name(w, n), in_step(w, &w->r->core[w->core], n));
	w->at--;
}

static void find_last(struct walk *w, size_t core)
{
	const struct replay_core *c = &w->r->core[core];
	uint32_t *last = w->last + core * w->r->nsteps;

	for (uint32_t i = 0; i < c->nnodes; i++) {
		const struct node *n = &c->node[i];

		if (n->kind != NODE_LAUNCH && n->step >= 0 && (size_t)n->step < w->r->nsteps &&
		    node_first(c, n) > 0)
			last[n->step] = i + 1;
		for (uint32_t k = 0; k < n->nshares; k++) {
			const struct share *s = &c->share[n->share + k];

			if (s->ps > 0 && s->step >= 0 && (size_t)s->step < w->r->nsteps)
				last[s->step] = i + 1;
		}
	}
}

/* The longest core, and its last node in the step. */
static double begin_step(struct walk *w, size_t step)
{
	const struct replay *r = w->r;

	w->step = (int32_t)step;
	w->core = 0;
	for (uint32_t k = 1; k < r->ncores; k++)
		if (replay_time(r, k, step) > replay_time(r, w->core, step))
			w->core = k;
	w->at = w->last[w->core * r->nsteps + step];
	return (double)replay_time(r, w->core, step);
}

/* most: nodes, because damaged ids could lead to the same meeting again and again */
static void walk_step(struct walk *w, size_t step, size_t most)
{
	double total = begin_step(w, step);

	w->sum = 0;
	w->nturns = 0;
	for (; w->at && most-- && in_step(w, &w->r->core[w->core], &w->r->core[w->core].node[w->at - 1]) > 0;)
		pass(w);
	end_ops(w);
	add_row(w, NODE_NONE, PATH_SKEW, 0, total - w->sum);
}

VEC_ORDER(by_key, struct path_row, UP(core) UP(what) UP(name));
VEC_ORDER(by_time, struct path_row, DOWN(ps) UP(core) UP(what) UP(name));

static size_t sum_rows(struct path_row *v, size_t n)
{
	size_t k = 0;

	VEC_SORT(v, n, by_key);
	for (size_t i = 0; i < n; i++) {
		if (k && !by_key(&v[k - 1], &v[i])) {
			v[k - 1].ps += v[i].ps;
			v[k - 1].steps += v[i].steps;
		} else {
			v[k++] = v[i];
		}
	}
	return k;
}

static void count_turns(const struct walk *w, struct path *p)
{
	for (size_t i = 0; i < w->nturns; i++) {
		const struct turn *t = &w->turn[i];
		double until = i + 1 < w->nturns ? w->turn[i + 1].sum : w->sum,
		       between = until - t->sum - t->transfer;

		p->turns += t->to_other;
		p->syncs += !isnan(t->margin);
		p->near_ties += t->margin < NEAR * between;
	}
}

static size_t count_nodes(const struct replay *r)
{
	size_t n = 0;

	for (size_t k = 0; k < r->ncores; k++)
		n += r->core[k].nnodes;
	return n;
}

void path_make(const struct replay *r, struct path *p)
{
	struct walk w = { .r = r };
	size_t all = count_nodes(r);

	*p = (struct path){ 0 };
	w.last = xcalloc(r->ncores * r->nsteps + 1, sizeof *w.last);
	w.of_op = xcalloc(r->dump->str.n + 1, sizeof *w.of_op);
	for (size_t k = 0; k < r->ncores; k++)
		find_last(&w, k);
	for (size_t s = 0; s < r->nsteps && !r->stuck; s++) {
		size_t first = w.n;

		if (!r->used[s])
			continue;
		walk_step(&w, s, all);
		count_turns(&w, p);
		w.n = first + sum_rows(w.v + first, w.n - first);
		for (size_t i = first; i < w.n; i++)
			w.v[i].steps = w.v[i].ps > 0 || w.v[i].what == PATH_SKEW;
	}
	p->v = w.v;
	p->n = sum_rows(w.v, w.n);
	VEC_SORT(p->v, p->n, by_time);
	free(w.turn);
	free(w.last);
	free(w.of_op);
	free(w.op);
}

void path_free(struct path *p)
{
	free(p->v);
	*p = (struct path){ 0 };
}
