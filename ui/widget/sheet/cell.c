/* What a cell says: its number, and its text in the unit of the column. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "result/cell_text.h"
#include "widget/sheet/internal.h"

const struct cell *sheet_cell(const struct sheet *s, size_t row, size_t column)
{
	const struct table *t = s->table;

	if (s->at[column] >= (int)t->ncolumns)
		return table_at(s->beside, row, (size_t)s->at[column] - t->ncolumns);
	return s->at[column] < 0 ? NULL : &t->cells[row * t->ncolumns + (size_t)s->at[column]];
}

bool sheet_is_share(const struct column *c)
{
	return !strcmp(c->unit, "percent") || !strcmp(c->unit, "fraction");
}

double sheet_share(const struct column *c, double v)
{
	return strcmp(c->unit, "percent") ? v : v / 100;
}

double sheet_ps_per_unit(const struct column *c)
{
	static const struct {
		const char *unit;
		double ps;
	} times[] = { { "ps", 1 }, { "us", 1e6 }, { "ms", 1e9 }, { "s", 1e12 } };

	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (!strcmp(c->unit, times[i].unit))
			return times[i].ps;
	return 0;
}

/* A value that is not 0 is never shown as 0.  Moments are shown with enough digits to tell neighbors
 * apart. */
static void time_text(char *buf, size_t size, int64_t ps, enum time_unit unit, bool moment)
{
	if (!moment && ps > 0 && ps < unit_ps[unit] / 2000)
		snprintf(buf, size, "<0.001");
	else
		units_time_in(buf, size, ps, unit, unit == UNIT_PS ? 0 : moment ? 6 : 3);
}

/* "+" before what became more. */
static void put_sign(const struct column *c, double v, char *buf, size_t size)
{
	size_t n = strlen(buf);

	if (c->show != SHOW_CHANGE || !(v > 0) || n + 1 >= size)
		return;
	memmove(buf + 1, buf, n + 1);
	*buf = '+';
}

static void column_text(const struct sheet *s, size_t column, const struct cell *cell, char *buf, size_t size)
{
	const struct column *c = s->col[column];
	double v = cell_number(cell), ps = sheet_ps_per_unit(c), factor;

	column_shown_unit(c->unit, &factor);
	v *= factor;
	if (isnan(v))
		snprintf(buf, size, "–");
	else if (sheet_is_share(c))
		units_percent(buf, size, sheet_share(c, v));
	else if (ps > 0 && fabs(v * ps) < 9e18)
		time_text(buf, size, (int64_t)llround(v * ps), s->unit[column], c->show == SHOW_MOMENT);
	else if (c->show == SHOW_HEX && v >= 0)
		snprintf(buf, size, "0x%llx", (unsigned long long)v);
	else if (c->show == SHOW_SLOTS && v == 0)
		snprintf(buf, size, "·");
	else if (c->show == SHOW_HUMAN)
		units_bytes(buf, size, v);
	else if (c->show == SHOW_SIZE)
		snprintf(buf, size, "%.2f", v / s->size->bytes);
	/* MiB, GiB */
	else if (strstr(c->unit, "iB") && strlen(c->unit) == 3)
		snprintf(buf, size, "%.2f", v);
	else if (cell->type == CELL_INT && cell->u.i >= 0)
		units_count(buf, size, (uint64_t)cell->u.i);
	else if (fabs(v) >= 1e6)
		snprintf(buf, size, "%.1e", v);
	else
		snprintf(buf, size, "%.*f", fabs(v) >= 1000 ? 0 : fabs(v) >= 10 ? 1 : 2, v);
}

void sheet_text(const struct sheet *s, size_t row, size_t column, char *buf, size_t size)
{
	const struct cell *c = s->table ? sheet_cell(s, row, column) : NULL;

	*buf = 0;
	if (!c || c->beyond || (c->type != CELL_INT && c->type != CELL_NUM))
		cell_people(buf, size, c, NULL);
	else
		column_text(s, column, c, buf, size);
	put_sign(s->col[column], c ? cell_number(c) : NAN, buf, size);
}
