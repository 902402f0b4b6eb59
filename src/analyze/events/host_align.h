/* Estimates from the steps of a run how far the clocks of its hosts are apart (tpuscope(7), CLOCKS).  Hosts
 * of one program begin the same step together, so the difference between the begins of a step on two hosts is
 * the offset of their clocks plus the time that one waited for the other; the median over all steps removes
 * most of the latter.  A step of a host begins when it begins on the first of its cores.  Steps are matched
 * by number, runs of a module by their position.  This is an estimate: it cannot tell a clock that is behind
 * from a host that is always late.  Times are ps.  The dump is only read; nothing in it is moved. */
#ifndef ANALYZE_EVENTS_HOST_ALIGN_H
#define ANALYZE_EVENTS_HOST_ALIGN_H

#include "analyze/steps/steps.h"

struct align_host {
	/* the host and the first host with steps have steps in common (true for that one itself) */
	bool known;
	size_t steps;   /* number of steps that matched */
	int64_t offset; /* how far its clock is ahead of that of the first host */
	int64_t spread; /* median distance of the single differences from the offset */
};

/* out: dump->nhosts elements.  Returns how many hosts are known. */
size_t align_estimate(const struct dump *, const struct steps *, struct align_host *out);

/* Computes what to add to the times of each host so that the earliest begin of step `id` is the same on all
 * hosts as on the first: shift[dump->nhosts], 0 for a host without that step.  *zero: when the step begins
 * then.  Returns false when no host has it. */
bool align_on_step(const struct dump *, const struct steps *, int64_t id, int64_t *shift, int64_t *zero);

#endif
