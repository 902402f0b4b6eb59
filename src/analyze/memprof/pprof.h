/* A device memory profile (tpuscope(7), MEMORY PROFILE): what jax.profiler.save_device_memory_profile()
 * wrote, buffers and executables that were alive at that moment with the Python stack that made them.  Totals
 * per device and kind, the stacks by size, and a tree of the calls, root first.  Bytes; a sample whose space
 * is below 0 ("size unknown", old executables) adds no bytes and its allocations to `unknown`.  Tables have
 * the columns of `report memory_profile`; texts belong to the message, which must stay, or to the profile.
 * The caller frees.  Pure. */
#ifndef ANALYZE_MEMPROF_PPROF_H
#define ANALYZE_MEMPROF_PPROF_H

#include "model/toolfile.h"
#include "result/facts.h"

struct pprof_stack {
	size_t device; /* row of `devices` */
	int64_t allocations, bytes;
	const uint64_t *frame;
	size_t depth; /* locations, leaf first */
};

/* of the tree, in the order in which it is shown: a node before its children */
struct pprof_node {
	const char *function, *file; /* "" when not known */
	int64_t line;
	int depth;
	uint32_t parent, end;       /* UINT32_MAX: none; end: behind its last descendant */
	int64_t bytes, allocations; /* with its children */
};

struct pprof {
	struct facts summary;
	struct table devices, stacks;
	struct pprof_stack *stack;
	size_t nstacks; /* rows of `stacks` */
	const struct Pb__Profile *message;
	struct pprof_frames *frames;
	bool cut; /* texts of stacks were left out: there is too much of them */
	struct arena text;
};

/* -1: it says nothing about memory */
int pprof_build(const struct toolfile *, struct pprof *, struct err *);
void pprof_free(struct pprof *);
/* The tree of the stacks of a row of `devices` (SIZE_MAX: of all), the largest first; the caller frees it. */
struct pprof_node *pprof_tree(const struct pprof *, size_t device, size_t *n);
/* The tables alone */
extern const struct schema pprof_devices_schema, pprof_stacks_schema;
enum stacks_column {
#define COLUMN(id, ...) STACKS_##id,
#include "analyze/memprof/stacks.def"
#undef COLUMN
};

void pprof_tables(struct table *devices, struct table *stacks);

#endif
