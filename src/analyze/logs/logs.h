/* The lines of one log, or of several as one: records in order of their time, each followed by its further lines;
 * a record that stands in several files of one libtpu process (INFO holds what WARNING and ERROR hold) is shown
 * once.  Lines before the first record of a file come first.  Times are compared as printed, the zone is not
 * known; a file whose times lack the year counts as of the latest year that another file names.
 * Borrows the bytes of the texts; whoever fills `texts` keeps them until logs_free().  logs_read() may run
 * in a job; afterward any thread may read. */
#ifndef ANALYZE_LOGS_LOGS_H
#define ANALYZE_LOGS_LOGS_H

#include "analyze/triage/triage.h"
#include "base/text/slice.h"

struct log_text {
	const char *path, *bytes;
	size_t n;
	struct triage_lines lines;
};

struct log_line {
	uint32_t text, copies; /* copies: other texts in which the record stands */
	size_t line;
};

struct logs {
	struct log_text *texts; /* path, bytes and n are the caller's */
	size_t ntexts;
	struct log_line *order; /* NULL: all lines of the only text */
	size_t n;
};

/* Takes over an array of the allocator; path and bytes of its elements stay the caller's. */
void logs_take(struct logs *, struct log_text *texts, size_t n);
void logs_read(struct logs *, struct progress *);
struct log_line logs_line(const struct logs *, size_t i);
struct slice logs_bytes(const struct logs *, struct log_line); /* without the line break */
void logs_free(struct logs *);

#endif
