/* The union of the busy times of tracks, for interval.c: what the gaps that they have in common leave.
 *
 * The busiest tracks leave few gaps, so they come first, and as long as the common gaps are few the events
 * of the next track are looked up in them alone.  Otherwise its gaps go onto a stack, where a list meets the
 * one below when that is not much longer: each gap is looked at about log2(tracks) times at worst. */
#ifndef ANALYZE_INTERVAL_PART_H
#define ANALYZE_INTERVAL_PART_H

#include "analyze/interval.h"

/* In [from, to), tracks up to UINT32_MAX, the busiest first; -1 = no memory.  `shift`: as that of a window.
 * Any thread. */
int64_t interval_union(const struct dump *, const int64_t *shift, const uint32_t *tracks, int64_t from,
    int64_t to);

#endif
