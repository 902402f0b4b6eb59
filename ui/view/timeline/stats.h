/* Between the two files of the statistics' pane: tl_stats.c (which interval, the work, the order of the
 * lines) and tl_stats_draw.c (the tables, on the screen and as text).  Lines 0 … nnames-1 of `order` are
 * names, the tracks follow. */
#ifndef VIEW_TIMELINE_STATS_H
#define VIEW_TIMELINE_STATS_H

#include "view/timeline/tl.h"

enum name_key { N_NAME, N_COUNT, N_TOTAL, N_SELF, N_MEAN, N_MIN, N_MAX, N_P50, N_P99, N_SHARE, N_KEYS };
enum track_key { T_TRACK, T_EVENTS, T_BUSY, T_PERCENT, T_GAPS, T_GAP, T_LONGEST, T_AT, T_KEYS };

/* false: nothing is marked, it is what is in view */
bool tl_stats_interval(const struct tl *, int64_t *t0, int64_t *t1);
const uint32_t *tl_stats_tracks(const struct tl *, size_t *n);
/* of the interval and the tracks wanted now */
bool tl_stats_current(const struct tl *, const struct interval *);
void tl_stats_arrange(struct tl *);             /* makes `order` */
size_t tl_stats_lines(const struct tl_stats *); /* of the table that scrolls */
/* "2 runs of jit_f (50, 51)": the interval is these steps of a core, to the ps; "" */
void tl_stats_steps(const struct tl *, int64_t t0, int64_t t1, char *buf, size_t size);
int64_t tl_stats_name_value(const struct window_name *, int key);
int64_t tl_stats_track_value(const struct interval *, const struct interval_track *, int key);

#endif
