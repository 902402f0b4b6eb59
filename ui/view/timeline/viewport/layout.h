/* The rectangles of the timeline: strips on top, gutter and plot, the pane below.  A pure function of the
 * area, the pane and the number of rows, never of the cursor, so that moving the cursor never moves a row. */
#ifndef VIEW_TIMELINE_LAYOUT_H
#define VIEW_TIMELINE_LAYOUT_H

#include "core/paint/canvas.h"

/* What can be shown below the rows; if several are open, the last one is. */
enum pane { PANE_VIEW, PANE_ALIGN, PANE_EVENT, PANE_HITS, PANE_STATS, PANE_CHAIN, PANE_STEPS };

enum { PANES = PANE_STEPS + 1 };

struct layout {
	struct rect area;
	int gutter;                           /* its columns, including the line at the right */
	bool numbers, narrow;                 /* a number column; short names */
	int minimap, hits, ruler;             /* rows of the screen, -1 = not shown */
	struct rect names, plot, ticks, pane; /* of the rows; h 0 = not shown */
};

/* most: rows that the pane can fill, 0 = any number.  rows: how many rows the plot has; what they leave free, a
 * pane with a list gets; 0 = not known */
void layout_make(struct layout *, struct rect area, enum pane, int most, size_t rows, bool searching);

#endif
