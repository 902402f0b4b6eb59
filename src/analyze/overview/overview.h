/* The overview of a capture (tpuscope(7), OVERVIEW): the scalars and tables of `report overview`, which the
 * views draw as gauges, charts and tables.  `summary` has the ids of `report overview`, in that order:
 * XProf's values where XProf has the property, and our own beside them.  What cannot be known is null, never
 * 0, also where XProf writes 0.  `steps` has one row per step: with a TPU tcComputeTimeMs and so on,
 * without one the generic breakdown.  Tables and texts belong to the overview; the caller frees
 * (overview_free).  The dump and the op database are only read and must stay alive; the database must be of
 * the same host and core, and its `cores` of these steps. */
#ifndef ANALYZE_OVERVIEW_OVERVIEW_H
#define ANALYZE_OVERVIEW_OVERVIEW_H

#include "analyze/account/account.h"
#include "analyze/device/kinds.h"
#include "analyze/ops/opdb.h"
#include "analyze/ops/step_cores.h"
#include "result/facts.h"

/* XProf's numbers for one step of a TPU capture over its cores, in ms and percent: compute; idle of the core
 * with the least; infeed of the core that waited longest; means of outfeed and active. */
struct overview_step {
	size_t step; /* index in cores.step */
	double compute, infeed, outfeed, idle, transfer, active, all_reduce, infeed_avg, infeed_min,
	    infeed_max, longest;
	size_t infeed_core; /* index in cores.core; SIZE_MAX: none waited */
};

#define OVERVIEW_TOP 10

/* An op of the framework; shares are fractions. */
struct overview_top {
	struct slice category, name;
	double share, cumulative, flop_rate;
	enum time_kind kind; /* what most of its self time is; KIND_COUNT: not known */
};

/* The steps of one host */
struct host_steps {
	size_t steps;
	double avg_ms, infeed_avg;
};

/* A host and its totals; times are ps. */
struct overview_host {
	const struct dump *dump;
	int host;
	bool tpu, several; /* several: programs, whose steps have no mean */
	int64_t cores, total, busy;
	struct host_steps steps;
	double duty, idle; /* percent; NaN */
};

enum overview_number {
#define NUMBER(name, id) OVERVIEW_##name,
#include "analyze/overview/numbers.def"
#undef NUMBER
	OVERVIEW_NUMBERS
};
extern const char *const overview_number_id[OVERVIEW_NUMBERS]; /* of the fact */

struct framework;
struct toolfile;

/* columns of `steps`, of a TPU and without one, and of `programs` */
enum tpu_column {
#define COLUMN(id, ...) TPU_##id,
#include "analyze/overview/steps_tpu.def"
#undef COLUMN
};
enum generic_column {
#define COLUMN(id, ...) GENERIC_##id,
#include "analyze/overview/steps_generic.def"
#undef COLUMN
};
enum program_column {
#define COLUMN(id, ...) PROGRAM_##id,
#include "analyze/overview/programs.def"
#undef COLUMN
};

/* A part of a step: the sum of columns of `steps`; 0 ends them. */
struct overview_part {
	enum time_kind kind;
	unsigned column[3];
};
#define OVERVIEW_PARTS 8
extern const struct overview_part overview_parts[OVERVIEW_PARTS]; /* without a TPU, in the order of kinds */

struct overview {
	bool tpu;                    /* false: the generic breakdown */
	const struct toolfile *file; /* where the numbers come from; NULL: a capture */
	double host_to_device_ms;    /* without a TPU: mean over the steps */
	double *longest; /* without a TPU: ms per row of `steps`, on the host that takes longest */
	struct facts summary;
	struct table steps, top_ops, environment, hosts, programs;
	/* the same as the tables and the summary: in ms and percent, NaN: null; names stay those of the tables */
	double number[OVERVIEW_NUMBERS];
	struct overview_top *top;
	struct overview_host *host;
	size_t ntop, nhosts;
	struct table recommendations; /* empty until the caller adds what the findings advise */
	/* For the input pipeline: ops of the host, NULL without a capture; and for each track that existed
	 * then, whether it has input. */
	struct framework *host_ops;
	uint8_t *input_tracks;
	size_t ninput_tracks;
	struct step_cores cores; /* empty without a TPU */
	bool cores_lent;         /* `cores` belongs to the op database */
	/* where no op waits for input: time that the host fed each core in each step (account.h); NULL: none */
	int64_t *fed;
	struct overview_step *step;
	size_t nsteps;  /* for a TPU, the rows of `steps` */
	bool own_steps; /* they are runs of a program, which XProf does not take for steps */
	bool own_ids;   /* … and stand under ids of our own in documents; XProf reads no converted traces */
	double
	    xprof_host_idle; /* percent, as XProf counts it also where it means nothing; NaN: nothing was traced */
	/* One column, "text": what affects how far the numbers can be trusted (steps left out, no step
	 * marker, no device plane, assumed peaks and so on). */
	struct table warnings;
};

struct overview_options {
	const char *host;
	int core, threads;
	struct progress *progress;
};

extern const struct schema overview_top_schema, overview_hosts_schema, overview_tpu_schema,
    overview_generic_schema, overview_programs_schema;

void overview_build(const struct dump *, const struct steps *, const struct opdb *,
    const struct overview_options *, struct overview *);
/* Makes the same from what a profiler left (*overview_page.json, .pb, old and new; model/toolfile.h).  It has
 * no cores and no hosts, and what the file does not say is null.  The file must stay alive. */
void overview_from_toolfile(const struct toolfile *, struct overview *);
/* From the capture or, without one, from such a file, or from the steps in a result of the input pipeline. */
void overview_make(const struct dump *, const struct steps *, const struct opdb *,
    const struct overview_options *, struct overview *);
void overview_free(struct overview *);
/* Returns the label of the step in a row of `steps`, or of a table with those rows.  Without rows, of that
 * step of the cores.  number[64] is room for texts that are made. */
const char *overview_step_label(const struct overview *, const struct table *, size_t row, char number[64]);
/* SIZE_MAX: none */
size_t overview_step_named(const struct overview *, const struct table *, const char *text);
/* Makes such a table one for people: labels in place of `stepnum`, XProf's numbers.  The overview must stay alive. */
void overview_label_steps(const struct overview *, struct table *);
/* For documents whose ids are XProf's: adds the facts about steps under ids of our own, and where XProf knows
 * no steps, its own become null.  The facts are those of the overview or of its input pipeline. */
void overview_xprof_facts(const struct overview *, struct facts *);
/* A table of those steps of which XProf knows nothing: a copy of all rows, or of none.  Texts stay with the
 * first table, which has to live as long as the copy. */
void overview_program_runs(const struct overview *, const struct table *steps, struct table *runs);
/* Where the time of its steps goes; core: the number of the one that is asked about, -1 = all.  The overview must stay
 * alive; the caller frees. */
void overview_account(const struct overview *, int core, struct account *);

/* Is it known whether steps wait for input?  Without an event of that a wait is hidden in time that has
 * another name: idle time, other time, or gaps between runs of a program.  Returns the share of that in
 * the steps if it is notable (1: gaps between runs), NaN: known, or there are no steps. */
double overview_hidden_input(const struct overview *);
/* the same as a sentence; "" = known */
void overview_hidden_text(const struct overview *, char *buf, size_t size);

struct summary {
	double avg, sd, min, max;
}; /* sd: standard deviation of a sample; all are 0 without values */
struct summary overview_summary(const double *v, size_t n);

#endif
