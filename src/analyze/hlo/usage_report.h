/* Parses the compiler's memory usage report line by line: the memory spaces, and for each the allocations by
 * size with the shapes that live in them.  Numbers that are not known are SIZE_NONE.  Texts are made in the
 * given arena, which must outlive the report; usage_report_free() frees everything else. */
#ifndef ANALYZE_HLO_USAGE_REPORT_H
#define ANALYZE_HLO_USAGE_REPORT_H

#include <stdint.h>

#include "base/mem.h"
#include "base/text/slice.h"

struct usage_space {
	const char *label;
	int64_t color, total, sections, rows;
};
struct usage_slot {
	size_t space;
	int64_t section, rank, cumulative, percent, size, offset, values;
	const char *shapes;
};
struct usage_report {
	struct usage_space *spaces;
	size_t nspaces, spaces_cap;
	struct usage_slot *slots;
	size_t nslots, slots_cap;
	bool open; /* the lines that follow belong to its last space */
	bool cut;  /* a row was incomplete */
};

/* false: the line is not part of a report */
bool usage_report_line(struct usage_report *, struct slice, struct arena *text);
void usage_report_free(struct usage_report *);

#endif
