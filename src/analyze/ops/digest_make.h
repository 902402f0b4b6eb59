/* Makes digests (device/digest.h) from a capture: the sums of the ops of each device plane, and its
 * traffic. */
#ifndef ANALYZE_OPS_DIGEST_MAKE_H
#define ANALYZE_OPS_DIGEST_MAKE_H

#include "analyze/steps/steps.h"
#include "model/digest.h"

/* Returns the parts of a digest, one per host file, for digest_write(); the caller frees
 * (digest_parts_free). */
struct digest_part *digest_make(const struct dump *, const struct steps *, int threads, size_t *n);

#endif
