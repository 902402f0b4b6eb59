#include "config.h"

#include "view/timeline/scene/internal.h"

#include "model/lod.h"

/* Finds the end of an event open at `at` that is next in direction `dir`; ends must be in (at, limit). */
static bool open_end(const struct track *k, struct rows_source s, int64_t at, int dir, int64_t limit,
    int64_t *edge, size_t *event)
{
	int from = s.row < 0 ? 0 : s.row, to = s.row < 0 ? k->rows : s.row + s.rows;
	bool any = false;

	for (int r = from; r < to; r++) {
		uint32_t o = lod_open(k, r, at);
		int64_t end = o ? track_end(k, o - 1) : 0;

		if (!o || end <= at || end >= limit || (any && (dir > 0 ? end >= *edge : end <= *edge)))
			continue;
		*edge = end;
		*event = o - 1;
		any = true;
	}
	return any;
}

bool edges_find(const struct scene *sc, int64_t from, int dir, struct edge_at *out)
{
	struct rows_source s = sc->cursor.row < sc->rows.nvis ? rows_source(scene_node(sc, sc->cursor.row))
							      : (struct rows_source){ ROWS_NONE, 0, 1 };
	const struct track *k = s.track != ROWS_NONE ? scene_track(sc, s.track) : NULL;
	size_t i;
	int64_t end;
	bool any;

	if (!k || !k->lod || !k->n)
		return false;
	i = track_lower(k, dir > 0 ? from + 1 : from) - (dir < 0);
	while (i < k->n && !rows_source_has(s, k, i)) /* wraps below 0 */
		i += (size_t)dir;
	any = i < k->n;
	if (any)
		*out = (struct edge_at){ track_start(k, i), i, false };
	if (dir > 0) {
		if (open_end(k, s, from, 1, any ? out->t : INT64_MAX, &end, &i)) {
			*out = (struct edge_at){ end, i, true };
			any = true;
		}
	} else if (any && open_end(k, s, out->t, -1, from, &end, &i)) {
		*out = (struct edge_at){ end, i, true };
	}
	return any;
}

bool cursor_edge(const struct scene *sc, int64_t from, int dir, int64_t *edge)
{
	struct edge_at e;

	if (!edges_find(sc, from, dir, &e))
		return false;
	*edge = e.t;
	return true;
}

unsigned cursor_move_edge(struct scene *sc, int dir, int count)
{
	bool any = false;

	for (int64_t to; count > 0 && cursor_edge(sc, sc->cursor.at, dir, &to); count--) {
		sc->cursor.at = to;
		any = true;
	}
	if (!any) {
		app_say(sc->view->app, dir > 0 ? "no later edge on this row" : "no earlier edge on this row");
		return REACT_REDRAW;
	}
	viewport_reveal(&sc->port, sc->cursor.at, sc->cursor.at + 1);
	scene_keep_visible(sc);
	return REACT_REDRAW;
}
