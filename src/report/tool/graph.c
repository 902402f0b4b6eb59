#include "config.h"
#include "report/reports.h"

#include <stdlib.h>

#include "analyze/tf/analysis.h"
#include "analyze/tf/tree.h"
#include "base/codec/json.h"
#include "report/choose.h"
#include "report/tool/tf.h"

struct line {
	const struct tf_compat *compat;
	const struct tf_scope *scope;
	const struct tf_node *node; /* NULL: a scope */
	int level;
};

#define SCHEMA graph
#define SCHEMA_ROW struct line
#define SCHEMA_DEF "report/tool/graph.def"
#include "result/schema_def.h"
const struct schema graph_schema = { SCHEMA_COLUMNS(graph_columns) };

static const struct tf_node *node_of(const struct tf_compat *c, const struct tf_scope *s)
{
	return s->node == TF_NO_NODE ? NULL : &c->nodes->v[s->node];
}

static void make_table(const struct tf_compat *c, const struct tf_tree *t, struct table *out)
{
	int *level = xcalloc((size_t)t->n + 1, sizeof *level);

	table_begin(out, &graph_schema);
	for (uint32_t i = 0; i < t->n; i++) {
		level[i] = i ? level[t->v[i].parent] + 1 : 0;
		table_add(out, &(struct line){ c, &t->v[i], node_of(c, &t->v[i]), level[i] });
	}
	free(level);
}

static void put_text(struct json_out *j, const char *key, struct slice s)
{
	json_key(j, key);
	if (s.n)
		json_str(j, s.s, s.n);
	else
		json_null(j);
}

static void put_count(struct json_out *j, const char *key, uint32_t n)
{
	json_key(j, key);
	json_uint(j, n);
}

static void begin_node(struct json_out *j, const struct tf_compat *c, const struct tf_scope *s)
{
	const struct tf_node *x = node_of(c, s);
	struct arena text = { 0 };
	struct cell name = tf_scope_name(s, &text);

	json_obj(j);
	json_key(j, "name");
	json_str(j, name.s, name.n);
	put_text(j, "op", strtab_text(&c->nodes->text, x ? x->op : 0));
	put_text(j, "device", strtab_text(&c->nodes->text, x ? x->device : 0));
	json_key(j, "metrics");
	json_obj(j);
	put_count(j, "ops", s->ops);
	if (c->of_layers) {
		json_key(j, "incompatible");
		json_null(j);
	} else {
		put_count(j, "incompatible", s->incompatible);
	}
	put_count(j, "children", s->children);
	json_end(j);
	json_key(j, "children");
	json_arr(j);
	arena_free(&text);
}

struct cut {
	int depth;        /* levels below the root; 0: all */
	int64_t top;      /* children of a line; -1: all */
	int *level;       /* by line */
	int64_t *printed; /* children of the line so far */
};

/* Is the line left out, with all that is in it? */
static bool is_cut(struct cut *c, const struct tf_tree *t, uint32_t i)
{
	uint32_t parent = t->v[i].parent;

	c->level[i] = i ? c->level[parent] + 1 : 0;
	return i && ((c->depth && c->level[i] > c->depth) || (c->top >= 0 && c->printed[parent]++ >= c->top));
}

/* Lines stand before what is in them, so that a node ends where the next line is not in it. */
static void put_root(struct json_out *j, const struct tf_compat *c, const struct tf_tree *t,
    const struct report_options *o)
{
	struct cut cut = { o->depth, o->top, xcalloc((size_t)t->n + 1, sizeof(int)),
		xcalloc((size_t)t->n + 1, sizeof(int64_t)) };

	for (uint32_t i = 0, next; i < t->n; i = next) {
		bool out = is_cut(&cut, t, i);

		next = out ? t->v[i].end : i + 1;
		if (!out)
			begin_node(j, c, &t->v[i]);
		for (uint32_t at = out ? t->v[i].parent : i; at != UINT32_MAX && t->v[at].end == next;
		     at = t->v[at].parent) {
			json_end(j);
			json_end(j);
		}
	}
	free(cut.level);
	free(cut.printed);
}

static int write_graph(const struct dump *d, const struct report_options *o, FILE *f,
    const struct tf_analysis *a, const struct tf_tree *tree, struct err *e)
{
	struct table t;
	struct report *r;
	int bad;

	table_begin(&t, &graph_schema);
	if (o->format != REPORT_JSON)
		make_table(&a->compat, tree, &t);
	table_depth(&t, o->depth);
	if (!(bad = report_order(o, &t, e))) {
		r = report_open(o, f, "graph", d);
		report_tf_warnings(r, d, a);
		if (tree->cut)
			report_warning(r, "names with more than %d scopes are not split to their end",
			    TF_DEPTH);
		report_sum_int(r, "nodes", (int64_t)a->nodes.main);
		report_sum_int(r, "functions", (int64_t)a->nodes.nfn);
		report_sum_int(r, "library_nodes", (int64_t)(a->nodes.n - a->nodes.main));
		report_sum_int(r, "inputs", (int64_t)a->nodes.inputs);
		report_sum_int(r, "control_inputs", (int64_t)a->nodes.controls);
		if (o->format == REPORT_JSON)
			put_root(report_json(r, "root"), &a->compat, tree, o);
		else
			report_whole(r, NULL, &t);
		bad = report_end(r, e);
	}
	table_free(&t);
	return bad;
}

static bool has_tf(const struct dump *d)
{
	bool has = false;

	for (size_t i = 0; i < d->nfiles; i++)
		has |= file_kind_is_graph(d->files[i].kind);
	return has;
}

int report_graph(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->base;
	const struct tf_graph *g;
	struct tf_analysis a;
	struct tf_tree tree;
	int bad;

	if (d->nmodules && !o->graph && !has_tf(d))
		return report_graph_of_hlo(c, o, f, "graph", e);
	if (o->format == REPORT_JSON && o->sort)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "--sort works only with text and CSV: the JSON of graph is a tree");
	if (!(g = tf_analysis_pick_any(d, o->graph, e)) || tf_analysis_make(g, &a, e))
		return -1;
	bad = tf_tree_make(&a.compat, &tree, e);
	if (!bad)
		bad = write_graph(d, o, f, &a, &tree, e);
	tf_tree_free(&tree);
	tf_analysis_free(&a);
	return bad ? -1 : EXIT_OK;
}
