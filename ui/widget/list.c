#include "config.h"
#include "widget/list.h"

#include <stdint.h>
#include <stdio.h>

#include "core/view.h"

enum { AHEAD = 3 }; /* of a page */

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

/* A line that leaves the page takes a part of the page along, so that the next moves only move the cursor: on a slow
 * line, scrolling costs as much as a new page. */
static void scroll_ahead(struct list *l, size_t top)
{
	size_t ahead = l->rows > AHEAD ? (size_t)l->rows / AHEAD : 0;

	if (l->top > top)
		l->top += ahead;
	else if (l->top < top)
		l->top -= l->top < ahead ? l->top : ahead;
	list_fit(l, l->rows);
}

bool list_act(struct list *l, enum action a, int count)
{
	size_t n = count > 0 ? (size_t)count : 1, page = l->rows > 1 ? (size_t)l->rows - 1 : 1, to = l->at,
	       top = l->top;

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
	if (a == ACT_UP || a == ACT_DOWN)
		scroll_ahead(l, top);
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
