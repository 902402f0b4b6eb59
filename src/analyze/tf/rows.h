/* The lines of a graph as the screen shows them: the tree (analyze/tf/tree.h) without its root, and with series: five
 * or more children of a scope whose names differ only in a number that counts up, and that run the same op or have
 * the same scopes and ops in them, are below one line, "layer_[0-95]".  A line comes before what is in it.  The caller
 * frees. */
#ifndef ANALYZE_TF_ROWS_H
#define ANALYZE_TF_ROWS_H

#include "analyze/tf/tree.h"

#define TF_SERIES_LEAST 5

struct tf_row {
	uint32_t scope;   /* line of the tree; of a series: its first member's */
	uint32_t members; /* of a series; 0: it is none */
	uint32_t ops, incompatible;
	uint64_t low, high; /* numbers of a series */
};

struct tf_rows {
	struct tf_row *v;
	uint32_t n;
	uint32_t *parent;   /* row of each; UINT32_MAX: none */
	uint64_t *key;      /* of each, the same with series and without, and in the next run */
	uint32_t *of_scope; /* row of each line of the tree; the root has none */
};

int tf_rows_make(const struct tf_compat *, const struct tf_tree *, bool series, struct tf_rows *,
    struct err *);
void tf_rows_free(struct tf_rows *);
struct cell tf_row_name(const struct tf_tree *, const struct tf_row *, struct arena *); /* "layer_[0-95]" */
/* The sheet of rows: struct tf_row_of each. */
struct tf_row_of {
	const struct tf_compat *compat;
	const struct tf_tree *tree;
	const struct tf_row *row;
	const struct tf_node *node; /* NULL: a scope or series */
};
extern const struct schema tf_rows_schema;
void tf_rows_table(const struct tf_compat *, const struct tf_tree *, const struct tf_rows *, struct table *);

#endif
