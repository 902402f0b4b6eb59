/* Finds out from a text what went wrong (tpuscope(7), TRIAGE): out-of-memory messages in all their forms;
 * libtpu, TF, JAX and PyTorch/XLA logs; setup errors; several files at once.  The text is streamed in blocks
 * of any size (150 MB/s or more).  Each line loses its prefixes, ANSI sequences and repr escapes, and is
 * matched against the phrases of data/triage.tsv before any expensive pattern runs.  Occurrences of one error
 * are merged.  The tables have the columns of `report triage`; unknown values are null.  Texts belong to the
 * struct; the caller frees it (triage_free).  To be used by one thread at a time; triage_text() may get a
 * stream in pieces. */
#ifndef ANALYZE_TRIAGE_TRIAGE_H
#define ANALYZE_TRIAGE_TRIAGE_H

#include "analyze/memory/memory.h"
#include "base/progress.h"
#include "base/text/slice.h"
#include "model/dump.h"
#include "result/facts.h"

struct triage {
	struct facts summary;
	struct table errors, buffers, requirement, spaces, report, logs, findings;
	struct arena text;
	struct triage_work *work;
};

extern const struct schema triage_errors_schema, triage_buffers_schema, triage_requirement_schema,
    triage_spaces_schema, triage_report_schema, triage_logs_schema, triage_findings_schema;
enum triage_errors_column {
#define COLUMN(id, ...) TRIAGE_ERRORS_##id,
#include "analyze/triage/errors.def"
#undef COLUMN
};

enum triage_buffers_column {
#define COLUMN(id, ...) TRIAGE_BUFFERS_##id,
#include "analyze/triage/buffers.def"
#undef COLUMN
};

enum triage_report_column {
#define COLUMN(id, ...) TRIAGE_REPORT_##id,
#include "analyze/triage/report.def"
#undef COLUMN
};

enum triage_requirement_column {
#define COLUMN(id, ...) TRIAGE_REQUIREMENT_##id,
#include "analyze/triage/requirement.def"
#undef COLUMN
};

enum triage_findings_column {
#define COLUMN(id, ...) TRIAGE_FINDINGS_##id,
#include "analyze/triage/findings.def"
#undef COLUMN
};

enum triage_logs_column {
#define COLUMN(id, ...) TRIAGE_LOGS_##id,
#include "analyze/triage/logs.def"
#undef COLUMN
};

/* Reads a table of the user, of the form of data/triage.tsv (tpuscope(5)): its rows come after, and replace, those
 * that are compiled in.  To be called before anything else of triage, in one thread.  -1 with EXIT_USAGE. */
int triage_more_kinds(const char *path, struct err *);
void triage_begin(struct triage *);
void triage_file(struct triage *, const char *path); /* the texts that follow are of this file */
void triage_text(struct triage *, const char *bytes, size_t n);
/* Names a dump file that lies beside the texts; errors of its module refer to it. */
void triage_dump(struct triage *, const char *path);
/* After triage_end(): how bad an error is, 0 is the worst: fatal ones, those that say how much memory is
 * missing, other errors, warnings. */
#define TRIAGE_RANKS 4
int triage_rank(const struct triage *, size_t error);
#define TRIAGE_CUT "the message is cut off" /* in the evidence of what happened */
void triage_end(struct triage *);           /* merges and counts the errors, makes the findings */
/* After triage_end(): adds the largest buffers at the peak of a module to an error whose text lists none, and
 * makes the findings again. */
void triage_add_peak(struct triage *, size_t error, const struct memory *);
/* After triage_end(): adds a finding that is of no error; advice: paragraphs separated by " | ". */
void triage_note(struct triage *, const char *id, const char *severity, const char *title,
    const char *evidence, const char *advice);
void triage_free(struct triage *);

/* Does the same with the module of that name in a dump, if it has one.  Newer libtpu leaves the list of
 * buffers out of its message. */
void triage_list_from(const struct dump *, struct triage *, size_t error);

/* Does all of the above for a dump: reads its texts and takes the lists of buffers from its modules.  When
 * canceled, the result is incomplete.  Files that XLA_METRICS_FILE names, which begin with a report, are left out. */
void triage_of_dump(const struct dump *, struct progress *, struct triage *);
bool triage_has_texts(const struct dump *);
/* The module of the dump that the worst error is about, of those whose memory is known; -1 = none */
int triage_module(const struct triage *, const struct dump *);
/* "...; showing jit_f, which %s" */
const char *triage_module_why(const struct triage *, const struct dump *, size_t module);
/* The name of the program that the worst error about memory is about when the dump does not have it, else NULL */
const char *triage_missing(const struct triage *, const struct dump *);
/* The bytes of HBM that each module of the dump may use, as the messages about it say, for the caller to free; -1 =
 * none does.  triage NULL: there are no messages. */
int64_t *triage_limits(const struct triage *, const struct dump *);

/* The row of data/triage.tsv that explains a line, which has one of its phrases; advice: paragraphs separated by
 * " | ", "-" = none.  The texts live in the arena. */
struct triage_known {
	const char *kind, *severity, *title, *advice;
};
bool triage_explain(struct arena *, struct slice line, struct triage_known *); /* false: nothing */

/* Returns the part of a framework op's name that says what the op does: the last part, or for a kernel the
 * one before it. *n is its length; it is not terminated. */
const char *triage_op(const char *op_name, size_t *n);

/* The lines of a text: the offset at which each one begins, how many bytes of prefixes it has, and the
 * severity and time of the log record that it belongs to (D I W E F, blank = none). A time is a number that
 * grows as time does (TRIAGE_YEAR more from year to year); without a year it counts from year 0, and
 * TRIAGE_NEVER is that of a line before the first record.  `path`: its name may tell the year. */
#define TRIAGE_YEAR (INT64_C(13) * 32 * 86400 * 1000000)
#define TRIAGE_NEVER INT64_MIN
struct triage_lines {
	size_t *at;
	uint16_t *prefix;
	char *severity;
	int64_t *when;
	size_t n, cap;
};
void triage_lines_find(const char *path, const char *text, size_t n, struct progress *,
    struct triage_lines *);
void triage_lines_free(struct triage_lines *);

#endif
