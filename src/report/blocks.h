/* Findings in text reports: the title and cost, below them the evidence and paragraphs of advice.  Takes any
 * table with the columns severity, title, evidence, advice and optionally cost and cost_kind; keeps its
 * order. */
#ifndef REPORT_BLOCKS_H
#define REPORT_BLOCKS_H

#include "report/write/writer.h"

/* The table of such lines: the head of a block, with its cost and saving where the table has them; lines below it. */
enum blocks_form { BLOCKS_BARE, BLOCKS_COSTS, BLOCKS_SAVINGS };
void report_blocks_begin(struct table *, enum blocks_form);
void report_blocks_head(struct table *, struct cell severity, struct cell title);
void report_blocks_line(struct table *, const char *mark, const char *text, size_t n);
/* more: how many findings the table leaves out; a line below it says so */
void report_blocks(struct report *, const char *name, const struct table *, size_t more);

#endif
