#include "config.h"
#include "view/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/graph/dot.h"
#include "analyze/graph/text/print.h"
#include "analyze/graph/tables.h"
#include "base/mem.h"
#include "core/job.h"
#include "core/results.h"
#include "model/hlo.h"
#include "core/document.h"
#include "view/frames.h"
#include "widget/card.h"

#define DIRECT_BYTES ((uint64_t)1 << 20) /* modules up to this size are read at once, without a job */

struct graph_job {
	const struct dump *dump;
	size_t module;
	struct hlo_graph *g;
	struct err err;
};

bool graph_view_has(const struct dump *d, size_t module)
{
	const struct hlo_module *m = &d->modules[module];

	return m->origin == HLO_FILE || m->origin == HLO_XSPACE || m->code.n ||
	    (m->origin == HLO_JSON && m->proto);
}

/* --- building --- */

static void read_module(void *ctx, struct progress *p)
{
	struct graph_job *j = ctx;
	(void)p;

	hlo_graph_free(j->g);
	j->g = hlo_graph_of(j->dump, j->module, &j->err);
}

static void drop_job(void *ctx)
{
	struct graph_job *j = ctx;

	hlo_graph_free(j->g);
	free(j);
}

static void drop_costs(struct view *v)
{
	struct graph_view *s = v->state;

	if (s->costed)
		graph_costs_free(&s->costs);
	s->costed = false;
	sheet_set(&s->sheet, NULL);
	table_free(&s->table);
	s->table = (struct table){ 0 };
	free(s->row);
	s->row = NULL;
	s->table_of = GRAPH_NAV;
}

static void make_costs(struct view *v)
{
	struct graph_view *s = v->state;

	if (!s->g || s->costed)
		return;
	graph_costs_make(v->cap->dump, (size_t)s->module, s->g, result_get(v->app, RESULT_OPS),
	    &v->cap->steps, &s->costs);
	s->costed = true;
}

/* The instruction that takes the most time, else the root of the program. */
static uint32_t first_instr(const struct graph_view *s)
{
	uint32_t best = s->g->computation[s->g->entry].root;

	best = best == HLO_NONE ? 0 : best;
	for (uint32_t i = 0; i < s->g->n; i++)
		if (s->costs.v[i].self > s->costs.v[best].self)
			best = i;
	return best;
}

static void take_module(struct view *v, struct graph_job *j)
{
	struct graph_view *s = v->state;

	s->job = NULL;
	if (!j->g) {
		s->failed = xstrdup(j->err.msg);
		return;
	}
	s->g = j->g;
	j->g = NULL;
	make_costs(v);
	graph_view_center(s, first_instr(s));
	if (s->want && !graph_view_go(v, s->want))
		app_say(v->app, "%.80s is not in this module", s->want);
	free(s->want);
	s->want = NULL;
}

static void module_read(struct app *app, void *ctx)
{
	struct view *v = app_view(app, "graph");
	struct graph_view *s = v && v->opened ? v->state : NULL;

	if (s && s->job == ctx)
		take_module(v, ctx);
}

static void forget_module(struct view *v)
{
	struct graph_view *s = v->state;

	if (s->job)
		jobs_drop(v->app, s->job);
	s->job = NULL;
	drop_costs(v);
	graph_view_boxes_free(s);
	graph_links_free(&s->side[0]);
	graph_links_free(&s->side[1]);
	free(s->hit);
	s->hit = NULL;
	s->nhits = 0;
	hlo_graph_free(s->g);
	s->g = NULL;
	free(s->failed);
	s->failed = NULL;
	s->sides_of = s->near_of = HLO_NONE;
	s->line = s->top = 0;
	s->name = -1;
}

static void begin_module(struct view *v)
{
	struct graph_view *s = v->state;
	struct graph_job *j = xcalloc(1, sizeof *j);

	j->dump = v->cap->dump;
	j->module = (size_t)s->module;
	s->job = j;
	if (j->dump->modules[s->module].len > DIRECT_BYTES) {
		jobs_add(v->app,
		    &(struct job){ "reading the module", read_module, module_read, drop_job, j });
		return;
	}
	read_module(j, NULL);
	take_module(v, j);
	drop_job(j);
}

void graph_view_choose(struct view *v, int module)
{
	struct graph_view *s = v->state;

	if (module < 0 || (size_t)module >= v->cap->dump->nmodules || module == s->module ||
	    !graph_view_has(v->cap->dump, (size_t)module))
		return;
	forget_module(v);
	s->module = module;
}

/* The module asked for, else the one that the report shows, else the largest that has a graph. */
static int first_module(struct view *v)
{
	const struct dump *d = v->cap->dump;
	const struct opdb *db = result_get(v->app, RESULT_OPS);
	int best = v->app->opt->module ? hlo_module_find(d, v->app->opt->module) : -1;
	int64_t time;

	if (best >= 0 && graph_view_has(d, (size_t)best))
		return best;
	best = d->nmodules ? (int)graph_main_module(d, db, &time) : -1;
	if (best >= 0 && graph_view_has(d, (size_t)best))
		return best;
	best = -1;
	for (size_t i = 0; i < d->nmodules; i++)
		if (graph_view_has(d, i) && (best < 0 || d->modules[i].len > d->modules[best].len))
			best = (int)i;
	return best;
}

bool graph_view_sync(struct view *v)
{
	struct graph_view *s = v->state;

	if (s->module < 0)
		s->module = first_module(v);
	if (s->module >= 0 && !s->g && !s->failed && !s->job)
		begin_module(v);
	if (s->g)
		make_costs(v);
	return s->g && s->costed;
}

static unsigned needs(const struct view *v)
{
	return v->cap->dump->trace.ntracks ? 1u << RESULT_OPS : 0;
}

/* --- computations and instructions as a sheet --- */

struct ranked {
	int64_t self;
	uint32_t i;
};

VEC_ORDER(by_time, struct ranked, DOWN(self) UP(i));
VEC_ORDER(by_number, struct ranked, UP(i));

static void take_instructions(struct graph_view *s)
{
	struct ranked *r = xmalloc(((size_t)s->g->n + 1) * sizeof *r);
	size_t n = s->g->n;

	for (uint32_t i = 0; i < s->g->n; i++)
		r[i] = (struct ranked){ s->costs.v[i].self, i };
	VEC_SORT(r, n, by_time);
	n = n < GRAPH_ROWS_MAX ? n : GRAPH_ROWS_MAX;
	VEC_SORT(r, n, by_number);
	s->row = xmalloc((n + 1) * sizeof *s->row);
	table_begin(&s->table, &graph_instructions_schema);
	for (size_t k = 0; k < n; k++) {
		s->row[k] = r[k].i;
		table_add(&s->table, &(struct graph_instruction_row){ s->g, &s->costs, r[k].i, 0, -1, NULL });
	}
	free(r);
}

static void take_computations(struct graph_view *s)
{
	struct ranked *r = xmalloc(((size_t)s->g->ncomputations + 1) * sizeof *r);
	size_t n = s->g->ncomputations;

	for (uint32_t c = 0; c < n; c++)
		r[c] = (struct ranked){ c == s->g->entry ? INT64_MAX : s->costs.computation[c], c };
	VEC_SORT(r, n, by_time);
	n = n < GRAPH_ROWS_MAX ? n : GRAPH_ROWS_MAX;
	s->row = xmalloc((n + 1) * sizeof *s->row);
	table_begin(&s->table, &graph_computations_schema);
	for (size_t k = 0; k < n; k++) {
		s->row[k] = r[k].i;
		table_add(&s->table, &(struct graph_computation_row){ s->g, &s->costs, r[k].i });
	}
	free(r);
}

static bool is_sheet(const struct graph_view *s)
{
	return s->mode == GRAPH_COMPUTATIONS || s->mode == GRAPH_INSTRUCTIONS;
}

void graph_view_select_row(struct graph_view *s)
{
	uint32_t here = s->mode == GRAPH_COMPUTATIONS ? s->g->v[s->at].computation : s->at;

	for (size_t k = 0; is_sheet(s) && k < s->table.nrows; k++)
		if (s->row[k] == here)
			sheet_show(&s->sheet, k);
}

static void make_sheet(struct graph_view *s)
{
	bool computations = s->mode == GRAPH_COMPUTATIONS;

	if (!is_sheet(s) || s->table_of == s->mode)
		return;
	sheet_set(&s->sheet, NULL);
	sheet_free(&s->sheet);
	table_free(&s->table);
	free(s->row);
	s->sheet = (struct sheet){ 0 };
	sheet_open(&s->sheet, computations ? &graph_computations_schema : &graph_instructions_schema, NULL,
	    s->costs.timed ? "share" : NULL);
	(computations ? take_computations : take_instructions)(s);
	sheet_set_rows(&s->sheet,
	    &(struct sheet_rows){ .table = &s->table, .of = s->row, .size = sizeof *s->row });
	s->table_of = s->mode;
}

/* The next page shows what is selected on this one. */
static void take_selected(struct view *v)
{
	struct graph_view *s = v->state;
	uint32_t here = s->g ? graph_view_here(s) : HLO_NONE;
	bool stays = s->mode == GRAPH_COMPUTATIONS && here != HLO_NONE &&
	    s->g->v[here].computation == s->g->v[s->at].computation;

	if ((is_sheet(s) || s->mode == GRAPH_BOXES) && !stays)
		graph_view_jump(v, here);
}

void graph_view_mode(struct view *v, enum graph_mode mode)
{
	struct graph_view *s = v->state;

	take_selected(v);
	s->mode = s->mode == mode ? GRAPH_NAV : mode;
	s->frame.full = false;
	if (!s->g)
		return;
	make_sheet(s);
	graph_view_select_row(s);
	s->line = graph_view_line_of(s->g, s->at);
	s->name = -1;
	s->box = 0;
}

static struct sheet *graph_sheet(struct view *v)
{
	struct graph_view *s = v->state;

	if (!s->g || !is_sheet(s))
		return NULL;
	make_sheet(s);
	return &s->sheet;
}

/* --- drawing --- */

static void draw_nothing(struct view *v, struct canvas *c, struct rect a)
{
	const struct graph_view *s = v->state;

	if (s->failed)
		card_text(c, a, a.y, 1, ROLE_WARN, s->failed, strlen(s->failed));
	else if (s->module < 0 && needs(v))
		results_draw_what(v->app, needs(v), c, a);
	else
		canvas_fmt(c, a.y, a.x + 1, a.w - 2, ROLE_DIM, 0, "reading %.200s",
		    s->module < 0 ? "" : v->cap->dump->modules[s->module].name);
}

static struct rect above(struct view *v, struct canvas *c, struct rect a)
{
	const struct graph_view *s = v->state;

	if (a.h < 4)
		return a;
	if (*s->g->damage && a.h > 8) {
		canvas_str(c, a.y, a.x + 1, a.w - 2, ROLE_WARN, 0, s->g->damage);
		a.y++;
		a.h--;
	}
	graph_view_path_draw(s, c, (struct rect){ a.y, a.x, 1, a.w });
	a.y++;
	a.h--;
	if (a.h >= 28) {
		a.y++;
		a.h--;
	}
	return a;
}

/* The navigator and the text need all of the width; facts of a row, or a box, are beside or below. */
static struct frame_place divide(struct view *v, struct rect a)
{
	const struct graph_view *s = v->state;

	if (s->mode == GRAPH_NAV || s->mode == GRAPH_TEXT ||
	    (s->mode == GRAPH_BOXES && a.h < 30 && a.w < 100))
		return (struct frame_place){ .how = FRAME_NO_CARD, .main = a };
	return frame_divide(&frame_forms[FORM_GRAPH], a);
}

static void draw_main(struct view *v, struct canvas *c, struct rect a)
{
	struct graph_view *s = v->state;

	memset(s->area, 0, sizeof s->area);
	if (s->mode == GRAPH_BOXES)
		graph_view_boxes_draw(s, c, a);
	else if (s->mode == GRAPH_TEXT)
		graph_view_text_draw(s, c, a);
	else if (s->mode == GRAPH_NAV)
		graph_view_nav_draw(s, c, a);
	else
		sheet_draw(&s->sheet, c, a);
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_GRAPH],
	.needs = needs,
	.drop = drop_costs,
	.ready = graph_view_sync,
	.draw_nothing = draw_nothing,
	.sheet = graph_sheet,
	.find = graph_view_find,
	.above = above,
	.divide = divide,
	.main = draw_main,
	.card = graph_view_card,
	.act_always = graph_view_act_always,
	.act = graph_view_act,
	.press = graph_view_press };

/* --- life --- */

static int graph_open(struct view *v)
{
	struct graph_view *s = v->state;

	s->module = -1;
	s->radius = 1;
	s->sides_of = s->near_of = HLO_NONE;
	s->focus = SIDE_CENTER;
	s->name = -1;
	return 0;
}

static void graph_close(struct view *v)
{
	struct graph_view *s = v->state;

	frame_close(v);
	forget_module(v);
	sheet_free(&s->sheet);
	free(s->want);
}

static void graph_save(const struct view *v, struct kv *kv)
{
	const struct graph_view *s = v->state;
	char *name, title[HLO_TITLE];

	if (!s->g)
		return;
	name = xstrndup(hlo_name(s->g, s->at).s, hlo_name(s->g, s->at).n);
	kv_put(kv, "module", hlo_module_title(v->cap->dump, (size_t)s->module, title, sizeof title));
	kv_put(kv, "instruction", name);
	kv_put_int(kv, "mode", s->mode);
	if (s->radius_set)
		kv_put_int(kv, "radius", s->radius);
	free(name);
}

static void graph_restore(struct view *v, const struct kv *kv)
{
	struct graph_view *s = v->state;
	const char *text = kv_get(kv, "module");
	int module = text ? hlo_module_find(v->cap->dump, text) : -1;
	int64_t n;

	if (module >= 0 && graph_view_has(v->cap->dump, (size_t)module))
		s->module = module;
	if ((text = kv_get(kv, "instruction")))
		s->want = xstrdup(text);
	if (kv_get_int(kv, "mode", &n) && n >= GRAPH_NAV && n <= GRAPH_INSTRUCTIONS)
		s->mode = (enum graph_mode)n;
	s->radius_set = kv_get_int(kv, "radius", &n) && n >= 0 && n <= GRAPH_RADIUS_MAX;
	if (s->radius_set)
		s->radius = (uint32_t)n;
}

static void graph_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct graph_view *s = v->state;
	const struct hlo_computation *of = s->g ? &s->g->computation[s->g->v[s->at].computation] : NULL;
	uint32_t operands, users;

	if (!of)
		return;
	if (is_sheet(s)) {
		sheet_status(&s->sheet, left, size);
		if (s->mode == GRAPH_INSTRUCTIONS && s->g->n > GRAPH_ROWS_MAX)
			snprintf(right, size,
			    s->costs.timed ? "the %d that take the most time, of %u" : "the first %d of %u",
			    GRAPH_ROWS_MAX, s->g->n);
		return;
	}
	if (s->mode == GRAPH_TEXT) {
		snprintf(left, size, "line %zu of %zu", s->line + 1, graph_view_lines(s->g));
		snprintf(right, size, s->g->text ? "" : "close to XLA's own text");
		return;
	}
	operands = hlo_nlinks(&s->g->operands, s->at);
	users = hlo_nlinks(&s->g->users, s->at);
	snprintf(left, size, "instruction %u of %u   %u operand%s, %u user%s", s->at - of->first + 1, of->n,
	    operands, operands == 1 ? "" : "s", users, users == 1 ? "" : "s");
	if (s->mode == GRAPH_BOXES)
		snprintf(right, size, "radius %u, %u instructions%s", s->radius, s->near.n,
		    s->layers.hidden  ? ", some hidden"
			: s->near.cut ? ", more left out"
				      : "");
	else /* the letters before the instructions */
		snprintf(right, size, "M matmul  V compute  X collective  C copy  I infeed  o other");
}

static void graph_title(const struct view *v, char *buf, size_t size)
{
	const struct graph_view *s = v->state;

	if (s->module >= 0)
		hlo_module_title(v->cap->dump, (size_t)s->module, buf, size);
}

static char *graph_name(const struct view *v)
{
	const struct graph_view *s = v->state;
	uint32_t i = s->g ? graph_view_here(s) : HLO_NONE;

	return i == HLO_NONE ? NULL : xstrndup(hlo_name(s->g, i).s, hlo_name(s->g, i).n);
}

static int graph_copy(struct view *v, FILE *out)
{
	const struct graph_view *s = v->state;

	if (!graph_view_sync(v) || graph_view_here(s) == HLO_NONE)
		return -1;
	graph_view_facts_write(s, graph_view_here(s), out);
	return 0;
}

/* All of the module, and what is near the selection; as a drawing what the page shows: that, or the computation of what
 * is selected. */
static void graph_document(struct view *v, struct document *d)
{
	const struct graph_view *s = v->state;
	bool whole = d->options.as && s->mode != GRAPH_NAV && s->mode != GRAPH_BOXES;
	uint32_t op;

	if (!graph_view_sync(v))
		return;
	op = whole && graph_view_here(s) != HLO_NONE ? graph_view_here(s) : s->at;
	d->options.module = document_module(d, v->cap->dump, (size_t)s->module);
	if (!d->options.as || strcmp(d->options.as, "long"))
		d->options.op = arena_strndup(&d->text, hlo_name(s->g, op).s, hlo_name(s->g, op).n);
	d->options.radius = whole ? -1 : (int)s->radius;
}

static const struct view_form graph_files[] = { { ".dot", "dot" }, { ".hlo", "long" }, { NULL, NULL } };

static const char *graph_table_name(const struct view *v)
{
	return ((const struct graph_view *)v->state)->mode == GRAPH_COMPUTATIONS ? "computations"
										 : "neighbors";
}

static bool graph_any(const struct dump *d)
{
	bool any = false;

	for (size_t i = 0; i < d->nmodules; i++)
		any |= graph_view_has(d, i);
	return any;
}

static const struct bar_entry *key_bar(const struct view *v, size_t *n)
{
	static const enum bar_page of_mode[] = {
		[GRAPH_NAV] = PAGE_GRAPH_NAV,
		[GRAPH_BOXES] = PAGE_GRAPH_BOXES,
		[GRAPH_TEXT] = PAGE_GRAPH_TEXT,
		[GRAPH_COMPUTATIONS] = PAGE_GRAPH_COMPUTATIONS,
		[GRAPH_INSTRUCTIONS] = PAGE_GRAPH_INSTRUCTIONS,
	};

	return action_page(of_mode[((const struct graph_view *)v->state)->mode], n);
}

const struct view_ops view_graph = {
	.id = "graph",
	.title = "Graph",
	.short_title = "Graph",
	.letter = 'g',
	.scope = SCOPE_GRAPH,
	.frame = &frame_ops,
	.needs = NEED_ANY,
	.any = graph_any,
	.size = sizeof(struct graph_view),
	.open = graph_open,
	FRAME_SLOTS,
	.here = graph_view_ref,
	.around = graph_view_around,
	.show = graph_view_show,
	.status = graph_status,
	.bar = key_bar,
	.title_right = graph_title,
	.close = graph_close,
	.save = graph_save,
	.restore = graph_restore,
	.name = graph_name,
	.copy = graph_copy,
	.report = "hlo_graph",
	.document = graph_document,
	.forms = graph_files,
	.table = graph_table_name,
};
