/* The position on the timeline: a row, a time, perhaps a selected event; and moves from there.  Moves return
 * REACT_ bits and show a message if there is nothing to move to. */
#ifndef VIEW_TIMELINE_CURSOR_H
#define VIEW_TIMELINE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/input/action.h"

struct scene;

enum cursor_tool { CURSOR_SELECTS, CURSOR_PANS, CURSOR_ZOOMS, CURSOR_TIMES }; /* what arrows and mouse do */

struct cursor {
	/* indices in rows.vis; row i of the screen shows top + i, or i for a pinned row */
	size_t row, top;
	int64_t at;
	bool selected;
	uint32_t track; /* of the selected event */
	size_t event;
	unsigned chosen; /* counts selections */
	bool full;       /* the event is shown on the whole screen */
	enum cursor_tool tool;
};

/* the event under the cursor, on its row */
bool cursor_event(const struct scene *, size_t *event, uint32_t *track);
/* the event that keys start from: the selected one, else the one under the cursor */
bool cursor_from_event(const struct scene *, uint32_t *track, size_t *event);
bool cursor_in(const struct scene *, uint32_t track, size_t event); /* is the cursor in the event? */
void cursor_select(struct scene *, uint32_t track, size_t event);
void cursor_unselect(struct scene *);
void cursor_leave_selection(struct scene *); /* unless the cursor is in it */

void cursor_go(struct scene *, int64_t from, int64_t to); /* jumps to an interval */
bool cursor_go_to_event(struct scene *, uint32_t track, size_t event);
void cursor_move_row(struct scene *, long by);
unsigned cursor_move_event(struct scene *, int dir, int count);
unsigned cursor_move_same(struct scene *, int dir, int count);
unsigned cursor_move_step(struct scene *, int dir, int count);
unsigned cursor_move_family(struct scene *, enum action, int count); /* parent, child, longest child */
unsigned cursor_move_edge(struct scene *, int dir, int count);       /* from edge to edge of events */
/* begin or end of an event on its row, the next one after or before t */
bool cursor_edge(const struct scene *, int64_t t, int dir, int64_t *edge);
/* the step that it is in, on its row, and the time since its start */
bool cursor_step(const struct scene *, int64_t *into, char *name, size_t size);
const char *cursor_tool_name(const struct scene *); /* "" for the one that selects */

#endif
