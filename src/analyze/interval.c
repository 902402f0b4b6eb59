#include "config.h"

#include "analyze/interval.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "model/lod.h"

#define SLICE 131072			/* events or gaps between two looks at the clock */

struct gap { int64_t from, to; };

struct gaps {				/* by time, disjoint */
	struct gap *v; size_t n, cap;
	size_t of;			/* tracks that it is the common gaps of */
};

enum phase { NAMES, TRACKS, RANKS, FIND, MEET, DONE };

/* The union is what the common gaps leave.  Those of one track after another go onto a stack; two lists of as
 * many tracks each become one, so that each gap is looked at about log2(tracks) times. */
struct interval_work {
	const struct dump *d;
	enum phase phase;
	size_t k;			/* track at work */
	bool begun;
	size_t i, end;			/* its events i … end - 1 are still to be seen */
	int64_t upto;			/* where the last event so far ends */
	struct gaps stack[72]; size_t depth;
	size_t a, b;			/* places in the two lists being met */
	struct gaps met;
};

void interval_begin(
    struct interval *v, const struct dump *d, const uint32_t *tracks, size_t ntracks, int64_t t0, int64_t t1)
{
	*v = (struct interval){ .t0 = t0, .t1 = t1 > t0 ? t1 : t0, .work = xcalloc(1, sizeof *v->work) };
	v->work->d = d;
	v->tracks = xcalloc(ntracks + 1, sizeof *v->tracks);
	v->ntracks = ntracks;
	for (size_t k = 0; k < ntracks; k++)
		v->tracks[k] = (struct interval_track){ .track = tracks[k], .at = v->t0 };
	window_begin(&v->window, d, tracks, ntracks, t0, t1, true);
}

/* --- gaps of a track --- */

/* Events that began before and reach in: how many, and the latest end. */
static uint64_t see_open(const struct interval *v, const struct track *t, size_t begin, int64_t *upto)
{
	uint64_t n = 0;

	for (size_t i = 0; !t->lod && i < begin; i++)
		if (t->start[i] + t->dur[i] > v->t0) {
			*upto = t->start[i] + t->dur[i] > *upto ? t->start[i] + t->dur[i] : *upto;
			n++;
		}
	for (int r = 0; t->lod && begin && r < t->rows; r++) {
		uint32_t o = lod_open(t, r, v->t0 - 1);
		int64_t to = o ? t->start[o - 1] + t->dur[o - 1] : v->t0;

		n += to > v->t0;
		*upto = to > *upto ? to : *upto;
	}
	return n;
}

static void begin_track(struct interval *v, const struct track *t)
{
	struct interval_work *k = v->work;
	uint64_t open = 0;

	k->i = track_lower(t, v->t0);
	k->end = track_lower(t, v->t1);
	k->upto = v->t0;
	if (v->t1 > v->t0)
		open = see_open(v, t, k->i, &k->upto);
	if (k->phase == TRACKS)
		v->tracks[k->k].events = k->end - k->i + open;
	k->begun = true;
}

static inline void count_gap(struct interval_track *r, int64_t from, int64_t to)
{
	r->gaps++;
	r->busy -= to - from;
	if (to - from > r->longest) {
		r->longest = to - from;
		r->at = from;
	}
}

static void count_gaps(struct interval *v, const struct track *t, size_t to)
{
	struct interval_work *k = v->work;
	struct interval_track r = v->tracks[k->k];
	int64_t upto = k->upto;

	for (size_t i = k->i; i < to; i++) {
		int64_t from = t->start[i], until = from + t->dur[i];

		if (until <= upto || until == from)
			continue;
		if (from > upto)
			count_gap(&r, upto, from);
		upto = until;
	}
	k->upto = upto;
	k->i = to;
	v->tracks[k->k] = r;
}

static bool keep_gap(struct gaps *g, int64_t from, int64_t to)
{
	if (g->n == g->cap) {
		size_t cap = g->cap ? g->cap * 2 : 64;
		struct gap *more = mem_try(g->v, cap, sizeof *more);

		if (!more)
			return false;
		g->v = more;
		g->cap = cap;
	}
	g->v[g->n++] = (struct gap){ from, to };
	return true;
}

static bool keep_gaps(struct interval *v, const struct track *t, size_t to)
{
	struct interval_work *k = v->work;
	struct gaps *g = &k->stack[k->depth];

	for (; k->i < to; k->i++) {
		int64_t from = t->start[k->i], until = from + t->dur[k->i];

		if (until <= k->upto || until == from)
			continue;
		if (from > k->upto && !keep_gap(g, k->upto, from))
			return false;
		k->upto = until;
	}
	return true;
}

/* --- common gaps --- */

static void give_up(struct interval *v)
{
	v->occupied = -1;
	v->has_union = true;
	v->work->phase = DONE;
}

static void pop_two_push_met(struct interval_work *k)
{
	struct gaps *a = &k->stack[k->depth - 2], *b = a + 1;

	k->met.of = a->of + b->of;
	free(a->v);
	free(b->v);
	*a = k->met;
	*b = k->met = (struct gaps){ 0 };
	k->depth--;
	k->a = k->b = 0;
}

/* A slice of the common gaps of the two lists on top. */
static void meet(struct interval *v)
{
	struct interval_work *k = v->work;
	const struct gaps *x = &k->stack[k->depth - 2], *y = x + 1;

	for (size_t left = SLICE; left; left--) {
		struct gap p, q;
		int64_t from, to;

		if (k->a == x->n || k->b == y->n) {
			pop_two_push_met(k);
			k->phase = FIND;
			return;
		}
		p = x->v[k->a];
		q = y->v[k->b];
		from = p.from > q.from ? p.from : q.from;
		to = p.to < q.to ? p.to : q.to;
		if (from < to && !keep_gap(&k->met, from, to)) {
			give_up(v);
			return;
		}
		k->a += p.to <= q.to;
		k->b += q.to <= p.to;
	}
}

static void finish_union(struct interval *v)
{
	struct interval_work *k = v->work;

	v->occupied = k->depth ? v->t1 - v->t0 : 0;
	for (size_t i = 0; k->depth && i < k->stack[0].n; i++)
		v->occupied -= k->stack[0].v[i].to - k->stack[0].v[i].from;
	v->has_union = true;
	k->phase = DONE;
}

/* --- slices --- */

static void end_track(struct interval *v)
{
	struct interval_work *k = v->work;

	if (k->phase == TRACKS && k->upto < v->t1)
		count_gap(&v->tracks[k->k], k->upto, v->t1);
	if (k->phase == FIND) {
		if (k->upto < v->t1 && !keep_gap(&k->stack[k->depth], k->upto, v->t1)) {
			give_up(v);
			return;
		}
		k->stack[k->depth++].of = 1;
	}
	k->begun = false;
	k->k++;
}

/* A slice of a pass over the tracks; false when all are done. */
static bool pass(struct interval *v)
{
	struct interval_work *k = v->work;
	size_t left = SLICE;

	while (left && k->k < v->ntracks && k->phase != DONE) {
		const struct track *t = &k->d->trace.tracks[v->tracks[k->k].track];
		size_t n;

		if (!k->begun)
			begin_track(v, t);
		n = k->end - k->i < left ? k->end - k->i : left;
		left -= n;
		if (k->phase == TRACKS) {
			count_gaps(v, t, k->i + n);
		} else if (!keep_gaps(v, t, k->i + n)) {
			give_up(v);
			return true;
		}
		if (k->i == k->end) {
			end_track(v);
			if (k->phase == FIND)
				return true;		/* its list may meet another one first */
		}
	}
	return k->k < v->ntracks;
}

static void find_next(struct interval *v)
{
	struct interval_work *k = v->work;
	bool two = k->depth >= 2 && !k->begun;

	if (two && (k->stack[k->depth - 1].of == k->stack[k->depth - 2].of || k->k == v->ntracks))
		k->phase = MEET;
	else if (k->k == v->ntracks)
		finish_union(v);
	else
		pass(v);
}

static void begin_pass(struct interval_work *k, enum phase phase)
{
	k->phase = phase;
	k->k = 0;
	k->begun = false;
}

static void finish_names(struct interval *v)
{
	v->has_names = true;
	for (size_t i = 0; i < v->window.nnames; i++)
		v->cut += v->window.names[i].cut;
	for (size_t k = 0; k < v->ntracks; k++)
		v->tracks[k].busy = v->t1 - v->t0;
	begin_pass(v->work, TRACKS);
}

/* The window is given one of its own slices at a time. */
static void slice(struct interval *v)
{
	struct interval_work *k = v->work;

	switch (k->phase) {
	case NAMES:
		if (!window_step(&v->window, 0) || v->window.names)
			finish_names(v);
		break;
	case TRACKS:
		if (!pass(v)) {
			v->has_tracks = true;
			k->phase = RANKS;
		}
		break;
	case RANKS:
		if (!window_step(&v->window, 0)) {
			v->has_ranks = true;
			begin_pass(k, FIND);
		}
		break;
	case FIND: find_next(v); break;
	case MEET: meet(v); break;
	case DONE: break;
	}
}

static int64_t clock_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void free_work(struct interval *v)
{
	if (!v->work)
		return;
	for (size_t i = 0; i < sizeof v->work->stack / sizeof *v->work->stack; i++)
		free(v->work->stack[i].v);
	free(v->work->met.v);
	free(v->work);
	v->work = NULL;
}

int interval_step(struct interval *v, int budget_ms)
{
	int64_t until = budget_ms < 0 ? INT64_MAX : clock_us() + (int64_t)budget_ms * 1000;

	while (v->work) {
		slice(v);
		if (v->work->phase == DONE)
			free_work(v);
		else if (until != INT64_MAX && clock_us() >= until)
			return 1;
	}
	return 0;
}

void interval_free(struct interval *v)
{
	free_work(v);
	window_free(&v->window);
	free(v->tracks);
	*v = (struct interval){ 0 };
}
