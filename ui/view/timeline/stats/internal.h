/* Shared by the files of this folder: the interval of the statistics, and their tables. */
#ifndef VIEW_TIMELINE_STATS_INTERNAL_H
#define VIEW_TIMELINE_STATS_INTERNAL_H

#include "view/timeline/stats/inview.h"
#include "view/timeline/stats/statistics.h"

bool statistics_picked(const struct statistics *); /* they are of the selected events */
/* false: nothing is marked, so it is what is in view, or of the selected events */
bool statistics_interval(const struct statistics *, int64_t *t0, int64_t *t1);
const uint32_t *statistics_tracks(const struct statistics *, size_t *n);
/* makes statistics of the current interval and tracks */
bool statistics_current(const struct statistics *, const struct interval *);
void statistics_want(struct statistics *);        /* makes the tables of `shown` */
void statistics_drop_tables(struct statistics *); /* before `shown` changes */
struct sheet *statistics_sheet(struct statistics *);
/* "2 runs of jit_f (50, 51)" if the interval is exactly these steps of a core, else "" */
void statistics_steps(const struct statistics *, int64_t t0, int64_t t1, char *buf, size_t size);

#endif
