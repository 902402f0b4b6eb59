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
