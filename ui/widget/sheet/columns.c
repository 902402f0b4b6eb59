/* The columns of a sheet: which there are, which are shown, their titles and units. */
#include "config.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"
#include "core/app.h"
#include "core/overlay.h"
#include "widget/sheet/internal.h"

enum { LOOKED_AT = 200 };

const struct column sheet_bar = { .id = "bar",
	.label = "bar",
	.unit = "fraction",
	.type = COL_NUMBER,
	.title = "",
	.width = 10,
	.drop = 3,
	.show = SHOW_BAR };

static const char *shown_unit(const struct column *c)
{
	double factor;

	return column_shown_unit(c->unit, &factor);
}

/* The title without its unit; a column whose title is only its unit is called by that. */
static const char *name_of(const struct column *c)
{
	const char *title = c->title ? c->title : c->label;

	return *title || c->show == SHOW_BAR ? title : shown_unit(c);
}

const char *sheet_title(const struct sheet *s, size_t column)
{
	return name_of(s->col[column]);
}

static double largest_in(const struct sheet *s, size_t column)
{
	double most = 0;

	for (size_t i = 0; s->table && i < s->table->nrows; i++) {
		double v = fabs(cell_number(sheet_cell(s, i, column))); /* NaN never compares as larger */

		most = v > most ? v : most;
	}
	return most;
}

static bool is_duration(const struct sheet *s, size_t i)
{
	return s->at[i] >= 0 && !s->off[i] && sheet_ps_per_unit(s->col[i]) > 0 &&
	    s->col[i]->show != SHOW_MOMENT;
}

/* Do most times of a column that are not 0 have three digits in that unit? */
static bool suits(const struct sheet *s, size_t i, enum time_unit unit)
{
	double least = (double)unit_ps[unit] / 10 / sheet_ps_per_unit(s->col[i]);
	size_t above = 0, below = 0;

	for (size_t row = 0; row < s->table->nrows; row++) {
		double v = fabs(cell_number(sheet_cell(s, row, i)));

		above += v >= least;
		below += v > 0 && v < least;
	}
	return above >= below;
}

/* The unit in which the largest time of a column has two to four digits before the point, so that small ones
 * have some, too; that of the largest duration on the sheet, `most` ps, where it suits the column.  A column of
 * zeros has that one as well, or is in milliseconds. */
static enum time_unit unit_of(const struct sheet *s, size_t i, double most)
{
	double ps = largest_in(s, i) * sheet_ps_per_unit(s->col[i]);
	enum time_unit all = unit_for(most < 9e18 ? (int64_t)(most / 10) : INT64_MAX);

	if (is_duration(s, i) && most > 0 && suits(s, i, all))
		return all;
	return ps > 0 ? unit_for(ps < 9e18 ? (int64_t)(ps / 10) : INT64_MAX) : UNIT_MS;
}

static double largest_duration(const struct sheet *s)
{
	double most = 0;

	for (size_t i = 0; i < s->ncol; i++)
		if (is_duration(s, i))
			most = fmax(most, largest_in(s, i) * sheet_ps_per_unit(s->col[i]));
	return most;
}

/* The unit in which the largest size has some digits before the point. */
static const struct sheet_size *size_of(const struct sheet *s)
{
	static const struct sheet_size units[] = { { "GiB", GIB }, { "MiB", MIB }, { "KiB", 1024.0 } };
	size_t first = 0, i = 0;
	double most;

	while (first < s->ncol && (s->at[first] < 0 || s->col[first]->show != SHOW_SIZE))
		first++;
	most = first < s->ncol ? largest_in(s, first) : 0;
	while (i < 2 && most < units[i].bytes / 10)
		i++;
	return &units[i];
}

/* Whether the title has the unit; counts of bytes always do. */
static bool says_unit(const struct column *c)
{
	const char *name = name_of(c);
	int cols = utf8_cols(name, strlen(name)) + 1 + (int)strlen(shown_unit(c));

	return *c->unit && c->show != SHOW_BAR && strcmp(name, shown_unit(c)) && strcmp(c->unit, "B") &&
	    (sheet_is_elastic(c) || cols <= c->width);
}

/* The longest text of an elastic column, as far as its first rows tell.  Lines of trees need room for signs. */
static int longest_in(const struct sheet *s, size_t column)
{
	char text[512];
	int most = 0;

	if (s->col[column]->show == SHOW_TREE)
		return INT_MAX / 2;
	for (size_t i = 0; i < s->table->nrows && i < LOOKED_AT; i++) {
		int cols;

		sheet_text(s, i, column, text, sizeof text);
		cols = utf8_cols(text, strlen(text));
		most = cols > most ? cols : most;
	}
	return most;
}

static bool is_empty(const struct sheet *s, size_t column)
{
	size_t i = 0;

	while (i < s->table->nrows && sheet_cell(s, i, column)->type == CELL_NULL)
		i++;
	return i && i == s->table->nrows;
}

/* Columns of the table beside come after those of the table itself. */
static int find_column(const struct sheet *s, const char *id)
{
	int at = s->table ? table_column(s->table, id) : -1,
	    beside = at < 0 && s->beside ? table_column(s->beside, id) : -1;

	return beside < 0 ? at : beside + (int)s->table->ncolumns;
}

void sheet_title_columns(struct sheet *s)
{
	double most;

	for (size_t i = 0; i < s->ncol; i++)
		s->at[i] = s->col[i] == &sheet_bar ? s->at[i - 1] : find_column(s, s->col[i]->id);
	s->size = size_of(s);
	most = largest_duration(s);
	for (size_t i = 0; i < s->ncol; i++) {
		const struct column *c = s->col[i];
		const char *name = name_of(c), *unit = says_unit(c) ? shown_unit(c) : "";

		if (s->at[i] >= 0 && sheet_ps_per_unit(c) > 0) {
			s->unit[i] = unit_of(s, i, most);
			unit = unit_name(s->unit[i], false);
		} else if (c->show == SHOW_SIZE) {
			unit = s->size->name;
			name = c->title ? c->title : c->label;
		} else if (sheet_is_share(c) && c->show != SHOW_BAR) {
			unit = "%";
		}
		s->empty[i] = s->at[i] >= 0 && is_empty(s, i);
		s->longest[i] = s->at[i] >= 0 && sheet_is_elastic(c) ? longest_in(s, i) : 0;
		snprintf(s->title[i], sizeof s->title[i], "%s%s%s", name, *name && *unit ? " " : "", unit);
	}
}

static void add_column(struct sheet *s, const struct column *c, bool hidden, const char *sort)
{
	size_t n = s->ncol;

	if (n == SHEET_COLUMNS)
		return;
	s->col[n] = c;
	s->hidden[n] = s->off[n] = hidden;
	s->at[n] = -1;
	if (sort && !strcmp(c->id, sort)) {
		s->sort = n;
		s->down = true;
	}
	s->ncol++;
}

void sheet_open(struct sheet *s, const struct schema *schema, const char *form, const char *sort)
{
	bool named[SHEET_COLUMNS] = { false }, hidden;
	size_t at;

	*s = (struct sheet){ .schema = schema, .sort = NO_SORT };
	form = form ? form : schema->view;
	for (const char *next = form; schema_next(schema, &next, &at, &hidden);) {
		if (at < SHEET_COLUMNS)
			named[at] = true;
		add_column(s, &schema->columns[at], hidden, sort);
		if (*next == '|')
			add_column(s, &sheet_bar, hidden, NULL);
	}
	s->nform = form ? s->ncol : schema->n;
	for (at = 0; at < schema->n && at < SHEET_COLUMNS; at++)
		if (!named[at])
			add_column(s, &schema->columns[at], form != NULL, sort);
	sheet_title_columns(s);
}

void sheet_add(struct sheet *s, const struct schema *schema, const char *behind)
{
	size_t at = 0, n = schema->n, rest;

	while (at < s->ncol && strcmp(s->col[at]->id, behind))
		at++;
	for (at += at < s->ncol; at < s->ncol && s->col[at] == &sheet_bar;)
		at++;
	if (s->ncol + n > SHEET_COLUMNS)
		return;
	rest = s->ncol - at;
	memmove(s->col + at + n, s->col + at, rest * sizeof *s->col);
	memmove(s->hidden + at + n, s->hidden + at, rest * sizeof *s->hidden);
	memmove(s->off + at + n, s->off + at, rest * sizeof *s->off);
	for (size_t i = 0; i < n; i++) {
		s->col[at + i] = &schema->columns[i];
		s->hidden[at + i] = s->off[at + i] = false;
	}
	s->ncol += n;
	s->nform += at <= s->nform ? n : 0;
	if (s->sort != NO_SORT && s->sort >= at)
		s->sort += n;
	sheet_title_columns(s);
}

void sheet_beside(struct sheet *s, const struct table *t)
{
	bool sorts = s->sort != NO_SORT && (s->at[s->sort] < 0 || s->at[s->sort] >= (int)s->table->ncolumns);

	s->beside = t;
	sheet_title_columns(s);
	sheet_forget_found(s);
	if (sorts || s->filter)
		sheet_make_order(s);
}

void sheet_toggle(struct sheet *s, size_t column)
{
	if (column >= s->ncol)
		return;
	s->chosen = column;
	s->off[column] = !s->off[column];
	sheet_forget_found(s);
	sheet_make_order(s); /* the filter depends on the visible columns */
}

void sheet_hide(struct sheet *s, const char *id, bool hide)
{
	for (size_t i = 0; i < s->ncol; i++)
		if (!strcmp(s->col[i]->id, id))
			s->off[i] = hide;
	sheet_forget_found(s);
}

void sheet_choose(struct sheet *s, struct app *app, void (*on_pick)(struct app *, int))
{
	struct menu_item item[SHEET_COLUMNS];

	for (size_t i = 0; i < s->ncol; i++)
		item[i] = (struct menu_item){ 0, s->col[i] == &sheet_bar ? "(its bar)" : s->title[i],
			s->off[i] ? "" : "shown", NULL };
	app_menu(app, "columns", item, (int)s->ncol, (int)s->chosen, on_pick);
}

/* The column of the n-th line of the menu of orders: those that are shown; SIZE_MAX: no more. */
static size_t sortable(const struct sheet *s, int line)
{
	for (size_t i = 0; i < s->ncol; i++)
		if (sheet_has_values(s, i) && !s->off[i] && !line--)
			return i;
	return SIZE_MAX;
}

void sheet_choose_sort(struct sheet *s, struct app *app, void (*on_pick)(struct app *, int))
{
	struct menu_item item[SHEET_COLUMNS];
	int n = 0, here = 0;

	for (size_t i; (i = sortable(s, n)) != SIZE_MAX; n++) {
		bool now = s->sort == i;

		here = now ? n : here;
		item[n] = (struct menu_item){ 0, s->title[i], now ? s->down ? "down" : "up" : "", NULL };
	}
	app_menu(app, "sort by", item, n, here, on_pick);
}

void sheet_sort_line(struct sheet *s, int line)
{
	size_t i = sortable(s, line);

	if (i != SIZE_MAX)
		sheet_sort(s, s->col[i]->id, -1);
}

size_t sheet_meanings(const struct sheet *s, struct help_note *notes)
{
	size_t n = 0;

	for (int hidden = 0; hidden < 2; hidden++)
		for (size_t i = 0; i < s->ncol; i++)
			if (sheet_has_values(s, i) && s->off[i] == hidden && s->col[i]->meaning)
				notes[n++] = (struct help_note){ s->title[i], s->col[i]->meaning };
	return n;
}
