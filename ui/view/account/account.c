#include "config.h"
#include "view/account/account.h"

#include <stdio.h>
#include <string.h>

#include "core/app.h"
#include "core/document.h"
#include "core/results.h"
#include "view/frames.h"

static const struct schema *const schemas[ACCOUNT_PAGES] = {
	[ACCOUNT_PARTS] = &replay_parts_schema,
	[ACCOUNT_CORES] = &replay_cores_schema,
	[ACCOUNT_STEPS] = &replay_steps_schema,
	[ACCOUNT_OPS] = &replay_ops_schema,
	[ACCOUNT_PATH] = &replay_path_schema,
};
static const char *const names[ACCOUNT_PAGES] = {
	[ACCOUNT_PARTS] = "part",
	[ACCOUNT_CORES] = "core",
	[ACCOUNT_STEPS] = "step",
	[ACCOUNT_OPS] = "name",
	[ACCOUNT_PATH] = "name",
};

static void account_take(struct view *v)
{
	struct account_view *s = v->state;

	s->r = result_get(v->app, RESULT_REPLAY);
	replay_parts_table(s->r, true, &s->table[ACCOUNT_PARTS]);
	replay_cores_table(s->r, -1, &s->table[ACCOUNT_CORES]);
	replay_steps_table(s->r, NULL, &s->table[ACCOUNT_STEPS]);
	replay_ops_table(s->r, &s->table[ACCOUNT_OPS]);
	replay_path_table(s->r, &s->table[ACCOUNT_PATH]);
	for (int i = 0; i < ACCOUNT_PAGES; i++)
		sheet_set(&s->sheet[i], &s->table[i]);
}

static void account_drop(struct view *v)
{
	struct account_view *s = v->state;

	for (int i = 0; s->r && i < ACCOUNT_PAGES; i++) {
		sheet_set(&s->sheet[i], NULL);
		table_free(&s->table[i]);
	}
	s->r = NULL;
}

static struct sheet *page_sheet(struct view *v)
{
	struct account_view *s = v->state;

	return &s->sheet[s->page];
}

static void draw_main(struct view *v, struct canvas *c, struct rect a)
{
	sheet_draw(page_sheet(v), c, a);
}

static void page_go(struct view *v, int page)
{
	struct account_view *s = v->state;

	s->page = (enum account_page)page;
	frame_close_card(v);
}

static unsigned account_act(struct view *v, enum action a, int count)
{
	const struct account_view *s = v->state;

	(void)count;
	if (a != ACT_ACCOUNT_NEXT)
		return ACT_PASS;
	page_go(v, ((int)s->page + 1) % ACCOUNT_PAGES);
	return REACT_REDRAW;
}

static unsigned account_press(struct view *v, const struct mouse *m)
{
	const struct account_view *s = v->state;
	int tab = tabs_at(&s->tabs, m);

	if (tab < 0)
		return ACT_PASS;
	page_go(v, tab);
	return REACT_REDRAW;
}

static bool has_card(struct view *v)
{
	(void)v;
	return true;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_ACCOUNT],
	.results = 1u << RESULT_REPLAY,
	.take = account_take,
	.drop = account_drop,
	.sheet = page_sheet,
	.above = account_above,
	.main = draw_main,
	.card = account_card,
	.has_card = has_card,
	.act = account_act,
	.press = account_press };

static int account_open(struct view *v)
{
	struct account_view *s = v->state;

	for (int i = 0; i < ACCOUNT_PAGES; i++) {
		sheet_open(&s->sheet[i], schemas[i], NULL, NULL);
		sheet_name(&s->sheet[i], names[i], NULL);
		s->sheet[i].all = true;
	}
	return 0;
}

static void account_close(struct view *v)
{
	struct account_view *s = v->state;

	frame_close(v);
	for (int i = 0; i < ACCOUNT_PAGES; i++)
		sheet_free(&s->sheet[i]);
}

/* The op by its name, for the timeline and the graph. */
static struct ref account_here(const struct view *v)
{
	const struct account_view *s = v->state;
	const struct table *t = &s->table[s->page];
	struct ref r = REF_EMPTY;
	struct slice name;
	size_t row;

	if (!frame_ready(v) || (s->page != ACCOUNT_OPS && s->page != ACCOUNT_PATH) ||
	    (row = sheet_row(&s->sheet[s->page])) == SIZE_MAX)
		return r;
	name = table_str(t, row, (size_t)table_column(t, "name"));
	r.name = strtab_find(&v->cap->dump->str, name.s, name.n);
	r.kind = r.name == UINT32_MAX || !r.name ? REF_NONE : REF_NAME;
	return r;
}

static int account_show(struct view *v, const struct ref *r)
{
	struct account_view *s = v->state;
	struct slice op;
	char name[256];

	if (r->kind == REF_NONE)
		return 0;
	if (!frame_ready(v) || (r->kind != REF_NAME && r->kind != REF_OP))
		return -1;
	page_go(v, ACCOUNT_OPS);
	op = dump_text(v->cap->dump, r->name);
	snprintf(name, sizeof name, "%.*s", (int)op.n, op.s);
	return sheet_show_named(&s->sheet[ACCOUNT_OPS], name) ? 0 : -1;
}

static void account_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct account_view *s = v->state;

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	sheet_status(&s->sheet[s->page], left, size);
	snprintf(right, size, "%s",
	    s->page == ACCOUNT_OPS ? "sums of all steps" : "of the steps used, shares of the step");
}

static int account_copy(struct view *v, FILE *out)
{
	return frame_ready(v) ? sheet_copy(page_sheet(v), out) : -1;
}

static const char *table_name(const struct view *v)
{
	const struct account_view *s = v->state;

	return s->page == ACCOUNT_PATH ? "critical_path" : account_pages[s->page];
}

static void account_save(const struct view *v, struct kv *kv)
{
	const struct account_view *s = v->state;

	kv_put_int(kv, "page", (int64_t)s->page);
	sheet_save(&s->sheet[s->page], kv);
}

static void account_restore(struct view *v, const struct kv *kv)
{
	struct account_view *s = v->state;
	int64_t page;

	if (!kv_get_int(kv, "page", &page) || page < 0 || page >= ACCOUNT_PAGES)
		return;
	s->page = (enum account_page)page;
	sheet_restore(&s->sheet[s->page], kv);
}

/* Is there a core that runs ops? */
static bool has_cores(const struct dump *d)
{
	return trace_has_plane(&d->trace, PLANE_TPU);
}

const struct view_ops view_account = {
	.id = "account",
	.title = "Account",
	.short_title = "Acct",
	.of = "overview",
	.letter = 'a',
	.scope = SCOPE_ACCOUNT,
	.needs = NEED_ANY,
	.any = has_cores,
	.frame = &frame_ops,
	.size = sizeof(struct account_view),
	.open = account_open,
	FRAME_SLOTS,
	.here = account_here,
	.show = account_show,
	.status = account_status,
	.close = account_close,
	.save = account_save,
	.restore = account_restore,
	.copy = account_copy,
	.report = "account",
	.table = table_name,
};
