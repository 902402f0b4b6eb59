/* The pane of statistics: of the marked interval, else of what is in view; by name and by track, of the tracks that
 * were chosen, else of all cores.  Made in slices; what was there stays until the new interval has something to
 * show.  `sc` and `marks` are given once; statistics_free() frees the rest, also when events have other times. */
#ifndef VIEW_TIMELINE_STATISTICS_H
#define VIEW_TIMELINE_STATISTICS_H

#include "analyze/interval/interval.h"
#include "view/timeline/marks/marks.h"

struct statistics {
	struct scene *sc;
	const struct marks *marks;
	bool by_track, reverse;
	int by_name_key, by_track_key; /* columns sorted by */
	size_t top;
	struct interval shown, next; /* next: of another interval, until it has something to show */
	bool has, working;
	uint32_t *order;
	size_t norder; /* names, then tracks, in the order shown */
	bool sorted;
	size_t rows; /* in sight, for a page */
};

unsigned statistics_key(struct statistics *);             /* opens, then by name or by track */
bool statistics_step(struct statistics *, int budget_ms); /* more to do? */
void statistics_free(struct statistics *);
void statistics_sort(struct statistics *, int by,
    bool reverse);                                      /* by: columns further; reverse: turn round */
bool statistics_scroll(struct statistics *, int pages); /* false: not open */
void statistics_draw(struct statistics *, struct canvas *, struct rect);
void statistics_status(const struct statistics *, char *left, char *right, size_t size);
int statistics_copy(struct statistics *, FILE *); /* both tables, tab separated; -1 = not open */

#endif
