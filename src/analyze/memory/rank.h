/* The modules of a run by the memory that they need at their peak, in HBM: the largest first, then those
 * without buffers in the order of the dump.  Each is read and built for this alone, and let go again.  The
 * caller frees; cancelled: what there was until then. */
#ifndef ANALYZE_MEMORY_RANK_H
#define ANALYZE_MEMORY_RANK_H

#include "analyze/memory/memory.h"
#include "base/progress.h"

struct memory_rank {
	size_t module;
	int64_t peak;
}; /* -1 = not known */
struct memory_ranks {
	struct memory_rank *v;
	size_t n;
};

void memory_rank(const struct dump *, struct progress *, struct memory_ranks *);
void memory_ranks_free(struct memory_ranks *);
/* something to show: a module with a buffer assignment, or what a profiler made of one */
bool memory_is_known(const struct hlo_module *);

#endif
