/* Inside of opdb.c: sums of one kind of event on a plane, before it is known which op it is; and the ops that
 * they become.  A kind is one of the trace; in a converted trace, whose programs have kinds of events in
 * common, it is one of a program.  Indices stay, pointers move when another kind is counted. */
#ifndef ANALYZE_OPS_KINDS_H
#define ANALYZE_OPS_KINDS_H

#include "analyze/ops/internal.h"
#include "analyze/ops/runs.h"

struct kind {
	struct opsum sum;       /* FLOPs and bytes are those that its events state */
	uint32_t meta, program; /* program: among those of the runs */
	uint32_t track;         /* its first event that has stats; UINT32_MAX: none */
	size_t event;
};

struct kinds {
	struct kind *v;
	size_t n, cap;
	uint32_t base;  /* without a table: v is by meta - base */
	bool converted; /* of the plane: by the table of (meta, program) */
	uint32_t *slot; /* kind + 1 */
	size_t nslots;
	uint32_t *seen;
	size_t nseen, seen_cap; /* in order of appearance */
};

void kinds_begin(struct kinds *, bool converted, uint32_t base, size_t n);
uint32_t kinds_of_program(struct kinds *, uint32_t meta,
    uint32_t program);                                         /* the index of a kind, in the table */
void kinds_see(struct kinds *, uint32_t index, uint32_t meta); /* for the first time */
/* Returns the index of the kind of an event, which the caller counts. */
static inline uint32_t kinds_of(struct kinds *k, uint32_t meta, uint32_t program)
{
	uint32_t i = k->converted ? kinds_of_program(k, meta, program) : meta - k->base;

	if (!k->v[i].sum.occurrences)
		kinds_see(k, i, meta);
	return i;
}
/* Fills in the ops of the scan; those of one program and symbol are the same op. */
void kinds_become_ops(const struct kinds *, const struct op_runs *, struct plane_scan *);
void kinds_free(struct kinds *);

#endif
