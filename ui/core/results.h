/* What is computed from the loaded dump for more than one view: op metrics, findings…  Each is made when a
 * view first asks for it, in the background (job.h), after those it is made from, and is kept until the
 * capture is closed or the choice of host changes.  result_get() gives NULL while it is not there: the view
 * says result_what() and draws again when it arrives (the app sees to that).  A pointer is good until the
 * next turn of the loop, so a view asks again whenever it draws; a changed pointer is a new result.
 * To add one: a row in results.c, how it is made in result_make.c; result_run.c asks for them and keeps
 * them, result_say.c says how far they are. */
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
 * MEMORY_PROFILE: struct memory_profile; POD: struct pod; TRIAGE: struct triage */
enum result {
	RESULT_OPS,
	RESULT_TABLE_OPS,
	RESULT_HLO_TABLE,
	RESULT_FRAMEWORK,
	RESULT_OVERVIEW,
	RESULT_INPUT,
	RESULT_MEMORY_PROFILE,
	RESULT_POD,
	RESULT_FINDINGS,
	RESULT_MODULES,
	RESULT_TRIAGE,
	RESULT_COUNT
};

/* of the core and the program chosen, else RESULT_OPS */
struct op_set {
	const struct opdb *db;
	struct opdb own;
};
/* without and with idle; file: what a profiler left in place of a capture, NULL = none */
struct framework_set {
	struct framework f;
	struct table table[2];
	const struct toolfile *file;
};

/* What making a result may look at: all of it only read. */
struct result_env {
	const struct dump *dump;
	const struct steps *steps;
	const char *host; /* NULL = all */
	int core;         /* -1 = all */
	uint64_t program; /* 0 = all */
	int threads;
	const char *topology, *module; /* asked for; NULL */
	struct progress *progress;     /* cancelled: make() returns NULL */
	const void *of[RESULT_COUNT];  /* those that it needs are there */
};

const void *result_get(struct app *, enum result);
/* another number for each time that it is made: a new one may stand where the old one stood; 0 = not there */
unsigned long result_serial(const struct app *, enum result);
/* The same for several (bits of enum result), asking for all of them: another number when any was made again;
 * 0 = one is not there */
unsigned long results_serial(struct app *, unsigned which);
/* "adding up ops 43 %" */
char *result_what(const struct app *, enum result, char *buf, size_t size);
void result_draw_what(const struct app *, enum result, struct canvas *, struct rect); /* in its first row */
void results_draw_what(const struct app *, unsigned which, struct canvas *,
    struct rect); /* the last of them */
/* said where a result was read from such a file, as there is no capture: "the profiler's own numbers, file
 * 1 of 3"; "" = it was not */
char *result_of_file(const struct app *, enum file_kind, char *buf, size_t size);
/* into an export: what the report of such a result says for trusting its numbers */
void result_warnings(const struct app *, struct report *, enum file_kind);
void results_forget(struct app *); /* another host, another clock: all are made again when asked for */
void results_renew(struct app *, enum result); /* that one and what is made from it */
void results_close(struct app *);

#endif
