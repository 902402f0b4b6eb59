/* Opening things: a logdir, a run folder, files of any known kind, told by content.  load_paths() returns a
 * dump with everything that could be read, or NULL with err when nothing is usable ("a logdir with no run",
 * "not a capture", each with what to do).  Damage is no failure: it is in dump.problems, files are marked
 * partial and dump_status() is EXIT_DAMAGED.  Cancelling through `progress` keeps what was read
 * (dump.cancelled).  The caller owns the dump (dump_close).
 * Runs in the caller's thread with workers of its own; touches nothing outside the dump. */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include "base/progress.h"
#include "model/dump.h"

struct load_options {
	int threads;                 /* 0 = default */
	const char *run;             /* name of the run of a logdir, NULL = newest */
	const char *host;            /* only this host, NULL = all */
	double peak_flops, peak_hbm; /* for the dump, which see; 0 = none */
	const char *device;          /* the same; NULL = not said */
	/* that a compressed file that is needed whole may inflate to, 0 = half of what is free */
	uint64_t max_memory;
	/* logs and other texts are opened, too, and folders that hold nothing else */
	bool texts;
};

struct dump *load_paths(const char *const *paths, size_t n, const struct load_options *, struct progress *,
    struct err *);
/* the bundled sample, tests, fuzzing */
struct dump *load_memory(const void *bytes, size_t n, const char *name, const struct load_options *,
    struct err *);

#endif
