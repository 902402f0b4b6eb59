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
	bool custom;            /* a custom call, whose events may state their FLOPs and bytes */
	uint32_t track;         /* its first event that has stats; UINT32_MAX: none */
	size_t event;
};

#define KINDS_NEAR 4096
struct kinds { /* begin with p and zeros */
	struct plane_scan *p;
	struct kind *v; /* in order of appearance */
	size_t n, cap;
	uint32_t *slot; /* kind + 1 */
	size_t nslots;
	uint32_t near[KINDS_NEAR]; /* by meta: a kind that was found last, which may be another one */
};

/* Returns the index of the kind of an event; program: 0 unless the trace is converted. */
uint32_t kinds_find(struct kinds *, uint32_t meta, uint32_t program);
static inline uint32_t kinds_of(struct kinds *k, uint32_t meta, uint32_t program)
{
	uint32_t *near = &k->near[meta % KINDS_NEAR];

	if (*near >= k->n || k->v[*near].meta != meta || k->v[*near].program != program)
		*near = kinds_find(k, meta, program);
	return *near;
}

/* Fills in the ops of the scan; those of one program and symbol are the same op. */
void kinds_become_ops(const struct kinds *, const struct op_runs *, bool converted);
void kinds_free(struct kinds *);

#endif
