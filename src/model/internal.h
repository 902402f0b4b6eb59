/* Shared by the files that build and read the level-of-detail index (lod.c, lod_columns.c, lod_gaps.c). */
#ifndef MODEL_INTERNAL_H
#define MODEL_INTERNAL_H

#include "model/lod.h"
#include "model/sweep.h"

#define LOD_ALIGN 64 /* the sums of one row fill a cache line */

enum shape { FLAT, NEST, LANES };

static inline enum shape shape_of(const struct track *t)
{
	return t->lane ? LANES : t->rows <= 1 ? FLAT : NEST;
}

/* Sums wrap around instead of overflowing.  Only absurd input gets there: events that last for years and
 * overlap more than the lanes can show. */
static inline void add_to_sum(int64_t *sum, int64_t d)
{
	*sum = (int64_t)((uint64_t)*sum + (uint64_t)d);
}

static inline int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int row_of(const struct track *t, size_t i, enum shape shape)
{
	return shape == FLAT ? 0 : shape == NEST ? t->depth[i] : t->depth[i] + t->lane_base[t->lane[i]];
}

static inline int class_of(const struct track *t, const uint8_t *meta_class, size_t i)
{
	return META_CLASS(meta_class[track_meta(t, i)]);
}

static inline int64_t end_of(const struct track *t, size_t i)
{
	return track_end(t, i);
}

static inline int64_t *sums_of(const struct lod *l, size_t leaf, int row)
{
	return l->sum + (leaf * (size_t)l->sums + (size_t)row) * CLASS_COUNT;
}

/* Adds the time by class of the event on top, up to `until`. */
static inline void sweep_classes(struct sweep *w, int64_t until, const uint8_t *meta_class, int64_t *sum)
{
	struct sweep_piece p;

	while (sweep_next(w, until, &p))
		add_to_sum(&sum[class_of(w->track, meta_class, p.event)], p.to - p.from);
}

/* Adds the gaps that end at events i to end - 1, where `upto` is the latest end before them, or where a gap
 * begins.  Returns the new latest end.  There are no branches, because whether there is a gap is hard to
 * predict. */
static inline int64_t see_gaps(const struct track *t, size_t i, size_t end, int64_t upto, struct lod_gaps *g)
{
	struct lod_gaps sum = *g;

	for (; i < end; i++) {
		int64_t from = track_start(t, i), until = from + track_dur(t, i),
			gap = until > from ? from - upto : 0;

		gap = gap > 0 ? gap : 0;
		sum.n += gap > 0;
		sum.idle += gap;
		sum.at = gap > sum.longest ? upto : sum.at;
		sum.longest = gap > sum.longest ? gap : sum.longest;
		upto = until > from && until > upto ? until : upto;
	}
	*g = sum;
	return upto;
}

/* Returns the last leaf that begins before t. The search starts at `from`, which begins before t or is the
 * first leaf. */
static inline size_t leaf_before(const struct lod *l, size_t from, int64_t t)
{
	size_t lo = from / LOD_FAN, hi, step = 1;

	while (step < l->ncoarse - lo && l->coarse_start[lo + step] < t) {
		lo += step;
		step *= 2;
	}
	hi = step < l->ncoarse - lo ? lo + step : l->ncoarse;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (l->coarse_start[mid] < t)
			lo = mid;
		else
			hi = mid;
	}
	hi = l->nleaf - lo * LOD_FAN < LOD_FAN ? l->nleaf : (lo + 1) * LOD_FAN;
	lo *= LOD_FAN;
	for (lo = lo < from ? from : lo; lo + 1 < hi && l->start[lo + 1] < t; lo++)
		;
	return lo;
}

#endif
