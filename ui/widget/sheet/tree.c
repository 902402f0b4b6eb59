#include "config.h"
#include "widget/sheet/internal.h"

#include <stdlib.h>

#include "base/mem.h"

#define NONE UINT32_MAX

static struct fold_marks *current_marks(struct sheet *s)
{
	return &s->tree.marks[s->filter != NULL];
}

/* By default, the largest line of each level is open, and a line that is the only child of an open one,
 * because it is the most important. */
static bool opens_itself(const struct sheet *s, uint32_t row, bool only, const bool *open)
{
	uint32_t up = s->tree.parent[row];

	if (s->filter || s->tree.all)
		return true;
	if (s->tree.shut)
		return only && (up == NONE || open[up]);
	return up == NONE ? !row : open[up] && (only || row == up + 1);
}

struct linking {
	uint32_t *first, *next; /* children in the chosen order; first[nrows]: top-level rows */
	bool *open;
};

static void link_rows(struct sheet *s, const size_t *rows, const bool *pass, struct linking *l)
{
	size_t n = s->table->nrows;
	bool *kept = xcalloc(n + 1, sizeof *kept);

	for (size_t i = 0; i < n; i++) /* with all its descendants … */
		kept[i] = !pass || pass[i] || (s->tree.parent[i] != NONE && kept[s->tree.parent[i]]);
	for (size_t i = n; i-- > 0;) /* … and its ancestors */
		if (kept[i] && s->tree.parent[i] != NONE)
			kept[s->tree.parent[i]] = true;
	for (size_t i = 0; i <= n; i++)
		l->first[i] = NONE;
	for (size_t i = n; i-- > 0;) {
		uint32_t row = (uint32_t)rows[i], up = s->tree.parent[row];

		if (!kept[row])
			continue;
		l->next[row] = l->first[up == NONE ? n : up];
		l->first[up == NONE ? n : up] = row;
	}
	free(kept);
}

static void open_rows(struct sheet *s, struct linking *l)
{
	size_t n = s->table->nrows;

	for (uint32_t i = 0; i < n; i++) {
		bool opens = l->first[i] != NONE;
		const struct fold_mark *m = opens ? fold_find(current_marks(s), s->tree.key[i]) : NULL;
		uint32_t up = s->tree.parent[i];
		bool only = l->first[up == NONE ? n : up] == i && l->next[i] == NONE;

		l->open[i] = opens && (m && m->open ? m->open > 0 : opens_itself(s, i, only, l->open));
	}
}

/* Lists all rows that are kept, and those among them that are inside open lines. */
static void lay_out(struct sheet *s, const struct linking *l)
{
	size_t n = s->table->nrows, nwhole = 0, nseen = 0;
	uint32_t row = l->first[n];
	uint32_t shut = NONE; /* a closed row that we are inside of */

	while (row != NONE) {
		s->whole[nwhole++] = row;
		if (shut == NONE)
			s->order[nseen++] = row;
		if (l->first[row] != NONE) {
			if (shut == NONE && !l->open[row])
				shut = row;
			row = l->first[row];
			continue;
		}
		while (row != NONE && l->next[row] == NONE) {
			row = s->tree.parent[row];
			shut = shut == row ? NONE : shut;
		}
		row = row == NONE ? NONE : l->next[row];
	}
	s->nwhole = nwhole;
	s->list.n = nseen;
}

void sheet_tree_arrange(struct sheet *s, const size_t *rows, const bool *pass)
{
	size_t n = s->table->nrows;
	struct linking l = { .first = xcalloc(n + 1, sizeof *l.first),
		.next = xcalloc(n + 1, sizeof *l.next),
		.open = xcalloc(n + 1, sizeof *l.open) };

	free(s->tree.state);
	s->tree.state = xcalloc(n + 1, sizeof *s->tree.state);
	link_rows(s, rows, pass, &l);
	open_rows(s, &l);
	lay_out(s, &l);
	for (size_t i = 0; i < n; i++)
		s->tree.state[i] = l.first[i] == NONE ? FOLD_LEAF : l.open[i] ? FOLD_OPEN : FOLD_CLOSED;
	free(l.first);
	free(l.next);
	free(l.open);
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
