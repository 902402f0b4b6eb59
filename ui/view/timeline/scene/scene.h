/* What is looked at: the dump, its rows, which piece of time is in view, and where the cursor is.  All that is
 * drawn, marked, searched or summed up stands on this and adds a state of its own. */
#ifndef VIEW_TIMELINE_SCENE_H
#define VIEW_TIMELINE_SCENE_H

#include "core/view.h"
#include "view/timeline/rows/rows.h"
#include "view/timeline/scene/cursor.h"
#include "view/timeline/scene/picks.h"
#include "view/timeline/viewport/layout.h"
#include "view/timeline/viewport/viewport.h"

/* Counted up by whoever changes it; what is made from it remembers the number it was made at. */
struct scene_changes {
	unsigned rows;   /* made again */
	unsigned unions; /* of threads */
	unsigned times;  /* of events: another clock, other hosts, hosts aligned */
	unsigned hits;   /* what search and filter match */
	unsigned colors;
};

/* From times of planes to those of the screen, while hosts are aligned. */
struct scene_shift {
	bool on;
	bool inside;    /* cursor and viewport speak in times of a host now */
	int64_t *plane; /* by plane */
	int64_t zero;   /* where the step begins on the first host */
};

struct scene {
	struct view *view;
	struct dump *dump;
	int host; /* whose rows these are, -1 = all */
	struct layout lay;
	struct viewport port;
	struct rows rows;
	struct cursor cursor;
	struct picks picks;
	struct scene_shift shift;
	struct scene_changes changes;
	bool open[PANES]; /* PANE_EVENT: while an event is selected, whatever stands here */
};

#endif
