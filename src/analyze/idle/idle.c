#include "config.h"
#include "analyze/idle/idle.h"

#include <assert.h>
#include <stdlib.h>

#include "analyze/idle/internal.h"
#include "base/bisect.h"
#include "base/clamp.h"
#include "base/mem.h"

#define CAUSE(id, name, text) [IDLE_##id] = name,
const char *const idle_cause_id[IDLE_CAUSES] = {
#include "analyze/idle/causes.def"
};
#undef CAUSE
#define CAUSE(id, name, text) [IDLE_##id] = text,
const char *const idle_cause_name[IDLE_CAUSES] = {
#include "analyze/idle/causes.def"
};
#undef CAUSE

static const struct {
	enum piece_class piece;
	enum idle_cause cause;
} causes[] = {
	{ PIECE_OTHER_CORES, IDLE_OTHER_CORES },
	{ PIECE_DEPENDENCY, IDLE_DEPENDENCY },
	{ PIECE_IN_RUN, IDLE_IN_RUN },
	{ PIECE_INPUT, IDLE_INPUT },
	{ PIECE_LAUNCH, IDLE_LAUNCH },
	{ PIECE_BETWEEN, IDLE_BETWEEN },
	{ PIECE_UNKNOWN, IDLE_UNKNOWN },
};

enum idle_cause idle_cause_of(enum piece_class c)
{
	size_t i = 0;

	while (causes[i].piece != c)
		i++;
	return causes[i].cause;
}

/* What is in flight, by the time that a core has been idle inside of runs until then. */
struct in_flight {
	struct spans communication, any;
};

static void find_flights(const struct core_time *c, struct in_flight *f)
{
	*f = (struct in_flight){ 0 };
	for (size_t i = 0; i < c->nflights; i++) {
		const struct time_flight *x = &c->flight[i];

		if (x->role.part == PART_SYNC || x->role.part == PART_UPDATE ||
		    x->begin.in_run == x->end.in_run)
			continue;
		spans_push(&f->any, x->begin.in_run, x->end.in_run);
		if (x->role.kind != COMM_COPY)
			spans_push(&f->communication, x->begin.in_run, x->end.in_run);
	}
	spans_join(&f->communication);
	spans_join(&f->any);
}

static int64_t covered(const struct spans *s, int64_t from, int64_t to)
{
	int64_t sum = 0;
	size_t i;

	BISECT(i, s->n, s->v[i].to <= from);
	for (; i < s->n && s->v[i].from < to; i++)
		sum += (s->v[i].to < to ? s->v[i].to : to) - (s->v[i].from > from ? s->v[i].from : from);
	return sum;
}

static void split_in_run(const struct in_flight *f, int64_t from, int64_t to, int64_t cause[IDLE_CAUSES])
{
	const int64_t communication = covered(&f->communication, from, to), any = covered(&f->any, from, to);

	cause[IDLE_COMMUNICATION] = communication;
	cause[IDLE_DMA] = any - communication;
	cause[IDLE_IN_RUN] = to - from - any;
}

static void add_causes(const struct in_flight *f, const struct cut_sums *from, const struct cut_sums *to,
    struct idle_core *c)
{
	int64_t all = 0, sum = 0;

	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
		const int64_t ps = to->ps[causes[i].piece] - from->ps[causes[i].piece];

		c->cause[causes[i].cause] = ps;
		all = add_clamped(all, ps);
	}
	split_in_run(f, from->ps[PIECE_IN_RUN], to->ps[PIECE_IN_RUN], c->cause);
	for (int i = 0; i < IDLE_CAUSES; i++)
		sum = add_clamped(sum, c->cause[i]);
	assert(sum == all);
	c->idle = all;
}

static int64_t infeed_of(const struct core_times *t, const struct core_time *c)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < c->nops; i++)
		if (c->op[i].self &&
		    slice_is(dump_text(t->dump, t->dump->trace.metas[c->base + i].category), "infeed"))
			sum = add_clamped(sum, c->op[i].self);
	return sum;
}

static struct idle_core whole_core(const struct core_times *t, const struct core_time *c,
    const struct in_flight *f)
{
	struct idle_core r = { .host = c->host,
		.core = c->core,
		.window = sub_clamped(c->cut.last, c->cut.first),
		.infeed = infeed_of(t, c) };
	int64_t busy;

	add_causes(f, &(struct cut_sums){ 0 }, &c->cut.sum, &r);
	busy = sub_clamped(r.window, r.idle);
	r.overlap = sub_clamped(c->cut.self, busy);
	return r;
}

static int64_t add_known(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? -1 : add_clamped(a, b);
}

void idle_add(struct idle_core *sum, const struct idle_core *c)
{
	sum->window = add_clamped(sum->window, c->window);
	sum->idle = add_clamped(sum->idle, c->idle);
	sum->overlap = add_known(sum->overlap, c->overlap);
	sum->infeed = add_known(sum->infeed, c->infeed);
	for (int i = 0; i < IDLE_CAUSES; i++)
		sum->cause[i] = add_clamped(sum->cause[i], c->cause[i]);
}

static void take_steps(struct idle *v, const struct core_time *c, const struct in_flight *f, const char *step)
{
	for (size_t i = 0; i < c->nrows; i++) {
		const struct cut_step *s = &c->cut.step[i];
		struct idle_core *r = &v->step[v->nsteps];

		if (step && !steps_is(&c->row[i], step))
			continue;
		*r = (struct idle_core){ .host = c->host,
			.core = c->core,
			.step = &c->row[i],
			.window = sub_clamped(s->to, s->from),
			.overlap = -1,
			.infeed = -1 };
		add_causes(f, &s->at_from, &s->at_to, r);
		v->nsteps++;
	}
}

static enum idle_cause most_of(const int64_t cause[IDLE_CAUSES])
{
	int most = IDLE_UNKNOWN;

	for (int i = 0; i < IDLE_CAUSES; i++)
		if (cause[i] > cause[most])
			most = i;
	return (enum idle_cause)most;
}

static void take_gaps(struct idle *v, const struct core_time *c, const struct in_flight *f)
{
	for (size_t i = 0; i < c->nlongest; i++) {
		const struct time_gap *g = &c->longest[i];
		int64_t cause[IDLE_CAUSES] = { 0 };

		if (g->time == PIECE_IN_RUN)
			split_in_run(f, g->begin.in_run, g->begin.in_run + g->to - g->from, cause);
		else
			cause[idle_cause_of(g->time)] = 1;
		v->gap[v->ngaps++] = (struct idle_gap){ c->host, c->core, *g, most_of(cause) };
	}
}

static int longest_first(const void *a, const void *b)
{
	const struct idle_gap *x = a, *y = b;
	const int64_t dx = x->of.to - x->of.from, dy = y->of.to - y->of.from;

	if (dx != dy)
		return dx > dy ? -1 : 1;
	if (x->host != y->host || x->core != y->core)
		return x->host != y->host ? (x->host < y->host ? -1 : 1) : (x->core < y->core ? -1 : 1);
	return (x->of.from > y->of.from) - (x->of.from < y->of.from);
}

/* Keeps only the steps, when one was asked for, and makes the cores their sums: several steps may have the name. */
static void of_one_step(struct idle *v)
{
	v->ncores = 0;
	v->ngaps = v->nlaunches = 0;
	v->sum = (struct idle_core){ .host = -1, .core = -1 };
	for (size_t i = 0; i < v->nsteps; i++) {
		const struct idle_core *s = &v->step[i];

		if (!i || s->host != s[-1].host || s->core != s[-1].core)
			v->core[v->ncores++] = (struct idle_core){ .host = s->host, .core = s->core };
		idle_add(&v->core[v->ncores - 1], s);
		idle_add(&v->sum, s);
	}
}

void idle_make(const struct core_times *t, const struct idle_options *o, struct idle *v)
{
	size_t rows = 0;

	for (size_t i = 0; i < t->ncores; i++)
		rows += t->core[i].nrows;
	*v = (struct idle){ .dump = t->dump,
		.sum = { .host = -1, .core = -1 },
		.core = xcalloc((o->step ? rows : t->ncores) + 1, sizeof *v->core),
		.step = xcalloc(rows + 1, sizeof *v->step),
		.gap = xcalloc(t->ncores * TIMES_LONGEST + 1, sizeof *v->gap) };
	for (size_t i = 0; i < t->ncores; i++) {
		const struct core_time *c = &t->core[i];
		struct in_flight f;

		if (o->core >= 0 && c->core != o->core)
			continue;
		find_flights(c, &f);
		v->core[o->step ? 0 : v->ncores++] = whole_core(t, c, &f);
		idle_add(&v->sum, &v->core[o->step ? 0 : v->ncores - 1]);
		take_steps(v, c, &f, o->step);
		take_gaps(v, c, &f);
		free(f.communication.v);
		free(f.any.v);
	}
	VEC_SORT(v->gap, v->ngaps, longest_first);
	v->ngaps = v->ngaps > TIMES_LONGEST ? TIMES_LONGEST : v->ngaps;
	idle_find_launches(t, o, v);
	idle_of_digests(t, o, v);
	if (o->step)
		of_one_step(v);
}

void idle_free(struct idle *v)
{
	free(v->core);
	free(v->step);
	free(v->launch);
	free(v->gap);
	*v = (struct idle){ 0 };
}

double idle_percent(const struct idle_core *c)
{
	const double overlap = c->overlap > 0 ? (double)c->overlap : 0;

	return c->window > 0 ? 100 * ((double)c->idle - overlap) / (double)c->window : NAN;
}

enum idle_cause idle_most(const struct idle_core *c, int64_t *of_idle)
{
	enum idle_cause most = most_of(c->cause);

	*of_idle = c->cause[most];
	return most;
}
