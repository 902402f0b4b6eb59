/* What is wrong, ranked by what it costs: rules over the results of the other analyses (tpuscope(7),
 * FINDINGS).  Rules are rows of data/findings.tsv (id, thresholds of its severities, title, advice, kind of
 * cost, kind of evidence), compiled in and overridable by path; the code has one function per rule that
 * measures, and nothing is raised without a measurement.  A finding says what it costs (fraction of the step
 * or op time, or bytes), the numbers that prove it, what to do, and where they are seen (result/proof.h).
 * Order: severity, then cost.  `checked`: rules that were looked at and hold nothing ("Straggler core  busy
 * max/min 1.01"); `missing`: what the capture cannot tell and how to capture it.
 * Texts belong to the findings; the caller frees. */
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
	/* COST_TIME: fraction; COST_BYTES: bytes, of_total: fraction of the peak or -1 */
	enum cost_kind cost_kind;
	double cost;
	double of_total;
	/* advice: paragraphs parted by \n, most likely first */
	const char *title, *evidence, *advice;
	const char *detail; /* more numbers for the card, lines of "label\tvalue"; may be "" */
	struct proof proof;
};

struct finding_note {
	const char *title, *text;
};

struct findings {
	struct finding *v;
	size_t n;
	struct finding_note *checked;
	size_t nchecked;
	struct finding_note *missing;
	size_t nmissing;
	struct arena text;
};

/* What rules may look at; NULL = not in this input (its rules stay silent). */
struct finding_input {
	const struct dump *dump;
	const struct steps *steps;
	const struct opdb *ops;
	const struct overview *overview;
	const struct input_pipeline *input;
	/* of one program, in HBM, with its module (findings_make() sets both); what allocators did */
	const struct memory *memory;
	const struct hlo_module *module;
	const struct memory_profile *profile;
	const struct pod *pod; /* of all hosts */
	const char *rules;     /* path of a table that replaces the compiled one; NULL */
	struct progress *progress;
};

/* What the user chose. */
struct finding_scope {
	const char *host;     /* NULL = all */
	int core;             /* -1 = all */
	int module;           /* whose memory; -1: of the program that matters most (memory_pick.h) */
	const char *topology; /* NULL: as the capture has it */
	int threads;
};

/* -1: the table of rules is wrong (line N) */
int findings_build(const struct finding_input *, struct findings *, struct err *);
/* The whole of it, from the dump with its steps, ops and overview: input, profile, pod and memory are taken
 * where they are given, else made.  A pod is looked at with all its hosts and cores alone.  -1: the table of
 * rules or the topology is wrong. */
int findings_make(const struct finding_input *, const struct finding_scope *, struct findings *,
    struct err *);
void findings_free(struct findings *);
/* the rows of `report findings`: those n of `order`, NULL = all as they are ranked; texts belong to the
 * findings */
extern const struct schema findings_schema;
void findings_table(const struct findings *, const size_t *order, size_t n, struct table *);
const char *severity_name(enum severity); /* "high" */

#endif
