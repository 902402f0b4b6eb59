#include "config.h"
#include "view/account/account.h"

#include <stdio.h>

#include "core/app.h"
#include "core/document.h"
#include "core/results.h"
#include "view/frames.h"

static const struct page pages[ACCOUNT_PAGES] = {
	[ACCOUNT_PARTS] = { "parts", &replay_parts_schema, "part", NULL, NULL },
	[ACCOUNT_CORES] = { "cores", &replay_cores_schema, "core", NULL, NULL },
	[ACCOUNT_STEPS] = { "steps", &replay_steps_schema, "step", NULL, NULL },
	[ACCOUNT_OPS] = { "ops", &replay_ops_schema, "name", NULL, NULL },
	[ACCOUNT_PATH] = { "critical path", &replay_path_schema, "name", NULL, NULL },
};

static void account_take(struct view *v)
{
	struct account_view *s = v->state;

	s->r = result_get(v->app, RESULT_REPLAY);
	replay_parts_table(s->r, true, &s->pages.table[ACCOUNT_PARTS]);
	replay_cores_table(s->r, -1, &s->pages.table[ACCOUNT_CORES]);
	replay_steps_table(s->r, NULL, &s->pages.table[ACCOUNT_STEPS]);
	replay_ops_table(s->r, &s->pages.table[ACCOUNT_OPS]);
	replay_path_table(s->r, &s->pages.table[ACCOUNT_PATH]);
	pages_shown(v);
}

static void account_drop(struct view *v)
{
	pages_drop(v);
	((struct account_view *)v->state)->r = NULL;
}

static unsigned account_act(struct view *v, enum action a, int count)
{
	(void)count;
	return a == ACT_ACCOUNT_NEXT ? pages_next(v) : ACT_PASS;
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
	.above = account_above,
	.card = account_card,
	.has_card = has_card,
	.act = account_act,
	PAGES_FRAME_SLOTS };

static int account_open(struct view *v)
{
	pages_open(v, pages, ACCOUNT_PAGES);
	return 0;
}

static struct ref account_here(const struct view *v)
{
	const struct account_view *s = v->state;

	return frame_ready(v) && (s->pages.page == ACCOUNT_OPS || s->pages.page == ACCOUNT_PATH) ? pages_op(v)
												 : REF_EMPTY;
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
	pages_go(v, ACCOUNT_OPS);
	op = dump_text(v->cap->dump, r->name);
	snprintf(name, sizeof name, "%.*s", (int)op.n, op.s);
	return sheet_show_named(&s->pages.sheet[ACCOUNT_OPS], name) ? 0 : -1;
}

static void account_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct account_view *s = v->state;

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	sheet_status(&s->pages.sheet[s->pages.page], left, size);
	snprintf(right, size, "%s",
	    s->pages.page == ACCOUNT_OPS ? "sums of all steps" : "of the steps used, shares of the step");
}

static const char *table_name(const struct view *v)
{
	const struct account_view *s = v->state;

	return s->pages.page == ACCOUNT_PATH ? "critical_path" : pages[s->pages.page].title;
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
	PAGES_SLOTS,
	.here = account_here,
	.show = account_show,
	.status = account_status,
	.report = "account",
	.table = table_name,
};
