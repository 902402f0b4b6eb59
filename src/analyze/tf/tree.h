/* The nodes of a graph by name scope, as TensorBoard groups them: names are split at '/', functions are below
 * __function_library__, and a node whose name is also a scope is inside that scope, as "(name)".  Lines are in the
 * order in which their names first appear, a scope before what is in it; [0] is the root.  Names are split up to
 * TF_DEPTH levels; what is deeper stays in one name.  Names point into the nodes' bytes.  The caller frees
 * (tf_tree_free). */
#ifndef ANALYZE_TF_TREE_H
#define ANALYZE_TF_TREE_H

#include "analyze/tf/compat.h"

#define TF_DEPTH 200
#define TF_NO_NODE UINT32_MAX

struct tf_scope {
	const char *name; /* the last part */
	uint32_t name_len;
	uint32_t parent;                      /* of the root: UINT32_MAX */
	uint32_t end;                         /* after the last line in it */
	uint32_t node;                        /* index of the node; TF_NO_NODE: a scope */
	uint32_t children, ops, incompatible; /* of a node: 0, 1, 0 or 1 */
	bool strict;                          /* shown as "(name)" */
};

struct tf_tree {
	struct tf_scope *v;
	uint32_t n;
	uint32_t *of_node; /* line of each node */
	bool cut;          /* not all names are split to their end */
};

int tf_tree_make(const struct tf_compat *, struct tf_tree *, struct err *); /* -1: not enough memory */
void tf_tree_free(struct tf_tree *);
struct cell tf_scope_name(const struct tf_scope *, struct arena *); /* "(Reshape)" is made in the arena */

#endif
