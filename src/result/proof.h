/* What proves a finding, by value: the kind of evidence, and what is meant in it: a step, a core, an op of a
 * program.  Analyses fill it in and know no view.  Which view shows a kind of evidence is told here alone,
 * for the `where` column of reports ("ops:fusion.33") and for the jump on the screen.
 * Texts belong to whoever made the proof: those of findings to the findings.  Pure; any thread. */
#ifndef RESULT_PROOF_H
#define RESULT_PROOF_H

#include <stddef.h>
#include <stdint.h>

#include "base/text/strtab.h"

struct dump;

enum evidence {
	EVIDENCE_INPUT,       /* input wait and the host's work, step by step */
	EVIDENCE_STEP_TIME,   /* parts of the steps, gauges of the run */
	EVIDENCE_EVENTS,      /* events on their tracks */
	EVIDENCE_OP_TIME,     /* ops by time */
	EVIDENCE_OP_BOUNDS,   /* ops against the roofs of the chip */
	EVIDENCE_CORES,       /* cores beside each other, their links and collectives */
	EVIDENCE_BUFFERS,     /* memory of a program */
	EVIDENCE_ALLOCATIONS, /* what allocators did */
	EVIDENCE_FILES,
	EVIDENCE_COUNT
};

/* What a reference names: that of a proof, or of a view's cursor. */
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
	REF_COLLECTIVE
};

struct proof {
	enum evidence evidence;
	enum ref_kind kind;  /* REF_NONE: all of the evidence */
	const char *text;    /* REF_OP, STEP, BUFFER, CHANNEL, COLLECTIVE: its name, as people read it */
	strid name;          /* REF_OP: as the trace has it */
	uint64_t program;    /* REF_OP, BUFFER, MODULE: of the program; 0 = of any, or not known */
	const char *module;  /* REF_BUFFER, MODULE: its name */
	int host, core;      /* REF_CORE, a REF_STEP of one core; -1 = none */
	int64_t first, last; /* REF_TIME: ps of the trace */
};

struct proof proof_of(enum evidence); /* all of it */

const char *evidence_name(enum evidence); /* "op_time": in data/findings.tsv */
int evidence_named(const char *);         /* -1: there is none of that name */
const char *evidence_view(enum evidence); /* id of the view that shows it, "ops" */
/* "ops:fusion.33", "pod:core 0:5", "overview:"; the caller frees */
char *proof_where(const struct proof *);
/* for people, without the view: "core 5 of host w-0", "fusion.33"; "" = all of it */
char *proof_say(const struct proof *, const struct dump *, char *buf, size_t size);

#endif
