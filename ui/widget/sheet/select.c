/* The selected row: which it is, and what moves it. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "widget/sheet/internal.h"

size_t sheet_row(const struct sheet *s)
{
	return s->order && s->list.at < s->list.n ? s->order[s->list.at] : SIZE_MAX;
}

const void *sheet_of(const struct sheet *s, size_t row)
{
	return s->of && s->table && row < s->table->nrows ? (const char *)s->of + row * s->of_size : NULL;
}

const void *sheet_here(const struct sheet *s)
{
	return sheet_of(s, sheet_row(s));
}

bool sheet_go_visible(struct sheet *s, size_t row)
{
	for (size_t i = 0; i < s->list.n; i++) {
		if (s->order[i] != row)
			continue;
		s->list.at = i;
		list_fit(&s->list, s->list.rows);
		return true;
	}
	return false;
}

bool sheet_go(struct sheet *s, size_t row)
{
	bool kept = sheet_go_visible(s, row);

	for (size_t i = 0; !kept && s->tree.parent && i < s->nwhole; i++)
		if (s->whole[i] == row) {
			sheet_tree_reveal(s, row);
			sheet_tree_list(s);
			kept = sheet_go_visible(s, row);
		}
	return kept;
}

bool sheet_show(struct sheet *s, size_t row)
{
	if (sheet_go(s, row))
		return true;
	sheet_filter(s, "", NULL);
	return sheet_go(s, row);
}

unsigned sheet_act(struct sheet *s, enum action a, int count)
{
	int n = count > 0 ? count : 1;

	if (s->tree.parent && sheet_tree_act(s, a) != ACT_PASS) {
		sheet_tree_list(s);
		return REACT_REDRAW;
	}
	switch (a) {
	case ACT_SORT_NEXT:
		sheet_sort_neighbor(s, 1);
		return REACT_REDRAW;
	case ACT_SORT_PREV:
		sheet_sort_neighbor(s, -1);
		return REACT_REDRAW;
	case ACT_SORT_REVERSE:
		s->down = !s->down;
		sheet_make_order(s);
		return REACT_REDRAW;
	case ACT_RIGHT:
		s->shift = s->shift + 8 * n < s->shift_most ? s->shift + 8 * n : s->shift_most;
		return REACT_REDRAW;
	case ACT_LEFT:
		s->shift = s->shift > 8 * n ? s->shift - 8 * n : 0;
		return REACT_REDRAW;
	default:
		return list_react(&s->list, a, count);
	}
}

void sheet_scroll(struct sheet *s, int pages)
{
	int rows = s->list.rows > 0 ? s->list.rows : 1;
	int64_t to = (int64_t)s->list.top + (int64_t)pages * rows, last = (int64_t)s->list.n - rows;

	to = to < last ? to : last;
	s->list.at = s->list.top = to > 0 ? (size_t)to : 0;
}

bool sheet_click(struct sheet *s, int y, int x)
{
	int line = list_line_at(&s->list, y);

	if (line >= 0) {
		s->list.at = (size_t)line;
		return true;
	}
	for (size_t i = 0; y == s->y && i < s->ncol; i++) {
		if (x < s->x[i] || x >= s->x[i + 1] - 1 || s->off[i] || !sheet_has_values(s, i))
			continue;
		if (s->sort == i)
			sheet_act(s, ACT_SORT_REVERSE, 1);
		else
			sheet_sort(s, s->col[i]->id, -1);
		return true;
	}
	return false;
}

void sheet_status(const struct sheet *s, char *buf, size_t size)
{
	char n[80], all[24];

	units_count(n, sizeof n, s->list.n ? s->list.at + 1 : 0);
	units_count(all, sizeof all, s->list.n);
	snprintf(buf, size, "%s of %s", n, all);
	if (s->filter)
		snprintf(buf + strlen(buf), size - strlen(buf), "   &%s", regex_shown(s->filter));
	sheet_sorted(s, n, sizeof n);
	if (*n)
		snprintf(buf + strlen(buf), size - strlen(buf), "   %s", n);
}
