/* The buffers alive at the peak of a program by the framework ops that made them (tpuscope(7), MEMORY): a
 * tree of the parts of the ops' names, the largest of a level first, with the buffers as leaves.  A node
 * stands before what it encloses.  Names are those of the memory's buffers, which must stay; the caller frees
 * the array. */
#ifndef ANALYZE_MEMORY_BY_OP_H
#define ANALYZE_MEMORY_BY_OP_H

#include "analyze/memory/memory.h"

struct memory_op {
	const char *name;     /* "jit(f)/jvp()/dot_general", len bytes of it; empty: buffers without an op */
	size_t len, tail;     /* its own part begins at tail */
	uint32_t parent, end; /* places; UINT32_MAX: none; end: behind its last descendant */
	int depth;
	int64_t size, buffers; /* with what it encloses */
	uint32_t buffer;       /* place in m->peak of a leaf, UINT32_MAX = an op */
};

struct memory_op *memory_ops(const struct memory *, size_t *n);
/* Ops that enclose nothing but one op, or one buffer, become one with it; returns how many are left. */
size_t memory_ops_join(struct memory_op *, size_t n);

#endif
