/* Captures of a job again and again, into a folder that is kept small, by short captures or by snapshots of continuous
 * profiling, which is stopped however the program ends, unless it is killed. */
#ifndef CLI_REPEAT_H
#define CLI_REPEAT_H

#include "cli/remote.h"
#include "remote/profiler/recording.h"

/* Takes one capture; returns its exit status, or -1 with err.  *path: the folder of the run, which the caller frees;
 * NULL: nothing was captured. */
int capture_run(const struct capture_options *, char **path, struct err *); /* capture.c */
int capture_again(const struct options *, const struct remote *, struct err *);

#endif
