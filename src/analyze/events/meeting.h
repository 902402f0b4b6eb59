/* The runs of one collective on the cores that take part (tpuscope(7), ARROWS): which core came last, so
 * that the others waited for it.  Runs meet if their ops have the same name, their times overlap, and they
 * have the same all_reduce_unique_id; runs without an ID meet if they end together, because all cores leave a
 * collective at the same time.  The caller frees (meeting_free); the dump is only read. */
#ifndef ANALYZE_EVENTS_MEETING_H
#define ANALYZE_EVENTS_MEETING_H

#include "model/dump.h"

struct meeting_run {
	uint32_t track;
	size_t event;
};

struct meeting {
	struct meeting_run *v; /* the first is the one that was asked about; one run per core */
	size_t n, cap, last;   /* last: index of the run that began last */
};

/* Returns false, and nothing to free, when the event is no collective of a core or no other core's run of it
 * is in the capture. */
bool meeting_of(const struct dump *, uint32_t track, size_t event, struct meeting *);
void meeting_free(struct meeting *);

#endif
