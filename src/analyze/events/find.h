/* Search over all events by name: PCRE2 on each distinct name once, then hits are counted exactly per
 * track, and walked in time order over all given tracks (ties: track order, then index).  5 M events take
 * about 10 ms.  The result belongs to the caller (find_free) and is read-only once made.  A track is to be
 * given once only.  In slices: find_names() or, for other searches than by name, find_begin() with a function
 * that is asked of each event; then find_more() until it returns 0; until then nothing else may be asked
 * of it. */
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

/* Hits before each FIND_BLOCK events of a track, and in the end all of them. */
struct find_block {
	uint32_t *before;
};

struct find {
	uint8_t *name_hit; /* by meta index: 1 = name matches */
	uint64_t hits;
	size_t names; /* distinct names of events that match */
	uint32_t *tracks;
	size_t ntracks;            /* searched, in view order */
	uint64_t *track_hits;      /* parallel to tracks */
	struct find_block *blocks; /* parallel to tracks */
	/* by plane, added to the times of its tracks; NULL = none; the caller's */
	const int64_t *shift;
	/* parallel to tracks: hits by index; NULL = by name (name_hit: has a hit) */
	uint64_t **bits;
	uint64_t looked, total; /* of find_more(): events */
	bool (*passes)(void *, uint32_t track, size_t i);
	bool (*track_passes)(void *, uint32_t track);
	void *ctx;
	size_t at_track, at;
};

/* NULL when cancelled. */
struct find *find_new(const struct dump *, const struct regex *, const uint32_t *tracks, size_t ntracks,
    struct progress *);
void find_free(struct find *);

struct find *find_names(const struct dump *, const struct regex *, const uint32_t *tracks, size_t ntracks);
struct find *find_begin(const struct dump *, const uint32_t *tracks, size_t ntracks,
    bool (*track_passes)(void *ctx, uint32_t track), bool (*passes)(void *ctx, uint32_t track, size_t i),
    void *ctx);
/* 1 = more to do; budget < 0: all of it; ctx is not used any more when it returned 0 */
int find_more(struct find *, const struct dump *, int budget_ms);

/* an event of the kth track of find.tracks */
static inline bool find_holds(const struct find *f, const struct track *t, size_t k, size_t i)
{
	return f->bits ? f->bits[k] && (f->bits[k][i / 64] >> i % 64 & 1) : f->name_hit[t->meta[i]] & 1;
}

/* Next (dir > 0) or previous hit after `from`; where from.track is none, the first that begins at t or
 * later, or the last before t. Wraps around; none only when there are no hits. */
struct find_pos find_step(const struct find *, const struct dump *, int64_t t, struct find_pos from, int dir);

/* Of a hit: 1 … hits, in time order; of anything else 0. */
uint64_t find_rank(const struct find *, const struct dump *, struct find_pos);

/* Hits that begin in each of n columns of `step` ps from t0 on, all tracks. */
void find_columns(const struct find *, const struct dump *, int64_t t0, int64_t step, int n,
    uint32_t *counts);

#endif
