/* What the runs of an op cost, added up: times in ps, bytes and FLOPs as doubles.  A new measure of runs is a
 * member here and a line in each of the functions.  Owns nothing; any thread, each with sums of its own. */
#ifndef ANALYZE_OPS_OPSUM_H
#define ANALYZE_OPS_OPSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clamp.h"

enum op_space { SPACE_HBM, SPACE_CMEM, SPACE_VMEM, SPACE_OTHER, SPACE_COUNT };
enum op_access { ACCESS_READ, ACCESS_WRITE, ACCESS_OTHER, ACCESS_COUNT };

struct opsum {
	int64_t occurrences, time, self, normalized, dma, min_time;
	double flops, model_flops, bytes;
	double mem[SPACE_COUNT][ACCESS_COUNT]; /* valid with has_mem */
	bool has_mem;
	bool no_spaces; /* of a converted trace: it is not known which of the bytes are in HBM */
	uint32_t cores;
};

/* Counts a run, or several of which only the time of all is known. */
static inline void opsum_count(struct opsum *s, int64_t runs, int64_t time, int64_t normalized)
{
	if (!s->occurrences || time < s->min_time)
		s->min_time = time;
	s->occurrences = add_clamped(s->occurrences, runs);
	s->time = add_clamped(s->time, time);
	s->normalized = add_clamped(s->normalized, normalized);
}

static inline void opsum_add(struct opsum *a, const struct opsum *b)
{
	if (!a->occurrences || (b->occurrences && b->min_time < a->min_time))
		a->min_time = b->min_time;
	a->occurrences = add_clamped(a->occurrences, b->occurrences);
	a->time = add_clamped(a->time, b->time);
	a->self = add_clamped(a->self, b->self);
	a->normalized = add_clamped(a->normalized, b->normalized);
	a->dma = add_clamped(a->dma, b->dma);
	a->flops += b->flops;
	a->model_flops += b->model_flops;
	a->bytes += b->bytes;
	for (size_t i = 0; i < SPACE_COUNT; i++)
		for (size_t k = 0; k < ACCESS_COUNT; k++)
			a->mem[i][k] += b->mem[i][k];
	a->has_mem |= b->has_mem;
	a->no_spaces |= b->no_spaces;
	a->cores += b->cores;
}

/* Does anything say how many bytes of HBM it uses?  They may be none. */
static inline bool opsum_knows_hbm(const struct opsum *s)
{
	return s->has_mem || s->bytes > 0;
}

/* Returns the bytes in HBM, or all bytes if the breakdown is missing: then an upper bound (no_spaces). */
static inline double opsum_hbm(const struct opsum *s)
{
	const double *m = s->mem[SPACE_HBM];

	return s->has_mem ? m[ACCESS_READ] + m[ACCESS_WRITE] + m[ACCESS_OTHER] : s->bytes;
}

#endif
