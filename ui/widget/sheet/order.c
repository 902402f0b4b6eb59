/* Which rows of the table are shown, and in which order. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/words.h"
#include "widget/sheet/internal.h"

static size_t *all_rows(const struct sheet *s, size_t n)
{
	size_t *rows;

	if (s->table && s->sort != NO_SORT && s->at[s->sort] >= (int)s->table->ncolumns)
		return table_order(s->beside, (size_t)s->at[s->sort] - s->table->ncolumns, s->down);
	if (s->table && s->sort != NO_SORT && s->at[s->sort] >= 0)
		return table_order(s->table, (size_t)s->at[s->sort], s->down);
	rows = xcalloc(n + 1, sizeof *rows);
	for (size_t i = 0; i < n; i++)
		rows[i] = s->down || s->sort == NO_SORT ? i : n - 1 - i;
	return rows;
}

/* Sorting a large table takes longer than filtering it. */
static const size_t *sorted_rows(struct sheet *s, size_t n)
{
	if (!s->tree.sorted || s->tree.by != s->sort || s->tree.down != s->down) {
		free(s->tree.sorted);
		s->tree.sorted = all_rows(s, n);
		s->tree.by = s->sort;
		s->tree.down = s->down;
	}
	return s->tree.sorted;
}

static void sheet_forget_order(struct sheet *s)
{
	if (s->whole != s->order)
		free(s->whole);
	free(s->order);
	s->order = s->whole = NULL;
	s->list.n = s->nwhole = 0;
}

void sheet_forget_table(struct sheet *s)
{
	sheet_forget_order(s);
	sheet_forget_found(s);
	sheet_tree_forget(s);
	free(s->tree.sorted);
	s->tree.sorted = NULL;
}

/* Goes to the line of a row, or of its closest ancestor that is visible. */
static bool stay_at(struct sheet *s, size_t row)
{
	size_t n = s->table ? s->table->nrows : 0;

	while (row < n && !sheet_go_visible(s, row))
		row = s->tree.parent ? s->tree.parent[row] : SIZE_MAX;
	return row < n;
}

void sheet_stay(struct sheet *s, size_t row)
{
	bool kept = !s->still && stay_at(s, row);

	if (!kept)
		s->list.at = s->list.top = 0;
	if (s->find)
		sheet_find_hit(s, s->find, 0, false);
	if (kept) /* it need not be a hit */
		stay_at(s, row);
}

void sheet_make_order(struct sheet *s)
{
	size_t row = sheet_row(s), n = s->table ? s->table->nrows : 0, kept = 0, *rows;
	bool *pass = sheet_matching_rows(s, n);

	sheet_forget_order(s);
	s->made++;
	if (s->tree.parent) {
		s->order = xcalloc(n + 1, sizeof *s->order);
		s->whole = xcalloc(n + 1, sizeof *s->whole);
		sheet_tree_arrange(s, sorted_rows(s, n), pass);
	} else {
		rows = all_rows(s, n);
		for (size_t i = 0; i < n; i++)
			if (!pass || pass[rows[i]])
				rows[kept++] = rows[i];
		s->order = s->whole = rows;
		s->list.n = s->nwhole = kept;
	}
	free(pass);
	sheet_stay(s, row);
}

static bool sorts_down(const struct sheet *s, size_t column)
{
	return sheet_is_number(s->col[column]) && s->col[column]->show != SHOW_MOMENT;
}

void sheet_sort(struct sheet *s, const char *id, int down)
{
	if (!id) {
		s->sort = NO_SORT;
		s->down = true;
		sheet_make_order(s);
		return;
	}
	for (size_t i = 0; i < s->ncol; i++)
		if (!strcmp(s->col[i]->id, id)) {
			s->sort = i;
			s->off[i] = false; /* what orders the lines is shown */
			s->down = down < 0 ? sorts_down(s, i) : down;
			s->list.at = s->list.top = 0;
			sheet_forget_order(s);
			sheet_make_order(s);
			return;
		}
}

void sheet_sorted(const struct sheet *s, char *buf, size_t size)
{
	*buf = '\0';
	if (s->sort != NO_SORT)
		snprintf(buf, size, "by %s%s", sheet_title(s, s->sort),
		    s->down == sorts_down(s, s->sort) ? "" : ", reversed");
}

static bool is_seen(const struct sheet *s, size_t column)
{
	return sheet_has_values(s, column) && !s->off[column] &&
	    (!s->x[s->ncol] || s->x[column] < s->x[column + 1]);
}

void sheet_sort_neighbor(struct sheet *s, int by)
{
	size_t at = s->sort == NO_SORT ? by > 0 ? s->ncol - 1 : 0 : s->sort;

	for (size_t i = 0; i < s->ncol; i++) {
		at = by > 0 ? (at + 1) % s->ncol : (at + s->ncol - 1) % s->ncol;
		if (is_seen(s, at) && !s->empty[at])
			break;
	}
	sheet_sort(s, s->col[at]->id, -1);
}
