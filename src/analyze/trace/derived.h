/* Making a track that no file has; used by the derive*.c files.  Call derived_begin(), add kinds and events,
 * then derived_end(), which nests, classifies and indexes the track and puts it into the trace.  Events may
 * come in any order; the order of track_nest() saves sorting.  Owner thread of the dump only. */
#ifndef ANALYZE_TRACE_DERIVED_H
#define ANALYZE_TRACE_DERIVED_H

#include "model/dump.h"

struct derived {
	struct dump *d;
	struct track t;
	size_t first_meta; /* kinds from this one on belong to the track */
};

void derived_begin(struct derived *, struct dump *, uint32_t plane, enum track_role, const char *name);
uint32_t derived_meta(struct derived *, const char *name, size_t len, strid full);
bool derived_event(struct derived *, int64_t start, int64_t dur, uint32_t meta); /* false = no memory */

/* old: the track to replace, UINT32_MAX = append a new one.  Returns UINT32_MAX when there are no events. */
uint32_t derived_end(struct derived *, uint32_t old, enum event_class);

#endif
