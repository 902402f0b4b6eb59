/* What a digest keeps of idle time: times of cores and of their steps, one message per host, on its first plane. */
#ifndef ANALYZE_IDLE_DIGEST_H
#define ANALYZE_IDLE_DIGEST_H

#include "analyze/idle/idle.h"
#include "model/digest.h"

void idle_digest(const struct idle *, struct digest_part *);

#endif
