/* What the line "Async XLA Ops" of a core says of flights: the op that ended each, and how long it took.  Flights of
 * one name are in the order of their spans.  Plain clock, ps.  The caller frees; the dump is only read.  Also which
 * kinds of events the ops of a core have, for arrays with an item for each. */
#ifndef ANALYZE_PIECES_SPANS_H
#define ANALYZE_PIECES_SPANS_H

#include "model/dump.h"

struct async_span {
	strid done;
	int64_t start, dur;
	size_t event;
};

/* sorted by name of the op, then by time */
struct async_span *async_spans(const struct dump *, uint32_t plane, size_t *n);
/* Returns how many kinds there are from *base on, of which some may be others'. */
uint32_t cut_kinds(const struct dump *, uint32_t plane, uint32_t *base);

#endif
