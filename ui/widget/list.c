#include "config.h"
#include "widget/list.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"
#include "core/view.h"

#define COLUMNS_MAX 32
#define ELASTIC_MIN 20

void list_fit(struct list *l, int rows)
{
	size_t room = rows > 0 ? (size_t)rows : 1;

	l->rows = rows;
	if (l->at >= l->n)
		l->at = l->n ? l->n - 1 : 0;
	if (rows <= 0) /* not drawn yet: the page length is not known */
		return;
	if (l->top > l->at)
		l->top = l->at;
	if (l->at - l->top >= room)
		l->top = l->at - room + 1;
	if (l->n <= room)
		l->top = 0;
	else if (l->top > l->n - room)
		l->top = l->n - room;
}

bool list_act(struct list *l, enum action a, int count)
{
	size_t n = count > 0 ? (size_t)count : 1, page = l->rows > 1 ? (size_t)l->rows - 1 : 1, to = l->at;

	switch (a) {
	case ACT_PAGE_UP:
		n *= page; /* fall through */
	case ACT_UP:
		to = to > n ? to - n : 0;
		break;
	case ACT_PAGE_DOWN:
		n *= page; /* fall through */
	case ACT_DOWN:
		to = l->n - to > n ? to + n : l->n ? l->n - 1 : 0;
		break;
	case ACT_TOP:
		to = 0;
		break;
	case ACT_BOTTOM:
		to = l->n ? l->n - 1 : 0;
		break;
	default:
		return false;
	}
	if (to == l->at)
		return false;
	l->at = to;
	list_fit(l, l->rows);
	return true;
}

unsigned list_react(struct list *l, enum action a, int count)
{
	if (list_act(l, a, count))
		return REACT_REDRAW;
	return a == ACT_UP || a == ACT_DOWN || a == ACT_PAGE_UP || a == ACT_PAGE_DOWN || a == ACT_TOP ||
		a == ACT_BOTTOM
	    ? REACT_NONE
	    : ACT_PASS;
}

/* Computes widths that fill `room`; 0 = column left out. */
static void column_widths(const struct list_column *col, size_t n, int room, int *width)
{
	bool gone[COLUMNS_MAX] = { false };

	for (;;) {
		int need = -2, elastic = 0;
		size_t worst = n;

		for (size_t i = 0; i < n; i++) {
			if (gone[i])
				continue;
			need += 2 + (col[i].width ? col[i].width : ELASTIC_MIN);
			elastic += !col[i].width;
			if (col[i].drop && (worst == n || col[i].drop > col[worst].drop))
				worst = i;
		}
		if (need > room && worst < n) {
			gone[worst] = true;
			continue;
		}
		for (size_t i = 0; i < n; i++) {
			width[i] = gone[i] ? 0 : col[i].width;
			if (!gone[i] && !col[i].width) {
				int extra = (room - need) / elastic;

				width[i] = ELASTIC_MIN + extra > 1 ? ELASTIC_MIN + extra : 1;
				need += extra;
				elastic--;
			}
		}
		return;
	}
}

static void draw_text(struct canvas *c, int y, int x, int w, enum list_cut cut, enum role role, const char *s)
{
	size_t len = strlen(s);
	int cols = utf8_cols(s, len);

	if (cut == CUT_RIGHT_ALIGNED) {
		canvas_text(c, y, cols < w ? x + w - cols : x, w, role, 0, s, len);
	} else if (cut == CUT_LEFT && cols > w) {
		while (cols > w - 1 && len) {
			const char *next = s;

			utf8_next(&next, s + len);
			cols -= utf8_cols(s, (size_t)(next - s));
			len -= (size_t)(next - s);
			s = next;
		}
		canvas_glyph(c, y, x, GLYPH_ELLIPSIS, role, 0);
		canvas_text(c, y, x + 1, w - 1, role, 0, s, len);
	} else {
		canvas_cut(c, y, x, w, role, 0, s, len);
	}
}

size_t list_find(struct list_hits *h, size_t n, size_t at, int dir, list_match *match, const void *ctx)
{
	size_t first = SIZE_MAX;

	*h = (struct list_hits){ 0 };
	for (size_t i = 0; i < n; i++) { /* in order, starting at the cursor */
		size_t line = (at + (dir < 0 ? n - 1 - i : i) + (dir > 0)) % n;

		if (!match(ctx, line))
			continue;
		h->n++;
		first = first == SIZE_MAX ? line : first;
	}
	for (size_t i = 0; first != SIZE_MAX && i <= first; i++)
		h->at += match(ctx, i);
	return first;
}

void list_find_status(const struct list_hits *h, char *buf, size_t size)
{
	snprintf(buf, size, "hit %zu of %zu", h->at, h->n);
}

int list_line_at(const struct list *l, int y)
{
	size_t line = l->top + (size_t)(y - l->y);

	return y >= l->y && y < l->y + l->rows && line < l->n ? (int)line : -1;
}

void list_draw(struct list *l, struct canvas *c, struct rect r, const struct list_column *col, size_t ncol,
    list_cell *cell, const void *ctx)
{
	int width[COLUMNS_MAX];
	char text[512];

	column_widths(col, ncol, r.w - 2, width);
	list_fit(l, r.h - 1);
	l->y = r.y + 1;
	for (int row = -1; row < r.h - 1; row++) {
		size_t line = l->top + (size_t)(row < 0 ? 0 : row);
		int x = r.x + 1, y = r.y + 1 + row;

		if (row >= 0 && line >= l->n)
			break;
		for (size_t i = 0; i < ncol; i++) {
			enum role role = ROLE_DIM;

			if (!width[i])
				continue;
			*text = 0;
			if (row >= 0)
				role = cell(ctx, line, i, text, sizeof text);
			draw_text(c, y, x, width[i], col[i].cut, role, row < 0 ? col[i].title : text);
			x += width[i] + 2;
		}
		if (row >= 0 && line == l->at)
			canvas_role(c, (struct rect){ y, r.x, 1, r.w }, ROLE_SELECTED, 0);
	}
}
