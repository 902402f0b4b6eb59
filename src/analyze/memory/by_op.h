/* The buffers alive at the peak of a program, grouped by the framework ops that made them (tpuscope(7),
 * MEMORY): a tree of the parts of the op names, with the buffers as leaves, the largest first at each level.
 * The array is in depth-first order: a node comes before what it encloses.  Names point into the memory's
 * buffers, so the memory must stay alive; the caller frees the array. */
#ifndef ANALYZE_MEMORY_BY_OP_H
#define ANALYZE_MEMORY_BY_OP_H

#include "analyze/memory/memory.h"

struct memory_op {
	/* "jit(f)/jvp()/dot_general", of which len bytes count; empty: buffers without an op */
	const char *name;
	size_t len, tail; /* the node's own part of the name begins at tail */
	/* parent: index in the array, UINT32_MAX for none; end: index after its last descendant */
	uint32_t parent, end;
	int depth;
	int64_t size, buffers; /* including what it encloses */
	uint32_t buffer;       /* for leaves, the index in m->peak; UINT32_MAX = an op */
};

struct memory_op *memory_ops(const struct memory *, size_t *n);
/* Merges each op that encloses only one op, or only one buffer, with that one; returns how many nodes are
 * left. */
size_t memory_ops_join(struct memory_op *, size_t n);

#endif
