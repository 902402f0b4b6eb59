/* `tpuscope bench`: loads a capture, walks a fixed script of zooms and pans over the timeline on the null
 * terminal, searches all events, sums an interval, and prints one JSON object
 * {"events","load_ms","index_ms","first_frame_ms","frames","frame_ms_p50","frame_ms_p99","views",
 * "search_ms","area_ms","rss_mib"}; "views" has the frames of moves in every other view:
 * [{"view","frame_ms_p50","frame_ms_p99"}].  Times are wall milliseconds; rss is the peak before the other
 * views, which compute all results. */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include <stdio.h>

#include "core/app.h"

int app_bench(const struct app_options *, int rows, int cols, FILE *out, struct err *);

#endif
