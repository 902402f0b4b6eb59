#include "config.h"

#include <stdlib.h>

#include "analyze/tf/compat.h"
#include "base/mem.h"
#include "model/tf/graph.h"

struct node_row {
	const struct tf_compat *compat;
	const struct tf_node *node;
};

struct op_row {
	const struct tf_compat *compat;
	strid op;
	enum tf_class class;
	uint64_t count, incompatible;
};

struct graph_row {
	const struct tf_graph *graph;
	const char *file;
	size_t index;
};

#define SCHEMA incompatible
#define SCHEMA_ROW struct node_row
#define SCHEMA_DEF "analyze/tf/incompatible.def"
#include "result/schema_def.h"
const struct schema tf_incompatible_schema = { SCHEMA_COLUMNS(incompatible_columns) };

#define SCHEMA ops
#define SCHEMA_ROW struct op_row
#define SCHEMA_DEF "analyze/tf/ops.def"
#include "result/schema_def.h"
const struct schema tf_ops_schema = { SCHEMA_COLUMNS(ops_columns) };

#define SCHEMA graphs
#define SCHEMA_ROW struct graph_row
#define SCHEMA_DEF "analyze/tf/graphs.def"
#include "result/schema_def.h"
const struct schema tf_graphs_schema = { SCHEMA_COLUMNS(graphs_columns) };

void tf_incompatible_table(const struct tf_compat *c, struct table *t)
{
	table_begin(t, &tf_incompatible_schema);
	for (size_t i = 0; i < c->nodes->n; i++)
		if (!tf_compat_is(c, &c->nodes->v[i]))
			table_add(t, &(struct node_row){ c, &c->nodes->v[i] });
}

struct op_sort {
	struct tf_op_count of;
	struct slice name;
};

static int by_count(const void *a, const void *b)
{
	const struct op_sort *x = a, *y = b;

	if (x->of.count != y->of.count)
		return x->of.count > y->of.count ? -1 : 1;
	return slice_order(x->name, y->name);
}

struct tf_op_count *tf_compat_ops(const struct tf_compat *c, bool library, size_t *n)
{
	const struct tf_nodes *nodes = c->nodes;
	struct op_sort *v = xcalloc(nodes->text.n, sizeof *v);
	struct tf_op_count *out;
	size_t k = 0;

	for (size_t i = 0; i < nodes->n; i++) {
		const struct tf_node *x = &nodes->v[i];

		if (library != (x->function != TF_NO_FUNCTION))
			continue;
		v[x->op].of.count++;
		v[x->op].of.incompatible += !tf_compat_is(c, x);
	}
	for (strid id = 0; id < nodes->text.n; id++) {
		if (!v[id].of.count)
			continue;
		v[k] = v[id];
		v[k].of.op = id;
		v[k++].name = strtab_text(&nodes->text, id);
	}
	VEC_SORT(v, k, by_count);
	out = xcalloc(k + 1, sizeof *out);
	for (size_t i = 0; i < k; i++)
		out[i] = v[i].of;
	free(v);
	*n = k;
	return out;
}

void tf_ops_table(const struct tf_compat *c, bool library, struct table *t)
{
	size_t n;
	struct tf_op_count *v = tf_compat_ops(c, library, &n);

	table_begin(t, &tf_ops_schema);
	for (size_t i = 0; i < n; i++)
		table_add(t,
		    &(struct op_row){ c, v[i].op, (enum tf_class)c->op[v[i].op].class, v[i].count,
			v[i].incompatible });
	free(v);
}

void tf_graphs_table(const struct dump *d, struct table *t)
{
	table_begin(t, &tf_graphs_schema);
	for (size_t i = 0; i < d->ngraphs; i++)
		table_add(t, &(struct graph_row){ &d->graphs[i], d->files[d->graphs[i].file].base, i });
}
