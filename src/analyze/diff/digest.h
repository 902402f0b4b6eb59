/* The findings of a capture that its digest keeps, because rules need single ops (DigestFindings in
 * data/proto/digest.proto).  Any thread. */
#ifndef ANALYZE_DIFF_DIGEST_H
#define ANALYZE_DIFF_DIGEST_H

#include "analyze/findings/findings.h"
#include "model/digest.h"

/* Adds them to the part, which owns them. */
void diff_digest_findings(const struct findings *, struct digest_part *);

#endif
