#include "config.h"

#include "view/timeline/scene/internal.h"

#include <stdlib.h>

#include "model/lod.h"

/* computes rectangles, columns and rows for the current pane */
static void scene_relayout(struct scene *sc)
{
	enum pane pane = scene_pane(sc);

	layout_make(&sc->lay, sc->view->area, pane, sc->pane_most[pane], sc->rows.nvis, sc->open[PANE_HITS]);
	if (sc->port.w != sc->lay.plot.w)
		viewport_resize(&sc->port, sc->lay.plot.w);
}

/* The run starts at 0, the start of the capture, unless its first event is later than the run is long. */
void scene_measure(struct scene *sc)
{
	int64_t first, last, begin = scene_shift_of(sc, UINT32_MAX);

	scene_bounds(sc, &first, &last);
	sc->port.first = first > begin && first - begin <= last - first ? begin : first;
	sc->port.last = last > sc->port.first ? last : sc->port.first;
}

/* A reference is in times of its track, else of its row; a bare time is in times of the ruler. */
int64_t scene_ref_shift(const struct scene *sc, const struct ref *r)
{
	size_t place = r->row ? rows_find(&sc->rows, r->row) : SIZE_MAX;

	if (r->track < sc->cap->dump->trace.ntracks)
		return scene_shift_of(sc, scene_track(sc, r->track)->plane);
	return place < sc->rows.nvis ? scene_shift_of(sc, scene_node(sc, place)->plane) : 0;
}

/* Scrolls the cursor's row onto the screen and moves the cursor into the view. */
void scene_keep_visible(struct scene *sc)
{
	size_t h, pins;

	scene_relayout(sc);
	h = sc->lay.plot.h > 0 ? (size_t)sc->lay.plot.h : 1;
	pins = scene_pins(sc);
	if (sc->cursor.row >= sc->rows.nvis)
		sc->cursor.row = sc->rows.nvis ? sc->rows.nvis - 1 : 0;
	if (sc->cursor.row >= pins && sc->cursor.row < sc->cursor.top + pins)
		sc->cursor.top = sc->cursor.row - pins;
	if (sc->cursor.row >= sc->cursor.top + h)
		sc->cursor.top = sc->cursor.row - h + 1;
	if (sc->cursor.top + h > sc->rows.nvis)
		sc->cursor.top = sc->rows.nvis > h ? sc->rows.nvis - h : 0;
	/* to the middle, so that the next zoom does not lose what is looked at */
	if (sc->cursor.at < viewport_begin(&sc->port) || sc->cursor.at >= viewport_end(&sc->port))
		sc->cursor.at = viewport_time(&sc->port, sc->port.w / 2);
}

enum { EVENTS_AT_ONCE = 2000000 }; /* of a larger run, each row is only made when it is opened */

void scene_rebuild(struct scene *sc)
{
	uint64_t id = sc->cursor.row < sc->rows.nvis ? scene_node(sc, sc->cursor.row)->id : 0;
	size_t above = sc->cursor.row - (sc->cursor.top < sc->cursor.row ? sc->cursor.top : sc->cursor.row);

	rows_build(&sc->rows, sc->cap);
	sc->changes.rows++;
	sc->cursor.row = rows_find(&sc->rows, id);
	/* the row stays where it was on the screen */
	sc->cursor.top = sc->cursor.row > above ? sc->cursor.row - above : 0;
	if (sc->host != sc->cap->scope.host) {
		sc->host = sc->cap->scope.host;
		sc->changes.times++;
	}
}

/* Opens the sections around a node; opening one may make new rows. */
void scene_open_sections(struct scene *sc, uint32_t node)
{
	bool opened = false;

	for (uint32_t i = node; i != ROWS_NONE; i = sc->rows.v[i].parent)
		opened |= sc->rows.v[i].kind == NODE_DEVICE && sc->rows.v[i].folded;
	if (opened) {
		rows_open_to(&sc->rows, node);
		scene_rebuild(sc);
	}
}

bool scene_event_at(const struct scene *sc, struct rows_source s, int64_t at, size_t *event)
{
	const struct track *k;
	uint32_t found = 0;
	int from, to;

	if (s.track == ROWS_NONE || !scene_track(sc, s.track)->lod)
		return false;
	k = scene_track(sc, s.track);
	from = s.row < 0 ? 0 : s.row;
	to = s.row < 0 ? k->rows : s.row + s.rows;
	for (int r = from; r < to; r++) {
		uint32_t open = lod_open(k, r, at);

		if (open > found)
			found = open;
		if (!open && s.row < 0 && !k->lane) /* properly nested: nothing can be open deeper */
			break;
	}
	*event = found ? found - 1 : 0;
	return found;
}

bool scene_make_all_rows(struct scene *sc)
{
	bool waiting = false;

	for (size_t i = 0; i < sc->rows.n; i++)
		waiting |= sc->rows.v[i].kind == NODE_LAZY;
	if (!waiting || sc->rows.events > EVENTS_AT_ONCE)
		return false;
	sc->rows.all = true;
	scene_rebuild(sc);
	return true;
}

/* A row whose events stand for those of other rows by name; not the sum of folded threads, which has none. */
static bool is_computed(const struct track *t)
{
	return t->role == TRACK_STEPS || t->role == TRACK_SCOPE || t->role == TRACK_FRAMEWORK ||
	    t->role == TRACK_SOURCE;
}

uint32_t *scene_tracks(const struct scene *sc, bool computed, size_t *n)
{
	const struct rows *r = &sc->rows;
	uint32_t *out = xcalloc(r->n + 1, sizeof *out);

	*n = 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct rows_node *v = &r->v[i];
		uint32_t track = v->kind == NODE_TRACK ? v->track
		    : v->kind == NODE_DEVICE           ? v->steps
						       : ROWS_NONE;

		if (track == ROWS_NONE)
			continue;
		if (scene_track(sc, track)->file >= 0 || (computed && is_computed(scene_track(sc, track))))
			out[(*n)++] = track;
	}
	return out;
}
