/* The two clocks of device events (tpuscope(7), CLOCKS).  XLA ops carry two pairs of start and duration: the
 * plain pair, aligned to the host (offset_ps, duration_ps), which XProf's trace viewer draws and `report
 * trace` and `report info` print; and the device's own (device_offset_ps, device_duration_ps), which op
 * tables use.  Where the two differ by more than a constant, clock_use(CLOCK_DEVICE) moves the ops of each
 * device plane to device_offset × slope + shift.  That is one robust straight line per plane, fitted to the
 * inliers; durations become the device's, unscaled.  Modules then span from the first begin to the last end
 * of their ops, and async spans move with the ops next to them on the plain clock.  CLOCK_PLAIN restores the
 * file's plain pair exactly.  Tracks are nested and indexed again and arrows (trace.edges) are adjusted;
 * event indices on these tracks change.  clock_use() is for preparing a dump; after that overlay_clock() does the same
 * without changing the dump. */
#ifndef ANALYZE_TRACE_CLOCK_H
#define ANALYZE_TRACE_CLOCK_H

#include "model/dump.h"

enum clock_kind { CLOCK_PLAIN, CLOCK_DEVICE };

struct clock_fit {
	uint32_t plane;
	/* false: the plain times already follow the line and have the same durations, so that there is
	 * nothing to choose */
	bool differs;
	double slope; /* from device ps to plain ps; near 1 */
	int64_t shift;
	size_t points, inliers;
	int64_t residual; /* median |residual| of the inliers, ps */
	int64_t worst;    /* largest |plain − fitted| of all points checked */
};

struct clocks {
	struct clock_fit *fit;
	size_t n;
	enum clock_kind in_use;
	bool any_differs;
};

void clock_fit_all(const struct dump *,
    struct clocks *); /* checks a sample of evenly spaced ops, so it is cheap */
void clock_use(struct dump *, struct clocks *, enum clock_kind, int threads);
void clock_free(struct clocks *);

/* Both pairs of one event as they are in the file, whichever clock the columns have now.  `clock_names` is
 * looked up once per dump. */
struct clock_names {
	strid offset, duration;
};
struct clock_names clock_names_of(const struct dump *);
/* false: the event has no device pair */
bool clock_pair(const struct dump *, const struct clock_names *, const struct track *, size_t i,
    int64_t *offset, int64_t *dur);
/* Same, and reads another number of the event at once; *id is unchanged when the event has no stat of that
 * name. */
bool clock_pair_and(const struct dump *, const struct clock_names *, const struct track *, size_t i,
    int64_t *offset, int64_t *dur, strid name, int64_t *id);
/* of a track that has the device's clock now: from the file */
void clock_read_plain(const struct dump *, const struct track *, size_t i, int64_t *start, int64_t *dur);
static inline void clock_plain(const struct dump *d, const struct track *t, size_t i, int64_t *start,
    int64_t *dur)
{
	if (t->device_clock) {
		clock_read_plain(d, t, i, start, dur);
	} else {
		*start = track_start(t, i);
		*dur = track_dur(t, i);
	}
}
/* For a digest, returns the fit that its capture had; its events keep the plain clock, because most ops that tell where
 * others lie are gone.  false: no op of the plane has a device pair, or the trace is converted: reading its events is
 * too slow */
bool clock_fit_plane(const struct dump *, const struct clock_names *, uint32_t plane, struct clock_fit *);

/* A run of a program, from its begin to its end. */
struct clock_run {
	int64_t from, to;
	size_t event;
};
/* The runs on a line of modules by start, as the timeline shows them on the device's clock, whichever clock the
 * columns have now: one of them per event.  The caller frees. */
struct clock_run *clock_runs(const struct dump *, const struct clock_names *, uint32_t track);
uint32_t clock_modules(const struct dump *,
    uint32_t plane); /* the plane's first line of modules; UINT32_MAX: none */

#endif
