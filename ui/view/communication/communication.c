#include "config.h"
#include "view/communication/communication.h"

#include <stdio.h>
#include <string.h>

#include "core/app.h"
#include "core/document.h"
#include "core/results.h"
#include "view/frames.h"

static const struct page pages[COMM_PAGES] = {
	[PAGE_OPS] = { "ops", &communication_ops_schema, "name", NULL, "exposed_us" },
	[PAGE_KINDS] = { "kinds", &communication_groups_schema, "key", NULL, "exposed_us" },
	[PAGE_AXES] = { "axes", &communication_groups_schema, "key", NULL, "exposed_us" },
	[PAGE_SOURCES] = { "sources", &communication_groups_schema, "key", NULL, "exposed_us" },
	[PAGE_SCOPES] = { "scopes", &communication_groups_schema, "key", NULL, "exposed_us" },
	[PAGE_CORES] = { "cores", &communication_cores_schema, "core", NULL, NULL },
	[PAGE_STEPS] = { "steps", &communication_steps_schema, "core", NULL, NULL },
	[PAGE_COPIES] = { "copies", &communication_ops_schema, "name", NULL, "exposed_us" },
};

static bool page_is_of_ops(enum comm_page p)
{
	return p == PAGE_OPS || p == PAGE_COPIES;
}

static void make_page(const struct communication *c, enum comm_page p, struct table *t)
{
	if (page_is_of_ops(p))
		communication_ops_table(c, p == PAGE_COPIES, t);
	else if (p == PAGE_CORES)
		communication_cores_table(c, t);
	else if (p == PAGE_STEPS)
		communication_steps_table(c, true, t);
	else
		communication_groups_table(c, (enum comm_by)p, t);
}

static void communication_take(struct view *v)
{
	struct communication_view *s = v->state;

	s->c = result_get(v->app, RESULT_COMMUNICATION);
	if (!s->c)
		return;
	for (int i = 0; i < COMM_PAGES; i++)
		make_page(s->c, (enum comm_page)i, &s->pages.table[i]);
	pages_shown(v);
}

static void communication_drop(struct view *v)
{
	pages_drop(v);
	((struct communication_view *)v->state)->c = NULL;
}

static unsigned communication_act(struct view *v, enum action a, int count)
{
	(void)count;
	if (a == ACT_COMMUNICATION_NEXT)
		return pages_next(v);
	return a >= ACT_COMMUNICATION_1 && a <= ACT_COMMUNICATION_5
	    ? pages_go(v, (int)(a - ACT_COMMUNICATION_1))
	    : ACT_PASS;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_COMMUNICATION],
	.results = 1u << RESULT_COMMUNICATION,
	.take = communication_take,
	.drop = communication_drop,
	.above = communication_above,
	.card = communication_card,
	.act = communication_act,
	PAGES_FRAME_SLOTS };

static int communication_open(struct view *v)
{
	pages_open(v, pages, COMM_PAGES);
	return 0;
}

static struct ref communication_here(const struct view *v)
{
	const struct communication_view *s = v->state;

	return frame_ready(v) && page_is_of_ops(s->pages.page) ? pages_op(v) : REF_EMPTY;
}

static int show_name(struct view *v, enum comm_page page, struct slice name)
{
	struct communication_view *s = v->state;
	const struct table *t = &s->pages.table[page];

	for (size_t i = 0; i < t->nrows; i++)
		if (slice_same(table_str(t, i, (size_t)table_column(t, "name")), name)) {
			pages_go(v, page);
			return sheet_show(&s->pages.sheet[page], i) ? 0 : -1;
		}
	return -1;
}

static int communication_show(struct view *v, const struct ref *r)
{
	const struct trace *t = &v->cap->dump->trace;
	struct slice name = slice_of(r->text);

	if (r->kind == REF_NONE)
		return 0;
	if (!frame_ready(v))
		return -1;
	if (r->kind == REF_EVENT && r->track < t->ntracks && r->event < t->tracks[r->track].n)
		name = dump_text(v->cap->dump, t->metas[track_meta(&t->tracks[r->track], r->event)].name);
	else if (r->kind == REF_NAME || r->kind == REF_OP)
		name = dump_text(v->cap->dump, r->name);
	else if (r->kind != REF_COLLECTIVE)
		return -1;
	return show_name(v, PAGE_OPS, name) && show_name(v, PAGE_COPIES, name) ? -1 : 0;
}

static void communication_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct communication_view *s = v->state;

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	sheet_status(&s->pages.sheet[s->pages.page], left, size);
	snprintf(right, size, "%s",
	    s->pages.page == PAGE_STEPS ? "of the core's own marker" : "sums of the capture");
}

static void communication_document(struct view *v, struct document *d)
{
	const struct communication_view *s = v->state;

	d->options.by = s->pages.page < PAGE_CORES ? comm_by_name((enum comm_by)s->pages.page) : NULL;
}

static const char *table_name(const struct view *v)
{
	const struct communication_view *s = v->state;

	return s->pages.page > PAGE_OPS && s->pages.page < PAGE_CORES ? "groups" : pages[s->pages.page].title;
}

/* Is there a core that runs ops? */
static bool has_cores(const struct dump *d)
{
	return trace_has_plane(&d->trace, PLANE_TPU);
}

const struct view_ops view_communication = {
	.id = "communication",
	.title = "Communication",
	.short_title = "Comm",
	.of = "pod",
	.letter = 'C',
	.scope = SCOPE_COMMUNICATION,
	.needs = NEED_ANY,
	.any = has_cores,
	.frame = &frame_ops,
	.size = sizeof(struct communication_view),
	.open = communication_open,
	PAGES_SLOTS,
	.here = communication_here,
	.show = communication_show,
	.status = communication_status,
	.report = "communication",
	.document = communication_document,
	.table = table_name,
};
