#include "config.h"
#include "analyze/steps/step_ops.h"

#include <stdlib.h>

#include "analyze/trace/clock.h"
#include "base/bisect.h"
#include "base/clamp.h"
#include "base/sort.h"

#define PIECE 1024 /* ops between two checks for cancellation */

struct step_feed {
	const struct dump *dump;
	struct step_ops_visitor visitor;
	struct progress *progress;
	struct clock_names names;
	strid id;
	const struct step *row;
	size_t nrows, only;   /* only: the one row whose ops are wanted, SIZE_MAX: all */
	int64_t *end;         /* end of each row on the plain clock; dur may be the device's */
	size_t near;          /* step of the previous op */
	struct step_op *open; /* the ops around the current position */
	size_t depth, cap;
	struct trace_event *item; /* all ops, if a track is not in order of time */
	size_t nitems, items_cap;
	int64_t last_start, last_dur;
	uint64_t told; /* ops reported to the progress so far */
};

/* Returns the first step that overlaps the span. */
static size_t step_of(struct step_feed *w, int64_t start, int64_t end)
{
	size_t a, near = w->near;

	if (near < w->nrows && w->row[near].start < end && w->end[near] > start &&
	    (!near || w->end[near - 1] <= start))
		return near;
	BISECT(a, w->nrows, w->end[a] <= start);
	if (a == w->nrows || (end <= w->row[a].start && (start != end || start != w->row[a].start)))
		return w->near = SIZE_MAX;
	return w->near = a;
}

static bool is_ops(const struct track *t, uint32_t plane)
{
	return t->plane == plane && t->role == TRACK_OPS && t->file >= 0;
}

static bool asks(const struct step_feed *w, uint32_t meta)
{
	return w->visitor.traffic && w->visitor.traffic[meta];
}

void step_feed_enter(struct step_feed *w, struct step_op *o)
{
	int64_t dur;

	clock_plain(w->dump, &w->dump->trace.tracks[o->track], o->event, &o->plain_start, &dur);
	o->plain_end = o->plain_start + dur;
	o->id = asks(w, o->meta) ? o->id : STEP_OP_NO_ID;
	o->step = step_of(w, o->plain_start, o->plain_end);
}

void step_feed_leave(struct step_feed *w, const struct step_op *o)
{
	if (o->step != SIZE_MAX && (w->only == SIZE_MAX || o->step == w->only))
		w->visitor.visit(w->visitor.ctx, o);
}

/* Reports the open ops that do not contain this one, then adds it to the open ones. */
static void enter(struct step_feed *w, struct step_op *o)
{
	while (w->depth && w->open[w->depth - 1].start + w->open[w->depth - 1].dur < o->start + o->dur)
		step_feed_leave(w, &w->open[--w->depth]);
	if (w->depth)
		w->open[w->depth - 1].self = sub_clamped(w->open[w->depth - 1].self, o->dur);
	o->self = o->dur;
	step_feed_enter(w, o);
	VEC_ADD(w->open, w->depth, w->cap, *o);
}

/* false: the ops are not in order of time */
static bool take_op(struct step_feed *w, uint32_t track, size_t i)
{
	const struct track *t = &w->dump->trace.tracks[track];
	struct step_op o = { .id = STEP_OP_NO_ID, .track = track, .meta = track_meta(t, i), .event = i };

	if (!clock_pair_and(w->dump, &w->names, t, i, &o.start, &o.dur, asks(w, o.meta) ? w->id : UINT32_MAX,
		&o.id))
		clock_plain(w->dump, t, i, &o.start, &o.dur);
	if (o.start < w->last_start || (o.start == w->last_start && o.dur > w->last_dur))
		return false;
	w->last_start = o.start;
	w->last_dur = o.dur;
	enter(w, &o);
	return true;
}

static bool go_on(struct step_feed *w, size_t left)
{
	size_t n = left < PIECE ? left : PIECE;

	if (progress_canceled(w->progress))
		return false;
	progress_add(w->progress, n, 0);
	w->told += n;
	return true;
}

enum outcome { WHOLE, CANCELED, UNSORTED };

/* The events of a track that are read.  What begins before the row and after the one before it belongs to the row if it
 * reaches into it; what begins earlier does not. */
static void span_of(const struct step_feed *w, const struct track *t, size_t *from, size_t *to)
{
	int64_t begin, end;

	*from = 0;
	*to = t->n;
	if (w->only == SIZE_MAX || t->device_clock)
		return;
	begin = w->only ? w->end[w->only - 1] : INT64_MIN;
	end = w->end[w->only];
	BISECT(*from, t->n, track_start(t, *from) < begin);
	BISECT(*to, t->n, track_start(t, *to) <= end);
}

static enum outcome pass_track(struct step_feed *w, uint32_t track)
{
	const struct track *t = &w->dump->trace.tracks[track];
	size_t from, to;

	w->near = 0;
	span_of(w, t, &from, &to);
	for (size_t i = from; i < to; i++) {
		if ((i - from) % PIECE == 0 && !go_on(w, to - i))
			return CANCELED;
		if (!take_op(w, track, i))
			return UNSORTED;
	}
	return WHOLE;
}

static enum outcome keep_track(struct step_feed *w, uint32_t track)
{
	const struct track *t = &w->dump->trace.tracks[track];
	size_t from, to;

	span_of(w, t, &from, &to);
	for (size_t i = from; i < to; i++) {
		struct trace_event *x;

		if ((i - from) % PIECE == 0 && !go_on(w, to - i))
			return CANCELED;
		VEC_PUSH(w->item, w->nitems, w->items_cap);
		x = &w->item[w->nitems++];
		*x = (struct trace_event){ .track = track, .event = (uint32_t)i };
		if (!clock_pair(w->dump, &w->names, t, i, &x->start, &x->dur))
			clock_plain(w->dump, t, i, &x->start, &x->dur);
	}
	return WHOLE;
}

static bool pass_sorted(struct step_feed *w)
{
	if (!sort_items(w->item, w->nitems, sizeof *w->item, trace_event_order, w->progress))
		return false;
	for (size_t k = 0; k < w->nitems; k++) {
		const struct trace_event *x = &w->item[k];
		const struct track *t = &w->dump->trace.tracks[x->track];
		struct step_op o = { .start = x->start,
			.dur = x->dur,
			.id = STEP_OP_NO_ID,
			.track = x->track,
			.meta = track_meta(t, x->event),
			.event = x->event };

		if (k % PIECE == 0 && progress_canceled(w->progress))
			return false;
		if (asks(w, o.meta))
			stats_event_ints(w->dump, t, x->event, &w->id, 1, &o.id);
		enter(w, &o);
	}
	return true;
}

static enum outcome each_track(struct step_feed *w, enum outcome (*fn)(struct step_feed *, uint32_t))
{
	const struct trace *t = &w->dump->trace;
	uint32_t plane = w->row->plane;
	enum outcome got = WHOLE;

	for (uint32_t k = UINT32_MAX; got == WHOLE && (k = trace_track_of(t, plane, k)) < t->ntracks;)
		if (is_ops(&t->tracks[k], plane))
			got = fn(w, k);
	return got;
}

static bool visit_all(struct step_feed *w)
{
	enum outcome got = each_track(w, pass_track);
	bool whole = got == WHOLE;

	if (got == UNSORTED) {
		progress_add(w->progress, -w->told, 0);
		w->depth = 0;
		w->near = 0;
		w->visitor.visit(w->visitor.ctx, NULL);
		whole = each_track(w, keep_track) == WHOLE && pass_sorted(w);
	}
	while (whole && w->depth)
		step_feed_leave(w, &w->open[--w->depth]);
	return whole;
}

struct step_feed *step_feed_new(const struct dump *d, const struct step *row, size_t nrows,
    const struct step_ops_visitor *visitor)
{
	struct step_feed *w = xcalloc(1, sizeof *w);

	*w = (struct step_feed){ .dump = d,
		.visitor = *visitor,
		.names = clock_names_of(d),
		.id = strtab_find(&d->str, "all_reduce_unique_id", 20),
		.row = row,
		.nrows = nrows,
		.only = SIZE_MAX,
		.end = xcalloc(nrows + 1, sizeof *w->end),
		.last_start = INT64_MIN,
		.last_dur = INT64_MAX };
	for (size_t i = 0; i < nrows; i++)
		w->end[i] = steps_plain_end(&row[i], d);
	visitor->visit(visitor->ctx, NULL);
	return w;
}

void step_feed_free(struct step_feed *w)
{
	if (!w)
		return;
	free(w->end);
	free(w->open);
	free(w->item);
	free(w);
}

bool step_ops_visit(const struct dump *d, const struct step *row, size_t nrows, struct progress *progress,
    const struct step_ops_visitor *visitor)
{
	bool whole = step_ops_visit_one(d, row, nrows, SIZE_MAX, progress, visitor);

	if (nrows)
		dump_let_go(d, d->trace.tracks[row->track].plane);
	return whole;
}

bool step_ops_visit_one(const struct dump *d, const struct step *row, size_t nrows, size_t only,
    struct progress *progress, const struct step_ops_visitor *visitor)
{
	struct step_feed *w = step_feed_new(d, row, nrows, visitor);
	bool whole;

	w->progress = progress;
	w->only = only;
	whole = !nrows || visit_all(w);
	step_feed_free(w);
	return whole;
}

uint64_t step_ops_count(const struct dump *d, uint32_t plane)
{
	uint64_t n = 0;

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;)
		n += is_ops(&d->trace.tracks[k], plane) ? d->trace.tracks[k].n : 0;
	return n;
}
