/* Events and tracks that are selected together (Space, V): the events say a piece of time, the tracks what the
 * statistics are limited to.  They name events, so they go when events get other places. */
#ifndef VIEW_TIMELINE_PICKS_H
#define VIEW_TIMELINE_PICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scene;

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

unsigned picks_toggle(struct scene *); /* the event at the cursor; without one the track */
unsigned picks_toggle_track(struct scene *);
bool picks_has(const struct scene *, uint32_t track, size_t event);
bool picks_clear(
    struct scene *); /* events got other places, or all of them are put away; false: none were there */
void picks_free(struct picks *);
/* in times as the cursor is: from the first begin to the last end of what is selected */
bool picks_span(const struct scene *, int64_t *t0, int64_t *t1);

#endif
