/* What a digest keeps of scopes: ops of each core with the texts that place them, one message per host, on its first
 * plane.  Any tree can be made of them; how they spread over steps is left out. */
#ifndef ANALYZE_SCOPES_DIGEST_H
#define ANALYZE_SCOPES_DIGEST_H

#include "analyze/pieces/core_times.h"
#include "model/digest.h"

void scopes_digest(const struct core_times *, struct digest_part *);

#endif
