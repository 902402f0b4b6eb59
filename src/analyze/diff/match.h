/* Which op of one capture is which of another (tpuscope(7), DIFF), compiled again or not: never by a bare name.  Levels
 * of keys, from the whole text of the op down to the place in the program; each takes what those before it left.
 * Several captures are matched into the first, one by one.  A unit is one op in all captures, or a group of ops that
 * another compilation split or merged.  Keys are compared as hashes of 64 bits.  The sides must outlive the matches;
 * the caller frees (matches_free).  Pure. */
#ifndef ANALYZE_DIFF_MATCH_H
#define ANALYZE_DIFF_MATCH_H

#include "analyze/diff/side.h"

struct member {
	uint32_t unit, side;
	const struct side_op *op;
	const struct side_op *with; /* the op of an earlier side that it was matched with; NULL: none */
	const char *how;
};

struct matches {
	struct member *v; /* by unit, side, then the largest first */
	size_t n, cap;
	uint32_t nunits;
	bool *group; /* by unit */
};

void matches_make(const struct side *const *, size_t n, struct matches *);
void matches_free(struct matches *);

#endif
