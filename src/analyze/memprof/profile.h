/* What the allocators of devices did while a capture ran (tpuscope(7), MEMORY PROFILE): the events
 * MemoryAllocation and MemoryDeallocation of host threads, of each memory (device number, or name of an
 * allocator) in order of time, with XProf's peak (stack + heap, the last of equals), its step and what was
 * allocated at that moment.  Like XProf's page it is of one host: the one asked for, else the first that has
 * such events; `others` says how many more have them.  Bytes, ps.  A number that the capture does not have is
 * 0 in the tables, as XProf prints it; `known` tells them apart.  The tables have the columns of `report
 * memory_profile`.  Texts belong to the profile; the caller frees.  Reads only, in the caller's thread. */
#ifndef ANALYZE_MEMPROF_PROFILE_H
#define ANALYZE_MEMPROF_PROFILE_H

#include "base/progress.h"
#include "model/dump.h"
#include "result/facts.h"

struct groups;
struct steps;

struct memory_event {
	/* ps: on the timeline, and as XProf tells it, from the begin of its line */
	int64_t t, offset;
	bool freed, known;                   /* known: it says how much is in use */
	int64_t stack, heap, free, lifetime; /* after it; lifetime: most in use since the program began */
	int64_t requested, allocated;
	uint64_t address;
	double fragmentation;    /* 0 … 1 */
	int64_t step;            /* XProf's: the group (groups.h) */
	strid op, region, shape; /* in `str` */
	int type;                /* of TensorFlow, 0 = not known */
};

struct memory_device {
	const char *name;
	struct memory_event *v;
	size_t n, cap; /* by time */
	size_t peak;   /* the event */
	int64_t capacity, lifetime;
	size_t first_active, nactive; /* rows of the table `active` */
};

struct memory_profile {
	struct facts summary;
	struct table devices, active, timeline;
	struct memory_device *device;
	size_t ndevices; /* by name; rows of `devices` */
	int host;
	size_t others; /* -1: no events */
	bool cancelled;
	struct strtab str;
	struct arena text;
};

/* groups: of the steps, where they are at hand, or NULL */
void memprof_build(const struct dump *, const struct groups *, const char *host, struct progress *,
    struct memory_profile *);
void memprof_free(struct memory_profile *);
/* `stepId` of a table of that host as people call the steps, null where none is known; the steps must stay */
void memprof_label_steps(struct table *, const struct steps *, int host);
int64_t memprof_event_use(const struct memory_event *); /* stack + heap */
bool memprof_any(const struct dump *);                  /* the dump has a kind of event of that name */
/* Why there is nothing, and what to do about it. */
const char *memprof_missing(const struct dump *);

/* The tables alone, of that form: for results of another kind that have no rows in them. */
extern const struct schema memprof_devices_schema, memprof_active_schema, memprof_timeline_schema;
enum active_column {
#define COLUMN(id, ...) ACTIVE_##id,
#include "analyze/memprof/active.def"
#undef COLUMN
};

void memprof_tables(struct table *devices, struct table *active, struct table *timeline);

#endif
