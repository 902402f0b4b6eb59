/* Findings in text reports: the title and cost, below them the evidence and paragraphs of advice.  Takes any
 * table with the columns severity, title, evidence, advice and optionally cost and cost_kind; keeps its
 * order. */
#ifndef REPORT_BLOCKS_H
#define REPORT_BLOCKS_H

#include "report/write/writer.h"

/* more: how many findings the table leaves out; a line below it says so */
void report_blocks(struct report *, const char *name, const struct table *, size_t more);

#endif
