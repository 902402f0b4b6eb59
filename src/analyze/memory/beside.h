/* What the compiler says of the program that a core ran at a moment: beside what its allocator had in use then, it
 * tells how much of that is parameters, how much temporaries, and what was kept by others.  Bytes; -1: not known.  The
 * name belongs to the dump.  Pure; any thread. */
#ifndef ANALYZE_MEMORY_BESIDE_H
#define ANALYZE_MEMORY_BESIDE_H

#include "model/dump.h"

/* the run that covers the moment, else the next one, for which it was allocated, else the last one before */
enum memory_when { WHEN_NONE, WHEN_RUNNING, WHEN_NEXT, WHEN_LAST };

struct memory_beside {
	enum memory_when when;
	struct slice program; /* "jit_f(7)"; empty: none */
	int64_t peak, parameters, outputs, temporaries, gathered,
	    allocated; /* gathered: of the temporaries */
};

/* core: N of /device:TPU:N; t: on the host's clock; like: of another core, or NULL: a program of both is read once */
void memory_beside_make(const struct dump *, int host, int core, int64_t t, const struct memory_beside *like,
    struct memory_beside *);
const char *memory_when_name(enum memory_when); /* "running"; NULL: none */

#endif
