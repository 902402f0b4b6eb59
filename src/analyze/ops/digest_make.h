/* Making digests (digest.h) of a capture: what the ops of each device plane add up to, and its traffic. */
#ifndef ANALYZE_OPS_DIGEST_MAKE_H
#define ANALYZE_OPS_DIGEST_MAKE_H

#include "analyze/steps/steps.h"
#include "model/digest.h"

/* The parts of a capture's digest, for digest_write(); the caller frees (digest_parts_free). */
struct digest_part *digest_make(const struct dump *, const struct steps *, int threads, size_t *n);

#endif
