/* Statistics of a piece of time [t0, t1) over a set of tracks (tpuscope(7), INTERVALS): per name what
 * window.h counts, with ranks; per track the time in which any of its events is open (busy, a union), the
 * gaps between, and the longest of them; over all tracks the time in which any of them is busy.  Gaps are the
 * rest of the piece, so busy plus gaps is its length, and the time before the first event and behind the last
 * one is a gap as well.  Events without length fill nothing and part no gap.  Waits are events like others.
 *
 * Done in slices, each by several threads; results come in the order in which they are cheap, a flag each:
 * names (without ranks) and tracks, then ranks, then the union.  5 M events take about 50 ms of processor
 * time in all, half of it up to the tracks.  Until `has_ranks` p50 and p99 are -1.  All times ps.
 * As with a window, the tracks at work must not change meanwhile.  `tracks` is copied; one that stands there
 * twice counts twice in the names.  interval_free() ends it at any time. */
#ifndef ANALYZE_INTERVAL_INTERVAL_H
#define ANALYZE_INTERVAL_INTERVAL_H

#include "analyze/interval/window.h"

struct interval_track {
	uint32_t track;
	uint64_t events, gaps;     /* events: as the window counts them */
	int64_t busy, longest, at; /* longest gap, where it begins, shifted; 0, t0 when there is none */
};

struct interval {
	int64_t t0, t1;
	struct window window;
	struct interval_track *tracks;
	size_t ntracks;   /* in the order given */
	uint64_t cut;     /* events that an end cuts */
	int64_t occupied; /* any track busy; -1 when memory did not suffice */
	bool has_names, has_tracks, has_ranks, has_union;
	const int64_t *shift; /* as that of a window */
	struct interval_work *work;
};

void interval_begin(struct interval *, const struct dump *, const uint32_t *tracks, size_t ntracks,
    int64_t t0, int64_t t1);

/* 1 = more to do; 0 = all is there.  budget < 0: all of it. */
int interval_step(struct interval *, int budget_ms);
void interval_free(struct interval *);

#endif
