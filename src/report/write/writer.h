/* One writer for all reports: the envelope of `report --format json` (tool, version, capture, summary,
 * columns and rows, or tables), CSV (RFC 4180, header = column ids) and text (aligned, with units, fits
 * `width` columns).  Text makes strings of the file safe for a terminal; JSON and CSV escape or clean them.
 * Rows can be streamed: begin a table, add rows, end it; text needs rows to find its widths, so it keeps up
 * to TEXT_KEEP of them and then fixes the widths.  report_end() returns write errors (EPIPE, full disk). */
#ifndef REPORT_WRITE_WRITER_H
#define REPORT_WRITE_WRITER_H

#include <stdio.h>

#include "model/dump.h"
#include "result/facts.h"
#include "result/reasons.h"

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_CSV, REPORT_JSONL, REPORT_MARKDOWN, REPORT_ROWS };

/* REPORT_ROWS: nothing is written, the tables go here. */
struct report_rows {
	/* a table with these columns begins; name NULL: the main one */
	void (*table)(void *ctx, const char *name, const struct column *, size_t n);
	void (*row)(void *ctx, const struct cell *);
	void *ctx;
};

struct json_out;
struct report;
struct report *report_begin(FILE *, enum report_format, int width, const char *tool, const struct dump *);
bool report_for_people(
    const struct report *); /* whether it is text, where steps have names instead of numbers */
/* What stands in place of `capture`, of a document that is not about one dump, and its title. */
struct report_head {
	void (*json)(void *ctx, struct json_out *); /* writes members */
	const char *title;
	void *ctx;
};
void report_about(struct report *, const struct report_head *);
/* Why the question is not answered, or not wholly; of several the gravest counts.  nothing: no number that would be the
 * answer is there. */
void report_reason(struct report *, enum reason, bool nothing);
/* What opens the place again that this is written from; borrowed.  Call before the first table. */
void report_command(struct report *, const char *);
/* JSON: of columns only the ids.  Call before the first table. */
void report_terse(struct report *);
/* The status is written at the end, of rows that are written as they come.  Call before the first table. */
void report_status_last(struct report *);
void report_rows_to(struct report *, const struct report_rows *);
/* CSV holds one table: selects this one instead of the first.  Call before the first table. */
void report_csv_table(struct report *, const char *name);
/* add() writes more tables when the document ends; NULL: none */
void report_more(struct report *, void (*add)(void *ctx, struct report *), void *ctx);
/* before the first summary or table; capture.warnings */
void report_warning(struct report *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void report_warnings(struct report *, const struct table *);   /* one for each row of a table of texts */
void report_sum_int(struct report *, const char *id, int64_t); /* summary members, in order */
void report_sum_num(struct report *, const char *id, double);
void report_sum_bool(struct report *, const char *id, bool);
void report_sum_str(struct report *, const char *id, const char *s); /* NULL = null */
void report_facts(struct report *, const struct facts *);            /* as the summary */
/* Begins a table with the columns of another one, from which the rows need not come.  name NULL: the main
 * table.  Text has the columns of the schema's form for text. */
void report_table_like(struct report *, const char *name, const struct table *);
void report_row(struct report *, const struct cell *);
/* Rows that come slowly can be read now; text, which waits for widths, waits for the end of the table.  Ends the
 * program, as writing would, if the other end of the pipe is closed. */
void report_flush(struct report *);
void report_table_end(struct report *);
void report_whole(struct report *, const char *name, const struct table *);
/* a member of the document beside the tables; the caller writes its value; NULL: not JSON */
struct json_out *report_json(struct report *, const char *key);
int report_end(struct report *, struct err *);

#endif
