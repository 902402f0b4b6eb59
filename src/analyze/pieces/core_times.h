/* What the cutter (cut.h) says of all cores of a capture, as far as more than one analysis needs it: every flight, the
 * sums per kind of op, the longest idle pieces, the sums of pieces per step.  Communication, scopes and idle causes are
 * made from it without reading an event again.  Times are ps on the device's clock of each core, which are not to be
 * compared between cores.  It refers to the dump and to the steps, which must stay alive; the caller frees. */
#ifndef ANALYZE_PIECES_CORE_TIMES_H
#define ANALYZE_PIECES_CORE_TIMES_H

#include "analyze/pieces/launches.h"

#define TIMES_LONGEST 100

struct time_flight {
	struct cut_at begin, end;
	int64_t self, id; /* id: all_reduce_unique_id, or CUT_NO_ID */
	uint32_t meta, done_meta;
	uint32_t core, track;     /* core: its index */
	size_t event, done_event; /* done: SIZE_MAX: not on that track */
	struct op_role role;
	bool unpaired;
};

struct time_op { /* a kind of op on a core */
	int64_t self, count;
	int64_t gap;     /* idle time that ends where such an op begins */
	int64_t barrier; /* of it, waiting for other cores */
	uint32_t track;  /* one of them, where count > 0 */
	size_t event;
	bool around; /* others ran in it */
};

struct time_gap { /* a piece of idle time; in a run, what is in flight then may be its cause */
	int64_t from, to;
	enum piece_class time;
	uint32_t before, after; /* kinds of the ops at its ends; CUT_NONE: there is none */
	struct cut_at begin;    /* … of it */
	int64_t shift;          /* of the device's clock against the host's */
};

struct time_cell { /* self time of a kind of op in a step */
	uint32_t step, meta;
	int64_t time;
};

struct core_time {
	int host, core;
	struct cut_core cut;
	const struct step *row; /* its steps */
	size_t nrows;
	struct time_flight *flight; /* in the order of their ends */
	size_t nflights, flights_cap;
	struct time_op *op; /* by meta - base */
	uint32_t base, nops;
	struct time_cell *cell; /* by step */
	size_t ncells, cells_cap;
	int64_t tail;                           /* idle time after the last op */
	struct time_gap longest[TIMES_LONGEST]; /* a heap while they are gathered, then the longest first */
	size_t nlongest;
	struct time_gap *outside; /* all of it outside of runs, in order */
	size_t noutside, outside_cap;
	uint32_t last_meta;
};

struct core_times {
	const struct dump *dump;
	const struct steps *steps;
	const char *host; /* that was asked for; NULL: all */
	struct cut_ops *ops;
	struct launches *launches;
	struct core_time *core; /* by host, then core */
	size_t ncores;
	bool canceled;
};

/* host NULL: all */
void core_times_make(const struct dump *, const struct steps *, const char *host, int threads,
    struct progress *, struct core_times *);
void core_times_free(struct core_times *);

#endif
