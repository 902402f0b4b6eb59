/* Communication between cores (tpuscope(7), COMMUNICATION): what every collective and transfer costs, how much of it
 * compute hides, and how much of the rest is waiting for other cores.
 *
 * A flight lasts from the begin of its start to the end of its done; of a synchronous op it is the op.  Exposed is the
 * time in which the core sits in the ops themselves, hidden what it computes meanwhile, other the rest: flight =
 * exposed + hidden + other, to the ps.  Sums of cores and steps are of unions: flights overlap, so that rows of ops add
 * up to more.  Waiting is known where all participants of a run are in the capture: what a run took longer than the
 * shortest of the same run.  Times are ps; -1 and NaN: not known.  Texts belong to the struct or to the dump, which
 * must stay open; the caller frees. */
#ifndef ANALYZE_COMMUNICATION_COMMUNICATION_H
#define ANALYZE_COMMUNICATION_COMMUNICATION_H

#include "analyze/pieces/core_times.h"
#include "result/table.h"

/* FUSED: inside a fusion of another category, of whose time nobody knows how much it takes; NETWORK: between slices of
 * a job, as its hosts state it */
enum comm_mode { MODE_SYNC, MODE_ASYNC, MODE_UPDATE, MODE_FUSED, MODE_NETWORK };

/* An op of communication, or a local copy; both of a pair are one. */
struct comm_op {
	uint64_t program;
	bool has_program;
	struct slice name, done; /* done empty: none */
	uint32_t meta;
	enum comm_kind kind;
	enum comm_mode mode;
	bool to_host; /* a copy to or from the host */
	bool sparse;  /* on SparseCores: in no sum, like what is fused, for it neither hides nor exposes */
	const char *groups; /* "{0,1},{2,3}"; "" all devices; NULL: not stated */
	const char *axis;   /* by which these groups lie; NULL: not known */
	int64_t group_size, count;
	int64_t wall, hidden, exposed; /* of FUSED, the latter two are -1: not known */
	int64_t wait;                  /* -1: not known */
	int64_t barrier; /* idle before it, in which the core waits for others; -1: not known, of a step */
	int64_t wire;    /* in which the data moves, at most */
	int64_t bytes;   /* of a run; -1: not known */
	int64_t runs_hidden, runs_partly, runs_exposed;
	int64_t unpaired;    /* starts without a done, and dones without a start */
	int64_t save;        /* if it were hidden, of the core that has least of it, in all steps: at most */
	double algbw, busbw; /* GB/s */
	double peak;         /* GB/s of the links that its groups can use; NaN: not known */
	const char
	    *hidden_by; /* the ops that compute in most of its flights, with their part of it; NULL: none */
	struct slice source, tf_op;
};

struct comm_core {
	int host, core;
	int64_t inflight, hidden, exposed, other, wait; /* wait -1: not known */
	int64_t compute;                                /* all that it computes */
	int64_t last, first;                            /* how often it came last, first; -1: not known */
};

struct comm_step { /* of a core */
	int host, core;
	const struct step *of;
	int64_t inflight, hidden, exposed, other;
	int64_t wait;
};

/* Rows of several ops that have something in common. */
enum comm_by { COMM_BY_OP, COMM_BY_KIND, COMM_BY_AXIS, COMM_BY_SOURCE, COMM_BY_SCOPE, COMM_BYS };
struct comm_group {
	const char *key;
	int64_t count, wall, hidden, exposed, wait, bytes;
	double busbw;
	double share; /* of all exposed time */
};

struct communication {
	const struct dump *dump;
	struct comm_op *op; /* most exposed first */
	size_t nops;
	struct comm_op *copy; /* local copies, which are in no sum */
	size_t ncopies;
	struct comm_core *core;
	size_t ncores;
	struct comm_step *step;
	size_t nsteps;
	struct comm_core sum;
	int64_t save;  /* likewise, of all ops; -1: not known */
	int64_t fused; /* time of FUSED ops, which is in no sum; -1: not known */
	struct { /* of cores that have SparseCores, on the plain clock; -1: there are none, or of a step */
		int64_t busy, tensor, both; /* SparseCores, their TensorCores, both at once */
	} sparse;
	struct { /* chips of the mesh that peaks refer to; 0: not known */
		int x, y, z;
		bool assumed;
	} mesh;
	int64_t unpaired; /* -1: not known */
	size_t steps;     /* of the core that has most; 0: none are known */
	struct arena text;
};

/* Only count and time of it are known. */
static inline bool comm_in_no_sum(const struct comm_op *o)
{
	return o->mode == MODE_FUSED || o->mode == MODE_NETWORK || o->sparse;
}

struct comm_options {
	const char *host;     /* NULL = all */
	int core;             /* -1 = all */
	const char *step;     /* NULL = the whole capture */
	const char *topology; /* "4x4": chips of the mesh; NULL or "": as the capture has them */
};

void communication_make(const struct core_times *, const struct comm_options *, struct communication *);
void communication_free(struct communication *);
/* by exposed time; the caller frees */
struct comm_group *communication_groups(const struct communication *, enum comm_by, size_t *n);
/* time in which a SparseCore and its TensorCore run ÷ that of the one that runs less; NaN: not known */
double communication_sparse_share(const struct communication *);
const char *comm_by_name(enum comm_by); /* "op"; NULL after the last */

extern const struct schema communication_ops_schema, communication_groups_schema, communication_cores_schema,
    communication_steps_schema;
void communication_ops_table(const struct communication *, bool copies, struct table *);
void communication_groups_table(const struct communication *, enum comm_by, struct table *);
void communication_cores_table(const struct communication *, struct table *);
void communication_steps_table(const struct communication *, bool labels, struct table *);

#endif
