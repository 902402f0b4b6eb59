#include "config.h"
#include "view/llo/llo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/app.h"
#include "core/document.h"
#include "core/results.h"
#include "model/llo.h"
#include "view/frames.h"

static const struct {
	const char *title;
	int table; /* enum llo_table; -1: none of them */
	const char *name, *sort;
} pages[LLO_PAGES] = {
	[LLO_PAGE_COMPARE] = { "Compare", LLO_COMPARE, "name", NULL },
	[LLO_PAGE_KERNELS] = { "Kernels", LLO_KERNELS, "name", NULL },
	[LLO_PAGE_KERNEL] = { "Kernel", -1, NULL, NULL },
	[LLO_PAGE_BUNDLES] = { "Bundles", -1, NULL, NULL },
	[LLO_PAGE_LOOPS] = { "Loops", LLO_LOOPS, NULL, NULL },
	[LLO_PAGE_LINES] = { "Lines", LLO_LINES, "source", "cycles" },
	[LLO_PAGE_DMA] = { "DMA", LLO_DMA, NULL, NULL },
	[LLO_PAGE_MEMORY] = { "Memory", LLO_MEMORY, NULL, NULL },
};

/* --- the pages --- */

const struct llo_kernel *llo_view_kernel(const struct llo_view *s)
{
	size_t row = s->page == LLO_PAGE_KERNELS ? sheet_row(&s->sheet[LLO_PAGE_KERNELS]) : s->kernel;

	return s->l && row < s->l->n ? &s->l->v[row] : NULL;
}

static bool has_page(const struct llo_view *s, enum llo_page page)
{
	return page != LLO_PAGE_COMPARE || (s->l && s->l->ndumps > 1);
}

/* What is shown of bundles: units with their letters, but for those that are part of another. */
static const char *shown_bundles(const struct llo_kernel *k, struct table *t)
{
	char form[LLO_UNITS_MOST * 24];
	size_t n = (size_t)snprintf(form, sizeof form, "address cycles runs");

	for (size_t u = 0; u < k->nunits; u++)
		if (!k->unit[u].part && n + k->unit[u].name.n + 32 < sizeof form)
			n += (size_t)snprintf(form + n, sizeof form - n, " %.*s", (int)k->unit[u].name.n,
			    k->unit[u].name.s);
	snprintf(form + n, sizeof form - n, " opcodes source");
	return arena_strndup(&t->text, form, strlen(form));
}

/* Bundles have a column for each unit of the kernel. */
static void fill_bundles(struct llo_view *s, const struct llo_kernel *k)
{
	struct table *t = &s->table[LLO_PAGE_BUNDLES];
	struct sheet *sheet = &s->sheet[LLO_PAGE_BUNDLES];

	llo_bundles_table(k, t);
	if (s->opened)
		sheet_free(sheet);
	s->bundles = (struct schema){ t->columns, t->ncolumns, shown_bundles(k, t), NULL };
	sheet_open(sheet, &s->bundles, NULL, NULL);
	s->opened = true;
	sheet_set(sheet, t);
}

/* Pages are filled when they are shown. */
static void fill_page(struct llo_view *s)
{
	enum llo_page page = s->page;
	size_t only = page == LLO_PAGE_KERNELS || page == LLO_PAGE_COMPARE ? SIZE_MAX : s->kernel;

	if (s->table[page].columns || page == LLO_PAGE_KERNEL || !s->l || !llo_view_kernel(s) ||
	    (only != SIZE_MAX && only >= s->l->n))
		if (page != LLO_PAGE_KERNELS || !s->l || s->table[page].columns)
			return;
	if (page == LLO_PAGE_BUNDLES) {
		fill_bundles(s, &s->l->v[s->kernel]);
		return;
	}
	llo_table(s->l, (enum llo_table)pages[page].table, only, true, &s->table[page]);
	sheet_set(&s->sheet[page], &s->table[page]);
}

static void drop_page(struct llo_view *s, enum llo_page page)
{
	sheet_set(&s->sheet[page], NULL);
	table_free(&s->table[page]);
	s->table[page] = (struct table){ 0 };
}

static void drop_pages(struct view *v)
{
	struct llo_view *s = v->state;

	for (int i = 0; i < LLO_PAGES; i++)
		if (i != LLO_PAGE_BUNDLES || s->opened)
			drop_page(s, (enum llo_page)i);
	s->l = NULL;
}

static void choose_kernel(struct llo_view *s, size_t kernel)
{
	if (kernel >= s->l->n || kernel == s->kernel)
		return;
	s->kernel = kernel;
	for (int i = LLO_PAGE_BUNDLES; i < LLO_PAGES; i++)
		if (i != LLO_PAGE_BUNDLES || s->opened)
			drop_page(s, (enum llo_page)i);
}

static void page_go(struct view *v, enum llo_page page)
{
	struct llo_view *s = v->state;

	s->page = page;
	fill_page(s);
	frame_close_card(v);
}

static int find_named(struct view *v, struct slice name)
{
	struct llo_view *s = v->state;
	const struct llo_kernel *k;

	if (name.n && *name.s == '%')
		name = (struct slice){ name.s + 1, name.n - 1 };
	k = llo_find(s->l, name, (struct slice){ NULL, 0 });
	if (!k)
		return -1;
	choose_kernel(s, (size_t)(k - s->l->v));
	page_go(v, LLO_PAGE_KERNEL);
	return 0;
}

static void llo_take(struct view *v)
{
	struct llo_view *s = v->state;

	s->l = result_get(v->app, RESULT_LLO);
	if (!s->l)
		return;
	if (s->kernel >= s->l->n)
		s->kernel = 0;
	if (!has_page(s, s->page))
		s->page = LLO_PAGE_KERNELS;
	fill_page(s);
	if (*s->want && find_named(v, slice_of(s->want)))
		app_say(v->app, "the dump has no schedule of %s", s->want);
	*s->want = 0;
}

static struct sheet *page_sheet(struct view *v)
{
	struct llo_view *s = v->state;

	return s->page == LLO_PAGE_KERNEL || !s->table[s->page].columns ? NULL : &s->sheet[s->page];
}

/* --- drawing --- */

static struct rect above(struct view *v, struct canvas *c, struct rect a)
{
	struct llo_view *s = v->state;
	const struct llo_kernel *k = llo_view_kernel(s);
	int x;

	if (a.h <= 3)
		return a;
	tabs_begin(&s->tabs, a.y, a.x + 1);
	for (int i = 0; i < LLO_PAGES; i++) {
		char text[24] = "";

		if (has_page(s, (enum llo_page)i))
			snprintf(text, sizeof text, " %s ", pages[i].title);
		tabs_add(&s->tabs, c, a.x + a.w, i == (int)s->page, text);
	}
	x = s->tabs.x[LLO_PAGES];
	if (k && s->page > LLO_PAGE_KERNEL)
		canvas_start(c, a.y, x + 2, a.x + a.w - x - 2, ROLE_BOLD, 0, k->name.s, k->name.n);
	return (struct rect){ a.y + 1, a.x, a.h - 1, a.w };
}

static void draw_main(struct view *v, struct canvas *c, struct rect a)
{
	struct sheet *sheet = page_sheet(v);

	if (sheet)
		sheet_draw(sheet, c, a);
	else
		llo_view_draw(v, c, a);
}

/* --- keys --- */

/* To the bundle that the row is about. */
static unsigned go_to_bundle(struct view *v, size_t bundle)
{
	struct llo_view *s = v->state;

	page_go(v, LLO_PAGE_BUNDLES);
	sheet_show(&s->sheet[LLO_PAGE_BUNDLES], bundle);
	return REACT_REDRAW;
}

static unsigned open_row(struct view *v)
{
	struct llo_view *s = v->state;
	const struct llo_kernel *k = llo_view_kernel(s);
	size_t row = page_sheet(v) ? sheet_row(page_sheet(v)) : 0, n = 0;
	struct llo_pair *pair;

	if (!k || row == SIZE_MAX)
		return ACT_PASS;
	switch (s->page) {
	case LLO_PAGE_COMPARE:
		pair = llo_pairs(s->l, &n);
		if (row < n)
			choose_kernel(s, (size_t)((pair[row].b ? pair[row].b : pair[row].a) - s->l->v));
		free(pair);
		page_go(v, LLO_PAGE_KERNEL);
		return REACT_REDRAW;
	case LLO_PAGE_KERNELS:
		choose_kernel(s, row);
		page_go(v, LLO_PAGE_KERNEL);
		return REACT_REDRAW;
	case LLO_PAGE_KERNEL:
		return go_to_bundle(v, llo_main_loop(k) ? llo_main_loop(k)->first : 0);
	case LLO_PAGE_LOOPS:
		return row < k->nloops ? go_to_bundle(v, k->loop[row].first) : ACT_PASS;
	case LLO_PAGE_DMA:
		return row < k->ndma ? go_to_bundle(v, k->dma[row].address) : ACT_PASS;
	case LLO_PAGE_LINES:
		for (size_t i = 0; i < k->b.nins && row < k->nlines; i++)
			if (k->b.ins[i].real && k->b.ins[i].source == k->line[row].source) {
				for (n = 0; n + 1 < k->b.n && k->b.v[n + 1].first <= i;)
					n++;
				return go_to_bundle(v, n);
			}
		return ACT_PASS;
	default:
		return ACT_PASS;
	}
}

static bool stalls(const struct llo_kernel *k, size_t i)
{
	enum { CYCLES_LEAST = 5 };

	return k->aligned && k->cost[i] >= CYCLES_LEAST;
}

static bool is_at_limit(const struct llo_kernel *k, size_t i)
{
	for (size_t u = 0; u < k->nunits; u++)
		if (slice_same(k->unit[u].name, k->limit))
			return llo_slots(k, i, u) >= k->unit[u].capacity;
	return false;
}

static bool moves(const struct llo_kernel *k, size_t i)
{
	for (uint32_t j = 0; i < k->b.n && j < k->b.v[i].n; j++)
		if (slice_begins(llo_string(k, k->b.ins[k->b.v[i].first + j].op), "dma."))
			return true;
	return false;
}

static bool spills(const struct llo_kernel *k, size_t i)
{
	for (size_t u = 0; u < k->nunits; u++)
		if (k->unit[u].part && llo_slots(k, i, u))
			return true;
	return false;
}

/* From any page to the next bundle of a kind, around the end. */
static unsigned go_to_next(struct view *v, bool (*is)(const struct llo_kernel *, size_t), const char *what)
{
	struct llo_view *s = v->state;
	const struct llo_kernel *k = llo_view_kernel(s);
	size_t n = k ? (size_t)k->bundles : 0,
	       here = s->page == LLO_PAGE_BUNDLES ? sheet_row(page_sheet(v)) : n;

	if (!k)
		return ACT_PASS;
	here = here < n ? here : n - 1;
	choose_kernel(s, (size_t)(k - s->l->v));
	for (size_t i = 1; i <= n; i++)
		if (is(k, (here + i) % n))
			return go_to_bundle(v, (here + i) % n);
	app_say(v->app, "no bundle of this kernel %s", what);
	return REACT_REDRAW;
}

static unsigned llo_act(struct view *v, enum action a, int count)
{
	struct llo_view *s = v->state;
	enum llo_page page = s->page;

	(void)count;
	switch (a) {
	case ACT_LLO_NEXT:
		do
			page = (page + 1) % LLO_PAGES;
		while (!has_page(s, page));
		if (s->page == LLO_PAGE_KERNELS && llo_view_kernel(s))
			choose_kernel(s, (size_t)(llo_view_kernel(s) - s->l->v));
		page_go(v, page);
		return REACT_REDRAW;
	case ACT_LLO_KERNEL_NEXT:
	case ACT_LLO_KERNEL_PREV:
		if (!s->l || !s->l->n)
			return ACT_PASS;
		choose_kernel(s, (s->kernel + (a == ACT_LLO_KERNEL_NEXT ? 1 : s->l->n - 1)) % s->l->n);
		if (page <= LLO_PAGE_KERNELS)
			page = LLO_PAGE_KERNEL;
		page_go(v, page);
		return REACT_REDRAW;
	case ACT_LLO_KERNELS:
		page_go(v, LLO_PAGE_KERNELS);
		return REACT_REDRAW;
	case ACT_LLO_STALL:
		return go_to_next(v, stalls, "has 4 stalls behind it");
	case ACT_LLO_LIMIT:
		return go_to_next(v, is_at_limit, "uses all slots of its limit");
	case ACT_LLO_DMA:
		return go_to_next(v, moves, "starts or awaits a transfer");
	case ACT_LLO_SPILL:
		return go_to_next(v, spills, "spills or fills a register");
	case ACT_OPEN:
		return s->frame.full ? ACT_PASS : open_row(v);
	default:
		return ACT_PASS;
	}
}

static unsigned llo_press(struct view *v, const struct mouse *m)
{
	const struct llo_view *s = v->state;
	int tab = tabs_at(&s->tabs, m);

	if (tab < 0)
		return ACT_PASS;
	page_go(v, (enum llo_page)tab);
	return REACT_REDRAW;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_LLO],
	.results = 1u << RESULT_LLO,
	.take = llo_take,
	.drop = drop_pages,
	.sheet = page_sheet,
	.above = above,
	.main = draw_main,
	.card = llo_view_card,
	.act = llo_act,
	.press = llo_press };

/* --- life, links, texts --- */

static int llo_open(struct view *v)
{
	struct llo_view *s = v->state;

	for (int i = 0; i < LLO_PAGES; i++) {
		if (pages[i].table < 0)
			continue;
		sheet_open(&s->sheet[i], &llo_schema[pages[i].table], NULL, pages[i].sort);
		if (pages[i].name)
			sheet_name(&s->sheet[i], pages[i].name, NULL);
		s->sheet[i].all = true;
	}
	return 0;
}

static void llo_close(struct view *v)
{
	struct llo_view *s = v->state;

	frame_close(v);
	for (int i = 0; i < LLO_PAGES; i++)
		if (pages[i].table >= 0 || (i == LLO_PAGE_BUNDLES && s->opened))
			sheet_free(&s->sheet[i]);
}

/* The kernel by its name, for the ops of a capture that is open beside the dump. */
static struct ref llo_here(const struct view *v)
{
	const struct llo_kernel *k = frame_ready(v) ? llo_view_kernel(v->state) : NULL;
	struct ref r = REF_EMPTY;

	if (!k)
		return r;
	r.name = strtab_find(&v->cap->dump->str, k->name.s, k->name.n);
	r.kind = r.name == UINT32_MAX || !r.name ? REF_NONE : REF_NAME;
	return r;
}

static int llo_show(struct view *v, const struct ref *r)
{
	struct llo_view *s = v->state;
	const struct trace *t = &v->cap->dump->trace;
	struct slice name = slice_of(r->text);

	if (r->kind == REF_NONE)
		return 0;
	if (r->kind == REF_EVENT && r->track < t->ntracks && r->event < t->tracks[r->track].n)
		name = dump_text(v->cap->dump, t->metas[track_meta(&t->tracks[r->track], r->event)].name);
	else if (r->kind == REF_NAME || r->kind == REF_OP)
		name = dump_text(v->cap->dump, r->name);
	else if (r->kind != REF_NODE)
		return -1;
	if (frame_ready(v))
		return find_named(v, name);
	snprintf(s->want, sizeof s->want, "%.*s", (int)name.n, name.s);
	return 0;
}

static void llo_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct llo_view *s = v->state;
	const struct llo_kernel *k = frame_ready(v) ? llo_view_kernel(s) : NULL;

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	if (page_sheet((struct view *)(uintptr_t)v))
		sheet_status(&s->sheet[s->page], left, size);
	snprintf(right, size, "%zu kernel%s%s%s   schedule, not a measurement", s->l->kernels,
	    s->l->kernels == 1 ? "" : "s", k && k->chip ? "   " : "", k && k->chip ? k->chip->name : "");
}

static void llo_document(struct view *v, struct document *d)
{
	const struct llo_view *s = v->state;
	const struct llo_kernel *k = llo_view_kernel(s);

	if (k && s->page >= LLO_PAGE_KERNEL)
		d->options.kernel = arena_strndup(&d->text, k->name.s, k->name.n);
	d->options.bundles = d->options.kernel && s->page == LLO_PAGE_BUNDLES;
}

static const char *table_name(const struct view *v)
{
	const struct llo_view *s = v->state;

	return s->page == LLO_PAGE_BUNDLES ? "bundles"
	    : pages[s->page].table >= 0    ? llo_table_name[pages[s->page].table]
					   : "slots";
}

const struct view_ops view_llo = {
	.id = "llo",
	.title = "LLO",
	.short_title = "LLO",
	.letter = 'L',
	.scope = SCOPE_LLO,
	.needs = NEED_ANY,
	.any = llo_any,
	.frame = &frame_ops,
	.size = sizeof(struct llo_view),
	.open = llo_open,
	FRAME_SLOTS,
	.here = llo_here,
	.show = llo_show,
	.status = llo_status,
	.close = llo_close,
	.copy = frame_copy,
	.report = "llo",
	.document = llo_document,
	.table = table_name,
};
