/* The rectangles of the timeline: strips on top, gutter and plot, the pane below.  A pure function of the
 * area and of what the pane shows, never of the cursor, so that moving never moves a row. */
#ifndef VIEW_TIMELINE_LAYOUT_H
#define VIEW_TIMELINE_LAYOUT_H

#include "core/paint/canvas.h"

/* What may stand below the rows; of several that are open the last one. */
enum pane { PANE_VIEW, PANE_ALIGN, PANE_EVENT, PANE_HITS, PANE_STATS, PANE_CHAIN, PANE_STEPS };

enum { PANES = PANE_STEPS + 1 };

struct layout {
	struct rect area;
	int gutter;                           /* columns of it, with its line; the line is the last one */
	bool numbers, narrow;                 /* a number column; short names */
	int minimap, hits, ruler;             /* rows, -1 = not there */
	struct rect names, plot, ticks, pane; /* rows of tracks; h 0 = not there */
};

void layout_make(struct layout *, struct rect area, enum pane, bool searching);

#endif
