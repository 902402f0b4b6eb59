/* The runs of a logdir: each folder below it that holds a capture, as TensorBoard finds them, however deep
 * (BASE/EXPERIMENT/tensorboard/plugins/profile/RUN), the newest first.  The name of a run is its path below the
 * logdir without plugins/profile/.  It began when its name says (load/probe/run_time.h), else when its captures were
 * last written; the folders before the name do not count.  On the way, the event files of TensorBoard are noted.  The
 * search ends after some thousands of folders, which the logdir says (folders_left). */
#ifndef LOAD_PROBE_RUNS_H
#define LOAD_PROBE_RUNS_H

#include <stdbool.h>

struct logdir;

/* Finds the runs below a folder, and sorts them.  True: the folder is itself that of a run, which is not added. */
bool runs_find(struct logdir *, const char *path);
void runs_add_beside(struct logdir *, const char *profile); /* those of a profile folder, sorted */
void runs_add(struct logdir *, const char *name, const char *dir);

#endif
