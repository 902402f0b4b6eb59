#include "config.h"

#include "view/timeline/tl.h"

#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"

/* --- both ends, through all rows --- */

static struct canvas_cell *cell_at(struct canvas *cv, int y, int x)
{
	return &cv->cells[(size_t)y * (size_t)cv->cols + (size_t)x];
}

static bool inside(const struct canvas *cv, int y, int x)
{
	return y >= 0 && y < cv->rows && x >= 0 && x < cv->cols;
}

/* The line takes the ground of what it crosses, as the cursor's does. */
static void draw_end(const struct tl *t, struct canvas *cv, int64_t at, bool current)
{
	int x = viewport_column(&t->scene.port, at);

	if (x < 0 || x >= t->scene.port.w)
		return;
	for (int i = 0; i < t->scene.lay.plot.h; i++) {
		int y = t->scene.lay.plot.y + i;
		const struct canvas_cell *c;
		bool blank;

		if (!inside(cv, y, t->scene.lay.plot.x + x))
			continue;
		c = cell_at(cv, y, t->scene.lay.plot.x + x);
		blank = c->ch == ' ' && c->role == ROLE_TEXT;
		if (!current && !blank)
			continue;
		canvas_glyph(cv, y, t->scene.lay.plot.x + x, GLYPH_CURSOR,
		    blank ? (current ? ROLE_MARK : ROLE_LINE) : c->role, c->attr);
	}
}

/* --- the bracket on the ruler --- */

static bool is_blank(struct canvas *cv, int y, int x)
{
	return cell_at(cv, y, x)->ch == ' ';
}

/* What is left of texts that the bracket cut goes as well: up to two blanks. */
static void clear_rest(struct canvas *cv, int y, int x, int dir, int from, int to)
{
	for (; x >= from && x < to; x += dir) {
		bool next = x + dir >= from && x + dir < to;

		if (is_blank(cv, y, x) && (!next || is_blank(cv, y, x + dir)))
			return;
		canvas_put(cv, y, x, ' ', ROLE_TEXT, 0);
	}
}

static void bracket_text(const struct tl *t, const struct tl_mark *v, int room, char *buf, size_t size)
{
	char time[40];

	units_time(time, sizeof time, v->t1 - v->t0, scene_ascii(&t->scene));
	snprintf(buf, size, " %s %s ", v->name, time);
	if (t->marks.n == 1 || utf8_cols(buf, strlen(buf)) > room)
		snprintf(buf, size, " %s ", time);
	if (utf8_cols(buf, strlen(buf)) > room)
		*buf = '\0';
}

static void draw_bracket(const struct tl *t, struct canvas *cv, const struct tl_mark *v, bool current)
{
	int64_t by = tl_mark_shift(t, v);
	int y = t->scene.lay.ruler, x0 = t->scene.lay.plot.x, w = t->scene.port.w,
	    a = viewport_column(&t->scene.port, v->t0 + by), b = viewport_column(&t->scene.port, v->t1 + by),
	    from = a < 0 ? 0 : a, to = b >= w ? w - 1 : b, cols,
	    cursor = viewport_column(&t->scene.port, t->scene.cursor.at);
	unsigned attr = current ? ATTR_BOLD : 0;
	enum role role = current ? ROLE_MARK : ROLE_LINE;
	char text[128];

	if (a >= w || b < 0 || !inside(cv, y, x0) || x0 + w > cv->cols)
		return;
	clear_rest(cv, y, x0 + from - 1, -1, x0, x0 + w);
	clear_rest(cv, y, x0 + to + 1, 1, x0, x0 + w);
	for (int x = from; x <= to; x++)
		canvas_glyph(cv, y, x0 + x, GLYPH_HLINE, role, 0);
	bracket_text(t, v, to - from - 3, text, sizeof text);
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

static void draw_bookmarks(const struct tl *t, struct canvas *cv)
{
	for (int i = 0; i < t->marks.n; i++) {
		const struct tl_mark *v = &t->marks.v[i];
		int x = viewport_column(&t->scene.port, v->cursor + tl_mark_shift(t, v)),
		    y = t->scene.lay.ruler;

		if (!v->interval && x >= 0 && x < t->scene.port.w && inside(cv, y, t->scene.lay.plot.x + x) &&
		    is_blank(cv, y, t->scene.lay.plot.x + x))
			canvas_put(cv, y, t->scene.lay.plot.x + x, '\'', ROLE_MARK, ATTR_BOLD);
	}
}

static void draw_pick(const struct tl *t, struct canvas *cv, int y, const struct rows_node *v,
    const struct pick *p)
{
	struct rows_source s = rows_source(v);
	const struct track *k = scene_track(&t->scene, p->track);
	int row, from, to;
	int64_t end;

	if (s.track != p->track || p->event >= k->n ||
	    (t->scene.cursor.selected && t->scene.cursor.track == p->track &&
		t->scene.cursor.event == p->event))
		return;
	row = track_row(k, p->event);
	if (s.row >= 0 && (row < s.row || row >= s.row + s.rows))
		return;
	end = k->start[p->event] + k->dur[p->event];
	from = viewport_column(&t->scene.port, k->start[p->event]);
	to = viewport_column(&t->scene.port, end > k->start[p->event] ? end - 1 : end);
	if (from >= t->scene.port.w || to < 0)
		return;
	from = from < 0 ? 0 : from;
	to = to >= t->scene.port.w ? t->scene.port.w - 1 : to;
	canvas_role(cv, (struct rect){ y, t->scene.lay.plot.x + from, 1, to - from + 1 }, ROLE_SELECTED, 0);
}

static bool track_chosen(const struct tl *t, const struct rows_node *v)
{
	for (size_t i = 0; i < t->scene.picks.ntracks; i++) {
		if (t->scene.picks.track[i] == v->track && v->kind != NODE_ROW && v->kind != NODE_LANES)
			return true;
		for (uint32_t k = 0; k < v->members; k++)
			if (t->scene.rows.member[v->member + k] == t->scene.picks.track[i])
				return true;
	}
	return false;
}

static void draw_chosen(struct tl *t, struct canvas *cv)
{
	for (int i = 0; i < t->scene.lay.plot.h && scene_place(&t->scene, i) < t->scene.rows.nvis; i++) {
		const struct rows_node *v = scene_node(&t->scene, scene_place(&t->scene, i));
		int y = t->scene.lay.plot.y + i;

		scene_enter(&t->scene, v->plane);
		for (size_t k = 0; k < t->scene.picks.n; k++)
			draw_pick(t, cv, y, v, &t->scene.picks.v[k]);
		scene_leave(&t->scene);
		if (t->scene.picks.ntracks && track_chosen(t, v))
			canvas_put(cv, y,
			    t->scene.lay.names.x + (scene_place(&t->scene, i) == t->scene.cursor.row ? 1 : 0),
			    '*', ROLE_MARK, ATTR_BOLD);
	}
}

void tl_mark_draw(struct tl *t, struct canvas *cv)
{
	const struct tl_mark *current = tl_mark_current(t);

	if (t->scene.picks.n || t->scene.picks.ntracks)
		draw_chosen(t, cv);
	for (int i = 0; i < t->marks.n; i++) {
		const struct tl_mark *v = &t->marks.v[i];

		if (!v->interval || v == current)
			continue;
		draw_end(t, cv, v->t0 + tl_mark_shift(t, v), false);
		draw_end(t, cv, v->t1 + tl_mark_shift(t, v), false);
		if (t->scene.lay.ruler >= 0)
			draw_bracket(t, cv, v, false);
	}
	if (current) {
		draw_end(t, cv, current->t0 + tl_mark_shift(t, current), true);
		draw_end(t, cv, current->t1 + tl_mark_shift(t, current), true);
		if (t->scene.lay.ruler >= 0)
			draw_bracket(t, cv, current, true);
	}
	if (t->scene.lay.ruler >= 0)
		draw_bookmarks(t, cv);
}
