/* What is wrong, ranked by what it costs: rules over the results of the other analyses (tpuscope(7),
 * FINDINGS).  Rules are rows of data/findings.tsv (id, thresholds of the severities, title, advice, kind of
 * cost, kind of evidence), which is compiled in (result/rules.h).  The code has one function per rule that
 * measures; nothing is reported without a measurement.  A finding has its cost (a fraction of the
 * step or op time, or bytes), the numbers that prove it, what to do, and where to see it (result/proof.h).
 * Order: severity, then cost.  `check` says of each rule that applies to this input what became of it: it
 * found something, it passed ("Straggler core  without waiting, max/median 1.01"), it gives a hint, or the data
 * that it needs is missing, and why.  What is not known is never taken for 0.  Texts belong to the findings; the
 * caller frees (findings_free). */
#ifndef ANALYZE_FINDINGS_FINDINGS_H
#define ANALYZE_FINDINGS_FINDINGS_H

#include "analyze/memory/memory.h"
#include "analyze/memprof/profile.h"
#include "analyze/overview/input_pipeline.h"
#include "analyze/overview/overview.h"
#include "analyze/pod/pod.h"
#include "result/proof.h"
#include "result/rules.h"

enum severity { SEVERITY_HIGH, SEVERITY_MEDIUM, SEVERITY_LOW };

struct finding {
	const char *id;
	enum severity severity;
	/* COST_TIME: cost is a fraction.  COST_BYTES: cost is bytes, of_total its fraction of HBM, of the
	 * peak where HBM is not known, or -1. */
	enum cost_kind cost_kind;
	double cost;
	double of_total;
	/* advice: paragraphs separated by \n, the most likely first */
	const char *title, *evidence, *advice;
	const char *detail; /* more numbers for the card, as lines of "label\tvalue"; may be "" */
	struct proof proof;
	/* Of findings_mend(): what whole steps would be shorter without the cause, ps and a share of them (NaN: not
	 * known; at_most: an upper bound), and the change that takes it away, as --whatif has it (NULL: none;
	 * before: what only the rule knows). */
	const char *mend;
	double save, save_share;
	bool at_most;
	/* texts of PyTorch/XLA: the file, NULL: not known, and the step at which it printed the values, -1: none */
	const char *file;
	int64_t step;
	size_t nth; /* the order in which rules found them */
};

enum check_state { CHECK_FOUND, CHECK_PASSED, CHECK_HINT, CHECK_UNKNOWN, CHECK_STATES };

/* text: title of what was found; what was measured; what one may do; why it is not possible */
struct finding_check {
	const char *id, *label, *text;
	enum check_state state;
};

struct findings {
	struct finding *v;
	size_t n;
	struct finding_check *check; /* in the order of the rules */
	size_t nchecks;
	size_t count[CHECK_STATES];
	bool pieces; /* with those of rules that need the pieces of the cores' time */
	/* Of findings_mend(), ps: the step, the mean of the whole steps (0: no savings are known), at the roofs,
	 * and whole steps with all of the findings mended, and with the first of them (NaN) */
	double step, whole, light, joint, first;
	struct arena text;
};
enum { FINDINGS_FIRST = 3 };

/* What rules may look at.  NULL = this input does not have it, and the rules that need it say nothing. */
struct communication;
struct idle;
struct llo;
struct ptxla;
struct scopes;
struct triage;

struct finding_input {
	const struct dump *dump;
	const struct steps *steps;
	const struct opdb *ops;
	const struct overview *overview;
	const struct input_pipeline *input;
	/* memory: HBM of one program, `module`, both or neither; profile: what the allocators did */
	const struct memory *memory;
	const struct hlo_module *module;
	const struct memory_profile *profile;
	const struct pod *pod; /* of all hosts */
	const struct communication *communication;
	const struct idle *idle;
	const struct scopes *scopes;
	const struct llo *llo;     /* of LLO dumps */
	const struct ptxla *ptxla; /* of the texts */
	const struct triage *triage;
	struct progress *progress;
};

void findings_build(const struct finding_input *, struct findings *);
/* Runs the rules about PyTorch/XLA alone.  What several reports or files have is a finding of each, or one that says
 * how many there are. */
enum ptxla_places { PTXLA_EACH_PLACE, PTXLA_FIRST_PLACE };
void findings_of_ptxla(const struct ptxla *, enum ptxla_places, struct findings *);
bool finding_of_pieces(const char *id); /* is its rule one of them? */
/* Replays the steps without the cause of each finding (mends.def), for what that would save: a copy, in order of
 * severity, then saving, then cost.  Texts are shared, so `in` must stay; where nothing can be replayed it is the
 * same. */
struct replay;
void findings_mend(const struct findings *in, const struct replay *, struct findings *out);
const char *finding_ops(const struct finding *); /* that it is about, one a line; "": about something else */
/* Where several name an op, it stands in the first, and the evidence of the others says so. */
void findings_refer(const struct dump *, struct findings *);
void findings_free(struct findings *);
/* The rows of `report findings`: the first n.  Texts belong to the findings. */
extern const struct schema findings_schema;
void findings_table(const struct findings *, size_t n, struct table *);
/* What findings_of_ptxla() found as `report metrics` prints it.  Texts belong to the table. */
extern const struct schema ptxla_findings_schema;
void ptxla_findings_table(const struct findings *, struct table *);
/* Its cost as a fraction; -1: it has none, or of nothing known. */
double finding_share(const struct finding *);
const char *finding_cost(const struct finding *, char *buf, size_t size); /* "35.9 %", "1.2 GiB", "" */
const char *finding_saving(const struct finding *, bool ascii, char *buf, size_t size); /* "≤11.2 %", "–" */
const char *severity_name(enum severity);                                               /* "high" and so on */
const char *check_name(enum check_state); /* "found", "passed", "hint", "not possible" */
/* "24 checks passed, 3 not possible"; what is 0 is left out.  Returns buf. */
const char *findings_counts(const struct findings *, char *buf, size_t size);
/* The labels of all checks that are not possible for the reason of check i, separated by commas: caller
 * frees.  NULL: an earlier check has this reason. */
char *findings_unknown(const struct findings *, size_t i);

#endif
