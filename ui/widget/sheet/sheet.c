/* The table of a sheet, and what is saved of it. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "widget/sheet/internal.h"

enum { LINES_MOST = 10000 };

void sheet_free(struct sheet *s)
{
	sheet_forget_table(s);
	for (int i = 0; i < 2; i++)
		free(s->tree.marks[i].v);
	free(s->named);
	regex_free(s->filter);
	*s = (struct sheet){ .sort = NO_SORT };
}

void sheet_set_rows(struct sheet *s, const struct sheet_rows *r)
{
	size_t top = s->list.top, fresh;

	sheet_forget_table(s); /* it belonged to another table */
	s->table = r->table;
	s->beside = NULL;
	s->of = r->table ? r->of : NULL;
	s->of_size = r->size;
	s->tree.parent = r->table ? r->parent : NULL;
	s->tree.key = r->key;
	sheet_title_columns(s);
	if (!r->table)
		return;
	sheet_make_order(s);
	fresh = s->list.top;
	s->list.top = top; /* keep its place on the screen, if possible */
	if (!sheet_return(s))
		s->list.top = fresh;
	else if (s->line) {
		s->list.top = s->list.at + 1 > s->line ? s->list.at + 1 - s->line : 0;
		list_fit(&s->list, s->list.rows);
	}
	s->line = 0;
}

void sheet_set(struct sheet *s, const struct table *t)
{
	sheet_set_rows(s, &(struct sheet_rows){ .table = t });
}

void sheet_save(const struct sheet *s, struct kv *kv)
{
	if (s->sort != NO_SORT)
		kv_putf(kv, "sort", "%s:%s", s->col[s->sort]->id, s->down ? "desc" : "asc");
	for (size_t i = 0; i < s->ncol; i++)
		if (s->off[i] != s->hidden[i])
			kv_putf(kv, "column", "%s", s->col[i]->id);
	if (s->filter)
		kv_put(kv, "filter", regex_pattern(s->filter));
	if (s->named)
		kv_put(kv, "row", s->named);
	if (s->named && s->list.top && s->list.at >= s->list.top)
		kv_put_int(kv, "line", (int64_t)(s->list.at - s->list.top + 1));
}

void sheet_restore(struct sheet *s, const struct kv *kv)
{
	const char *text = kv_get(kv, "sort");
	size_t n = text ? strcspn(text, ":") : 0;
	int64_t line;

	for (size_t i = 0; n && i < s->ncol; i++)
		if (strlen(s->col[i]->id) == n && !memcmp(s->col[i]->id, text, n))
			sheet_sort(s, s->col[i]->id, strcmp(text + n, ":asc") != 0);
	for (size_t at = 0; (text = kv_next(kv, "column", &at));)
		for (size_t i = 0; i < s->ncol; i++)
			if (!strcmp(s->col[i]->id, text))
				s->off[i] = !s->hidden[i];
	sheet_forget_found(s);
	if ((text = kv_get(kv, "filter")))
		sheet_filter(s, text, NULL);
	if ((text = kv_get(kv, "row"))) {
		free(s->named);
		s->named = xstrdup(text);
	}
	if (kv_get_int(kv, "line", &line) && line > 0 && line < LINES_MOST)
		s->line = (size_t)line;
}
