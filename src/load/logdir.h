/* Which files a path stands for.  A file stands for itself; a run folder for the files of the best kind in it: all XSpaces, else trace JSON, else old traces, else trace
 * tables, and without XSpaces the results of tools, too; a logdir (plugins/profile/RUN/), its profile folder, or a directory of logdirs for one of its runs.  Errors say what is there and what to give.
 * The result belongs to the caller (logdir_free). */
#ifndef LOAD_LOGDIR_H
#define LOAD_LOGDIR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "model/dump.h"

struct logdir {
	char **files; size_t nfiles, files_cap;		/* paths, sorted by name; results beside captures last */
	size_t ncaptures;				/* files without these results */
	struct run *runs; size_t nruns, runs_cap, run;	/* newest first; nruns 0: no directory was given */
	bool riegeli;					/* the run also holds Riegeli files, which are not read */
};

int logdir_find(const char *path, const char *run, struct logdir *, struct err *);	/* run NULL = the newest */
void logdir_free(struct logdir *);

#endif
