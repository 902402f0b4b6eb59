/* Findings for people: what was found and its cost, below it the evidence and paragraphs of advice.  Of any
 * table with the columns severity, title, evidence, advice and perhaps cost and cost_kind, in its order. */
#ifndef REPORT_BLOCKS_H
#define REPORT_BLOCKS_H

#include "report/write/writer.h"

/* more: how many are not in the table, said below it */
void report_blocks(struct report *, const char *name, const struct table *, size_t more);

#endif
