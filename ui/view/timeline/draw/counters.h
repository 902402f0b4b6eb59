/* Values of counters: the largest one in an interval, from an index made when a counter is first used, and as
 * text.  `sc` is set once; counters_free() frees the rest. */
#ifndef VIEW_TIMELINE_COUNTERS_H
#define VIEW_TIMELINE_COUNTERS_H

#include "view/timeline/scene/scene.h"

struct counters_index {
	int counter;
	double *max;
};

struct counters {
	const struct scene *sc;
	struct counters_index *v;
	size_t n;
};

double counters_peak(struct counters *, int counter, int64_t t0, int64_t t1, bool *any);
void counters_free(struct counters *);
bool counter_is_bytes(const struct scene *, const struct counter *);
bool counter_has_unit(const struct scene *, const struct counter *);
/* name, value and since when, if the cursor is on the row of a counter, else false */
bool counters_here(const struct scene *, char *buf, size_t size);

#endif
