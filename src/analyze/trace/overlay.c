#include "config.h"

#include "analyze/trace/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/trace/ties.h"
#include "base/mem.h"
#include "model/lod.h"

struct overlay *overlay_new(const struct dump *d, const struct dump **shown)
{
	struct overlay *o = xcalloc(1, sizeof *o);

	o->base = o->now = d;
	o->shown = shown;
	strtab_init(&o->names);
	overlay_publish(o);
	return o;
}

void overlay_free(struct overlay *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->nown; i++)
		track_free(&o->own[i]);
	for (size_t i = 0; i < o->nlinks; i++)
		links_found_free(&o->links[i]);
	for (size_t i = 0; o->to_moved && i < o->base->trace.ntracks; i++)
		free(o->to_moved[i]);
	free(o->to_moved);
	free(o->own);
	free(o->links);
	free(o->derived);
	strtab_free(&o->names);
	arena_free(&o->arena);
	free(o);
}

/* --- versions --- */

struct dump *overlay_next(struct overlay *o)
{
	struct dump *d = arena_alloc(&o->arena, sizeof *d);

	*d = *o->now;
	o->now = d;
	return d;
}

void overlay_publish(struct overlay *o)
{
	*o->shown = o->now;
}

/* An array of n elements with room for some more; the old one stays for those who read it. */
static void *with_room(struct overlay *o, void *old, size_t n, size_t more, size_t *cap, size_t size)
{
	void *grown;

	if (n + more <= *cap)
		return old;
	*cap = (n + more) / 4 * 5 + 64;
	grown = arena_alloc(&o->arena, *cap * size);
	if (n)
		memcpy(grown, old, n * size);
	return grown;
}
#define WITH_ROOM(o, v, n, more, cap) ((v) = with_room((o), (v), (n), (more), (cap), sizeof *(v)))

strid overlay_string(struct overlay *o, const char *s, size_t n)
{
	strid id = strtab_find(&o->base->str, s, n);

	return id != UINT32_MAX ? id : o->base->str.n - 1 + strtab_add(&o->names, s, n);
}

static struct slice string_text(const struct overlay *o, strid id)
{
	return id < o->base->str.n ? strtab_text(&o->base->str, id)
				   : strtab_text(&o->names, id - o->base->str.n + 1);
}

static void add_strings(struct overlay *o, struct strtab *t)
{
	const size_t had = t->n - o->base->str.n + 1, more = o->names.n - had;

	if (!more)
		return;
	WITH_ROOM(o, t->v, t->n, more, &o->strings_cap);
	memcpy(t->v + t->n, o->names.v + had, more * sizeof *t->v);
	t->n += (uint32_t)more;
}

static void add_kinds(struct overlay *o, struct trace *t, const struct derived *r, enum event_class class)
{
	WITH_ROOM(o, t->metas, t->nmetas, r->n, &o->metas_cap);
	memcpy(t->metas + t->nmetas, r->metas, r->n * sizeof *r->metas);
	if (t->meta_class) {
		WITH_ROOM(o, t->meta_class, t->nmetas, r->n, &o->class_cap);
		memset(t->meta_class + t->nmetas, class, r->n);
	}
	t->nmetas += r->n;
}

static uint32_t add_track(struct overlay *o, struct trace *t, const struct track *track)
{
	WITH_ROOM(o, t->tracks, t->ntracks, 1, &o->tracks_cap);
	VEC_ADD(o->derived, o->nderived, o->derived_cap,
	    (struct overlay_track){ .plane = track->plane, .role = track->role });
	return (uint32_t)t->ntracks++;
}

/* --- making a track --- */

void derived_begin(struct derived *r, struct overlay *o, uint32_t plane, enum track_role role,
    const char *name)
{
	*r = (struct derived){ .o = o };
	r->t = (struct track){ .plane = plane,
		.file = -1,
		.id = -1,
		.role = role,
		.name = overlay_string(o, name, strlen(name)) };
}

uint32_t derived_meta(struct derived *r, const char *name, size_t len, strid full)
{
	struct evmeta m = { .name = overlay_string(r->o, name, len), .plane = r->t.plane, .file = -1 };

	if (full != m.name) {
		struct slice text = string_text(r->o, full);

		m.full = text.s;
		m.full_len = (uint32_t)text.n;
	}
	VEC_ADD(r->metas, r->n, r->cap, m);
	return (uint32_t)(r->o->now->trace.nmetas + r->n - 1);
}

bool derived_event(struct derived *r, int64_t start, int64_t dur, uint32_t meta)
{
	struct track *t = &r->t;

	return t->n < UINT32_MAX - 1 && track_grow(t, t->n + 1) && track_add(t, start, dur, meta, 0);
}

/* A track that goes by no clock is the same with both. */
static void put_track(struct overlay *o, struct trace *t, uint32_t at, const struct track *track)
{
	struct overlay_track *d = &o->derived[at - o->base->trace.ntracks];

	for (int clock = 0; clock < 2; clock++)
		if (clock == o->moved || d->role == TRACK_OTHER) {
			d->of[clock] = *track;
			d->made[clock] = true;
		}
	t->tracks[at] = *track;
	VEC_ADD(o->own, o->nown, o->own_cap, *track);
}

uint32_t derived_end(struct derived *r, uint32_t at, enum event_class class)
{
	struct trace *t;
	struct dump *d;

	if (r->t.n) {
		d = overlay_next(r->o);
		t = &d->trace;
		add_strings(r->o, &d->str);
		add_kinds(r->o, t, r, class);
		track_trim(&r->t);
		track_nest(&r->t);
		if (t->meta_class)
			lod_build(&r->t, t->meta_class);
		if (at == UINT32_MAX)
			at = add_track(r->o, t, &r->t);
		put_track(r->o, t, at, &r->t);
	} else {
		track_free(&r->t);
		at = UINT32_MAX;
	}
	free(r->metas);
	return at;
}

/* --- arrows --- */

void overlay_put_links(struct overlay *o, struct dump *d, const struct links_found *f)
{
	o->clock[o->moved] = (struct overlay_clock){ true, *f };
	d->trace.edges = f->edges;
	d->trace.nedges = f->n;
	d->trace.edge_by_dst = f->by_dst;
}

void overlay_links(struct overlay *o, struct links_found *f)
{
	struct dump *d = overlay_next(o);

	VEC_ADD(o->links, o->nlinks, o->links_cap, *f);
	overlay_put_links(o, d, f);
	o->clock[!o->moved].linked = false;
	if (f->skipped)
		problem_add(d->problems, PROBLEM_NOTE, -1, ERR_NOWHERE, f->skipped,
		    "arrows left out: an id used by %d or more producers and as many consumers connects "
		    "nothing",
		    TIE_FAN_MAX);
	*f = (struct links_found){ 0 };
	overlay_publish(o);
}
