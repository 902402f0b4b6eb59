/* When a run began, by its name: the profiler calls it 2026_05_06_04_47_36, people 20260506-044736, exp-2026-05-06 and
 * the like.  Folders before the name (train/2026_05_06_04_47_36) say nothing about its time.  Pure. */
#ifndef LOAD_PROBE_RUN_TIME_H
#define LOAD_PROBE_RUN_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* Seconds since 1970 of a time in the time zone of this machine; with `exact`, only if seconds are said.  False: the
 * name says none. */
bool run_time(const char *name, bool exact, int64_t *at);
int64_t run_began(const char *name,
    int64_t written); /* as the name says, else when its captures were written */

#endif
