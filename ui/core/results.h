/* Analyses of the loaded dump that more than one view needs: op metrics, findings…  Each is computed when a
 * view first asks for it, in the background (job.h), after those it is made from, and kept until the capture
 * is closed or the choice of host changes.  result_get() returns NULL until it is ready: the view then shows
 * result_what(), and the app redraws it when the result arrives.  A pointer is valid until the next turn of
 * the loop, so a view asks again whenever it draws.  To add one: a row in results.c and a make function in
 * result_make.c; result_run.c runs and keeps them, result_say.c describes their progress. */
#ifndef CORE_RESULTS_H
#define CORE_RESULTS_H

#include "analyze/memory/rank.h"
#include "analyze/tables/ops.h"
#include "base/progress.h"
#include "core/app.h"

struct report;

/* OPS: struct opdb of all cores; TABLE_OPS: struct op_set; HLO_TABLE: struct table, a row per op of that set;
 * FRAMEWORK: struct framework_set;
 * OVERVIEW, INPUT, FINDINGS: struct overview, input_pipeline, findings; MODULES: struct memory_ranks;
 * MEMORY_PROFILE: struct memory_profile; POD: struct pod; TRIAGE: struct triage; TF_GRAPH: struct tf_shown;
 * TF_LINES: struct tf_lines; PTXLA: struct ptxla; KERNELS: struct kernels */
enum result {
	RESULT_OPS,
	RESULT_TABLE_OPS,
	RESULT_HLO_TABLE,
	RESULT_FRAMEWORK,
	RESULT_OVERVIEW,
	RESULT_INPUT,
	RESULT_MEMORY_PROFILE,
	RESULT_POD,
	RESULT_MODULES,
	RESULT_TRIAGE,
	RESULT_TF_GRAPH,
	RESULT_TF_LINES,
	RESULT_PTXLA,
	RESULT_KERNELS,
	RESULT_FINDINGS,
	RESULT_COUNT
};

/* of the chosen core and program; `db` is RESULT_OPS when none is chosen */
struct op_set {
	const struct opdb *db;
	struct opdb own;
};
/* without and with idle; file: results of a profiler used when there is no capture, NULL = none */
struct framework_set {
	struct framework f;
	struct table table[2];
	const struct toolfile *file;
};

/* What a make function may use, read-only. */
struct result_env {
	const struct dump *dump;
	const struct steps *steps;
	const char *host; /* NULL = all */
	int core;         /* -1 = all */
	uint64_t program; /* 0 = all */
	int threads;
	const char *topology, *module; /* as chosen by the user, or NULL */
	int tf_graph;                  /* -1 = the one that is used */
	bool tf_series;
	struct progress *progress;    /* when canceled, make() returns NULL */
	const void *of[RESULT_COUNT]; /* only those it needs are set */
};

const void *result_get(struct app *, enum result);
/* The same for what nobody has asked to see: it is made after all that is waited for, and a snapshot ends without
 * it. */
const void *result_when_idle(struct app *, enum result);
/* changes each time the result is made, even when the pointer is the same; 0 = not ready */
unsigned long result_serial(const struct app *, enum result);
/* The same for several (bits of enum result), asking for all of them: changes when any was made again; 0 =
 * one is not ready */
unsigned long results_serial(struct app *, unsigned which);
/* "summing op times 43 %" */
char *result_what(const struct app *, enum result, char *buf, size_t size);
void result_draw_what(const struct app *, enum result, struct canvas *, struct rect); /* in its first row */
void results_draw_what(const struct app *, unsigned which, struct canvas *,
    struct rect); /* the last of them */
/* for results read from a profiler's file because there is no capture: "the profiler's own numbers, file 1 of
 * 3"; "" = computed */
char *result_of_file(const struct app *, enum file_kind, char *buf, size_t size);
/* adds to an export the warnings of the report of such a result */
void result_warnings(const struct app *, struct report *, enum file_kind);
void results_forget(struct app *); /* after a change of host or clock: all are made again on demand */
void results_renew(struct app *, enum result); /* only that one and those made from it */
void results_close(struct app *);

#endif
