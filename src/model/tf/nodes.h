/* The nodes of one TensorFlow graph: those outside of functions first, in the order of the file, then those of
 * each function of its library.  A node has its name, op and device; its inputs and attributes stay in the bytes of
 * the graph and are decoded when asked for (model/tf/attr.h).  Names point into these bytes, too.  What has no name
 * is no node.  Of a damaged graph everything before the damage is there.  The caller frees (tf_nodes_free).  Any
 * thread. */
#ifndef MODEL_TF_NODES_H
#define MODEL_TF_NODES_H

#include "base/text/strtab.h"
#include "model/tf/graph.h"

#define TF_NO_FUNCTION UINT32_MAX

struct tf_node {
	const char *name;
	const uint8_t *at;      /* its NodeDef, len bytes */
	uint32_t name_len, len; /* both cut at 4 GB */
	strid op, device;       /* 0: none is stated */
	uint32_t function;      /* index, or TF_NO_FUNCTION */
};

struct tf_function {
	const char *name;
	const uint8_t *at; /* its FunctionDef */
	uint32_t name_len, len;
	size_t first, n; /* its nodes */
};

struct tf_nodes {
	struct tf_node *v;
	size_t n, main; /* main: those outside of functions */
	struct tf_function *fn;
	size_t nfn;
	struct strtab text; /* ops and devices */
	uint64_t inputs,
	    controls; /* input strings of the nodes outside of functions; those that begin with ^ */
	bool damaged;
};

static inline struct slice tf_node_name(const struct tf_node *x)
{
	return (struct slice){ x->name, x->name_len };
}

static inline struct slice tf_function_name(const struct tf_function *f)
{
	return (struct slice){ f->name, f->name_len };
}

void tf_nodes_count(struct tf_graph *); /* fills in its counts, and whether it is damaged */
int tf_nodes_read(const struct tf_graph *, struct tf_nodes *, struct err *); /* -1: not enough memory */
void tf_nodes_free(struct tf_nodes *);

#endif
