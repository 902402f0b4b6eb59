/* Reports for other programs and pages: Markdown tables, and JSON lines with an object a row.  All texts of a capture
 * are escaped: whatever they hold, they are text there.  Used by writer.c only. */
#ifndef REPORT_WRITE_ROWS_H
#define REPORT_WRITE_ROWS_H

#include <stdio.h>

#include "result/table.h"

/* "> text", a line of its own */
void markdown_line(FILE *, const char *before, const char *text, size_t n);
void markdown_table(FILE *, const char *name, const struct column *, size_t n);
void markdown_row(FILE *, const struct column *, size_t n, const struct cell *);
/* table NULL: the only one */
void jsonl_row(FILE *, const char *table, const struct column *, size_t n, const struct cell *);

#endif
