/* A sheet on the canvas. */
#include "config.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"
#include "widget/bar.h"
#include "widget/sheet/internal.h"

enum { ELASTIC_MIN = 16, TEXT_LEAST = 4 };

/* Columns of dashes alone need no more than their titles. */
static int least_width(const struct sheet *s, size_t i)
{
	const struct column *c = s->col[i];
	int w = c->width ? abs(c->width) : ELASTIC_MIN, title = utf8_cols(s->title[i], strlen(s->title[i]));

	return s->empty[i] && title && title < w ? title : w;
}

static int drop_of(const struct sheet *s, size_t i)
{
	return s->empty[i] ? INT_MAX : s->col[i]->drop;
}

/* The column to leave out first: one without values, then that of the highest drop, but not the one that it is
 * sorted by; ncol: none. */
static size_t first_to_go(const struct sheet *s, const int *width)
{
	size_t worst = s->ncol;

	for (size_t i = 0; i < s->ncol; i++)
		if (width[i] && s->col[i]->drop && i != s->sort &&
		    (worst == s->ncol || drop_of(s, i) > drop_of(s, worst)))
			worst = i;
	return worst;
}

/* What is left beside the columns that are shown; negative: too little. */
static int room_beside(const struct sheet *s, int room, const int *width)
{
	room += SHEET_GAP;
	for (size_t i = 0; i < s->ncol; i++)
		room -= width[i] ? width[i] + SHEET_GAP : 0;
	return room;
}

/* Makes elastic columns wider: up to what their texts need, or all by the same. */
static int widen(const struct sheet *s, int left, bool needed, int *width)
{
	int given = 1;

	while (left > 0 && given) {
		int shares = 0;

		given = 0;
		for (size_t i = 0; i < s->ncol; i++)
			shares +=
			    width[i] && sheet_is_elastic(s->col[i]) && (!needed || width[i] < s->longest[i]);
		for (size_t i = 0; i < s->ncol && shares; i++) {
			int most = needed ? s->longest[i] - width[i] : left, part = (left - given) / shares;

			if (!width[i] || !sheet_is_elastic(s->col[i]) || most <= 0)
				continue;
			part = part < most ? part : most;
			width[i] += part;
			given += part;
			shares--;
		}
		left -= given;
	}
	return left;
}

static size_t widest_text(const struct sheet *s, const int *width)
{
	size_t widest = s->ncol;

	for (size_t i = 0; i < s->ncol; i++)
		if (width[i] > TEXT_LEAST && !sheet_is_number(s->col[i]) &&
		    (widest == s->ncol || width[i] > width[widest]))
			widest = i;
	return widest;
}

/* Computes widths that fill `room`; 0 = not shown.  Elastic columns share what is left, first those whose texts
 * are cut; where even what cannot be left out is too wide, texts get less. */
static void column_widths(const struct sheet *s, int room, int *width)
{
	size_t worst;
	int left;

	for (size_t i = 0; i < s->ncol; i++)
		width[i] = s->off[i] || s->at[i] < 0 ? 0 : least_width(s, i);
	while ((left = room_beside(s, room, width)) < 0 && (worst = first_to_go(s, width)) < s->ncol)
		width[worst] = 0;
	left = widen(s, left, true, width);
	widen(s, left, false, width);
	while (left < 0 && (worst = widest_text(s, width)) < s->ncol) {
		width[worst]--;
		left++;
	}
}

/* Shortens a number that does not fit: without decimals and commas, else in thousands; digits are never cut
 * off. */
static void shorten_number(char *text, size_t size, int w)
{
	static const char suffix[] = "KMGTPE";
	double v;
	size_t n = 0;
	int i = -1;

	if (*text == *CELL_BEYOND) {
		snprintf(text, size, "%.*s", w, CELL_BEYOND);
		return;
	}
	for (const char *s = text; *s; s++)
		if (*s != ',')
			text[n++] = *s;
	text[n] = 0;
	v = strtod(text, NULL);
	if (snprintf(text, size, "%.0f", v) <= w)
		return;
	while (fabs(v) >= 1000 && i < 5) {
		v /= 1000;
		i++;
	}
	snprintf(text, size, "%.*f%c", fabs(v) < 10, v, suffix[i < 0 ? 0 : i]);
}

static void put_cell(struct sheet *s, struct canvas *c, int y, int x, int w, size_t i, enum role role,
    const char *text)
{
	size_t len = strlen(text);
	int cols = utf8_cols(text, len), skip = sheet_is_elastic(s->col[i]) ? s->shift : 0;

	if (sheet_is_number(s->col[i])) {
		canvas_text(c, y, cols < w ? x + w - cols : x, w, role, 0, text, len);
		return;
	}
	if (sheet_is_elastic(s->col[i]) && cols + 1 - w > s->shift_most)
		s->shift_most = cols + 1 - w;
	if (skip > cols + 1 - w)
		skip = cols > w ? cols + 1 - w : 0;
	if (s->col[i]->show == SHOW_LEFT && !s->shift && cols > w)
		skip = cols - w + 1;
	for (int k = 0; k < skip && len;) {
		const char *next = text;

		utf8_next(&next, text + len);
		k += utf8_cols(text, (size_t)(next - text));
		len -= (size_t)(next - text);
		text = next;
	}
	if (skip) {
		canvas_glyph(c, y, x, GLYPH_ELLIPSIS, role, 0);
		canvas_text(c, y, x + 1, w - 1, role, 0, text, len);
	} else {
		canvas_cut(c, y, x, w, role, 0, text, len);
	}
}

static void draw_head(struct sheet *s, struct canvas *c, int y, const int *width, struct rect r)
{
	int x = r.x + 1 + s->lead;

	s->y = y;
	for (size_t i = 0; i < s->ncol; i++) {
		bool here = i == s->sort;
		enum role role = here ? ROLE_BOLD : ROLE_DIM;
		int w = width[i], cols = utf8_cols(s->title[i], strlen(s->title[i])), mark = 0, at;

		s->x[i] = x;
		if (!w)
			continue;
		if (here) /* with a space before it, or at least the space between the columns */
			mark = cols + 2 <= w ? 2 : 1;
		cols = cols < w ? cols : w;
		at = sheet_is_number(s->col[i]) ? x + w - cols - (mark > 1 ? mark : 0) : x;
		at += canvas_str(c, y, at, cols, role, 0, s->title[i]);
		if (mark > 1)
			canvas_put(c, y, at, ' ', role, 0);
		if (here)
			canvas_glyph(c, y, at + mark - 1, s->down ? GLYPH_SORT_DOWN : GLYPH_SORT_UP, role, 0);
		x += w + SHEET_GAP;
	}
	s->x[s->ncol] = x;
}

/* A difference is green or red, unless the view says otherwise. */
static enum role role_of(const struct sheet *s, size_t row, size_t i)
{
	double v = s->col[i]->show == SHOW_CHANGE && s->at[i] >= 0 ? cell_number(sheet_cell(s, row, i)) : NAN;

	if (v > 0 || v < 0)
		return v > 0 ? ROLE_BAD : ROLE_GOOD;
	return s->role && s->at[i] >= 0 && s->at[i] < (int)s->table->ncolumns
	    ? s->role(s->ctx, row, (size_t)s->at[i])
	    : ROLE_TEXT;
}

static void draw_row(struct sheet *s, struct canvas *c, int y, size_t row, const int *width, struct rect r,
    struct regex_scratch *scratch)
{
	int x = r.x + 1 + s->lead;

	for (size_t i = 0; i < s->ncol; i++) {
		enum role role = role_of(s, row, i);
		char text[512];
		int at = 0;

		if (!width[i])
			continue;
		if (scratch && sheet_cell_matches(sheet_cell(s, row, i), s->find, scratch))
			role = ROLE_HIT;
		if (s->col[i]->show == SHOW_BAR) {
			const struct column *of = s->col[i - (s->col[i] == &sheet_bar)];

			bar_draw(c, y, x, width[i], sheet_share(of, cell_number(sheet_cell(s, row, i))),
			    role);
		} else {
			sheet_text(s, row, i, text, sizeof text);
			if (sheet_is_number(s->col[i]) && utf8_cols(text, strlen(text)) > width[i])
				shorten_number(text, sizeof text, width[i]);
			if (s->col[i]->show == SHOW_TREE && s->tree.parent)
				at = sheet_tree_sign(s, c, y, x, width[i], row);
			put_cell(s, c, y, x + at, width[i] - at, i, role, text);
		}
		x += width[i] + SHEET_GAP;
	}
}

void sheet_draw(struct sheet *s, struct canvas *c, struct rect r)
{
	int width[SHEET_COLUMNS] = { 0 };
	struct regex_scratch *scratch;
	struct rect old;

	if (!s->table || r.h < 2)
		return;
	old = canvas_clip(c, r);
	column_widths(s, r.w - 2 - s->lead, width);
	s->shift_most = 0;
	list_fit(&s->list, r.h - 1);
	s->list.y = r.y + 1;
	draw_head(s, c, r.y, width, r);
	scratch = s->find ? regex_scratch_new(s->find) : NULL;
	for (int i = 0; i < r.h - 1 && s->list.top + (size_t)i < s->list.n; i++) {
		size_t line = s->list.top + (size_t)i;

		draw_row(s, c, r.y + 1 + i, s->order[line], width, r, scratch);
		if (line == s->list.at && !s->still)
			canvas_role(c, (struct rect){ r.y + 1 + i, r.x, 1, r.w }, ROLE_SELECTED, 0);
		if (s->mark)
			s->mark(s->ctx, s->order[line], c, (struct rect){ r.y + 1 + i, r.x, 1, r.w });
	}
	regex_scratch_free(scratch);
	if (!s->list.n)
		canvas_str(c, r.y + 1, r.x + 1, r.w - 2, ROLE_DIM, 0,
		    s->filter ? "no line matches the filter (& and Enter ends it)" : "no lines");
	canvas_clip(c, old);
}
