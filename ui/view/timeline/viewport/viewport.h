/* The columns of time of a plot: the part of the run in view, and the zoom.  Column k spans [k·c, (k+1)·c),
 * with k counted from time 0, so that a pan by whole columns never changes what a column shows.  Times are ps
 * as in the model; pure arithmetic, owns nothing. */
#ifndef VIEW_TIMELINE_VIEWPORT_H
#define VIEW_TIMELINE_VIEWPORT_H

#include <stdbool.h>
#include <stdint.h>

struct viewport {
	int64_t first, last; /* of the run */
	int64_t c, k;        /* width of a column; number of the first column */
	/* added to times before they are converted to columns: the shift of the host whose rows are being
	 * handled */
	int64_t shift;
	int w;
	bool whole; /* shows the whole run, also after a resize */
};

static inline int64_t clamp64(int64_t v, int64_t lo, int64_t hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}
int64_t floor_div(int64_t a, int64_t b);
/* the next of 1, 1.4, 2, 2.8, 4, 5.6, 7.5 × 10^n below (-1) or above (+1) */
int64_t viewport_zoom_step(int64_t c, int dir);
void viewport_init(struct viewport *, int64_t first, int64_t last, int w);
void viewport_whole(struct viewport *);
void viewport_resize(struct viewport *, int w);
void viewport_zoom(struct viewport *, int64_t around,
    int steps); /* steps > 0: in; `around` keeps its column */
void viewport_pan(struct viewport *, int64_t columns);
void viewport_fit(struct viewport *, int64_t t0, int64_t t1);
/* keeps the zoom; a short interval goes to the middle, so that a series of moves pans rarely */
void viewport_reveal(struct viewport *, int64_t t0, int64_t t1);
int viewport_column(const struct viewport *, int64_t t);   /* may be < 0 or >= w, clamped to -1 and w */
int64_t viewport_time(const struct viewport *, int64_t x); /* start of column x of the view */
static inline int64_t viewport_begin(const struct viewport *g)
{
	return viewport_time(g, 0);
}
static inline int64_t viewport_end(const struct viewport *g)
{
	return viewport_time(g, g->w);
}
int64_t viewport_span(const struct viewport *); /* part of the run in the view, at least 1 */

#endif
