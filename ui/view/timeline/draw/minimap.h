/* How busy the cores were over the whole run, by class and column, summed over all cores, one track at a
 * time; while a filter is on, with the events that pass.  `sc`, `colors` and `subset` are set once; the owner frees
 * `busy`. */
#ifndef VIEW_TIMELINE_MINIMAP_H
#define VIEW_TIMELINE_MINIMAP_H

#include "view/timeline/draw/subset.h"

struct minimap {
	struct scene *sc;
	const struct colors *colors;
	const struct subset *subset;
	double *busy; /* [w][CLASS_COUNT], sums over the tracks done */
	struct viewport port;
	unsigned made; /* the scene's changes when it was made */
	size_t done;
};

/* more to do?  at_once: also what takes longer than a frame may */
bool minimap_step(struct minimap *, int64_t budget_us, bool at_once);
bool minimap_done(const struct minimap *);

#endif
