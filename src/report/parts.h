/* Parts of documents that reports and what the screen writes to files have in common. */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "report/write/writer.h"

struct findings;
struct overview;
struct pod;
struct triage;

/* rows of the overview's steps, for people by what they are called */
void report_step_rows(struct report *, const char *name, const struct overview *, const struct table *);
void report_pod_tables(struct report *, const struct pod *); /* warnings, summary and all tables */
void report_triage_tables(struct report *, const struct triage *);
/* Warnings of the overview (NULL: none), summary, the rows of findings_table() that were chosen; for people
 * also what was checked, and what is missing.  more: how many rows --top left out. */
void report_finding_rows(struct report *, const struct dump *, const struct findings *,
    const struct overview *, const struct table *, size_t more);

#endif
