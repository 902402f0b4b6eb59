/* What of an instruction is in the memory of the host, memory space 5 of XLA: the compiler's numbers call reads and
 * writes of it HBM.  Pure. */
#ifndef ANALYZE_HLO_HOST_MEMORY_H
#define ANALYZE_HLO_HOST_MEMORY_H

#include "base/text/slice.h"

/* How many of the bytes that an instruction reads from HBM and writes to it, as the compiler counts, are in the memory
 * of the host.
 * written NaN: it is only known that it moves `read` bytes.  text: of HLO. */
double host_memory_bytes(struct slice text, double read, double written);

#endif
