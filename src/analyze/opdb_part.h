/* Inside of opdb.c: the walk over one device plane.  A plane_scan holds sums per (program_id, symbol_id),
 * numbers already multiplied by occurrences; several may run at once, each writes its own.
 * opdb_scan_free() ends it. */
#ifndef ANALYZE_OPDB_PART_H
#define ANALYZE_OPDB_PART_H

#include "analyze/opdb.h"

struct opdb_names { /* interned names of stats, UINT32_MAX = not in this dump */
	strid offset, duration, multiplier, dma, count; /* of events */
	strid program, symbol, flops, model_flops, bytes, access; /* of kinds, numbers */
	strid provenance, dedup, source, stack, shape; /* of kinds, texts */
	bool event_stats; /* there are some of the first group */
};

enum { TEXT_PROVENANCE = 1, TEXT_DEDUP = 2, TEXT_SOURCE = 4, TEXT_STACK = 8, TEXT_SHAPE = 16 };

struct plane_op {
	uint64_t program, symbol;
	uint32_t meta;
	unsigned texts; /* which ones the kind has */
	struct opsum sum;
};

struct plane_scan {
	const struct dump *dump;
	const struct opdb_names *names;
	const struct op_window *window; /* NULL: all of the plane */
	uint32_t plane;
	struct plane_op *v;
	size_t n, cap;
	int64_t first, last; /* of ops and steps; last < first: none */
	uint64_t dropped;
	bool overlap;
};

struct opdb_names opdb_names_of(const struct dump *);
void opdb_scan(struct plane_scan *);
void opdb_scan_free(struct plane_scan *);

#endif
