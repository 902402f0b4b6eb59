#include "config.h"
#include "widget/sheet/internal.h"

#include <stdlib.h>

#include "base/mem.h"

#define NONE UINT32_MAX

/* Is a row open, whose parent is?  By default, the largest line of each level is, and a line that is the only
 * child of an open one, because it is the most important. */
static bool is_open(const struct sheet *s, uint32_t row)
{
	uint32_t up = s->tree.parent[row];
	size_t level = up == NONE ? s->table->nrows : up;
	bool only = s->tree.first[level] == row && s->tree.next[row] == NONE;
	const struct fold_mark *m = fold_find(&s->tree.marks[s->filter != NULL], s->tree.key[row]);

	if (m && m->open)
		return m->open > 0;
	if (s->filter || s->tree.all)
		return true;
	if (s->tree.shut)
		return only;
	return up == NONE ? !row : only || row == up + 1;
}

/* Links the rows that match with all that is in them, and what they are in. */
static void link_rows(struct sheet *s, const size_t *rows, const bool *pass)
{
	size_t n = s->table->nrows;
	uint32_t *first = s->tree.first, *next = s->tree.next;
	bool *kept = xcalloc(n + 1, sizeof *kept);

	for (size_t i = 0; i < n; i++)
		kept[i] = !pass || pass[i] || (s->tree.parent[i] != NONE && kept[s->tree.parent[i]]);
	for (size_t i = n; i-- > 0;)
		if (kept[i] && s->tree.parent[i] != NONE)
			kept[s->tree.parent[i]] = true;
	for (size_t i = 0; i <= n; i++)
		first[i] = NONE;
	for (size_t i = n; i-- > 0;) {
		uint32_t row = (uint32_t)rows[i], up = s->tree.parent[row];

		if (!kept[row])
			continue;
		next[row] = first[up == NONE ? n : up];
		first[up == NONE ? n : up] = row;
	}
	free(kept);
}

/* Lists the linked rows, all or those that are inside open lines; returns how many. */
static size_t list_rows(struct sheet *s, bool all, size_t *to)
{
	const uint32_t *first = s->tree.first, *next = s->tree.next;
	uint32_t row = first[s->table->nrows];
	size_t n = 0;

	while (row != NONE) {
		bool within = first[row] != NONE && (all || is_open(s, row));

		to[n++] = row;
		if (!all)
			s->tree.state[row] = first[row] == NONE ? FOLD_LEAF
			    : within                            ? FOLD_OPEN
								: FOLD_CLOSED;
		if (within) {
			row = first[row];
			continue;
		}
		while (row != NONE && next[row] == NONE)
			row = s->tree.parent[row];
		row = row == NONE ? NONE : next[row];
	}
	return n;
}

void sheet_tree_list(struct sheet *s)
{
	size_t row = sheet_row(s);

	s->list.n = list_rows(s, false, s->order);
	s->made++;
	sheet_stay(s, row);
}

void sheet_tree_arrange(struct sheet *s, const size_t *rows, const bool *pass)
{
	size_t n = s->table->nrows;

	sheet_tree_forget(s);
	s->tree.first = xcalloc(n + 1, sizeof *s->tree.first);
	s->tree.next = xcalloc(n + 1, sizeof *s->tree.next);
	s->tree.state = xcalloc(n + 1, sizeof *s->tree.state);
	link_rows(s, rows, pass);
	s->nwhole = list_rows(s, true, s->whole);
	s->list.n = list_rows(s, false, s->order);
}

void sheet_tree_forget(struct sheet *s)
{
	free(s->tree.first);
	free(s->tree.next);
	free(s->tree.state);
	s->tree.first = s->tree.next = NULL;
	s->tree.state = NULL;
}

static struct fold_marks *current_marks(struct sheet *s)
{
	return &s->tree.marks[s->filter != NULL];
}

static void set_open(struct sheet *s, size_t row, bool open)
{
	fold_mark(current_marks(s), s->tree.key[row])->open = open ? 1 : -1;
}

void sheet_tree_reveal(struct sheet *s, size_t row)
{
	for (uint32_t up = s->tree.parent[row]; up != NONE; up = s->tree.parent[up])
		set_open(s, up, true);
}

unsigned sheet_tree_act(struct sheet *s, enum action a)
{
	size_t row = sheet_row(s);
	enum fold_state state = row == SIZE_MAX ? FOLD_LEAF : (enum fold_state)s->tree.state[row];

	if (a == ACT_EXPAND_ALL) {
		s->tree.all = !s->tree.all;
		current_marks(s)->n = 0;
		return REACT_REDRAW;
	}
	if (row == SIZE_MAX)
		return ACT_PASS;
	if ((a == ACT_OPEN || a == ACT_TOGGLE) && state != FOLD_LEAF) {
		set_open(s, row, state == FOLD_CLOSED);
	} else if (a == ACT_EXPAND) {
		if (state == FOLD_CLOSED)
			set_open(s, row, true);
	} else if (a == ACT_COLLAPSE) {
		if (state == FOLD_OPEN)
			set_open(s, row, false);
		else if (s->tree.parent[row] != NONE)
			sheet_go(s, s->tree.parent[row]);
	} else {
		return ACT_PASS;
	}
	return REACT_REDRAW;
}

int sheet_tree_sign(const struct sheet *s, struct canvas *c, int y, int x, int w, size_t row)
{
	int indent = 0;

	for (uint32_t up = s->tree.parent[row]; up != NONE && indent < FOLD_INDENT; up = s->tree.parent[up])
		indent++;
	indent = indent < w / 2 ? indent : w / 2;
	if (s->tree.state[row] != FOLD_LEAF)
		canvas_glyph(c, y, x + indent, s->tree.state[row] == FOLD_OPEN ? GLYPH_OPEN : GLYPH_FOLDED,
		    ROLE_TEXT, 0);
	return indent + 2;
}
