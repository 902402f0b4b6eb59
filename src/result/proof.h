/* What proves a finding, by value: the kind of evidence, and what it is about: a step, a core, an op of a
 * program.  Analyses fill it in and know nothing of views.  Only proof.c knows which view shows which kind of
 * evidence, for the `where` column of reports ("ops:fusion.33") and for jumps on the screen.  Texts belong to
 * whoever made the proof; those of findings to the findings.  Pure; any thread. */
#ifndef RESULT_PROOF_H
#define RESULT_PROOF_H

#include <stddef.h>
#include <stdint.h>

#include "base/text/strtab.h"

struct dump;

enum evidence {
	EVIDENCE_INPUT,       /* waiting for input and the host's work, step by step */
	EVIDENCE_STEP_TIME,   /* parts of the steps, gauges of the run */
	EVIDENCE_EVENTS,      /* events on their tracks */
	EVIDENCE_OP_TIME,     /* ops by time */
	EVIDENCE_OP_BOUNDS,   /* ops against the limits of the chip */
	EVIDENCE_CORES,       /* cores side by side, their links and collectives */
	EVIDENCE_KERNELS,     /* kernels of GPUs by time */
	EVIDENCE_BUFFERS,     /* memory of a program */
	EVIDENCE_ALLOCATIONS, /* what allocators did */
	EVIDENCE_TF_GRAPH,    /* nodes of a TensorFlow graph */
	EVIDENCE_PTXLA,       /* what PyTorch/XLA says about itself */
	EVIDENCE_TEXTS,       /* messages and logs */
	EVIDENCE_LLO,         /* schedules of kernels */
	EVIDENCE_FILES,
	EVIDENCE_COUNT
};

/* What a reference names, in a proof or at a view's cursor. */
enum ref_kind {
	REF_NONE,
	REF_EVENT,
	REF_TRACK,
	REF_NAME,
	REF_STEP,
	REF_TIME,
	REF_FILE,
	REF_OP,
	REF_BUFFER,
	REF_CORE,
	REF_MODULE,
	REF_CHANNEL,
	REF_COLLECTIVE,
	REF_NODE
};

struct proof {
	enum evidence evidence;
	enum ref_kind kind; /* REF_NONE: the evidence as a whole */
	const char *text;   /* REF_OP, STEP, BUFFER, CHANNEL, COLLECTIVE, NODE: the name as shown */
	strid name;         /* REF_OP: the name in the trace */
	uint64_t
	    program; /* REF_OP, BUFFER, MODULE: ID of the program; 0 = any, or not known.  REF_NODE of texts:
	                      * number of the error, from 1 */
	const char *module;  /* REF_BUFFER, MODULE: name of the module */
	int host, core;      /* REF_CORE, and a REF_STEP or REF_TIME of one core; -1 = none */
	int64_t first, last; /* REF_TIME, and a REF_STEP whose core is idle then: ps of the trace */
	/* names of all ops or buffers that the finding counts, one a line, for the view to show these alone; "" =
	 * not known, or more than a view can be asked for */
	const char *members;
	size_t nmembers;
};

struct proof proof_of(enum evidence); /* refers to all of the evidence */

/* "op_time", as data/findings.tsv names it; -1: there is none of that name */
int evidence_named(const char *);
const char *evidence_view(enum evidence); /* id of the view that shows it, such as "ops" */
/* Returns "ops:fusion.33", "pod:core 0:5" or "overview:"; the caller frees. */
char *proof_where(const struct proof *);
/* For people, without the view: "core 5 of host w-0", "fusion.33"; "" = all of the evidence. */
char *proof_say(const struct proof *, const struct dump *, char *buf, size_t size);
/* A filter for its members alone, "(?#57 ops)^(?:…)$"; NULL: they are not known.  The caller frees. */
char *proof_filter(const struct proof *);

#endif
