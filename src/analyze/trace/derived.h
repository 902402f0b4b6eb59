/* A track in the making that no file holds: what derive*.c share.  derived_begin(), kinds and events,
 * derived_end(), which nests, classifies and indexes it and puts it into the trace; events come in the
 * order of track_nest() or get sorted.  Owner thread only. */
#ifndef ANALYZE_TRACE_DERIVED_H
#define ANALYZE_TRACE_DERIVED_H

#include "model/dump.h"

struct derived {
	struct dump *d;
	struct track t;
	size_t first_meta; /* kinds from here on are its own */
};

void derived_begin(struct derived *, struct dump *, uint32_t plane, enum track_role, const char *name);
uint32_t derived_meta(struct derived *, const char *name, size_t len, strid full);
bool derived_event(struct derived *, int64_t start, int64_t dur, uint32_t meta); /* false = no memory */

/* old: the track to take the place of, UINT32_MAX = a new one.  UINT32_MAX when there is no event. */
uint32_t derived_end(struct derived *, uint32_t old, enum event_class);

#endif
