/* Where one is on the timeline: a row, a time, perhaps a selected event. */
#ifndef VIEW_TIMELINE_CURSOR_H
#define VIEW_TIMELINE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cursor_tool { CURSOR_SELECTS, CURSOR_PANS, CURSOR_ZOOMS, CURSOR_TIMES }; /* what arrows and mouse do */

struct cursor {
	/* places in rows.vis; row i of the screen shows top + i, or i where a pinned row stands */
	size_t row, top;
	int64_t at;
	bool selected;
	uint32_t track; /* of the selected event */
	size_t event;
	bool full; /* it has the whole screen */
	enum cursor_tool tool;
};

#endif
