/* Search over all events by name.  PCRE2 runs once on each distinct name; then hits are counted exactly per
 * track and can be walked in time order over all given tracks (ties: track order, then index).  5 M events
 * take about 10 ms.  The result belongs to the caller (find_free) and is read-only once made.  Each track
 * must be given only once.  To search in slices: call find_names() or, for other searches than by name,
 * find_begin() with a predicate for events; then call find_more() until it returns 0. Nothing else may be
 * called before that. */
#ifndef ANALYZE_EVENTS_FIND_H
#define ANALYZE_EVENTS_FIND_H

#include "base/progress.h"
#include "base/text/regex.h"
#include "model/dump.h"

#define FIND_BLOCK 256

struct find_pos {
	uint32_t track;
	size_t i;
}; /* track UINT32_MAX = none */

/* The number of hits before each block of FIND_BLOCK events of a track, and finally the number of all
 * hits. */
struct find_block {
	uint32_t *before;
};

struct find {
	uint8_t *name_hit; /* by meta: 1 = the name matches */
	uint64_t hits;
	size_t names; /* number of distinct names of events that match */
	uint32_t *tracks;
	size_t ntracks;            /* the tracks searched, in view order */
	uint64_t *track_hits;      /* one for each of `tracks` */
	struct find_block *blocks; /* one for each of `tracks` */
	/* by plane, added to the times of its tracks; NULL = none; belongs to the caller */
	const int64_t *shift;
	/* one for each of `tracks`: bit set of hits by event; NULL = by name (name_hit) */
	uint64_t **bits;
	uint64_t looked, total; /* progress of find_more(), in events */
	bool (*passes)(void *, uint32_t track, size_t i);
	bool (*track_passes)(void *, uint32_t track);
	void *ctx;
	size_t at_track, at;
};

/* Returns NULL when canceled. */
struct find *find_new(const struct dump *, const struct regex *, const uint32_t *tracks, size_t ntracks,
    struct progress *);
void find_free(struct find *);

struct find *find_names(const struct dump *, const struct regex *, const uint32_t *tracks, size_t ntracks);
struct find *find_begin(const struct dump *, const uint32_t *tracks, size_t ntracks,
    bool (*track_passes)(void *ctx, uint32_t track), bool (*passes)(void *ctx, uint32_t track, size_t i),
    void *ctx);
/* Returns 1 when there is more to do.  budget < 0: do all of it.  ctx is not used anymore once it has
 * returned 0. */
int find_more(struct find *, const struct dump *, int budget_ms);

/* Is an event of the kth track of find.tracks a hit? */
static inline bool find_holds(const struct find *f, const struct track *t, size_t k, size_t i)
{
	return f->bits ? f->bits[k] && (f->bits[k][i / 64] >> i % 64 & 1) : f->name_hit[track_meta(t, i)] & 1;
}

/* Returns the next (dir > 0) or previous hit after `from`.  If from.track is none, the first hit that begins
 * at t or later, or the last before t. Wraps around; returns none only when there are no hits. */
struct find_pos find_step(const struct find *, const struct dump *, int64_t t, struct find_pos from, int dir);

/* Returns the number of a hit in time order, from 1; 0 for anything else. */
uint64_t find_rank(const struct find *, const struct dump *, struct find_pos);

/* Counts the hits of all tracks that begin in each of n columns of `step` ps from t0 on. */
void find_columns(const struct find *, const struct dump *, int64_t t0, int64_t step, int n,
    uint32_t *counts);

#endif
