/* Makes what a loaded dump needs before it can be drawn: classes, the device clock, level-of-detail indexes
 * (in parallel).  Reports that only list the file's events do not need it.  Owner thread of the dump only.
 * When canceled, some tracks have no index; calling prepare() again makes the rest. */
#ifndef ANALYZE_TRACE_PREPARE_H
#define ANALYZE_TRACE_PREPARE_H

#include "analyze/trace/clock.h"
#include "base/progress.h"

void prepare(struct dump *, struct clocks *, enum clock_kind, int threads, struct progress *);

#endif
