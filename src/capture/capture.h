/* A capture with what was found out about it: the dump, its clocks and steps, what part of it is asked about
 * (its scope), and the results of the analyses (results.h).  The viewer, every report, digests and live samples ask a
 * capture; none of them builds an analysis.  It owns all of that: pointers into it are valid until
 * capture_close().  The dump is NULL in a capture that is still read (capture_new()).  Times are ps, sizes
 * bytes.  One thread owns a capture. */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "analyze/steps/steps.h"
#include "analyze/trace/clock.h"
#include "analyze/trace/overlay.h"
#include "base/progress.h"
#include "model/dump.h"
#include "model/toolfile.h"

#define TOPOLOGY_TEXT 48

/* The part of a capture that its results are about. */
struct capture_scope {
	int host;                     /* index into dump->hosts; -1 = all */
	int core;                     /* of all results about cores; -1 = all */
	const char *module;           /* whose memory the findings check; NULL = the one that matters most */
	int op_core;                  /* the core whose ops the tables of ops show; -1 = all */
	uint64_t program;             /* the program whose ops they show; 0 = all */
	const char *op_module;        /* the same by name, name(id) or id; NULL = all */
	const char *op_step;          /* the step whose ops they show; NULL = the whole capture */
	int scope_tree;               /* which tree of scopes is shown, enum scope_tree */
	const char *chip;             /* for schedules of kernels; NULL = as the files tell */
	bool ops_alone;               /* only ops are asked about: cores of steps are not made with them */
	int tf_graph;                 /* number of the TensorFlow graph; -1 = the one that is used */
	bool tf_plain;                /* it is shown without series */
	int beside_host;              /* the core that is compared with the median one; -1 = the one ... */
	int beside_core;              /* ... with the most own work */
	char topology[TOPOLOGY_TEXT]; /* chips along each axis; "" = as the capture says */
};

struct side; /* analyze/diff/side.h */

/* One result (results.h), what it was before it was forgotten, and which of all results made it is. */
struct result_slot {
	void *value, *old;
	unsigned long serial;
};

struct capture {
	struct dump *base;       /* as loaded and prepared: what results are made from */
	const struct dump *dump; /* the same with what was derived, on the clock in use: its newest version */
	struct overlay *overlay; /* makes those versions */
	struct clocks clocks;
	struct steps steps; /* of a prepared capture; else ask capture_steps() */
	bool has_steps;
	struct capture_scope scope;
	/* captures that this one is compared with, as one base; borrowed */
	const struct side *const *against;
	size_t nagainst; /* 0: none */
	int threads;
	bool beside;              /* the dump is another capture's */
	struct result_slot *slot; /* by enum result */
	unsigned long serial;
};

/* Without a dump, about everything. */
struct capture *capture_new(void);
/* Takes over a loaded dump.  threads: for analyses; 0 = as many as there are CPUs */
struct capture *capture_of(struct dump *, int threads);
/* The same dump with results of its own, for another thread, to be closed before the other one is. */
struct capture *capture_beside(const struct capture *);
/* Finds the steps and makes what the timeline needs (analyze/trace/prepare.h).  When canceled, it goes on with what
 * was read. */
void capture_prepare(struct capture *, enum clock_kind, struct progress *);
/* Finds the steps if nobody did. */
const struct steps *capture_steps(struct capture *);
void capture_close(struct capture *); /* NULL allowed */
/* Returns what a profiler left of that kind, for a capture that has no ops of its own; NULL: there is none, or use the
 * ops.  RESULT_OPS must be there.  *more: how many other such files there are. */
const struct toolfile *capture_file(const struct capture *, enum file_kind, size_t *more);
/* name of the host that the scope names; NULL = all */
const char *capture_host(const struct capture *);

#endif
