#include "config.h"
#include "view/kernels/kernels.h"

#include <limits.h>
#include <stdlib.h>

#include "base/mem.h"
#include "widget/fields.h"

enum { LABEL = 24, WIDE = 72 };

static bool is_long(const struct column *col)
{
	return col->show == SHOW_MIDDLE || col->show == SHOW_LEFT;
}

/* The names of a row, the first of them in bold; the small card leaves room for numbers below. */
static void put_names(struct pen *p, const struct table *t, size_t row, size_t first, int rows)
{
	int end = p->y + rows;

	for (size_t i = 0, n = 0; i < t->ncolumns; i++) {
		const struct cell *cell = table_at(t, row, i);

		if (is_long(&t->columns[i]) && cell->n && n++ >= first && p->y < end)
			pen_text(p, 0, n > 1 ? ROLE_DIM : ROLE_BOLD, cell_text(cell), end - p->y);
	}
}

/* Everything else that is known of it; of its registers, the column of that name says it. */
static void put_numbers(struct pen *p, const struct table *t, size_t row)
{
	p->label = LABEL;
	p->across = p->r.w < WIDE ? 1 : 2;
	pen_row(p, t, row, "!kernel_name op_name host stream registers_per_thread", true);
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
	const struct table *t = &s->pages.table[s->pages.page];
	size_t row = sheet_row(&s->pages.sheet[s->pages.page]);
	struct pen p = { .c = c, .r = r, .y = r.y };

	if (row >= t->nrows)
		return r.y;
	if (how == FRAME_BELOW) { /* the numbers matter more than the end of a long name, which Enter shows */
		char *title = row_title(t, row);

		p.y = card_rule(c, r, r.y, title, "Enter: all of it");
		free(title);
		put_numbers(&p, t, row);
		put_names(&p, t, row, 1, r.y + r.h - p.y);
		return p.y;
	}
	put_names(&p, t, row, 0, how == FRAME_BESIDE ? r.h / 2 : INT_MAX / 2);
	put_numbers(&p, t, row);
	return p.y;
}
