/* Hosts that start to trace a few seconds apart write one job into several run folders.  When the chosen run of a
 * logdir has such neighbors, with files of other hosts, they are marked in dump.runs, and a warning of the dump names
 * them and how to open all, unless they will be. */
#ifndef LOAD_SPLIT_RUN_H
#define LOAD_SPLIT_RUN_H

#include "load/probe/logdir.h"

void split_run_tell(struct dump *, const struct logdir *, bool joined);

#endif
