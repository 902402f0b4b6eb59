/* Parts of documents that reports and what the screen writes to files have in common. */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "report/writer.h"

struct overview;
struct pod;
struct triage;

/* rows of the overview's steps, for people by what they are called */
void report_step_rows(struct report *, const char *name, const struct overview *, const struct table *);
void report_pod_tables(struct report *, const struct pod *); /* warnings, summary and all tables */
void report_triage_tables(struct report *, const struct triage *);

#endif
