/* What a loaded dump needs before it can be drawn: classes, the device clock, level-of-detail indexes (in
 * parallel).  Reports that only list the file's events do without it.  Owner thread only; cancelling leaves
 * tracks without an index, which prepare() can finish later. */
#ifndef ANALYZE_TRACE_PREPARE_H
#define ANALYZE_TRACE_PREPARE_H

#include "analyze/trace/clock.h"
#include "base/progress.h"

void prepare(struct dump *, struct clocks *, enum clock_kind, int threads, struct progress *);

#endif
