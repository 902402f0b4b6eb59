#include "config.h"
#include "widget/sheet/sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "core/overlay.h"
#include "widget/bar.h"
#include "widget/sheet/internal.h"

#define NO_SORT SIZE_MAX
#define GAP 2
#define ELASTIC_MIN 16

static bool is_elastic(const struct column *c)
{
	return c->width <= 0;
}

static int least_width(const struct column *c)
{
	return c->width ? abs(c->width) : ELASTIC_MIN;
}

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

static const struct cell *cell_of(const struct sheet *s, size_t row, size_t column)
{
	const struct table *t = s->table;

	return s->at[column] < 0 ? NULL : &t->cells[row * t->ncolumns + (size_t)s->at[column]];
}

static bool is_number(const struct column *c)
{
	return c->type == COL_INTEGER || c->type == COL_NUMBER;
}

/* Is it a share, shown in percent? */
static bool is_share(const struct column *c)
{
	return !strcmp(c->unit, "percent") || !strcmp(c->unit, "fraction");
}

static double share_of(const struct column *c, double v)
{
	return strcmp(c->unit, "percent") ? v : v / 100;
}

/* ps per unit of the column; 0: not a time */
static double time_of(const struct column *c)
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

static double number_of(const struct cell *c)
{
	return c->type == CELL_INT ? (double)c->u.i : c->type == CELL_NUM ? c->u.d : NAN;
}

/* --- order --- */

static bool cell_matches(const struct cell *c, const struct regex *re, struct regex_scratch *scratch)
{
	return c && c->type == CELL_STR && regex_match(re, scratch, c->s, c->n, NULL, NULL);
}

static bool row_matches(const struct sheet *s, const struct regex *re, struct regex_scratch *scratch,
    size_t row)
{
	for (size_t i = 0; i < s->ncol; i++)
		if ((s->all ? i < s->nform : !s->off[i]) && cell_matches(cell_of(s, row, i), re, scratch))
			return true;
	return false;
}

/* Matches of the filter by row; NULL: all rows. */
static bool *matching_rows(const struct sheet *s, size_t n)
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

static size_t *all_rows(const struct sheet *s, size_t n)
{
	size_t *rows;

	if (s->table && s->sort != NO_SORT && s->at[s->sort] >= 0)
		return table_order(s->table, (size_t)s->at[s->sort], s->down);
	rows = xcalloc(n + 1, sizeof *rows);
	for (size_t i = 0; i < n; i++)
		rows[i] = s->down || s->sort == NO_SORT ? i : n - 1 - i;
	return rows;
}

static void forget_order(struct sheet *s)
{
	if (s->whole != s->order)
		free(s->whole);
	free(s->order);
	s->order = s->whole = NULL;
	s->list.n = s->nwhole = 0;
}

size_t sheet_row(const struct sheet *s)
{
	return s->order && s->list.at < s->list.n ? s->order[s->list.at] : SIZE_MAX;
}

const void *sheet_of(const struct sheet *s, size_t row)
{
	return s->of && s->table && row < s->table->nrows ? (const char *)s->of + row * s->of_size : NULL;
}

const void *sheet_here(const struct sheet *s)
{
	return sheet_of(s, sheet_row(s));
}

static bool go_to(struct sheet *s, size_t row)
{
	for (size_t i = 0; i < s->list.n; i++) {
		if (s->order[i] != row)
			continue;
		s->list.at = i;
		list_fit(&s->list, s->list.rows);
		return true;
	}
	return false;
}

/* The line of a row, or of its closest ancestor that is visible. */
static bool stay_at(struct sheet *s, size_t row)
{
	size_t n = s->table ? s->table->nrows : 0;

	while (row < n && !go_to(s, row))
		row = s->tree.parent ? s->tree.parent[row] : SIZE_MAX;
	return row < n;
}

static int find_hit(struct sheet *, const struct regex *, int dir, bool open);

static void make_order(struct sheet *s)
{
	size_t row = sheet_row(s), n = s->table ? s->table->nrows : 0, kept = 0, *rows = all_rows(s, n);
	bool *pass = matching_rows(s, n);

	forget_order(s);
	if (s->tree.parent) {
		s->order = xcalloc(n + 1, sizeof *s->order);
		s->whole = xcalloc(n + 1, sizeof *s->whole);
		sheet_tree_arrange(s, rows, pass);
		free(rows);
	} else {
		for (size_t i = 0; i < n; i++)
			if (!pass || pass[rows[i]])
				rows[kept++] = rows[i];
		s->order = s->whole = rows;
		s->list.n = s->nwhole = kept;
	}
	free(pass);
	if (s->still || !stay_at(s, row))
		s->list.at = s->list.top = 0;
	if (s->find)
		find_hit(s, s->find, 0, false);
}

bool sheet_go(struct sheet *s, size_t row)
{
	bool kept = go_to(s, row);

	for (size_t i = 0; !kept && s->tree.parent && i < s->nwhole; i++)
		if (s->whole[i] == row) {
			sheet_tree_reveal(s, row);
			make_order(s);
			kept = go_to(s, row);
		}
	return kept;
}

bool sheet_show(struct sheet *s, size_t row)
{
	if (sheet_go(s, row))
		return true;
	sheet_filter(s, "", NULL);
	return sheet_go(s, row);
}

static double largest_in(const struct sheet *s, size_t column)
{
	double most = 0;

	for (size_t i = 0; s->table && i < s->table->nrows; i++) {
		double v = fabs(number_of(cell_of(s, i, column))); /* NaN never compares as larger */

		most = v > most ? v : most;
	}
	return most;
}

/* The unit in which the largest time of a column has two to four digits before the point, so that small ones
 * have some, too.  A column of zeros is in milliseconds. */
static enum time_unit unit_of(const struct sheet *s, size_t column, double ps)
{
	double most = largest_in(s, column);

	if (!(most > 0))
		return UNIT_MS;
	return unit_for(most * ps < 9e18 ? (int64_t)(most * ps / 10) : INT64_MAX);
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
	    (is_elastic(c) || cols <= c->width);
}

static void name_columns(struct sheet *s)
{
	for (size_t i = 0; i < s->ncol; i++)
		s->at[i] = s->table ? table_column(s->table, s->col[i]->id) : -1;
	s->size = size_of(s);
	for (size_t i = 0; i < s->ncol; i++) {
		const struct column *c = s->col[i];
		const char *name = name_of(c), *unit = says_unit(c) ? shown_unit(c) : "";

		if (s->at[i] >= 0 && time_of(c) > 0) {
			s->unit[i] = unit_of(s, i, time_of(c));
			unit = unit_name(s->unit[i], false);
		} else if (c->show == SHOW_SIZE) {
			unit = s->size->name;
			name = c->title ? c->title : c->label;
		} else if (is_share(c) && c->show != SHOW_BAR) {
			unit = "%";
		}
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
	}
	s->nform = form ? s->ncol : schema->n;
	for (at = 0; at < schema->n && at < SHEET_COLUMNS; at++)
		if (!named[at])
			add_column(s, &schema->columns[at], form != NULL, sort);
	name_columns(s);
}

void sheet_free(struct sheet *s)
{
	forget_order(s);
	free(s->tree.state);
	for (int i = 0; i < 2; i++)
		free(s->tree.marks[i].v);
	free(s->named);
	regex_free(s->filter);
	*s = (struct sheet){ .sort = NO_SORT };
}

void sheet_set_rows(struct sheet *s, const struct sheet_rows *r)
{
	size_t top = s->list.top, fresh;

	forget_order(s); /* it belonged to another table */
	s->table = r->table;
	s->of = r->table ? r->of : NULL;
	s->of_size = r->size;
	s->tree.parent = r->table ? r->parent : NULL;
	s->tree.key = r->key;
	name_columns(s);
	if (!r->table)
		return;
	make_order(s);
	fresh = s->list.top;
	s->list.top = top; /* keep its place on the screen, if possible */
	if (!sheet_return(s))
		s->list.top = fresh;
}

void sheet_set(struct sheet *s, const struct table *t)
{
	sheet_set_rows(s, &(struct sheet_rows){ .table = t });
}

static bool sorts_down(const struct sheet *s, size_t column)
{
	return is_number(s->col[column]) && s->col[column]->show != SHOW_MOMENT;
}

int sheet_sort(struct sheet *s, const char *id, int down, struct err *e)
{
	char all[320] = "";

	if (!id) {
		s->sort = NO_SORT;
		s->down = true;
		make_order(s);
		return 0;
	}
	for (size_t i = 0; i < s->ncol; i++) {
		if (!strcmp(s->col[i]->id, id)) {
			s->sort = i;
			s->down = down < 0 ? sorts_down(s, i) : down;
			s->list.at = s->list.top = 0;
			forget_order(s);
			make_order(s);
			return 0;
		}
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", s->col[i]->id);
	}
	return err_set(e, EXIT_USAGE, ERR_NOWHERE, "unknown column '%s'; columns: %s", id, all);
}

/* Scrolls to the cursor, if the number of rows is known already. */
static bool is_seen(const struct sheet *s, size_t column)
{
	return !s->off[column] && s->at[column] >= 0 && (!s->x[s->ncol] || s->x[column] < s->x[column + 1]);
}

static void sort_by(struct sheet *s, int by)
{
	size_t at = s->sort == NO_SORT ? by > 0 ? s->ncol - 1 : 0 : s->sort;

	for (size_t i = 0; i < s->ncol; i++) {
		at = by > 0 ? (at + 1) % s->ncol : (at + s->ncol - 1) % s->ncol;
		if (is_seen(s, at))
			break;
	}
	sheet_sort(s, s->col[at]->id, -1, NULL);
}

unsigned sheet_act(struct sheet *s, enum action a, int count)
{
	int n = count > 0 ? count : 1;

	if (s->tree.parent && sheet_tree_act(s, a) != ACT_PASS) {
		size_t row = sheet_row(s);

		make_order(s);
		stay_at(s, row);
		return REACT_REDRAW;
	}
	switch (a) {
	case ACT_SORT_NEXT:
		sort_by(s, 1);
		return REACT_REDRAW;
	case ACT_SORT_PREV:
		sort_by(s, -1);
		return REACT_REDRAW;
	case ACT_SORT_REVERSE:
		s->down = !s->down;
		make_order(s);
		return REACT_REDRAW;
	case ACT_RIGHT:
		s->shift = s->shift + 8 * n < s->shift_most ? s->shift + 8 * n : s->shift_most;
		return REACT_REDRAW;
	case ACT_LEFT:
		s->shift = s->shift > 8 * n ? s->shift - 8 * n : 0;
		return REACT_REDRAW;
	default:
		return list_react(&s->list, a, count);
	}
}

void sheet_scroll(struct sheet *s, int pages)
{
	int rows = s->list.rows > 0 ? s->list.rows : 1;
	int64_t to = (int64_t)s->list.top + (int64_t)pages * rows, last = (int64_t)s->list.n - rows;

	to = to < last ? to : last;
	s->list.at = s->list.top = to > 0 ? (size_t)to : 0;
}

/* --- searching --- */

/* open: may open closed lines for a hit */
static int find_hit(struct sheet *s, const struct regex *re, int dir, bool open)
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
	if (best != SIZE_MAX && !go_to(s, s->whole[best]) && open) {
		size_t hit = s->hit;

		sheet_go(s, s->whole[best]);
		s->hit = hit;
	}
	return (int)s->hits;
}

int sheet_find(struct sheet *s, const struct regex *re, int dir)
{
	return find_hit(s, re, dir, true);
}

int sheet_filter(struct sheet *s, const char *pattern, struct err *e)
{
	struct regex *re = *pattern ? regex_new(pattern, true, e) : NULL;

	if (*pattern && !re)
		return -1;
	regex_free(s->filter);
	s->filter = re;
	s->tree.marks[1].n = 0;
	make_order(s);
	return (int)s->list.n;
}

/* --- texts --- */

/* A value that is not 0 is never shown as 0.  Moments are shown with enough digits to tell neighbors
 * apart. */
static void time_text(char *buf, size_t size, int64_t ps, enum time_unit unit, bool moment)
{
	if (!moment && ps > 0 && ps < unit_ps[unit] / 2000)
		snprintf(buf, size, "<0.001");
	else
		units_time_in(buf, size, ps, unit, unit == UNIT_PS ? 0 : moment ? 6 : 3);
}

static void number_text(const struct sheet *s, size_t column, const struct cell *cell, char *buf, size_t size)
{
	const struct column *c = s->col[column];
	double v = number_of(cell), ps = time_of(c), factor;

	column_shown_unit(c->unit, &factor);
	v *= factor;
	if (isnan(v))
		snprintf(buf, size, "–");
	else if (is_share(c))
		units_percent(buf, size, share_of(c, v));
	else if (ps > 0 && fabs(v * ps) < 9e18)
		time_text(buf, size, (int64_t)llround(v * ps), s->unit[column], c->show == SHOW_MOMENT);
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
	const struct cell *c = s->table ? cell_of(s, row, column) : NULL;

	*buf = 0;
	if (!c || c->type == CELL_NULL)
		snprintf(buf, size, "–");
	else if (c->type == CELL_STR)
		snprintf(buf, size, "%.*s", (int)(c->n < size ? c->n : size), c->s);
	else if (c->type == CELL_BOOL)
		snprintf(buf, size, "%s", c->u.b ? "yes" : "no");
	else if (c->beyond)
		snprintf(buf, size, "%s", CELL_BEYOND);
	else
		number_text(s, column, c, buf, size);
}

const char *sheet_title(const struct sheet *s, size_t column)
{
	return name_of(s->col[column]);
}

static void copy_cell(FILE *out, const struct cell *c)
{
	switch (c->type) {
	case CELL_INT:
		fprintf(out, "%" PRId64, c->u.i);
		break;
	case CELL_NUM:
		if (isfinite(c->u.d))
			fprintf(out, "%.10g", c->u.d);
		break;
	case CELL_BOOL:
		fputs(c->u.b ? "true" : "false", out);
		break;
	case CELL_STR:
		for (size_t i = 0; i < c->n; i++)
			fputc((unsigned char)c->s[i] < ' ' || c->s[i] == 0x7f ? ' ' : c->s[i], out);
		break;
	default:
		break;
	}
}

int sheet_copy(const struct sheet *s, FILE *out)
{
	size_t row = sheet_row(s);

	for (size_t i = 0; row != SIZE_MAX && i < s->ncol; i++) {
		if (s->at[i] < 0)
			continue;
		fprintf(out, "%s\t", s->col[i]->id);
		copy_cell(out, cell_of(s, row, i));
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
			copy_cell(out, table_at(t, order ? order[i] : i, k));
		}
	fputc('\n', out);
}

void sheet_copy_rows(const struct sheet *s, FILE *out)
{
	if (s->table)
		sheet_copy_table(s->table, s->order, s->list.n, out);
}

/* --- drawing --- */

/* Computes widths that fill `room`; 0 = not shown.  Elastic columns share the remaining width. */
static void column_widths(const struct sheet *s, int room, int *width)
{
	bool gone[SHEET_COLUMNS];

	for (size_t i = 0; i < s->ncol; i++)
		gone[i] = s->off[i] || s->at[i] < 0;
	for (;;) {
		int need = -GAP, shares = 0;
		size_t worst = s->ncol;

		for (size_t i = 0; i < s->ncol; i++) {
			if (gone[i])
				continue;
			need += GAP + least_width(s->col[i]);
			shares += is_elastic(s->col[i]);
			if (s->col[i]->drop && (worst == s->ncol || s->col[i]->drop > s->col[worst]->drop))
				worst = i;
		}
		if (need > room && worst < s->ncol) {
			gone[worst] = true;
			continue;
		}
		for (size_t i = 0; i < s->ncol; i++) {
			int extra =
			    is_elastic(s->col[i]) && !gone[i] && room > need ? (room - need) / shares-- : 0;

			width[i] = gone[i] ? 0 : least_width(s->col[i]) + extra;
			need += extra;
		}
		return;
	}
}

/* Shortens a number that does not fit: without decimals and commas, else in thousands; digits are never cut
 * off. */
static void shorten_number(char *text, size_t size, int w)
{
	static const char suffix[] = "KMGTPE";
	double v;
	size_t n = 0;
	int i = -1;

	if (*text == *CELL_BEYOND) {
		snprintf(text, size, "%.*s", w, CELL_BEYOND);
		return;
	}
	for (const char *s = text; *s; s++)
		if (*s != ',')
			text[n++] = *s;
	text[n] = 0;
	v = strtod(text, NULL);
	if (snprintf(text, size, "%.0f", v) <= w)
		return;
	while (fabs(v) >= 1000 && i < 5) {
		v /= 1000;
		i++;
	}
	snprintf(text, size, "%.*f%c", fabs(v) < 10, v, suffix[i < 0 ? 0 : i]);
}

static void put_cell(struct sheet *s, struct canvas *c, int y, int x, int w, size_t i, enum role role,
    const char *text)
{
	size_t len = strlen(text);
	int cols = utf8_cols(text, len), skip = is_elastic(s->col[i]) ? s->shift : 0;

	if (is_number(s->col[i])) {
		canvas_text(c, y, cols < w ? x + w - cols : x, w, role, 0, text, len);
		return;
	}
	if (is_elastic(s->col[i]) && cols + 1 - w > s->shift_most)
		s->shift_most = cols + 1 - w;
	if (skip > cols + 1 - w)
		skip = cols > w ? cols + 1 - w : 0;
	if (s->col[i]->show == SHOW_LEFT && !s->shift && cols > w)
		skip = cols - w + 1;
	for (int k = 0; k < skip && len;) {
		const char *next = text;

		utf8_next(&next, text + len);
		k += utf8_cols(text, (size_t)(next - text));
		len -= (size_t)(next - text);
		text = next;
	}
	if (skip) {
		canvas_glyph(c, y, x, GLYPH_ELLIPSIS, role, 0);
		canvas_text(c, y, x + 1, w - 1, role, 0, text, len);
	} else {
		canvas_cut(c, y, x, w, role, 0, text, len);
	}
}

static void draw_head(struct sheet *s, struct canvas *c, int y, const int *width, struct rect r)
{
	int x = r.x + 1 + s->lead;

	s->y = y;
	for (size_t i = 0; i < s->ncol; i++) {
		bool here = i == s->sort;
		enum role role = here ? ROLE_BOLD : ROLE_DIM;
		int w = width[i], cols = utf8_cols(s->title[i], strlen(s->title[i])), mark = 0, at;

		s->x[i] = x;
		if (!w)
			continue;
		if (here) /* with a space before it, or at least the space between the columns */
			mark = cols + 2 <= w ? 2 : 1;
		cols = cols < w ? cols : w;
		at = is_number(s->col[i]) ? x + w - cols - (mark > 1 ? mark : 0) : x;
		at += canvas_str(c, y, at, cols, role, 0, s->title[i]);
		if (mark > 1)
			canvas_put(c, y, at, ' ', role, 0);
		if (here)
			canvas_glyph(c, y, at + mark - 1, s->down ? GLYPH_SORT_DOWN : GLYPH_SORT_UP, role, 0);
		x += w + GAP;
	}
	s->x[s->ncol] = x;
}

static void draw_row(struct sheet *s, struct canvas *c, int y, size_t row, const int *width, struct rect r,
    struct regex_scratch *scratch)
{
	int x = r.x + 1 + s->lead;

	for (size_t i = 0; i < s->ncol; i++) {
		enum role role =
		    s->role && s->at[i] >= 0 ? s->role(s->ctx, row, (size_t)s->at[i]) : ROLE_TEXT;
		char text[512];
		int at = 0;

		if (!width[i])
			continue;
		if (scratch && cell_matches(cell_of(s, row, i), s->find, scratch))
			role = ROLE_HIT;
		if (s->col[i]->show == SHOW_BAR) {
			bar_draw(c, y, x, width[i], share_of(s->col[i], number_of(cell_of(s, row, i))), role,
			    false);
		} else {
			sheet_text(s, row, i, text, sizeof text);
			if (is_number(s->col[i]) && utf8_cols(text, strlen(text)) > width[i])
				shorten_number(text, sizeof text, width[i]);
			if (s->col[i]->show == SHOW_TREE && s->tree.parent)
				at = sheet_tree_sign(s, c, y, x, width[i], row);
			put_cell(s, c, y, x + at, width[i] - at, i, role, text);
		}
		x += width[i] + GAP;
	}
}

void sheet_draw(struct sheet *s, struct canvas *c, struct rect r)
{
	int width[SHEET_COLUMNS] = { 0 };
	struct regex_scratch *scratch;
	struct rect old;

	if (!s->table || r.h < 2)
		return;
	old = canvas_clip(c, r);
	column_widths(s, r.w - 2 - s->lead, width);
	s->shift_most = 0;
	list_fit(&s->list, r.h - 1);
	s->list.y = r.y + 1;
	draw_head(s, c, r.y, width, r);
	scratch = s->find ? regex_scratch_new(s->find) : NULL;
	for (int i = 0; i < r.h - 1 && s->list.top + (size_t)i < s->list.n; i++) {
		size_t line = s->list.top + (size_t)i;

		draw_row(s, c, r.y + 1 + i, s->order[line], width, r, scratch);
		if (line == s->list.at && !s->still)
			canvas_role(c, (struct rect){ r.y + 1 + i, r.x, 1, r.w }, ROLE_SELECTED, 0);
		if (s->mark)
			s->mark(s->ctx, s->order[line], c, (struct rect){ r.y + 1 + i, r.x, 1, r.w });
	}
	regex_scratch_free(scratch);
	if (!s->list.n)
		canvas_str(c, r.y + 1, r.x + 1, r.w - 2, ROLE_DIM, 0,
		    s->filter ? "no line matches the filter (& and Enter ends it)" : "no lines");
	canvas_clip(c, old);
}

void sheet_status(const struct sheet *s, char *buf, size_t size)
{
	char n[80], all[24];

	units_count(n, sizeof n, s->list.n ? s->list.at + 1 : 0);
	units_count(all, sizeof all, s->list.n);
	snprintf(buf, size, "%s of %s", n, all);
	if (s->filter)
		snprintf(buf + strlen(buf), size - strlen(buf), "   & %s", regex_pattern(s->filter));
	sheet_sorted(s, n, sizeof n);
	if (*n)
		snprintf(buf + strlen(buf), size - strlen(buf), "   %s", n);
}

void sheet_sorted(const struct sheet *s, char *buf, size_t size)
{
	*buf = '\0';
	if (s->sort != NO_SORT)
		snprintf(buf, size, "by %s%s", name_of(s->col[s->sort]),
		    s->down == sorts_down(s, s->sort) ? "" : ", reversed");
}

void sheet_find_status(const struct sheet *s, char *buf, size_t size)
{
	snprintf(buf, size, "hit %zu of %zu", s->hit, s->hits);
}

/* --- choosing --- */

bool sheet_click(struct sheet *s, int y, int x)
{
	int line = list_line_at(&s->list, y);

	if (line >= 0) {
		s->list.at = (size_t)line;
		return true;
	}
	for (size_t i = 0; y == s->y && i < s->ncol; i++) {
		if (x < s->x[i] || x >= s->x[i + 1] - 1 || s->off[i] || s->at[i] < 0)
			continue;
		if (s->sort == i)
			sheet_act(s, ACT_SORT_REVERSE, 1);
		else
			sheet_sort(s, s->col[i]->id, -1, NULL);
		return true;
	}
	return false;
}

void sheet_toggle(struct sheet *s, size_t column)
{
	if (column >= s->ncol)
		return;
	s->chosen = column;
	s->off[column] = !s->off[column];
	make_order(s); /* the filter depends on the visible columns */
}

void sheet_hide(struct sheet *s, const char *id, bool hide)
{
	for (size_t i = 0; i < s->ncol; i++)
		if (!strcmp(s->col[i]->id, id))
			s->off[i] = hide;
}

void sheet_choose(struct sheet *s, struct app *app, void (*on_pick)(struct app *, int))
{
	struct menu_item item[SHEET_COLUMNS];

	for (size_t i = 0; i < s->ncol; i++)
		item[i] = (struct menu_item){ 0, s->title[i], s->off[i] ? "" : "shown" };
	app_menu(app, "columns", item, (int)s->ncol, (int)s->chosen, on_pick);
}

void sheet_save(const struct sheet *s, struct kv *kv)
{
	if (s->sort != NO_SORT)
		kv_putf(kv, "sort", "%s:%s", s->col[s->sort]->id, s->down ? "desc" : "asc");
	for (size_t i = 0; i < s->ncol; i++)
		if (s->off[i] != s->hidden[i])
			kv_putf(kv, "column", "%s", s->col[i]->id);
	if (s->filter)
		kv_put(kv, "filter", regex_pattern(s->filter));
	if (s->named)
		kv_put(kv, "row", s->named);
}

void sheet_restore(struct sheet *s, const struct kv *kv)
{
	const char *text = kv_get(kv, "sort");
	size_t n = text ? strcspn(text, ":") : 0;

	for (size_t i = 0; n && i < s->ncol; i++)
		if (strlen(s->col[i]->id) == n && !memcmp(s->col[i]->id, text, n))
			sheet_sort(s, s->col[i]->id, strcmp(text + n, ":asc") != 0, NULL);
	for (size_t at = 0; (text = kv_next(kv, "column", &at));)
		for (size_t i = 0; i < s->ncol; i++)
			if (!strcmp(s->col[i]->id, text))
				s->off[i] = !s->hidden[i];
	if ((text = kv_get(kv, "filter")))
		sheet_filter(s, text, NULL);
	if ((text = kv_get(kv, "row"))) {
		free(s->named);
		s->named = xstrdup(text);
	}
}
