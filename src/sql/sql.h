/* SQL over a capture (tpuscope(7), SQL), on SQLite.  The events, their args and the counters are virtual tables over
 * the dump, of which nothing is copied: slices, args, counters.  All other tables are made when a query first names
 * them: those of every report (TOOL or TOOL_TABLE, with its column ids), tracks, gaps, the instructions of HLO modules
 * and their edges, meta.  A query can only read.  Times are ps on the clock of `report trace`, sizes bytes; what is not
 * known is NULL.  A capture to compare with has the same tables in the schema `base` (NULL: there is none).
 *
 * sql_run() writes the rows as a report does and returns an exit status; sql_ask() keeps them, for a screen.  Both
 * forget the results of the capture they get, and it stays the caller's: where another thread has it, give
 * capture_beside().  A query that takes too long, or whose progress is canceled, ends within a tenth of a second, but
 * for the analyses that tables of reports are made from. */
#ifndef SQL_SQL_H
#define SQL_SQL_H

#include <stdio.h>

#include "base/progress.h"
#include "capture/capture.h"
#include "report/write/writer.h"
#include "result/proof.h"
#include "result/table.h"

struct sql_value {
	const char *name; /* as the query says it: "$from" */
	int64_t v;
};

struct sql_options {
	const char *text;
	enum report_format format;
	int width, threads;
	int64_t limit; /* rows; -1: 1,000 in text, 100,000 else; 0: all */
	int timeout_s; /* 0: never */
	const struct sql_value *value;
	size_t nvalues;
	struct progress *progress; /* counts rows in `events`; NULL: nobody looks */
};

/* -1 with err; what is written says why, too, if it is not the query that is wrong (EXIT_NOTHING) */
int sql_run(struct capture *, struct capture *base, const struct sql_options *, FILE *, struct err *);

/* Rows that are kept.  The texts are its own. */
struct sql_answer {
	struct table rows;
	bool cut; /* there are more than the limit */
	struct schema schema;
	struct column *columns;
};

/* NULL with err; free it with sql_answer_free() */
struct sql_answer *sql_ask(struct capture *, struct capture *base, const struct sql_options *, struct err *);
void sql_answer_free(struct sql_answer *); /* NULL is allowed */

/* Where a row leads. */
struct sql_place {
	enum ref_kind
	    kind; /* REF_NONE, EVENT, OP (of the trace), NODE (an instruction of a module), BUFFER, TIME, STEP */
	uint32_t track;      /* EVENT, TIME */
	size_t event;        /* EVENT */
	int64_t time;        /* TIME: ps */
	struct slice name;   /* OP, NODE, BUFFER, STEP */
	struct slice module; /* NODE, BUFFER: empty = not known */
};
/* By the columns that it has: id or slice_id; name with step or start_ps; start_ps with core; an instruction; a buffer;
 * an op. The texts are those of the answer. */
struct sql_place sql_place_of(const struct sql_answer *, const struct capture *, size_t row);

/* all tables, their columns as in CREATE TABLE; for completions */
void sql_names(void (*say)(void *ctx, const char *table, const char *columns), void *ctx);
const char *sql_example(size_t i); /* "what it is about:\nSELECT ..."; NULL after the last */
/* .tables, .schema [TABLE] or .examples, which need no capture */
int sql_about(FILE *, const char *what, struct err *);
bool sql_built_in(void); /* false: built without SQLite */

#endif
