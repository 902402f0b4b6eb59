/* Chooses the program whose memory is shown when the user names none (tpuscope(7), MEMORY).  A program that
 * the compiler could not fit comes before all others.  Otherwise, of the three programs that took the most
 * time on the device, the first whose buffers are known; or, without ops, the one with the highest peak of
 * the three with the largest messages.  Messages above MEMORY_PICK_BYTES are skipped, because reading them
 * takes seconds.  Modules that were read stay with the dump; the caller frees the memory (memory_free).  Any
 * thread. */
#ifndef ANALYZE_MEMORY_PICK_H
#define ANALYZE_MEMORY_PICK_H

#include "analyze/memory/memory.h"
#include "analyze/ops/opdb.h"

#define MEMORY_PICK_BYTES (UINT64_C(200) << 20)

/* `asked`: index of the module to take, of whatever size; -1 = choose.  `said`: as for memory_make(), of each
 * module, or NULL.  Returns NULL when there is none; then there is nothing to free. */
const struct hlo_module *memory_pick(const struct dump *, const struct opdb *, int asked, const int64_t *said,
    struct progress *, struct memory *);

#endif
