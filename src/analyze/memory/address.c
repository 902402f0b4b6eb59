#include "config.h"
#include "analyze/memory/internal.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/clamp.h"

/* A place in memory.  The address spaces of the allocations are laid one after another. */
struct place {
	uint32_t allocation;
	int64_t offset;
};

/* The starts and ends of all buffers cut memory into pieces.  A segment tree over the pieces counts how many
 * live buffers cover each of them. */
struct occupancy {
	struct place *place;
	size_t n;
	uint32_t *cover;
	int64_t *bytes; /* bytes covered below each node of the tree */
};

VEC_ORDER(by_place, struct place, UP(allocation) UP(offset));

/* Adds `by` to the count of all pieces in [from, to).  The node spans the pieces [a, b). */
static void count_nodes(struct occupancy *o, size_t node, size_t a, size_t b, size_t from, size_t to, int by)
{
	size_t mid = a + (b - a) / 2;

	if (from >= b || to <= a)
		return;
	if (from <= a && to >= b) {
		o->cover[node] += (uint32_t)by;
	} else {
		count_nodes(o, 2 * node, a, mid, from, to, by);
		count_nodes(o, 2 * node + 1, mid, b, from, to, by);
	}
	/* Fully covered.  What covers a node lies inside one allocation, so the difference of offsets is its
	 * size. */
	if (o->cover[node])
		o->bytes[node] = sub_clamped(o->place[b].offset, o->place[a].offset);
	else
		o->bytes[node] = b - a > 1 ? sum_bytes(o->bytes[2 * node], o->bytes[2 * node + 1]) : 0;
}

static size_t find_free(const struct occupancy *o, struct place p)
{
	size_t lo;

	BISECT(lo, o->n, by_place(&o->place[lo], &p) < 0);
	return lo;
}

static struct place end_of(const struct logical *l)
{
	return (struct place){ l->allocation, sum_bytes(l->offset, l->room) };
}

static void places(struct simulation *s, struct occupancy *o)
{
	size_t n = 0;

	o->place = xcalloc(2 * s->nlife + 1, sizeof *o->place);
	for (size_t i = 0; i < s->nlife; i++) {
		const struct logical *l = &s->v[s->life[i].buffer];

		o->place[n++] = (struct place){ l->allocation, l->offset };
		o->place[n++] = end_of(l);
	}
	qsort(o->place, n, sizeof *o->place, by_place);
	for (size_t i = 0; i < n; i++)
		if (!o->n || by_place(&o->place[i], &o->place[o->n - 1]))
			o->place[o->n++] = o->place[i];
	o->cover = xcalloc(4 * o->n + 4, sizeof *o->cover);
	o->bytes = xcalloc(4 * o->n + 4, sizeof *o->bytes);
}

static void change(struct occupancy *o, const struct logical *l, int by)
{
	size_t from = find_free(o, (struct place){ l->allocation, l->offset }), to = find_free(o, end_of(l));

	if (o->n > 1 && from < to)
		count_nodes(o, 1, 0, o->n - 1, from, to, by);
}

VEC_ORDER_POINTERS(by_end, struct lifetime, UP(end));

static bool is_open(const struct simulation *s, const struct lifetime *l)
{
	return s->v[l->buffer].claims && &s->life[s->v[l->buffer].life] == l;
}

/* Lifetimes are sorted by start.  A buffer that is freed by an event no longer counts at the point after that
 * event.  Buffers that are never freed end with the trace and count to the last point. */
void memory_occupy(struct simulation *s)
{
	struct memory *m = s->m;
	struct occupancy o = { 0 };
	const struct lifetime **end = xcalloc(s->nlife + 1, sizeof *end);
	size_t started = 0, ended = 0;

	places(s, &o);
	for (size_t i = 0; i < s->nlife; i++)
		end[i] = &s->life[i];
	VEC_SORT(end, s->nlife, by_end);
	m->address = xcalloc(m->npoints + 1, sizeof *m->address);
	for (size_t p = 0; p < m->npoints; p++) {
		for (; started < s->nlife && s->life[started].start < (int64_t)p; started++)
			change(&o, &s->v[s->life[started].buffer], 1);
		for (; ended < s->nlife && end[ended]->end < (int64_t)p; ended++)
			if (!is_open(s, end[ended]))
				change(&o, &s->v[end[ended]->buffer], -1);
		m->address[p] = sum_bytes(o.bytes[1], s->indefinite);
	}
	free(o.place);
	free(o.cover);
	free(o.bytes);
	free(end);
}
