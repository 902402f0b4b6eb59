#include "config.h"
#include "report/write/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"
#include "base/text/utf8.h"

#define LEVELS_MAX 30 /* deepest indentation of the names of a tree */
#define MICRO "\xc2\xb5"

void text_table(struct text *t, const char *name, const struct column *columns, size_t n)
{
	putc('\n', t->f);
	if (name)
		fprintf(t->f, "%s\n", name);
	t->columns = columns;
	t->ncolumns = n;
	t->layout = xrealloc(t->layout, n + 1, sizeof *t->layout);
	t->at = xrealloc(t->at, n + 1, sizeof *t->at);
	for (t->level = 0; t->level < n && columns[t->level].show != SHOW_LEVEL;)
		t->level++;
	t->fixed = false;
	t->nkept = t->rows = 0;
}

static double number_of(const struct cell *c)
{
	if (c->beyond)
		return 0;
	return c->type == CELL_INT ? (double)c->u.i : c->type == CELL_NUM && isfinite(c->u.d) ? c->u.d : 0;
}

static int decimals_for(double max)
{
	return max < 10 ? 4 : max < 1000 ? 3 : max < 100000 ? 1 : 0;
}

/* A point in time needs enough digits to tell it from its neighbors; a duration needs four or five. */
static bool is_moment(const struct column *c)
{
	return c->show == SHOW_MOMENT;
}

static double largest(const struct text *t, size_t k)
{
	double max = 0;

	for (size_t i = 0; i < t->nkept; i++) {
		double v = fabs(number_of(&t->kept[i * t->ncolumns + k]));

		max = v > max ? v : max;
	}
	return max;
}

/* Returns the smallest value of a column other than 0. */
static double smallest(const struct text *t, size_t k)
{
	double min = largest(t, k);

	for (size_t i = 0; i < t->nkept; i++) {
		double v = fabs(number_of(&t->kept[i * t->ncolumns + k]));

		min = v > 0 && v < min ? v : min;
	}
	return min;
}

static const char *choose_time(const struct text *t, size_t k, double max, struct text_layout *l)
{
	l->form = TEXT_TIME;
	l->unit = max < 1e12 ? UNIT_US : UNIT_MS;
	if (is_moment(&t->columns[k]))
		l->decimals = l->unit == UNIT_MS ? 6 : 3;
	else
		l->decimals = max > 0 && max < 1e6 ? 6 : max < 1e10 || l->unit == UNIT_MS ? 3 : 1;
	return unit_name(l->unit, t->ascii);
}

/* Chooses the form of a column by its unit and largest value; all points in time of a table get the same. */
static void choose_form(const struct text *t, size_t k, struct text_layout *l)
{
	const struct column *c = &t->columns[k];
	double max = 0, factor;
	const char *unit = column_shown_unit(c->unit, &factor);

	for (size_t i = 0; i < t->ncolumns; i++)
		if (i == k || (is_moment(c) && is_moment(&t->columns[i])))
			max = largest(t, i) > max ? largest(t, i) : max;
	*l = (struct text_layout){ .form = TEXT_PLAIN,
		.right = c->type == COL_INTEGER || c->type == COL_NUMBER,
		.scale = factor };
	if (!l->right) {
		l->form = c->type == COL_BOOLEAN ? TEXT_PLAIN : TEXT_WORDS;
		l->prose = l->form == TEXT_WORDS && c->show == SHOW_PROSE;
	} else if (!strcmp(unit, "ps")) {
		unit = choose_time(t, k, max, l);
	} else if (!strcmp(unit, "fraction") || !strcmp(unit, "percent")) {
		l->form = TEXT_PERCENT;
		l->scale = *unit == 'f' ? 100 : 1;
		unit = "%";
	} else if (!strcmp(unit, "B") && smallest(t, k) < MIB / 10) {
		l->form = TEXT_BYTES;
		unit = "";
	} else if (!strcmp(unit, "B")) {
		l->form = TEXT_DECIMALS;
		l->decimals = max < 10 * MIB ? 3 : 1;
		l->scale = 1 / MIB;
		unit = "MiB";
	} else if (c->type == COL_NUMBER) {
		l->form = TEXT_DECIMALS;
		l->decimals = decimals_for(max * factor);
		unit = !strcmp(unit, "us") && !t->ascii ? MICRO "s" : unit;
	}
	snprintf(l->head, sizeof l->head, "%s%s%s", c->label, *unit ? " " : "", unit);
}

static const char *bool_text(bool v)
{
	return v ? "yes" : "-";
}

const char *text_plain(const struct text_layout *l, const struct cell *c, char *buf, size_t size)
{
	if (c->type == CELL_NULL || (c->type == CELL_NUM && !isfinite(c->u.d)))
		return "-";
	if (c->beyond)
		return CELL_BEYOND;
	if (c->type == CELL_BOOL)
		return bool_text(c->u.b);
	if (l->form == TEXT_TIME)
		return units_time_in(buf, size, c->type == CELL_INT ? c->u.i : from_double(round(c->u.d)),
		    l->unit, l->decimals);
	if (l->form == TEXT_BYTES)
		return units_bytes(buf, size, number_of(c));
	if (c->type == CELL_INT && l->form == TEXT_PLAIN)
		snprintf(buf, size, "%" PRId64, c->u.i);
	else
		snprintf(buf, size, "%.*f", l->form == TEXT_PERCENT ? 2 : l->decimals,
		    number_of(c) * l->scale);
	return buf;
}

bool text_is_words(const struct cell *c)
{
	return c->type == CELL_STR || c->type == CELL_OBJ;
}

static int longest_word(const char *s)
{
	int longest = 0;

	for (size_t n; *s; s += n + (s[n] == ' ')) {
		n = strcspn(s, " ");
		longest = utf8_cols(s, n) > longest ? utf8_cols(s, n) : longest;
	}
	return longest;
}

/* Returns the indentation of a name in a tree: its level. */
static int indent_of(const struct text *t, const struct cell *row, size_t k)
{
	int64_t level = k == t->level + 1 ? row[t->level].u.i : 0;

	return level > LEVELS_MAX ? 2 * LEVELS_MAX : 2 * (int)level;
}

static void measure_column(struct text *t, size_t k)
{
	struct text_layout *l = &t->layout[k];
	char buf[64];

	choose_form(t, k, l);
	for (size_t i = 0; i < t->nkept; i++) {
		const struct cell *c = &t->kept[i * t->ncolumns + k];
		const char *s = text_is_words(c) ? c->s : text_plain(l, c, buf, sizeof buf);
		size_t n = text_is_words(c) ? c->n : strlen(s);
		int cols = utf8_cols(s, n) + indent_of(t, c - k, k);

		l->cells = cols > l->cells ? cols : l->cells;
		l->path |= text_is_words(c) && memchr(s, '/', n);
	}
	l->word = longest_word(l->head);
	l->width = utf8_cols(l->head, strlen(l->head));
	l->width = l->cells > l->width ? l->cells : l->width;
}

/* Writes a cell in one line of a row.  `owed` blanks are written only if something follows them. */
static void put_piece(const struct text *t, const struct text_layout *l, int width, const char *s, size_t n,
    int *owed)
{
	int cols = utf8_cols(s, n);

	if (l->right && cols < width)
		*owed += width - cols;
	if (n) {
		text_put_spaces(t, *owed);
		*owed = 0;
		cols = l->form == TEXT_WORDS ? text_put_cut(t, s, n, width) : (fwrite(s, 1, n, t->f), cols);
	}
	*owed += TEXT_GAP + (!l->right && cols < width ? width - cols : 0);
}

/* Returns the width of the list mark of a paragraph, by which its other lines are indented. */
static int mark_of(const struct cell *c)
{
	return c->n > 2 && slice_begins(cell_text(c), "- ") ? 2 : 0;
}

/* Writes the next line of a prose cell and moves *at on; true: there is more. */
static bool put_prose(const struct text *t, const struct text_layout *l, const struct cell *c, size_t *at,
    int *owed)
{
	int indent = *at ? mark_of(c) : 0;
	size_t n = text_line(c->s + *at, c->n - *at, l->width - indent);

	*owed += indent;
	put_piece(t, l, l->width - indent, c->s + *at, n, owed);
	*at += n;
	*at += *at < c->n && (c->s[*at] == ' ' || c->s[*at] == '\n');
	return *at < c->n;
}

static void put_row(const struct text *t, const struct cell *row)
{
	bool more = true;
	char buf[64];

	memset(t->at, 0, t->ncolumns * sizeof *t->at);
	for (int line = 0; more; line++) {
		int owed = 0;

		more = false;
		for (size_t k = 0; k < t->ncolumns; k++) {
			const struct text_layout *l = &t->layout[k];
			const struct cell *c = &row[k];
			int indent = line ? 0 : indent_of(t, row, k);
			const char *s = "";

			if (l->hidden)
				continue;
			if (text_is_words(c) && l->prose && (!line || t->at[k] < c->n)) {
				more |= put_prose(t, l, c, &t->at[k], &owed);
				continue;
			}
			if (!line)
				s = text_is_words(c) ? c->s : text_plain(l, c, buf, sizeof buf);
			indent = indent < l->width / 2 ? indent : l->width / 2;
			owed += indent;
			put_piece(t, l, l->width - indent, s,
			    !line && text_is_words(c) ? text_looked_at(c->n) : strlen(s), &owed);
		}
		putc('\n', t->f);
	}
}

/* Returns how many lines the head of a column takes. */
static size_t head_lines(const struct text_layout *l)
{
	size_t lines = 1;

	for (const char *s = l->head; *s; lines++) {
		size_t n = text_line(s, strlen(s), l->width);

		s += n;
		if (!*s)
			break;
		s += *s == ' ';
	}
	return lines;
}

static const char *head_line(const struct text_layout *l, size_t nth, size_t *n)
{
	const char *s = l->head;

	for (; nth; nth--) {
		s += text_line(s, strlen(s), l->width);
		s += *s == ' ';
	}
	*n = text_line(s, strlen(s), l->width);
	return s;
}

static void put_head(const struct text *t)
{
	size_t lines = 1;

	for (size_t k = 0; k < t->ncolumns; k++)
		if (!t->layout[k].hidden && head_lines(&t->layout[k]) > lines)
			lines = head_lines(&t->layout[k]);
	for (size_t i = 0; i < lines; i++) {
		int owed = 0;

		for (size_t k = 0; k < t->ncolumns; k++) {
			const struct text_layout *l = &t->layout[k];
			size_t above = lines - head_lines(l), n = 0;
			const char *s = "";

			if (l->hidden)
				continue;
			if (i >= above)
				s = head_line(l, i - above, &n);
			put_piece(t, l, l->width, s, n, &owed);
		}
		putc('\n', t->f);
	}
}

static void fix(struct text *t)
{
	for (size_t k = 0; k < t->ncolumns; k++)
		measure_column(t, k);
	text_fit(t);
	put_head(t);
	for (size_t i = 0; i < t->nkept; i++)
		put_row(t, t->kept + i * t->ncolumns);
	t->fixed = true;
}

void text_row(struct text *t, const struct cell *row)
{
	size_t n = t->ncolumns;

	t->rows++;
	if (!t->fixed && t->nkept == TEXT_KEEP)
		fix(t);
	if (t->fixed) {
		put_row(t, row);
		return;
	}
	if (t->nkept == t->kept_cap) {
		t->kept_cap = t->kept_cap ? t->kept_cap * 2 : 64;
		t->kept = xrealloc(t->kept, t->kept_cap, (n ? n : 1) * sizeof *t->kept);
	}
	struct cell *c = t->kept + t->nkept++ * n;

	memcpy(c, row, n * sizeof *c);
	for (size_t k = 0; k < n; k++) {
		if (!text_is_words(&c[k]))
			continue;
		c[k].n = text_looked_at(c[k].n);
		c[k].s = arena_strndup(&t->strings, c[k].s, c[k].n);
	}
}

void text_table_end(struct text *t)
{
	if (!t->fixed)
		fix(t);
	if (!t->rows)
		fputs("(no rows)\n", t->f);
	arena_free(&t->strings);
	free(t->kept);
	t->kept = NULL;
	t->kept_cap = t->nkept = 0;
}
