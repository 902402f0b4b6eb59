#include "config.h"
#include "view/tfgraph/tfgraph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { VALUE = 240 };

#define SCHEMA tf_node
#define SCHEMA_ROW struct tf_line
#define SCHEMA_DEF "view/tfgraph/node.def"
#include "result/schema_def.h"
const struct schema tf_node_schema = { SCHEMA_COLUMNS(tf_node_columns) };

void tfgraph_make_tree(struct tfgraph *s)
{
	const struct tf_rows *r = &s->lines->rows;

	sheet_set_rows(&s->sheet[TF_TREE],
	    &(struct sheet_rows){ &s->lines->table, r->v, sizeof *r->v, r->parent, r->key });
}

static void make_list(struct tfgraph *s)
{
	const struct tf_compat *c = &s->shown->a.compat;
	size_t k = 0;

	tf_incompatible_table(c, &s->table[TF_LIST]);
	s->listed = xcalloc(c->incompatible + 1, sizeof *s->listed);
	for (uint32_t i = 0; i < c->nodes->n && k < c->incompatible; i++)
		if (!tf_compat_is(c, &c->nodes->v[i]))
			s->listed[k++] = i;
	sheet_set_rows(&s->sheet[TF_LIST],
	    &(struct sheet_rows){ .table = &s->table[TF_LIST], .of = s->listed, .size = sizeof *s->listed });
}

void tfgraph_make_page(struct tfgraph *s, enum tf_page page)
{
	if (page == TF_TREE || page == TF_NODE || s->table[page].columns)
		return;
	if (page == TF_LIST) {
		make_list(s);
		return;
	}
	tf_ops_table(&s->shown->a.compat, false, &s->table[TF_OPS]);
	sheet_set(&s->sheet[TF_OPS], &s->table[TF_OPS]);
}

/* --- one node --- */

static struct slice op_of(const struct tfgraph *s, uint32_t node)
{
	const struct tf_nodes *x = &s->shown->a.nodes;

	return node == TF_NO_NODE ? (struct slice){ NULL, 0 } : strtab_text(&x->text, x->v[node].op);
}

static void add_line(struct tfgraph *s, const char *kind, struct slice name, struct slice what, uint32_t node)
{
	VEC_ADD(s->line, s->nlines, s->lines_cap, (struct tf_line){ kind, name, what, node, false });
}

/* A function of the library that the node calls: by an attribute, or as its op. */
static void add_function(void *ctx, struct slice name)
{
	struct tfgraph *s = ctx;
	const struct tf_nodes *x = &s->shown->a.nodes;
	char text[40];
	size_t k = 0;

	while (k < x->nfn && !slice_same(tf_function_name(&x->fn[k]), name))
		k++;
	if (k == x->nfn)
		return;
	snprintf(text, sizeof text, "%zu node%s", x->fn[k].n, x->fn[k].n == 1 ? "" : "s");
	add_line(s, "calls", name,
	    (struct slice){ arena_strndup(&s->text, text, strlen(text)), strlen(text) },
	    x->fn[k].n ? (uint32_t)x->fn[k].first : TF_NO_NODE);
	s->line[s->nlines - 1].function = x->fn[k].n;
}

static void add_functions(void *ctx, struct slice key, struct slice value)
{
	(void)key;
	tf_attr_functions(value, add_function, ctx);
}

static void add_input(void *ctx, const struct tf_input *in)
{
	struct tfgraph *s = ctx;
	uint32_t from = tf_links_find(&s->shown->links, s->shown->a.nodes.v[s->node].function, in->name);
	struct slice what = from == TF_NO_LINK ? slice_of("argument, or not in the graph") : op_of(s, from);

	add_line(s, in->control ? "control" : "input", in->text, what, from);
}

static void add_attr(void *ctx, struct slice key, struct slice value)
{
	struct tfgraph *s = ctx;
	char text[VALUE];

	tf_attr_text(value, text, sizeof text);
	add_line(s, "attribute", key,
	    (struct slice){ arena_strndup(&s->text, text, strlen(text)), strlen(text) }, TF_NO_NODE);
}

void tfgraph_make_node(struct tfgraph *s, uint32_t node)
{
	const struct tf_links *l = &s->shown->links;
	const struct tf_node *x = &s->shown->a.nodes.v[node];

	sheet_set(&s->sheet[TF_NODE], NULL);
	table_free(&s->table[TF_NODE]);
	arena_free(&s->text);
	s->nlines = 0;
	s->node = node;
	add_function(s, op_of(s, node));
	tf_node_attrs(x, add_functions, s);
	tf_node_inputs(x, add_input, s);
	for (uint32_t i = l->first[node]; i < l->first[node + 1]; i++) {
		uint32_t to = l->reader[i];

		if (i > l->first[node] && l->reader[i - 1] == to)
			continue; /* it reads it twice */
		add_line(s, "output", tf_node_name(&l->nodes->v[to]), op_of(s, to), to);
	}
	tf_node_attrs(x, add_attr, s);
	table_begin(&s->table[TF_NODE], &tf_node_schema);
	for (size_t i = 0; i < s->nlines; i++)
		table_add(&s->table[TF_NODE], &s->line[i]);
	sheet_set_rows(&s->sheet[TF_NODE],
	    &(struct sheet_rows){ .table = &s->table[TF_NODE], .of = s->line, .size = sizeof *s->line });
}

void tfgraph_free_pages(struct tfgraph *s)
{
	for (int i = 0; i < TF_PAGES; i++) {
		sheet_set(&s->sheet[i], NULL);
		table_free(&s->table[i]);
		s->table[i] = (struct table){ 0 };
	}
	arena_free(&s->text);
	free(s->listed);
	free(s->line);
	s->listed = NULL;
	s->line = NULL;
	s->nlines = s->lines_cap = 0;
}
