/* Shared by the files behind communication.h. */
#ifndef ANALYZE_COMMUNICATION_INTERNAL_H
#define ANALYZE_COMMUNICATION_INTERNAL_H

#include "analyze/communication/communication.h"
#include "analyze/pieces/hlo_line.h"
#include "analyze/trace/clock.h"
#include "model/topology.h"

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
/* What is exposed of an op on a core that was asked for. */
struct comm_net {
	uint32_t op, core; /* indices */
	int64_t exposed;
};
/* waits.c: fills in the waits of ops, of cores and of steps, who came last, and what hiding an op would save; core: the
 * number that was asked for, -1: all */
struct comm_waits {
	struct comm_run *v;
	size_t n, cap;
	struct comm_net *net;
	size_t nnet, net_cap;
};
void comm_waits_find(struct communication *, struct comm_waits *, const bool *whole_groups, int core);

/* links.c: where the cores are, and what the links between their chips carry */
struct comm_links {
	struct topology mesh;
	size_t *core; /* by device number of the HLO; SIZE_MAX: none */
	size_t devices;
	double link, inside; /* GB/s; 0: not known */
	int wraps;           /* sides that are multiples of it have a link around */
	bool placed;         /* false: nothing is said of peaks */
};
void comm_links_find(const struct core_times *, const char *topology, struct comm_links *);
void comm_links_free(struct comm_links *);
/* Along which axes of the mesh the devices of the groups differ, as bits, 0: all of a group are on one chip; -1: not
 * known.  Of groups that are not alike, those of the group with the fewest. */
int comm_links_axes(const struct comm_links *, const char *groups, bool *alike);
double comm_links_peak(const struct comm_links *, int axes);

/* axis.c: names for the groups of all ops, and the peak of the links that they use */
void comm_axes(struct communication *, const struct comm_links *);

/* hiders.c: which ops compute while others are in flight */
struct comm_hider {
	uint32_t op;
	strid name;
	int64_t time;
};
struct comm_hiders {
	struct comm_hider *v;
	size_t n, cap;
	int64_t *wall; /* by op: flights that were looked at */
	size_t *looks; /* by op: how many */
	struct clock_names names;
};
void comm_hiders_take(const struct core_times *, struct comm_hiders *, uint32_t op,
    const struct time_flight *);
void comm_hiders_end(struct communication *, struct comm_hiders *);

/* communication.c: what the op's stats say of its source; an op that is in no sum, of which nothing else is known */
void comm_describe(struct communication *, struct comm_op *);
struct comm_op comm_apart(struct slice name, uint32_t meta, enum comm_kind, enum comm_mode);

/* fused.c: adds ops of communication inside of other fusions, as far as HLO modules tell; after all others */
void comm_fused_find(const struct core_times *, const struct comm_options *, struct communication *);

/* sparse.c: adds what runs on SparseCores */
void comm_sparse_find(const struct core_times *, const struct comm_options *, struct communication *);

/* network.c: adds the messages between slices of a job */
void comm_network_find(const struct comm_options *, struct communication *);

/* digest.c: takes what digests keep; false: there are none.  Rows of ops are those of all cores and steps. */
bool comm_of_digests(const struct core_times *, const struct comm_options *, struct communication *);

/* async.c: by flight: how long the data moves at most; the caller frees */
int64_t *comm_async_spans(const struct dump *, const struct core_time *);

/* unions.c: times of a core and of its steps */
void comm_core_times(const struct core_time *, struct comm_core *, struct comm_step *steps);

#endif
