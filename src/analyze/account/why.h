/* Which ops make a step longer or shorter than the median step of its core (differ.h): the ops whose self times in the
 * two differ most.  They are found in the pass that cuts the steps into kinds of time.  Names belong to the dump.  A
 * digest has no single ops: then none are known.  Any thread. */
#ifndef ANALYZE_ACCOUNT_WHY_H
#define ANALYZE_ACCOUNT_WHY_H

#include "analyze/ops/step_cores.h"

enum { WHY_OPS = 4, WHY_TEXT = 512 };

/* of one row, largest difference first; n 0: not known, or no op takes longer or shorter */
struct step_why {
	struct why_op {
		strid name;   /* in the trace; op_name_in() makes it short */
		double ps[2]; /* self time in the step, in the median one */
	} op[WHY_OPS];
	size_t n;
};

/* Makes the cells of all cores (step_cores_build()), and of each row in which ops it differs; medians:
 * account_row_medians().  When canceled, the numbers are meaningless.  The caller frees. */
struct step_why *step_why_build(const struct dump *, const struct steps *, const size_t *medians,
    const char *host, int threads, struct progress *, struct step_cores *);
/* "fusion.3 +0.26, copy.4 −0.02 ms": ops with a tenth at least of `by`, what the step differs by; at most `most`.
 * Returns buf, "" for none. */
char *step_why_say(const struct dump *, const struct step_why *, double by, size_t most, bool ascii,
    char *buf, size_t size);

#endif
