/* Parts of steps.c in files of their own: numbers across cores and hosts, and what the ops of a step did.
 * Used by steps.c, the alignment by overview_generic.c, the order by step_cores.c, too; rows are sorted by
 * host, core, start. */
#ifndef ANALYZE_STEPS_ROWS_H
#define ANALYZE_STEPS_ROWS_H

#include "analyze/steps/steps.h"

/* Several hosts: XProf's rule.  The host whose steps span the shortest time leads; each other host is
 * shifted by the number of steps that makes the overlap of the spans largest; what all have is counted
 * from 0.  Changes the ids. */
void steps_align(struct steps *);

/* Orders pointers to rows; those of one id as they stand. */
int steps_by_id(const void *, const void *);

/* Row a begins a run of rows with the same host (and core): its end. */
static inline size_t steps_run_end(const struct steps *s, size_t a, bool core)
{
	size_t b = a;

	while (b < s->n && s->v[b].host == s->v[a].host && (!core || s->v[b].core == s->v[a].core))
		b++;
	return b;
}

/* interval, outlier, and the summary: distinct, avg_ms … */
void steps_statistics(struct steps *);

/* For each row: do all cores (of all hosts) have a step of that id?  The caller frees. */
bool *steps_everywhere(const struct steps *);

/* First begin to last end of the ops of each row on the device's clock: sets dur of pseudo steps on planes
 * whose clocks differ, as their markers have no device pair. */
void steps_extent(const struct dump *, struct steps *);

#endif
