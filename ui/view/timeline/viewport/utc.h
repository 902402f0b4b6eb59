/* Absolute time on the timeline: the UTC time of a moment of the run.  The anchor is the Unix time of t = 0:
 * the origin if the file's own times count from 1970, else the start of the capture, if it is given.  Times
 * are ps, the anchor is ns. */
#ifndef VIEW_TIMELINE_UTC_H
#define VIEW_TIMELINE_UTC_H

#include "view/timeline/viewport/ticks.h"

struct dump;

int64_t utc_anchor(const struct dump *); /* 0 = unknown */
/* "09:14:03.1250", truncated (not rounded) to the decimals; with the day "2026-11-21 09:14:03.1250" */
char *utc_text(int64_t anchor_ns, int64_t t, int decimals, bool day, char *buf, size_t size);
int utc_ticks(const struct viewport *, int64_t anchor_ns, struct tick *out, int max);
/* Parses "15:03:20.010" or "2026-11-21 15:03:20", optionally followed by "Z" or " UTC".  Without a day it is
 * the first such moment of the run, else that of the day the run starts on; what is out of range becomes
 * INT64_MIN or INT64_MAX.  -1: not a time of day */
int utc_parse(int64_t anchor_ns, int64_t first, int64_t last, const char *text, int64_t *t);
int utc_decimals(int64_t ps); /* decimals needed to show `ps` */

#endif
