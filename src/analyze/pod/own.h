/* Which time of a core is its own work, for which the others of a pod wait (tpuscope(7), POD).  The array has a value
 * for each core and belongs to the caller.  Pure. */
#ifndef ANALYZE_POD_OWN_H
#define ANALYZE_POD_OWN_H

#include "analyze/ops/step_cores.h"

/* In ps, in a step or (SIZE_MAX) as the mean of its steps; NaN: it has none.  That is all but idle time, infeed
 * and outfeed, and waiting for others in collectives, sends and receives; but what a core idles more than the
 * median counts as far as the others wait that much longer for it; the median of an even number is the better one,
 * because of two hosts one may be late. Idle time after the last op does not count where waits are not known (sync
 * -1). Where hosts wait for each other, so that their cores idle, nobody waits for who idles. */
void pod_own_times(const struct step_cores *, size_t step, double *own);
/* The own work of a core in its mean step, and the median of all cores; returns the mean step of all, ps. */
double pod_own_mean(const struct step_cores *, size_t core, double *own, double *median);
/* For a host whose cores all take longer than every core of the other hosts: finds its mean, and that of the median of
 * the others; returns the mean step.  NaN: there is no other host, or it does not stand out. */
double pod_own_host(const struct step_cores *, int host, double *own, double *other);

#endif
