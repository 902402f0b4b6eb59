/* The time of the cores as rows of nodes, which can be replayed: what a core does between two moments, or waits for
 * (replay.h has the whole).  A node is a piece of an op, or of idle time; of a start and its done, and of a
 * collective that several cores share, it knows the others.  Times are ps, on the device's clock of each core. */
#ifndef ANALYZE_REPLAY_NODES_H
#define ANALYZE_REPLAY_NODES_H

#include "analyze/idle/idle.h"
#include "analyze/pieces/core_times.h"
#include "analyze/pieces/parts.h"

#define NODE_NONE UINT32_MAX

enum node_kind { NODE_WORK, NODE_GAP, NODE_BARRIER, NODE_SYNC, NODE_LAUNCH, NODE_START, NODE_DONE };

struct op_bound {
	int64_t ps; /* of a run; -1: not known */
	bool by_flops;
	enum work_group group : 8;
};

/* A part of a node in another step than its first, or, of a launch, of a cause. */
struct share {
	int64_t ps;
	int32_t step;
	enum idle_cause cause : 8;
};

struct node {
	int64_t d;
	int64_t bound; /* of work; -1: not known.  Of collectives: the compute beside which they could run */
	uint32_t meta; /* NODE_NONE: idle */
	int32_t step;  /* of its first part; -1: none */
	uint32_t share, nshares;
	uint32_t run, segment; /* index of the run of a program, and of the segment of the core */
	uint32_t at; /* START, DONE: pair of the core; SYNC, LAUNCH: member of a meeting; NODE_NONE */
	uint32_t op; /* of infeeds: which they are pieces of */
	enum node_kind kind : 8;
	enum work_group group : 8;
	enum idle_cause cause : 8;
	bool over;  /* it began before the step */
	bool first; /* piece of its op */
	bool by_flops;
};

/* A start and its done. */
struct pair {
	uint32_t start, done; /* nodes */
	double flight, base;  /* from the end of the start; what the done takes when all is there */
	int64_t until;        /* from the end of the start to the begin of the done */
	uint32_t exchange;    /* with other cores; NODE_NONE */
	const uint32_t *peer; /* cores that have to start before it is over */
	uint32_t npeers;
	/* measured in the unchanged replay: transfer on its own path, on that of a partner, and how far that is off */
	double own, others, off;
	bool has_off;
	double started;
};

/* A run of a synchronous collective. */
struct sync_node {
	int64_t id;
	uint32_t node;
};

struct segment { /* of a run, between two meetings */
	uint32_t run, number;
	int64_t own;   /* work in it */
	double median; /* of all cores; -1: not all have it */
};

/* Work and idle time in a row, of one step and segment, between what other cores may wait for: sums, which replace the
 * nodes where a change treats all of a group alike.  By group: what it takes, and what it would at its bounds. */
struct stretch {
	uint32_t first, nodes, segment; /* segment: NODE_NONE: it has no work */
	int32_t step;
	int64_t total, own[GROUP_FORMAT + 1], roof[GROUP_FORMAT + 1];
	bool gaps;
};

struct border { /* a step */
	int64_t from, to;
	bool of_run; /* of a program, in captures without a line of steps */
	strid name;
};

struct replay_core {
	int host, core;
	uint32_t plane;
	struct border *border;
	size_t nborders, borders_cap;
	struct node *node;
	size_t nnodes, nodes_cap;
	struct share *share;
	size_t nshares, shares_cap;
	struct pair *pair;
	size_t npairs, pairs_cap;
	struct sync_node *sync;
	size_t nsyncs, syncs_cap;
	struct segment *segment;
	size_t nsegments, segments_cap;
	struct stretch *stretch;
	size_t nstretches, stretches_cap;
	strid *run; /* names of programs */
	size_t nruns, runs_cap;
	struct op_bound *bound; /* by meta - base */
	uint32_t base, nbounds;
	uint64_t unpaired, guessed;
	double place; /* when it begins, by the clock of all */
};

/* Cuts a core to nodes; its borders are there, and its runs are in `cut`. */
void nodes_make(const struct cut_ops *, const struct cut_core *cut, struct replay_core *, struct progress *);
void nodes_free(struct replay_core *);
/* bounds.c: of the kinds of ops of a core; fills in base and bound */
void bounds_read(const struct cut_ops *, struct replay_core *);
/* flights.c: how long flights took, from the dones and the line of asynchronous ops */
struct done_op {
	uint32_t pair;
	int64_t plain, plain_dur, start_plain_end;
};
void flights_measure(const struct dump *, struct replay_core *, const struct done_op *, size_t n);
/* hide.c: beside how much compute collectives could run */
struct hide_op {
	int64_t begin, dur;
	uint32_t meta, node; /* node: of a collective; NODE_NONE */
	uint32_t run;
};
struct hider;
struct hider *hider_new(const struct cut_ops *);
void hider_take(struct hider *, const struct hide_op *, struct replay_core *);
void hider_end(struct hider *, struct replay_core *);

#endif
