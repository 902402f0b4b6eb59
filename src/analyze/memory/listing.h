/* The memory of a program of which only texts of the compiler are left (tpuscope(7), MEMORY TEXTS):
 * *-buffer-assignment.txt says what lies where, *-live-range.txt when.  They become the message that the
 * compiler would have written, as far as they tell: without framework ops, sources and stacks; without
 * both files without program time, or without addresses. */
#ifndef ANALYZE_MEMORY_LISTING_H
#define ANALYZE_MEMORY_LISTING_H

#include "analyze/memory/memory.h"

/* NULL: there are no buffers in the texts.  *lacks: what they do not say; both of the arena or static. */
const Pb__HloProto *memory_listing(const struct hlo_module *, struct arena *, const char **lacks);

#endif
