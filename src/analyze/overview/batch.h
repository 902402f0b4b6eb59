/* The batch size of a program on one core: the batch dimension that most of its convolutions have.  (Those that compute
 * weight gradients have another one, and dots run as convolutions whose "batch" may be any dimension.)  Only reads. */
#ifndef ANALYZE_OVERVIEW_BATCH_H
#define ANALYZE_OVERVIEW_BATCH_H

#include "analyze/ops/opdb.h"
#include "base/progress.h"

struct hlo_contents; /* analyze/hlo/contents.h */

#define BATCH_HLO_BYTES (4u << 20)

struct batch {
	int64_t size;
	size_t same, all; /* convolutions: with that size, with any */
};

/* Looks at ops with at least that part of the time of all ops.  contents: NULL reads HLO modules of at most
 * BATCH_HLO_BYTES, which takes little time.  false: it is not known; the struct says what was found. */
bool batch_find(const struct dump *, const struct opdb *, struct hlo_contents *contents, double least,
    struct progress *, struct batch *);

#endif
