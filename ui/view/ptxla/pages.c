#include "config.h"
#include "view/ptxla/ptxla.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const enum ptxla_table ptxla_view_pages[PTXLA_PAGES] = { PTXLA_TIMES, PTXLA_DATA, PTXLA_COUNTS,
	PTXLA_COUNTERS, PTXLA_STEPS, PTXLA_BY_FRAME, PTXLA_BY_CAUSE, PTXLA_BY_HASH, PTXLA_ANALYSES,
	PTXLA_UNLOWERED, PTXLA_NOTICES, PTXLA_SAVED, PTXLA_GRAPHS, PTXLA_LAUNCHES };
const char *const ptxla_view_titles[PTXLA_PAGES] = { "Times", "Data", "Counts", "Counters", "Reports",
	"Lines", "Causes", "Graphs", "Blocks", "Not lowered", "Notices", "Saved by", "Saved", "Runs" };

static bool is_of_report(enum ptxla_table t)
{
	return t == PTXLA_COUNTERS || (t >= PTXLA_TIMES && t <= PTXLA_COUNTS);
}

static bool is_group(enum ptxla_table t)
{
	return t >= PTXLA_BY_CAUSE && t <= PTXLA_BY_HASH;
}

struct order {
	size_t at;
	int class;
	int64_t value;
};

VEC_ORDER(by_class, struct order, UP(class) DOWN(value) UP(at));

static int place_of(const char *class)
{
	return !strcmp(class, "aten") ? 0 : !strcmp(class, "other") ? 1 : 2;
}

/* What is not lowered first, then the largest. */
static void counters_order(struct ptxla_view *s)
{
	struct order *v = xcalloc(s->nof + 1, sizeof *v);
	struct table t;

	for (size_t i = 0; i < s->nof; i++) {
		const struct ptxla_counter *c = &s->x->counters[s->of[i]];

		v[i] =
		    (struct order){ i, place_of(ptxla_class(strtab_text(&s->x->names, c->name))), c->value };
	}
	VEC_SORT(v, s->nof, by_class);
	table_begin_like(&t, &s->table); /* a copy */
	for (size_t i = 0; i < s->nof; i++)
		memcpy(s->table.cells + i * t.ncolumns, t.cells + v[i].at * t.ncolumns,
		    t.ncolumns * sizeof *t.cells);
	for (size_t i = 0; i < s->nof; i++)
		v[i].at = s->of[v[i].at];
	for (size_t i = 0; i < s->nof; i++)
		s->of[i] = v[i].at;
	table_free(&t);
	free(v);
}

static void fill_report(struct ptxla_view *s, enum ptxla_table which)
{
	size_t n, *last = ptxla_last_reports(s->x, &n);

	table_begin(&s->table, &ptxla_schema[which]);
	if (s->report != SIZE_MAX)
		ptxla_report_rows(s->x, which, s->report, &s->table, &s->of, &s->nof);
	for (size_t i = 0; i < n && s->report == SIZE_MAX; i++)
		ptxla_report_rows(s->x, which, last[i], &s->table, &s->of, &s->nof);
	sheet_hide(&s->sheet[s->page], "where", n < 2 || s->report != SIZE_MAX);
	free(last);
	if (which == PTXLA_COUNTERS)
		counters_order(s);
}

void ptxla_view_fill(struct ptxla_view *s)
{
	enum ptxla_table which = ptxla_view_pages[s->page];

	ptxla_view_drop(s);
	if (is_of_report(which))
		fill_report(s, which);
	else
		ptxla_table(s->x, which, SIZE_MAX, &s->table);
	if (is_group(which))
		s->groups = ptxla_groups(s->x, (enum ptxla_group)(which - PTXLA_BY_CAUSE), &s->ngroups);
	sheet_set(&s->sheet[s->page], &s->table);
}

void ptxla_view_drop(struct ptxla_view *s)
{
	for (size_t i = 0; i < PTXLA_PAGES; i++)
		sheet_set(&s->sheet[i], NULL);
	table_free(&s->table);
	free(s->of);
	free(s->groups);
	s->table = (struct table){ 0 };
	s->of = NULL;
	s->groups = NULL;
	s->nof = s->ngroups = 0;
}

static size_t rows_of(struct ptxla_view *s, enum ptxla_table which)
{
	const struct ptxla *x = s->x;

	switch (which) {
	case PTXLA_NOTICES:
		return x->nnotices;
	case PTXLA_ANALYSES:
		return x->nanalyses;
	case PTXLA_UNLOWERED:
		return x->nunlowered;
	case PTXLA_GRAPHS:
		return x->ngraphs;
	case PTXLA_LAUNCHES:
		return x->nlaunches;
	case PTXLA_STEPS: /* one report is no history */
		return x->nreports > 1 ? x->nreports : 0;
	default:
		s->page = 0;
		while (ptxla_view_pages[s->page] != which)
			s->page++;
		ptxla_view_fill(s);
		return s->table.nrows;
	}
}

void ptxla_view_count(struct ptxla_view *s)
{
	size_t page = s->page;

	for (size_t i = 0; i < PTXLA_PAGES; i++)
		s->rows[i] = rows_of(s, ptxla_view_pages[i]);
	for (s->page = s->rows[page] ? page : 0; !s->rows[s->page] && s->page + 1 < PTXLA_PAGES;)
		s->page++;
}

/* The column by which findings name its rows. */
static size_t key_column(const struct table *t)
{
	static const char *const ids[] = { "name", "place", "graph_hash", "op", "metric" };

	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		for (size_t k = 0; k < t->ncolumns; k++)
			if (!strcmp(t->columns[k].id, ids[i]))
				return k;
	return SIZE_MAX;
}

bool ptxla_view_find(struct ptxla_view *s, const char *name)
{
	size_t page = s->page;

	for (s->page = 0; s->page < PTXLA_PAGES; s->page++) {
		size_t column;

		if (!s->rows[s->page])
			continue;
		ptxla_view_fill(s);
		column = key_column(&s->table);
		for (size_t i = 0; column != SIZE_MAX && i < s->table.nrows; i++)
			if (slice_is(cell_text(table_at(&s->table, i, column)), name))
				return sheet_go(&s->sheet[s->page], i);
	}
	s->page = page;
	ptxla_view_fill(s);
	return false;
}

struct sheet *ptxla_view_sheet(struct view *v)
{
	struct ptxla_view *s = v->state;

	return &s->sheet[s->page];
}

size_t ptxla_view_row(const struct ptxla_view *s)
{
	size_t row = sheet_row(&s->sheet[s->page]);

	return row < s->table.nrows ? row : SIZE_MAX;
}
