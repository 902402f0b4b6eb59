#include "config.h"

#include "analyze/trace/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void move_tracks(struct overlay *o, const struct clocks *c, enum clock_kind kind, int threads)
{
	const struct trace *t = &o->base->trace;

	o->moved_tracks = arena_alloc(&o->arena, t->ntracks * sizeof *t->tracks);
	o->to_moved = xcalloc(t->ntracks + 1, sizeof *o->to_moved);
	if (t->ntracks)
		memcpy(o->moved_tracks, t->tracks, t->ntracks * sizeof *t->tracks);
	clock_move(o->base, c, kind, threads, o->moved_tracks, o->to_moved);
	for (size_t i = 0; i < t->ntracks; i++)
		if (o->to_moved[i])
			VEC_ADD(o->own, o->nown, o->own_cap, o->moved_tracks[i]);
}

/* By track: where each event was before it moved. */
static uint32_t **before_moving(const struct overlay *o)
{
	const struct trace *t = &o->base->trace;
	uint32_t **from = xcalloc(t->ntracks + 1, sizeof *from);

	for (size_t k = 0; k < t->ntracks; k++) {
		if (!o->to_moved[k])
			continue;
		from[k] = xcalloc(t->tracks[k].n + 1, sizeof **from);
		for (size_t i = 0; i < t->tracks[k].n; i++)
			from[k][o->to_moved[k][i]] = (uint32_t)i;
	}
	return from;
}

/* Copies the arrows of the clock that was in use until now. */
static struct links_found moved_links(struct overlay *o, const struct trace *t)
{
	uint32_t **moved = o->moved ? o->to_moved : before_moving(o);
	struct links_found f = { .n = t->nedges, .cap = t->nedges };

	f.edges = xcalloc(t->nedges + 1, sizeof *f.edges);
	if (t->nedges)
		memcpy(f.edges, t->edges, t->nedges * sizeof *f.edges);
	clock_move_links(&f, moved);
	for (size_t k = 0; !o->moved && k < o->base->trace.ntracks; k++)
		free(moved[k]);
	if (!o->moved)
		free(moved);
	VEC_ADD(o->links, o->nlinks, o->links_cap, f);
	return f;
}

static void put_tracks(struct overlay *o, struct trace *t)
{
	const struct track *base = o->moved ? o->moved_tracks : o->base->trace.tracks;
	const size_t n = o->base->trace.ntracks;

	o->tracks_cap = t->ntracks + 64;
	t->tracks = arena_alloc(&o->arena, o->tracks_cap * sizeof *t->tracks);
	if (n)
		memcpy(t->tracks, base, n * sizeof *base);
	for (size_t i = 0; i < o->nderived; i++)
		t->tracks[n + i] = o->derived[i].of[o->derived[i].made[o->moved] ? o->moved : !o->moved];
}

static void change_clock(struct overlay *o)
{
	struct dump *d = overlay_next(o);
	struct trace *t = &d->trace;
	struct links_found links = { t->edges, t->nedges, t->nedges, t->edge_by_dst, 0 };
	uint64_t events = t->events;

	o->clock[o->moved] = (struct overlay_clock){ true, links };
	o->moved = !o->moved;
	links = o->clock[o->moved].linked ? o->clock[o->moved].links : moved_links(o, t);
	overlay_put_links(o, d, &links);
	put_tracks(o, t);
	trace_span(t);
	t->events = events;
	for (size_t i = 0; i < o->nderived; i++)
		if (!o->derived[i].made[o->moved])
			derive_make(o, o->derived[i].plane, o->derived[i].role,
			    (uint32_t)(o->base->trace.ntracks + i));
}

void overlay_clock(struct overlay *o, struct clocks *c, enum clock_kind kind, int threads)
{
	if (kind == c->in_use)
		return;
	if (c->any_differs) {
		if (!o->moved_tracks)
			move_tracks(o, c, kind, threads);
		change_clock(o);
		overlay_publish(o);
	}
	c->in_use = kind;
}
