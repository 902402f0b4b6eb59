/* Shared by the files of memprof. */
#ifndef ANALYZE_MEMPROF_INTERNAL_H
#define ANALYZE_MEMPROF_INTERNAL_H

#include "analyze/memprof/pprof.h"
#include "analyze/memprof/profile.h"
#include "base/mem.h"
#include "pprof.pb-c.h"
#include "result/sumtree.h"

/* active.c: names of types of elements; rows of `active` for a device whose peak is known */
const char *memprof_type_name(int type);
void memprof_active(struct memory_profile *, struct memory_device *);

/* groups.c: the groups of a device whose peak is known */
void memprof_find_groups(struct memory_device *);

/* Shared by pprof*.c: locations and functions of a profile by ID. */

struct pprof_id {
	uint64_t id;
	uint32_t at;
};

struct pprof_frames {
	struct pprof_id *location, *function;
	size_t nlocations, nfunctions; /* sorted by ID */
};

#endif
