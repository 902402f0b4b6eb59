/* Level of detail (tpuscope(7), LEVEL OF DETAIL): what a track did in each column of a picture, at any zoom,
 * exactly as its events say, in O(columns).
 *
 * For every leaf of 2^shift events, the index keeps, per row of the track, the sum of the durations by class
 * of all events that started before the leaf, and the last such event.  Since events of one row never
 * overlap, the busy time before any moment t is that sum, plus a replay of at most one leaf, less the part of
 * the last event after t. There is one more row, the innermost, which counts every moment for the innermost
 * event that is open then (children are taken from their parents; where lanes overlap, the event that began
 * last counts).  It is the occupancy of a folded track and never exceeds the column.  The longest event of a
 * leaf per row says whether one event fills a column; a coarser level (LOD_FAN leaves) keeps this cheap when
 * a column holds very many.  The gaps that end in a leaf are counted, too.
 *
 * The index belongs to the track and is built once (lod_build, any thread, one thread per track) for a given
 * table of classes; reading is thread safe.  Times are ps.  Memory: 2 to 4 bytes per event, up to 16 where
 * lanes overlap. */
#ifndef MODEL_LOD_H
#define MODEL_LOD_H

#include "model/trace.h"

#define LOD_FAN 16

/* Times when no event of the track is open.  Events without length divide no gap. */
struct lod_gaps {
	uint64_t n;
	/* idle: their sum; longest: of equal ones, the first; at: where that one begins */
	int64_t idle, longest, at;
};

struct lod {             /* below, r = number of rows of the track */
	int64_t longest; /* duration of the longest event of the track */
	int rows;
	int sums; /* rows of `sum`: r plus the innermost, or 1 when the track is flat */
	int shift;
	size_t nleaf, ncoarse;
	int64_t *sum;                  /* [nleaf][sums][CLASS_COUNT] */
	int64_t *start, *coarse_start; /* [nleaf], [ncoarse]: start of the first event */
	/* [nleaf][r], [ncoarse][r]: length of the longest event there, -1 = none */
	int64_t *len, *coarse_len;
	uint32_t *big, *coarse_big; /* [nleaf][r], [ncoarse][r]: index of that event + 1 */
	uint32_t *last;             /* [nleaf][r]: index of the last event before the leaf + 1, 0 = none */
	/* [nleaf]: the gaps that end at an event of the leaf; none ends at the first event with a length */
	struct lod_gaps *gaps;
	int64_t *upto; /* [nleaf]: latest end of the events with a length before the leaf */
	void *block;   /* the allocation that holds all of the above, and its size */
	size_t bytes;
	struct spill *spill; /* the file that has it instead (base/spill/spill.h), else NULL */
};

struct lod_cell {                  /* one column of one row */
	int64_t busy[CLASS_COUNT]; /* busy ps of the column by class; their sum is the union */
	int64_t total;
	uint32_t big;    /* index + 1 of the event that covers most of it; 0 = none */
	int64_t big_len; /* ps of the column that it covers; 0 for one without length */
	uint32_t begins; /* events that begin in the column: 0, 1, or 2 for more than one */
};

int lod_build(struct track *, const uint8_t *meta_class); /* -1 = no memory; replaces an existing index */
void lod_free(struct lod *);                              /* NULL is allowed */

/* Columns k = 0 to n-1 span [t0 + k·step, t0 + (k+1)·step).  Rows are row0 to row0+rows-1 of the track, where
 * row track->rows is the innermost one; results are in out[r * n + k].  The track must have an index.
 *
 * `big`: of equal ones the longer event wins, then the earlier one.  It is 0 in the innermost row, and when
 * there are several columns wider than four times lod.longest: then no event stands out, and finding it would
 * take most of the time.  `begins`: exact for the innermost row, where it counts the whole track; in other
 * rows, events without length may be missed beside another event when a column holds many events.
 *
 * A track that needs more than TRACK_ROWS_MAX rows has overlaps in its last one; only there may the busy time
 * exceed the column. */
void lod_columns(const struct track *, const uint8_t *meta_class, int64_t t0, int64_t step, int n, int row0,
    int rows, struct lod_cell *out);

/* Computes the innermost time by class in [t0, t1). */
void lod_sum(const struct track *, const uint8_t *meta_class, int64_t t0, int64_t t1,
    int64_t busy[CLASS_COUNT]);

/* Computes the gaps of [t0, t1), including the times before the first event and after the last; without any,
 * `at` is t0.  A track without an index, or with overlaps in its last row, is read from its begin. */
void lod_gaps(const struct track *, int64_t t0, int64_t t1, struct lod_gaps *);

/* Returns the latest end of the events that begin before `at` (i is the first event that does not), or `at`
 * when all of them have ended by then. */
int64_t lod_open_end(const struct track *, size_t i, int64_t at);

/* Whether the index knows which events are open at any time. */
static inline bool lod_can_look_up(const struct track *t)
{
	return t->lod && t->rows < TRACK_ROWS_MAX;
}

/* Returns the index + 1 of the event of a row that is open at t (start <= t < end), else 0. */
uint32_t lod_open(const struct track *, int row, int64_t t);

#endif
