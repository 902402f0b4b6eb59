/* The pane of what is in view: the time of the cores by kind, and the names that take most of it.  Kinds
 * are summed when they are drawn, names in slices; of the events that pass the filter, both in slices.  `sc`,
 * `colors` and `filter` are set once; inview_free() frees
 * the rest. */
#ifndef VIEW_TIMELINE_INVIEW_H
#define VIEW_TIMELINE_INVIEW_H

#include "analyze/interval/window.h"
#include "view/timeline/draw/colors.h"
#include "view/timeline/search/filter.h"

struct inview {
	struct scene *sc;
	const struct colors *colors;
	const struct filter *filter;
	struct window shown, work;
	int64_t shown_t0, shown_t1, work_t0, work_t1;
	bool has, working;
	uint32_t *tracks; /* of the sums in progress */
	int64_t class_t0, class_t1;
	unsigned made, class_made; /* the scene's and the filter's changes when they were made */
	/* coarse_ps: busy time of digests that is not in their ops */
	double class_ps[CLASS_COUNT], coarse_ps, host_ps;
	bool has_class, has_host;
	bool looked, no_kinds; /* no_kinds: matmuls and other compute are not told apart; known once looked */
};

bool inview_step(struct inview *, int budget_ms); /* more to do? */
void inview_free(struct inview *);
void inview_draw(struct inview *, struct canvas *, struct rect);
int inview_copy(const struct inview *, FILE *); /* all names; -1 = not ready */

#endif
