/* What the runs of an op cost, added up: times in ps, bytes and FLOPs as doubles.  A new measure of runs is a row of
 * opsum.def.  Owns nothing; any thread, each with sums of its own. */
#ifndef ANALYZE_OPS_OPSUM_H
#define ANALYZE_OPS_OPSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clamp.h"

enum op_space { SPACE_HBM, SPACE_CMEM, SPACE_VMEM, SPACE_OTHER, SPACE_COUNT };
enum op_access { ACCESS_READ, ACCESS_WRITE, ACCESS_OTHER, ACCESS_COUNT };

struct opsum {
#define WHOLE(m, run) int64_t m;
#define AMOUNT(m, run) double m;
#include "analyze/ops/opsum.def"
	double mem[SPACE_COUNT][ACCESS_COUNT]; /* valid with has_mem */
	double
	    host; /* what of the bytes in HBM is in the memory of the host, which compilers call HBM, too */
	bool has_mem;
	bool no_spaces; /* of a converted trace: it is not known which of the bytes are in HBM */
	uint32_t cores;
};

/* The measures of more runs of the same op. */
static inline void opsum_count(struct opsum *a, const struct opsum *b)
{
	bool first = !a->occurrences;

#define WHOLE(m, run) a->m = add_clamped(a->m, b->m);
#define LEAST(m, run) a->m = first || (b->occurrences && b->m < a->m) ? b->m : a->m;
#define AMOUNT(m, run) a->m += b->m;
#include "analyze/ops/opsum.def"
}

/* Adds another op. */
static inline void opsum_add(struct opsum *a, const struct opsum *b)
{
	opsum_count(a, b);
	for (size_t i = 0; i < SPACE_COUNT; i++)
		for (size_t k = 0; k < ACCESS_COUNT; k++)
			a->mem[i][k] += b->mem[i][k];
	a->host += b->host;
	a->has_mem |= b->has_mem;
	a->no_spaces |= b->no_spaces;
	a->cores += b->cores;
}

struct stat_value;
/* The bytes that a run moves, by memory space: its stat memory_access_breakdown. */
void opsum_take_access(struct opsum *, const struct stat_value *);

/* Does anything say how many bytes of HBM it uses?  They may be none. */
static inline bool opsum_knows_hbm(const struct opsum *s)
{
	return s->has_mem || s->bytes > 0;
}

/* Returns the bytes in HBM as the compiler counts them, and XProf with it, or all bytes if the breakdown is missing:
 * then an upper bound (no_spaces). */
static inline double opsum_hbm(const struct opsum *s)
{
	const double *m = s->mem[SPACE_HBM];

	return s->has_mem ? m[ACCESS_READ] + m[ACCESS_WRITE] + m[ACCESS_OTHER] : s->bytes;
}

/* Bytes in HBM alone, without those in the memory of the host. */
static inline double opsum_hbm_only(const struct opsum *s)
{
	return opsum_hbm(s) - s->host;
}

#endif
