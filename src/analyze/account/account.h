/* The step account: where the time of the steps goes (tpuscope(7), STEP ACCOUNT).  Every core and step of a TPU
 * capture is cut into parts, in ps, which add up to the core's own marker exactly; where they cannot, none is
 * known.  Kinds of time are those of kinds.h.  Above them stand, per step and in ms, the means over the cores that
 * have it.
 * Two times have two names everywhere: `step` is the marker of the longest core, `core time` the mean of the
 * cores' own markers; step = core time + spread, and core time = sum of the parts.  Steps that no cores made
 * (without a TPU, or in results of a profiler) have other kinds and no cores; their parts are those of the first host,
 * whose time is the core time (analyze/overview/account.c).  What is not known is NaN (ms) or -1 (ps).  Texts belong
 * to the cores, which have to live as long; the caller frees (account_free).  Any thread. */
#ifndef ANALYZE_ACCOUNT_ACCOUNT_H
#define ANALYZE_ACCOUNT_ACCOUNT_H

#include "analyze/ops/step_cores.h"

/* One step of one core.  total = sum of kind[] up to KIND_IDLE + overhang.  Behind it stand parts of these kinds:
 * infeed, outfeed and host transfers, which are all of KIND_IO; send and receive, and the wait for other cores, of
 * KIND_COLLECTIVE. */
struct account_parts {
	int64_t total; /* -1: the core does not have that step, and nothing else is set */
	int64_t kind[KIND_COUNT];
	int64_t wait;     /* in collectives, for other cores; -1 = not known */
	int64_t overhang; /* below 0: ops of the step reach beyond its marker */
};

struct account_step {
	const char *number, *name; /* number: what people call it; name: of the program, or NULL */
	size_t name_len;
	double step, core_time;    /* ms */
	double ms[KIND_COUNT];     /* by kind; NaN: not told by this kind of capture */
	double overhang, wait;     /* ms; NaN = not known */
	double wait_min, wait_max; /* input wait over the cores, fractions of the step; NaN */
	size_t cores;              /* that have it */
};

/* Means over the steps of a core, in ms.  Collectives are without send and receive, which are work of the core. */
struct account_core {
	int host, core;
	size_t steps;
	double core_time, busy, infeed, host_wait, collective, idle;
};

struct account {
	enum step_source source; /* of cores */
	struct account_step *step_of;
	size_t nsteps;
	struct account_core *core;
	size_t ncores;
	enum time_kind kind[KIND_COUNT]; /* that take time, in the order of views */
	size_t nkinds;
	double step, core_time; /* means over the steps, ms; NaN: there are none */
	bool several;           /* the steps are of several programs, and `step` is NaN */
	double ms[KIND_COUNT], overhang;
	char (*number)[64]; /* room for the numbers of the steps */
};

/* fed: how much of the idle time the host spent on input for the core, as it was charged with; at most the idle
 * time counts. */
struct account_parts account_parts_of(const struct step_core *, int64_t fed);
/* Makes the account of the steps that count.  fed: by core and step, as step_core_at() has them; NULL: nothing.  core:
 * the number of the one that is asked about, -1 = all */
void account_of_cores(const struct step_cores *, const int64_t *fed, int core, struct account *);
/* For what fills in steps of another kind: room for n steps, all zero; then the means.  told: the kinds that such
 * steps have, in the order of views. */
void account_begin(struct account *, size_t n);
void account_end(struct account *, const enum time_kind *told, size_t n);
void account_free(struct account *);
extern const struct account account_none;       /* for what is not known yet: no steps, no cores */
size_t account_slowest(const struct account *); /* step */
double account_idle(const struct account *);    /* share of the core time, with the wait for the host; NaN */

/* Sets infeed, idle and compute of the rows from what their cores did in them, and returns the parts of each row; total
 * -1: not known.  The caller frees. */
struct account_parts *account_of_rows(const struct dump *, const struct step_cores *, struct steps *);

struct step_differ; /* differ.h */
struct step_why;    /* why.h */

/* a row of `report steps` */
struct account_row {
	const struct dump *dump;
	const struct step *step;
	const struct account_parts *parts;
	bool labels, no_kinds;            /* no_kinds: matmuls and other compute are not told apart */
	const struct step_differ *differ; /* to the median; NULL: not known */
	const struct step_why *why;       /* in which ops; NULL: not known */
};

extern const struct schema account_rows_schema, account_steps_schema, account_cores_schema;
/* labels: name steps by label instead of by number */
void account_rows_table(const struct dump *, const struct steps *, const struct account_parts *,
    const size_t *medians, const struct step_why *, bool labels, struct table *);
void account_steps_table(const struct account *, struct table *);
void account_cores_table(const struct account *, const struct dump *, struct table *);

#endif
