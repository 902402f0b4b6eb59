/* The filter: events that do not match are dimmed until its text is empty.  `sc` is set once; filter_set()
 * with "" frees the rest. */
#ifndef VIEW_TIMELINE_FILTER_H
#define VIEW_TIMELINE_FILTER_H

#include "view/timeline/search/matches.h"

struct filter {
	struct scene *sc;
	struct matches match; /* find NULL = none */
	unsigned changes;     /* incremented when other events pass */
};

static inline bool filter_on(const struct filter *f)
{
	return f->match.find && !f->match.working;
}

struct window;

void filter_apply(const struct filter *, struct window *);       /* while it is on, only what passes counts */
int filter_set(struct filter *, const char *text, struct err *); /* "" ends it; hits so far, -1 = err */
bool filter_leave(struct filter *);                              /* ends it; false: there was none */
void filter_again(struct filter *);               /* after a change of rows or of their events */
bool filter_step(struct filter *, int budget_ms); /* more to do? */

#endif
