#include "config.h"
#include "analyze/replay/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define OWN_PATH 1.1 /* a flight up to so many times the shortest, and a bit, is bound by its own start */
#define OWN_PATH_MORE 5e4

struct run_core {
	double time;
	size_t at, stretch; /* stretch: the next one */
	bool queued;
	uint32_t *waiting; /* cores that wait for a start of this one */
	size_t nwaiting, waiting_cap;
};

struct running {
	const struct replay *r;
	struct replay *calibrate; /* the same; NULL: it is measured already */
	const struct change *change;
	bool force;
	double **started; /* by core and pair: when its start ended; NaN: not yet */
	double *arrived;  /* by member: at its meeting */
	double *over;     /* by meeting */
	uint32_t *came;   /* how many have */
	uint32_t *order;  /* by member: the cores of a meeting, as they came */
	double *out;
	struct run_core *core;
	uint32_t *queue; /* of cores that can go on; a ring */
	size_t queued, head;
};

/* How many sums a core has in `out`: outside of steps, of each step, and of steps that other cores do not have. */
static size_t width_of(const struct replay *r)
{
	return r->nsteps + 2;
}

static double *time_of(const struct running *w, uint32_t core, int32_t step)
{
	const int64_t n = (int64_t)w->r->nsteps;

	return w->out + core * width_of(w->r) + 1 + (step < n ? step : n);
}

double *replay_room(const struct replay *r)
{
	return xcalloc(r->ncores * width_of(r) + 1, sizeof(double));
}

static void wake(struct running *w, uint32_t k)
{
	if (w->core[k].queued)
		return;
	w->core[k].queued = true;
	w->queue[(w->head + w->queued++) % w->r->ncores] = k;
}

/* A changed duration changes the first part of its node. */
static void put_time(struct running *w, uint32_t k, const struct node *n, double d)
{
	const struct share *all = w->r->core[k].share, *s = all ? all + n->share : NULL;
	size_t i = 0;

	if (n->kind == NODE_LAUNCH) {
		*time_of(w, k, s->step) += d - (double)(n->d - s->ps);
		i = 1;
	} else {
		double more = 0;

		for (size_t q = 0; q < n->nshares; q++)
			more += (double)s[q].ps;
		*time_of(w, k, n->step) += d - more;
	}
	for (; i < n->nshares; i++)
		*time_of(w, k, s[i].step) += (double)s[i].ps;
}

static void spend(struct running *w, uint32_t k, const struct node *n, double d)
{
	w->core[k].time += d;
	put_time(w, k, n, d);
}

static void start(struct running *w, uint32_t k, const struct node *n)
{
	struct run_core *c = &w->core[k];
	const struct pair *p = &w->r->core[k].pair[n->at];

	w->started[k][n->at] = c->time;
	if (w->calibrate)
		w->calibrate->core[k].pair[n->at].started = c->time;
	if (p->exchange == NODE_NONE)
		return;
	for (size_t i = 0; i < c->nwaiting; i++)
		wake(w, c->waiting[i]);
	c->nwaiting = 0;
}

/* When the last partner started; NaN: none has.  false: one of them has not yet. */
static bool partners_started(struct running *w, uint32_t k, const struct pair *p, double *last)
{
	const struct replay *r = w->r;
	bool all = true;

	*last = NAN;
	for (uint32_t i = 0; i < p->npeers; i++) {
		uint32_t other = replay_exchanged(r, p->exchange, p->peer[i]);
		double t = other == NODE_NONE ? NAN : w->started[p->peer[i]][other];
		struct run_core *c = &w->core[p->peer[i]];

		*last = fmax(*last, t);
		if (isnan(t) && !w->force) {
			all = false;
			VEC_ADD(c->waiting, c->nwaiting, c->waiting_cap, k);
		}
	}
	return all;
}

static void measure_link(struct pair *p, double mine, double partner)
{
	const double least = p->own, flight = p->flight;

	p->has_off = false;
	p->others = least;
	if (isnan(partner)) {
		p->own = flight;
		p->others = 0;
	} else if (flight <= OWN_PATH * least + OWN_PATH_MORE) {
		p->own = flight;
		p->has_off = true;
		p->off = fmin(0, mine + flight - least - partner);
	} else {
		p->has_off = true;
		p->off = mine + flight - least - partner;
	}
}

/* false: it has to wait for the start of a partner */
static bool finish(struct running *w, uint32_t k, const struct node *n)
{
	const struct pair *p = &w->r->core[k].pair[n->at];
	const double now = w->core[k].time, begun = w->started[k][n->at], mine = isnan(begun) ? now : begun;
	double flight = p->flight, partner, own, others;

	if (p->npeers) {
		if (!partners_started(w, k, p, &partner))
			return false;
		if (w->calibrate) {
			measure_link(&w->calibrate->core[k].pair[n->at], mine, partner);
		} else {
			own = change_transfer(w->change, w->r, n, p->own);
			others = change_transfer(w->change, w->r, n, p->others);
			flight = own;
			if (!isnan(partner) && p->has_off)
				flight =
				    fmax(own, partner + others + change_off(w->change, p, k, p->off) - mine);
		}
	} else {
		flight = change_transfer(w->change, w->r, n, flight);
	}
	spend(w, k, n, fmax(0, mine + flight - now) + p->base);
	return true;
}

static void arrive(struct running *w, const struct meeting *m, uint32_t member, uint32_t k)
{
	if (!isnan(w->arrived[member]))
		return;
	w->arrived[member] = w->core[k].time;
	w->order[m->member + w->came[m - w->r->meeting]++] = k;
}

/* When the last has come, all can go on. */
static bool all_came(struct running *w, const struct meeting *m, uint32_t k, const struct node *n)
{
	double last = -INFINITY, *over = &w->over[m - w->r->meeting];

	if (w->came[m - w->r->meeting] < m->members)
		return false;
	if (!isnan(*over))
		return true;
	for (uint32_t i = 0; i < m->members; i++)
		last = fmax(last, w->arrived[m->member + i]);
	*over = last + (m->launch ? 0 : change_transfer(w->change, w->r, n, (double)m->least));
	for (uint32_t i = 0; i < m->members; i++)
		if (w->order[m->member + i] != k)
			wake(w, w->order[m->member + i]);
	return true;
}

static bool meet(struct running *w, uint32_t k, const struct node *n)
{
	const struct meeting *m = replay_meeting(w->r, n->at);
	double d, before = 0, over;

	arrive(w, m, n->at, k);
	if (!all_came(w, m, k, n))
		return false;
	over = w->over[m - w->r->meeting];
	d = over - w->arrived[n->at];
	if (w->r->member[n->at].node && n[-1].kind == NODE_BARRIER) {
		before = fmin(d, (double)n[-1].d);
		put_time(w, k, &n[-1], before);
	}
	put_time(w, k, n, d - before);
	w->core[k].time = over;
	return true;
}

/* Each begins at its own time after the last has ended. */
static bool launch(struct running *w, uint32_t k, const struct node *n)
{
	const struct meeting *m;
	double off, over;

	if (n->at == NODE_NONE) {
		spend(w, k, n, change_gap_most(w->change, k, n->run, change_gap(w->change, w->r, k, n)));
		return true;
	}
	m = replay_meeting(w->r, n->at);
	arrive(w, m, n->at, k);
	if (!all_came(w, m, k, n))
		return false;
	over = w->over[m - w->r->meeting];
	if (w->calibrate)
		w->calibrate->member[n->at].off = w->arrived[n->at] + (double)n->d - over;
	off = w->r->member[n->at].off;
	if (n->d)
		off *= change_gap(w->change, w->r, k, n) / (double)n->d;
	off = change_gap_most(w->change, k, n->run, off);
	put_time(w, k, n, over + off - w->arrived[n->at]);
	w->core[k].time = over + off;
	return true;
}

static bool step(struct running *w, uint32_t k, const struct node *n)
{
	switch (n->kind) {
	case NODE_WORK:
		spend(w, k, n, change_own(w->change, w->r, k, n));
		return true;
	case NODE_START:
		spend(w, k, n, change_own(w->change, w->r, k, n));
		start(w, k, n);
		return true;
	case NODE_DONE:
		return finish(w, k, n);
	case NODE_GAP:
		spend(w, k, n, change_idle(w->change, n));
		return true;
	case NODE_BARRIER:
		arrive(w, replay_meeting(w->r, n[1].at), n[1].at, k);
		return true;
	case NODE_SYNC:
		return meet(w, k, n);
	case NODE_LAUNCH:
		return launch(w, k, n);
	}
	return true;
}

/* The sums of a stretch in place of its nodes, if they tell what the change makes of it. */
static bool pass_stretch(struct running *w, uint32_t k)
{
	const struct replay_core *of = &w->r->core[k];
	struct run_core *c = &w->core[k];
	const struct stretch *s = of->stretch;
	double d;

	if (c->stretch >= of->nstretches || s[c->stretch].first != c->at)
		return false;
	s += c->stretch;
	c->stretch++;
	d = change_stretch(w->change, w->r, k, s);
	if (isnan(d))
		return false;
	c->time += d;
	*time_of(w, k, s->step) += d;
	c->at += s->nodes;
	return true;
}

static bool all_done(const struct running *w)
{
	for (size_t k = 0; k < w->r->ncores; k++)
		if (w->core[k].at < w->r->core[k].nnodes)
			return false;
	return true;
}

static void run_all(struct running *w)
{
	for (uint32_t k = 0; k < w->r->ncores; k++)
		wake(w, k);
	for (;;) {
		uint32_t k;
		struct run_core *c;

		if (!w->queued) { /* pairs whose partner never starts are on their own from here */
			if (w->force || all_done(w))
				return;
			w->force = true;
			for (k = 0; k < w->r->ncores; k++)
				wake(w, k);
		}
		k = w->queue[w->head];
		w->head = (w->head + 1) % w->r->ncores;
		w->queued--;
		c = &w->core[k];
		c->queued = false;
		while (c->at < w->r->core[k].nnodes &&
		    (pass_stretch(w, k) || (step(w, k, &w->r->core[k].node[c->at]) && ++c->at)))
			;
	}
}

static double *unknown(size_t n)
{
	double *v = xmalloc((n + 1) * sizeof *v);

	for (size_t i = 0; i < n; i++)
		v[i] = NAN;
	return v;
}

bool replay_run(const struct replay *r, const struct change *change, struct replay *calibrate, double *out)
{
	struct running w = { .r = r,
		.change = change,
		.calibrate = calibrate,
		.out = out,
		.started = xcalloc(r->ncores + 1, sizeof *w.started),
		.arrived = unknown(r->nmembers),
		.over = unknown(r->nmeetings),
		.came = xcalloc(r->nmeetings + 1, sizeof *w.came),
		.order = xcalloc(r->nmembers + 1, sizeof *w.order),
		.core = xcalloc(r->ncores + 1, sizeof *w.core),
		.queue = xcalloc(r->ncores + 1, sizeof *w.queue) };
	bool ended;

	memset(out, 0, r->ncores * width_of(r) * sizeof *out);
	for (size_t k = 0; k < r->ncores; k++)
		w.started[k] = unknown(r->core[k].npairs);
	for (size_t k = 0; k < r->ncores; k++)
		w.core[k].time = r->core[k].place;
	if (r->ncores)
		run_all(&w);
	ended = all_done(&w);
	for (size_t k = 0; k < r->ncores; k++) {
		free(w.core[k].waiting);
		free(w.started[k]);
	}
	free(w.started);
	free(w.arrived);
	free(w.over);
	free(w.came);
	free(w.order);
	free(w.core);
	free(w.queue);
	return ended;
}

void replay_steps(const struct replay *r, const double *out, double *step_of)
{
	for (size_t i = 0; i < r->nsteps; i++) {
		step_of[i] = 0;
		for (size_t k = 0; k < r->ncores; k++)
			step_of[i] = fmax(step_of[i], out[k * width_of(r) + 1 + i]);
	}
}
