/* Self times of ops by name, of two sides beside each other: of two cores (analyze/pod/beside.h), or of two steps of a
 * core (analyze/account/why.h).  Ops are the same where their names are.  Names belong to the dump.  The caller frees
 * (ops_beside_free).  Any thread. */
#ifndef ANALYZE_ACCOUNT_OPS_BESIDE_H
#define ANALYZE_ACCOUNT_OPS_BESIDE_H

#include "analyze/device/kinds.h"
#include "analyze/steps/step_ops.h"

struct beside_op {
	struct slice name;
	strid full; /* name in the trace */
	enum time_kind kind;
	double ps[2];
	bool on[2]; /* that side has it */
};

struct ops_beside {
	struct beside_op *v;
	size_t n, cap;
	size_t *side[2], nside[2], side_cap[2]; /* by side: the ops that it has */
	const struct dump *dump;
	uint8_t *own_class, *class; /* by kind of event; own_class: what is freed, NULL: the dump has them */
	uint32_t *op;               /* by name: index of the op + 1; 0 = none yet */
};

void ops_beside_begin(const struct dump *, struct ops_beside *);
/* Takes the ops of row `only`, or of all rows, which are the steps of one core, in place of what that side had; the
 * times are divided by `steps`. */
void ops_beside_take(struct ops_beside *, int side, const struct step *row, size_t nrows, size_t only,
    double steps, struct progress *);
void ops_beside_add(struct ops_beside *, int side, const struct step_op *, double steps); /* one op alone */
void ops_beside_clear(struct ops_beside *, int side);
/* Orders them, the largest difference first; then nothing can be taken. */
void ops_beside_sort(struct ops_beside *);
/* Finds the `most` ops that differ most, at[0] first; returns how many there are. */
size_t ops_beside_most(const struct ops_beside *, size_t most, size_t *at);
void ops_beside_free(struct ops_beside *);

#endif
