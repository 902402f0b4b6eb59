/* What is on top of a track at each moment: of the events open then, the one that began last (in a nest, the
 * innermost).  sweep_next() returns pieces of time from left to right, each with its event, and leaves out
 * gaps.  Events that begin at `until` or later are not touched, so that a walk can continue with a later
 * `until`.  To start in the middle, the caller sets `next` to the first event to process and `now` to a
 * moment not after its start, and calls sweep_push() for the events open then, in order of index.
 * sweep_free() frees the stack and leaves an empty one that can be used again.  One thread per sweep. */
#ifndef MODEL_SWEEP_H
#define MODEL_SWEEP_H

#include <stdlib.h>

#include "base/mem.h"
#include "model/trace.h"

struct sweep_open {
	int64_t end;
	size_t event;
};

struct sweep {
	const struct track *track;
	size_t next;
	int64_t now;
	struct sweep_open *open;
	size_t nopen, cap; /* ascending by event; some may have ended already */
};

struct sweep_piece {
	int64_t from, to;
	size_t event;
};

/* Events that have ended may lie below longer ones.  They are removed before the stack grows, so that it does
 * not get larger than the number of events open at once requires. */
static inline void sweep_make_room(struct sweep *w)
{
	size_t kept = 0;

	for (size_t k = 0; k < w->nopen; k++)
		if (w->open[k].end > w->now)
			w->open[kept++] = w->open[k];
	w->nopen = kept;
	if (kept >= w->cap / 2) {
		w->cap = w->cap ? w->cap * 2 : 64;
		w->open = xrealloc(w->open, w->cap, sizeof *w->open);
	}
}

static inline void sweep_push(struct sweep *w, size_t i)
{
	if (w->nopen == w->cap)
		sweep_make_room(w);
	w->open[w->nopen++] = (struct sweep_open){ track_end(w->track, i), i };
}

static inline bool sweep_next(struct sweep *w, int64_t until, struct sweep_piece *p)
{
	const struct track *t = w->track;

	for (;;) {
		bool more = w->next < t->n && track_start(t, w->next) < until;
		int64_t limit = more ? track_start(t, w->next) : until;

		while (w->nopen && w->open[w->nopen - 1].end <= w->now)
			w->nopen--;
		if (w->now < limit) {
			p->from = w->now;
			w->now = limit;
			if (w->nopen) {
				const struct sweep_open *top = &w->open[w->nopen - 1];

				if (top->end < limit)
					w->now = top->end;
				p->to = w->now;
				p->event = top->event;
				return true;
			}
		}
		if (!more)
			return false;
		sweep_push(w, w->next++);
	}
}

static inline void sweep_free(struct sweep *w)
{
	free(w->open);
	w->open = NULL;
	w->nopen = w->cap = 0;
}

#endif
