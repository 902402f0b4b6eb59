#include "config.h"
#include "view/tfgraph/tfgraph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"
#include "core/app.h"
#include "core/overlay.h"
#include "core/results.h"
#include "model/tf/graph.h"
#include "core/document.h"
#include "report/write/writer.h"
#include "view/frames.h"
#include "widget/card.h"

enum { GRAPHS_MOST = 200, PATH = 300 };

static struct sheet *tfgraph_sheet(struct view *v)
{
	struct tfgraph *s = v->state;

	return &s->sheet[s->page];
}

const struct tf_row *tfgraph_row_here(const struct tfgraph *s)
{
	return s->page == TF_TREE ? sheet_here(&s->sheet[TF_TREE]) : NULL;
}

uint32_t tfgraph_node_here(const struct tfgraph *s)
{
	const struct tf_row *r = tfgraph_row_here(s);
	const uint32_t *listed = s->page == TF_LIST ? sheet_here(&s->sheet[TF_LIST]) : NULL;

	if (s->page == TF_NODE)
		return s->node;
	if (listed)
		return *listed;
	return r && !r->members ? s->shown->tree.v[r->scope].node : TF_NO_NODE;
}

/* --- life --- */

/* A node that is in the list, or a scope of which all can run; what is not checked is neither good nor bad. */
static bool is_valid(const struct tfgraph *s, const struct tf_row *r)
{
	const struct tf_compat *c = &s->shown->a.compat;
	uint32_t node = r->members ? TF_NO_NODE : s->shown->tree.v[r->scope].node;
	const struct tf_node *x = node == TF_NO_NODE ? NULL : &c->nodes->v[node];

	if (c->of_layers || r->incompatible)
		return false;
	return !x || (tf_compat_exempt(c, x) == TF_CHECKED && tf_compat_class(c, x) == TF_VALID);
}

static enum role tree_role(const void *ctx, size_t row, size_t column)
{
	const struct tfgraph *s = ctx;
	const struct tf_row *r = sheet_of(&s->sheet[TF_TREE], row);

	if (!r || column == 1 || column == 4 || column > 5)
		return ROLE_TEXT;
	return r->incompatible ? ROLE_BAD : is_valid(s, r) ? ROLE_GOOD : ROLE_TEXT;
}

static enum role ops_role(const void *ctx, size_t row, size_t column)
{
	const struct tfgraph *s = ctx;
	const struct cell *c = table_at(&s->table[TF_OPS], row, 3);

	return column != 1 && c->type == CELL_INT && c->u.i ? ROLE_BAD : ROLE_TEXT;
}

static void tfgraph_drop(struct view *v)
{
	struct tfgraph *s = v->state;

	tfgraph_free_pages(s);
	s->shown = NULL;
	s->lines = NULL;
	if (s->page == TF_NODE)
		s->page = s->from;
}

/* At first what a TPU cannot run is on top, else what is largest. */
static void choose_order(struct tfgraph *s)
{
	if (!s->ordered)
		sheet_sort(&s->sheet[TF_TREE], s->shown->a.compat.incompatible ? "incompatible" : "ops", -1);
	s->ordered = true;
}

static void show_page(struct view *v, enum tf_page page)
{
	struct tfgraph *s = v->state;

	s->page = page;
	tfgraph_make_page(s, page);
	frame_close_card(v);
}

/* Shows a node in the tree. */
static void go_to_line(struct view *v, uint32_t node)
{
	struct tfgraph *s = v->state;

	if (s->page != TF_TREE)
		show_page(v, TF_TREE);
	sheet_show(&s->sheet[TF_TREE], s->lines->rows.of_scope[s->shown->tree.of_node[node]]);
}

static void open_node(struct view *v, uint32_t node)
{
	struct tfgraph *s = v->state;

	if (s->page != TF_NODE)
		s->from = s->page;
	tfgraph_make_node(s, node);
	s->page = TF_NODE;
	s->sheet[TF_NODE].list.at = s->sheet[TF_NODE].list.top = 0;
	frame_close_card(v);
}

static struct ref tfgraph_here(const struct view *v)
{
	const struct tfgraph *s = v->state;
	struct ref r = REF_EMPTY;
	uint32_t node;

	if (!frame_ready(v))
		return r;
	node = tfgraph_node_here(s);
	if (node == TF_NO_NODE)
		return r;
	r.kind = REF_NODE;
	r.row = node;
	r.exact = true;
	r.at = s->page;
	snprintf(r.text, sizeof r.text, "%.*s",
	    (int)(s->shown->a.nodes.v[node].name_len < 255 ? s->shown->a.nodes.v[node].name_len : 255),
	    s->shown->a.nodes.v[node].name);
	return r;
}

/* Shows a node of the graph, which is ready. */
static int show_node(struct view *v, const struct ref *r)
{
	struct tfgraph *s = v->state;
	uint32_t node = r->exact && r->row < s->shown->a.nodes.n
	    ? (uint32_t)r->row
	    : tf_links_find(&s->shown->links, TF_NO_FUNCTION, slice_of(r->text));

	if (node == TF_NO_LINK)
		return -1;
	if (r->exact && r->at == TF_NODE)
		open_node(v, node);
	else
		go_to_line(v, node);
	return 0;
}

static bool is_ready(struct view *v)
{
	const struct tfgraph *s = v->state;

	return s->shown && s->lines && !s->lines->err.status;
}

static void tfgraph_take(struct view *v)
{
	struct tfgraph *s = v->state;

	s->shown = result_get(v->app, RESULT_TF_GRAPH);
	s->lines = result_get(v->app, RESULT_TF_LINES);
	if (!is_ready(v))
		return;
	tfgraph_make_tree(s);
	choose_order(s);
	tfgraph_make_page(s, s->page);
	if (s->want.kind != REF_NONE)
		show_node(v, &s->want);
	s->want.kind = REF_NONE;
}

static void draw_nothing(struct view *v, struct canvas *c, struct rect a)
{
	const struct tfgraph *s = v->state;

	if (!s->shown || !s->lines) {
		result_draw_what(v->app, s->shown ? RESULT_TF_LINES : RESULT_TF_GRAPH, c, a);
		return;
	}
	card_text(c, (struct rect){ a.y, a.x + 1, a.h, a.w > 84 ? 82 : a.w - 2 }, a.y + 1, 0, ROLE_TEXT,
	    s->lines->err.msg, strlen(s->lines->err.msg));
}

static int tfgraph_open(struct view *v)
{
	struct tfgraph *s = v->state;

	sheet_open(&s->sheet[TF_TREE], &tf_rows_schema, NULL, NULL);
	sheet_open(&s->sheet[TF_OPS], &tf_ops_schema, NULL, "count");
	sheet_open(&s->sheet[TF_LIST], &tf_incompatible_schema, NULL, NULL);
	sheet_open(&s->sheet[TF_NODE], &tf_node_schema, NULL, NULL);
	sheet_name(&s->sheet[TF_OPS], "op", NULL);
	sheet_name(&s->sheet[TF_LIST], "node", NULL);
	s->sheet[TF_TREE].tree.shut = true;
	s->sheet[TF_TREE].role = tree_role;
	s->sheet[TF_OPS].role = ops_role;
	for (int i = 0; i < TF_PAGES; i++) {
		s->sheet[i].all = true;
		s->sheet[i].ctx = s;
	}
	return 0;
}

static void tfgraph_close(struct view *v)
{
	struct tfgraph *s = v->state;

	frame_close(v);
	for (int i = 0; i < TF_PAGES; i++)
		sheet_free(&s->sheet[i]);
}

static bool has_graph(const struct dump *d)
{
	return d->ngraphs > 0;
}

/* --- above the lines: what the graph is --- */

static void graph_title(const struct tf_shown *g, char *buf, size_t size)
{
	static const char *const sources[TF_SOURCES] = { "graph", "meta graph", "traced graph", "graph",
		"Keras model" };
	const struct tf_graph *x = g->a.graph;

	snprintf(buf, size, "%s%s%.60s", sources[x->source], x->tag ? " " : "", x->tag ? x->tag : "");
}

static void draw_compat(const struct tf_shown *g, struct canvas *c, int y, int x, int end, const char *name)
{
	char nodes[24], bad[24], damage[240];

	x += canvas_fmt(c, y, x, end - x, ROLE_BOLD, 0, "%d %%", g->a.compat.score) + 1;
	x += canvas_fmt(c, y, x, end - x, ROLE_TEXT, 0, "can run on a TPU   ");
	units_count(bad, sizeof bad, g->a.compat.incompatible);
	units_count(nodes, sizeof nodes, g->a.nodes.n);
	if (end - x < 18 + (int)strlen(nodes)) { /* half a number would be another one */
		canvas_fmt(c, y, x, end - x, g->a.compat.incompatible ? ROLE_BAD : ROLE_GOOD, 0, "%s cannot",
		    bad);
		return;
	}
	x += canvas_fmt(c, y, x, end - x, g->a.compat.incompatible ? ROLE_BAD : ROLE_GOOD, 0, "%s", bad);
	x += canvas_fmt(c, y, x, end - x, ROLE_DIM, 0, " of %s nodes cannot", nodes);
	if (g->a.nodes.nfn && end - x > 16)
		x += canvas_fmt(c, y, x, end - x, ROLE_DIM, 0, "   %zu function%s", g->a.nodes.nfn,
		    g->a.nodes.nfn == 1 ? "" : "s");
	if (g->a.compat.unlisted && end - x > 26) {
		units_count(bad, sizeof bad, g->a.compat.unlisted);
		x += canvas_fmt(c, y, x, end - x, ROLE_WARN, 0, "   unknown in them %s", bad);
	}
	x += canvas_fmt(c, y, x, end - x, ROLE_DIM, 0, "   %s", name);
	if (*tf_links_damage(&g->links, damage, sizeof damage))
		canvas_fmt(c, y, x, end - x, ROLE_WARN, 0, "   %s", damage);
}

static struct rect draw_above(struct view *v, struct canvas *c, struct rect a)
{
	const struct tfgraph *s = v->state;
	const struct tf_shown *g = s->shown;
	char nodes[24], name[100];
	int x = a.x + 1, end = a.x + a.w - 1;

	graph_title(g, name, sizeof name);
	if (g->a.graph->source == TF_KERAS) {
		units_count(nodes, sizeof nodes, g->a.nodes.n);
		canvas_fmt(c, a.y, x, end - x, ROLE_BOLD, 0, "%s: %s layers, not the ops that it runs", name,
		    nodes);
	} else {
		draw_compat(g, c, a.y, x, end, name);
	}
	a.y++;
	a.h--;
	if (s->page == TF_NODE) {
		char path[PATH];

		canvas_str(c, a.y, a.x + 1, a.w - 2, ROLE_HEAD, 0,
		    tf_shown_path(g, g->tree.of_node[s->node], path, sizeof path));
		a.y++;
		a.h--;
	}
	return a;
}

static int tfgraph_show(struct view *v, const struct ref *r)
{
	struct tfgraph *s = v->state;

	if (r->kind == REF_NONE)
		return 0;
	if (r->kind != REF_NODE)
		return -1;
	if (frame_ready(v))
		return show_node(v, r);
	s->want = *r;
	return 0;
}

/* :goto NAME: a node outside of functions. */
static int tfgraph_place(struct view *v, const char *text, struct ref *r, struct err *e)
{
	const struct tfgraph *s = v->state;
	uint32_t node =
	    frame_ready(v) ? tf_links_find(&s->shown->links, TF_NO_FUNCTION, slice_of(text)) : TF_NO_LINK;

	if (node == TF_NO_LINK)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE, "no node %.80s outside of functions", text);
	*r = REF_EMPTY;
	r->kind = REF_NODE;
	r->exact = true;
	r->row = node;
	return 0;
}

/* --- moving --- */

/* The next node after the one that is selected that a TPU cannot run, around the end. */
static uint32_t next_bad(const struct tfgraph *s, int dir)
{
	const struct tf_shown *g = s->shown;
	const struct tf_row *r = tfgraph_row_here(s);
	uint32_t n = g->tree.n, at = r ? r->scope : 0, node = tfgraph_node_here(s);

	if (node != TF_NO_NODE)
		at = g->tree.of_node[node];
	for (uint32_t k = 0; k < n; k++) {
		at = dir > 0 ? (at + 1) % n : (at + n - 1) % n;
		if (g->tree.v[at].node != TF_NO_NODE && g->tree.v[at].incompatible)
			return g->tree.v[at].node;
	}
	return TF_NO_NODE;
}

static unsigned step_bad(struct view *v, int dir)
{
	struct tfgraph *s = v->state;
	uint32_t node;

	if (s->page == TF_LIST)
		return sheet_act(&s->sheet[TF_LIST], dir > 0 ? ACT_DOWN : ACT_UP, 1);
	node = next_bad(s, dir);
	if (node == TF_NO_NODE)
		app_say(v->app, "a TPU can run all of them");
	else
		go_to_line(v, node);
	return REACT_REDRAW;
}

/* --- which graph --- */

static void picked_graph(struct app *app, int i)
{
	results_renew(app, RESULT_TF_GRAPH); /* first, because a job may read the scope */
	app->cap->scope.tf_graph = i;
}

static void choose_graph(struct view *v)
{
	const struct dump *d = v->cap->dump;
	const struct tfgraph *s = v->state;
	struct menu_item item[GRAPHS_MOST];
	char label[GRAPHS_MOST][60], note[GRAPHS_MOST][60];
	int n = 0, here = 0;

	if (d->ngraphs < 2) {
		app_say(v->app, "there is only one graph");
		return;
	}
	for (size_t i = 0; i < d->ngraphs && n < GRAPHS_MOST; i++, n++) {
		const struct tf_graph *g = &d->graphs[i];

		snprintf(label[n], sizeof label[n], "%s %.40s", tf_source_name(g->source),
		    g->tag ? g->tag : "");
		snprintf(note[n], sizeof note[n], "%" PRIu64 " nodes, %" PRIu64 " functions  %.20s", g->nodes,
		    g->functions, d->nfiles > 1 ? d->files[g->file].base : "");
		item[n] = (struct menu_item){ 0, label[n], note[n], NULL };
		here = s->shown && g == s->shown->a.graph ? n : here;
	}
	app_menu(v->app, "graphs", item, n, here, picked_graph);
}

/* --- keys --- */

static unsigned act_always(struct view *v, enum action a, int count)
{
	(void)count;
	if (a == ACT_TF_CHOOSE) {
		choose_graph(v);
		return REACT_REDRAW;
	}
	if (a == ACT_TF_SERIES) {
		if (frame_ready(v))
			sheet_keep(tfgraph_sheet(v));
		results_renew(v->app, RESULT_TF_LINES);
		v->cap->scope.tf_plain = !v->cap->scope.tf_plain;
		app_say(v->app,
		    v->cap->scope.tf_plain ? "every line" : "lines that differ in a number as one");
		return REACT_REDRAW;
	}
	return ACT_PASS;
}

/* Shows a function of the library in the tree, by one of its nodes. */
static void open_function(struct view *v, uint32_t node)
{
	struct tfgraph *s = v->state;
	const struct tf_scope *x = s->shown->tree.v;
	uint32_t line = s->shown->tree.of_node[node];

	while (line && x[line].parent && x[x[line].parent].parent)
		line = x[line].parent;
	show_page(v, TF_TREE);
	sheet_show(&s->sheet[TF_TREE], s->lines->rows.of_scope[line]);
	sheet_act(&s->sheet[TF_TREE], ACT_EXPAND, 1);
}

/* Enter: a scope opens, a node shows what it is linked with, and there Enter goes on. */
static unsigned enter(struct view *v)
{
	struct tfgraph *s = v->state;
	const struct tf_line *l = s->page == TF_NODE ? sheet_here(&s->sheet[TF_NODE]) : NULL;
	uint32_t node = l ? l->node : tfgraph_node_here(s);
	struct ref here;

	if (s->frame.full || (s->page == TF_NODE && (!l || node == TF_NO_NODE)))
		return frame_act(v, ACT_DETAILS, 1);
	if (s->page == TF_OPS) {
		app_say(v->app, "& in the tree filters by op");
		return REACT_REDRAW;
	}
	if (node == TF_NO_NODE)
		return sheet_act(tfgraph_sheet(v), ACT_TOGGLE, 1);
	here = tfgraph_here(v);
	app_remember(v->app, &here);
	if (l && l->function)
		open_function(v, node);
	else
		open_node(v, node);
	return REACT_REDRAW;
}

static unsigned tfgraph_act(struct view *v, enum action a, int count)
{
	struct tfgraph *s = v->state;
	static const enum tf_page after[TF_PAGES] = { TF_OPS, TF_LIST, TF_TREE, TF_TREE };

	(void)count;
	switch (a) {
	case ACT_TF_NODE:
	case ACT_OPEN:
		return enter(v);
	case ACT_TPU_NEXT:
	case ACT_TPU_PREV:
		return step_bad(v, a == ACT_TPU_NEXT ? 1 : -1);
	case ACT_TPU_LIST:
		show_page(v, s->page == TF_LIST ? TF_TREE : TF_LIST);
		return REACT_REDRAW;
	case ACT_TF_PAGE:
		show_page(v, after[s->page]);
		return REACT_REDRAW;
	case ACT_BACK:
		if (s->frame.full || s->page == TF_TREE)
			return ACT_PASS;
		if (s->page == TF_NODE && s->from == TF_TREE)
			go_to_line(v, s->node);
		else
			show_page(v, s->page == TF_NODE ? s->from : TF_TREE);
		return REACT_REDRAW;
	default:
		return ACT_PASS;
	}
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_TF_GRAPH],
	.results = 1u << RESULT_TF_GRAPH | 1u << RESULT_TF_LINES,
	.take = tfgraph_take,
	.drop = tfgraph_drop,
	.ready = is_ready,
	.draw_nothing = draw_nothing,
	.sheet = tfgraph_sheet,
	.above = draw_above,
	.card = tfgraph_card,
	.act_always = act_always,
	.act = tfgraph_act };

/* --- text --- */

static void tfgraph_status(const struct view *v, char *left, char *right, size_t size)
{
	static const char *const pages[TF_PAGES] = { "", "ops by count", "what a TPU cannot run",
		"one node" };
	const struct tfgraph *s = v->state;
	char path[PATH];
	uint32_t node;

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	sheet_status(tfgraph_sheet((struct view *)v), left, size);
	node = tfgraph_node_here(s);
	if (s->page != TF_TREE)
		snprintf(right, size, "%s", pages[s->page]);
	else if (node != TF_NO_NODE || tfgraph_row_here(s))
		snprintf(right, size, "%s",
		    tf_shown_path(s->shown,
			node != TF_NO_NODE ? s->shown->tree.of_node[node] : tfgraph_row_here(s)->scope, path,
			sizeof path));
}

static char *tfgraph_name(const struct view *v)
{
	const struct tfgraph *s = v->state;
	uint32_t node = frame_ready(v) ? tfgraph_node_here(s) : TF_NO_NODE;

	if (node == TF_NO_NODE)
		return NULL;
	return xstrndup(s->shown->a.nodes.v[node].name, s->shown->a.nodes.v[node].name_len);
}

static void add_tree(void *view, struct report *r)
{
	if (frame_ready(view))
		report_whole(r, "tree",
		    &((const struct tfgraph *)((struct view *)view)->state)->lines->table);
}

static void tfgraph_document(struct view *v, struct document *d)
{
	const struct tfgraph *s = v->state;
	char number[24];

	if (!frame_ready(v))
		return;
	snprintf(number, sizeof number, "%td", s->shown->a.graph - v->cap->dump->graphs);
	d->options.graph = arena_strndup(&d->text, number, strlen(number));
}

static const char *tfgraph_table(const struct view *v)
{
	static const char *const tables[TF_PAGES] = { "tree", "ops", "incompatible", "tree" };

	return tables[((const struct tfgraph *)v->state)->page];
}

static void tfgraph_save(const struct view *v, struct kv *kv)
{
	sheet_save(&((const struct tfgraph *)v->state)->sheet[TF_TREE], kv);
}

static void tfgraph_restore(struct view *v, const struct kv *kv)
{
	struct tfgraph *s = v->state;

	sheet_restore(&s->sheet[TF_TREE], kv);
	s->ordered = true;
}

static const struct view_table tables[] = { { "tree", &tf_rows_schema }, { NULL, NULL } };

const struct view_ops view_tf_graph = {
	.id = "tf_graph",
	.tables = tables,
	.title = "TF graph",
	.short_title = "Graph",
	.letter = 'G',
	.of = "graph",
	.scope = SCOPE_TF_GRAPH,
	.needs = NEED_ANY,
	.any = has_graph,
	.frame = &frame_ops,
	.size = sizeof(struct tfgraph),
	.open = tfgraph_open,
	FRAME_SLOTS,
	.here = tfgraph_here,
	.show = tfgraph_show,
	.place = tfgraph_place,
	.status = tfgraph_status,
	.name = tfgraph_name,
	.close = tfgraph_close,
	.save = tfgraph_save,
	.restore = tfgraph_restore,
	.copy = frame_copy,
	.report = "compat",
	.document = tfgraph_document,
	.add = add_tree,
	.table = tfgraph_table,
};
