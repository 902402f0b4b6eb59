#include "config.h"

#include "view/timeline/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/hash.h"
#include "base/mem.h"
#include "view/timeline/timeline.h"

/* Takes the place from a timeline of a part of the files to that of more of them.  Numbers of tracks and events are
 * others there, and times may count from another origin: rows are found by names, events by their times. */

enum {
	FOLDS_CARRIED = 1000,
	FOLD_LEVELS = 4 /* opening one makes the rows in it */
};

static uint64_t hash_text(uint64_t seed, struct slice s)
{
	return hash_mix(hash_bytes(seed, s.s, s.n), s.n);
}

/* Hashes what tells a row from others in the files, so that it is found in another dump of them. */
static uint64_t mark_of_row(const struct timeline *t, const struct rows_node *v)
{
	const struct dump *d = t->scene.cap->dump;
	const struct trace *all = &d->trace;
	uint64_t h = hash_mix((uint64_t)v->kind, (uint64_t)v->row);

	h = hash_mix(h, (uint64_t)v->role);
	if (v->plane < all->nplanes)
		h = hash_text(h, dump_text(d, all->planes[v->plane].name));
	if ((v->kind == NODE_TRACK || v->kind == NODE_ROW || v->kind == NODE_LANES) &&
	    v->track < all->ntracks)
		h = hash_mix(hash_text(h, dump_text(d, all->tracks[v->track].name)),
		    (uint64_t)all->tracks[v->track].id);
	if (v->kind == NODE_GROUP || v->kind == NODE_COUNTER)
		h = hash_text(h, (struct slice){ v->name, v->len });
	return h;
}

static void carry_folds(const struct timeline *t, struct kv *kv)
{
	const struct rows *r = &t->scene.rows;

	for (size_t i = 0; i < r->nfold && i < FOLDS_CARRIED; i++)
		for (uint32_t n = 0; n < r->n; n++)
			if (r->v[n].id == r->fold[i].id) {
				kv_putf(kv, "carried-fold", "%" PRIx64 " %d", mark_of_row(t, &r->v[n]),
				    r->fold[i].folded);
				break;
			}
}

void timeline_carry(const struct view *v, struct kv *kv)
{
	const struct timeline *t = v->state;
	const struct scene *sc = &t->scene;
	const struct cursor *c = &sc->cursor;

	kv_put_int(kv, "carried-origin", sc->cap->dump->origin_ns);
	if (!sc->port.whole)
		kv_putf(kv, "carried-columns", "%" PRId64 " %" PRId64, sc->port.c, viewport_begin(&sc->port));
	kv_put_int(kv, "carried-cursor", c->at);
	kv_put_int(kv, "carried-number", (int64_t)t->picture.number);
	carry_folds(t, kv);
	if (c->row < sc->rows.nvis)
		kv_putf(kv, "carried-row", "%" PRIx64 " %zu", mark_of_row(t, scene_node(sc, c->row)),
		    c->row - c->top);
	if (c->selected && c->track < sc->rows.ntracks && sc->rows.node_of[c->track] != ROWS_NONE) {
		const struct track *k = scene_track(sc, c->track);

		kv_putf(kv, "carried-event", "%" PRIx64 " %" PRId64 " %" PRId64,
		    mark_of_row(t, &sc->rows.v[sc->rows.node_of[c->track]]), track_start(k, c->event),
		    track_dur(k, c->event));
	}
}

/* The marks of all rows; the caller frees. */
static uint64_t *marks_of_rows(const struct timeline *t)
{
	const struct rows *r = &t->scene.rows;
	uint64_t *mark = xcalloc((size_t)r->n + 1, sizeof *mark);

	for (uint32_t i = 0; i < r->n; i++)
		mark[i] = mark_of_row(t, &r->v[i]);
	return mark;
}

static uint32_t find_mark(const uint64_t *marks, uint32_t rows, uint64_t mark)
{
	for (uint32_t i = 0; i < rows; i++)
		if (marks[i] == mark)
			return i;
	return ROWS_NONE;
}

static uint32_t node_of_mark(const struct timeline *t, uint64_t mark)
{
	const struct rows *r = &t->scene.rows;

	for (uint32_t i = 0; i < r->n; i++)
		if (mark_of_row(t, &r->v[i]) == mark)
			return i;
	return ROWS_NONE;
}

static void arrive_at_folds(struct timeline *t, const struct kv *kv)
{
	bool changed = true;

	for (int level = 0; changed && level < FOLD_LEVELS; level++) {
		uint64_t *marks = marks_of_rows(t);
		uint32_t rows = t->scene.rows.n;
		const char *s;

		changed = false;
		for (size_t i = 0; (s = kv_next(kv, "carried-fold", &i));) {
			uint64_t mark;
			uint32_t n;
			int folded;

			if (sscanf(s, "%16" SCNx64 " %1d", &mark, &folded) != 2 ||
			    (n = find_mark(marks, rows, mark)) == ROWS_NONE || !t->scene.rows.v[n].foldable ||
			    t->scene.rows.v[n].folded == folded)
				continue;
			rows_fold(&t->scene.rows, n, folded);
			changed = true;
		}
		free(marks);
		if (changed)
			scene_rebuild(&t->scene);
	}
}

static void arrive_at_columns(struct timeline *t, const char *s, int64_t by)
{
	struct viewport *g = &t->scene.port;
	int64_t c, begin;

	if (!s) {
		viewport_whole(g);
	} else if (sscanf(s, "%19" SCNd64 " %20" SCNd64, &c, &begin) == 2 && c > 0) {
		g->c = c;
		g->k = floor_div(add_clamped(begin, by), c);
		g->whole = false;
	}
}

static void arrive_at_event(struct timeline *t, const char *s, int64_t by)
{
	const struct track *k;
	uint64_t mark;
	int64_t start, dur;
	uint32_t n;
	size_t i;

	if (!s || sscanf(s, "%16" SCNx64 " %20" SCNd64 " %20" SCNd64, &mark, &start, &dur) != 3 ||
	    (n = node_of_mark(t, mark)) == ROWS_NONE || t->scene.rows.v[n].track >= t->scene.rows.ntracks)
		return;
	k = scene_track(&t->scene, t->scene.rows.v[n].track);
	start = add_clamped(start, by);
	BISECT(i, k->n, track_start(k, i) < start);
	while (i < k->n && track_start(k, i) == start && track_dur(k, i) != dur)
		i++;
	if (i < k->n && track_start(k, i) == start)
		cursor_select(&t->scene, t->scene.rows.v[n].track, i);
}

void timeline_arrive(struct timeline *t, const struct kv *kv)
{
	struct cursor *c = &t->scene.cursor;
	int64_t origin, number, at = c->at, by;
	const char *row = kv_get(kv, "carried-row");
	uint64_t mark;
	size_t above;
	uint32_t n;

	if (!kv_get_int(kv, "carried-origin", &origin) ||
	    __builtin_sub_overflow(origin, t->scene.cap->dump->origin_ns, &by) ||
	    __builtin_mul_overflow(by, 1000, &by))
		return;
	arrive_at_folds(t, kv);
	arrive_at_columns(t, kv_get(kv, "carried-columns"), by);
	kv_get_int(kv, "carried-cursor", &at);
	c->at = clamp64(add_clamped(at, by), t->scene.port.first, t->scene.port.last);
	if (kv_get_int(kv, "carried-number", &number) && number >= 0 && number < GUTTER_NUMBERS)
		t->picture.number = (enum gutter_number)number;
	if (row && sscanf(row, "%16" SCNx64 " %18zu", &mark, &above) == 2 &&
	    (n = node_of_mark(t, mark)) != ROWS_NONE) {
		c->row = rows_find(&t->scene.rows, t->scene.rows.v[n].id);
		c->top = c->row - (above < c->row ? above : c->row);
	}
	cursor_unselect(&t->scene);
	arrive_at_event(t, kv_get(kv, "carried-event"), by);
}
