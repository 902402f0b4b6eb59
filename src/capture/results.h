/* The results of a capture: which there are, and the structs of those that are not an analysis' own.  Each is made
 * when it is first asked for, after those it is made from, and kept until the scope changes (capture_forget()) or
 * the capture is closed.  Two ways to ask: capture_get() makes what is missing in the caller's thread; a program with
 * a screen lets other threads make results (capture_make()) and keeps them in the thread that owns the capture
 * (capture_keep()).  To add one: a name here, a row in kinds.c, and a function in make.c. */
#ifndef CAPTURE_RESULTS_H
#define CAPTURE_RESULTS_H

#include "analyze/account/account.h"
#include "analyze/account/why.h"
#include "analyze/memory/beside.h"
#include "analyze/memory/rank.h"
#include "analyze/tables/ops.h"
#include "capture/capture.h"

/* OPS: struct opdb of all cores; TABLE_OPS: struct op_set; HLO_TABLE: struct table, a row per op of that set;
 * FRAMEWORK: struct framework_set;
 * OVERVIEW, ACCOUNT, INPUT, FINDINGS: struct overview, account, input_pipeline, findings; FIRST_FINDINGS: those that
 * need no pieces of time; MENDED: the findings with what mending them saves; MODULES: struct memory_ranks;
 * MEMORY_PROFILE: struct memory_profile; MEMORY_BESIDE: struct memory_besides;
 * POD: struct pod; TRIAGE: struct triage; TF_GRAPH: struct tf_shown;
 * TF_LINES: struct tf_lines; PTXLA: struct ptxla; KERNELS: struct kernels; LLO: struct llo;
 * POD_BESIDE: struct pod_beside; STEPS: struct step_parts; OP_STEPS: struct op_steps; MEMORY: struct picked_memory;
 * DIFF, DELTAS (NULL without capture.against): struct compared, deltas (compare.h);
 * CORE_TIMES, COMMUNICATION, SCOPES, IDLE, REPLAY: struct core_times, communication, scopes, idle, replay; LEVERS:
 * struct levers, the standard changes */
enum result {
	RESULT_OPS,
	RESULT_TABLE_OPS,
	RESULT_HLO_TABLE,
	RESULT_FRAMEWORK,
	RESULT_OVERVIEW,
	RESULT_ACCOUNT,
	RESULT_INPUT,
	RESULT_MEMORY_PROFILE,
	RESULT_MEMORY_BESIDE,
	RESULT_POD,
	RESULT_POD_BESIDE,
	RESULT_MODULES,
	RESULT_TRIAGE,
	RESULT_TF_GRAPH,
	RESULT_TF_LINES,
	RESULT_PTXLA,
	RESULT_KERNELS,
	RESULT_LLO,
	RESULT_STEPS,
	RESULT_OP_STEPS,
	RESULT_CORE_TIMES,
	RESULT_COMMUNICATION,
	RESULT_SCOPES,
	RESULT_IDLE,
	RESULT_REPLAY,
	RESULT_LEVERS,
	RESULT_MEMORY,
	RESULT_FIRST_FINDINGS,
	RESULT_FINDINGS,
	RESULT_DIFF,
	RESULT_DELTAS,
	RESULT_MENDED,
	RESULT_COUNT
};

/* of the chosen core, program and step; `db` is RESULT_OPS when none is chosen */
struct op_set {
	const struct opdb *db;
	struct opdb own;
};
/* the ops that TABLE_OPS shows, of each step alone */
struct op_steps {
	struct op_step *v;
	size_t n;
};
/* the steps with the times of their ops, whose rows are its own and all else the capture's; the parts of each row,
 * which row is the median of its kind (analyze/account/differ.h), and by which ops it differs from that */
struct step_parts {
	struct steps steps;
	struct account_parts *row;
	size_t *median;
	struct step_why *why;
};
/* HBM of the program that the findings are about; module NULL: there is none */
struct picked_memory {
	const struct hlo_module *module;
	struct memory memory;
};
/* of each device of the memory profile, at its peak */
struct memory_besides {
	struct memory_beside *v;
	size_t n;
};
/* without and with idle; file: results of a profiler used when there is no capture, NULL = none; lacks: it has no such
 * table */
struct framework_set {
	struct framework f;
	struct table table[2];
	bool lacks[2];
	const struct toolfile *file;
};

/* Returns the result; NULL: canceled, or it cannot be made, and err (may be NULL) says why. */
const void *capture_get(struct capture *, enum result, struct progress *, struct err *);
/* the same, if it is there; NULL otherwise */
const void *capture_has(const struct capture *, enum result);
/* changes each time the result is made, even when the pointer is the same; 0 = not there */
unsigned long capture_serial(const struct capture *, enum result);

/* "summing op times" */
const char *result_name(enum result);
bool result_is_single(enum result); /* one thread makes it, in little memory */
/* Bits: the results it is made from.  The time and memory of the pieces of the cores' time and of a replay grow with
 * the events: who needs findings of a large capture at once asks for the first ones.  Those of a huge one have neither
 * pieces nor savings. */
enum { CAPTURE_LARGE = 2000000, CAPTURE_HUGE = 20000000, CAPTURE_WIDE = 20000 }; /* events; tracks are both */
bool capture_is_large(const struct capture *);
bool capture_is_huge(const struct capture *);
enum result capture_soon_findings(const struct capture *); /* the first ones of a large capture, else all */
unsigned capture_needs(const struct capture *, enum result);
/* the result, and those made from it */
unsigned result_users(enum result);

/* Makes one result from those it needs, which must be there: in any thread, while the capture does not change.  NULL:
 * canceled, or err says why.  The caller frees it (result_free()), or the capture keeps it. */
void *capture_make(const struct capture *, enum result, struct progress *, struct err *);
void result_free(enum result, void *);
void capture_keep(struct capture *, enum result, void *);
/* Results in these bits are made again when they are asked for.  The old ones are freed after that, so that their
 * addresses differ. */
void capture_forget(struct capture *, unsigned which);

#endif
