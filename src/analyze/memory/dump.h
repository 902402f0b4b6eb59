/* Parses what the compiler wrote about the buffers of a program as text (tpuscope(7), MEMORY TEXTS):
 * *-buffer-assignment.txt, *-memory-usage-report.txt (on TPU by memory space, on CPU by allocation) and
 * *-live-range.txt.  The tables have the columns of `report memory_profile`, with rows in the order of the
 * text; what a line does not say, or what is cut off, is null.  Sizes are bytes; positions in the program are
 * instruction indices.  Texts belong to the result or point into the given bytes, which must stay alive.  The
 * caller frees (memory_dump_free).  Pure. */
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
	char *plain; /* the text of a message, which tables point into; NULL: the bytes were a text */
};

extern const struct schema memory_dump_schema[DUMP_TABLES];

void memory_dump_tables(struct table table[DUMP_TABLES]); /* makes empty tables */
/* Returns -1 when the text is none of these files. */
int memory_dump_parse(const char *, size_t, struct memory_dump *, struct err *);
void memory_dump_free(struct memory_dump *);

#endif
