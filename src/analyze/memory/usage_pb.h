/* *-memory-usage-report.pb of the compiler (MemoryUsageReportProto): for each memory space its allocations,
 * with the same rows as text that *-memory-usage-report.txt has.  Becomes that text.  NULL: it is no such
 * message. Of a message that is cut off, everything before is read.  The caller frees.  Pure. */
#ifndef ANALYZE_MEMORY_USAGE_PB_H
#define ANALYZE_MEMORY_USAGE_PB_H

#include <stddef.h>

char *memory_usage_text(const char *bytes, size_t n, size_t *len);

#endif
