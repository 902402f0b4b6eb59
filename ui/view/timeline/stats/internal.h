/* What the files of this room share: which interval the statistics are of, and their tables. */
#ifndef VIEW_TIMELINE_STATS_INTERNAL_H
#define VIEW_TIMELINE_STATS_INTERNAL_H

#include "view/timeline/stats/inview.h"
#include "view/timeline/stats/statistics.h"

/* false: nothing is marked, it is what is in view */
bool statistics_interval(const struct statistics *, int64_t *t0, int64_t *t1);
const uint32_t *statistics_tracks(const struct statistics *, size_t *n);
/* of the interval and the tracks wanted now */
bool statistics_current(const struct statistics *, const struct interval *);
void statistics_want(struct statistics *);        /* tables as `shown` is now */
void statistics_drop_tables(struct statistics *); /* before `shown` changes */
struct sheet *statistics_sheet(struct statistics *);
/* "2 runs of jit_f (50, 51)": the interval is these steps of a core, to the ps; "" */
void statistics_steps(const struct statistics *, int64_t t0, int64_t t1, char *buf, size_t size);

#endif
