/* What happened in a piece of time on a set of tracks (tpuscope(7), INTERVALS): per name count, total, self,
 * min, max, p50, p99 (events cut by an end count with the part inside), and by class the innermost time.  An
 * event counts when a part of it lies in [t0, t1), or, without length, its begin. Names are kinds of events
 * merged by name.  Done in slices, each by several threads: call window_step() until it returns 0.  5 M
 * events take about 20 ms of processor time, with ranks 45, and 4 bytes per event (16 for one of more than 4
 * ms) until they are found.  All times ps.  Meanwhile tracks may be added to the dump, but those at work must
 * not change (no other clock).  `tracks` is copied.  The caller owns the result (window_free). */
#ifndef ANALYZE_INTERVAL_WINDOW_H
#define ANALYZE_INTERVAL_WINDOW_H

#include "model/dump.h"

struct window_name {
	strid name;
	uint8_t class;       /* of the kind of event that took most of the self time */
	uint64_t count, cut; /* cut: of these, how many an end of the window cuts */
	int64_t total, self, min, max;
	int64_t p50, p99;        /* only with `ranks`, nearest rank; -1 = not yet, or no memory */
	uint32_t track, longest; /* where the longest one is (of equals, the first) */
};

struct window {
	int64_t t0, t1;
	struct window_name *names;
	size_t nnames;                 /* by self time down, then name; see window_step() */
	int64_t class_ps[CLASS_COUNT]; /* innermost time, summed over the tracks */
	uint64_t events;
	/* by plane, added to the times of its tracks; NULL = none; the caller's, set before the first step */
	const int64_t *shift;
	struct window_work *work;
};

void window_begin(struct window *, const struct dump *, const uint32_t *tracks, size_t ntracks, int64_t t0,
    int64_t t1, bool ranks);

/* 1 = more to do; 0 = the result is complete.  budget < 0: all of it. */
int window_step(struct window *, int budget_ms);
void window_free(struct window *);

#endif
