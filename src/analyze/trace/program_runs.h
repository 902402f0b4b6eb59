/* How long each program of the devices runs, and how long nothing ran before it (tpuscope(7), OVERVIEW): what
 * is to be known of a capture in which several programs alternate, whose steps have no common mean.  Times are ps, of
 * the runs as clock_runs() has them; a gap is from the end of all that ran before on the core, and the first run of a
 * core has none.  The caller frees the rows; the dump is only read; any thread. */
#ifndef ANALYZE_TRACE_PROGRAM_RUNS_H
#define ANALYZE_TRACE_PROGRAM_RUNS_H

#include "model/dump.h"

struct program_runs {
	strid name;
	size_t runs, gaps; /* gaps: how many runs have one, of 0 or more */
	double mean, p90, gap;
	double time, gap_time; /* sums */
};

/* By time, the longest first; on planes of that kind.  host NULL, core -1: of all. */
struct program_runs *program_runs(const struct dump *, enum plane_kind, const char *host, int core,
    size_t *n);

#endif
