/* Text reports: a head, a summary, aligned tables that fit `width` columns (0: as wide as they get).  Units
 * are in the header; times of a column share one unit with fixed digits; long texts are cut in the middle.
 * All text is made safe for a terminal; without a UTF-8 locale only ASCII is written.
 * Strings are copied where a row is kept.  Used by writer.c only. */
#ifndef REPORT_WRITE_TEXT_H
#define REPORT_WRITE_TEXT_H

#include <stdio.h>

#include "result/table.h"

/* rows kept to find the widths; later rows are written with these widths */
#define TEXT_KEEP 20000

struct text;
struct text *text_new(FILE *, int width);
void text_free(struct text *); /* NULL allowed */
void text_title(struct text *, const char *tool, const char *run, const char *file, size_t nfiles,
    uint64_t bytes);
void text_heading(struct text *, const char *tool, const char *title);
void text_host(struct text *, const char *, size_t, size_t nth);
void text_end_hosts(struct text *);
void text_warning(struct text *, const char *);
void text_summary(struct text *, const char *id, const struct cell *);
void text_end_summary(struct text *);
void text_table(struct text *, const char *name, const struct column *, size_t n);
void text_row(struct text *, const struct cell *);
void text_table_end(struct text *);

#endif
