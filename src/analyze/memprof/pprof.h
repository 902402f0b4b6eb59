/* A device memory profile (tpuscope(7), MEMORY PROFILE), as jax.profiler.save_device_memory_profile() writes
 * it: the buffers and executables that were alive at that moment, each with the Python stack that made it.
 * Has totals per device and kind, the stacks by size, and a tree of the calls, root first.  Sizes are bytes.
 * A sample with a space below 0 ("size unknown", old executables) adds no bytes, and adds its allocations to
 * `unknown`.  Tables have the columns of `report memory_profile`; texts belong to the message, which must
 * stay alive, or to the profile.  The caller frees (pprof_free).  Pure. */
#ifndef ANALYZE_MEMPROF_PPROF_H
#define ANALYZE_MEMPROF_PPROF_H

#include "model/toolfile.h"
#include "result/facts.h"

struct pprof_stack {
	size_t device; /* row of `devices` */
	int64_t allocations, bytes;
	const uint64_t *frame;
	size_t depth; /* frame: locations, leaf first */
};

struct pprof_frame {
	const char *function, *file;
	int64_t line;
}; /* "" and -1: not known */

/* One node of the tree, in display order: a node comes before its children. */
struct pprof_node {
	const char *function, *file; /* "" when not known */
	int64_t line;
	int depth;
	uint32_t parent, end;       /* parent: UINT32_MAX for none; end: index after its last descendant */
	int64_t bytes, allocations; /* including its children */
	size_t frames;              /* calls that it stands for (pprof_join()) */
};

struct pprof {
	struct facts summary;
	struct table devices, stacks;
	struct pprof_stack *stack;
	size_t nstacks; /* rows of `stacks` */
	const struct Pb__Profile *message;
	struct pprof_frames *frames;
	int64_t bytes, unknown,
	    allocations; /* unknown: allocations without a size; allocations -1: not counted */
	bool cut;        /* some texts of stacks were left out because there was too much text */
	struct arena text;
};

/* Returns -1 when the profile has nothing about memory. */
int pprof_build(const struct toolfile *, struct pprof *, struct err *);
void pprof_free(struct pprof *);
struct pprof_frame pprof_frame(const struct pprof *, uint64_t location);
/* The innermost call in the user's program; file "": there are only libraries. */
struct pprof_frame pprof_user_frame(const struct pprof *, const struct pprof_stack *);
/* Makes the tree of the stacks in one row of `devices` (SIZE_MAX: of all), largest first; the caller frees
 * it. */
struct pprof_node *pprof_tree(const struct pprof *, size_t device, size_t *n);
/* Makes each chain of calls that have nothing beside them one node: the innermost call in the user's program, or the
 * outermost one where there are only libraries.  Returns how many nodes are left. */
size_t pprof_join(struct pprof_node *, size_t n);
/* Tables with the columns of `stacks`, whose shares are of the bytes of that device: its stacks, and its tree, a
 * row for each node.  The caller frees them (table_free); texts are of the profile. */
void pprof_stacks_table(const struct pprof *, size_t device, struct table *);
void pprof_calls_table(const struct pprof *, size_t device, const struct pprof_node *, size_t n,
    struct table *);
/* Tables without rows. */
extern const struct schema pprof_devices_schema, pprof_stacks_schema;
enum stacks_column {
#define COLUMN(id, ...) STACKS_##id,
#include "analyze/memprof/stacks.def"
#undef COLUMN
};

void pprof_tables(struct table *devices, struct table *stacks);

#endif
