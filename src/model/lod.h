/* Level of detail (tpuscope(7), LEVEL OF DETAIL): what a track did in each column of a picture, at any zoom,
 * exactly as its events say, in O(columns).
 *
 * For every leaf of 2^shift events the index keeps, per row of the track, the summed durations by class of
 * all events that started before the leaf, and the last event that did; since events of one row never
 * overlap, the busy time before any moment t is that sum plus a replay of at most one leaf, less what the
 * last event has left after t.  One more row, the innermost, counts every moment for the innermost event
 * open then (children taken from their parents; where lanes overlap, for the event that began last): the
 * occupancy of a folded track, never more than the column.  The longest event of a leaf per row tells
 * whether one event fills a column; a coarser level (LOD_FAN leaves) keeps that cheap when a column holds
 * very many.  The gaps that end in a leaf are counted as well.
 *
 * The index belongs to the track and is built once (lod_build, any thread, one track per thread) for a
 * given table of classes; reading is thread safe. Units: ps.  Memory: 2 to 4 bytes per event, up to 16
 * where lanes overlap. */
#ifndef MODEL_LOD_H
#define MODEL_LOD_H

#include "model/trace.h"

#define LOD_FAN 16

/* When no event of the track is open; one without length parts none. */
struct lod_gaps {
	uint64_t n;
	int64_t idle, longest, at; /* their sum; the longest (of equals, the first), where it begins */
};

struct lod {             /* r = rows of the track */
	int64_t longest; /* duration of the longest event of the track */
	int rows;
	int sums; /* rows of `sum`: r and the innermost; 1 when the track is flat */
	int shift;
	size_t nleaf, ncoarse;
	int64_t *sum;                  /* [nleaf][sums][CLASS_COUNT] */
	int64_t *start, *coarse_start; /* [nleaf], [ncoarse]: of the first event */
	int64_t *len, *coarse_len;     /* [nleaf][r], [ncoarse][r]: of the longest event there, -1 = none */
	uint32_t *big, *coarse_big;    /* [nleaf][r], [ncoarse][r]: which one, index + 1 */
	uint32_t *last;                /* [nleaf][r]: last event before the leaf, index + 1, 0 = none */
	/* [nleaf]: what a gap ends at an event of; the first event with a length ends none */
	struct lod_gaps *gaps;
	int64_t *upto; /* [nleaf]: latest end of the events with a length before the leaf */
	void *block;   /* holds all of the above */
};

struct lod_cell {                  /* one column of one row */
	int64_t busy[CLASS_COUNT]; /* ps of the column by class; their sum is the union */
	int64_t total;
	uint32_t big;    /* event that covers most of it, + 1; 0 = none */
	int64_t big_len; /* ps of the column that it covers; 0 for one without length */
	uint32_t begins; /* events that begin in the column: 0, 1, or 2 for more */
};

int lod_build(struct track *, const uint8_t *meta_class); /* -1 = no memory; replaces an old one */
void lod_free(struct lod *);                              /* NULL allowed */

/* Columns k = 0 … n-1 span [t0 + k·step, t0 + (k+1)·step).  Rows row0 … row0+rows-1 of the track, row ==
 * track->rows being the innermost one; out[r * n + k].  A track without an index is not allowed.
 *
 * `big`: ties go to the longer event, then the earlier one.  It is 0 in the innermost row, and where several
 * columns wider than four times lod.longest are asked for: no event matters there, and to find it would
 * take most of the time.  `begins`: in the innermost row exactly those of the whole track; in others, events
 * without length may go uncounted beside another one when the column holds many events.
 *
 * A track that needs more than TRACK_ROWS_MAX rows has overlaps in its last one: only there more than the
 * column may be busy. */
void lod_columns(const struct track *, const uint8_t *meta_class, int64_t t0, int64_t step, int n, int row0,
    int rows, struct lod_cell *out);

/* Innermost time by class in [t0, t1). */
void lod_sum(const struct track *, const uint8_t *meta_class, int64_t t0, int64_t t1,
    int64_t busy[CLASS_COUNT]);

/* The gaps of [t0, t1), the time before the first event and behind the last one among them; without any,
 * `at` is t0.  A track without an index, or whose last row has overlaps, is read from the begin on. */
void lod_gaps(const struct track *, int64_t t0, int64_t t1, struct lod_gaps *);

/* The latest end of the events that begin before `at`, which event i is the first not to do; `at` when all
 * are over by then. */
int64_t lod_open_end(const struct track *, size_t i, int64_t at);

/* Whether what is open at any time can be asked of the index. */
static inline bool lod_can_look_up(const struct track *t)
{
	return t->lod && t->rows < TRACK_ROWS_MAX;
}

/* The event of a row that is open at t (start <= t < end; index + 1), else 0. */
uint32_t lod_open(const struct track *, int row, int64_t t);

#endif
