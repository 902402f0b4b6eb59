/* A baseline: a folder of digests, which nothing but `tpuscope digest` and cp write to.  Digests of hosts that began
 * within a minute of each other, or adjacent ones that do not say when, are one run; the newest runs count.
 * baseline_free() frees. */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include "cli/cli.h"

enum { BASELINE_RUNS = 20 };

struct baseline_run {
	const char **path;
	size_t n, cap;
};

struct baseline {
	struct baseline_run v[BASELINE_RUNS]; /* the newest first */
	size_t n;
	char **file;
	size_t nfiles, files_cap;
};

/* false: it is something else, and there is nothing to free */
bool sides_baseline(const struct options *, const char *path, struct baseline *);
void baseline_free(struct baseline *);

#endif
