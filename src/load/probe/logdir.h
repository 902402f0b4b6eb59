/* Which files a path stands for.  A file stands for itself; a run folder for the files of the best
 * kind in it: all XSpaces, else trace JSON, else old traces, else trace tables, and without XSpaces
 * the results of tools, too; a logdir (plugins/profile/RUN/), its profile folder, or a directory of
 * logdirs for one of its runs.  Errors say what is there and what to give. A log in a run folder
 * (*.log, tpu_driver.*.log.ERROR.*) stands behind all else; beside a dump of XLA other texts do, too
 * (*.txt, *.out, *.err that the compiler did not write).  logdir_files() lists all files of a folder
 * and of those below; links, which repeat what is there, are left out. The result belongs to the
 * caller (logdir_free). */
#ifndef LOAD_PROBE_LOGDIR_H
#define LOAD_PROBE_LOGDIR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "model/dump.h"

struct logdir {
	/* paths, sorted by name; results beside captures last */
	char **files;
	size_t nfiles, files_cap;
	size_t ncaptures; /* files without these results */
	size_t ntexts;    /* the last ones: logs */
	struct run *runs;
	size_t nruns, runs_cap, run; /* newest first; nruns 0: no directory was given */
	/* the run also holds Riegeli files, which are not read */
	bool riegeli;
};

/* run NULL = the newest */
int logdir_find(const char *path, const char *run, struct logdir *, struct err *);
int logdir_files(const char *path, struct logdir *, struct err *);

/* A file whose name tells that it is one form of what a folder may hold of a host. */
struct logdir_form {
	int rank;    /* the lower the better */
	size_t host; /* length of the part of its name that tells the host; 0: none does */
	char packed; /* 'g', 'z'; 0: as it is */
	bool result; /* of a tool: more than the host may stand before its suffix */
};
bool logdir_form_of(const char *name, struct logdir_form *); /* false: it is none */
/* Of two of one host opening the folder takes the first, and not the second. */
bool logdir_goes_before(const struct logdir_form *, const struct logdir_form *);

bool logdir_is_dump(const char *name); /* what the compiler writes about a module */
void logdir_free(struct logdir *);

#endif
