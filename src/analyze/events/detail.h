/* Everything about one event, decoded when it is looked at: identity, times, category, achieved rates
 * compared with the plane's peaks, step, self time, all occurrences of the same op on this track and on all
 * cores, neighbors, source, HLO text, and all stats as text.  Rates use the duration shown (that of the
 * device clock if it is in use).  HBM bytes come from memory_access_breakdown (space 1), or are all bytes if
 * that is missing (hbm_estimated).  Peaks come from the plane's stats or, if there are none, from
 * data/chips.tsv by device_type_string (peak_assumed; tpuscope(7), PEAKS).  NaN = not known.  Strings
 * belong to the detail (detail_free). */
#ifndef ANALYZE_EVENTS_DETAIL_H
#define ANALYZE_EVENTS_DETAIL_H

#include "analyze/steps/steps.h"
#include "model/dump.h"

struct detail_stat {
	char *name, *value;
};

struct detail {
	uint32_t track;
	size_t event;
	char *name, *full, *category, *op_path, *source, *source_stack, *track_name, *plane_name, *host_name;
	int64_t start, dur, self;
	const struct step *step;
	/* per occurrence; flops are the model's where no others are stated (flops_of_model) */
	double flops, bytes, hbm_bytes, vmem_bytes;
	double flop_rate, hbm_rate, intensity; /* FLOP/s, B/s, FLOP/B of HBM */
	double peak_flops, peak_hbm, ridge;    /* same units */
	bool peak_assumed, hbm_estimated, flops_of_model;
	size_t nth, occurrences; /* on this track; nth counts from 1 */
	/* the same op on all cores of the run; 0 until detail_all() */
	size_t all_count;
	int64_t all_min, all_mean, all_max;
	struct detail_stat *stats;
	size_t nstats;
	char *before, *after;
	int64_t before_dur, after_dur; /* neighbors on the same row */
	struct arena text;
};

void detail_of(const struct dump *, const struct steps *, uint32_t track, size_t event, struct detail *);
/* fills in all_*: a scan of about 10 ms per 5 M events */
void detail_all(const struct dump *, struct detail *);
void detail_free(struct detail *);

#endif
