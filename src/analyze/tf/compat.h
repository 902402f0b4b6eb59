/* Can a TPU run the nodes of a graph?  The rule is TensorBoard's: a node counts as incompatible if it is outside of
 * functions, its device is a TPU or not stated, and its op is not in TensorBoard's list (analyze/tf/ops.h).  The
 * class of its op says more: XLA may compile it all the same.  Borrows the nodes; the caller frees. */
#ifndef ANALYZE_TF_COMPAT_H
#define ANALYZE_TF_COMPAT_H

#include "analyze/tf/ops.h"
#include "model/tf/nodes.h"
#include "result/table.h"

/* Why the op of a node is not asked about. */
enum tf_exempt { TF_CHECKED, TF_IN_FUNCTION, TF_NO_OP, TF_OTHER_DEVICE, TF_SYSTEM_DEVICE, TF_LAYER };

struct tf_compat {
	const struct tf_nodes *nodes;
	struct tf_op_entry *op; /* by ID of an op */
	uint8_t *device;        /* enum tf_exempt by ID of a device */
	bool of_layers;         /* a Keras model: what its layers run is not known */
	uint64_t compatible, incompatible;
	/* Nodes of functions whose op is neither in the list nor one that XLA compiles.  They count as compatible,
	 * since nothing says where a function runs; those of functions that save or restore are left out. */
	uint64_t unlisted;
	const struct tf_node *first_unlisted;
	int score; /* percent of the nodes that are compatible, rounded down; 0 for an empty graph */
};

void tf_compat_make(const struct tf_nodes *, const struct tf_ops *, bool of_layers, struct tf_compat *);
void tf_compat_free(struct tf_compat *);
enum tf_exempt tf_compat_exempt(const struct tf_compat *, const struct tf_node *);
enum tf_class tf_compat_class(const struct tf_compat *, const struct tf_node *);
bool tf_compat_is(const struct tf_compat *, const struct tf_node *); /* false: it counts as incompatible */

/* A row of the table of ops. */
struct tf_op_count {
	strid op;
	uint64_t count, incompatible;
};

/* The ops of the graph, or of its functions, by count and then by name; the caller frees. */
struct tf_op_count *tf_compat_ops(const struct tf_compat *, bool library, size_t *n);

enum tf_ops_column {
#define COLUMN(id, ...) TF_OPS_##id,
#include "analyze/tf/ops.def"
#undef COLUMN
};

extern const struct schema tf_incompatible_schema, tf_ops_schema, tf_graphs_schema;
void tf_incompatible_table(const struct tf_compat *, struct table *);
void tf_ops_table(const struct tf_compat *, bool library, struct table *);
void tf_graphs_table(const struct dump *, struct table *);

#endif
