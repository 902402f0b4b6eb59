/* How busy the cores were over the whole run, by class and column, summed over all cores, one track at a
 * time.  `sc` and `colors` are set once; the owner frees `busy`. */
#ifndef VIEW_TIMELINE_MINIMAP_H
#define VIEW_TIMELINE_MINIMAP_H

#include "view/timeline/draw/colors.h"

struct minimap {
	struct scene *sc;
	const struct colors *colors;
	double *busy; /* [w][CLASS_COUNT], sums over the tracks done */
	struct viewport port;
	unsigned made; /* the scene's changes when it was made */
	size_t done;
};

bool minimap_step(struct minimap *, int64_t budget_us); /* more to do? */
bool minimap_done(const struct minimap *);

#endif
