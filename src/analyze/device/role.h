/* What an op of a TPU core is for the account of its time: a part of a collective or
 * transfer, a wait for a copy of its own, a transfer from or to the host, or work; decided by its category and, where
 * XLA wrapped it, by its name.  Pure. */
#ifndef ANALYZE_DEVICE_ROLE_H
#define ANALYZE_DEVICE_ROLE_H

#include "base/text/slice.h"

/* What the core does in a piece of time.  The last ones are idle time: waiting for other cores or for another op, the
 * rest between the ops of a run of a program, and what lies outside of all runs. */
enum piece_class {
	PIECE_COMPUTE,
	PIECE_COMM,
	PIECE_COPY,
	PIECE_IO,
	PIECE_OTHER_CORES,
	PIECE_DEPENDENCY,
	PIECE_IN_RUN,
	PIECE_INPUT,
	PIECE_LAUNCH,
	PIECE_BETWEEN,
	PIECE_UNKNOWN,
	PIECE_CLASSES,
	PIECE_IDLE = PIECE_OTHER_CORES, /* the first that is */
	PIECE_OUTSIDE = PIECE_INPUT     /* the first outside of runs */
};

enum comm_kind {
	COMM_NONE,
	COMM_RAGGED_ALL_TO_ALL,
	COMM_PERMUTE,
	COMM_BROADCAST,
	COMM_ALL_REDUCE,
	COMM_ALL_GATHER,
	COMM_REDUCE_SCATTER,
	COMM_ALL_TO_ALL,
	COMM_ASYNC,
	COMM_SEND,
	COMM_RECV,
	COMM_HOST_SEND,
	COMM_HOST_RECV,
	COMM_DCN,  /* between slices of a job; no op has it */
	COMM_COPY, /* a copy or slice on the chip, or to the host: no communication */
	COMM_KINDS
};

enum op_part { PART_SYNC, PART_START, PART_DONE, PART_UPDATE };

struct op_role {
	enum comm_kind kind : 8;
	enum op_part part : 8;
	enum piece_class time : 8; /* what its own time is */
};

struct op_role op_role_of(struct slice name, struct slice category);
const char *comm_kind_name(enum comm_kind); /* "all-reduce"; NULL: none */

#endif
