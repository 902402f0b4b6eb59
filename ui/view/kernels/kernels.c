#include "config.h"
#include "view/kernels/kernels.h"

#include <stdio.h>
#include <string.h>

#include "core/app.h"
#include "core/results.h"
#include "core/document.h"
#include "view/frames.h"

static const struct {
	const char *name, *more, *sort; /* columns that name a row; the order */
	const char *table, *by;         /* of the report; by NULL: always in it */
} pages[KERNEL_PAGES] = {
	[KERNELS_BY_KERNEL] = { "kernel_name", "op_name", "total_duration_us", "kernels", "kernel" },
	[KERNELS_BY_OP] = { "op_name", NULL, "total_duration_us", "ops", "op" },
	[KERNELS_BY_STREAM] = { "stream", "device", NULL, "streams", "stream" },
	[KERNELS_DEVICES] = { "device", "host", NULL, "devices", NULL },
};
static const char *const titles[KERNEL_PAGES] = { "kernels", "ops", "streams", "GPUs" };

/* --- the pages --- */

static void kernels_take(struct view *v)
{
	struct kernels_view *s = v->state;

	s->k = result_get(v->app, RESULT_KERNELS);
	for (int i = 0; s->k && i < KERNEL_PAGES; i++) {
		kernels_table(s->k, (enum kernels_table)i, true, &s->table[i]);
		sheet_set(&s->sheet[i], &s->table[i]);
	}
}

static void drop_rows(struct view *v)
{
	struct kernels_view *s = v->state;

	for (int i = 0; s->k && i < KERNEL_PAGES; i++) {
		sheet_set(&s->sheet[i], NULL);
		table_free(&s->table[i]);
	}
	s->k = NULL;
}

static struct sheet *page_sheet(struct view *v)
{
	struct kernels_view *s = v->state;

	return &s->sheet[s->page];
}

static void page_go(struct view *v, int page)
{
	struct kernels_view *s = v->state;

	s->page = (enum kernels_table)page;
	frame_close_card(v);
}

/* --- drawing --- */

static struct rect above(struct view *v, struct canvas *c, struct rect a)
{
	struct kernels_view *s = v->state;

	if (a.h <= 3)
		return a;
	return tabs_draw(&s->tabs, c, a, titles, s->table, KERNEL_PAGES, (int)s->page);
}

static void draw_main(struct view *v, struct canvas *c, struct rect a)
{
	sheet_draw(page_sheet(v), c, a);
}

/* --- keys --- */

static unsigned kernels_act(struct view *v, enum action a, int count)
{
	const struct kernels_view *s = v->state;

	(void)count;
	if (a != ACT_KERNELS_NEXT)
		return ACT_PASS;
	page_go(v, ((int)s->page + 1) % KERNEL_PAGES);
	return REACT_REDRAW;
}

static unsigned kernels_press(struct view *v, const struct mouse *m)
{
	const struct kernels_view *s = v->state;
	int tab = tabs_at(&s->tabs, m);

	if (tab < 0)
		return ACT_PASS;
	page_go(v, tab);
	return REACT_REDRAW;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_KERNELS],
	.results = 1u << RESULT_KERNELS,
	.take = kernels_take,
	.drop = drop_rows,
	.sheet = page_sheet,
	.above = above,
	.main = draw_main,
	.card = kernels_view_card,
	.act = kernels_act,
	.press = kernels_press };

/* --- life, links, texts --- */

static int kernels_open(struct view *v)
{
	struct kernels_view *s = v->state;

	for (int i = 0; i < KERNEL_PAGES; i++) {
		sheet_open(&s->sheet[i], &kernels_schema[i], NULL, pages[i].sort);
		sheet_name(&s->sheet[i], pages[i].name, pages[i].more);
		s->sheet[i].all = true;
	}
	return 0;
}

static void kernels_close(struct view *v)
{
	struct kernels_view *s = v->state;

	frame_close(v);
	for (int i = 0; i < KERNEL_PAGES; i++)
		sheet_free(&s->sheet[i]);
}

/* The kernel by its name, for the timeline. */
static struct ref kernels_here(const struct view *v)
{
	const struct kernels_view *s = v->state;
	struct ref r = REF_EMPTY;
	struct slice name;
	size_t row;

	if (!frame_ready(v) || s->page != KERNELS_BY_KERNEL ||
	    (row = sheet_row(&s->sheet[s->page])) == SIZE_MAX)
		return r;
	name = table_str(&s->table[s->page], row, KERNELS_kernel_name);
	r.name = strtab_find(&v->cap->dump->str, name.s, name.n);
	r.kind = r.name == UINT32_MAX || !r.name ? REF_NONE : REF_NAME;
	return r;
}

static int kernels_show(struct view *v, const struct ref *r)
{
	struct kernels_view *s = v->state;
	const struct trace *t = &v->cap->dump->trace;
	struct slice name;

	if (r->kind == REF_NONE)
		return 0;
	if (!frame_ready(v))
		return -1;
	if (r->kind == REF_EVENT && r->track < t->ntracks && r->event < t->tracks[r->track].n)
		name = dump_text(v->cap->dump, t->metas[track_meta(&t->tracks[r->track], r->event)].name);
	else if (r->kind == REF_NAME || r->kind == REF_OP)
		name = dump_text(v->cap->dump, r->name);
	else
		return -1;
	for (size_t i = 0; i < s->k->n; i++)
		if (slice_same(s->k->v[i].name, name)) {
			page_go(v, KERNELS_BY_KERNEL);
			return sheet_show(&s->sheet[KERNELS_BY_KERNEL], i) ? 0 : -1;
		}
	return -1;
}

static void kernels_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct kernels_view *s = v->state;
	char time[40], number[24];

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	sheet_status(&s->sheet[s->page], left, size);
	snprintf(right, size, "%s kernel%s, %s", units_count(number, sizeof number, s->k->sum.n),
	    s->k->sum.n == 1 ? "" : "s",
	    units_time(time, sizeof time,
		s->k->sum.total > INT64_MAX / 1000 ? INT64_MAX : s->k->sum.total * 1000,
		v->app->glyphs->ascii));
}

static int kernels_copy(struct view *v, FILE *out)
{
	return frame_ready(v) ? sheet_copy(page_sheet(v), out) : -1;
}

/* The report has the rows of one page, and the devices. */
static void add_pages(void *view, struct report *r)
{
	const struct kernels_view *s = ((struct view *)view)->state;

	for (int i = KERNELS_BY_KERNEL; frame_ready(view) && i < KERNELS_DEVICES; i++) {
		struct table t;

		kernels_table(s->k, (enum kernels_table)i, report_for_people(r), &t);
		report_whole(r, pages[i].table, &t);
		table_free(&t);
	}
}

static void kernels_document(struct view *v, struct document *d)
{
	const struct kernels_view *s = v->state;

	d->options.by = pages[s->page].by;
}

static const char *table_name(const struct view *v)
{
	return pages[((const struct kernels_view *)v->state)->page].table;
}

static void kernels_save(const struct view *v, struct kv *kv)
{
	const struct kernels_view *s = v->state;

	kv_put_int(kv, "page", (int64_t)s->page);
	sheet_save(&s->sheet[s->page], kv);
}

static void kernels_restore(struct view *v, const struct kv *kv)
{
	struct kernels_view *s = v->state;
	int64_t page;

	if (!kv_get_int(kv, "page", &page) || page < 0 || page >= KERNEL_PAGES)
		return;
	s->page = (enum kernels_table)page;
	sheet_restore(&s->sheet[s->page], kv);
}

static const struct view_table tables[] = { { "kernels", &kernels_schema[KERNELS_BY_KERNEL] },
	{ "ops", &kernels_schema[KERNELS_BY_OP] }, { "streams", &kernels_schema[KERNELS_BY_STREAM] },
	{ NULL, NULL } };

const struct view_ops view_kernels = {
	.id = "kernels",
	.tables = tables,
	.title = "Kernels",
	.short_title = "Kernels",
	.letter = 'k',
	.scope = SCOPE_KERNELS,
	.needs = NEED_ANY,
	.any = kernels_any,
	.frame = &frame_ops,
	.size = sizeof(struct kernels_view),
	.open = kernels_open,
	FRAME_SLOTS,
	.here = kernels_here,
	.show = kernels_show,
	.status = kernels_status,
	.close = kernels_close,
	.save = kernels_save,
	.restore = kernels_restore,
	.copy = kernels_copy,
	.report = "kernels",
	.document = kernels_document,
	.add = add_pages,
	.table = table_name,
};
