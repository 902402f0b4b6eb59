#include "config.h"

#include "view/timeline/scene/internal.h"

#include "model/lod.h"

/* Finds the event that covers most of the cursor's column. */
static bool event_in_column(const struct scene *sc, struct rows_source s, size_t *event)
{
	const struct track *k = scene_track(sc, s.track);
	struct lod_cell cell[TRACK_ROWS_MAX + 1];
	int from = s.row < 0 ? 0 : s.row, rows = s.row < 0 ? k->rows : s.rows,
	    x = viewport_column(&sc->port, sc->cursor.at);
	int64_t most = -1;

	if (!k->lod || !k->n || rows < 1 || from + rows > k->rows)
		return false;
	lod_columns(k, sc->cap->dump->trace.meta_class, viewport_time(&sc->port, x), sc->port.c, 1, from,
	    rows, cell);
	for (int r = 0; r < rows; r++)
		if (cell[r].big && cell[r].big_len >= most) {
			most = cell[r].big_len;
			*event = cell[r].big - 1;
		}
	return most >= 0;
}

bool cursor_event(const struct scene *sc, size_t *event, uint32_t *track)
{
	struct rows_source s;

	if (sc->cursor.row >= sc->rows.nvis)
		return false;
	s = rows_source(scene_node(sc, sc->cursor.row));
	*track = s.track;
	return s.track != ROWS_NONE &&
	    (scene_event_at(sc, s, sc->cursor.at, event) || event_in_column(sc, s, event));
}

/* Moves the cursor into the event if that is in its column. */
static void enter_event(struct scene *sc, const struct track *k, size_t event)
{
	int64_t shift = scene_shift_of(sc, k->plane) - sc->port.shift, from = track_start(k, event) + shift,
		last = track_dur(k, event) > 0 ? from + track_dur(k, event) - 1 : from,
		to = clamp64(sc->cursor.at, from, last);

	if (viewport_column(&sc->port, to) == viewport_column(&sc->port, sc->cursor.at))
		sc->cursor.at = to;
}

void cursor_select(struct scene *sc, uint32_t track, size_t event)
{
	sc->cursor.selected = true;
	sc->cursor.track = track;
	sc->cursor.event = event;
	sc->cursor.chosen++;
	enter_event(sc, scene_track(sc, track), event);
}

void cursor_unselect(struct scene *sc)
{
	sc->cursor.selected = sc->cursor.full = false;
}

bool cursor_in(const struct scene *sc, uint32_t track, size_t event)
{
	const struct track *k = scene_track(sc, track);
	int64_t at = sc->cursor.at + sc->port.shift - scene_shift_of(sc, k->plane);

	return event < k->n && at >= track_start(k, event) &&
	    (at < track_end(k, event) || at == track_start(k, event));
}

void cursor_go(struct scene *sc, int64_t from, int64_t to)
{
	viewport_reveal(&sc->port, from, to);
	sc->cursor.at = from;
	cursor_leave_selection(sc);
	scene_keep_visible(sc);
}

void cursor_leave_selection(struct scene *sc)
{
	if (sc->cursor.selected && !cursor_in(sc, sc->cursor.track, sc->cursor.event))
		cursor_unselect(sc);
}

/* Moves the cursor to the event, and the view only if needed. */
void cursor_show(struct scene *sc, uint32_t track, size_t event)
{
	const struct track *k = scene_track(sc, track);
	bool inside = sc->shift.inside;

	scene_enter(sc, k->plane); /* it may be on another host */
	cursor_select(sc, track, event);
	viewport_reveal(&sc->port, track_start(k, event), track_end(k, event));
	sc->cursor.at = track_start(k, event);
	scene_keep_visible(sc);
	if (!inside)
		scene_leave(sc);
}

bool cursor_go_to_event(struct scene *sc, uint32_t track, size_t event)
{
	uint32_t node = track < sc->rows.ntracks ? sc->rows.node_of[track] : ROWS_NONE;

	if (node == ROWS_NONE || event >= scene_track(sc, track)->n)
		return false;
	scene_open_sections(sc, node);
	node = rows_of_event(&sc->rows, &sc->cap->dump->trace, track, event);
	if (node == ROWS_NONE)
		return false;
	sc->cursor.row = rows_find(&sc->rows, sc->rows.v[node].id);
	cursor_show(sc, track, event);
	return true;
}

/* Keeps the selection: the event under the cursor is only selected by Enter, h or l. */
void cursor_move_row(struct scene *sc, long by)
{
	long to = (long)sc->cursor.row + by, last = (long)sc->rows.nvis - 1;

	to = to > last ? last : to;
	sc->cursor.row = to < 0 ? 0 : (size_t)to;
	scene_keep_visible(sc);
}

bool cursor_from_event(const struct scene *sc, uint32_t *track, size_t *event)
{
	if (sc->cursor.selected) {
		*track = sc->cursor.track;
		*event = sc->cursor.event;
		return true;
	}
	return cursor_event(sc, event, track);
}

const char *cursor_tool_name(const struct scene *sc)
{
	static const char *const names[] = { [CURSOR_SELECTS] = "",
		[CURSOR_PANS] = "pan",
		[CURSOR_ZOOMS] = "zoom",
		[CURSOR_TIMES] = "timing" };

	return names[sc->cursor.tool];
}
