/* The contents of each column of a row, kept while it is in view, so that a pan makes only new columns; made
 * again when rows, times, hits or colors changed.  What it is made from is set once; cells_free() frees the
 * rest. */
#ifndef VIEW_TIMELINE_CELLS_H
#define VIEW_TIMELINE_CELLS_H

#include "view/timeline/draw/colors.h"
#include "view/timeline/draw/counters.h"
#include "view/timeline/draw/subset.h"

struct cells_column {
	uint32_t big;    /* event + 1 that fills at least 3/4 of the column, 0 = none */
	uint8_t class;   /* the class with the largest share */
	uint8_t eighths; /* busy eighths of the column; 0 = less than one, or none */
	uint8_t begins;  /* number of events that begin here; 2 = two or more */
	bool any;        /* something is here */
	/* While a search or filter is on: something that it leaves is here, and class and eighths are of that
	 * alone; or nothing is, which is dim.  Neither: not known yet. */
	bool hit, dim;
};

struct cells_slot {                  /* one row, kept from frame to frame */
	uint32_t node, track, stamp; /* stamp: the frame that used it last */
	int row, from, to;           /* from … to: columns to make in this frame */
	int64_t c, k;                /* c 0: empty */
	struct cells_column *cell;
};

struct cells {
	struct scene *sc;
	struct colors *colors;
	struct subset *subset;
	struct counters *counters;
	struct cells_slot *slot;
	size_t nslot;
	struct cells_column *pool;
	int w;
	uint32_t stamp;
	unsigned made; /* sum of the scene's changes when it was made */
	struct lod_cell *scratch;
	size_t scratch_cap;
};

void cells_free(struct cells *);
void cells_frame(struct cells *, size_t top, int rows); /* makes the columns of all visible rows */
const struct cells_column *cells_row(const struct cells *, uint32_t node); /* NULL: nothing to draw */

#endif
