/* How far the clocks of the hosts of a run are apart, as its steps tell (tpuscope(7), CLOCKS): hosts of one
 * program begin the same step together, so the difference of the begins of a step on two hosts is the offset
 * of their clocks plus what one waited for the other; the median over all steps leaves the first.  A step of
 * a host begins where it does on the first of its cores; steps meet by number (runs of a module by their
 * ordinal).  An estimate: it cannot tell a clock that is late from a host that always is.  Units ps.
 * Read-only; nothing in the dump moves. */
#ifndef ANALYZE_EVENTS_HOST_ALIGN_H
#define ANALYZE_EVENTS_HOST_ALIGN_H

#include "analyze/steps/steps.h"

struct align_host {
	/* has steps that the first host with steps has too (that one itself: yes) */
	bool known;
	size_t steps;   /* that met */
	int64_t offset; /* its clock is that much ahead of the first host's */
	int64_t spread; /* median distance of the single differences from it */
};

/* out: dump->nhosts of them; returns how many are known */
size_t align_estimate(const struct dump *, const struct steps *, struct align_host *out);

/* What to add to the times of each host so that the earliest begin of step `id` is the first host's
 * everywhere: shift[dump->nhosts]; 0 for a host without that step.  false: no host has it.  *zero: where
 * it begins then. */
bool align_on_step(const struct dump *, const struct steps *, int64_t id, int64_t *shift, int64_t *zero);

#endif
