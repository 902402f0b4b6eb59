/* Functions that steps.c, overview/generic.c (alignment) and ops/step_cores.c (order) share: step numbers
 * across cores and hosts, and statistics of steps.  Rows are sorted by host, core, start. */
#ifndef ANALYZE_STEPS_ROWS_H
#define ANALYZE_STEPS_ROWS_H

#include "analyze/steps/steps.h"

/* Aligns several hosts by XProf's rule: the host whose steps span the shortest time leads.  Each other host
 * is shifted by the number of steps that gives the largest overlap with it.  Steps that all hosts have are
 * numbered from 0. Changes the IDs. */
void steps_align(struct steps *);

/* Orders pointers to rows by ID and, within one ID, by their place. */
int steps_by_id(const void *, const void *);

/* Returns the end of the run of rows from a on that have the same host. */
static inline size_t steps_host_end(const struct steps *s, size_t a)
{
	size_t b = a;

	while (b < s->n && s->v[b].host == s->v[a].host)
		b++;
	return b;
}

/* Returns the end of the run of rows from a on that have the same host and core. */
static inline size_t steps_core_end(const struct steps *s, size_t a)
{
	size_t b = a;

	while (b < s->n && s->v[b].host == s->v[a].host && s->v[b].core == s->v[a].core)
		b++;
	return b;
}

/* sets `open` */
void steps_mark_open(const struct dump *, struct steps *);

/* sets interval, outlier, and the summary: distinct, avg_ms and so on */
void steps_statistics(struct steps *);

/* Tells for each row whether all cores of all hosts have a step of that ID.  The caller frees. */
bool *steps_everywhere(const struct steps *);

/* Measures each row on the device clock, from its first op to that of the next row, the last row to the end
 * of its ops.  Sets dur of pseudo steps on planes whose clocks differ, because modules have no device pair of
 * their own. */
void steps_extent(const struct dump *, struct steps *);

#endif
