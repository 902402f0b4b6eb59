/* Pieces of time [from, to) in ps, and lists of them in order of time.  A list belongs to its owner, who frees
 * its `v`; { 0 } is an empty one.  One thread per list. */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stddef.h>
#include <stdint.h>

struct span {
	int64_t from, to;
};

#define SPAN_EMPTY ((struct span){ INT64_MAX, INT64_MIN }) /* for span_widen() */

struct spans {
	struct span *v;
	size_t n, cap;
};

static inline void span_widen(struct span *s, int64_t from, int64_t to)
{
	if (from < s->from)
		s->from = from;
	if (to > s->to)
		s->to = to;
}

void spans_push(struct spans *, int64_t from, int64_t to); /* at the end, as it is */
/* At the end; a span that touches the last one becomes a part of it.  It must not begin before the last one. */
static inline void spans_append(struct spans *s, int64_t from, int64_t to)
{
	struct span *last = s->n ? &s->v[s->n - 1] : NULL;

	if (!last || from > last->to)
		spans_push(s, from, to);
	else if (to > last->to)
		last->to = to;
}
void spans_unite(struct spans *all, struct spans *more);     /* puts `more` into `all` and empties it */
void spans_add(struct spans *all, const struct spans *more); /* copies them to the end, as they are */
void spans_join(struct spans *);            /* brings them in order; those that touch become one */
int64_t spans_length(const struct spans *); /* their sum, clamped to 64 bits */

#endif
