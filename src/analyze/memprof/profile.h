/* What the allocators of devices did during a capture (tpuscope(7), MEMORY PROFILE): the events
 * MemoryAllocation and MemoryDeallocation of host threads, for each memory (device number, or name of an
 * allocator) in order of time, with XProf's peak (stack + heap, the last of equal ones), its step, and what
 * was allocated at that moment.  Like XProf's page, it is about one host: the one asked for or the first one
 * with such events; `others` says how many more hosts have them.  Bytes, ps.  Numbers that the capture does
 * not have are 0 in the tables, as in XProf; `known` tells them apart.  The tables have the columns of
 * `report memory_profile`.  Texts belong to the profile; the caller frees (memprof_free).  The dump is only
 * read, in the caller's thread. */
#ifndef ANALYZE_MEMPROF_PROFILE_H
#define ANALYZE_MEMPROF_PROFILE_H

#include "base/progress.h"
#include "model/dump.h"
#include "result/facts.h"

struct groups;
struct steps;

struct memory_event {
	/* ps: t on the timeline; offset from the start of its line, as XProf shows it */
	int64_t t, offset;
	bool freed, known; /* known: the event says how much is in use */
	/* bytes after the event; lifetime: largest use since the program began */
	int64_t stack, heap, free, lifetime;
	int64_t requested, allocated;
	uint64_t address;
	double fragmentation;    /* 0 to 1 */
	int64_t step;            /* XProf's step: the group (groups.h) */
	strid op, region, shape; /* in `str` */
	int type;                /* TensorFlow's data type, 0 = not known */
};

/* How long what was there at the peak lives: since before the capture; as long as the allocator reserves it
 * for programs (stack); from some time in the capture to its end; until it is freed in the capture. */
enum memprof_life { LIFE_EARLIER, LIFE_RESERVED, LIFE_KEPT, LIFE_FREED, LIFE_COUNT };

/* Allocations at the peak that live as long and have the same op, shape, type and region. */
struct memory_group {
	enum memprof_life life;
	int64_t count, bytes, requested;  /* of all of them */
	double held;                      /* ps: mean time until they are freed or the capture ends */
	const struct memory_event *event; /* one of them; NULL: the file has no event of them */
};

struct memory_device {
	const char *name;
	struct memory_event *v;
	size_t n, cap; /* by time */
	size_t peak;   /* index of the event */
	int64_t capacity, lifetime;
	size_t first_active, nactive; /* rows of the table `active` */
	struct memory_group *group;
	size_t ngroups; /* largest first */
};

struct memory_profile {
	struct facts summary;
	struct table devices, active, timeline;
	struct memory_device *device;
	size_t ndevices; /* by name; same rows as `devices` */
	int host;
	size_t others; /* host: -1 when there are no events */
	size_t silent; /* events that say neither a size nor a memory, and are in no table */
	bool canceled;
	struct strtab str;
	struct arena text;
};

/* groups: those of the steps if available, else NULL */
void memprof_build(const struct dump *, const struct groups *, const char *host, struct progress *,
    struct memory_profile *);
void memprof_free(struct memory_profile *);
/* Adds a row for each group of a device, in their order. */
void memprof_groups_table(const struct memory_profile *, size_t device, struct table *);
/* Replaces `stepId` in a table of that host by the steps' labels, null where the step is not known.  The
 * steps must stay alive. */
void memprof_label_steps(struct table *, const struct steps *, int host);
int64_t memprof_event_use(const struct memory_event *); /* stack + heap, bytes */
bool memprof_any(const struct dump *); /* does the dump have a kind of event with that name? */
/* Returns why there are no memory events, and what to do about it. */
const char *memprof_missing(const struct dump *);

/* Tables without rows, for results of another kind that have no such data. */
extern const struct schema memprof_devices_schema, memprof_active_schema, memprof_timeline_schema;
extern const struct schema memprof_groups_schema;
enum groups_column {
#define COLUMN(id, ...) GROUPS_##id,
#include "analyze/memprof/groups.def"
#undef COLUMN
};
void memprof_tables(struct table *devices, struct table *active, struct table *timeline);

#endif
