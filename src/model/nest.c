#include "config.h"

#include "model/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

struct lane {
	int64_t end[TRACK_ROWS_MAX]; /* ends of the open events of this lane, outermost first */
	int open, deepest;           /* deepest: number of rows that this lane has needed so far */
	int64_t last;                /* largest end of its outermost events */
};

struct nest {
	struct lane *lane[TRACK_ROWS_MAX];
	int nlanes, rows, open_max;
	bool overflow; /* events had to share the last row */
};

bool track_clip(int64_t *start, int64_t *dur)
{
	int64_t s = *start, d = *dur;

	s = trace_clip(s);
	d = d < 0 ? 0 : d > TRACE_TIME_MAX - s ? TRACE_TIME_MAX - s : d;
	if (s == *start && d == *dur)
		return false;
	*start = s;
	*dur = d;
	return true;
}

/* Clips all events; also finds the largest end. */
static size_t clip_all(struct track *t, int64_t *last)
{
	size_t repaired = 0;

	for (size_t i = 0; i < t->n; i++) {
		int64_t start = track_start(t, i), dur = track_dur(t, i);

		if (track_clip(&start, &dur)) {
			track_set_time(t, i, start, dur);
			repaired++;
		}
		*last = start + dur > *last ? start + dur : *last;
	}
	return repaired;
}

static inline bool in_order(const struct track *t, size_t a, size_t b)
{
	return trace_time_order(track_start(t, a), track_dur(t, a), track_start(t, b), track_dur(t, b)) <= 0;
}

static void merge_runs(const struct track *t, const uint32_t *a, size_t na, const uint32_t *b, size_t nb,
    uint32_t *out)
{
	while (na && nb) {
		if (in_order(t, *a, *b)) {
			*out++ = *a++;
			na--;
		} else {
			*out++ = *b++;
			nb--;
		}
	}
	memcpy(out, na ? a : b, (na + nb) * sizeof *out);
}

/* Returns the end of the sorted run that begins at i. */
static size_t run_end(const struct track *t, const uint32_t *order, size_t i)
{
	for (i++; i < t->n && in_order(t, order[i - 1], order[i]); i++)
		;
	return i;
}

/* A natural merge sort: it is stable, and cheap for the usual case of a few sorted pieces in a row. */
static void sort(struct track *t)
{
	size_t n = t->n, bytes = n * sizeof(uint64_t); /* for an order, and for any column */
	uint32_t *order = xlarge(bytes), *other = xlarge(bytes);

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	while (run_end(t, order, 0) < n) {
		uint32_t *swap = order;

		for (size_t i = 0; i < n;) {
			size_t mid = run_end(t, order, i), end = mid < n ? run_end(t, order, mid) : n;

			merge_runs(t, order + i, mid - i, order + mid, end - mid, other + i);
			i = end;
		}
		order = other;
		other = swap;
	}
	track_reorder(t, order, (uint64_t *)(void *)other);
	mem_large_free(other, bytes);
	mem_large_free(order, bytes);
}

/* Nests the events of a usual track, which are sorted and contained in each other.  Sets depths up to the first event
 * that partly overlaps another one, is out of order, is too deep, or has to be clipped; returns its index. */
static size_t nest_flat(const struct track *track, struct lane *lane)
{
	int64_t before = INT64_MIN, dur_before = 0, last = INT64_MIN, *end = lane->end;
	const struct track t = *track; /* which no write changes: its columns stay in registers */
	int open = 0, deepest = 0;
	uint8_t *depth = t.depth;
	size_t i;

	for (i = 0; i < t.n; i++) {
		int64_t s = track_start(&t, i), dur = track_dur(&t, i), e;

		if (s < -TRACE_TIME_MAX || s > TRACE_TIME_MAX || dur < 0 || dur > TRACE_TIME_MAX - s)
			break;
		e = s + dur;
		while (open && end[open - 1] <= s)
			open--;
		if (s < before || open == TRACK_ROWS_MAX || (open && e > end[open - 1]) ||
		    (s == before && dur > dur_before))
			break;
		before = s;
		dur_before = dur;
		last = !open && e > last ? e : last;
		depth[i] = (uint8_t)open;
		end[open++] = e;
		if (open > deepest)
			deepest = open;
	}
	lane->open = open;
	lane->deepest = deepest;
	lane->last = last;
	return i;
}

static struct lane *add_lane(struct nest *nest)
{
	return nest->lane[nest->nlanes++] = xcalloc(1, sizeof(struct lane));
}

/* Puts an event into the first lane where it partly overlaps nothing that is open, or into the last row when
 * there is none. */
static void place_event(struct track *t, struct nest *nest, size_t i)
{
	int64_t s = track_start(t, i), e = s + track_dur(t, i);
	int found = -1, open = 0;

	for (int k = 0; k < nest->nlanes; k++) {
		struct lane *l = nest->lane[k];

		while (l->open && l->end[l->open - 1] <= s)
			l->open--;
		open += l->open;
		if (found < 0 && (!l->open || l->end[l->open - 1] >= e) &&
		    (l->open < l->deepest || nest->rows < TRACK_ROWS_MAX))
			found = k;
	}
	if (found < 0 && nest->rows < TRACK_ROWS_MAX) {
		found = nest->nlanes;
		add_lane(nest);
	}
	if (found < 0) {
		found = nest->nlanes - 1;
		t->depth[i] = (uint8_t)(nest->lane[found]->deepest - 1);
		nest->overflow = true;
	} else {
		struct lane *l = nest->lane[found];

		t->depth[i] = (uint8_t)l->open;
		l->end[l->open++] = e;
		if (l->open > l->deepest) {
			l->deepest = l->open;
			nest->rows++;
		}
		if (open + 1 > nest->open_max)
			nest->open_max = open + 1;
	}
	t->lane[i] = (uint8_t)found;
}

/* Counts from all ends in order, for the case that the lanes could not hold everything that was open. */
static int open_at_once(const struct track *t)
{
	int64_t *end = xrealloc(NULL, t->n, sizeof *end);
	size_t closed = 0, most = 0;

	for (size_t i = 0; i < t->n; i++)
		end[i] = track_end(t, i);
	qsort(end, t->n, sizeof *end, sort_by_int64);
	for (size_t i = 0; i < t->n; i++) {
		while (closed < i && end[closed] <= track_start(t, i))
			closed++;
		if (i + 1 - closed > most)
			most = i + 1 - closed;
	}
	free(end);
	return most > INT32_MAX ? INT32_MAX : (int)most;
}

/* Assigns lanes to what nest_flat() could not place, from event i on. */
static void nest_lanes(struct track *t, struct nest *nest, size_t i)
{
	t->lane = xcalloc(t->n, 1);
	for (; i < t->n; i++)
		place_event(t, nest, i);
	t->nlanes = nest->nlanes;
	t->lane_base = xcalloc((size_t)nest->nlanes, sizeof *t->lane_base);
	for (int k = 1; k < nest->nlanes; k++)
		t->lane_base[k] = (uint16_t)(t->lane_base[k - 1] + nest->lane[k - 1]->deepest);
	if (nest->nlanes == 1) { /* one nest after all, but deeper than can be drawn */
		free(t->lane);
		free(t->lane_base);
		t->lane = NULL;
		t->lane_base = NULL;
	}
}

static bool ordered(const struct track *t)
{
	for (size_t i = 1; i < t->n; i++)
		if (!in_order(t, i - 1, i))
			return false;
	return true;
}

size_t track_nest(struct track *t)
{
	struct nest nest = { .nlanes = 0 };
	size_t repaired = 0, flat = 0;

	free(t->lane);
	free(t->lane_base);
	t->lane = NULL;
	t->lane_base = NULL;
	t->nlanes = 1;
	t->last = -1;
	if (t->n) {
		struct lane *first = add_lane(&nest);

		flat = nest_flat(t, first);
		t->last = first->last;
		if (flat < t->n) {
			repaired = clip_all(t, &t->last);
			if (!ordered(t))
				sort(t);
			flat = nest_flat(t, first);
		}
		nest.rows = nest.open_max = first->deepest;
		if (flat < t->n)
			nest_lanes(t, &nest, flat);
		if (nest.overflow)
			nest.open_max = open_at_once(t);
	}
	t->rows = nest.rows;
	t->open_max = nest.open_max;
	t->first = t->n ? track_start(t, 0) : 0;
	for (int k = 0; k < nest.nlanes; k++)
		free(nest.lane[k]);
	track_settle(t);
	return repaired;
}
