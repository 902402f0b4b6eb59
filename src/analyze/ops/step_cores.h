/* What every core did in every step (tpuscope(7), KINDS OF TIME): one cell per core and step of a TPU
 * capture, self times of "XLA Ops" by metric, ps of the device's clock (device_offset_ps, device_duration_ps
 * where the file has them).  Categories of a metric: the table in step_cores.c.  Steps are those of steps.h
 * that have a marker; `total` is the core's own marker.  idle = total less all self times, at least 0.
 * Collectives are also split: `compute` is the shortest run of the instance on any core, `sync` the rest (by
 * all_reduce_unique_id; without ids sync is unknown, -1).  Cells: core-major, [core * nsteps + step]; total
 * -1 = the core does not have that step.  Names are those of the steps given.  Runs of ops that are traffic
 * of the pod (pod_part.h) stay, for pod.c.  The caller frees; the dump and the steps are only read and must
 * stay.  Cancelled: the numbers are of no use. */
#ifndef ANALYZE_OPS_STEP_CORES_H
#define ANALYZE_OPS_STEP_CORES_H

#include "analyze/device/step_metric.h"
#include "analyze/steps/step_ops.h"
#include "model/dump.h"

/* A run of a collective or a transfer in a step. */
struct step_run {
	int64_t start, end; /* plain clock, which is common to all cores */
	int64_t dur, id;    /* the device's; all_reduce_unique_id or STEP_OP_NO_ID */
	uint32_t meta, step;
};

struct step_core_info {
	int host, core; /* index into dump.hosts; N of /device:TPU:N */
	uint32_t plane;
	int64_t chip;
	int core_on_chip; /* core_details; -1 */
	struct step_run *run;
	size_t nruns; /* nearly in order of time */
	bool mixed;   /* the next one may be of a step before */
};

struct step_cores {
	struct step_core_info *core;
	size_t ncores; /* by host, core */
	/* in order of time; everywhere: on all cores */
	struct {
		int64_t id;
		char number[64];
		const char *name;
		size_t name_len;
		bool everywhere;
		const struct step *of; /* one of them; NULL: of a profiler's file */
	} * step;
	size_t nsteps;
	struct step_core *v;
	enum step_source source;
	uint64_t incomplete; /* steps not on all cores */
};

/* host NULL = all; core -1 = all */
void step_cores_build(const struct dump *, const struct steps *, const char *host, int core, int threads,
    struct progress *, struct step_cores *);
/* The same beside another walk over the ops: begin; of each plane that is walked the feed, which the one
 * who walks fills and ends; end reads the cores that were not fed, or in another order than that of time.
 * step_cores_feed(): NULL: no core of a step is there; any thread, once per plane; it belongs to the
 * builder, which step_cores_end() frees. */
struct step_cores_builder;
struct step_cores_builder *step_cores_begin(const struct dump *, const struct steps *, const char *host,
    int core, struct progress *, struct step_cores *);
struct step_feed *step_cores_feed(struct step_cores_builder *, uint32_t plane);
void step_cores_end(struct step_cores_builder *, int threads);
/* What the ops of each of those rows, the steps of one core, add up to: ps but idle, crs, async_done,
 * nameless; false: cancelled */
bool step_cores_of_rows(const struct dump *, const struct step *row, size_t nrows, struct step_core *own);
void step_cores_copy(struct step_cores *, const struct step_cores *); /* without the runs */
void step_cores_drop_runs(struct step_cores *);
void step_cores_free(struct step_cores *);
/* what people call it: its label; of a profiler's file its number */
const char *step_cores_label(const struct step_cores *, size_t step);
bool step_cores_is(const struct step_cores *, size_t step, const char *text); /* as steps_is() */
size_t step_cores_named(const struct step_cores *, const char *text);         /* SIZE_MAX: none */
static inline const struct step_core *step_core_at(const struct step_cores *s, size_t core, size_t step)
{
	return &s->v[core * s->nsteps + step];
}
/* The runs of one step after another, [from, to) of each core; all of them at once where they are mixed.
 * Both begin with 0s; false: there are no more. */
bool step_cores_next(const struct step_cores *, size_t *from, size_t *to);
enum step_metric step_core_bottleneck(const struct step_core *); /* the largest, high flops excepted */

#endif
