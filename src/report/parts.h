/* Parts of documents that reports and exports of the viewer share. */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "report/write/writer.h"

struct findings;
struct kernels;
struct overview;
struct ptxla;
struct triage;

void report_triage_tables(struct report *, const struct triage *);
void report_kernels_tables(struct report *, const struct kernels *); /* warnings, summary and all tables */
void report_ptxla_tables(struct report *, const struct ptxla *);     /* those of metrics and of ptxla_debug */
/* Writes the warnings of the overview (NULL: none), the summary and the rows chosen from findings_table();
 * text also gets what was checked and what is missing.  more: how many rows --top left out. */
void report_finding_rows(struct report *, const struct dump *, const struct findings *,
    const struct overview *, const struct table *, size_t more);

#endif
