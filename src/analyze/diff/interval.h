/* Is it a difference?  Intervals of 95 % for the shift between two groups of captures (tpuscope(7), DIFF), without
 * random numbers.  Between steps: the shift of all steps of one side against all of the other (Mann-Whitney), where
 * each side counts as fewer steps when steps depend on the one before.  Between runs: the difference of the means of
 * one value a capture (Student).  Pure; nothing is kept. */
#ifndef ANALYZE_DIFF_INTERVAL_H
#define ANALYZE_DIFF_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct series { /* of one capture, in order of steps */
	const int64_t *v;
	size_t n;
};

struct interval {
	bool known;       /* false: too few */
	double low, high; /* new less base, in the unit of the values */
	size_t count[2];  /* what base and new count as: steps, or captures */
	double effect;    /* between steps: 2 P(new > base) + P(=) − 1 */
};

/* the captures of base and new */
struct interval interval_of_steps(const struct series *base, size_t nbase, const struct series *new,
    size_t nnew);
struct interval interval_of_runs(const double *base, size_t nbase, const double *new, size_t nnew);
/* whether there are captures enough for an interval between runs */
bool interval_has_runs(size_t nbase, size_t nnew);

#endif
