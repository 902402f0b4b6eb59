/* What a digest keeps of communication: rows of ops, and the times of cores and of their steps; one message per host,
 * on its first plane.  Written from a result of all cores and steps, whose memory it copies. */
#ifndef ANALYZE_COMMUNICATION_DIGEST_H
#define ANALYZE_COMMUNICATION_DIGEST_H

#include "analyze/communication/communication.h"
#include "model/digest.h"

void communication_digest(const struct communication *, struct digest_part *);

#endif
