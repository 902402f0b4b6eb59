/* Which files a path stands for.  A file stands for itself; a run folder for the files of the best kind in
 * it: all XSpaces, else trace JSON, else old traces, else trace tables, and without XSpaces also the results
 * of tools; where no name tells of a trace, by their content; any folder above of them for one of its runs
 * (load/probe/runs.h).  Folders of ranks (dp_rank_0/plugins/profile/RUN) are opened together: a run of one has the
 * runs of the others that began with it.  Logs in a run folder (*.log, tpu_driver.*.log.ERROR.*) come last; so do other
 * texts beside an XLA dump (*.txt, *.out, *.err that the compiler did not write).  logdir_files() lists all files of a
 * folder and of those below, without links, which would repeat files.  Errors say what is there and what to name
 * instead. The result belongs to the caller (logdir_free). */
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
	size_t ntexts;    /* the last files: logs */
	struct run *runs;
	size_t nruns, runs_cap, run; /* newest first; nruns 0: the path is not a directory of runs */
	bool by_content;             /* no name told of a capture, so files were looked into */
	char **
	    events; /* event files of TensorBoard, and files of graphs, in the folders that runs were looked for in */
	size_t nevents, events_cap;
	bool folders_left;  /* there are so many folders that some were not looked into */
	size_t passed_over; /* files of a folder, most of all, that were not: too many others were in vain */
	char *unread; /* the first folder that is there and cannot be read, and the errno of it; NULL: none */
	int why_unread;
};

/* run NULL = the newest */
int logdir_find(const char *path, const char *run, struct logdir *, struct err *);
int logdir_files(const char *path, struct logdir *, struct err *);

/* The form of a host's data, by the name of the file. */
struct logdir_form {
	int rank;    /* lower is better */
	size_t host; /* length of the part of the name that is the host; 0: none */
	char packed; /* 'g', 'z', 'r' (riegeli); 0: uncompressed */
	bool result; /* result of a tool: more than the host may precede its suffix */
};
bool logdir_form_of(const char *name, struct logdir_form *); /* false: not such a file */
/* Whether opening a folder takes the first and leaves out the second, both of one host. */
bool logdir_goes_before(const struct logdir_form *, const struct logdir_form *);

bool logdir_is_graph(const char *name); /* a file that is a TensorFlow graph: graph.pbtxt, a SavedModel */
bool logdir_is_dump(const char *name);  /* a file that the compiler writes about a module */
/* Says which of the files are of a dump of LLO, counted by passes; false: none. */
bool logdir_tell_llo(const struct logdir *, struct err *);
/* Whether two runs began within a minute, by their names, which may have folders before them. */
bool logdir_runs_near(const char *, const char *);
void logdir_free(struct logdir *);

#endif
