/* SQL over a capture (tpuscope(7), SQL), on SQLite.  The events, their args and the counters are virtual tables over
 * the dump, of which nothing is copied: slices, args, counters.  All other tables are made when a query first names
 * them: those of every report (TOOL or TOOL_TABLE, with its column ids), tracks, gaps, the instructions of HLO modules
 * and their edges, meta.  A query can only read.  Times are ps on the clock of `report trace`, sizes bytes; what is not
 * known is NULL.  sql_run() writes the rows as a report does and returns an exit status, or -1 with err; the capture
 * stays the caller's.  One thread. */
#ifndef SQL_SQL_H
#define SQL_SQL_H

#include <stdio.h>

#include "capture/capture.h"
#include "report/write/writer.h"

struct sql_options {
	const char *text;
	enum report_format format;
	int width, threads;
	int64_t limit; /* rows; -1: 1,000 in text, 100,000 else; 0: all */
	int timeout_s;
};

int sql_run(struct capture *, const struct sql_options *, FILE *, struct err *);
/* .tables, .schema [TABLE] or .examples, which need no capture */
int sql_about(FILE *, const char *what, struct err *);
bool sql_built_in(void); /* false: built without SQLite */

#endif
