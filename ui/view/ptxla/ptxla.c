#include "config.h"
#include "view/ptxla/ptxla.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "core/app.h"
#include "core/results.h"
#include "core/document.h"
#include "report/tool/ptxla.h"
#include "view/frames.h"

/* --- the pages --- */

static void ptxla_take(struct view *v)
{
	struct ptxla_view *s = v->state;

	s->x = result_get(v->app, RESULT_PTXLA);
	if (!s->x)
		return;
	if (s->report != SIZE_MAX && s->report >= s->x->nreports)
		s->report = SIZE_MAX;
	ptxla_view_count(s);
	ptxla_view_fill(s);
	if (*s->want)
		ptxla_view_find(s, s->want);
	*s->want = 0;
}

static void drop_pages(struct view *v)
{
	struct ptxla_view *s = v->state;

	ptxla_view_drop(s);
	s->x = NULL;
}

static bool is_ready(struct view *v)
{
	const struct ptxla_view *s = v->state;

	return s->x && s->rows[s->page];
}

static void draw_nothing(struct view *v, struct canvas *c, struct rect a)
{
	const struct ptxla_view *s = v->state;

	if (!s->x)
		result_draw_what(v->app, RESULT_PTXLA, c, a);
	else
		canvas_str(c, a.y + 1, a.x + 2, a.w - 4, ROLE_BOLD, ATTR_BOLD,
		    "No report of PyTorch/XLA could be read here.");
}

static void page_go(struct view *v, size_t page)
{
	struct ptxla_view *s = v->state;

	sheet_keep(&s->sheet[s->page]);
	s->page = page;
	ptxla_view_fill(s);
	sheet_return(&s->sheet[s->page]);
	frame_close_card(v);
}

static void page_next(struct view *v)
{
	struct ptxla_view *s = v->state;
	size_t page = s->page;

	do {
		page = (page + 1) % PTXLA_PAGES;
	} while (!s->rows[page]);
	page_go(v, page);
}

static bool has_reports(const struct ptxla_view *s)
{
	return s->x->nreports > 1;
}

static void report_go(struct view *v, size_t report)
{
	struct ptxla_view *s = v->state;

	s->report = report;
	ptxla_view_count(s);
	ptxla_view_fill(s);
}

static void report_step(struct view *v, int by)
{
	struct ptxla_view *s = v->state;
	size_t n = s->x->nreports;

	if (!has_reports(s)) {
		app_say(v->app, "there is only one report");
		return;
	}
	if (s->report == SIZE_MAX)
		report_go(v, by > 0 ? 0 : n - 1);
	else if ((by > 0 && s->report + 1 == n) || (by < 0 && !s->report))
		report_go(v, SIZE_MAX);
	else
		report_go(v, by > 0 ? s->report + 1 : s->report - 1);
}

static size_t page_of(enum ptxla_table which)
{
	size_t page = 0;

	while (ptxla_view_pages[page] != which)
		page++;
	return page;
}

/* --- drawing --- */

/* One for each page with rows; those before the one shown are left out when there is no room. */
static struct rect draw_tabs(struct view *v, struct canvas *c, struct rect a)
{
	struct ptxla_view *s = v->state;
	int cols[PTXLA_PAGES], before = 0;
	char text[PTXLA_PAGES][48], number[24];
	size_t from = 0;

	for (size_t i = 0; i < PTXLA_PAGES; i++) {
		snprintf(text[i], sizeof text[i], " %s %s ", ptxla_view_titles[i],
		    units_count(number, sizeof number, s->rows[i]));
		cols[i] = s->rows[i] ? utf8_cols(text[i], strlen(text[i])) : 0;
		before += i <= s->page ? cols[i] : 0;
	}
	while (from < s->page && before > a.w - 4)
		before -= cols[from++];
	tabs_begin(&s->tabs, a.y, a.x + 1);
	for (size_t i = 0; i < PTXLA_PAGES; i++)
		tabs_add(&s->tabs, c, a.x + a.w, i == s->page, i >= from && s->rows[i] ? text[i] : "");
	return (struct rect){ a.y + 1, a.x, a.h - 1, a.w };
}

static struct rect above(struct view *v, struct canvas *c, struct rect a)
{
	return a.h > 3 ? draw_tabs(v, c, a) : a;
}

/* When there are few rows, the card gets what they leave. */
static struct frame_place divide(struct view *v, struct rect a)
{
	enum { ROWS_MOST = 200 };
	const struct sheet *sheet = ptxla_view_sheet(v);
	struct frame_place p = frame_divide(&frame_forms[FORM_PTXLA], a);
	int spare = p.main.h - 1 - (int)(sheet->list.n < ROWS_MOST ? sheet->list.n : ROWS_MOST);

	if (p.how == FRAME_BELOW && spare > 0) {
		p.main.h -= spare;
		p.card.y -= spare;
		p.card.h += spare;
	}
	return p;
}

static enum role cell_role(const void *ctx, size_t row, size_t column)
{
	const struct ptxla_view *s = ctx;
	const struct cell *cell = table_at(&s->table, row, column);
	const char *id = s->table.columns[column].id;

	if (cell->type != CELL_STR)
		return ROLE_TEXT;
	if (!strcmp(id, "class"))
		return !strcmp(cell->s, "aten") ? ROLE_WARN : ROLE_DIM;
	return !strcmp(id, "kind") && !strcmp(cell->s, "unexpected_execution") ? ROLE_BAD : ROLE_TEXT;
}

/* --- keys --- */

static unsigned ptxla_act(struct view *v, enum action a, int count)
{
	struct ptxla_view *s = v->state;
	size_t row = ptxla_view_row(s);

	(void)count;
	switch (a) {
	case ACT_PTXLA_NEXT:
		page_next(v);
		return REACT_REDRAW;
	case ACT_REPORT_NEXT:
	case ACT_REPORT_PREV:
		report_step(v, a == ACT_REPORT_NEXT ? 1 : -1);
		return REACT_REDRAW;
	case ACT_OPEN:
		if (ptxla_view_pages[s->page] != PTXLA_STEPS || row == SIZE_MAX)
			return ACT_PASS;
		report_go(v, row);
		page_go(v, page_of(s->rows[page_of(PTXLA_TIMES)] ? PTXLA_TIMES : PTXLA_COUNTERS));
		return REACT_REDRAW;
	default:
		return ACT_PASS;
	}
}

static unsigned ptxla_press(struct view *v, const struct mouse *m)
{
	const struct ptxla_view *s = v->state;
	int tab = tabs_at(&s->tabs, m);

	if (tab < 0)
		return ACT_PASS;
	page_go(v, (size_t)tab);
	return REACT_REDRAW;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_PTXLA],
	.results = 1u << RESULT_PTXLA,
	.take = ptxla_take,
	.drop = drop_pages,
	.ready = is_ready,
	.draw_nothing = draw_nothing,
	.sheet = ptxla_view_sheet,
	.above = above,
	.divide = divide,
	.card = ptxla_view_card,
	.act = ptxla_act,
	.press = ptxla_press };

/* --- life, texts --- */

static int ptxla_open(struct view *v)
{
	struct ptxla_view *s = v->state;

	s->report = SIZE_MAX;
	for (size_t i = 0; i < PTXLA_PAGES; i++) {
		enum ptxla_table which = ptxla_view_pages[i];
		bool metrics = which >= PTXLA_TIMES && which <= PTXLA_COUNTS;
		bool named = metrics || which == PTXLA_COUNTERS;

		sheet_open(&s->sheet[i], &ptxla_schema[which], NULL, metrics ? "sum" : NULL);
		if (named)
			sheet_name(&s->sheet[i], "name", NULL);
		s->sheet[i].all = true;
		s->sheet[i].role = cell_role;
		s->sheet[i].ctx = s;
	}
	return 0;
}

static void ptxla_close(struct view *v)
{
	struct ptxla_view *s = v->state;

	frame_close(v);
	for (size_t i = 0; i < PTXLA_PAGES; i++)
		sheet_free(&s->sheet[i]);
}

static int ptxla_show(struct view *v, const struct ref *r)
{
	struct ptxla_view *s = v->state;

	if (r->kind == REF_NONE)
		return 0;
	if (r->kind != REF_NODE)
		return -1;
	if (frame_ready(v)) {
		sheet_keep(&s->sheet[s->page]);
		frame_close_card(v);
		return ptxla_view_find(s, r->text) ? 0 : -1;
	}
	snprintf(s->want, sizeof s->want, "%s", r->text);
	return 0;
}

static void ptxla_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct ptxla_view *s = v->state;
	const struct ptxla_report *r;

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	sheet_status(&s->sheet[s->page], left, size);
	if (!has_reports(s))
		return;
	if (s->report == SIZE_MAX) {
		snprintf(right, size, "the last of %zu reports", s->x->nreports);
		return;
	}
	r = &s->x->reports[s->report];
	if (r->step >= 0)
		snprintf(right, size, "report %zu of %zu   step %lld", s->report + 1, s->x->nreports,
		    (long long)r->step);
	else
		snprintf(right, size, "report %zu of %zu", s->report + 1, s->x->nreports);
}

static void title_right(const struct view *v, char *buf, size_t size)
{
	const struct ptxla_view *s = v->state;

	*buf = 0;
	if (frame_ready(v) && s->x->damaged)
		snprintf(buf, size, "%zu texts damaged ", s->x->damaged);
}

static const char *table_name(const struct view *v)
{
	const struct ptxla_view *s = v->state;
	enum ptxla_table which = ptxla_view_pages[s->page];

	return ptxla_table_name[which];
}

/* That which has the page, or what there is. */
static const char *report_of(const struct view *v)
{
	const struct ptxla_view *s = v->state;
	bool debug = report_has_table("ptxla_debug", table_name(v));

	if (!frame_ready(v))
		return v->ops->report;
	return !ptxla_has_metrics(s->x) || (debug && ptxla_has_debug(s->x)) ? "ptxla_debug" : "metrics";
}

/* Also what the report of the page has not, for programs. */
static void add_others(void *view, struct report *r)
{
	const struct ptxla_view *s = ((struct view *)view)->state;

	if (frame_ready(view) && !report_for_people(r))
		report_ptxla_others(r, s->x, report_of(view));
}

static void ptxla_document(struct view *v, struct document *d)
{
	d->report = report_of(v);
}

static void ptxla_save(const struct view *v, struct kv *kv)
{
	const struct ptxla_view *s = v->state;

	kv_put_int(kv, "page", (int64_t)s->page);
	sheet_save(&s->sheet[s->page], kv);
}

static void ptxla_restore(struct view *v, const struct kv *kv)
{
	struct ptxla_view *s = v->state;
	int64_t page;

	if (!kv_get_int(kv, "page", &page) || page < 0 || page >= PTXLA_PAGES)
		return;
	s->page = (size_t)page;
	sheet_restore(&s->sheet[s->page], kv);
}

static const struct view_table tables[] = { { "times", &ptxla_schema[PTXLA_TIMES] },
	{ "data", &ptxla_schema[PTXLA_DATA] }, { "counts", &ptxla_schema[PTXLA_COUNTS] },
	{ "steps", &ptxla_schema[PTXLA_STEPS] }, { NULL, NULL } };

const struct view_ops view_ptxla = {
	.id = "ptxla",
	.tables = tables,
	.title = "PyTorch/XLA",
	.short_title = "PyTorch",
	.letter = 'x',
	.scope = SCOPE_PTXLA,
	.needs = NEED_ANY,
	.any = ptxla_any,
	.frame = &frame_ops,
	.size = sizeof(struct ptxla_view),
	.open = ptxla_open,
	FRAME_SLOTS,
	.show = ptxla_show,
	.status = ptxla_status,
	.title_right = title_right,
	.close = ptxla_close,
	.save = ptxla_save,
	.restore = ptxla_restore,
	.copy = frame_copy,
	.report = "metrics",
	.document = ptxla_document,
	.add = add_others,
	.table = table_name,
};
