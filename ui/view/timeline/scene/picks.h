/* Events and tracks that are selected together (Space, V, a box that the mouse drew): the events define an interval,
 * and two or more are what the statistics are of; the tracks limit the statistics.  They refer to events, so they are
 * cleared when events move. */
#ifndef VIEW_TIMELINE_PICKS_H
#define VIEW_TIMELINE_PICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scene;
struct window;

enum { PICKS_MOST = 20000 }; /* events in a box */

struct pick {
	uint32_t track;
	size_t event;
};

struct picks {
	struct pick *v; /* in the order of tracks and events */
	size_t n, cap;
	bool cut; /* the box has more events than PICKS_MOST, and they are the first ones */
	unsigned changes;
	uint32_t *track;
	size_t ntracks, track_cap;
};

unsigned picks_toggle(struct scene *); /* toggles the event at the cursor, or the track if there is none */
unsigned picks_toggle_track(struct scene *);
bool picks_has(const struct scene *, uint32_t track, size_t event);
size_t picks_from(const struct scene *, uint32_t track, size_t event); /* the first at or after it */
/* selects the events of the row at a place that overlap the columns a to b, in place of all others if it is the first
 * row; after the last one picks_box_end() */
void picks_box(struct scene *, size_t place, bool first, int64_t a, int64_t b);
void picks_box_end(struct scene *);
void picks_apply(const struct scene *, struct window *); /* only they count */
int64_t picks_sum(const struct scene *);                 /* of their durations */
bool picks_clear(struct scene *); /* for when events moved, or to clear all; false: there were none */
void picks_free(struct picks *);
/* the interval from the first begin to the last end of what is selected, with the event of the cursor or not, in
 * times as the cursor's */
bool picks_span(const struct scene *, bool cursor, int64_t *t0, int64_t *t1);

#endif
