/* Rows by name: the selected row is found again in another table or session. */
#include "config.h"
#include "widget/sheet/sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static struct slice text_of(const struct sheet *s, size_t row, const char *id, char *buf, size_t size)
{
	int column = id ? table_column(s->table, id) : -1;
	const struct cell *c = column < 0 ? NULL : table_at(s->table, row, (size_t)column);

	if (c && c->type == CELL_INT)
		return (struct slice){ buf, (size_t)snprintf(buf, size, "%" PRId64, c->u.i) };
	return c && c->type == CELL_STR ? (struct slice){ c->s, c->n } : (struct slice){ "", 0 };
}

static char *name_of(const struct sheet *s, size_t row)
{
	char buf[2][24];
	struct slice a = text_of(s, row, s->name[0], buf[0], sizeof buf[0]),
		     b = text_of(s, row, s->name[1], buf[1], sizeof buf[1]);

	if (s->tree.parent)
		return xasprintf("%016" PRIx64, s->tree.key[row]);
	return xasprintf("%.*s%s%.*s", (int)a.n, a.s, s->name[1] ? " " : "", (int)b.n, b.s);
}

static size_t column_of_texts(const struct sheet *s, const char *id)
{
	for (size_t i = 0; i < s->ncol; i++)
		if (s->at[i] >= 0 && s->col[i]->type == COL_STRING &&
		    (id ? !strcmp(s->col[i]->id, id) : !s->off[i]))
			return i;
	return SIZE_MAX;
}

/* The column of texts that names a row: one that sheet_name() got, else the first that is shown. */
static size_t naming_column(const struct sheet *s)
{
	size_t at = s->name[1] ? column_of_texts(s, s->name[1]) : SIZE_MAX;

	if (at == SIZE_MAX && s->name[0])
		at = column_of_texts(s, s->name[0]);
	return at == SIZE_MAX ? column_of_texts(s, NULL) : at;
}

char *sheet_name_of_row(const struct sheet *s, size_t row)
{
	size_t column = naming_column(s);
	const struct cell *c = column == SIZE_MAX ? NULL : table_at(s->table, row, (size_t)s->at[column]);

	return c && c->type == CELL_STR && c->n ? xstrndup(c->s, c->n) : NULL;
}

char *sheet_row_name(const struct sheet *s)
{
	size_t row = sheet_row(s);

	return row == SIZE_MAX ? NULL : sheet_name_of_row(s, row);
}

void sheet_name(struct sheet *s, const char *first, const char *second)
{
	s->name[0] = first;
	s->name[1] = second;
}

void sheet_keep(struct sheet *s)
{
	size_t row = sheet_row(s);

	if ((!s->name[0] && !s->tree.parent) || row == SIZE_MAX)
		return;
	free(s->named);
	s->named = name_of(s, row);
}

static size_t row_named(const struct sheet *s, const char *name)
{
	for (size_t i = 0; s->table && i < s->table->nrows; i++) {
		char *one = name_of(s, i);
		bool same = !strcmp(one, name);

		free(one);
		if (same)
			return i;
	}
	return SIZE_MAX;
}

bool sheet_return(struct sheet *s)
{
	size_t row = s->named ? row_named(s, s->named) : SIZE_MAX;

	return row != SIZE_MAX && sheet_go(s, row);
}

bool sheet_show_named(struct sheet *s, const char *name)
{
	size_t row = row_named(s, name);

	if (row == SIZE_MAX || !sheet_show(s, row))
		return false;
	sheet_keep(s);
	return true;
}
