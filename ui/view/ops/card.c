#include "config.h"
#include "view/ops/tables.h"

#include <string.h>

#include "result/cell_text.h"
#include "widget/fields.h"

enum { LABEL_COLS = 18, FIELD_COLS = 36, WIDE = 60 };

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
	struct pen p = { .c = c, .r = r, .y = y, .across = r.w / FIELD_COLS, .most = FIELD_COLS };

	pen_row(&p, t->sheet.table, row, t->form->fields, t->frame.full);
	y = p.y;
	y += t->frame.full || r.w < WIDE;
	for (size_t i = 0; i < t->form->ntexts && (t->frame.full || y < r.y + r.h); i++)
		y = draw_text(t, c, r, y, &t->form->text[i],
		    ops_view_table_cell(t, row, t->form->text[i].column));
	return y;
}

/* What a row is called, or what is said beside its name. */
static char *name_of(const struct op_table *t, size_t row, const char *column, char *buf, size_t size)
{
	return cell_people(buf, size, ops_view_table_cell(t, row, column), NULL);
}

void ops_view_profile_card_title(struct view *v, char *title, char *right, size_t size)
{
	const struct op_table *t = v->state;
	size_t row = sheet_row(&t->sheet);

	name_of(t, row, t->form->name, title, size);
	if (v->area.w >= WIDE)
		name_of(t, row, t->form->gloss, right, size);
}

int ops_view_profile_card_draw(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct op_table *t = v->state;
	size_t row = sheet_row(&t->sheet);
	char name[512], gloss[160] = "";

	if (row == SIZE_MAX)
		return r.y;
	if (how == FRAME_FULL)
		return draw_body(t, c, r, r.y, row);
	name_of(t, row, t->form->name, name, sizeof name);
	if (r.w >= WIDE)
		name_of(t, row, t->form->gloss, gloss, sizeof gloss);
	card_rule(c, r, r.y, name, gloss);
	return draw_body(t, c, (struct rect){ r.y + 1, r.x, r.h - 1, r.w }, r.y + 1, row);
}
