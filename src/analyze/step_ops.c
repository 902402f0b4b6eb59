#include "config.h"
#include "analyze/step_ops.h"

#include <stdlib.h>

#include "analyze/clamp.h"
#include "analyze/clock.h"
#include "base/sort.h"

#define PIECE 1024		/* ops between two looks at whether to go on */

static int by_start(const void *a, const void *b)
{
	const struct step_op *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->dur != y->dur)
		return x->dur > y->dur ? -1 : 1;
	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

/* The steps of a core, and where each ends on the plain clock (dur may be the device's). */
struct core { const struct step *row; size_t nrows; int64_t *end; };

static struct core core_of(const struct dump *d, const struct step *row, size_t nrows)
{
	struct core c = { row, nrows, xcalloc(nrows + 1, sizeof *c.end) };
	int64_t start, dur;

	for (size_t i = 0; i < nrows; i++) {
		clock_plain(d, &d->trace.tracks[row[i].track], row[i].last, &start, &dur);
		c.end[i] = start + dur;
	}
	return c;
}

/* The first step that overlaps the span; near: where the op before it was. */
static size_t step_of(const struct core *c, int64_t start, int64_t end, size_t near)
{
	size_t a = 0, b = c->nrows;

	if (near < b && c->row[near].start < end && c->end[near] > start && (!near || c->end[near - 1] <= start))
		return near;

	while (a < b) {
		size_t m = a + (b - a) / 2;

		if (c->end[m] <= start)
			a = m + 1;
		else
			b = m;
	}
	if (a == c->nrows)
		return SIZE_MAX;
	return end > c->row[a].start || (start == end && start == c->row[a].start) ? a : SIZE_MAX;
}

static bool is_ops(const struct track *t, uint32_t plane)
{
	return t->plane == plane && t->role == TRACK_OPS && t->file >= 0;
}

static bool read_track(const struct dump *d, const struct clock_names *names, const struct core *c, uint32_t track,
    struct progress *progress, struct step_ops *ops)
{
	const struct track *t = &d->trace.tracks[track];
	size_t step = 0;
	bool sorted = true;

	for (size_t i = 0; i < t->n; i++) {
		int64_t start, dur;
		struct step_op *o;

		if (i % PIECE == 0) {
			if (progress_cancelled(progress))
				return false;
			progress_add(progress, t->n - i < PIECE ? t->n - i : PIECE, 0);
		}
		clock_plain(d, t, i, &start, &dur);
		VEC_PUSH(ops->v, ops->n, ops->cap);
		o = &ops->v[ops->n++];
		step = step_of(c, start, start + dur, step);
		*o = (struct step_op){ .track = track, .event = i, .step = step };
		if (!clock_pair(d, names, t, i, &o->start, &o->dur)) {
			o->start = start;
			o->dur = dur;
		}
		o->self = o->dur;
		sorted = sorted && (ops->n < 2 || by_start(o - 1, o) <= 0);
	}
	return sorted || sort_items(ops->v, ops->n, sizeof *ops->v, by_start, progress);
}

static bool take_inner_times(struct step_ops *ops, const struct progress *progress)
{
	struct step_op **stack = NULL;
	size_t depth = 0, cap = 0;
	bool whole = true;

	for (size_t i = 0; i < ops->n && whole; i++) {
		struct step_op *o = &ops->v[i];

		while (depth && stack[depth - 1]->start + stack[depth - 1]->dur < o->start + o->dur)
			depth--;
		if (depth)
			stack[depth - 1]->self = sub_clamped(stack[depth - 1]->self, o->dur);
		VEC_PUSH(stack, depth, cap);
		stack[depth++] = o;
		whole = i % PIECE || !progress_cancelled(progress);
	}
	free(stack);
	return whole;
}

bool step_ops_read(const struct dump *d, const struct step *row, size_t nrows, struct progress *progress,
    struct step_ops *ops)
{
	struct clock_names names = clock_names_of(d);
	struct core c = core_of(d, row, nrows);
	bool whole = true;

	*ops = (struct step_ops){ .cap = nrows ? (size_t)step_ops_count(d, row->plane) : 0 };
	ops->v = ops->cap ? xrealloc(NULL, ops->cap, sizeof *ops->v) : NULL;
	for (uint32_t k = UINT32_MAX; nrows && whole && (k = trace_track_of(&d->trace, row->plane, k)) < d->trace.ntracks;)
		if (is_ops(&d->trace.tracks[k], row->plane))
			whole = read_track(d, &names, &c, k, progress, ops);
	free(c.end);
	return whole && take_inner_times(ops, progress);
}

void step_ops_free(struct step_ops *ops)
{
	free(ops->v);
	*ops = (struct step_ops){ 0 };
}

uint64_t step_ops_count(const struct dump *d, uint32_t plane)
{
	uint64_t n = 0;

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;)
		n += is_ops(&d->trace.tracks[k], plane) ? d->trace.tracks[k].n : 0;
	return n;
}
