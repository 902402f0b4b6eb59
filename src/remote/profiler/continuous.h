/* Continuous profiling: the server traces into a buffer until it is told to stop, and gives snapshots of it (captures
 * with `continuous` in their options).  Whoever starts it must stop it: as long as it is on, nobody else can capture
 * the job.  Each call waits for all servers; stop() is asked ten times a second, NULL: it is not asked. */
#ifndef REMOTE_PROFILER_CONTINUOUS_H
#define REMOTE_PROFILER_CONTINUOUS_H

#include "remote/profiler/recording.h"

/* Starts it on all servers, or on none; -1 with err. */
int continuous_start(const struct capture_options *, bool (*stop)(void *), struct err *);
int continuous_stop(const struct capture_options *, struct err *);

#endif
