#include "config.h"
#include "view/communication/communication.h"

#include <stdio.h>
#include <string.h>

#include "core/app.h"
#include "core/document.h"
#include "core/results.h"
#include "view/frames.h"

static bool page_is_of_ops(enum comm_page p)
{
	return p == PAGE_OPS || p == PAGE_COPIES;
}

static const struct schema *schema_of(enum comm_page p)
{
	return page_is_of_ops(p) ? &communication_ops_schema
	    : p == PAGE_CORES    ? &communication_cores_schema
	    : p == PAGE_STEPS    ? &communication_steps_schema
				 : &communication_groups_schema;
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
	for (int i = 0; s->c && i < COMM_PAGES; i++) {
		make_page(s->c, (enum comm_page)i, &s->table[i]);
		sheet_set(&s->sheet[i], &s->table[i]);
	}
}

static void drop_rows(struct view *v)
{
	struct communication_view *s = v->state;

	for (int i = 0; s->c && i < COMM_PAGES; i++) {
		sheet_set(&s->sheet[i], NULL);
		table_free(&s->table[i]);
	}
	s->c = NULL;
}

static struct sheet *page_sheet(struct view *v)
{
	struct communication_view *s = v->state;

	return &s->sheet[s->page];
}

static void draw_main(struct view *v, struct canvas *c, struct rect a)
{
	sheet_draw(page_sheet(v), c, a);
}

static void page_go(struct view *v, int page)
{
	struct communication_view *s = v->state;

	s->page = (enum comm_page)page;
	frame_close_card(v);
}

static unsigned communication_act(struct view *v, enum action a, int count)
{
	const struct communication_view *s = v->state;

	(void)count;
	if (a == ACT_COMMUNICATION_NEXT)
		page_go(v, ((int)s->page + 1) % COMM_PAGES);
	else if (a >= ACT_COMMUNICATION_1 && a <= ACT_COMMUNICATION_5)
		page_go(v, (int)(a - ACT_COMMUNICATION_1));
	else
		return ACT_PASS;
	return REACT_REDRAW;
}

static unsigned communication_press(struct view *v, const struct mouse *m)
{
	const struct communication_view *s = v->state;
	int tab = tabs_at(&s->tabs, m);

	if (tab < 0)
		return ACT_PASS;
	page_go(v, tab);
	return REACT_REDRAW;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_COMMUNICATION],
	.results = 1u << RESULT_COMMUNICATION,
	.take = communication_take,
	.drop = drop_rows,
	.sheet = page_sheet,
	.above = communication_above,
	.main = draw_main,
	.card = communication_card,
	.act = communication_act,
	.press = communication_press };

static int communication_open(struct view *v)
{
	struct communication_view *s = v->state;

	for (int i = 0; i < COMM_PAGES; i++) {
		sheet_open(&s->sheet[i], schema_of((enum comm_page)i), NULL,
		    i == PAGE_CORES || i == PAGE_STEPS ? NULL : "exposed_us");
		sheet_name(&s->sheet[i],
		    page_is_of_ops((enum comm_page)i) ? "name"
			: i < PAGE_CORES              ? "key"
						      : "core",
		    NULL);
		s->sheet[i].all = true;
	}
	return 0;
}

static void communication_close(struct view *v)
{
	struct communication_view *s = v->state;

	frame_close(v);
	for (int i = 0; i < COMM_PAGES; i++)
		sheet_free(&s->sheet[i]);
}

/* The op by its name, for the timeline and the graph. */
static struct ref communication_here(const struct view *v)
{
	const struct communication_view *s = v->state;
	struct ref r = REF_EMPTY;
	struct slice name;
	size_t row;

	if (!frame_ready(v) || !page_is_of_ops(s->page) || (row = sheet_row(&s->sheet[s->page])) == SIZE_MAX)
		return r;
	name = table_str(&s->table[s->page], row, (size_t)table_column(&s->table[s->page], "name"));
	r.name = strtab_find(&v->cap->dump->str, name.s, name.n);
	r.kind = r.name == UINT32_MAX || !r.name ? REF_NONE : REF_NAME;
	return r;
}

static int show_name(struct view *v, enum comm_page page, struct slice name)
{
	struct communication_view *s = v->state;
	const struct table *t = &s->table[page];

	for (size_t i = 0; i < t->nrows; i++)
		if (slice_same(table_str(t, i, (size_t)table_column(t, "name")), name)) {
			page_go(v, page);
			return sheet_show(&s->sheet[page], i) ? 0 : -1;
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
	sheet_status(&s->sheet[s->page], left, size);
	snprintf(right, size, "%s",
	    s->page == PAGE_STEPS ? "of the core's own marker" : "sums of the capture");
}

static int communication_copy(struct view *v, FILE *out)
{
	return frame_ready(v) ? sheet_copy(page_sheet(v), out) : -1;
}

static void communication_document(struct view *v, struct document *d)
{
	const struct communication_view *s = v->state;

	d->options.by = s->page < PAGE_CORES ? comm_by_name((enum comm_by)s->page) : NULL;
}

static const char *table_name(const struct view *v)
{
	const struct communication_view *s = v->state;

	return s->page > PAGE_OPS && s->page < PAGE_CORES ? "groups" : communication_pages[s->page];
}

static void communication_save(const struct view *v, struct kv *kv)
{
	const struct communication_view *s = v->state;

	kv_put_int(kv, "page", (int64_t)s->page);
	sheet_save(&s->sheet[s->page], kv);
}

static void communication_restore(struct view *v, const struct kv *kv)
{
	struct communication_view *s = v->state;
	int64_t page;

	if (!kv_get_int(kv, "page", &page) || page < 0 || page >= COMM_PAGES)
		return;
	s->page = (enum comm_page)page;
	sheet_restore(&s->sheet[s->page], kv);
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
	FRAME_SLOTS,
	.here = communication_here,
	.show = communication_show,
	.status = communication_status,
	.close = communication_close,
	.save = communication_save,
	.restore = communication_restore,
	.copy = communication_copy,
	.report = "communication",
	.document = communication_document,
	.table = table_name,
};
