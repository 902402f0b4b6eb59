#include "config.h"
#include "view/ops/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"
#include "core/app.h"
#include "widget/card.h"

enum { LABEL_COLS = 11, FIELD_COLS = 36, WIDE = 60 };

static double cell_number(const struct cell *c)
{
	return c->type == CELL_INT ? (double)c->u.i : c->type == CELL_NUM ? c->u.d : NAN;
}

void ops_view_value_text(const struct cell *c, enum op_value how, bool ascii, char *buf, size_t size)
{
	double v = c ? cell_number(c) : NAN;
	char n[32];

	if (how == OP_WORD && c && c->type == CELL_STR && c->n)
		snprintf(buf, size, "%.*s", (int)(c->n < size ? c->n : size), c->s);
	else if (isnan(v))
		snprintf(buf, size, "–");
	else if (how == OP_TIME) /* the tables are in µs */
		units_time(buf, size, from_double(round(v * 1e6)), ascii);
	else if (how == OP_COUNT)
		units_count(buf, size, v > 0 ? (uint64_t)from_double(v) : 0);
	else if (how == OP_PERCENT || how == OP_FRACTION)
		snprintf(buf, size, "%s %%", units_percent(n, sizeof n, how == OP_PERCENT ? v / 100 : v));
	else if (how == OP_FLOPS)
		units_si(buf, size, v * 1e9, "FLOP/s");
	else if (how == OP_BANDWIDTH)
		snprintf(buf, size, "%.*f GiB/s", v < 10 ? 2 : 1, v);
	else
		snprintf(buf, size, "%.*f FLOP/B", v < 10 ? 2 : 1, v);
}

/* Draws labels and values in as many columns as fit, filled row by row. */
static int draw_fields(const struct op_table *t, struct canvas *c, struct rect r, int y, size_t row)
{
	int across = r.w / FIELD_COLS > 1 ? r.w / FIELD_COLS : 1, w = r.w / across, at = 0;

	for (size_t i = 0; i < t->form->nfields; i++) {
		const struct op_field *f = &t->form->field[i];
		int x = r.x + 1 + at % across * w, end = x + (w > FIELD_COLS ? FIELD_COLS : w) - 2;
		char text[64];

		if (f->full && !t->frame.full)
			continue;
		ops_view_value_text(ops_view_table_cell(t, row, f->column), f->value, c->glyphs->ascii, text,
		    sizeof text);
		canvas_str(c, y + at / across, x, LABEL_COLS, ROLE_DIM, 0, f->label);
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
	canvas_str(c, y, r.x + 1, r.w - 2, ROLE_DIM, 0, x->head);
	y += !wide;
	if (t->frame.full)
		return draw_lines(c, r, y, indent, cell->s, cell->n) + !wide;
	end = y + rows < r.y + r.h ? y + rows : r.y + r.h;
	if (none) {
		canvas_str(c, y, r.x + 1 + indent, cols, ROLE_TEXT, 0, "–");
		return end;
	}
	text = short_text(cell, cols * rows);
	room.h = end - r.y;
	if (card_text(c, room, y, indent, ROLE_TEXT, text.s, text.n) > end && end > y)
		canvas_glyph(c, end - 1, r.x + r.w - 1, GLYPH_ELLIPSIS, ROLE_DIM, 0);
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

	ops_view_value_text(ops_view_table_cell(t, row_of(v), t->form->name), OP_WORD, ascii, title, size);
	if (v->area.w >= WIDE)
		ops_view_value_text(ops_view_table_cell(t, row_of(v), t->form->gloss), OP_WORD, ascii, right,
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
	ops_view_value_text(ops_view_table_cell(t, row, t->form->name), OP_WORD, c->glyphs->ascii, name,
	    sizeof name);
	if (r.w >= WIDE)
		ops_view_value_text(ops_view_table_cell(t, row, t->form->gloss), OP_WORD, c->glyphs->ascii,
		    gloss, sizeof gloss);
	card_rule(c, r, r.y, name, gloss);
	return draw_body(t, c, (struct rect){ r.y + 1, r.x, r.h - 1, r.w }, r.y + 1, row);
}
