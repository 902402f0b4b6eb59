/* What a digest keeps of idle time: times of cores and of their steps in ps, one message per host, on its first plane.
 * The message is added to the part, which owns it; digest.c of this folder reads it again.  Cannot fail. */
#ifndef ANALYZE_IDLE_DIGEST_H
#define ANALYZE_IDLE_DIGEST_H

#include "analyze/idle/idle.h"
#include "model/digest.h"

void idle_digest(const struct idle *, struct digest_part *);

#endif
