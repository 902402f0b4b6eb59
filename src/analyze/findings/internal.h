/* What the rules of findings.h share (tpuscope(7), FINDINGS): the row of data/findings.tsv that a rule runs
 * for, sums that several rules need, and the functions that make a finding.  A rule measures and calls
 * rule_raise(), which compares the measure with the thresholds of the row (in the unit of the measure:
 * percent, or whatever the row counts).  If that raises a finding, the rule fills in the numbers; otherwise
 * it says what it measured (rule_checked), or why it cannot measure (rule_unknown).  A rule that does not
 * apply to this kind of input says nothing.  All texts are made in the arena of the findings.  One thread. */
#ifndef ANALYZE_FINDINGS_INTERNAL_H
#define ANALYZE_FINDINGS_INTERNAL_H

#include "analyze/findings/findings.h"
#include "analyze/hlo/contents.h"
#include "result/rules.h"

/* One step, represented by its longest core. */
struct rule_step {
	const struct step *longest;
	int64_t id, start, dur;
};

struct rule_work {
	const struct finding_input *in;
	const struct rule *rule;
	struct findings *out;
	size_t cap, check_cap, noted;   /* noted: checks when the rule began */
	const struct step_cores *cores; /* NULL: none, or no step was found on any core */
	/* of the time of the steps or, without steps, of the time traced; NaN: not known */
	double share[METRIC_COUNT];
	double collective; /* share of the kind: with those that async ops carry, and send and receive */
	const char *whole; /* what the shares refer to: "the step time" or "the time traced" */
	double step_ps;    /* core time: mean over cores and steps; NaN: not known */
	struct rule_step *step;
	size_t nsteps;
	struct hlo_contents *contents; /* NULL until rule_contents() makes it */
	bool slow_core;                /* set when a straggler was found */
	double uneven;                 /* share of the step that rule_imbalance() found */
	double compiled;               /* ps that a thread compiled, as rule_compile() found */
	const char *words;             /* of rule_words(); NULL until then */
	size_t shown;                  /* more errors of a kind that were named */
	char *members;                 /* of what the rule counts: names, one a line; owned */
	size_t nmembers, members_len, members_cap;
};

/* Returns NULL when the measure is below every threshold. key: paragraphs of the advice marked [key] come
 * first and those with another key are left out; NULL = no key. cost: a fraction or bytes; NaN = not
 * known. */
struct finding *rule_raise(struct rule_work *, double measure, double cost, const char *key);
const char *rule_say(struct rule_work *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rule_detail(struct rule_work *, struct finding *, const char *label, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void rule_note(struct rule_work *, enum check_state, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define rule_checked(w, ...) rule_note(w, CHECK_PASSED, __VA_ARGS__)
/* Notes what was measured unless the rule already noted something. */
void rule_checked_once(struct rule_work *, const char *evidence);
#define rule_unknown(w, ...) rule_note(w, CHECK_UNKNOWN, __VA_ARGS__)
#define rule_hint(w, ...) rule_note(w, CHECK_HINT, __VA_ARGS__) /* what one may do, where nothing is wrong */
/* Each returns why the dump has none: events, ops, steps of the device, categories of ops.  NULL: it has some. */
const char *rule_no_times(const struct rule_work *);
const char *rule_no_ops(const struct rule_work *);
const char *rule_no_steps(const struct rule_work *);
const char *rule_no_kinds(const struct rule_work *);
extern const char rule_no_peaks[]; /* "the peaks of the chip are not known …" */

/* mean of a column of a table of steps; NaN unless all steps have it */
double rule_mean_of(const struct table *, const char *column);
double rule_fact(const struct rule_work *, const char *id); /* a fact of the overview; NaN: not known */
struct hlo_contents *rule_contents(struct rule_work *);
const char *rule_words(struct rule_work *);                /* words.c: what advice may ask for */
const char *rule_host(const struct rule_work *, int host); /* name of the host */
/* "Thermal throttle covers 800 µs of it (#Chip 2)", of a core in a step; NULL: the chip says nothing of it */
const char *rule_throttled(struct rule_work *, const struct step_core_info *, const struct step_core *);
const char *rule_time(struct rule_work *, double ps);        /* "1.63 ms" */
const char *rule_bytes(struct rule_work *, double bytes);    /* "32.1 MiB" */
const char *rule_ops(struct rule_work *, size_t n);          /* "1 op", "3 ops" */
double rule_op_share(const struct rule_work *, double self); /* share of the time of all ops */
/* share of the step, which includes idle time */
double rule_step_share(const struct rule_work *, double self);
/* input.c: how a metric is distributed over cores and steps, as fractions of their steps; of each step its
 * worst core, and how many of these reach a percentage */
struct rule_spread {
	double lowest, highest, mean_worst;
	size_t worst_step, worst_core, steps, above;
};
bool rule_spread(const struct rule_work *, enum step_metric, double above, struct rule_spread *);
/* "; 0.1 – 5.1 % over steps and cores"; "" where there is one of both */
const char *rule_range(struct rule_work *, const struct rule_spread *);
void rule_at_worst(struct rule_work *, struct finding *, const struct rule_spread *);

/* unseen.c: share of the host's steps in which no thread works; NaN: not known */
double rule_unseen(const struct rule_work *);
/* sums.c */
void rule_sums(struct rule_work *);
/* fit.c: does a convolution or dot have a dimension below 128, or padding? */
bool rule_fit_small(struct rule_work *, const struct op *);
/* health.c: of a host, as the profiler saw it */
bool rule_is_thread(const struct dump *, const struct track *);

/* say.c: what was not read, or is not there */
bool rule_stopped(const struct rule_work *);
/* The rules that know the names of XLA find none (analyze/device/target.h). */
bool rule_is_foreign(const struct rule_work *);
extern const char rule_foreign[];
extern const char rule_partly_read[]; /* loading was */
bool rule_has_plane(const struct rule_work *, enum plane_kind);
bool rule_has_events(const struct rule_work *, enum plane_kind);
/* "WHAT: the input is damaged or cut off", or that loading was stopped; NULL: all of it was read */
const char *rule_cut(const struct rule_work *, const char *what);

/* overlap.c: collectives that a start begins and a done waits for, sums over all cores, ps */
struct overlap {
	size_t starts;        /* how many begin; 0: none; in a digest nothing else is known */
	double async, hidden; /* time of their own ops; compute while one is under way */
	double more;          /* what compute runs beside none, at most as much as collectives take */
};
struct overlap rule_overlap(const struct rule_work *);

/* causes.c: "; cause of 61 % of idle time: the host has not launched yet (PjitFunction(f) 1.80 ms in each of 24 gaps)",
 * "" where it is not known */
const char *rule_idle_cause(struct rule_work *);
/* for time between programs: "between"; with "host", unless the next program was enqueued already in most of it */
const char *rule_between_key(const struct rule_work *);

/* prove.c: what part of the rule's evidence a finding refers to; texts are copied.  Without any of these
 * calls, it refers to all of it. */
struct proof rule_proof(const struct rule_work *);
void rule_at_op(struct rule_work *, struct finding *, const struct op *);
/* Before rule_raise(): the rule counts this op, or buffer. */
void rule_counts_op(struct rule_work *, const struct op *);
void rule_counts_buffer(struct rule_work *, const struct memory_buffer *);
const char *rule_members(struct rule_work *); /* what was counted; "": nothing, or too much */
void rule_at_name(struct rule_work *, struct finding *, strid name); /* name of an event, of any program */
void rule_at_kernel(struct rule_work *, struct finding *, struct slice name); /* of an LLO dump */
void rule_at_step(struct rule_work *, struct finding *, const char *label);
void rule_at_step_of(struct rule_work *, struct finding *, const char *label, int host, int core);
void rule_at_core(struct rule_work *, struct finding *, int host, int core);
void rule_at_link(struct rule_work *, struct finding *, enum ref_kind channel_or_collective,
    const char *name);
/* a time in which a core is idle; after rule_at_step_of(): in that step */
void rule_at_gap(struct finding *, const struct plane *, int64_t first, int64_t last);
void rule_at_module(struct rule_work *, struct finding *); /* the program whose memory is checked */
void rule_at_buffer(struct rule_work *, struct finding *, const struct memory_buffer *);

/* memory.c: what the rules about memory share */
const struct memory *rule_memory(const struct rule_work *); /* NULL: none, or it has no data */
/* Is there memory whose buffers have kinds and layouts?  Some texts of the compiler lack them. */
bool rule_has_kinds(struct rule_work *);
const char *rule_room(const struct rule_work *); /* "; HBM has room", "; any chip has room", "" */
/* Like rule_raise(), for a cost in bytes: also sets the share of HBM, or of the peak where it is not known how
 * much there is, and the module as the proof.  Where memory does not limit the program it raises nothing below
 * 1 % of HBM, and nothing above low. */
struct finding *rule_raise_bytes(struct rule_work *, double measure, double bytes, const char *key);

#define RULE(id) void rule_##id(struct rule_work *);
#include "analyze/findings/rules.def"
#undef RULE

#endif
