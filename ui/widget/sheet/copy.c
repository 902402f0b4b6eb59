/* Rows as text for other programs. */
#include "config.h"

#include "result/cell_text.h"
#include "widget/sheet/internal.h"

enum { DIGITS = 10 };

int sheet_copy(const struct sheet *s, FILE *out)
{
	size_t row = sheet_row(s);

	for (size_t i = 0; row != SIZE_MAX && i < s->ncol; i++) {
		if (!sheet_has_values(s, i))
			continue;
		fprintf(out, "%s\t", s->col[i]->id);
		cell_file(out, sheet_cell(s, row, i), DIGITS);
		fputc('\n', out);
	}
	return row == SIZE_MAX ? -1 : 0;
}

void sheet_copy_table(const struct table *t, const size_t *order, size_t n, FILE *out)
{
	for (size_t k = 0; k < t->ncolumns; k++)
		fprintf(out, "%s%s", k ? "\t" : "", t->columns[k].id);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < t->ncolumns; k++) {
			fputs(k ? "\t" : "\n", out);
			cell_file(out, table_at(t, order ? order[i] : i, k), DIGITS);
		}
	fputc('\n', out);
}

void sheet_copy_rows(const struct sheet *s, FILE *out)
{
	if (s->table)
		sheet_copy_table(s->table, s->order, s->list.n, out);
}

void sheet_copy_row(const struct sheet *s, FILE *out)
{
	size_t row = sheet_row(s);

	if (row != SIZE_MAX)
		sheet_copy_table(s->table, &row, 1, out);
}

static bool is_shown(const struct sheet *s, size_t column)
{
	return sheet_has_values(s, column) && !s->off[column];
}

void sheet_shown(const struct sheet *s, bool row, struct table *t)
{
	size_t n = 0, from = row ? s->list.at : 0, end = row && s->list.n ? from + 1 : s->list.n;
	struct column *columns;

	*t = (struct table){ .schema = s->schema };
	columns = arena_alloc(&t->text, (s->ncol + 1) * sizeof *columns);
	for (size_t k = 0; k < s->ncol; k++)
		if (is_shown(s, k))
			columns[n++] = *s->col[k];
	t->columns = columns;
	t->ncolumns = n;
	for (size_t i = from; s->table && i < end; i++) {
		struct cell *cell = table_row(t);

		for (size_t k = 0; k < s->ncol; k++)
			if (is_shown(s, k))
				*cell++ = *sheet_cell(s, s->order[i], k);
	}
}

void sheet_copy_shown(const struct sheet *s, FILE *out)
{
	struct table t;

	sheet_shown(s, false, &t);
	sheet_copy_table(&t, NULL, t.nrows, out);
	table_free(&t);
}
