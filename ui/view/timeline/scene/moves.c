#include "config.h"

#include "view/timeline/scene/internal.h"

#include "base/bisect.h"

static bool next_in_rows(const struct track *k, struct rows_source s, size_t *i, int dir)
{
	if (dir > 0) {
		for (; *i < k->n; ++*i)
			if (rows_source_has(s, k, *i))
				return true;
		return false;
	}
	for (; *i < k->n; --*i) /* wraps below 0 */
		if (rows_source_has(s, k, *i))
			return true;
	return false;
}

static unsigned move_sample(struct scene *sc, int counter, int dir, int count)
{
	const struct counter *c = &sc->cap->dump->trace.counters[counter];
	size_t lo;

	BISECT(lo, c->n, dir > 0 ? c->t[lo] <= sc->cursor.at : c->t[lo] < sc->cursor.at);
	if (dir > 0 ? lo >= c->n : !lo)
		return REACT_NONE;
	lo = dir > 0 ? lo + (size_t)(count - 1) : lo > (size_t)count ? lo - (size_t)count : 0;
	lo = lo < c->n ? lo : c->n - 1;
	cursor_go(sc, c->t[lo], c->t[lo] + 1);
	return REACT_REDRAW;
}

/* Finds the event of the row that begins at the cursor, else the one around it. */
static bool event_at_cursor(const struct scene *sc, struct rows_source s, size_t *event)
{
	const struct track *k = scene_track(sc, s.track);

	for (size_t i = track_lower(k, sc->cursor.at); i < k->n && track_start(k, i) == sc->cursor.at; i++)
		if (rows_source_has(s, k, i)) {
			*event = i;
			return true;
		}
	return scene_event_at(sc, s, sc->cursor.at, event);
}

/* If nothing is selected on the row, moves first to the event at the cursor, in either direction. */
unsigned cursor_move_event(struct scene *sc, int dir, int count)
{
	const struct rows_node *v = sc->cursor.row < sc->rows.nvis ? scene_node(sc, sc->cursor.row) : NULL;
	struct rows_source s = v ? rows_source(v) : (struct rows_source){ ROWS_NONE, -1, 1 };
	const struct track *k;
	size_t i, found = SIZE_MAX;

	if (v && rows_shows_counter(v))
		return move_sample(sc, v->counter, dir, count);
	if (s.track == ROWS_NONE || !scene_track(sc, s.track)->n) {
		app_say(sc->view->app, "no events on this row");
		return REACT_REDRAW;
	}
	k = scene_track(sc, s.track);
	if (sc->cursor.selected && sc->cursor.track == s.track && sc->cursor.event < k->n &&
	    rows_source_has(s, k, sc->cursor.event) && cursor_in(sc, s.track, sc->cursor.event))
		i = sc->cursor.event + (size_t)dir;
	else if (!event_at_cursor(sc, s, &i))
		i = dir > 0 ? track_lower(k, sc->cursor.at + 1) : track_lower(k, sc->cursor.at) - 1;
	else if (picks_has(sc, s.track, i)) /* already picked */
		i += (size_t)dir;
	for (; count > 0 && next_in_rows(k, s, &i, dir); count--) {
		found = i;
		i += (size_t)dir;
	}
	if (found == SIZE_MAX) {
		app_say(sc->view->app,
		    dir > 0 ? "no later event on this row" : "no earlier event on this row");
		return REACT_REDRAW;
	}
	cursor_show(sc, s.track, found);
	return REACT_REDRAW;
}

unsigned cursor_move_same(struct scene *sc, int dir, int count)
{
	const struct evmeta *metas = sc->cap->dump->trace.metas;
	const struct track *k;
	uint32_t track;
	size_t event, found = SIZE_MAX;
	strid name;

	if (!cursor_from_event(sc, &track, &event)) {
		app_say(sc->view->app, "no event under the cursor");
		return REACT_REDRAW;
	}
	k = scene_track(sc, track);
	name = metas[track_meta(k, event)].name;
	for (size_t i = event + (size_t)dir; i < k->n && count > 0; i += (size_t)dir)
		if (metas[track_meta(k, i)].name == name) {
			found = i;
			count--;
		}
	if (found == SIZE_MAX)
		app_say(sc->view->app, "no %s event of this name on this track",
		    dir > 0 ? "later" : "earlier");
	else if (!cursor_go_to_event(sc, track, found))
		cursor_show(sc, track, found);
	return REACT_REDRAW;
}

/* The interval of a step of the row: a run of a folded core, or an event of the track. */
static void step_span(const struct scene *sc, const struct step *runs, uint32_t track, size_t i,
    int64_t *from, int64_t *to)
{
	if (runs) {
		steps_span(&runs[i], sc->cap->dump, from, to);
		return;
	}
	*from = track_start(scene_track(sc, track), i);
	*to = *from + track_dur(scene_track(sc, track), i);
}

/* The first step that begins at `at` or later. */
static size_t step_lower(const struct scene *sc, const struct step *runs, uint32_t track, size_t n,
    int64_t at)
{
	size_t i = 0;
	int64_t from, to;

	if (!runs)
		return track_lower(scene_track(sc, track), at);
	for (; i < n; i++) {
		step_span(sc, runs, track, i, &from, &to);
		if (from >= at)
			break;
	}
	return i;
}

unsigned cursor_move_step(struct scene *sc, int dir, int count)
{
	const struct rows_node *v = sc->cursor.row < sc->rows.nvis ? scene_node(sc, sc->cursor.row) : NULL;
	uint32_t track = v ? scene_steps_track(sc, v) : ROWS_NONE;
	const struct step *runs = NULL;
	size_t n = v ? scene_runs(sc, v, &runs) : 0, i;
	int64_t from, to;

	if (!n && track != ROWS_NONE)
		n = scene_track(sc, track)->n;
	if (!n) {
		app_say(sc->view->app, "no steps in this capture");
		return REACT_REDRAW;
	}
	scene_enter(sc, runs ? runs->plane : scene_track(sc, track)->plane);
	i = step_lower(sc, runs, track, n, dir > 0 ? sc->cursor.at + 1 : sc->cursor.at) - (dir < 0);
	if (i >= n) {
		app_say(sc->view->app, dir > 0 ? "this is the last step" : "this is the first step");
		return REACT_REDRAW;
	}
	if (dir > 0)
		i = i + (size_t)(count - 1) < n ? i + (size_t)(count - 1) : n - 1;
	else
		i = i >= (size_t)(count - 1) ? i - (size_t)(count - 1) : 0;
	step_span(sc, runs, track, i, &from, &to);
	cursor_go(sc, from, to);
	return REACT_REDRAW;
}

/* The first (or the longest) event directly inside another; n = none. */
static size_t child_of(const struct track *k, size_t i, bool longest)
{
	int64_t end = track_end(k, i);
	size_t best = k->n;

	for (size_t j = i + 1; j < k->n && track_start(k, j) < end; j++) {
		if (k->depth[j] != k->depth[i] + 1 || (k->lane && k->lane[j] != k->lane[i]))
			continue;
		if (best == k->n || track_dur(k, j) > track_dur(k, best))
			best = j;
		if (!longest)
			break;
	}
	return best;
}

unsigned cursor_move_family(struct scene *sc, enum action a, int count)
{
	uint32_t track = sc->cursor.track;
	size_t event = sc->cursor.event, to;
	const struct track *k;
	bool any = false;

	if (!sc->cursor.selected && !cursor_event(sc, &event, &track)) {
		app_say(sc->view->app, "no event under the cursor");
		return REACT_REDRAW;
	}
	k = scene_track(sc, track);
	for (; count > 0; count--, any = true) {
		to = a == ACT_PARENT ? track_parent(k, event) : child_of(k, event, a == ACT_CHILD_LONGEST);
		if (to >= k->n)
			break;
		event = to;
	}
	if (!any)
		app_say(sc->view->app,
		    a == ACT_PARENT ? "no event encloses this one" : "no event inside this one");
	else
		cursor_go_to_event(sc, track, event);
	return REACT_REDRAW;
}
