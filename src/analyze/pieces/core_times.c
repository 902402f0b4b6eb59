#include "config.h"
#include "analyze/pieces/core_times.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/pieces/spans.h"
#include "base/clamp.h"
#include "base/mem.h"
#include "base/pool.h"

/* One core while it is walked. */
struct gather {
	struct core_time *core;
	const struct core_times *all;
	uint32_t index;
	int64_t in_run, compute; /* sums so far */
	int64_t shift;           /* of the last op */
	uint32_t step;           /* that has begun; CUT_NONE: none */
	int64_t *in_step;        /* by op */
	uint32_t *ran;           /* the ops of which there is something */
	size_t nran;
};

static void end_step(struct gather *g)
{
	struct core_time *c = g->core;

	for (size_t i = 0; i < g->nran; i++) {
		VEC_ADD(c->cell, c->ncells, c->cells_cap,
		    (struct time_cell){ g->step, c->base + g->ran[i], g->in_step[g->ran[i]] });
		g->in_step[g->ran[i]] = 0;
	}
	g->nran = 0;
}

static void take_step(void *ctx, uint32_t step, bool end)
{
	struct gather *g = ctx;

	end_step(g);
	g->step = end ? CUT_NONE : step;
}

static void add_to_step(struct gather *g, uint32_t op, int64_t time)
{
	if (g->step == CUT_NONE)
		return;
	if (!g->in_step[op])
		g->ran[g->nran++] = op;
	g->in_step[op] = add_clamped(g->in_step[op], time);
}

static void begin(void *ctx)
{
	struct gather *g = ctx;
	struct core_time *c = g->core;

	c->nflights = c->nlongest = c->noutside = 0;
	end_step(g);
	c->ncells = 0;
	g->step = CUT_NONE;
	c->tail = 0;
	c->last_meta = CUT_NONE;
	g->in_run = g->compute = g->shift = 0;
	memset(c->op, 0, (c->nops + 1) * sizeof *c->op);
}

static void swap_gaps(struct time_gap *a, struct time_gap *b)
{
	struct time_gap x = *a;

	*a = *b;
	*b = x;
}

static int64_t length_of(const struct time_gap *g)
{
	return g->to - g->from;
}

/* The shortest is on top of the heap. */
static void sink_gap(struct time_gap *v, size_t n)
{
	for (size_t i = 0, k; (k = 2 * i + 1) < n; i = k) {
		k += k + 1 < n && length_of(&v[k + 1]) < length_of(&v[k]);
		if (length_of(&v[i]) <= length_of(&v[k]))
			return;
		swap_gaps(&v[i], &v[k]);
	}
}

static void keep_gap(struct core_time *c, const struct time_gap *g)
{
	size_t i = c->nlongest;

	if (i == TIMES_LONGEST) {
		if (length_of(g) > length_of(&c->longest[0])) {
			c->longest[0] = *g;
			sink_gap(c->longest, i);
		}
		return;
	}
	c->longest[c->nlongest++] = *g;
	for (; i && length_of(&c->longest[i]) < length_of(&c->longest[(i - 1) / 2]); i = (i - 1) / 2)
		swap_gaps(&c->longest[i], &c->longest[(i - 1) / 2]);
}

static void take_idle(struct gather *g, const struct cut_piece *p)
{
	struct core_time *c = g->core;
	int64_t dur = p->to - p->from;
	const struct time_gap gap = { p->from, p->to, p->time, c->last_meta, p->op ? p->op->meta : CUT_NONE,
		{ p->from, g->compute, g->in_run }, p->op ? p->op->shift : g->shift };

	keep_gap(c, &gap);
	if (p->time >= PIECE_OUTSIDE)
		VEC_ADD(c->outside, c->noutside, c->outside_cap, gap);
	if (p->time == PIECE_IN_RUN)
		g->in_run = add_clamped(g->in_run, dur);
	if (!p->op) {
		c->tail = add_clamped(c->tail, dur);
		return;
	}
	struct time_op *o = &c->op[p->op->meta - c->base];

	o->gap = add_clamped(o->gap, dur);
	if (p->time == PIECE_OTHER_CORES)
		o->barrier = add_clamped(o->barrier, dur);
}

static void take_piece(void *ctx, const struct cut_piece *p)
{
	struct gather *g = ctx;

	if (p->time >= PIECE_IDLE) {
		take_idle(g, p);
		return;
	}
	g->core->last_meta = p->op->meta;
	g->shift = p->op->shift;
	add_to_step(g, p->op->meta - g->core->base, p->to - p->from);
	if (p->time == PIECE_COMPUTE)
		g->compute = add_clamped(g->compute, p->to - p->from);
}

static void take_op(void *ctx, const struct cut_op *o)
{
	struct gather *g = ctx;
	struct time_op *op = &g->core->op[o->meta - g->core->base];

	if (!op->count++) {
		op->track = o->track;
		op->event = o->event;
	}
	op->self = add_clamped(op->self, o->self);
	op->around |= o->self != o->end - o->begin.time;
}

static void take_flight(void *ctx, const struct cut_flight *f)
{
	struct gather *g = ctx;
	struct core_time *c = g->core;

	VEC_ADD(c->flight, c->nflights, c->flights_cap,
	    (struct time_flight){ .begin = f->start->begin,
		.end = f->end,
		.self = f->self,
		.id = f->start->id,
		.meta = f->start->meta,
		.done_meta = f->done_meta,
		.core = g->index,
		.track = f->start->track,
		.event = f->start->event,
		.done_event = f->done_event,
		.role = f->role,
		.unpaired = f->unpaired });
}

/* The kinds of ops that the core has. */
static void find_range(const struct dump *d, struct core_time *c)
{
	c->nops = cut_kinds(d, c->cut.plane, &c->base);
	c->op = xcalloc(c->nops + 1, sizeof *c->op);
}

static int longest_first(const void *a, const void *b)
{
	const struct time_gap *x = a, *y = b;

	if (length_of(x) != length_of(y))
		return length_of(x) > length_of(y) ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

struct job {
	struct core_times *all;
	struct progress *progress;
};

static void run_core(void *ctx, size_t i)
{
	const struct job *j = ctx;
	struct core_time *c = &j->all->core[i];
	struct gather g = { .core = c, .all = j->all, .index = (uint32_t)i, .step = CUT_NONE };

	find_range(j->all->dump, c);
	g.in_step = xcalloc(c->nops + 1, sizeof *g.in_step);
	g.ran = xcalloc(c->nops + 1, sizeof *g.ran);
	cut_core(j->all->ops, &c->cut, c->row, c->nrows, j->progress,
	    &(struct cut_visitor){ begin, take_piece, take_op, take_flight, &g, take_step });
	free(g.in_step);
	free(g.ran);
	VEC_SORT(c->longest, c->nlongest, longest_first);
	dump_let_go(j->all->dump, c->cut.plane);
}

void core_times_make(const struct dump *d, const struct steps *steps, const char *host, int threads,
    struct progress *progress, struct core_times *t)
{
	struct job j = { t, progress };
	uint64_t events = 0;
	uint32_t *plane;

	*t = (struct core_times){ .dump = d,
		.steps = steps,
		.host = host,
		.ops = cut_ops_read(d),
		.launches = launches_read(d, progress) };
	plane = cut_planes(d, host, &t->ncores);
	t->core = xcalloc(t->ncores + 1, sizeof *t->core);
	for (size_t i = 0; i < t->ncores; i++) {
		struct core_time *c = &t->core[i];

		*c = (struct core_time){ .host = d->trace.planes[plane[i]].host,
			.core = d->trace.planes[plane[i]].core,
			.cut.plane = plane[i] };
		c->nrows = steps_of_core(steps, c->host, c->core, &c->row);
		launches_fill(t->launches, &c->cut);
		events += cut_count(d, plane[i]);
	}
	progress_begin(progress, events);
	pool_run(threads > 0 ? threads : pool_default_threads(), t->ncores, run_core, &j);
	t->canceled = progress_canceled(progress);
	free(plane);
}

void core_times_free(struct core_times *t)
{
	for (size_t i = 0; i < t->ncores; i++) {
		cut_core_free(&t->core[i].cut);
		free(t->core[i].flight);
		free(t->core[i].op);
		free(t->core[i].outside);
		free(t->core[i].cell);
	}
	free(t->core);
	cut_ops_free(t->ops);
	launches_free(t->launches);
	*t = (struct core_times){ 0 };
}
