/* Opens a logdir, a run folder, or files of any known kind, recognized by content.  load_paths() returns a
 * dump with everything that could be read, or NULL with err when nothing is usable.  Damage is not a failure:
 * it is in dump.problems, files are marked partial, and dump_status() is EXIT_DAMAGED.  Canceling through
 * `progress` keeps what was read (dump.canceled).  The caller owns the dump (dump_close).  Runs in the
 * caller's thread with worker threads of its own; touches nothing outside the dump. */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include "base/progress.h"
#include "load/early.h"
#include "model/dump.h"

struct load_options {
	int threads;                 /* 0 = default */
	const char *run;             /* name of the run of a logdir; NULL = newest */
	const char *host;            /* only this host; NULL = all */
	double peak_flops, peak_hbm; /* stored in the dump (model/dump.h); 0 = not stated */
	const char *device;          /* stored in the dump; NULL = not stated */
	/* limit for unpacking a compressed file that is needed as a whole; 0 = half of the free memory */
	uint64_t max_memory;
	/* also open logs and other texts, and folders that have nothing else */
	bool texts;
	/* also open the runs that seem to be of the same job; each file begins when its profiler was started */
	bool join;
	struct early *early; /* gets the first bytes while the rest is read; NULL: nobody does */
};

struct dump *load_paths(const char *const *paths, size_t n, const struct load_options *, struct progress *,
    struct err *);
/* for the bundled sample, tests and fuzzing */
struct dump *load_memory(const void *bytes, size_t n, const char *name, const struct load_options *,
    struct err *);

#endif
