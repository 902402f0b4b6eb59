/* Rebuilds the memory of a program of which only texts of the compiler are left (tpuscope(7), MEMORY TEXTS):
 * *-buffer-assignment.txt says where buffers lie, *-live-range.txt when they live.  They become the message
 * that the compiler would have written, as far as the texts go.  Opcodes, framework ops, sources and stacks come
 * from a message of the module without buffers, when there is one.  Program time or addresses are missing when
 * one of the two files is. */
#ifndef ANALYZE_MEMORY_LISTING_H
#define ANALYZE_MEMORY_LISTING_H

#include "analyze/memory/memory.h"

struct listed {
	bool kinds;  /* of what kind buffers are */
	bool places; /* where they lie, and how much is allocated */
};

/* Returns NULL when the texts have no buffers.  *lacks says what is missing: static text.  The result refers to
 * the message (NULL: none), which must stay. */
const Pb__HloProto *memory_listing(const struct hlo_module *, const Pb__HloProto *message, struct arena *,
    const char **lacks, struct listed *has);

#endif
