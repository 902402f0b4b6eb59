/* What a number was at the last moments, which are counted from 0 by whoever asks for it, and graphs of it.  A graph
 * has room for everything at first, then a cell stands for several moments, and at last it moves to the left, by half,
 * so that a frame changes few cells.  NaN = not known, drawn as a dot.  Plain values. */
#ifndef JOB_PAST_H
#define JOB_PAST_H

#include <stdint.h>

#include "core/paint/canvas.h"

#define PAST_MAX 1200

struct past {
	float v[PAST_MAX];
	size_t from; /* the first moment that was put */
};

/* The moments in a graph of w cells, when there have been n. */
struct past_span {
	size_t first, each; /* each: moments of a cell */
};

/* How many moments of so many ms began since the last one, which moves on by them; 1 at first, when it is 0. */
size_t past_began(int64_t *last, int64_t now, int ms);
void past_put(struct past *, size_t moment, double v);
double past_at(const struct past *, size_t moment, size_t n); /* NaN: too long ago */
double past_largest(const struct past *, size_t n);           /* 0: nothing is known */
struct past_span past_span(size_t n, int w);
/* In one row of w cells, from 0 to top. */
void past_line(const struct past *, size_t n, struct canvas *, int y, int x, int w, double top);
/* Over an axis, with the newest value at the end of the first row. */
void past_chart(const struct past *, size_t n, struct canvas *, struct rect, double top);

#endif
