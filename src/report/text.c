#include "config.h"
#include "report/text.h"

#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"

#define GAP 2
#define NARROWEST 12			/* a text column is not cut below this */
#define LONGEST 4000			/* bytes of a text that are looked at */
#define MICRO "\xc2\xb5"

enum form { FORM_TEXT, FORM_PLAIN, FORM_TIME, FORM_PERCENT, FORM_DECIMALS };

struct layout {
	enum form form;
	enum time_unit unit;
	int decimals, width;
	double scale;			/* of FORM_PERCENT */
	bool right, hidden;		/* hidden: the same in all rows, said once above */
	char head[64];
};

struct text {
	FILE *f;
	int width;
	bool ascii, hosts;
	int column;			/* of the line of hosts */
	struct { char *label, *value; } *sum;
	size_t nsums, sums_cap;
	const struct column *columns; size_t ncolumns;
	struct layout *layout;
	struct cell *kept; size_t nkept, kept_cap;
	struct arena strings;
	uint64_t rows;
	bool fixed;			/* widths are */
};

struct text *text_new(FILE *f, int width)
{
	struct text *t = xcalloc(1, sizeof *t);

	t->f = f;
	t->width = width;
	t->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	return t;
}

void text_free(struct text *t)
{
	if (!t)
		return;
	free(t->sum);
	free(t->layout);
	free(t->kept);
	arena_free(&t->strings);
	free(t);
}

static const char *dot(const struct text *t)
{
	return t->ascii ? " - " : " \xc2\xb7 ";
}

static const char *ellipsis(const struct text *t)
{
	return t->ascii ? "~" : "\xe2\x80\xa6";
}

static void put_clean(const struct text *t, const char *s, size_t n)
{
	char buf[LONGEST * 3 + 8];

	fputs(utf8_clean(buf, sizeof buf, s, n < LONGEST ? n : LONGEST, t->ascii), t->f);
}

void text_title(
    struct text *t, const char *tool, const char *run, const char *file, size_t nfiles, uint64_t bytes)
{
	char size[32];

	fputs(tool, t->f);
	if (run) {
		fprintf(t->f, "%srun ", dot(t));
		put_clean(t, run, strlen(run));
	}
	if (file) {
		fputs(dot(t), t->f);
		put_clean(t, file, strlen(file));
	} else {
		fprintf(t->f, "%s%zu files", dot(t), nfiles);
	}
	fprintf(t->f, "%s%s\n", dot(t), units_bytes(size, sizeof size, (double)bytes));
}

void text_host(struct text *t, const char *s, size_t n, size_t nth)
{
	int cols = utf8_cols(s, n);

	if (!nth)
		t->column = fprintf(t->f, "hosts");
	if (t->width && t->column + GAP + cols > t->width)
		t->column = fprintf(t->f, "\n     ") - 1;
	t->column += fprintf(t->f, "  ") + cols;
	put_clean(t, s, n);
	t->hosts = true;
}

void text_end_hosts(struct text *t)
{
	if (t->hosts)
		putc('\n', t->f);
}

void text_warning(struct text *t, const char *s)
{
	int column = fprintf(t->f, "!");

	while (*s) {			/* by words */
		size_t n = strcspn(s, " ");
		int cols = utf8_cols(s, n);

		if (t->width && column > 1 && column + 1 + cols > t->width)
			column = fprintf(t->f, "\n ") - 1;
		column += fprintf(t->f, " ") + cols;
		put_clean(t, s, n);
		s += n + (s[n] == ' ');
	}
	putc('\n', t->f);
}

/* "steptime_ms_average" is "steptime average" in ms.  Returns the unit. */
static const char *split_unit(const char *id, char *label, size_t size)
{
	static const char *const units[] = { "ps", "ns", "us", "ms", "percent", "fraction", "MiB" };
	const char *unit = "";
	size_t at = 0;

	while (*id && at + 1 < size) {
		size_t n = strcspn(id, "_");
		bool is_unit = false;

		for (size_t i = 0; i < sizeof units / sizeof *units && !*unit; i++) {
			if (strlen(units[i]) == n && !memcmp(units[i], id, n)) {
				unit = units[i];
				is_unit = true;
			}
		}
		if (!is_unit)
			at += (size_t)snprintf(label + at, size - at, "%s%.*s", at ? " " : "", (int)n, id);
		id += n + (id[n] == '_');
		at = at < size ? at : size - 1;
	}
	label[at] = 0;
	return unit;
}

void text_summary(struct text *t, const char *id, const struct cell *c)
{
	char label[64], value[160] = "-";
	const char *unit = split_unit(id, label, sizeof label);

	if (c->type == CELL_STR)
		utf8_clean(value, sizeof value, c->s, c->n, t->ascii);
	else if (c->type == CELL_INT && !strcmp(unit, "ps"))
		units_time(value, sizeof value, c->u.i, t->ascii);
	else if (c->type == CELL_INT)
		units_count(value, sizeof value, c->u.i < 0 ? 0 : (uint64_t)c->u.i);
	else if (c->type == CELL_NUM && isfinite(c->u.d))
		snprintf(value, sizeof value, "%.*f", *unit ? 3 : 4, c->u.d);
	if (*unit && strcmp(unit, "ps") && c->type != CELL_NULL)
		snprintf(value + strlen(value), sizeof value - strlen(value), " %s",
		    !strcmp(unit, "percent") ? "%" : unit);
	VEC_PUSH(t->sum, t->nsums, t->sums_cap);
	t->sum[t->nsums].label = arena_strndup(&t->strings, label, strlen(label));
	t->sum[t->nsums++].value = arena_strndup(&t->strings, value, strlen(value));
}

void text_end_summary(struct text *t)
{
	int label = 0;

	for (size_t i = 0; i < t->nsums; i++)
		label = (int)strlen(t->sum[i].label) > label ? (int)strlen(t->sum[i].label) : label;
	for (size_t i = 0; i < t->nsums; i++)
		fprintf(t->f, "%s%-*s  %s\n", i ? "" : "\n", label, t->sum[i].label, t->sum[i].value);
	t->nsums = 0;
}

void text_table(struct text *t, const char *name, const struct column *columns, size_t n)
{
	putc('\n', t->f);
	if (name)
		fprintf(t->f, "%s\n", name);
	t->columns = columns;
	t->ncolumns = n;
	t->layout = xrealloc(t->layout, n + 1, sizeof *t->layout);
	t->fixed = false;
	t->nkept = t->rows = 0;
}

static double number(const struct cell *c)
{
	return c->type == CELL_INT ? (double)c->u.i : c->type == CELL_NUM && isfinite(c->u.d) ? c->u.d : 0;
}

static int decimals_for(double max)
{
	return max < 10 ? 4 : max < 1000 ? 3 : max < 100000 ? 1 : 0;
}

/* A moment must be told from its neighbours; of a duration four or five digits are enough. */
static bool is_moment(const char *id)
{
	return !strncmp(id, "start_", 6) || !strncmp(id, "first_", 6) || !strncmp(id, "last_", 5);
}

static double largest(const struct text *t, size_t k)
{
	double max = 0;

	for (size_t i = 0; i < t->nkept; i++) {
		double v = fabs(number(&t->kept[i * t->ncolumns + k]));

		max = v > max ? v : max;
	}
	return max;
}

/* How a column reads: decided by its unit and the largest value; all moments of a table alike. */
static void choose_form(const struct text *t, size_t k, struct layout *l)
{
	const struct column *c = &t->columns[k];
	const char *unit = c->unit;
	double max = 0;

	for (size_t i = 0; i < t->ncolumns; i++)
		if (i == k || (is_moment(c->id) && is_moment(t->columns[i].id)))
			max = largest(t, i) > max ? largest(t, i) : max;
	*l = (struct layout){
		.form = FORM_PLAIN, .right = c->type == COL_INTEGER || c->type == COL_NUMBER, .scale = 1
	};
	if (!l->right) {
		l->form = c->type == COL_BOOLEAN ? FORM_PLAIN : FORM_TEXT;
	} else if (!strcmp(unit, "ps")) {
		l->form = FORM_TIME;
		l->unit = max < 1e12 ? UNIT_US : UNIT_MS;
		if (is_moment(c->id))
			l->decimals = l->unit == UNIT_MS ? 6 : 3;
		else
			l->decimals = max > 0 && max < 1e6 ? 6 : max < 1e10 || l->unit == UNIT_MS ? 3 : 1;
		unit = unit_name(l->unit, t->ascii);
	} else if (!strcmp(unit, "fraction") || !strcmp(unit, "percent")) {
		l->form = FORM_PERCENT;
		l->scale = *unit == 'f' ? 100 : 1;
		unit = "%";
	} else if (c->type == COL_NUMBER) {
		l->form = FORM_DECIMALS;
		l->decimals = decimals_for(max);
		unit = !strcmp(unit, "us") && !t->ascii ? MICRO "s" : unit;
	}
	snprintf(l->head, sizeof l->head, "%s%s%s", c->label, *unit ? " " : "", unit);
}

static const char *bool_text(bool v)
{
	return v ? "yes" : "-";
}

/* A cell that is no text. */
static const char *plain_text(const struct layout *l, const struct cell *c, char *buf, size_t size)
{
	if (c->type == CELL_NULL || (c->type == CELL_NUM && !isfinite(c->u.d)))
		return "-";
	if (c->type == CELL_BOOL)
		return bool_text(c->u.b);
	if (l->form == FORM_TIME)
		return units_time_in(
		    buf, size, c->type == CELL_INT ? c->u.i : llround(c->u.d), l->unit, l->decimals);
	if (c->type == CELL_INT && l->form == FORM_PLAIN)
		snprintf(buf, size, "%" PRId64, c->u.i);
	else
		snprintf(buf, size, "%.*f", l->form == FORM_PERCENT ? 2 : l->decimals, number(c) * l->scale);
	return buf;
}

static bool is_text(const struct cell *c)
{
	return c->type == CELL_STR || c->type == CELL_OBJ;
}

static size_t looked_at(const struct cell *c)
{
	return c->n < LONGEST ? c->n : LONGEST;
}

static int measure(struct text *t, size_t k)
{
	struct layout *l = &t->layout[k];
	char buf[64];

	choose_form(t, k, l);
	l->width = utf8_cols(l->head, strlen(l->head));
	for (size_t i = 0; i < t->nkept; i++) {
		const struct cell *c = &t->kept[i * t->ncolumns + k];
		const char *s = is_text(c) ? c->s : plain_text(l, c, buf, sizeof buf);
		int cols = utf8_cols(s, is_text(c) ? looked_at(c) : strlen(s));

		l->width = cols > l->width ? cols : l->width;
	}
	return l->width;
}

static bool always_same(const struct text *t, size_t k)
{
	const struct cell *first;

	if (t->nkept < 2)
		return false;
	first = &t->kept[k];
	for (size_t i = 0; i < t->nkept; i++) {
		const struct cell *c = &t->kept[i * t->ncolumns + k];

		if (!is_text(c) || c->n != first->n || memcmp(c->s, first->s, c->n))
			return false;
	}
	return t->rows == t->nkept;
}

/* Too wide: a text that is the same in all rows is said once; then the widest text gives way. */
static void choose_widths(struct text *t)
{
	int total = -GAP;

	for (size_t k = 0; k < t->ncolumns; k++)
		total += measure(t, k) + GAP;
	for (size_t k = 0; t->width && k < t->ncolumns && total > t->width; k++) {
		struct layout *l = &t->layout[k];

		if (l->form != FORM_TEXT || !always_same(t, k))
			continue;
		l->hidden = true;
		total -= l->width + GAP;
		fprintf(t->f, "%s  ", l->head);
		put_clean(t, t->kept[k].s, t->kept[k].n);
		putc('\n', t->f);
	}
	while (t->width && total > t->width) {
		struct layout *widest = NULL;

		for (size_t k = 0; k < t->ncolumns; k++) {
			struct layout *l = &t->layout[k];

			if (l->hidden || l->form != FORM_TEXT || l->width <= NARROWEST)
				continue;
			if (!widest || l->width > widest->width)
				widest = l;
		}
		if (!widest)
			break;
		widest->width--;
		total--;
	}
}

static void put_spaces(const struct text *t, int n)
{
	for (; n > 0; n--)
		putc(' ', t->f);
}

/* The part of a clean text behind which `cols` columns are left. */
static const char *tail(const char *s, int cols)
{
	const char *end = s + strlen(s);
	int left = utf8_cols(s, (size_t)(end - s));

	while (s < end && left > cols)
		left -= utf8_width(utf8_safe(utf8_next(&s, end)));
	return s;
}

/* Cut in the middle: the end of a name (".123") tells as much as its begin. */
static int put_cut(const struct text *t, const char *s, size_t n, int width)
{
	char buf[LONGEST * 3 + 8];
	int cols, front;
	size_t head;
	const char *rest;

	utf8_clean(buf, sizeof buf, s, n, t->ascii);
	cols = utf8_cols(buf, strlen(buf));
	if (cols <= width) {
		fputs(buf, t->f);
		return cols;
	}
	front = (width - 1) * 2 / 3;
	head = utf8_fit(buf, strlen(buf), front);
	rest = tail(buf, width - 1 - front);
	fwrite(buf, 1, head, t->f);
	fputs(ellipsis(t), t->f);
	fputs(rest, t->f);
	return utf8_cols(buf, head) + 1 + utf8_cols(rest, strlen(rest));
}

static void put_row(const struct text *t, const struct cell *row)
{
	char buf[64];
	int owed = 0;			/* blanks, written only when something follows */

	for (size_t k = 0; k < t->ncolumns; k++) {
		const struct layout *l = &t->layout[k];
		const struct cell *c = &row[k];
		int cols;

		if (l->hidden)
			continue;
		if (is_text(c)) {
			put_spaces(t, c->n ? owed : 0);
			owed = c->n ? 0 : owed;
			cols = c->n ? put_cut(t, c->s, looked_at(c), l->width) : 0;
		} else {
			const char *s = plain_text(l, c, buf, sizeof buf);

			cols = (int)strlen(s);
			put_spaces(t, owed + (l->right && cols < l->width ? l->width - cols : 0));
			owed = 0;
			fputs(s, t->f);
			cols = l->right && cols < l->width ? l->width : cols;
		}
		owed += l->width - cols + GAP;
		owed = owed < GAP ? GAP : owed;
	}
	putc('\n', t->f);
}

static void put_head(const struct text *t)
{
	int owed = 0;

	for (size_t k = 0; k < t->ncolumns; k++) {
		const struct layout *l = &t->layout[k];
		int cols = utf8_cols(l->head, strlen(l->head)), room = l->width - cols;

		if (l->hidden)
			continue;
		put_spaces(t, owed + (l->right ? room : 0));
		fputs(l->head, t->f);
		owed = GAP + (l->right ? 0 : room);
	}
	putc('\n', t->f);
}

static void fix(struct text *t)
{
	choose_widths(t);
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
		if (!is_text(&c[k]))
			continue;
		c[k].n = looked_at(&c[k]);
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
