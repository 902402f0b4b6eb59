/* Search and filter: rows with a text that a pattern matches. */
#include "config.h"
#include <stdlib.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "widget/text.h"
#include "widget/sheet/internal.h"

bool sheet_cell_matches(const struct cell *c, const struct regex *re, struct regex_scratch *scratch)
{
	return c && c->type == CELL_STR && regex_match(re, scratch, c->s, c->n, NULL, NULL);
}

/* Where a pattern is looked for: what the filter uses, or, `hidden`, the search, too. */
static bool is_used(const struct sheet *s, size_t column, bool hidden)
{
	return !s->off[column] || (column < s->nform && (s->all || (s->find_all && hidden)));
}

static bool row_matches(const struct sheet *s, const struct regex *re, struct regex_scratch *scratch,
    size_t row, bool hidden)
{
	for (size_t i = 0; i < s->ncol; i++)
		if (is_used(s, i, hidden) && sheet_cell_matches(sheet_cell(s, row, i), re, scratch))
			return true;
	return false;
}

bool *sheet_matching_rows(const struct sheet *s, size_t n)
{
	struct regex_scratch *scratch;
	bool *pass;

	if (!s->filter)
		return NULL;
	pass = xcalloc(n + 1, sizeof *pass);
	scratch = regex_scratch_new(s->filter);
	for (size_t i = 0; i < n; i++)
		pass[i] = row_matches(s, s->filter, scratch, i, false);
	regex_scratch_free(scratch);
	return pass;
}

/* next: the first after the cursor; previous: the last before it; else the first from the cursor on; both wrap
 * around */
static size_t choose_hit(struct sheet *s, size_t from, int dir)
{
	size_t best = SIZE_MAX, n = s->nwhole;

	for (size_t i = 0, k = 0; i < n; i++) {
		if (!s->found[s->whole[i]])
			continue;
		k++;
		if (dir < 0 ? i < from : (dir > 0 ? i > from : i >= from) && best == SIZE_MAX) {
			best = i;
			s->hit = k;
		}
	}
	for (size_t i = 0, k = 0; best == SIZE_MAX && s->hits && i < n; i++) {
		if (!s->found[s->whole[i]] || (++k < s->hits && dir < 0))
			continue;
		best = i;
		s->hit = k;
	}
	return best;
}

void sheet_forget_found(struct sheet *s)
{
	free(s->found);
	s->found = NULL;
}

/* Matching all rows takes longer than going from hit to hit, or opening a line: once for a pattern is enough.  Columns
 * that are hidden count only if nothing else matches: many rows may mention what one names. */
static void find_rows(struct sheet *s, const struct regex *re)
{
	struct regex_scratch *scratch;
	size_t n = s->table->nrows, hits = 0;

	if (s->find != re)
		sheet_forget_found(s);
	s->find = re;
	if (s->found)
		return;
	s->found = xcalloc(n + 1, sizeof *s->found);
	scratch = regex_scratch_new(re);
	for (int hidden = 0; hidden <= s->find_all && !hits; hidden++)
		for (size_t i = 0; i < n; i++)
			hits += s->found[i] = row_matches(s, re, scratch, i, hidden);
	regex_scratch_free(scratch);
}

int sheet_find_hit(struct sheet *s, const struct regex *re, int dir, bool open)
{
	size_t n = s->nwhole, from = 0, best, here = sheet_row(s);

	s->hits = s->hit = 0;
	if (!re || !s->table) {
		sheet_forget_found(s);
		s->find = re;
		return 0;
	}
	find_rows(s, re);
	while (from + 1 < n && s->whole[from] != here)
		from++;
	for (size_t i = 0; i < n; i++)
		s->hits += s->found[s->whole[i]];
	best = choose_hit(s, from, dir);
	if (best != SIZE_MAX && !sheet_go_visible(s, s->whole[best]) && open) {
		size_t at = s->hit;

		sheet_go(s, s->whole[best]);
		s->hit = at;
	}
	return (int)s->hits;
}

int sheet_find(struct sheet *s, const struct regex *re, int dir)
{
	return sheet_find_hit(s, re, dir, true);
}

/* Is the whole text of a cell on the screen? */
static bool is_seen(const struct sheet *s, size_t column, const struct cell *c)
{
	return !s->shift && utf8_cols(c->s, c->n) <= s->x[column + 1] - s->x[column] - SHEET_GAP;
}

/* "framework op: …(jvp())/dot_general": where the selected row matches; "" = that can be seen. */
static void match_text(const struct sheet *s, char *buf, size_t size)
{
	char text[160];

	*buf = 0;
	for (size_t i = 0; i < s->ncol; i++) {
		const struct cell *c = sheet_cell(s, sheet_row(s), i);

		if (!is_used(s, i, true) || !c || c->type != CELL_STR ||
		    !*text_match(text, sizeof text, s->find, c->s, c->n))
			continue;
		if (!*buf)
			snprintf(buf, size, "%s: %s", s->col[i]->label, text);
		if (is_seen(s, i, c)) {
			*buf = 0;
			return;
		}
	}
}

void sheet_find_status(const struct sheet *s, char *buf, size_t size)
{
	char match[256] = "";

	if (s->hit && s->find && s->table && sheet_row(s) != SIZE_MAX)
		match_text(s, match, sizeof match);
	snprintf(buf, size, "hit %zu of %zu%s%s%s%s", s->hit, s->hits, s->filter ? "   &" : "",
	    s->filter ? regex_shown(s->filter) : "", *match ? "   " : "", match);
}

int sheet_filter(struct sheet *s, const char *pattern, struct err *e)
{
	struct regex *re = *pattern ? regex_new(pattern, REGEX_SMART_CASE, e) : NULL;

	if (*pattern && !re)
		return -1;
	regex_free(s->filter);
	s->filter = re;
	s->tree.marks[1].n = 0;
	sheet_make_order(s);
	if (!regex_too_expensive(s->filter, e))
		return (int)s->list.n;
	regex_free(s->filter);
	s->filter = NULL;
	sheet_make_order(s);
	return -1;
}
