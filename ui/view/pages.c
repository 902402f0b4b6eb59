#include "config.h"
#include "view/pages.h"

#include <stdio.h>

#include "base/text/units.h"
#include "core/app.h"
#include "core/config/kv.h"

void pages_open(struct view *v, const struct page *info, int n)
{
	struct pages *p = v->state;

	p->info = info;
	p->n = n;
	for (int i = 0; i < n; i++) {
		sheet_open(&p->sheet[i], info[i].schema, NULL, info[i].sort);
		sheet_name(&p->sheet[i], info[i].name, info[i].more);
		p->sheet[i].all = true;
	}
}

void pages_shown(struct view *v)
{
	struct pages *p = v->state;

	for (int i = 0; i < p->n; i++)
		sheet_set(&p->sheet[i], &p->table[i]);
	p->shown = true;
}

void pages_drop(struct view *v)
{
	struct pages *p = v->state;

	for (int i = 0; p->shown && i < p->n; i++) {
		sheet_set(&p->sheet[i], NULL);
		table_free(&p->table[i]);
	}
	p->shown = false;
}

unsigned pages_go(struct view *v, int page)
{
	((struct pages *)v->state)->page = page;
	frame_close_card(v);
	return REACT_REDRAW;
}

unsigned pages_next(struct view *v)
{
	const struct pages *p = v->state;

	return pages_go(v, (p->page + 1) % p->n);
}

struct rect pages_tabs(struct view *v, struct canvas *c, struct rect a)
{
	struct pages *p = v->state;

	if (a.h <= 3)
		return a;
	tabs_begin(&p->tabs, a.y, a.x + 1);
	for (int i = 0; i < p->n; i++) {
		char text[48], number[24];

		snprintf(text, sizeof text, " %s %s ", p->info[i].title,
		    units_count(number, sizeof number, p->table[i].nrows));
		tabs_add(&p->tabs, c, a.x + a.w, i == p->page, text);
	}
	return (struct rect){ a.y + 1, a.x, a.h - 1, a.w };
}

struct ref pages_op(const struct view *v)
{
	const struct pages *p = v->state;
	const struct table *t = &p->table[p->page];
	struct ref r = REF_EMPTY;
	size_t row = sheet_row(&p->sheet[p->page]);
	struct slice name;

	if (row == SIZE_MAX)
		return r;
	name = table_str(t, row, (size_t)table_column(t, p->info[p->page].name));
	r.name = strtab_find(&v->cap->dump->str, name.s, name.n);
	r.kind = r.name == UINT32_MAX || !r.name ? REF_NONE : REF_NAME;
	return r;
}

struct sheet *pages_sheet(struct view *v)
{
	struct pages *p = v->state;

	return &p->sheet[p->page];
}

unsigned pages_press(struct view *v, const struct mouse *m)
{
	int tab = tabs_at(&((const struct pages *)v->state)->tabs, m);

	return tab < 0 ? ACT_PASS : pages_go(v, tab);
}

void pages_close(struct view *v)
{
	struct pages *p = v->state;

	frame_close(v);
	for (int i = 0; i < p->n; i++)
		sheet_free(&p->sheet[i]);
}

void pages_save(const struct view *v, struct kv *kv)
{
	const struct pages *p = v->state;

	kv_put_int(kv, "page", p->page);
	sheet_save(&p->sheet[p->page], kv);
}

void pages_restore(struct view *v, const struct kv *kv)
{
	struct pages *p = v->state;
	int64_t page;

	if (!kv_get_int(kv, "page", &page) || page < 0 || page >= p->n)
		return;
	p->page = (int)page;
	sheet_restore(&p->sheet[p->page], kv);
}
