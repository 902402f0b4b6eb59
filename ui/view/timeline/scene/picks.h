/* Events and tracks that are selected together (Space, V): the events define an interval, the tracks limit
 * the statistics.  They refer to events, so they are cleared when events move. */
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

unsigned picks_toggle(struct scene *); /* toggles the event at the cursor, or the track if there is none */
unsigned picks_toggle_track(struct scene *);
bool picks_has(const struct scene *, uint32_t track, size_t event);
bool picks_clear(struct scene *); /* for when events moved, or to clear all; false: there were none */
void picks_free(struct picks *);
/* the interval from the first begin to the last end of what is selected, in times as the cursor's */
bool picks_span(const struct scene *, int64_t *t0, int64_t *t1);

#endif
