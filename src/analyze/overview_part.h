/* Parts of overview.c in files of their own: the steps of a TPU, and those of a capture without one.  Both
 * add the table of steps and their rows of the summary; `build` lives in overview.c.
 * Used by overview.c and by what reads the results of profilers. */
#ifndef ANALYZE_OVERVIEW_PART_H
#define ANALYZE_OVERVIEW_PART_H

#include "analyze/overview.h"

struct overview_build {
	const struct dump *dump;
	const struct steps *steps;
	const struct opdb *ops;
	const struct overview_options *options;
	struct overview *out;
	/* ms per row of steps, where the host on which it took longest is not the one of the row; or NULL */
	double *longest;
};

struct summary {
	double avg, sd, min, max;
}; /* sd: of a sample; all 0 without values */
struct summary overview_summary(const double *v, size_t n);

/* What the steps of a host say, for the table of hosts. */
struct host_steps {
	size_t steps;
	double avg_ms, infeed_avg;
};

void overview_tpu_columns(struct table *); /* an empty table of steps */
void overview_generic_columns(struct table *);
void overview_tpu_steps(struct overview_build *); /* cores, step, steps */
void overview_tpu_facts(struct overview_build *); /* active_steptime_ms_average … */
struct host_steps overview_tpu_host(const struct overview *, int host);
void overview_generic_steps(struct overview_build *);
void overview_generic_facts(struct overview_build *);

/* A number of the summary; not known: it is XProf's 0 and says nothing */
void overview_put(struct overview *, const char *id, double, bool known);
void overview_begin(struct overview *); /* empty; steps and environment have no columns yet */

#endif
