/* Statistics of a piece of time [t0, t1) over a set of tracks (tpuscope(7), INTERVALS).  Per name: what
 * window.h counts, with ranks.  Per track: the time in which any of its events is open (busy, a union), the
 * gaps between events, and the longest gap.  Over all tracks: the time in which any of them is busy.  Gaps
 * are the rest of the piece, so busy time plus gaps is its length; the times before the first event and after
 * the last are gaps, too.  Events without length fill nothing and divide no gap.  Waits count like other
 * events.
 *
 * The work is done in slices, each by several threads.  Results come in the order of their cost, with a flag
 * for each: names (without ranks) and tracks, then ranks, then the union.  5 M events take about 50 ms of
 * processor time in all, half of it for names and tracks.  p50 and p99 are -1 until `has_ranks`.  All times
 * are ps.  As with a window, the tracks must not change meanwhile.  `tracks` is copied; a track that is
 * listed twice counts twice in the names.  interval_free() may be called at any time. */
#ifndef ANALYZE_INTERVAL_INTERVAL_H
#define ANALYZE_INTERVAL_INTERVAL_H

#include "analyze/interval/window.h"

struct interval_track {
	uint32_t track;
	uint64_t events, gaps; /* events: counted as in the window */
	/* longest gap, and where it begins, shifted; 0 and t0 when there is none */
	int64_t busy, longest, at;
};

struct interval {
	int64_t t0, t1;
	struct window window; /* its shift and keys may be set; busy time and gaps stay those of all events */
	struct interval_track *tracks;
	size_t ntracks;   /* in the order given */
	uint64_t cut;     /* events that an end of the piece cuts */
	int64_t occupied; /* time in which any track is busy; -1 when there was not enough memory */
	bool has_tracks, has_ranks, has_union;
	struct interval_work *work;
};

void interval_begin(struct interval *, const struct dump *, const uint32_t *tracks, size_t ntracks,
    int64_t t0, int64_t t1);

/* Returns 1 when there is more to do, 0 when everything is there.  budget < 0: do all of it. */
int interval_step(struct interval *, int budget_ms);
void interval_free(struct interval *);

#endif
