#include "config.h"
#include "analyze/replay/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/trace/clock.h"
#include "base/bisect.h"
#include "base/clamp.h"
#include "base/mem.h"

#define SLACK 1000 /* ps: how far an op may begin after the end of its run */

struct open_op {
	size_t event;
	int64_t end, left; /* left: of its bound */
	uint32_t track, number;
};

struct start_node {
	size_t event;
	uint32_t track, node;
};

struct flight_node {
	struct start_node start;
	struct done_op done;
	uint32_t node; /* of the done */
	int64_t until;
};

struct walk {
	const struct cut_ops *ops;
	struct replay_core *c;
	struct cut_core cut;
	struct hider *hider;
	struct open_op *open;
	size_t nopen, open_cap, kept; /* kept: when they were last looked through */
	struct start_node *start;
	size_t nstarts, starts_cap;
	struct flight_node *flight;
	size_t nflights, flights_cap;
	struct spans communication, any; /* in flight, by idle time inside of runs */
	int64_t in_run;
	size_t border; /* + 1: the one that began last */
	size_t run;    /* + 1: of the core, in which the last op was */
	struct cut_op last;
	uint32_t last_node, infeeds;
};

/* The step at a moment, -1: none; *next: when that changes, if it does before. */
static int32_t step_at(struct walk *w, int64_t at, int64_t *next)
{
	const struct replay_core *c = w->c;
	int64_t end;

	while (w->border < c->nborders && c->border[w->border].from <= at)
		w->border++;
	if (w->border < c->nborders) {
		int64_t from = c->border[w->border].from;

		*next = from < *next ? from : *next;
	}
	if (!w->border || (end = c->border[w->border - 1].to) <= at)
		return -1;
	*next = end < *next ? end : *next;
	return (int32_t)w->border - 1;
}

static void add_share(struct walk *w, struct node *n, int32_t step, int64_t ps)
{
	struct replay_core *c = w->c;

	if (!n->nshares)
		n->share = (uint32_t)c->nshares;
	VEC_ADD(c->share, c->nshares, c->shares_cap, (struct share){ ps, step, n->cause });
	n->nshares++;
}

/* Parts of a launch are all shares; of other nodes, those after the first. */
static void cut_node(struct walk *w, struct node *n, int64_t from, int64_t to)
{
	bool first = n->kind != NODE_LAUNCH;
	int64_t next = to;

	if (from >= to)
		n->step = step_at(w, from, &next);
	for (; from < to; from = next, next = to) {
		int32_t step = step_at(w, from, &next);

		if (first)
			n->step = step;
		else
			add_share(w, n, step, next - from);
		first = false;
	}
}

static struct node *new_node(struct walk *w)
{
	struct replay_core *c = w->c;

	VEC_ADD(c->node, c->nnodes, c->nodes_cap,
	    (struct node){ .meta = NODE_NONE,
		.bound = -1,
		.step = -1,
		.at = NODE_NONE,
		.op = NODE_NONE,
		.run = (uint32_t)c->nruns - 1,
		.segment = NODE_NONE });
	return &c->node[c->nnodes - 1];
}

static void take_idle(struct walk *w, const struct cut_piece *p)
{
	struct replay_core *c = w->c;
	struct node *n = c->nnodes ? &c->node[c->nnodes - 1] : NULL;
	bool launch = p->time >= PIECE_OUTSIDE;

	if (!launch || !n || n->kind != NODE_LAUNCH) {
		n = new_node(w);
		n->kind = launch ? NODE_LAUNCH : NODE_GAP;
		n->group = GROUP_IDLE;
		n->bound = w->in_run;
	}
	n->cause = idle_cause_of(p->time);
	n->d += p->to - p->from;
	cut_node(w, n, p->from, p->to);
	if (p->time == PIECE_IN_RUN)
		w->in_run += p->to - p->from;
}

/* Finds the run of a program in which the op is; one that is in none belongs to the last. */
static void find_run(struct walk *w, const struct cut_op *o)
{
	const struct cut_run *r = w->cut.run;
	const int64_t at = sub_clamped(o->begin.time, o->shift);
	size_t i;

	BISECT(i, w->cut.nruns, r[i].from <= at);
	if (!i || i == w->run || at >= r[i - 1].to + SLACK)
		return;
	w->run = i;
	VEC_ADD(w->c->run, w->c->nruns, w->c->runs_cap,
	    w->ops->dump->trace.metas[track_meta(&w->ops->dump->trace.tracks[r[i - 1].track], r[i - 1].event)]
		.name);
}

/* Those that have ended are forgotten, at the top at once and below when they may be half of all; no op is nested so
 * deep that more must be compared. */
static struct open_op *open_of(struct walk *w, const struct cut_op *o, const struct op_bound *b, int64_t at)
{
	enum { COMPARED_MOST = 256 };
	size_t n = 0, last;

	while (w->nopen && w->open[w->nopen - 1].end <= at)
		w->nopen--;
	if (w->nopen > 2 * w->kept + COMPARED_MOST) {
		for (size_t i = 0; i < w->nopen; i++)
			if (w->open[i].end > at)
				w->open[n++] = w->open[i];
		w->nopen = w->kept = n;
	}
	last = w->nopen > COMPARED_MOST ? w->nopen - COMPARED_MOST : 0;
	for (size_t i = w->nopen; i-- > last;)
		if (w->open[i].event == o->event && w->open[i].track == o->track) {
			w->nopen = i + 1;
			return &w->open[i];
		}
	VEC_ADD(w->open, w->nopen, w->open_cap,
	    (struct open_op){ o->event, o->end, b->ps, o->track,
		b->group == GROUP_INFEED ? w->infeeds++ : NODE_NONE });
	return NULL;
}

static void add_piece(struct walk *w, const struct cut_op *o, int64_t from, int64_t to)
{
	const struct op_bound *b = &w->c->bound[o->meta - w->c->base];
	struct open_op *open;
	struct node *n;
	bool first;

	find_run(w, o);
	open = open_of(w, o, b, from);
	first = !open;
	open = &w->open[w->nopen - 1];
	n = new_node(w);
	n->meta = o->meta;
	n->group = b->group;
	n->d = to - from;
	n->first = first;
	n->op = open->number;
	n->kind = b->group == GROUP_SYNC && o->id != CUT_NO_ID ? NODE_SYNC : NODE_WORK;
	if (b->group <= GROUP_FORMAT && b->ps >= 0) {
		n->bound = open->left < n->d ? open->left : n->d;
		n->by_flops = b->by_flops;
		open->left -= n->bound;
	}
	if (n->kind == NODE_SYNC)
		VEC_ADD(w->c->sync, w->c->nsyncs, w->c->syncs_cap,
		    (struct sync_node){ o->id, (uint32_t)w->c->nnodes - 1 });
	cut_node(w, n, from, to);
	n->over = n->step >= 0 && w->c->border[n->step].from > o->begin.time;
	w->last = *o;
	w->last_node = (uint32_t)w->c->nnodes - 1;
}

static void take_piece(void *ctx, const struct cut_piece *p)
{
	struct walk *w = ctx;

	if (p->time >= PIECE_IDLE) {
		take_idle(w, p);
		return;
	}
	add_piece(w, p->op, p->from, p->to);
}

static bool is_last(const struct walk *w, const struct cut_op *o)
{
	return w->last_node != NODE_NONE && w->last.event == o->event && w->last.track == o->track;
}

/* Starts that take no time are real. */
static void take_op(void *ctx, const struct cut_op *o)
{
	struct walk *w = ctx;
	const struct op_role *role = &w->ops->role[o->meta];
	struct node *n;

	if (role->kind && role->part != PART_SYNC && o->end == o->begin.time)
		add_piece(w, o, o->end, o->end);
	if (!is_last(w, o))
		w->last_node = NODE_NONE;
	n = w->last_node == NODE_NONE ? NULL : &w->c->node[w->last_node];
	if (n && role->kind && role->part == PART_START)
		VEC_ADD(w->start, w->nstarts, w->starts_cap,
		    (struct start_node){ o->event, o->track, w->last_node });
	if (w->hider)
		hider_take(w->hider,
		    &(struct hide_op){ o->begin.time, o->end - o->begin.time, o->meta,
			n && n->kind == NODE_SYNC ? w->last_node : NODE_NONE, (uint32_t)w->c->nruns },
		    w->c);
	w->last = *o;
}

/* Where the flight went on in an op that hides it, that op may have waited for it: how long it took is not known. */
static void take_flight(void *ctx, const struct cut_flight *f)
{
	struct walk *w = ctx;
	const bool fused = f->done_meta != CUT_NONE && w->ops->fused[f->done_meta];
	const struct dump *d = w->ops->dump;
	const struct cut_op *s = f->start;
	struct flight_node x = { .start = { s->event, s->track, 0 }, .node = w->last_node };

	w->c->unpaired += fused ? 2 : f->unpaired;
	if (f->done_meta == CUT_NONE || f->unpaired || fused)
		return;
	spans_push(&w->any, s->begin.in_run, f->end.in_run);
	if (f->role.kind != COMM_COPY)
		spans_push(&w->communication, s->begin.in_run, f->end.in_run);
	if (w->last_node == NODE_NONE)
		return;
	clock_plain(d, &d->trace.tracks[w->last.track], w->last.event, &x.done.plain, &x.done.plain_dur);
	x.done.start_plain_end = sub_clamped(s->end, s->shift);
	x.until = sub_clamped(w->last.begin.time, s->end);
	VEC_ADD(w->flight, w->nflights, w->flights_cap, x);
}

static void begin(void *ctx)
{
	struct walk *w = ctx;
	struct replay_core *c = w->c;

	c->nnodes = c->nshares = c->nruns = c->nsyncs = 0;
	c->unpaired = 0;
	w->nopen = w->nstarts = w->nflights = 0;
	w->communication.n = w->any.n = 0;
	w->in_run = 0;
	w->border = w->run = 0;
	w->last_node = NODE_NONE;
	w->infeeds = 0;
	hider_end(w->hider, NULL);
	w->hider = hider_new(w->ops);
}

static bool is_in(const struct spans *s, int64_t at)
{
	size_t i;

	BISECT(i, s->n, s->v[i].to <= at);
	return i < s->n && s->v[i].from <= at;
}

/* Borders of flights are those of ops, so a piece of idle time is in flight as a whole or not at all. */
static void find_causes(struct walk *w)
{
	if (!w->any.n)
		return;
	spans_join(&w->communication);
	spans_join(&w->any);
	for (size_t i = 0; i < w->c->nnodes; i++) {
		struct node *n = &w->c->node[i];

		if (n->kind != NODE_GAP || n->cause != IDLE_IN_RUN || !is_in(&w->any, n->bound))
			continue;
		n->cause = is_in(&w->communication, n->bound) ? IDLE_COMMUNICATION : IDLE_DMA;
		for (uint32_t k = 0; k < n->nshares; k++)
			w->c->share[n->share + k].cause = n->cause;
	}
}

/* The wait for other cores directly before a collective is a part of it. */
static void find_barriers(struct replay_core *c)
{
	for (size_t i = 0; i + 1 < c->nnodes; i++)
		if (c->node[i].kind == NODE_GAP && c->node[i].cause == IDLE_OTHER_CORES &&
		    c->node[i + 1].kind == NODE_SYNC)
			c->node[i].kind = NODE_BARRIER;
}

static bool has_step(const struct replay_core *c, const struct node *n)
{
	bool has = n->step >= 0;

	for (uint32_t i = 0; i < n->nshares; i++)
		has |= c->share[n->share + i].step >= 0;
	return has;
}

/* What was before the first step or after the last is no part of any; returns how many nodes were before. */
static size_t trim(struct replay_core *c)
{
	size_t a = 0, b = c->nnodes, n = 0;

	while (b && !has_step(c, &c->node[b - 1]))
		b--;
	while (a < b && !has_step(c, &c->node[a]))
		a++;
	memmove(c->node, c->node + a, (b - a) * sizeof *c->node);
	c->nnodes = b - a;
	for (size_t i = 0; i < c->nsyncs; i++)
		if (c->sync[i].node >= a && c->sync[i].node < b)
			c->sync[n++] = (struct sync_node){ c->sync[i].id, c->sync[i].node - (uint32_t)a };
	c->nsyncs = n;
	return a;
}

/* Counts the runs that are left. */
static void number_runs(struct replay_core *c)
{
	uint32_t *of = xmalloc((c->nruns + 1) * sizeof *of);
	strid *run = c->run;

	memset(of, 0xff, (c->nruns + 1) * sizeof *of);
	c->run = NULL;
	c->nruns = c->runs_cap = 0;
	for (size_t i = 0; i < c->nnodes; i++) {
		struct node *n = &c->node[i];

		if (n->meta == NODE_NONE) {
			n->run = NODE_NONE;
			continue;
		}
		if (of[n->run + 1] == NODE_NONE) {
			of[n->run + 1] = (uint32_t)c->nruns;
			VEC_ADD(c->run, c->nruns, c->runs_cap, n->run == NODE_NONE ? 0 : run[n->run]);
		}
		n->run = of[n->run + 1];
	}
	free(of);
	free(run);
}

VEC_ORDER(by_event, struct start_node, UP(track) UP(event));

static uint32_t node_of_start(const struct walk *w, const struct start_node *s)
{
	size_t i;

	BISECT(i, w->nstarts, by_event(&w->start[i], s) < 0);
	return i < w->nstarts && !by_event(&w->start[i], s) ? w->start[i].node : NODE_NONE;
}

/* trimmed: how many nodes before the first were taken out */
static void make_pairs(struct walk *w, size_t trimmed)
{
	struct replay_core *c = w->c;
	struct done_op *done = xcalloc(w->nflights + 1, sizeof *done);
	size_t n = 0;

	VEC_SORT(w->start, w->nstarts, by_event);
	for (size_t i = 0; i < w->nflights; i++) {
		const struct flight_node *f = &w->flight[i];
		uint32_t start = node_of_start(w, &f->start);
		struct pair p = { .start = start - (uint32_t)trimmed,
			.done = f->node - (uint32_t)trimmed,
			.until = f->until,
			.exchange = NODE_NONE };

		if (start == NODE_NONE || start < trimmed || p.start >= c->nnodes)
			p.start = NODE_NONE;
		if (f->node < trimmed || p.done >= c->nnodes)
			p.done = NODE_NONE;
		if (p.start != NODE_NONE) {
			c->node[p.start].kind = NODE_START;
			c->node[p.start].at = (uint32_t)c->npairs;
		}
		if (p.done != NODE_NONE) {
			c->node[p.done].kind = NODE_DONE;
			c->node[p.done].at = (uint32_t)c->npairs;
		}
		done[n] = f->done;
		done[n++].pair = (uint32_t)c->npairs;
		VEC_ADD(c->pair, c->npairs, c->pairs_cap, p);
	}
	flights_measure(w->ops->dump, c, done, n);
	free(done);
}

/* An op is a node or more, so that they are not copied again and again as they get more. */
static void reserve_nodes(struct walk *w)
{
	w->c->nodes_cap = (size_t)cut_count(w->ops->dump, w->c->plane);
	w->c->node = xmalloc((w->c->nodes_cap + 1) * sizeof *w->c->node);
}

void nodes_make(const struct cut_ops *ops, const struct cut_core *cut, struct replay_core *c,
    struct progress *progress)
{
	struct walk w = { .ops = ops, .c = c, .cut = *cut, .hider = hider_new(ops) };

	bounds_read(ops, c);
	reserve_nodes(&w);
	if (c->nborders)
		w.cut.at_least = (struct span){ c->border[0].from, c->border[c->nborders - 1].to };
	cut_core(ops, &w.cut, NULL, 0, progress,
	    &(struct cut_visitor){ begin, take_piece, take_op, take_flight, &w, NULL });
	hider_end(w.hider, c);
	find_causes(&w);
	find_barriers(c);
	make_pairs(&w, trim(c));
	number_runs(c);
	cut_core_free(&w.cut);
	free(w.open);
	free(w.start);
	free(w.flight);
	free(w.communication.v);
	free(w.any.v);
}

void nodes_free(struct replay_core *c)
{
	free(c->border);
	free(c->node);
	free(c->share);
	free(c->pair);
	free(c->sync);
	free(c->segment);
	free(c->stretch);
	free(c->run);
	free(c->bound);
}
