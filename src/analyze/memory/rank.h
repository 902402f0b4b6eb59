/* The modules of a run by the HBM that they need at their peak: the largest first, then those without known
 * buffers in the order of the dump.  Each module is read and simulated just for this and released again.  The
 * caller frees.  When canceled, the list has what was done until then. */
#ifndef ANALYZE_MEMORY_RANK_H
#define ANALYZE_MEMORY_RANK_H

#include "analyze/memory/memory.h"
#include "base/progress.h"

struct memory_rank {
	size_t module;
	int64_t peak;
}; /* peak: bytes, -1 = not known */
struct memory_ranks {
	struct memory_rank *v;
	size_t n;
};

void memory_rank(const struct dump *, struct progress *, struct memory_ranks *);
void memory_ranks_free(struct memory_ranks *);
/* Is there something to show: a module with a buffer assignment, or the memory result of a profiler? */
bool memory_is_known(const struct hlo_module *);
bool memory_any(const struct dump *); /* of any of its modules */
/* The program that ran out of memory first while it was compiled, of those whose buffers are known; -1 =
 * none */
int memory_failed(const struct dump *);
/* The program that is shown when nobody names one, wherever: the one that failed, the only one with known
 * buffers, the one with the highest peak.  -1 = the ranks (NULL: not made yet) are needed to tell. */
int memory_first(const struct dump *, const struct memory_ranks *);
const char *memory_first_why(const struct dump *, size_t module); /* of the chosen one: "..., which %s" */

#endif
