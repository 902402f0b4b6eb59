#include "config.h"
#include "view/ops/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "widget/card.h"

enum { LABEL_COLS = 18, FIELD_COLS = 36, WIDE = 60 };

static double cell_number(const struct cell *c)
{
	return c->type == CELL_INT ? (double)c->u.i : c->type == CELL_NUM ? c->u.d : NAN;
}

static void number_text(double v, const struct column *col, bool ascii, char *buf, size_t size)
{
	char n[32];

	if (!strcmp(col->unit, "us"))
		units_time(buf, size, from_double(round(v * 1e6)), ascii);
	else if (!strcmp(col->unit, "percent") || !strcmp(col->unit, "fraction"))
		snprintf(buf, size, "%s %%", units_percent(n, sizeof n, *col->unit == 'p' ? v / 100 : v));
	else if (!strcmp(col->unit, "GFLOP/s"))
		units_si(buf, size, v * 1e9, "FLOP/s");
	else if (!strcmp(col->unit, "GiB/s"))
		units_si(buf, size, v * GIB, "B/s");
	else if (col->type == COL_INTEGER)
		units_count(buf, size, v > 0 ? (uint64_t)from_double(v) : 0);
	else
		snprintf(buf, size, "%.*f %s", v < 10 ? 2 : 1, v, col->unit);
}

/* a value with its unit; the column of a text may be NULL */
static void ops_view_value_text(const struct cell *c, const struct column *col, bool ascii, char *buf,
    size_t size)
{
	if (c && c->type == CELL_STR && c->n)
		snprintf(buf, size, "%.*s", (int)(c->n < size ? c->n : size), c->s);
	else if (!c || !col || isnan(cell_number(c)))
		snprintf(buf, size, "–");
	else if (c->beyond)
		snprintf(buf, size, "%s", CELL_BEYOND);
	else
		number_text(cell_number(c), col, ascii, buf, size);
}

/* Draws labels and values in as many columns as fit, filled row by row. */
static int draw_fields(const struct op_table *t, struct canvas *c, struct rect r, int y, size_t row)
{
	int across = r.w / FIELD_COLS > 1 ? r.w / FIELD_COLS : 1, w = r.w / across, at = 0;
	const struct schema *s = t->form->schema;
	bool full;
	size_t k;

	for (const char *next = t->form->fields; schema_next(s, &next, &k, &full);) {
		const struct column *col = &s->columns[k];
		int x = r.x + 1 + at % across * w, end = x + (w > FIELD_COLS ? FIELD_COLS : w) - 2;
		char text[64];

		if (full && !t->frame.full)
			continue;
		ops_view_value_text(ops_view_table_cell(t, row, col->id), col, c->glyphs->ascii, text,
		    sizeof text);
		canvas_str(c, y + at / across, x, end - x - utf8_cols(text, strlen(text)) - 1, ROLE_DIM, 0,
		    col->label);
		canvas_right(c, y + at / across, end, ROLE_TEXT, 0, text);
		at++;
	}
	return y + (at + across - 1) / across;
}

static int draw_lines(struct canvas *c, struct rect r, int y, int indent, const char *s, size_t len)
{
	for (const char *end; len;) {
		size_t n = (end = memchr(s, '\n', len)) ? (size_t)(end - s) : len;

		y = card_text(c, r, y, indent, ROLE_TEXT, s, n);
		n += end != NULL;
		s += n;
		len -= n;
	}
	return y;
}

/* The part of a text shown in the small card: without "%name = ", which is in the heading, and at most `most`
 * bytes. */
static struct slice short_text(const struct cell *c, int most)
{
	const char *eq = *c->s == '%' ? memmem(c->s, c->n, " = ", 3) : NULL;
	struct slice t = { eq ? eq + 3 : c->s, c->n };

	t.n -= (size_t)(t.s - c->s);
	if (t.n > (size_t)most * 4)
		t.n = (size_t)most * 4;
	return t;
}

static const char *label_of(const struct op_table *t, const char *id)
{
	return t->form->schema->columns[schema_column(t->form->schema, id)].label;
}

/* The last text of the small card takes all rows that are left. */
static bool is_last(const struct op_form *form, const struct op_text *x)
{
	while (++x < form->text + form->ntexts)
		if (x->rows)
			return false;
	return true;
}

/* Draws a text under its heading, or after it where there is room.  The small card shows the beginning, with
 * … if it is cut, and always the same number of rows, so that what follows does not move. */
static int draw_text(const struct op_table *t, struct canvas *c, struct rect r, int y,
    const struct op_text *x, const struct cell *cell)
{
	bool none = !cell || cell->type != CELL_STR || !cell->n, wide = r.w >= WIDE;
	int indent = wide ? LABEL_COLS : 0, cols = r.w - 2 - indent, rows = wide ? 1 : x->rows, end;
	struct rect room = { r.y, r.x, 0, r.w };
	struct slice text;

	if (t->frame.full ? none : !x->rows)
		return y;
	canvas_str(c, y, r.x + 1, r.w - 2, ROLE_DIM, 0, label_of(t, x->column));
	y += !wide;
	if (t->frame.full)
		return draw_lines(c, r, y, indent, cell->s, cell->n) + !wide;
	end = y + rows < r.y + r.h && !is_last(t->form, x) ? y + rows : r.y + r.h;
	rows = end > y ? end - y : 0;
	if (none) {
		canvas_str(c, y, r.x + 1 + indent, cols, ROLE_TEXT, 0, "–");
		return end;
	}
	text = short_text(cell, cols * rows);
	room.h = end - r.y;
	card_text(c, room, y, indent, ROLE_TEXT, text.s, text.n);
	return end;
}

static int draw_body(const struct op_table *t, struct canvas *c, struct rect r, int y, size_t row)
{
	y = draw_fields(t, c, r, y, row);
	y += t->frame.full || r.w < WIDE;
	for (size_t i = 0; i < t->form->ntexts && (t->frame.full || y < r.y + r.h); i++)
		y = draw_text(t, c, r, y, &t->form->text[i],
		    ops_view_table_cell(t, row, t->form->text[i].column));
	return y;
}

static size_t row_of(struct view *v)
{
	return sheet_row(ops_view_sheet(v));
}

void ops_view_profile_card_title(struct view *v, char *title, char *right, size_t size)
{
	const struct op_table *t = v->state;
	bool ascii = v->app->glyphs->ascii;

	ops_view_value_text(ops_view_table_cell(t, row_of(v), t->form->name), NULL, ascii, title, size);
	if (v->area.w >= WIDE)
		ops_view_value_text(ops_view_table_cell(t, row_of(v), t->form->gloss), NULL, ascii, right,
		    size);
}

int ops_view_profile_card_draw(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct op_table *t = v->state;
	size_t row = row_of(v);
	char name[512], gloss[160] = "";

	if (row == SIZE_MAX)
		return r.y;
	if (how == FRAME_FULL)
		return draw_body(t, c, r, r.y, row);
	ops_view_value_text(ops_view_table_cell(t, row, t->form->name), NULL, c->glyphs->ascii, name,
	    sizeof name);
	if (r.w >= WIDE)
		ops_view_value_text(ops_view_table_cell(t, row, t->form->gloss), NULL, c->glyphs->ascii,
		    gloss, sizeof gloss);
	card_rule(c, r, r.y, name, gloss);
	return draw_body(t, c, (struct rect){ r.y + 1, r.x, r.h - 1, r.w }, r.y + 1, row);
}
