/* The overview of a capture (tpuscope(7), OVERVIEW): the scalars and tables of `report overview`, which the
 * views draw as gauges, charts and tables.  `summary` has the ids of `report overview`, in its order, XProf's
 * values where XProf has the property and ours beside them; what cannot be known is null, never 0 (XProf's
 * own ids keep XProf's 0).  `formula` of a fact: overview_formula(), one line, for `?` and the man page.
 * Steps: a row per step (with a TPU tcComputeTimeMs …, without one the generic breakdown).  Tables and texts
 * belong to the overview; the caller frees; the dump and the op database, which is of the same host and core
 * and whose `cores` are of these steps, are only read and must stay. */
#ifndef ANALYZE_OVERVIEW_OVERVIEW_H
#define ANALYZE_OVERVIEW_OVERVIEW_H

#include "analyze/ops/opdb.h"
#include "analyze/ops/step_cores.h"
#include "result/facts.h"

/* XProf's numbers of one step of a TPU capture over its cores, ms and percents: compute, idle of the core
 * that had the least, infeed of the one that waited longest, means of outfeed and active. */
struct overview_step {
	size_t step; /* among cores.step */
	double compute, infeed, outfeed, idle, transfer, active, all_reduce, infeed_avg, infeed_min,
	    infeed_max, longest;
	size_t infeed_core; /* among cores.core; SIZE_MAX: none waited */
};

#define OVERVIEW_UNKNOWN 40

struct framework;
struct toolfile;

struct overview {
	bool tpu;                    /* else the generic breakdown */
	const struct toolfile *file; /* that the numbers are of; NULL: of a capture */
	double host_to_device_ms;    /* without a TPU: mean over the steps */
	struct facts summary;
	struct table steps, top_ops, environment, hosts;
	struct table recommendations; /* none until somebody adds them: what the findings advise */
	/* for the input pipeline, NULL without a capture: ops of the host; of the tracks there were: has
	 * it input? */
	struct framework *host_ops;
	uint8_t *input_tracks;
	size_t ninput_tracks;
	/* empty without a TPU; pseudo steps, too, which have no rows in `steps` */
	struct step_cores cores;
	bool cores_lent; /* they are those of the op database */
	struct overview_step *step;
	size_t nsteps; /* of a TPU: the rows of `steps` */
	/* ids of the summary that have XProf's 0 (or 100) and say nothing */
	const char *unknown[OVERVIEW_UNKNOWN];
	size_t nunknown;
	/* one column "text": what matters for trusting the numbers (steps dropped, no step marker, no
	 * device plane, peaks assumed …) */
	struct table warnings;
};

struct overview_options {
	const char *host;
	int core, threads;
	struct progress *progress;
};

extern const struct schema overview_top_schema, overview_hosts_schema, overview_tpu_schema,
    overview_generic_schema;

void overview_build(const struct dump *, const struct steps *, const struct opdb *,
    const struct overview_options *, struct overview *);
/* The same from what a profiler left (*overview_page.json, .pb, old and new; model/toolfile.h): no cores,
 * no hosts, and null where the file says nothing.  The file must stay. */
void overview_from_toolfile(const struct toolfile *, struct overview *);
/* The file to take instead of a capture, as there is none; NULL: count.  `more`: how many others there
 * are. */
const struct toolfile *overview_toolfile(const struct dump *, const char *host, size_t *more);
/* Of the capture; without one, of such a file, or of the steps that one of the input pipeline tells. */
void overview_make(const struct dump *, const struct steps *, const struct opdb *,
    const struct overview_options *, struct overview *);
void overview_free(struct overview *);
/* What people call the step of a row of `steps`, or of a table with those rows; without rows, of that one
 * of the cores.  number[64] is for texts of a table. */
const char *overview_step_label(const struct overview *, const struct table *, size_t row, char number[64]);
size_t overview_step_named(const struct overview *, const struct table *, const char *text); /* SIZE_MAX */
/* `stepnum` of such a table as people call them, instead of XProf's numbers; the overview must stay */
void overview_label_steps(const struct overview *, struct table *);
const char *overview_formula(const char *id);                 /* "" = none */
bool overview_known(const struct overview *, const char *id); /* false: show – instead of XProf's 0 */

struct summary {
	double avg, sd, min, max;
}; /* sd: of a sample; all 0 without values */
struct summary overview_summary(const double *v, size_t n);

#endif
