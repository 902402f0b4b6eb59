/* Absolute time on the timeline: what moment of UTC a time of the run is.  The anchor is the Unix time of t =
 * 0: the origin where the file's own times count from 1970, else the start of the capture that it states.
 * Times ps, the anchor ns. */
#ifndef VIEW_TIMELINE_UTC_H
#define VIEW_TIMELINE_UTC_H

#include "view/timeline/viewport/ticks.h"

struct dump;

int64_t utc_anchor(const struct dump *); /* 0 = not known */
/* "09:14:03.1250", cut (not rounded) to the decimals; with the day "2026-11-21 09:14:03.1250" */
char *utc_text(int64_t anchor_ns, int64_t t, int decimals, bool day, char *buf, size_t size);
int utc_ticks(const struct viewport *, int64_t anchor_ns, struct tick *out, int max);
/* "15:03:20.010", "2026-11-21 15:03:20", with "Z" or " UTC" behind it perhaps.  Without a day the first such
 * moment of the run, else of the day it begins on; what is out of reach is INT64_MIN or _MAX.  -1: not a time
 * of day */
int utc_parse(int64_t anchor_ns, int64_t first, int64_t last, const char *text, int64_t *t);
int utc_decimals(int64_t ps); /* at which `ps` is still told apart */

#endif
