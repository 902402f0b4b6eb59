/* What every core did in every step (tpuscope(7), KINDS OF TIME): one cell per core and step of a TPU
 * capture, with self times of "XLA Ops" by metric, in ps on the device's clock (device_offset_ps and
 * device_duration_ps, where the file has them).  Metrics are chosen by category (device/step_metric.h).
 * Steps are those of steps.h that have a marker; `total` is the length of the core's own marker.  idle =
 * total less all self times, at least 0. Collectives are also split: the shortest run of one instance on any
 * core is `sync_compute`, the excess of the other runs is `sync`.  Instances are matched by
 * all_reduce_unique_id; without IDs, sync is unknown, -1.  Cells are core-major, [core * nsteps + step];
 * total -1 = the core does not have that step.  Names belong to the given steps.  Runs of ops that are
 * traffic of the pod (traffic.h) are kept for pod.c.  The caller frees; the dump and the steps are only read
 * and must stay alive.  When canceled, the numbers are meaningless. */
#ifndef ANALYZE_OPS_STEP_CORES_H
#define ANALYZE_OPS_STEP_CORES_H

#include "analyze/device/step_metric.h"
#include "analyze/steps/step_ops.h"
#include "model/dump.h"

/* One run of a collective or transfer in a step. */
struct step_run {
	int64_t start, end; /* on the plain clock, which all cores share */
	int64_t dur, id;    /* dur: on the device's clock; id: all_reduce_unique_id or STEP_OP_NO_ID */
	uint32_t meta, step;
};

struct step_core_info {
	int host, core; /* host: index in dump.hosts; core: N of /device:TPU:N */
	uint32_t plane;
	int64_t chip;
	int core_on_chip; /* from core_details; -1: not known */
	struct step_run *run;
	struct spill *spill; /* the file that has them (base/spill/spill.h), NULL: memory */
	size_t nruns;        /* nearly in order of time */
	bool mixed;          /* the next run may belong to an earlier step */
};

struct step_cores {
	struct step_core_info *core;
	size_t ncores; /* by host, then core */
	/* in order of time; everywhere: all cores have it */
	struct {
		int64_t id;
		char number[64];
		const char *name;
		size_t name_len;
		bool everywhere;
		const struct step *of; /* one of its rows; NULL: from the file of a profiler */
	} * step;
	size_t nsteps;
	struct step_core *v;
	enum step_source source;
	bool several;        /* programs alternate, and a run of each is a step (steps.h): no means of all */
	bool no_kinds;       /* ops that take time have no category: high and low FLOPs are not told apart */
	uint64_t incomplete; /* number of steps that not all cores have */
	uint64_t
	    left_out; /* number of steps that few cores have, and that are not in the table, which is large */
};

/* host NULL = all; core -1 = all */
void step_cores_build(const struct dump *, const struct steps *, const char *host, int core, int threads,
    struct progress *, struct step_cores *);
/* The same for somebody who wants each op of a step, too, and the passes are one: begin() returns what op() and end()
 * are called with, for the steps of one core; op() as step_ops_visitor. */
struct step_cores_also {
	void *(*begin)(void *ctx, const struct step *row, size_t nrows);
	void (*op)(void *core, const struct step_op *);
	void (*end)(void *core);
	void *ctx;
};
void step_cores_build_also(const struct dump *, const struct steps *, const char *host, int threads,
    struct progress *, const struct step_cores_also *, struct step_cores *);
/* Makes the cells while somebody else walks the ops anyway.  Call step_cores_begin().  For each plane that is
 * walked, get its feed with step_cores_feed(), pass it the ops and call step_cores_fed().  Finally, call
 * step_cores_end(), which reads the cores that got no ops or got them out of order, and frees the builder with
 * its feeds.  step_cores_feed() returns NULL for a plane without steps; any thread, once per plane. */
struct step_cores_builder;
struct step_cores_builder *step_cores_begin(const struct dump *, const struct steps *, const char *host,
    int core, struct progress *, struct step_cores *);
struct step_feed *step_cores_feed(struct step_cores_builder *, uint32_t plane);
void step_cores_fed(struct step_cores_builder *, uint32_t plane); /* ends the feed of a plane that has one */
void step_cores_end(struct step_cores_builder *, int threads);
/* Sums up the ops in each of those rows, the steps of one core: all times except idle, crs, async_done and
 * nameless.  Returns false when canceled.  What the ops of the dump are is known once for all cores. */
struct step_cores_builder *step_cores_know(const struct dump *);
void step_cores_forget(struct step_cores_builder *);
bool step_cores_of_rows(const struct step_cores_builder *, const struct step *row, size_t nrows,
    struct step_core *own);
void step_cores_copy(struct step_cores *, const struct step_cores *); /* without the runs */
void step_cores_drop_runs(struct step_cores *);
void step_cores_free(struct step_cores *);
/* the step's label; for the file of a profiler, its number */
const char *step_cores_label(const struct step_cores *, size_t step);
bool step_cores_is(const struct step_cores *, size_t step, const char *text); /* same as steps_is() */
/* index of the step with that name; SIZE_MAX: none */
size_t step_cores_named(const struct step_cores *, const char *text);
static inline const struct step_core *step_core_at(const struct step_cores *s, size_t core, size_t step)
{
	return &s->v[core * s->nsteps + step];
}
/* Goes through the runs step by step, giving [from, to) of each core; if runs are mixed, all of them at
 * once.  Both arrays must begin as zeros.  Returns false at the end. */
bool step_cores_next(const struct step_cores *, size_t *from, size_t *to);
/* Whether a step counts in means: all cores have it, or none is on all cores. */
static inline bool step_cores_counts(const struct step_cores *s, size_t step)
{
	return s->step[step].everywhere || s->incomplete >= s->nsteps;
}
/* What each metric takes of the time of all steps that count, on all cores, as fractions.  Returns the mean length of a
 * step on a core, in ps; NaN, like the shares: none. */
double step_cores_shares(const struct step_cores *, double share[METRIC_COUNT]);
/* Collectives in ops of other categories, like async-collective-done: part of low flops, ps. */
int64_t step_core_async(const struct step_core *);
/* the largest metric other than high flops; those collectives count as such */
enum step_metric step_core_bottleneck(const struct step_core *);

#endif
