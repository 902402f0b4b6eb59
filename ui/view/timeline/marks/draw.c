#include "config.h"

#include "view/timeline/marks/marks.h"

#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"

/* --- lines at both ends, through all rows --- */

static struct canvas_cell *cell_at(struct canvas *cv, int y, int x)
{
	return &cv->cells[(size_t)y * (size_t)cv->cols + (size_t)x];
}

static bool in_canvas(const struct canvas *cv, int y, int x)
{
	return y >= 0 && y < cv->rows && x >= 0 && x < cv->cols;
}

/* The line has the background of what it crosses, like the cursor's. */
static void draw_end(const struct scene *sc, struct canvas *cv, int64_t at, bool current)
{
	int x = viewport_column(&sc->port, at);

	if (x < 0 || x >= sc->port.w)
		return;
	for (int i = 0; i < sc->lay.plot.h; i++) {
		int y = sc->lay.plot.y + i;
		const struct canvas_cell *c;
		bool blank;

		if (!in_canvas(cv, y, sc->lay.plot.x + x))
			continue;
		c = cell_at(cv, y, sc->lay.plot.x + x);
		blank = c->ch == ' ' && c->role == ROLE_TEXT;
		if (!current && !blank)
			continue;
		canvas_glyph(cv, y, sc->lay.plot.x + x, GLYPH_CURSOR,
		    blank ? (current ? ROLE_MARK : ROLE_LINE) : c->role, c->attr);
	}
}

/* --- the bracket on the ruler --- */

static bool is_blank(struct canvas *cv, int y, int x)
{
	return cell_at(cv, y, x)->ch == ' ';
}

/* Clears what is left of texts that the bracket cut, up to two spaces. */
static void clear_rest(struct canvas *cv, int y, int x, int dir, int from, int to)
{
	for (; x >= from && x < to; x += dir) {
		bool next = x + dir >= from && x + dir < to;

		if (is_blank(cv, y, x) && (!next || is_blank(cv, y, x + dir)))
			return;
		canvas_put(cv, y, x, ' ', ROLE_TEXT, 0);
	}
}

static void bracket_text(const struct marks *m, const struct mark *v, int room, char *buf, size_t size)
{
	char time[40];

	units_time(time, sizeof time, v->t1 - v->t0, scene_ascii(m->sc));
	snprintf(buf, size, " %s %s ", v->name, time);
	if (m->n == 1 || utf8_cols(buf, strlen(buf)) > room)
		snprintf(buf, size, " %s ", time);
	if (utf8_cols(buf, strlen(buf)) > room)
		*buf = '\0';
}

static void draw_bracket(const struct marks *m, struct canvas *cv, const struct mark *v, bool current)
{
	int64_t by = marks_shift(m, v);
	int y = m->sc->lay.ruler, x0 = m->sc->lay.plot.x, w = m->sc->port.w,
	    a = viewport_column(&m->sc->port, v->t0 + by), b = viewport_column(&m->sc->port, v->t1 + by),
	    from = a < 0 ? 0 : a, to = b >= w ? w - 1 : b, cols,
	    cursor = viewport_column(&m->sc->port, m->sc->cursor.at);
	unsigned attr = current ? ATTR_BOLD : 0;
	enum role role = current ? ROLE_MARK : ROLE_LINE;
	char text[128];

	if (a >= w || b < 0 || !in_canvas(cv, y, x0) || x0 + w > cv->cols)
		return;
	clear_rest(cv, y, x0 + from - 1, -1, x0, x0 + w);
	clear_rest(cv, y, x0 + to + 1, 1, x0, x0 + w);
	for (int x = from; x <= to; x++)
		canvas_glyph(cv, y, x0 + x, GLYPH_HLINE, role, 0);
	bracket_text(m, v, to - from - 3, text, sizeof text);
	cols = utf8_cols(text, strlen(text));
	canvas_str(cv, y, x0 + from + (to - from + 1 - cols) / 2, cols, role, attr, text);
	if (a >= 0)
		canvas_glyph(cv, y, x0 + a, b > a ? GLYPH_CONTAINER : GLYPH_VLINE, role, attr);
	if (b < w && b > a)
		canvas_glyph(cv, y, x0 + b, GLYPH_BRACKET_END, role, attr);
	if (cursor >= 0 && cursor < w && (cursor < from || cursor > to || is_blank(cv, y, x0 + cursor)))
		canvas_glyph(cv, y, x0 + cursor, GLYPH_CURSOR_TOP, ROLE_MARK, ATTR_BOLD);
}

/* --- bookmarks, picks, tracks --- */

static void draw_bookmarks(const struct marks *m, struct canvas *cv)
{
	for (int i = 0; i < m->n; i++) {
		const struct mark *v = &m->v[i];
		int x = viewport_column(&m->sc->port, v->cursor + marks_shift(m, v)), y = m->sc->lay.ruler;

		if (!v->interval && x >= 0 && x < m->sc->port.w && in_canvas(cv, y, m->sc->lay.plot.x + x) &&
		    is_blank(cv, y, m->sc->lay.plot.x + x))
			canvas_put(cv, y, m->sc->lay.plot.x + x, '\'', ROLE_MARK, ATTR_BOLD);
	}
}

static void draw_pick(const struct scene *sc, struct canvas *cv, int y, const struct rows_node *v,
    const struct pick *p)
{
	struct rows_source s = rows_source(v);
	const struct track *k = scene_track(sc, p->track);
	int row, from, to;
	int64_t end;

	if (s.track != p->track || p->event >= k->n ||
	    (sc->cursor.selected && sc->cursor.track == p->track && sc->cursor.event == p->event))
		return;
	row = track_row(k, p->event);
	if (s.row >= 0 && (row < s.row || row >= s.row + s.rows))
		return;
	end = track_end(k, p->event);
	from = viewport_column(&sc->port, track_start(k, p->event));
	to = viewport_column(&sc->port, end > track_start(k, p->event) ? end - 1 : end);
	if (from >= sc->port.w || to < 0)
		return;
	from = from < 0 ? 0 : from;
	to = to >= sc->port.w ? sc->port.w - 1 : to;
	canvas_role(cv, (struct rect){ y, sc->lay.plot.x + from, 1, to - from + 1 }, ROLE_SELECTED, 0);
}

static bool track_chosen(const struct scene *sc, const struct rows_node *v)
{
	for (size_t i = 0; i < sc->picks.ntracks; i++) {
		if (sc->picks.track[i] == v->track && v->kind != NODE_ROW && v->kind != NODE_LANES)
			return true;
		for (uint32_t k = 0; k < v->members; k++)
			if (sc->rows.member[v->member + k] == sc->picks.track[i])
				return true;
	}
	return false;
}

static void draw_chosen(struct scene *sc, struct canvas *cv)
{
	for (int i = 0; i < sc->lay.plot.h && scene_place(sc, i) < sc->rows.nvis; i++) {
		const struct rows_node *v = scene_node(sc, scene_place(sc, i));
		int y = sc->lay.plot.y + i;

		scene_enter(sc, v->plane);
		for (size_t k = picks_from(sc, rows_source(v).track, 0);
		     k < sc->picks.n && sc->picks.v[k].track == rows_source(v).track; k++)
			draw_pick(sc, cv, y, v, &sc->picks.v[k]);
		scene_leave(sc);
		if (sc->picks.ntracks && track_chosen(sc, v))
			canvas_put(cv, y, sc->lay.names.x + (scene_place(sc, i) == sc->cursor.row ? 1 : 0),
			    '*', ROLE_MARK, ATTR_BOLD);
	}
}

void marks_draw(struct marks *m, struct canvas *cv)
{
	const struct mark *current = marks_current(m);

	if (m->sc->picks.n || m->sc->picks.ntracks)
		draw_chosen(m->sc, cv);
	for (int i = 0; i < m->n; i++) {
		const struct mark *v = &m->v[i];

		if (!v->interval || v == current)
			continue;
		draw_end(m->sc, cv, v->t0 + marks_shift(m, v), false);
		draw_end(m->sc, cv, v->t1 + marks_shift(m, v), false);
		if (m->sc->lay.ruler >= 0)
			draw_bracket(m, cv, v, false);
	}
	if (current) {
		draw_end(m->sc, cv, current->t0 + marks_shift(m, current), true);
		draw_end(m->sc, cv, current->t1 + marks_shift(m, current), true);
		if (m->sc->lay.ruler >= 0)
			draw_bracket(m, cv, current, true);
	}
	if (m->sc->lay.ruler >= 0)
		draw_bookmarks(m, cv);
}
