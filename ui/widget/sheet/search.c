/* Search and filter: rows with a text that a pattern matches. */
#include "config.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "widget/text.h"
#include "widget/sheet/internal.h"

bool sheet_cell_matches(const struct cell *c, const struct regex *re, struct regex_scratch *scratch)
{
	return c && c->type == CELL_STR && regex_match(re, scratch, c->s, c->n, NULL, NULL);
}

static bool row_matches(const struct sheet *s, const struct regex *re, struct regex_scratch *scratch,
    size_t row)
{
	for (size_t i = 0; i < s->ncol; i++)
		if ((s->all ? i < s->nform : !s->off[i]) &&
		    sheet_cell_matches(sheet_cell(s, row, i), re, scratch))
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
		pass[i] = row_matches(s, s->filter, scratch, i);
	regex_scratch_free(scratch);
	return pass;
}

int sheet_find_hit(struct sheet *s, const struct regex *re, int dir, bool open)
{
	struct regex_scratch *scratch;
	size_t n = s->nwhole, from = 0, best = SIZE_MAX, here = sheet_row(s);

	s->find = re;
	s->hits = s->hit = 0;
	if (!re || !s->table)
		return 0;
	while (from + 1 < n && s->whole[from] != here)
		from++;
	scratch = regex_scratch_new(re);
	for (size_t i = 0; i < n; i++) {
		if (!row_matches(s, re, scratch, s->whole[i]))
			continue;
		s->hits++;
		/* next: the first after the cursor; previous: the last before it; else the first from the
		 * cursor on */
		if (dir < 0 ? i < from : (dir > 0 ? i > from : i >= from) && best == SIZE_MAX) {
			best = i;
			s->hit = s->hits;
		}
	}
	for (size_t i = 0, k = 0; best == SIZE_MAX && s->hits && i < n; i++) { /* wraps around */
		if (!row_matches(s, re, scratch, s->whole[i]) || (++k < s->hits && dir < 0))
			continue;
		best = i;
		s->hit = k;
	}
	regex_scratch_free(scratch);
	if (best != SIZE_MAX && !sheet_go_visible(s, s->whole[best]) && open) {
		size_t hit = s->hit;

		sheet_go(s, s->whole[best]);
		s->hit = hit;
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

		if (!(s->all ? i < s->nform : !s->off[i]) || !c || c->type != CELL_STR ||
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
	snprintf(buf, size, "hit %zu of %zu%s%s", s->hit, s->hits, *match ? "   " : "", match);
}

int sheet_filter(struct sheet *s, const char *pattern, struct err *e)
{
	struct regex *re = *pattern ? regex_new(pattern, true, e) : NULL;

	if (*pattern && !re)
		return -1;
	regex_free(s->filter);
	s->filter = re;
	s->tree.marks[1].n = 0;
	sheet_make_order(s);
	return (int)s->list.n;
}
