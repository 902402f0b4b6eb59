/* Rebuilds the memory of a program of which only texts of the compiler are left (tpuscope(7), MEMORY TEXTS):
 * *-buffer-assignment.txt says where buffers lie, *-live-range.txt when they live.  They become the message
 * that the compiler would have written, as far as the texts go.  Opcodes, framework ops, sources and stacks come
 * from a message of the module without buffers, when there is one.  Program time or addresses are missing when
 * one of the two files is. */
#ifndef ANALYZE_MEMORY_LISTING_H
#define ANALYZE_MEMORY_LISTING_H

#include "analyze/memory/memory.h"

/* Returns NULL when the texts have no buffers. *lacks says what is missing, *kinds whether the
 * kinds of the buffers are known.  Both belong to the arena or are
 * static; the result refers to the message (NULL: none), which must stay. */
const Pb__HloProto *memory_listing(const struct hlo_module *, const Pb__HloProto *message, struct arena *,
    const char **lacks, bool *kinds);

#endif
