#include "config.h"
#include "widget/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "result/cell_text.h"

static unsigned attr_of(enum role role)
{
	return role == ROLE_BOLD ? ATTR_BOLD : 0;
}

bool pen_fits(const struct pen *p)
{
	return p->y < p->r.y + p->r.h;
}

void pen_head(struct pen *p, const char *title, const char *about)
{
	if (pen_fits(p))
		card_head(p->c, p->y, p->r, title, about);
	p->y++;
}

void pen_name(struct pen *p, struct slice name)
{
	if (pen_fits(p))
		canvas_cut(p->c, p->y, p->r.x + 1, p->r.w - 2, ROLE_BOLD, ATTR_BOLD, name.s, name.n);
	p->y++;
}

void pen_field(struct pen *p, const char *label, enum role role, const char *value)
{
	const struct rect r = p->r;

	value = value && *value ? value : CELL_UNKNOWN;
	if (p->label) {
		if (pen_fits(p))
			canvas_str(p->c, p->y, r.x + 1, p->label - 1, ROLE_DIM, 0, label);
		p->y = card_text(p->c, r, p->y, p->label, role, value, strlen(value));
		return;
	}
	if (pen_fits(p)) {
		int x = canvas_right(p->c, p->y, r.x + r.w - 1, role, attr_of(role), value);

		canvas_str(p->c, p->y, r.x + 1, x - r.x - 2, ROLE_DIM, 0, label);
	}
	p->y++;
}

/* The place of one of several fields that share rows; a row is as high as its highest field. */
static void field_beside(struct pen *p, int at, int *next, const char *label, enum role role,
    const char *value)
{
	int across = p->across > 1 ? p->across : 1, w = p->r.w / across, x = p->r.x + at % across * w;
	struct pen one = *p;

	if (!(at % across))
		p->y = *next;
	one.y = p->y;
	one.r = (struct rect){ p->r.y, x, p->r.h, p->most && w > p->most ? p->most : w };
	pen_field(&one, label, role, value);
	*next = one.y > *next ? one.y : *next;
}

void pen_fields(struct pen *p, const struct field *f, size_t n)
{
	int at = 0, next = p->y;
	char buf[64];

	for (; n; n--, f++)
		if (!f->no) {
			bool count = f->unit && !strcmp(f->unit, COUNT);
			const char *text = !f->unit
			    ? f->text
			    : number_text(buf, sizeof buf, f->v, count ? "" : f->unit, count, NUMBER_SHORT);

			field_beside(p, at++, &next, f->label, f->role, text);
		}
	p->y = next;
}

static bool is_listed(const struct schema *s, const char *form, size_t column)
{
	bool full;

	for (size_t k; schema_next(s, &form, &k, &full);)
		if (k == column)
			return true;
	return false;
}

static void field_of_cell(struct pen *p, int at, int *next, const struct table *t, size_t row, size_t column)
{
	const struct cell *c = table_at(t, row, column);
	char buf[64], *text = c->type == CELL_STR ? xstrndup(c->s, c->n) : NULL;

	field_beside(p, at, next, t->columns[column].label, ROLE_TEXT,
	    text ? text : cell_people(buf, sizeof buf, c, &t->columns[column]));
	free(text);
}

void pen_row(struct pen *p, const struct table *t, size_t row, const char *form, bool full)
{
	const struct schema all = { .columns = t->columns, .n = t->ncolumns };
	bool some = *form == '?' || *form == '!', only_full;
	int at = 0, next = p->y;

	if (*form == '!') {
		for (size_t k = 0; k < all.n; k++)
			if (!is_listed(&all, form + 1, k) && table_at(t, row, k)->type != CELL_NULL)
				field_of_cell(p, at++, &next, t, row, k);
		form = "";
	}
	form += some && *form;
	for (size_t k; schema_next(&all, &form, &k, &only_full);)
		if ((full || !only_full) && !(some && table_at(t, row, k)->type == CELL_NULL))
			field_of_cell(p, at++, &next, t, row, k);
	p->y = next;
}

void pen_text(struct pen *p, int indent, enum role role, struct slice s, int rows)
{
	struct rect r = p->r;

	if (rows && p->y + rows < r.y + r.h)
		r.h = p->y + rows - r.y;
	p->y = card_text(p->c, r, p->y, indent, role, s.s, s.n);
	if (rows && p->y > r.y + r.h && r.h < p->r.h)
		p->y = r.y + r.h;
}

void pen_say(struct pen *p, enum role role, const char *text)
{
	if (text)
		pen_text(p, 0, role, slice_of(text), 0);
}

void pen_line(struct pen *p, enum role role, struct slice left, const char *right)
{
	int end = p->r.x + p->r.w - 1, x;

	if (pen_fits(p)) {
		x = canvas_right(p->c, p->y, end, role == ROLE_DIM ? ROLE_TEXT : role, attr_of(role), right) -
		    (*right != 0);
		canvas_cut(p->c, p->y, p->r.x + 1, x - p->r.x - 1, role, attr_of(role), left.s, left.n);
	}
	p->y++;
}

void pen_fmt(struct pen *p, enum role role, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (pen_fits(p))
		canvas_str(p->c, p->y, p->r.x + 1, p->r.w - 2, role, attr_of(role), text);
	p->y++;
}

void pen_path(struct pen *p, struct slice s)
{
	if (pen_fits(p))
		card_tail(p->c, p->y, p->r.x + 1, p->r.w - 2, ROLE_TEXT, s.s, s.n);
	p->y++;
}
