/* Parts of documents that reports and exports of the viewer share. */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "report/write/writer.h"

struct findings;
struct overview;

/* Writes the warnings of the overview (NULL: none), the summary and the rows chosen from findings_table();
 * text also gets what was checked and what is missing.  more: how many rows --top left out. */
void report_finding_rows(struct report *, const struct dump *, const struct findings *,
    const struct overview *, const struct table *, size_t more);

#endif
