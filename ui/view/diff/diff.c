#include "config.h"
#include "view/diff/diff.h"

#include <stdio.h>
#include <string.h>

#include "analyze/ops/opdb.h"
#include "core/app.h"
#include "core/results.h"
#include "report/reports.h"
#include "view/frames.h"

const struct diff_page_info diff_pages[DIFF_PAGES] = {
	[PAGE_WATERFALL] = { "waterfall", DIFF_WATERFALL, NULL, NULL, NULL },
	[PAGE_CHANGES] = { "changes", DIFF_CHANGES, "name_base delta_ps share kind name_new evidence",
	    "name_base", "name_new" },
	[PAGE_OPS] = { "ops", DIFF_OPS,
	    "name_new delta_ps self_ps_base self_ps_new occurrences_new how category name_base", "name_new",
	    "name_base" },
	[PAGE_MEMORY] = { "memory", DIFF_MEMORY,
	    "label delta_bytes base_bytes new_bytes reason -buffer_base -buffer_new", "label", "buffer_new" },
	[PAGE_FINDINGS] = { "findings", DIFF_FINDINGS, NULL, "id", "title" },
	[PAGE_ENVIRONMENT] = { "environment", DIFF_ENVIRONMENT, NULL, "name", NULL },
	[PAGE_COMPARABLE] = { "unlike", DIFF_COMPARABILITY, "code severity base new -capture", "code", NULL },
	[PAGE_STEPS] = { "steps", DIFF_STEPS, "side step duration_ps used -capture", "side", "step" },
};

const struct table *diff_view_table(const struct diff_view *s)
{
	return s->page == PAGE_WATERFALL ? &s->fall : &s->x->diff.table[diff_pages[s->page].table];
}

static struct sheet *page_sheet(struct view *v)
{
	struct diff_view *s = v->state;

	return s->page == PAGE_WATERFALL ? NULL : &s->sheet[s->page];
}

static struct list *page_list(struct view *v)
{
	struct diff_view *s = v->state;

	return s->page == PAGE_WATERFALL ? &s->list : NULL;
}

size_t diff_view_row(struct view *v)
{
	struct diff_view *s = v->state;

	if (s->page != PAGE_WATERFALL)
		return sheet_row(&s->sheet[s->page]);
	return s->list.at < s->fall.nrows ? s->list.at : SIZE_MAX;
}

static void diff_take(struct view *v)
{
	struct diff_view *s = v->state;

	if (!(s->x = result_get(v->app, RESULT_DIFF)))
		return;
	for (int i = PAGE_WATERFALL + 1; i < DIFF_PAGES; i++)
		sheet_set(&s->sheet[i], &s->x->diff.table[diff_pages[i].table]);
	table_begin_like(&s->fall, &s->x->diff.table[DIFF_WATERFALL]);
	diff_fold(&s->fall);
	s->list.n = s->fall.nrows;
}

static void drop_rows(struct view *v)
{
	struct diff_view *s = v->state;

	for (int i = 0; s->x && i < DIFF_PAGES; i++)
		sheet_set(&s->sheet[i], NULL);
	if (s->x)
		table_free(&s->fall);
	s->x = NULL;
	s->list.n = 0;
}

static void draw_main(struct view *v, struct canvas *c, struct rect a)
{
	if (page_sheet(v))
		sheet_draw(page_sheet(v), c, a);
	else
		diff_view_fall(v, c, a);
}

static bool has_row(struct view *v)
{
	return diff_view_row(v) != SIZE_MAX;
}

static void page_go(struct view *v, int page)
{
	struct diff_view *s = v->state;

	s->page = (enum diff_page)page;
	frame_close_card(v);
}

/* The name of the op of the row on one side; empty: it has none there. */
static struct slice op_of_row(struct view *v, const char *column)
{
	const struct table *t = diff_view_table(v->state);
	int at = table_column(t, column);
	size_t row = diff_view_row(v);

	return at < 0 || row >= t->nrows ? (struct slice){ "", 0 } : table_str(t, row, (size_t)at);
}

static void go_to_base(struct view *v)
{
	struct slice name = op_of_row(v, "name_base");
	char text[REF_TEXT_MAX];

	if (!name.n) {
		app_say(v->app, "the base has no such op");
		return;
	}
	snprintf(text, sizeof text, "%.*s", (int)name.n, name.s);
	app_against_swap(v->app, "timeline", text);
}

static unsigned diff_act(struct view *v, enum action a, int count)
{
	const struct diff_view *s = v->state;

	(void)count;
	if (a == ACT_DIFF_NEXT)
		page_go(v, ((int)s->page + 1) % DIFF_PAGES);
	else if (a == ACT_DIFF_SWAP)
		app_against_swap(v->app, "diff", NULL);
	else if (a == ACT_DIFF_BASE)
		go_to_base(v);
	else
		return ACT_PASS;
	return REACT_REDRAW;
}

static unsigned diff_press(struct view *v, const struct mouse *m)
{
	const struct diff_view *s = v->state;
	int tab = tabs_at(&s->tabs, m);

	if (tab < 0)
		return ACT_PASS;
	page_go(v, tab);
	return REACT_REDRAW;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_DIFF],
	.results = 1u << RESULT_DIFF,
	.take = diff_take,
	.drop = drop_rows,
	.sheet = page_sheet,
	.list = page_list,
	.above = diff_view_above,
	.main = draw_main,
	.card = diff_view_card,
	.has_card = has_row,
	.act = diff_act,
	.press = diff_press };

static int diff_open(struct view *v)
{
	struct diff_view *s = v->state;

	for (int i = 0; i < DIFF_PAGES; i++) {
		const struct diff_page_info *p = &diff_pages[i];

		sheet_open(&s->sheet[i], diff_schema_of(p->table), p->form, NULL);
		if (p->key)
			sheet_name(&s->sheet[i], p->key, p->key2);
		s->sheet[i].all = true;
	}
	return 0;
}

static void diff_close(struct view *v)
{
	struct diff_view *s = v->state;

	frame_close(v);
	for (int i = 0; i < DIFF_PAGES; i++)
		sheet_free(&s->sheet[i]);
}

/* The op in the capture on the screen. */
static struct ref diff_here(const struct view *view)
{
	struct view *v = (struct view *)view;
	struct ref r = REF_EMPTY;
	struct slice name;

	if (!frame_ready(v))
		return r;
	name = op_of_row(v, "name_new");
	r.name = name.n ? strtab_find(&v->cap->dump->str, name.s, name.n) : 0;
	r.kind = r.name == UINT32_MAX || !r.name ? REF_NONE : REF_NAME;
	return r;
}

/* The row of an op of the capture on the screen; SIZE_MAX: none. */
static size_t row_of_op(const struct table *t, struct slice name)
{
	size_t at = (size_t)table_column(t, "name_new"), i = 0;

	while (i < t->nrows && !slice_same(table_str(t, i, at), name))
		i++;
	return i < t->nrows ? i : SIZE_MAX;
}

/* In the waterfall if that is shown and has the op, else among all ops. */
static int diff_show(struct view *v, const struct ref *r)
{
	struct diff_view *s = v->state;
	const struct trace *t = &v->cap->dump->trace;
	strid id = r->kind == REF_NAME || r->kind == REF_OP ? r->name : 0;
	struct slice name;
	size_t row;

	if (r->kind == REF_NONE)
		return 0;
	if (!frame_ready(v))
		return -1;
	if (r->kind == REF_EVENT && r->track < t->ntracks && r->event < t->tracks[r->track].n)
		id = t->metas[track_meta(&t->tracks[r->track], r->event)].name;
	if (!id)
		return -1;
	name = op_name_in(dump_text(v->cap->dump, id));
	if (s->page == PAGE_WATERFALL && (row = row_of_op(&s->fall, name)) != SIZE_MAX) {
		s->list.at = row;
		return 0;
	}
	if ((row = row_of_op(&s->x->diff.table[DIFF_OPS], name)) == SIZE_MAX)
		return -1;
	if (s->page == PAGE_WATERFALL || s->page > PAGE_OPS)
		page_go(v, PAGE_OPS);
	return s->page == PAGE_OPS && !sheet_show(&s->sheet[PAGE_OPS], row) ? -1 : 0;
}

static void diff_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct diff_view *s = v->state;

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	if (s->page == PAGE_WATERFALL)
		snprintf(left, size, "%zu of %zu parts", s->fall.nrows ? s->list.at + 1 : 0, s->fall.nrows);
	else
		sheet_status(&s->sheet[s->page], left, size);
	snprintf(right, size, "new less base");
}

static const char *table_name(const struct view *v)
{
	const struct diff_view *s = v->state;

	return report_table_name("diff", diff_pages[s->page].table);
}

static void diff_save(const struct view *v, struct kv *kv)
{
	const struct diff_view *s = v->state;

	kv_put_int(kv, "page", (int64_t)s->page);
	if (s->page != PAGE_WATERFALL)
		sheet_save(&s->sheet[s->page], kv);
}

static void diff_restore(struct view *v, const struct kv *kv)
{
	struct diff_view *s = v->state;
	int64_t page;

	if (!kv_get_int(kv, "page", &page) || page < 0 || page >= DIFF_PAGES)
		return;
	s->page = (enum diff_page)page;
	if (s->page != PAGE_WATERFALL)
		sheet_restore(&s->sheet[s->page], kv);
}

const struct view_ops view_diff = {
	.id = "diff",
	.title = "Diff",
	.letter = 'd',
	.scope = SCOPE_DIFF,
	.needs = NEED_AGAINST,
	.frame = &frame_ops,
	.size = sizeof(struct diff_view),
	.open = diff_open,
	FRAME_SLOTS,
	.here = diff_here,
	.show = diff_show,
	.status = diff_status,
	.close = diff_close,
	.save = diff_save,
	.restore = diff_restore,
	.copy = frame_copy,
	.report = "diff",
	.table = table_name,
};
