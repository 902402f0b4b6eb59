/* Shared by the files behind communication.h. */
#ifndef ANALYZE_COMMUNICATION_INTERNAL_H
#define ANALYZE_COMMUNICATION_INTERNAL_H

#include "analyze/communication/communication.h"
#include "analyze/pieces/hlo_line.h"

/* message.c: bytes of the message of a run as the formulas of buses want them; -1: not known */
int64_t comm_bytes(enum comm_kind, const struct hlo_line *);
/* what the bus carries ÷ bytes of the message; NaN: not known */
double comm_bus_factor(enum comm_kind, int64_t group_size);

/* A run of a collective on a core. */
struct comm_run {
	int64_t id, dur;
	uint32_t op, core; /* indices */
	uint32_t step;     /* index of the step of the core, CUT_NONE: of none */
	bool counted;      /* false: of a core or a step that was not asked for, but others may wait for it */
};
/* waits.c: fills in the waits of ops, of cores and of steps, and who came last */
struct comm_waits {
	struct comm_run *v;
	size_t n, cap;
	int64_t *net; /* by op and core: what is exposed, from which the waits are taken off */
	size_t cores;
};
void comm_waits_find(struct communication *, struct comm_waits *, const bool *whole_groups);

/* axis.c: names for the groups of all ops */
void comm_axes(struct communication *);

/* async.c: by flight: how long the data moves at most; the caller frees */
int64_t *comm_async_spans(const struct dump *, const struct core_time *);

/* unions.c: times of a core and of its steps */
void comm_core_times(const struct core_time *, struct comm_core *, struct comm_step *steps);

#endif
