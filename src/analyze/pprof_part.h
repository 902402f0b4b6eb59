/* Inside of pprof*.c: places of a profile by their ids. */
#ifndef ANALYZE_PPROF_PART_H
#define ANALYZE_PPROF_PART_H

#include "analyze/pprof.h"
#include "analyze/sumtree.h"
#include "pprof.pb-c.h"

struct pprof_id {
	uint64_t id;
	uint32_t at;
};

struct pprof_frames {
	struct pprof_id *location, *function;
	size_t nlocations, nfunctions; /* by id */
};

struct pprof_frame {
	const char *function, *file;
	int64_t line;
}; /* "" and -1: not known */

struct pprof_frame pprof_frame(const struct pprof *, uint64_t location);
const char *pprof_text(const Pb__Profile *, int64_t at); /* "" when there is none */

#endif
