#include "config.h"

#include "view/timeline/scene/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/interval/window.h"
#include "base/clamp.h"

/* Finds the selected event, else the one under the cursor. */
static bool event_meant(const struct scene *sc, uint32_t *track, size_t *event)
{
	if (sc->cursor.selected) {
		*track = sc->cursor.track;
		*event = sc->cursor.event;
		return true;
	}
	return cursor_event(sc, event, track) && scene_track(sc, *track)->file >= 0;
}

static bool put_track(struct scene *sc, uint32_t track)
{
	struct picks *m = &sc->picks;

	for (size_t i = 0; i < m->ntracks; i++)
		if (m->track[i] == track) {
			m->track[i] = m->track[--m->ntracks];
			return false;
		}
	VEC_ADD(m->track, m->ntracks, m->track_cap, track);
	return true;
}

/* Adds all tracks of a section, or the threads of a group. */
static void put_tracks_of(struct scene *sc, uint32_t node, size_t *added, size_t *taken)
{
	const struct rows_node *v = &sc->rows.v[node];

	if (v->kind == NODE_TRACK || v->kind == NODE_ROW || v->kind == NODE_LANES) {
		*(put_track(sc, v->track) ? added : taken) += 1;
		return;
	}
	for (uint32_t i = 0; i < v->members; i++)
		*(put_track(sc, sc->rows.member[v->member + i]) ? added : taken) += 1;
	for (uint32_t i = node + 1; !v->members && i < v->end; i++)
		if (sc->rows.v[i].kind == NODE_TRACK && !sc->rows.v[i].thin)
			*(put_track(sc, sc->rows.v[i].track) ? added : taken) += 1;
	if (v->kind == NODE_DEVICE && v->end == node + 1 && v->track != ROWS_NONE) /* folded, not built */
		*(put_track(sc, v->track) ? added : taken) += 1;
}

unsigned picks_toggle_track(struct scene *sc)
{
	size_t added = 0, taken = 0;

	if (sc->cursor.row < sc->rows.nvis)
		put_tracks_of(sc, sc->rows.vis[sc->cursor.row], &added, &taken);
	if (!added && !taken)
		app_say(sc->view->app, "no events on this row");
	else if (!sc->picks.ntracks)
		app_say(sc->view->app, "statistics: all cores again");
	else
		app_say(sc->view->app, "statistics: %zu %s (%zu added, %zu removed)", sc->picks.ntracks,
		    sc->picks.ntracks == 1 ? "track" : "tracks", added, taken);
	return REACT_REDRAW;
}

/* --- events --- */

static int compare_picks(const void *x, const void *y)
{
	const struct pick *a = x, *b = y;

	if (a->track != b->track)
		return a->track < b->track ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

size_t picks_from(const struct scene *sc, uint32_t track, size_t event)
{
	const struct pick p = { track, event };
	size_t from = 0, end = sc->picks.n;

	while (from < end) {
		size_t mid = from + (end - from) / 2;

		if (compare_picks(&sc->picks.v[mid], &p) < 0)
			from = mid + 1;
		else
			end = mid;
	}
	return from;
}

static bool is_pick(const struct picks *m, size_t i, uint32_t track, size_t event)
{
	return i < m->n && m->v[i].track == track && m->v[i].event == event;
}

bool picks_has(const struct scene *sc, uint32_t track, size_t event)
{
	return is_pick(&sc->picks, picks_from(sc, track, event), track, event);
}

static uint32_t key_of_pick(const void *ctx, uint32_t track, size_t event)
{
	const struct scene *sc = ctx;

	return picks_has(sc, track, event) ? track_meta(scene_track(sc, track), event) : WINDOW_OUT;
}

void picks_apply(const struct scene *sc, struct window *w)
{
	w->keys = (struct window_keys){ .of = key_of_pick, .ctx = sc };
}

unsigned picks_toggle(struct scene *sc)
{
	struct picks *m = &sc->picks;
	uint32_t track;
	size_t event, i;

	if (!event_meant(sc, &track, &event))
		return picks_toggle_track(sc);
	i = picks_from(sc, track, event);
	m->changes++;
	if (is_pick(m, i, track, event)) {
		memmove(&m->v[i], &m->v[i + 1], (--m->n - i) * sizeof *m->v);
		return REACT_REDRAW;
	}
	VEC_ADD(m->v, m->n, m->cap, (struct pick){ track, event });
	memmove(&m->v[i + 1], &m->v[i], (m->n - 1 - i) * sizeof *m->v);
	m->v[i] = (struct pick){ track, event };
	return REACT_REDRAW;
}

enum { ROWS_OF_EVENT = 4 }; /* that show one event, about: of its core, its line, levels of it */

static void put_pick(struct picks *m, uint32_t track, size_t event)
{
	m->cut |= m->n >= ROWS_OF_EVENT * PICKS_MOST;
	if (!m->cut)
		VEC_ADD(m->v, m->n, m->cap, (struct pick){ track, event });
}

/* Adds the events of a row that overlap the time, which is that of its track. */
static void put_row(struct scene *sc, struct rows_source s, int64_t t0, int64_t t1)
{
	const struct track *k = scene_track(sc, s.track);
	size_t i;

	if (scene_event_at(sc, s, t0, &i))
		for (; i < k->n && track_start(k, i) < t0; i = track_parent(k, i)) /* what began before */
			if (rows_source_has(s, k, i))
				put_pick(&sc->picks, s.track, i);
	for (i = track_lower(k, t0); i < k->n && track_start(k, i) < t1 && !sc->picks.cut; i++)
		if (rows_source_has(s, k, i))
			put_pick(&sc->picks, s.track, i);
}

void picks_box(struct scene *sc, size_t place, bool first, int64_t a, int64_t b)
{
	const struct rows_node *v;
	struct rows_source s;

	if (first) {
		sc->picks.n = 0;
		sc->picks.cut = false;
	}
	if (place >= sc->rows.nvis)
		return;
	v = scene_node(sc, place);
	s = rows_source(v);
	if (s.track >= sc->cap->dump->trace.ntracks)
		return;
	scene_enter(sc, v->plane);
	put_row(sc, s, viewport_time(&sc->port, a), viewport_time(&sc->port, b + 1));
	scene_leave(sc);
}

void picks_box_end(struct scene *sc)
{
	struct picks *m = &sc->picks;
	size_t n = 0;

	VEC_SORT(m->v, m->n, compare_picks);
	for (size_t i = 0; i < m->n; i++) /* a core and its ops are of one track */
		if (!i || compare_picks(&m->v[i - 1], &m->v[i]))
			m->v[n++] = m->v[i];
	m->cut |= n > PICKS_MOST;
	m->n = n < PICKS_MOST ? n : PICKS_MOST;
	m->changes++;
}

int64_t picks_sum(const struct scene *sc)
{
	int64_t sum = 0;

	for (size_t i = 0; i < sc->picks.n; i++)
		sum =
		    add_clamped(sum, track_dur(scene_track(sc, sc->picks.v[i].track), sc->picks.v[i].event));
	return sum;
}

/* Start of an event, on the screen. */
int64_t picks_begin(const struct scene *sc, uint32_t track, size_t event)
{
	return track_start(scene_track(sc, track), event) + scene_shift_of(sc, scene_track(sc, track)->plane);
}

bool picks_span(const struct scene *sc, bool cursor, int64_t *t0, int64_t *t1)
{
	const struct picks *m = &sc->picks;
	uint32_t track;
	size_t event;

	*t0 = INT64_MAX;
	*t1 = INT64_MIN;
	for (size_t i = 0; i <= m->n; i++) {
		const struct track *k;
		int64_t from;

		if (i < m->n) {
			track = m->v[i].track;
			event = m->v[i].event;
		} else if (!cursor || (m->n && !sc->cursor.selected) || !event_meant(sc, &track, &event)) {
			break;
		}
		k = scene_track(sc, track);
		from = picks_begin(sc, track, event) - sc->port.shift;
		*t0 = from < *t0 ? from : *t0;
		*t1 = from + track_dur(k, event) > *t1 ? from + track_dur(k, event) : *t1;
	}
	return *t0 <= *t1;
}

bool picks_clear(struct scene *sc)
{
	bool any = sc->picks.n || sc->picks.ntracks;

	sc->picks.n = sc->picks.ntracks = 0;
	sc->picks.cut = false;
	sc->picks.changes++;
	return any;
}

void picks_free(struct picks *p)
{
	free(p->v);
	free(p->track);
	*p = (struct picks){ .n = 0 };
}
