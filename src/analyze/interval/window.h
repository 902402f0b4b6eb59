/* What happened in a piece of time on a set of tracks (tpuscope(7), INTERVALS): per name the count, total,
 * self, min, max, p50 and p99, where events cut by an end of the window count with the part inside; and the
 * innermost time by class.  An event counts if a part of it lies in [t0, t1) or, without length, if its begin
 * does.  Events are counted by kind, and kinds merged by name; a caller may choose other keys and rows.  The
 * work is done in slices, each by several threads: call window_step() until it returns 0. 5 M events take
 * about 20 ms of processor time, or 45 with ranks, plus 4 bytes per event until the ranks are found (8 where
 * the durations of a name differ by more than 4 ms).  All times are ps; sums stop at the limits of 64 bits.
 * Meanwhile tracks may be added to the dump, but those given must not change (no other clock).  `tracks` is
 * copied.  The caller owns the result (window_free). */
#ifndef ANALYZE_INTERVAL_WINDOW_H
#define ANALYZE_INTERVAL_WINDOW_H

#include "model/dump.h"

#define WINDOW_OUT UINT32_MAX

struct window_name {
	strid name;          /* the row, where the caller has chosen rows */
	uint8_t class;       /* of the kind of event that took most of the self time */
	uint64_t count, cut; /* cut: how many of these an end of the window cuts */
	int64_t total, self, min, max;
	int64_t p50, p99;        /* only with `ranks`, nearest rank; -1 = not yet, or no memory */
	uint32_t track, longest; /* track and index of the longest event (of equal ones, the first) */
	uint32_t met;            /* number of names met before it, in the order of tracks and events */
};

/* By which keys events are added up.  Self times leave out all children, whatever their key is. */
struct window_keys {
	/* The key of an event, WINDOW_OUT = it does not count; NULL: its kind.  Asked by several threads, unless
	 * in_order: then by one, for the events of a track in order, up to twice. */
	uint32_t (*of)(const void *ctx, uint32_t track, size_t event);
	const void *ctx;
	const uint32_t *row; /* row[key], below nrows; NULL: keys are kinds, rows their names */
	size_t n, nrows;
	bool in_order;
};

struct window {
	int64_t t0, t1;
	struct window_name *names;
	/* by self time, largest first, then name or row; complete when window_step() returns 0 */
	size_t nnames;
	int64_t class_ps[CLASS_COUNT]; /* innermost time, summed over the tracks */
	uint64_t events;
	/* by plane, added to the times of its tracks; NULL = none; belongs to the caller, who sets it before
	 * the first step */
	const int64_t *shift;
	bool ranks; /* find p50 and p99, too; set before the first step */
	/* Set before the first step.  If events are chosen, class_ps is what the names have. */
	struct window_keys keys;
	struct window_work *work;
};

void window_begin(struct window *, const struct dump *, const uint32_t *tracks, size_t ntracks, int64_t t0,
    int64_t t1);

/* Returns 1 when there is more to do, 0 when the result is complete.  budget < 0: do all of it. */
int window_step(struct window *, int budget_ms);
void window_free(struct window *);

#endif
