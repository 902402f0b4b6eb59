#include "config.h"

#include "load/xspace/xspace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Looks for the metadata of an id in the other pieces of the plane. */
static uint32_t meta_elsewhere(const struct xfile *f, uint32_t piece, int64_t id)
{
	for (size_t i = f->npieces; i-- > 0;) {
		const struct xpiece *p = &f->pieces[i];
		uint32_t m = p->plane == f->pieces[piece].plane ? idmap_get(&p->metas, id) : IDMAP_NONE;

		if (m != IDMAP_NONE)
			return m;
	}
	return IDMAP_NONE;
}

/* Returns the meta that all further ids without metadata share. */
static uint32_t meta_shared(struct xload *x, struct xfile *f)
{
	struct evmeta m = { .plane = UINT32_MAX, .file = f->file };

	if (x->shared_meta == IDMAP_NONE) {
		m.name = strtab_addz(&x->dump->str, "unknown metadata");
		x->shared_meta = trace_add_meta(&x->dump->trace, &m);
	}
	return x->shared_meta;
}

static uint32_t meta_made(struct xload *x, struct xfile *f, uint32_t piece, int64_t id)
{
	struct evmeta new = { .plane = f->pieces[piece].plane, .file = f->file };
	char name[64];
	uint32_t m = meta_elsewhere(f, piece, id);

	if (m == IDMAP_NONE && (f->nmetas >= XSPACE_METAS_MAX || x->dump->trace.nmetas >= XSPACE_METAS_ALL))
		return meta_shared(x, f);
	if (m == IDMAP_NONE) {
		f->nmetas++;
		snprintf(name, sizeof name, "unknown metadata %lld", (long long)id);
		new.name = strtab_addz(&x->dump->str, name);
		m = trace_add_meta(&x->dump->trace, &new);
		problem_add(x->dump->problems, f->truncated || f->damage.count ? PROBLEM_NOTE : PROBLEM_WARN,
		    f->file, ERR_NOWHERE, 1, "event ids without a name in the file");
	}
	idmap_put(&f->pieces[piece].metas, id, m);
	return m;
}

static void name_unknown(struct xload *x, struct xfile *f, struct xline *l)
{
	struct xevents *ev = l->events;
	uint32_t *made = xrealloc(NULL, XSPACE_UNKNOWN_MAX + 1, sizeof *made);

	for (size_t i = 0; i < ev->nunknown; i++)
		made[i] = meta_made(x, f, l->piece, ev->unknown[i]);
	if (ev->nunknown == XSPACE_UNKNOWN_MAX)
		made[XSPACE_UNKNOWN_MAX] = meta_shared(x, f);
	for (size_t i = 0; i < ev->track.n; i++) {
		uint32_t meta = track_meta(&ev->track, i);

		if (meta & XSPACE_UNKNOWN)
			track_set_meta(&ev->track, i, made[meta & ~XSPACE_UNKNOWN]);
	}
	for (size_t i = 0; i < ev->track.untimed; i++)
		if (ev->track.agg[i].meta & XSPACE_UNKNOWN)
			ev->track.agg[i].meta = made[ev->track.agg[i].meta & ~XSPACE_UNKNOWN];
	free(made);
}

/* total: events of all lines that the track gets; metas, bytes: how many kinds of events and bytes there are */
static bool join_columns(struct track *t, const struct track *more, size_t total, size_t metas,
    uint64_t bytes)
{
	const size_t n = t->n;

	if (more->n && !track_reserve_for(t, total, (uint32_t)metas, bytes))
		return false;
	for (size_t i = 0; i < more->n; i++) {
		if (!track_add(t, track_start(more, i), track_dur(more, i), track_meta(more, i),
			track_args(more, i))) {
			t->n = n;
			return false;
		}
	}
	if (more->untimed) {
		t->agg_cap = t->untimed + more->untimed;
		t->agg = xrealloc(t->agg, t->agg_cap, sizeof *t->agg);
		memcpy(t->agg + t->untimed, more->agg, more->untimed * sizeof *t->agg);
		t->untimed = t->agg_cap;
	}
	return true;
}

static void tell_damage(struct xload *x, struct xfile *f, const struct xline *l, const struct track *t)
{
	const struct xevents *ev = l->events;
	struct problems *p = x->dump->problems;

	if (ev->negative)
		problem_add(p, PROBLEM_WARN, f->file, ERR_NOWHERE, ev->negative,
		    "negative durations, shown as 0");
	if (ev->clipped)
		problem_add(p, PROBLEM_WARN, f->file, ERR_NOWHERE, ev->clipped,
		    "times out of range, clipped");
	if (t->open_max > t->rows)
		problem_add(p, PROBLEM_NOTE, f->file, ERR_NOWHERE, 1,
		    "more than %d events at once on a track: the rest share its last row", TRACK_ROWS_MAX);
	if (ev->damage.count) {
		uint64_t before = f->damage.count;

		xspace_damage(&f->damage, ev->damage.why, ev->damage.at, ev->damage.piece, ev->damage.line);
		f->damage.count = before + ev->damage.count;
	}
}

static int64_t id_of(const struct xline *l)
{
	return l->display_id ? l->display_id : l->id;
}

/* Makes a line track k, or appends it to that, whose lines have `total` events.  Returns whether the track must be
 * nested again. */
static bool add_line(struct xload *x, struct xfile *f, struct xline *l, size_t k, size_t total)
{
	struct trace *t = &x->dump->trace;
	bool again = false;

	if (k == t->ntracks) {
		const char *name = l->display_len ? l->display : l->name;
		size_t len = l->display_len ? l->display_len : l->name_len;
		struct track track = { .file = f->file, .last = -1, .nlanes = 1 };

		if (l->events)
			track = l->events->track;
		track.plane = f->pieces[l->piece].plane;
		track.id = id_of(l);
		track.name = strtab_ref(&x->dump->str, name, len);
		track.role = track_role_of(name ? name : "", len);
		/* The names of its ops are missing, and perhaps some ops: their time is neither other compute
		 * nor idle, so the track is shown but does not count. */
		if (f->pieces[l->piece].cut && !f->records)
			track.role = TRACK_OTHER;
		trace_add_track(t, &track);
	} else if (l->events) {
		again = l->events->track.n != 0;
		if (!join_columns(&t->tracks[k], &l->events->track, total, t->nmetas, f->n))
			xspace_damage(&f->damage, XWHY_MEMORY, l->at, l->piece, (size_t)(l - f->lines));
		track_free(&l->events->track);
	}
	if (l->events)
		tell_damage(x, f, l, &t->tracks[k]);
	if (l->events)
		memset(&l->events->track, 0, sizeof l->events->track);
	xspace_events_free(l->events);
	l->events = NULL;
	return again;
}

struct by_plane {
	uint32_t plane;
	struct xline *l;
	size_t track; /* that it becomes or is appended to, from 0 */
};

VEC_ORDER(plane_then_place, struct by_plane, UP(plane) UP(l));
VEC_ORDER(track_then_place, struct by_plane, UP(track) UP(l));

/* Says which track each line belongs to, and how many events each track gets. */
static void count_tracks(struct by_plane *order, size_t n, size_t *total)
{
	struct idmap of = { .used = 0 };
	size_t tracks = 0;

	for (size_t i = 0; i < n; i++) {
		const struct xline *l = order[i].l;
		uint32_t k;

		if (i && order[i].plane != order[i - 1].plane)
			idmap_free(&of);
		k = idmap_get(&of, id_of(l));
		if (k == IDMAP_NONE)
			idmap_put(&of, id_of(l), k = (uint32_t)tracks++);
		order[i].track = k;
		total[k] += l->events ? l->events->track.n : 0;
	}
	idmap_free(&of);
}

static void end_track(struct xload *x, const struct xfile *f, size_t k, bool again)
{
	struct track *track = &x->dump->trace.tracks[k];

	if (again)
		track_nest(track);
	x->dump->files[f->file].events += track->n + track->untimed;
	xspace_counters(x->dump, f->file, (uint32_t)k);
}

/* Tracks in the order of planes, then of lines as found.  One after the other is made, so that memory has no more than
 * one that is not whole. */
void xspace_tracks(struct xload *x, struct xfile *f)
{
	const size_t n = f->nlines, first = x->dump->trace.ntracks;
	struct by_plane *order = xcalloc(n + 1, sizeof *order);
	size_t *total = xcalloc(n + 1, sizeof *total);

	for (size_t i = 0; i < n; i++) {
		if (f->lines[i].events && f->lines[i].events->nunknown)
			name_unknown(x, f, &f->lines[i]);
		order[i] = (struct by_plane){ f->pieces[f->lines[i].piece].plane, &f->lines[i], 0 };
	}
	qsort(order, n, sizeof *order, plane_then_place);
	count_tracks(order, n, total);
	qsort(order, n, sizeof *order, track_then_place);
	for (size_t i = 0; i < n;) {
		const size_t k = order[i].track;
		bool again = false;

		for (; i < n && order[i].track == k; i++)
			again |= add_line(x, f, order[i].l, first + k, total[k]);
		end_track(x, f, first + k, again);
	}
	free(order);
	free(total);
}
