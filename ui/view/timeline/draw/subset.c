#include "config.h"

#include "view/timeline/draw/subset.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/events/find.h"
#include "model/lod.h"

/* a frame makes subsets of tracks with fewer events, which takes less than a millisecond */
enum { AT_ONCE_EVENTS = 50000 };

struct subset_track {
	struct track k;
	const uint8_t *depth; /* made for the track that has this depth and n */
	size_t n;
	bool whole;
};

void subset_free(struct subset *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i]) {
			track_free(&s->v[i]->k);
			free(s->v[i]);
		}
	free(s->v);
	s->v = NULL;
	s->n = 0;
}

/* Forgets what was made from other hits, times or classes. */
static void follow_changes(struct subset *s)
{
	const struct scene_changes *now = &s->sc->changes;
	size_t n;
	const uint8_t *classes = colors_classes(s->colors, &n);

	if (s->v && s->hits == now->hits && s->times == now->times && s->classes == classes &&
	    s->nclasses == n)
		return;
	subset_free(s);
	s->hits = now->hits;
	s->times = now->times;
	s->classes = classes;
	s->nclasses = n;
}

static struct subset_track **slot_of(struct subset *s, uint32_t track, bool folded)
{
	size_t i = 2 * (size_t)track + folded;

	if (i >= s->n) {
		size_t n = 2 * s->sc->cap->dump->trace.ntracks;

		s->v = xrealloc(s->v, n, sizeof *s->v);
		memset(s->v + s->n, 0, (n - s->n) * sizeof *s->v);
		s->n = n;
	}
	return &s->v[i];
}

/* --- which events are left --- */

/* What a search or filter leaves of a track. */
struct sieve {
	const struct find *find; /* NULL: everything */
	const uint32_t *before;  /* as in find.blocks; NULL: unknown */
	size_t k;                /* index in find.tracks */
	size_t nmeta;            /* a name is known of kinds of events before this one */
};

static struct sieve sieve_of(const struct find *f, const struct matches *m, uint32_t track, size_t nmeta)
{
	struct sieve s = { .find = f, .nmeta = SIZE_MAX };

	if (!f)
		return s;
	if (matches_slot(m, track, &s.k))
		s.before = f->blocks[s.k].before;
	else /* a track that was derived since */
		s.nmeta = f->bits ? 0 : nmeta;
	return s;
}

/* Both of them, for one track. */
struct sieves {
	const struct track *k;
	struct sieve search, filter;
};

static struct sieves sieves_of(const struct subset *s, uint32_t track)
{
	const struct find *passed = filter_on(s->filter) ? s->filter->match.find : NULL;

	return (struct sieves){ scene_track(s->sc, track),
		sieve_of(s->search->find, &s->search->match, track, s->search->nmeta),
		sieve_of(passed, &s->filter->match, track, 0) };
}

static bool sieve_holds(const struct sieve *v, const struct track *k, size_t i)
{
	return !v->find || (track_meta(k, i) < v->nmeta && find_holds(v->find, k, v->k, i));
}

static bool sieves_hold(const struct sieves *v, size_t i)
{
	return sieve_holds(&v->search, v->k, i) && sieve_holds(&v->filter, v->k, i);
}

static bool is_empty_block(const struct sieve *v, size_t block)
{
	return v->before && v->before[block] == v->before[block + 1];
}

bool subset_has(const struct subset *s, uint32_t track, size_t event)
{
	struct sieves v = sieves_of(s, track);

	return sieves_hold(&v, event);
}

/* --- making them --- */

/* Returns the first event from i on that is left, or n. */
static size_t next_left(const struct sieves *v, size_t i)
{
	for (; i < v->k->n; i++) {
		if (i % FIND_BLOCK == 0 &&
		    (is_empty_block(&v->search, i / FIND_BLOCK) ||
			is_empty_block(&v->filter, i / FIND_BLOCK)))
			i += FIND_BLOCK - 1;
		else if (sieves_hold(v, i))
			return i;
	}
	return v->k->n;
}

static bool append_left(struct track *to, const struct sieves *v)
{
	const struct track *k = v->k;
	size_t left = 0;

	for (size_t i = next_left(v, 0); i < k->n; i = next_left(v, i + 1))
		left++;
	if (!track_grow(to, to->n + left))
		return false;
	for (size_t i = next_left(v, 0); i < k->n; i = next_left(v, i + 1)) {
		if (!track_add(to, track_start(k, i), track_dur(k, i), track_meta(k, i), i))
			return false;
		to->depth[to->n - 1] = k->depth[i];
	}
	return true;
}

/* Gives the events the rows that they have on their track; append_left() put their index into args. */
static void keep_rows(struct track *to, const struct track *k)
{
	to->rows = k->rows;
	to->open_max = k->open_max;
	to->nlanes = k->nlanes;
	to->first = k->first;
	to->last = k->last;
	if (!k->lane)
		return;
	to->lane = xcalloc(to->n + 1, sizeof *to->lane);
	to->lane_base = xcalloc((size_t)k->nlanes, sizeof *to->lane_base);
	memcpy(to->lane_base, k->lane_base, (size_t)k->nlanes * sizeof *to->lane_base);
	for (size_t i = 0; i < to->n; i++)
		to->lane[i] = k->lane[track_args(to, i)];
}

const struct track *subset_passed(const struct subset *s, uint32_t track, struct track *room)
{
	struct sieves v = sieves_of(s, track);
	size_t n;

	v.search = (struct sieve){ .nmeta = SIZE_MAX };
	*room = (struct track){ .plane = v.k->plane };
	if (!append_left(room, &v) || !room->n)
		return NULL;
	if (room->n == v.k->n)
		return v.k;
	track_nest(room);
	track_trim(room);
	return lod_build(room, colors_classes(s->colors, &n)) ? NULL : room;
}

static void make_track(struct subset *s, struct subset_track *to, const struct rows_node *node,
    struct rows_source src)
{
	const struct track *k = scene_track(s->sc, src.track);
	const uint32_t *member = node->members > 1 ? s->sc->rows.member + node->member : &src.track;
	size_t all = 0;
	bool fits = true;

	to->depth = k->depth;
	to->n = k->n;
	to->k.plane = k->plane;
	for (uint32_t i = 0; fits && i < (node->members > 1 ? node->members : 1); i++) {
		struct sieves v = sieves_of(s, member[i]);

		fits = append_left(&to->k, &v);
		all += v.k->n;
	}
	to->whole = fits && to->k.n == all;
	if (to->whole || !fits) {
		track_free(&to->k);
		return;
	}
	if (src.row < 0)
		track_nest(&to->k);
	else
		keep_rows(&to->k, k);
	track_trim(&to->k);
	lod_build(&to->k, s->classes); /* out of memory: the row is drawn as without a search */
}

const struct track *subset_of(struct subset *s, const struct rows_node *node, struct rows_source src,
    bool at_once)
{
	const struct track *k = scene_track(s->sc, src.track);
	struct subset_track **p;

	follow_changes(s);
	p = slot_of(s, src.track, src.row < 0);
	if (*p && ((*p)->depth != k->depth || (*p)->n != k->n)) {
		track_free(&(*p)->k);
		free(*p);
		*p = NULL;
	}
	if (!*p && (at_once || k->n < AT_ONCE_EVENTS)) {
		*p = xcalloc(1, sizeof **p);
		make_track(s, *p, node, src);
	}
	return !*p ? NULL : (*p)->whole ? k : (*p)->k.lod ? &(*p)->k : NULL;
}

static bool is_made(struct subset *s, struct rows_source src)
{
	follow_changes(s);
	return *slot_of(s, src.track, src.row < 0);
}

bool subset_step(struct subset *s)
{
	for (int i = 0; subset_on(s) && i < s->sc->lay.plot.h; i++) {
		size_t place = scene_place(s->sc, i);
		struct rows_source src;

		if (place >= s->sc->rows.nvis)
			break;
		src = rows_source(scene_node(s->sc, place));
		if (src.track == ROWS_NONE || is_made(s, src))
			continue;
		subset_of(s, scene_node(s->sc, place), src, true);
		s->made++;
		s->sc->view->stale = true;
		return true;
	}
	return false;
}
