#include "config.h"
#include "view/kernels/kernels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"
#include "widget/card.h"
#include "widget/text.h"

enum { LABEL = 24 };

static void value_text(const struct cell *c, const struct column *col, bool ascii, char *buf, size_t size)
{
	double v = c->type == CELL_INT ? (double)c->u.i : c->type == CELL_NUM ? c->u.d : NAN;

	if (c->type == CELL_BOOL)
		snprintf(buf, size, "%s", c->u.b ? "yes" : "no");
	else if (c->type == CELL_STR)
		snprintf(buf, size, "%.*s", (int)(c->n < size ? c->n : size - 1), c->s);
	else if (isnan(v))
		snprintf(buf, size, "%s", ascii ? "-" : "–");
	else if (!strcmp(col->unit, "us"))
		units_time(buf, size, from_double(round(v * 1e6)), ascii);
	else if (!strcmp(col->unit, "percent"))
		snprintf(buf, size, "%.2f %%", v);
	else if (!strcmp(col->unit, "B"))
		text_bytes(buf, size, v);
	else
		units_count(buf, size, v > 0 ? (uint64_t)from_double(v) : 0);
}

static bool is_long(const struct column *col)
{
	return col->show == SHOW_MIDDLE || col->show == SHOW_LEFT;
}

/* Names in full, then everything else that is known of the row. */
int kernels_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct kernels_view *s = v->state;
	const struct table *t = &s->table[s->page];
	size_t row = sheet_row(&s->sheet[s->page]);
	int y = r.y;
	char text[200];

	(void)how;
	for (size_t i = 0; row < t->nrows && i < t->ncolumns; i++) {
		const struct cell *cell = table_at(t, row, i);

		if (is_long(&t->columns[i]) && cell->n)
			y = card_text(c, r, y, 0, i > 1 ? ROLE_DIM : ROLE_BOLD, cell->s, cell->n);
	}
	for (size_t i = 0; row < t->nrows && i < t->ncolumns; i++) {
		const struct cell *cell = table_at(t, row, i);

		if (is_long(&t->columns[i]) || cell->type == CELL_NULL ||
		    !strcmp(t->columns[i].id,
			"registers_per_thread")) /* the column registers says what is known */
			continue;
		value_text(cell, &t->columns[i], c->glyphs->ascii, text, sizeof text);
		y = card_pair(c, r, y, LABEL, t->columns[i].label, ROLE_TEXT, text);
	}
	return y;
}
