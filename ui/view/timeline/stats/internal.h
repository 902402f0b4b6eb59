/* What the files of this room share: which interval the statistics are of, their order.  Lines 0 … nnames-1 of
 * `order` are names, the tracks follow. */
#ifndef VIEW_TIMELINE_STATS_INTERNAL_H
#define VIEW_TIMELINE_STATS_INTERNAL_H

#include "view/timeline/stats/inview.h"
#include "view/timeline/stats/statistics.h"

enum name_key { N_NAME, N_COUNT, N_TOTAL, N_SELF, N_MEAN, N_MIN, N_MAX, N_P50, N_P99, N_SHARE, N_KEYS };
enum track_key { T_TRACK, T_EVENTS, T_BUSY, T_PERCENT, T_GAPS, T_GAP, T_LONGEST, T_AT, T_KEYS };

/* false: nothing is marked, it is what is in view */
bool statistics_interval(const struct statistics *, int64_t *t0, int64_t *t1);
const uint32_t *statistics_tracks(const struct statistics *, size_t *n);
/* of the interval and the tracks wanted now */
bool statistics_current(const struct statistics *, const struct interval *);
void statistics_arrange(struct statistics *);       /* makes `order` */
size_t statistics_lines(const struct statistics *); /* of the table that scrolls */
/* "2 runs of jit_f (50, 51)": the interval is these steps of a core, to the ps; "" */
void statistics_steps(const struct statistics *, int64_t t0, int64_t t1, char *buf, size_t size);
int64_t statistics_name_value(const struct window_name *, int key);
int64_t statistics_track_value(const struct interval *, const struct interval_track *, int key);

#endif
