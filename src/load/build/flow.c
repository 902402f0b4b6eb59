#include "config.h"

#include "base/clamp.h"
#include "load/build/builder.h"

#include <stdlib.h>
#include <string.h>

#define SAME_START_MAX 4096 /* events searched for the one that holds a flow */

/* A flow is a chain: a start, any number of steps, ends.  Points of one key are taken in order of time, and
 * each leads to the next; a start begins a new chain, and several ends fan out from the point before them. */

VEC_ORDER(by_key_and_time, struct build_flow, UP(key) UP(ts) UP(role) UP(at));

static int by_track_and_time(const void *x, const void *y, void *ctx)
{
	const struct build_flow *flows = ctx;
	const struct build_flow *p = &flows[*(const uint32_t *)x], *q = &flows[*(const uint32_t *)y];

	if (p->track != q->track)
		return p->track < q->track ? -1 : 1;
	return (p->ts > q->ts) - (p->ts < q->ts);
}

/* A stack of events that may be open, in order of start; ended events are popped from the top. */
struct open {
	uint32_t *v;
	size_t n, cap, next;
};

static uint32_t around(struct open *o, const struct track *t, int64_t ts)
{
	while (o->next < t->n && track_start(t, o->next) <= ts) {
		while (o->n && track_end(t, o->v[o->n - 1]) < track_start(t, o->next))
			o->n--;
		VEC_ADD(o->v, o->n, o->cap, (uint32_t)o->next++);
	}
	while (o->n && track_end(t, o->v[o->n - 1]) < ts)
		o->n--;
	return o->n ? o->v[o->n - 1] : UINT32_MAX;
}

static uint32_t itself(const struct track *t, int64_t ts, uint64_t at)
{
	size_t i = track_lower(t, ts), stop = i + SAME_START_MAX;

	for (; i < t->n && i < stop && track_start(t, i) == ts; i++)
		if (track_args(t, i) == at)
			return (uint32_t)i;
	return UINT32_MAX;
}

static uint32_t next_to_begin(const struct track *t, int64_t ts)
{
	size_t i = track_lower(t, ts);

	return i < t->n ? (uint32_t)i : UINT32_MAX;
}

static void bind(struct build *b)
{
	uint32_t *order = xrealloc(NULL, b->nflows, sizeof *order);
	struct open open = { 0 };

	for (size_t i = 0; i < b->nflows; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, b->nflows, sizeof *order, by_track_and_time, b->flows);
	for (size_t i = 0; i < b->nflows; i++) {
		struct build_flow *f = &b->flows[order[i]];
		uint32_t track = b->tracks[f->track].index;
		const struct track *t;

		f->ts = sub_clamped(f->ts, b->shift);
		f->event = UINT32_MAX;
		if (track == UINT32_MAX)
			continue;
		t = &b->dump->trace.tracks[track];
		if (i && f->track != b->flows[order[i - 1]].track)
			open.n = open.next = 0;
		if (f->bind == FLOW_SELF)
			f->event = itself(t, f->ts, f->at);
		else if (f->bind == FLOW_NEXT)
			f->event = next_to_begin(t, f->ts);
		else
			f->event = around(&open, t, f->ts);
	}
	free(open.v);
	free(order);
}

static void add_edge(struct trace *t, const struct edge *e)
{
	VEC_ADD(t->edges, t->nedges, t->edges_cap, *e);
}

static void chain(struct build *b)
{
	struct trace *t = &b->dump->trace;
	struct edge from = { 0 };
	bool open = false;

	for (size_t i = 0; i < b->nflows; i++) {
		const struct build_flow *f = &b->flows[i];
		uint32_t track = b->tracks[f->track].index;

		if (i && f->key != f[-1].key)
			open = false;
		if (f->event == UINT32_MAX) {
			b->unbound++;
			continue;
		}
		if (!open && f->role == FLOW_END) {
			b->unstarted += !f->implied && (!i || f->key != f[-1].key);
			continue;
		}
		if (open && f->role != FLOW_START) {
			from.dst_track = track;
			from.dst = f->event;
			add_edge(t, &from);
		}
		if (f->role != FLOW_END) {
			from = (struct edge){ .src_track = track, .src = f->event, .category = f->category };
			open = true;
		}
	}
}

VEC_ORDER(by_source, struct edge, UP(src_track) UP(src) UP(dst_track) UP(dst));

static int by_destination(const void *x, const void *y, void *ctx)
{
	const struct edge *e = ctx;
	uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	const struct edge *p = &e[i], *q = &e[j];

	if (p->dst_track != q->dst_track)
		return p->dst_track < q->dst_track ? -1 : 1;
	if (p->dst != q->dst)
		return p->dst < q->dst ? -1 : 1;
	return i < j ? -1 : i > j;
}

void build_edges(struct build *b)
{
	struct trace *t = &b->dump->trace;

	if (!b->nflows)
		return;
	bind(b);
	qsort(b->flows, b->nflows, sizeof *b->flows, by_key_and_time);
	chain(b);
	if (!t->nedges)
		return;
	qsort(t->edges, t->nedges, sizeof *t->edges, by_source);
	t->edge_by_dst = xrealloc(t->edge_by_dst, t->nedges, sizeof *t->edge_by_dst);
	for (size_t i = 0; i < t->nedges; i++)
		t->edge_by_dst[i] = (uint32_t)i;
	qsort_r(t->edge_by_dst, t->nedges, sizeof *t->edge_by_dst, by_destination, t->edges);
}
