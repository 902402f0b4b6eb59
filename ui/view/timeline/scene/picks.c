#include "config.h"

#include "view/timeline/scene/internal.h"

#include <stdlib.h>

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

static size_t pick_of(const struct picks *m, uint32_t track, size_t event)
{
	size_t i = 0;

	while (i < m->n && (m->v[i].track != track || m->v[i].event != event))
		i++;
	return i;
}

bool picks_has(const struct scene *sc, uint32_t track, size_t event)
{
	return pick_of(&sc->picks, track, event) < sc->picks.n;
}

unsigned picks_toggle(struct scene *sc)
{
	struct picks *m = &sc->picks;
	uint32_t track;
	size_t event, i;

	if (!event_meant(sc, &track, &event))
		return picks_toggle_track(sc);
	i = pick_of(m, track, event);
	if (i < m->n) {
		m->v[i] = m->v[--m->n];
		return REACT_REDRAW;
	}
	VEC_ADD(m->v, m->n, m->cap, (struct pick){ track, event });
	return REACT_REDRAW;
}

/* Start of an event, on the screen. */
int64_t picks_begin(const struct scene *sc, uint32_t track, size_t event)
{
	return track_start(scene_track(sc, track), event) + scene_shift_of(sc, scene_track(sc, track)->plane);
}

bool picks_span(const struct scene *sc, int64_t *t0, int64_t *t1)
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
		} else if ((m->n && !sc->cursor.selected) || !event_meant(sc, &track, &event)) {
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
	return any;
}

void picks_free(struct picks *p)
{
	free(p->v);
	free(p->track);
	*p = (struct picks){ .n = 0 };
}
