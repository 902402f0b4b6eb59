/* The two clocks of device events (tpuscope(7), CLOCKS).  XLA ops carry the host-aligned pair (offset_ps,
 * duration_ps: what XProf's trace viewer draws and what `report trace|info` print) and the device's own
 * (device_offset_ps, device_duration_ps: what op tables use).  Where the two differ by more than a
 * constant, clock_use(CLOCK_DEVICE) moves the ops of each device plane to device_offset × slope + shift,
 * one robust straight line per plane (inlier search, outliers ignored), durations being the device's
 * unchanged; modules then span first begin to last end of their ops, async spans follow the op clock by
 * their plain neighbours.  CLOCK_PLAIN puts the file's own pair back, exactly.  Tracks are nested and
 * indexed again, arrows (trace.edges) follow; indices of events of these tracks change.  Owner thread
 * only. */
#ifndef ANALYZE_TRACE_CLOCK_H
#define ANALYZE_TRACE_CLOCK_H

#include "model/dump.h"

enum clock_kind { CLOCK_PLAIN, CLOCK_DEVICE };

struct clock_fit {
	uint32_t plane;
	/* false: the plain pair is that line and has the same durations: nothing to choose */
	bool differs;
	double slope; /* device ps → plain ps, near 1 */
	int64_t shift;
	size_t points, inliers;
	int64_t residual; /* median |residual| of the inliers, ps */
	int64_t worst;    /* largest |plain − fitted| of all points looked at */
};

struct clocks {
	struct clock_fit *fit;
	size_t n;
	enum clock_kind in_use;
	bool any_differs;
};

void clock_fit_all(struct dump *, struct clocks *); /* looks at evenly spread ops; cheap */
void clock_use(struct dump *, struct clocks *, enum clock_kind, int threads);
void clock_free(struct clocks *);

/* The two pairs of one event as they stand in the file, whatever the columns hold now.  `clock_names` is
 * found once per dump. */
struct clock_names {
	strid offset, duration;
};
struct clock_names clock_names_of(const struct dump *);
/* false: no such stats */
bool clock_pair(const struct dump *, const struct clock_names *, const struct track *, size_t i,
    int64_t *offset, int64_t *dur);
/* the same in one look with another number of the event: id stays where there is none of that name */
bool clock_pair_and(const struct dump *, const struct clock_names *, const struct track *, size_t i,
    int64_t *offset, int64_t *dur, strid name, int64_t *id);
void clock_plain(const struct dump *, const struct track *, size_t i, int64_t *start, int64_t *dur);
/* false: no op has the device's pair */
bool clock_fit_plane(const struct dump *, const struct clock_names *, uint32_t plane, struct clock_fit *);

#endif
