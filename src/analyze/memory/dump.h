/* What the compiler wrote about the buffers of a program as text (tpuscope(7), MEMORY TEXTS):
 * *-buffer-assignment.txt, *-memory-usage-report.txt (of TPU, by memory space; of CPU, by allocation) and
 * *-live-range.txt.  The tables have the columns of `report memory_profile`, rows in the order of the text;
 * what a line does not say, or is cut off, is null.  Bytes; places in the program are indices of its
 * instructions.  Texts belong to the tables or to the bytes, which must stay.  The caller frees.  Pure. */
#ifndef ANALYZE_MEMORY_DUMP_H
#define ANALYZE_MEMORY_DUMP_H

#include "result/facts.h"

enum memory_dump_table {
	DUMP_ALLOCATIONS,
	DUMP_VALUES,
	DUMP_SPACES,
	DUMP_REPORT,
	DUMP_LIVE_RANGES,
	DUMP_PEAK,
	DUMP_INSTRUCTIONS,
	DUMP_TABLES
};

struct memory_dump {
	struct facts summary;
	struct table table[DUMP_TABLES];
};

extern const char *const memory_dump_names[DUMP_TABLES];

void memory_dump_tables(struct table table[DUMP_TABLES]); /* empty ones */
/* -1: nothing of the kind */
int memory_dump_parse(const char *, size_t, struct memory_dump *, struct err *);
void memory_dump_free(struct memory_dump *);

#endif
