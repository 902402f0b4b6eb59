/* The one program whose memory is looked at when nobody names one (tpuscope(7), MEMORY): of the three that
 * took most time on the device the first whose buffers are known; without ops, of the three with the largest
 * messages the one with the highest peak, and before all others one that the compiler could not fit.
 * Messages above MEMORY_PICK_BYTES are left alone: reading them takes seconds.  What is read stays with the
 * dump; the caller frees the memory (memory_free).  Any thread. */
#ifndef ANALYZE_MEMORY_PICK_H
#define ANALYZE_MEMORY_PICK_H

#include "analyze/memory/memory.h"
#include "analyze/ops/opdb.h"

#define MEMORY_PICK_BYTES (UINT64_C(200) << 20)

/* `asked`: that module, of whatever size; -1 = choose.  NULL: none, and nothing to free. */
const struct hlo_module *memory_pick(const struct dump *, const struct opdb *, int asked, struct progress *,
    struct memory *);

#endif
