/* The ops of one core and the step that each belongs to.  Which step is decided on the plain clock, where the markers stand (an op belongs to the first step that it overlaps); how long it takes is
 * the device's pair where the file has it (clock_pair).  Ops are sorted by start on that clock, longer first; `self` is the duration less the ops directly inside.  ps.
 * The dump is only read and must stay; the caller frees (step_ops_free), also when reading was cancelled. */
#ifndef ANALYZE_STEP_OPS_H
#define ANALYZE_STEP_OPS_H

#include "analyze/steps.h"
#include "base/progress.h"

struct step_op {
	int64_t start, dur, self;
	uint32_t track;
	size_t event;
	size_t step;			/* among the rows given; SIZE_MAX = in none */
};

struct step_ops { struct step_op *v; size_t n, cap; };

/* rows: the steps of one core, by start; false: cancelled.  progress is told of every op read. */
bool step_ops_read(const struct dump *, const struct step *row, size_t nrows, struct progress *, struct step_ops *);
void step_ops_free(struct step_ops *);
uint64_t step_ops_count(const struct dump *, uint32_t plane);	/* how many there are to read */

#endif
