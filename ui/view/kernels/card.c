#include "config.h"
#include "view/kernels/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"
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

/* The names of a row, the first of them in bold; the small card leaves room for numbers below. */
static int draw_names(const struct table *t, size_t row, struct canvas *c, struct rect r, size_t first)
{
	int y = r.y;

	for (size_t i = 0, n = 0; i < t->ncolumns; i++) {
		const struct cell *cell = table_at(t, row, i);

		if (is_long(&t->columns[i]) && cell->n && n++ >= first)
			y = card_text(c, r, y, 0, n > 1 ? ROLE_DIM : ROLE_BOLD, cell->s, cell->n);
	}
	return y > r.y + r.h ? r.y + r.h : y;
}

/* Everything else that is known of it. */
static int draw_facts(const struct table *t, size_t row, struct canvas *c, struct rect r)
{
	char text[200];
	int n = 0;

	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct cell *cell = table_at(t, row, i);
		struct rect at = card_field(r, n);

		if (is_long(&t->columns[i]) || cell->type == CELL_NULL ||
		    !strcmp(t->columns[i].id,
			"registers_per_thread")) /* the column registers says what is known */
			continue;
		value_text(cell, &t->columns[i], c->glyphs->ascii, text, sizeof text);
		card_pair(c, at, at.y, LABEL, t->columns[i].label, ROLE_TEXT, text);
		n++;
	}
	return n ? card_field(r, n - 1).y + 1 : r.y;
}

/* What the row is called: its first name.  The caller frees. */
static char *row_title(const struct table *t, size_t row)
{
	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct cell *cell = table_at(t, row, i);

		if (is_long(&t->columns[i]) && cell->n)
			return xstrndup(cell->s, cell->n);
	}
	return xstrdup("details");
}

int kernels_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct kernels_view *s = v->state;
	const struct table *t = &s->table[s->page];
	size_t row = sheet_row(&s->sheet[s->page]);
	struct rect names = r;
	int y;

	if (row >= t->nrows)
		return r.y;
	if (how == FRAME_BELOW) { /* the numbers matter more than the end of a long name, which Enter shows */
		char *title = row_title(t, row);

		y = card_rule(c, r, r.y, title, "Enter: all of it");
		free(title);
		y = draw_facts(t, row, c, (struct rect){ y, r.x, r.h - 1, r.w });
		return draw_names(t, row, c, (struct rect){ y, r.x, r.y + r.h - y, r.w }, 1);
	}
	if (how == FRAME_BESIDE)
		names.h /= 2;
	y = draw_names(t, row, c, names, 0);
	return draw_facts(t, row, c, (struct rect){ y, r.x, r.y + r.h - y, r.w });
}
