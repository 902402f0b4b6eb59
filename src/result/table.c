#include "config.h"
#include "result/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

double cell_number(const struct cell *c)
{
	return !c ? NAN : c->type == CELL_INT ? (double)c->u.i : c->type == CELL_NUM ? c->u.d : NAN;
}

struct cell cell_known(int64_t v)
{
	return v < 0 ? cell_null() : cell_int(v);
}

struct cell cell_copy(struct arena *text, struct slice s)
{
	return s.s ? cell_str(arena_strndup(text, s.s, s.n), s.n) : cell_null();
}

struct cell cell_strz(const char *s)
{
	return s ? cell_str(s, strlen(s)) : cell_null();
}

struct cell cell_strid(const struct strtab *t, strid id)
{
	return cell_str(strtab_str(t, id), strtab_len(t, id));
}

struct cell arena_cell(struct arena *a, const char *s)
{
	size_t n = s ? strlen(s) : 0;

	return n ? cell_str(arena_strndup(a, s, n), n) : cell_null();
}

void table_begin_some(struct table *t, const struct schema *s, size_t n)
{
	*t = (struct table){ .schema = s, .columns = s->columns, .ncolumns = n < s->n ? n : s->n };
}

void table_begin(struct table *t, const struct schema *s)
{
	table_begin_some(t, s, s->n);
}

void table_cells(const struct column *columns, size_t n, const void *row, struct arena *text, struct cell *c)
{
	for (size_t i = 0; i < n; i++)
		c[i] = columns[i].get(row, text);
}

void table_add(struct table *t, const void *row)
{
	table_cells(t->columns, t->ncolumns, row, &t->text, table_row(t));
}

const struct cell *table_at(const struct table *t, size_t row, size_t column)
{
	static const struct cell null = { .type = CELL_NULL };

	return row < t->nrows && column < t->ncolumns ? &t->cells[row * t->ncolumns + column] : &null;
}

void table_begin_like(struct table *t, const struct table *from)
{
	*t = (struct table){ .schema = from->schema, .columns = from->columns, .ncolumns = from->ncolumns };
	for (size_t i = 0; i < from->nrows; i++)
		memcpy(table_row(t), from->cells + i * t->ncolumns, t->ncolumns * sizeof *t->cells);
}

void table_free(struct table *t)
{
	free(t->cells);
	arena_free(&t->text);
	*t = (struct table){ .schema = t->schema, .columns = t->columns, .ncolumns = t->ncolumns };
}

struct cell *table_row(struct table *t)
{
	size_t w = t->ncolumns;

	if (t->nrows == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 16;
		t->cells = xrealloc(t->cells, t->cap, w * sizeof *t->cells);
	}
	struct cell *row = t->cells + t->nrows++ * w;

	for (size_t i = 0; i < w; i++)
		row[i] = cell_null();
	return row;
}

const char *table_copy(struct table *t, const char *s, size_t n)
{
	return arena_strndup(&t->text, s, n);
}

struct cell table_text(struct table *t, const char *s)
{
	return arena_cell(&t->text, s);
}

int table_column(const struct table *t, const char *id)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		if (!strcmp(t->columns[i].id, id))
			return (int)i;
	return -1;
}

double table_num(const struct table *t, size_t row, size_t column)
{
	return cell_number(table_at(t, row, column));
}

struct slice table_str(const struct table *t, size_t row, size_t column)
{
	return cell_text(table_at(t, row, column));
}

double table_number(const struct table *t, size_t row, const char *id)
{
	return cell_number(table_get(t, row, id));
}

const struct cell *table_get(const struct table *t, size_t row, const char *id)
{
	int column = table_column(t, id);

	return table_at(t, row, column < 0 ? SIZE_MAX : (size_t)column);
}

int table_sort_spec(const struct column *columns, size_t n, const char *spec, size_t *column, bool *down,
    struct err *e)
{
	const char *colon = strrchr(spec, ':');
	size_t len = colon ? (size_t)(colon - spec) : strlen(spec), c = 0;

	while (c < n && (strncmp(columns[c].id, spec, len) || columns[c].id[len]))
		c++;
	if (c == n) {
		char list[320];
		size_t at = 0;

		for (size_t i = 0; i < n && at < sizeof list; i++)
			at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "",
			    columns[i].id);
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "cannot sort by unknown column '%.*s'; columns: %s", (int)len, spec, list);
	}
	*column = c;
	*down = columns[c].type == COL_INTEGER || columns[c].type == COL_NUMBER;
	if (!colon)
		return 0;
	if (strcmp(colon, ":asc") && strcmp(colon, ":desc"))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "cannot sort by '%s'; use COLUMN, COLUMN:asc or COLUMN:desc", spec);
	*down = !strcmp(colon, ":desc");
	return 0;
}

int table_sort(struct table *t, const char *spec, struct err *e)
{
	size_t column;
	bool down;

	if (table_sort_spec(t->columns, t->ncolumns, spec, &column, &down, e))
		return -1;
	if (t->nrows < 2)
		return 0;
	size_t *row = table_order(t, column, down), w = t->ncolumns;
	struct cell *cells = xcalloc(t->cap, w * sizeof *cells);

	for (size_t i = 0; i < t->nrows; i++)
		memcpy(cells + i * w, t->cells + row[i] * w, w * sizeof *cells);
	free(row);
	free(t->cells);
	t->cells = cells;
	return 0;
}

void table_top(struct table *t, size_t n)
{
	if (n < t->nrows)
		t->nrows = n;
}

void table_depth(struct table *t, int n)
{
	int level = table_column(t, "level");
	size_t kept = 0;

	for (size_t i = 0; n && level >= 0 && i < t->nrows; i++)
		if (table_at(t, i, (size_t)level)->u.i <= n)
			memmove(t->cells + kept++ * t->ncolumns, t->cells + i * t->ncolumns,
			    t->ncolumns * sizeof *t->cells);
	t->nrows = n && level >= 0 ? kept : t->nrows;
}

void table_pick(struct table *t, const size_t *row, size_t n)
{
	struct cell *cells = xcalloc(n * t->ncolumns + 1, sizeof *cells);

	for (size_t i = 0; i < n; i++)
		memcpy(cells + i * t->ncolumns, t->cells + row[i] * t->ncolumns, t->ncolumns * sizeof *cells);
	free(t->cells);
	t->cells = cells;
	t->nrows = t->cap = n;
}

#define SCHEMA texts
#define SCHEMA_ROW char
#define SCHEMA_DEF "result/texts.def"
#include "result/schema_def.h"
static const struct schema texts_schema = { SCHEMA_COLUMNS(texts_columns) };

void table_begin_texts(struct table *t)
{
	table_begin(t, &texts_schema);
}

void table_say(struct table *t, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	table_add(t, text);
}
