/* Events and tracks that are selected together (Space, V): the events say a piece of time, the tracks what the
 * statistics are limited to.  They name events, so they go when events get other places. */
#ifndef VIEW_TIMELINE_PICKS_H
#define VIEW_TIMELINE_PICKS_H

#include <stddef.h>
#include <stdint.h>

struct pick {
	uint32_t track;
	size_t event;
};

struct picks {
	struct pick *v;
	size_t n, cap;
	uint32_t *track;
	size_t ntracks, track_cap;
};

#endif
