#include "config.h"

#include "analyze/interval/internal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/span.h"
#include "model/lod.h"

#define FEW 4       /* that many gaps or fewer are always looked up */
#define LOOK_UP 256 /* cost of one look-up in events, roughly */

/* Gaps with times as shown.  A list on the stack has more than twice as many as the one above it (settle()), and none
 * is empty: as many lists as a size has bits are never reached. */
struct unite {
	struct span all;
	struct spans stack[8 * sizeof(size_t)];
	size_t depth;
	struct spans spare;
};

static bool keep_gap(struct spans *g, int64_t from, int64_t to)
{
	if (g->n == g->cap) {
		size_t cap = g->cap ? g->cap * 2 : 64;
		struct span *more = mem_try(g->v, cap, sizeof *more);

		if (!more)
			return false;
		g->v = more;
		g->cap = cap;
	}
	g->v[g->n++] = (struct span){ from, to };
	return true;
}

/* Finds the gaps of a track in a piece of its time. */
static bool find_gaps(const struct track *t, int64_t shift, struct span in, struct spans *out)
{
	size_t i = track_lower(t, in.from - shift);
	int64_t to = in.to - shift, upto = lod_open_end(t, i, in.from - shift);

	for (; i < t->n && track_start(t, i) < to && upto < to; i++) {
		int64_t begin = track_start(t, i), until = begin + track_dur(t, i);

		if (until <= upto || until == begin)
			continue;
		if (begin > upto && !keep_gap(out, upto + shift, begin + shift))
			return false;
		upto = until;
	}
	return upto >= to || keep_gap(out, upto + shift, to + shift);
}

static void swap(struct spans *a, struct spans *b)
{
	struct spans c = *a;

	*a = *b;
	*b = c;
}

/* Keeps what a track leaves free of the gaps in a list. */
static bool look_up(struct unite *u, const struct track *t, int64_t shift, struct spans *g)
{
	u->spare.n = 0;
	for (size_t k = 0; k < g->n; k++)
		if (!find_gaps(t, shift, g->v[k], &u->spare))
			return false;
	swap(g, &u->spare);
	return true;
}

/* Intersects the two lists on top of the stack. */
static bool meet(struct unite *u)
{
	struct spans *x = &u->stack[u->depth - 2], *y = x + 1;
	size_t a = 0, b = 0;

	u->spare.n = 0;
	while (a < x->n && b < y->n) {
		struct span p = x->v[a], q = y->v[b];
		int64_t from = p.from > q.from ? p.from : q.from, to = p.to < q.to ? p.to : q.to;

		if (from < to && !keep_gap(&u->spare, from, to))
			return false;
		a += p.to <= q.to;
		b += q.to <= p.to;
	}
	swap(x, &u->spare);
	y->n = 0;
	u->depth--;
	return true;
}

static size_t events_in(const struct unite *u, const struct track *t, int64_t shift)
{
	return track_lower(t, u->all.to - shift) - track_lower(t, u->all.from - shift);
}

/* Meets lists until each is more than twice as long as the one above it. */
static bool settle(struct unite *u)
{
	while (u->depth > 1 && u->stack[u->depth - 2].n <= 2 * u->stack[u->depth - 1].n)
		if (!meet(u))
			return false;
	return true;
}

static bool add_track(struct unite *u, const struct track *t, int64_t shift)
{
	struct spans *top = u->depth ? &u->stack[u->depth - 1] : NULL;

	if (top && lod_can_look_up(t) && (top->n <= FEW || top->n * LOOK_UP < events_in(u, t, shift)))
		return look_up(u, t, shift, top) && settle(u);
	return find_gaps(t, shift, u->all, &u->stack[u->depth++]) && settle(u);
}

int64_t interval_union(const struct dump *d, const int64_t *shift, const uint32_t *tracks, int64_t from,
    int64_t to)
{
	struct unite u = { .all = { from, to } };
	int64_t busy = *tracks == UINT32_MAX ? 0 : to - from;
	bool ok = true, covered = from >= to;

	for (; ok && !covered && *tracks != UINT32_MAX; tracks++) {
		const struct track *t = &d->trace.tracks[*tracks];

		ok = add_track(&u, t, shift ? shift[t->plane] : 0);
		covered = ok && !u.stack[u.depth - 1].n;
	}
	while (ok && !covered && u.depth > 1)
		ok = meet(&u);
	for (size_t i = 0; ok && !covered && u.depth && i < u.stack[0].n; i++)
		busy -= u.stack[0].v[i].to - u.stack[0].v[i].from;
	for (size_t i = 0; i < sizeof u.stack / sizeof *u.stack; i++)
		free(u.stack[i].v);
	free(u.spare.v);
	return ok ? busy : -1;
}
