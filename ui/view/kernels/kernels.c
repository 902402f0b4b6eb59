#include "config.h"
#include "view/kernels/kernels.h"

#include <stdio.h>

#include "core/app.h"
#include "core/results.h"
#include "core/document.h"
#include "view/frames.h"

static const struct page pages[KERNEL_PAGES] = {
	[KERNELS_BY_KERNEL] = { "kernels", &kernels_schema[KERNELS_BY_KERNEL], "kernel_name", "op_name",
	    "total_duration_us" },
	[KERNELS_BY_OP] = { "ops", &kernels_schema[KERNELS_BY_OP], "op_name", NULL, "total_duration_us" },
	[KERNELS_BY_STREAM] = { "streams", &kernels_schema[KERNELS_BY_STREAM], "stream", "device", NULL },
	[KERNELS_DEVICES] = { "GPUs", &kernels_schema[KERNELS_DEVICES], "device", "host", NULL },
};
static const struct {
	const char *table, *by; /* of the report; by NULL: always in it */
} reported[KERNEL_PAGES] = {
	[KERNELS_BY_KERNEL] = { "kernels", "kernel" },
	[KERNELS_BY_OP] = { "ops", "op" },
	[KERNELS_BY_STREAM] = { "streams", "stream" },
	[KERNELS_DEVICES] = { "devices", NULL },
};

static void kernels_take(struct view *v)
{
	struct kernels_view *s = v->state;

	s->k = result_get(v->app, RESULT_KERNELS);
	if (!s->k)
		return;
	for (int i = 0; i < KERNEL_PAGES; i++)
		kernels_table(s->k, (enum kernels_table)i, true, &s->pages.table[i]);
	pages_shown(v);
}

static void kernels_drop(struct view *v)
{
	pages_drop(v);
	((struct kernels_view *)v->state)->k = NULL;
}

static unsigned kernels_act(struct view *v, enum action a, int count)
{
	(void)count;
	return a == ACT_KERNELS_NEXT ? pages_next(v) : ACT_PASS;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_KERNELS],
	.results = 1u << RESULT_KERNELS,
	.take = kernels_take,
	.drop = kernels_drop,
	.above = pages_tabs,
	.card = kernels_view_card,
	.act = kernels_act,
	PAGES_FRAME_SLOTS };

/* --- life, links, texts --- */

static int kernels_open(struct view *v)
{
	pages_open(v, pages, KERNEL_PAGES);
	return 0;
}

static struct ref kernels_here(const struct view *v)
{
	const struct kernels_view *s = v->state;

	return frame_ready(v) && s->pages.page == KERNELS_BY_KERNEL ? pages_op(v) : REF_EMPTY;
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
			pages_go(v, KERNELS_BY_KERNEL);
			return sheet_show(&s->pages.sheet[KERNELS_BY_KERNEL], i) ? 0 : -1;
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
	sheet_status(&s->pages.sheet[s->pages.page], left, size);
	snprintf(right, size, "%s kernel%s, %s", units_count(number, sizeof number, s->k->sum.n),
	    s->k->sum.n == 1 ? "" : "s",
	    units_time(time, sizeof time,
		s->k->sum.total > INT64_MAX / 1000 ? INT64_MAX : s->k->sum.total * 1000,
		v->app->glyphs->ascii));
}

/* The report has the rows of one page, and the devices. */
static void add_pages(void *view, struct report *r)
{
	const struct kernels_view *s = ((struct view *)view)->state;

	for (int i = KERNELS_BY_KERNEL; frame_ready(view) && i < KERNELS_DEVICES; i++) {
		struct table t;

		kernels_table(s->k, (enum kernels_table)i, report_for_people(r), &t);
		report_whole(r, reported[i].table, &t);
		table_free(&t);
	}
}

static void kernels_document(struct view *v, struct document *d)
{
	const struct kernels_view *s = v->state;

	d->options.by = reported[s->pages.page].by;
}

static const char *table_name(const struct view *v)
{
	return reported[((const struct kernels_view *)v->state)->pages.page].table;
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
	PAGES_SLOTS,
	.here = kernels_here,
	.show = kernels_show,
	.status = kernels_status,
	.report = "kernels",
	.document = kernels_document,
	.add = add_pages,
	.table = table_name,
};
