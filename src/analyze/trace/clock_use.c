#include "config.h"
#include "analyze/trace/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/internal.h"
#include "base/bisect.h"
#include "base/clamp.h"
#include "base/pool.h"
#include "model/lod.h"

/* An op before and after; spans on other tracks of the plane move with it. */
struct move {
	int64_t from, to, new_from, new_to;
};

struct moves {
	struct move *by_start, *by_end;
	size_t n;
};

struct job {
	const struct dump *d;
	const struct clocks *c;
	struct clock_names names;
	enum clock_kind kind;
	struct track *tracks; /* those of the dump, or a copy of their structs */
	uint32_t **moved;     /* by track: new index of each event, NULL = none moved */
};

VEC_ORDER(by_start, struct move, UP(from) DOWN(to));

VEC_ORDER(by_end, struct move, UP(to) UP(from));

static int64_t carried(int64_t t, int64_t from, int64_t to)
{
	int64_t dur = 0;

	t = add_clamped(t, to - from);
	track_clip(&t, &dur);
	return t;
}

/* Returns the new start (end) of a span: it moves like the nearest start (end) of an op. */
static int64_t carry_start(const struct moves *m, int64_t t)
{
	size_t a;

	BISECT(a, m->n, m->by_start[a].from < t);
	if (a == m->n || (a && t - m->by_start[a - 1].from < m->by_start[a].from - t))
		a--;
	return m->n ? carried(t, m->by_start[a].from, m->by_start[a].new_from) : t;
}

static int64_t carry_end(const struct moves *m, int64_t t)
{
	size_t a;

	BISECT(a, m->n, m->by_end[a].to < t);
	if (a == m->n || (a && t - m->by_end[a - 1].to < m->by_end[a].to - t))
		a--;
	return m->n ? carried(t, m->by_end[a].to, m->by_end[a].new_to) : t;
}

/* One event of a track that is being reordered. */
struct order {
	int64_t start, dur;
	uint64_t args;
	uint32_t old;
};

static int by_time(const void *a, const void *b)
{
	const struct order *x = a, *y = b;
	int order = trace_time_order(x->start, x->dur, y->start, y->dur);

	if (order)
		return order;
	if (x->args != y->args)
		return x->args < y->args ? -1 : 1;
	return (x->old > y->old) - (x->old < y->old);
}

/* Gives a track new times; v[i] has those of event i. Sorts as track_nest() requires, with ties in the order
 * of the file.  A track that has no memory for events of its own stays as it is. */
static void apply(struct job *j, uint32_t track, struct order *v)
{
	struct track *t = &j->tracks[track];
	bool indexed = t->lod != NULL, ordered = true;
	uint32_t *meta, *moved;

	if (j->tracks != j->d->trace.tracks && !track_unshare(t))
		return;
	meta = xcalloc(t->n + 1, sizeof *meta);
	moved = xcalloc(t->n + 1, sizeof *moved);
	for (size_t i = 0; i < t->n; i++) {
		v[i].old = (uint32_t)i;
		v[i].args = track_args(t, i);
		ordered = ordered && (!i || by_time(&v[i - 1], &v[i]) < 0);
		meta[i] = track_meta(t, i);
	}
	if (!ordered)
		qsort(v, t->n, sizeof *v, by_time);
	for (size_t i = 0; i < t->n; i++) {
		track_set_time(t, i, v[i].start, v[i].dur);
		track_set_meta(t, i, meta[v[i].old]);
		track_set_args(t, i, v[i].args);
		moved[v[i].old] = (uint32_t)i;
	}
	free(meta);
	j->moved[track] = moved;
	t->device_clock = j->kind == CLOCK_DEVICE;
	lod_free(t->lod);
	t->lod = NULL;
	track_nest(t);
	if (indexed)
		lod_build(t, j->d->trace.meta_class);
}

static void new_times_of_ops(const struct job *j, const struct clock_fit *fit, const struct track *t,
    struct order *v)
{
	for (size_t i = 0; i < t->n; i++) {
		clock_plain(j->d, t, i, &v[i].start, &v[i].dur);
		int64_t offset, dur;

		if (j->kind == CLOCK_DEVICE && clock_pair(j->d, &j->names, t, i, &offset, &dur)) {
			v[i].start = add_clamped(from_double(round(fit->slope * (double)offset)), fit->shift);
			v[i].dur = dur;
			track_clip(&v[i].start, &v[i].dur);
		}
	}
}

static void move_ops(struct job *j, const struct clock_fit *fit, struct moves *m)
{
	size_t cap = 0;

	for (uint32_t k = 0; k < j->d->trace.ntracks; k++) {
		const struct track *t = &j->tracks[k];

		if (t->plane != fit->plane || t->role != TRACK_OPS || !t->n)
			continue;
		struct order *v = xcalloc(t->n, sizeof *v);

		new_times_of_ops(j, fit, t, v);
		for (size_t i = 0; i < t->n; i++) {
			VEC_ADD(m->by_start, m->n, cap,
			    (struct move){ track_start(t, i), track_end(t, i), v[i].start,
				v[i].start + v[i].dur });
		}
		apply(j, k, v);
		free(v);
	}
	if (!m->n)
		return;
	m->by_end = xcalloc(m->n, sizeof *m->by_end);
	memcpy(m->by_end, m->by_start, m->n * sizeof *m->by_end);
	qsort(m->by_start, m->n, sizeof *m->by_start, by_start);
	qsort(m->by_end, m->n, sizeof *m->by_end, by_end);
}

/* A module lasts from the first begin to the last end of the ops that begin inside it on the plain clock. */
static void new_times_of_modules(const struct moves *m, const struct track *t, struct order *v)
{
	size_t k = 0;

	for (size_t i = 0; i < t->n; i++) {
		int64_t end = track_end(t, i), from = INT64_MAX, to = INT64_MIN;
		bool next_at_end = i + 1 < t->n && track_start(t, i + 1) <= end;

		while (k < m->n && m->by_start[k].from < track_start(t, i))
			k++;
		for (size_t q = k; q < m->n && m->by_start[q].from <= end; q++) {
			if (m->by_start[q].from == end && next_at_end)
				break;
			from = m->by_start[q].new_from < from ? m->by_start[q].new_from : from;
			to = m->by_start[q].new_to > to ? m->by_start[q].new_to : to;
		}
		if (from > to) {
			from = carry_start(m, track_start(t, i));
			to = carry_end(m, end);
		}
		v[i].start = from;
		v[i].dur = to > from ? to - from : 0;
	}
}

static void new_times_carried(const struct moves *m, const struct track *t, struct order *v)
{
	for (size_t i = 0; i < t->n; i++) {
		int64_t end = carry_end(m, track_end(t, i));

		v[i].start = carry_start(m, track_start(t, i));
		v[i].dur = end > v[i].start ? end - v[i].start : track_dur(t, i);
	}
}

static void new_times_of_steps(const struct job *j, const struct clock_fit *fit, const struct moves *m,
    const struct track *t, struct order *v)
{
	int64_t offset, dur;

	new_times_carried(m, t, v);
	for (size_t i = 0; i < t->n; i++) {
		if (!clock_pair(j->d, &j->names, t, i, &offset, &dur))
			continue;
		v[i].start = add_clamped(from_double(round(fit->slope * (double)offset)), fit->shift);
		v[i].dur = dur;
	}
}

static bool follows(const struct track *t)
{
	switch (t->role) {
	case TRACK_STEPS:
	case TRACK_MODULES:
	case TRACK_ASYNC:
	case TRACK_SCOPE:
	case TRACK_FRAMEWORK:
	case TRACK_SOURCE:
		return t->n > 0;
	default:
		return false;
	}
}

static void move_others(struct job *j, const struct clock_fit *fit, const struct moves *m)
{
	for (uint32_t k = 0; k < j->d->trace.ntracks; k++) {
		const struct track *t = &j->tracks[k];

		if (t->plane != fit->plane || !follows(t))
			continue;
		struct order *v = xcalloc(t->n, sizeof *v);

		if (j->kind == CLOCK_PLAIN)
			for (size_t i = 0; i < t->n; i++)
				clock_plain(j->d, t, i, &v[i].start, &v[i].dur);
		else if (t->role == TRACK_MODULES)
			new_times_of_modules(m, t, v);
		else if (t->role == TRACK_STEPS)
			new_times_of_steps(j, fit, m, t, v);
		else
			new_times_carried(m, t, v);
		apply(j, k, v);
		free(v);
	}
}

static void move_plane(void *ctx, size_t i)
{
	struct job *j = ctx;
	const struct clock_fit *fit = &j->c->fit[i];
	int file = j->d->trace.planes[fit->plane].file;
	struct moves m = { 0 };

	if (!fit->differs || (file >= 0 && j->d->files[file].digest))
		return;
	move_ops(j, fit, &m);
	move_others(j, fit, &m);
	free(m.by_start);
	free(m.by_end);
}

void clock_move(const struct dump *d, const struct clocks *c, enum clock_kind kind, int threads,
    struct track *tracks, uint32_t **moved)
{
	struct job j = { d, c, clock_names_of(d), kind, tracks, moved };

	pool_run(threads, c->n, move_plane, &j);
}

void clock_move_links(struct links_found *f, uint32_t *const *moved)
{
	for (size_t i = 0; i < f->n; i++) {
		struct edge *e = &f->edges[i];

		if (moved[e->src_track])
			e->src = moved[e->src_track][e->src];
		if (moved[e->dst_track])
			e->dst = moved[e->dst_track][e->dst];
	}
	if (f->n)
		links_order(f, NULL);
}

void clock_use(struct dump *d, struct clocks *c, enum clock_kind kind, int threads)
{
	struct trace *t = &d->trace;
	struct links_found f = { t->edges, t->nedges, t->edges_cap, t->edge_by_dst, 0 };
	uint64_t events = t->events;
	uint32_t **moved;

	if (kind == c->in_use)
		return;
	c->in_use = kind;
	if (!c->any_differs)
		return;
	moved = xcalloc(t->ntracks + 1, sizeof *moved);
	clock_move(d, c, kind, threads, t->tracks, moved);
	clock_move_links(&f, moved);
	t->nedges = f.n;
	t->edge_by_dst = f.by_dst;
	trace_span(t);
	t->events = events;
	for (size_t i = 0; i < t->ntracks; i++)
		free(moved[i]);
	free(moved);
}
