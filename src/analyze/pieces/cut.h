/* The one cutter of time: walks the ops of a core in order of time, on the device's clock, and cuts the core's
 * line into pieces, each of which belongs to the innermost op there or, if there is none, to a cause of idle time.
 * Pieces do not overlap and leave nothing out: their sum is the window, from the first op or step to the last.
 * Where ops overlap without nesting, the piece that began first keeps the time.  A start and its done are brought
 * together into one flight: first in, first out, by program and name.
 *
 * A visitor gets pieces, ops when they are over, and flights when they are; nothing is kept of them.  Sums by class up
 * to any begin and end of an op, and to the borders of steps, make all sums of sets of flights arithmetic: the compute
 * that a flight hides is what was computed until its end less what was until its begin.
 *
 * Times are ps.  The dump is only read.  struct cut_ops is made once and may be used by several threads, each with
 * cores of its own. */
#ifndef ANALYZE_PIECES_CUT_H
#define ANALYZE_PIECES_CUT_H

#include "analyze/pieces/parts.h"
#include "analyze/steps/steps.h"
#include "base/progress.h"
#include "base/span.h"
#include "model/dump.h"

#define CUT_NONE UINT32_MAX
#define CUT_NO_ID INT64_MIN

/* What is known of the ops of all cores. */
struct cut_ops {
	const struct dump *dump;
	struct op_role *role; /* by meta */
	uint8_t *group;       /* by meta: enum work_group */
	bool *fused;    /* by meta: of dones, an op that hides the flight stands between it and its start */
	uint32_t *slot; /* by meta: of starts and dones, the number that a pair has in common; CUT_NONE */
	uint32_t nslots;
};

struct cut_ops *cut_ops_read(const struct dump *);
void cut_ops_free(struct cut_ops *);
/* The program of an op by its kind; false: it is not stated. */
bool cut_program(const struct dump *, uint32_t meta, uint64_t *);
/* HLO text of a kind, or its name */
struct slice cut_text(const struct dump *, uint32_t meta);

struct cut_sums {
	int64_t ps[PIECE_CLASSES];
};

/* A moment and what was until then; `compute` and `in_run` are sums of these classes. */
struct cut_at {
	int64_t time, compute, in_run;
};

struct cut_op {
	struct cut_at begin;
	int64_t end, self; /* self: its duration less those of the ops directly inside */
	int64_t shift;     /* what is to be added to times of the host's clock near it */
	int64_t id;        /* all_reduce_unique_id of an op of communication; CUT_NO_ID: none */
	uint32_t track, meta;
	size_t event;
};

struct cut_piece {
	int64_t from, to;
	enum piece_class time;
	/* the innermost op; of idle time the op that ends it, NULL: none */
	const struct cut_op *op;
};

struct cut_flight {
	const struct cut_op *start; /* or the only op */
	struct cut_at end;
	int64_t self;       /* of all its ops */
	uint32_t done_meta; /* CUT_NONE: it has no done */
	size_t done_event;  /* on the track of the start; SIZE_MAX: not there */
	struct op_role role;
	bool unpaired; /* a start or a done alone, whose own time is its flight */
};

struct cut_visitor {
	/* Called first, and perhaps once more: then everything told so far is void. */
	void (*begin)(void *ctx);
	/* any of these may be NULL */
	void (*piece)(void *ctx, const struct cut_piece *);
	void (*op)(void *ctx, const struct cut_op *);
	void (*flight)(void *ctx, const struct cut_flight *);
	void *ctx;
	/* a step of the core begins, or ends */
	void (*step)(void *ctx, uint32_t step, bool end);
};

/* A run of a program: from when to when on the host's clock. */
struct cut_run {
	int64_t from, to;
	/* when the host had enqueued it, on its own clock; INT64_MIN: not known */
	int64_t enqueued;
	const struct spans *input; /* when its launching thread was busy with input; NULL: not known */
	size_t event;
	uint32_t track;
};

struct cut_step { /* on the device's clock */
	int64_t from, to;
	struct cut_sums at_from, at_to;
};

struct cut_core {
	uint32_t plane;
	struct cut_run *run; /* by begin; in: none yet, or those that the caller knows more about */
	size_t nruns;
	struct span
	    at_least; /* in: the window has all of it, on the device's clock; empty: no more than it does */
	int64_t first, last; /* the window; last < first: there are no ops */
	struct cut_sums sum;
	int64_t self; /* of all ops: more than their pieces where they overlap */
	uint64_t ops;
	struct cut_step *step; /* of each of the rows */
	bool whole;            /* false: canceled */
};

/* TPU cores that have ops, which those of digests do not, by host and number; the caller frees. */
uint32_t *cut_planes(const struct dump *, const char *host, size_t *n);
uint64_t cut_count(const struct dump *, uint32_t plane); /* number of its ops */
/* Finds the runs of programs of a core. */
void cut_runs(const struct dump *, struct cut_core *);
/* Cuts core->plane.  row: its steps, by start.  `core` is to be freed in any case. */
void cut_core(const struct cut_ops *, struct cut_core *, const struct step *row, size_t nrows,
    struct progress *, const struct cut_visitor *);
void cut_core_free(struct cut_core *);

#endif
