#include "config.h"
#include "analyze/step_ops.h"

#include <stdlib.h>

#include "analyze/clamp.h"
#include "analyze/clock.h"
#include "base/sort.h"

#define PIECE 1024		/* ops between two looks at whether to go on */

/* An op that does not stand where its time is. */
struct item {
	int64_t start, dur;
	uint32_t track, event;
};

struct walk {
	const struct dump *dump;
	const struct step_ops_visitor *visitor;
	struct progress *progress;
	struct clock_names names;
	strid id;
	const struct step *row;
	size_t nrows;
	int64_t *end;			/* of each row on the plain clock (dur may be the device's) */
	size_t near;			/* the step of the op before */
	struct step_op *open;		/* those around the next one */
	size_t depth, cap;
	struct item *item;		/* all of them, where they must be sorted */
	size_t nitems, items_cap;
	int64_t last_start, last_dur;
	uint64_t told;			/* to the progress */
};

/* The first step that overlaps the span. */
static size_t step_of(struct walk *w, int64_t start, int64_t end)
{
	size_t a = 0, b = w->nrows, near = w->near;

	if (near < b && w->row[near].start < end && w->end[near] > start && (!near || w->end[near - 1] <= start))
		return near;
	while (a < b) {
		size_t m = a + (b - a) / 2;

		if (w->end[m] <= start)
			a = m + 1;
		else
			b = m;
	}
	if (a == w->nrows || (end <= w->row[a].start && (start != end || start != w->row[a].start)))
		return w->near = SIZE_MAX;
	return w->near = a;
}

static bool is_ops(const struct track *t, uint32_t plane)
{
	return t->plane == plane && t->role == TRACK_OPS && t->file >= 0;
}

static void leave(struct walk *w)
{
	const struct step_op *o = &w->open[--w->depth];

	if (o->step != SIZE_MAX)
		w->visitor->visit(w->visitor->ctx, o);
}

static void enter(struct walk *w, const struct step_op *o)
{
	while (w->depth && w->open[w->depth - 1].start + w->open[w->depth - 1].dur < o->start + o->dur)
		leave(w);
	if (w->depth)
		w->open[w->depth - 1].self = sub_clamped(w->open[w->depth - 1].self, o->dur);
	VEC_PUSH(w->open, w->depth, w->cap);
	w->open[w->depth] = *o;
	w->open[w->depth++].self = o->dur;
}

/* Where it stands; its times as yet those of the plain clock. */
static void place(struct walk *w, uint32_t track, size_t i, struct step_op *o)
{
	const struct track *t = &w->dump->trace.tracks[track];

	*o = (struct step_op){ .id = STEP_OP_NO_ID, .track = track, .meta = t->meta[i], .event = i };
	clock_plain(w->dump, t, i, &o->plain_start, &o->dur);
	o->start = o->plain_start;
	o->plain_end = o->plain_start + o->dur;
	o->step = step_of(w, o->plain_start, o->plain_end);
}

static bool is_traffic(const struct walk *w, const struct step_op *o)
{
	return w->visitor->traffic && w->visitor->traffic[o->meta];
}

static void read_pair(const struct walk *w, struct step_op *o)
{
	clock_pair_and(w->dump, &w->names, &w->dump->trace.tracks[o->track], o->event, &o->start, &o->dur,
	    is_traffic(w, o) ? w->id : UINT32_MAX, &o->id);
}

static bool go_on(struct walk *w, size_t left)
{
	size_t n = left < PIECE ? left : PIECE;

	if (progress_cancelled(w->progress))
		return false;
	progress_add(w->progress, n, 0);
	w->told += n;
	return true;
}

enum outcome { WHOLE, CANCELLED, UNSORTED };

static enum outcome pass_track(struct walk *w, uint32_t track)
{
	const struct track *t = &w->dump->trace.tracks[track];
	struct step_op o;

	w->near = 0;
	for (size_t i = 0; i < t->n; i++) {
		if (i % PIECE == 0 && !go_on(w, t->n - i))
			return CANCELLED;
		place(w, track, i, &o);
		read_pair(w, &o);
		if (o.start < w->last_start || (o.start == w->last_start && o.dur > w->last_dur))
			return UNSORTED;
		w->last_start = o.start;
		w->last_dur = o.dur;
		enter(w, &o);
	}
	return WHOLE;
}

static enum outcome keep_track(struct walk *w, uint32_t track)
{
	const struct track *t = &w->dump->trace.tracks[track];

	for (size_t i = 0; i < t->n; i++) {
		struct item *x;

		if (i % PIECE == 0 && !go_on(w, t->n - i))
			return CANCELLED;
		VEC_PUSH(w->item, w->nitems, w->items_cap);
		x = &w->item[w->nitems++];
		*x = (struct item){ .track = track, .event = (uint32_t)i };
		if (!clock_pair(w->dump, &w->names, t, i, &x->start, &x->dur))
			clock_plain(w->dump, t, i, &x->start, &x->dur);
	}
	return WHOLE;
}

static int by_start(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->dur != y->dur)
		return x->dur > y->dur ? -1 : 1;
	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

static bool pass_sorted(struct walk *w)
{
	struct step_op o;

	if (!sort_items(w->item, w->nitems, sizeof *w->item, by_start, w->progress))
		return false;
	for (size_t i = 0; i < w->nitems; i++) {
		if (i % PIECE == 0 && progress_cancelled(w->progress))
			return false;
		place(w, w->item[i].track, w->item[i].event, &o);
		if (is_traffic(w, &o))
			read_pair(w, &o);
		o.start = w->item[i].start;
		o.dur = w->item[i].dur;
		enter(w, &o);
	}
	return true;
}

static enum outcome each_track(struct walk *w, enum outcome (*fn)(struct walk *, uint32_t))
{
	const struct trace *t = &w->dump->trace;
	uint32_t plane = w->row->plane;
	enum outcome got = WHOLE;

	for (uint32_t k = UINT32_MAX; got == WHOLE && (k = trace_track_of(t, plane, k)) < t->ntracks;)
		if (is_ops(&t->tracks[k], plane))
			got = fn(w, k);
	return got;
}

static bool visit_all(struct walk *w)
{
	enum outcome got;
	bool whole;

	w->visitor->visit(w->visitor->ctx, NULL);
	got = each_track(w, pass_track);
	whole = got == WHOLE;
	if (got == UNSORTED) {
		progress_add(w->progress, -w->told, 0);
		w->depth = 0;
		w->near = 0;
		w->visitor->visit(w->visitor->ctx, NULL);
		whole = each_track(w, keep_track) == WHOLE && pass_sorted(w);
	}
	while (whole && w->depth)
		leave(w);
	return whole;
}

bool step_ops_visit(const struct dump *d, const struct step *row, size_t nrows, struct progress *progress,
    const struct step_ops_visitor *visitor)
{
	struct walk w = { .dump = d,
		.visitor = visitor,
		.progress = progress,
		.names = clock_names_of(d),
		.id = strtab_find(&d->str, "all_reduce_unique_id", 20),
		.row = row,
		.nrows = nrows,
		.end = xcalloc(nrows + 1, sizeof *w.end),
		.last_start = INT64_MIN,
		.last_dur = INT64_MAX };
	int64_t start, dur;
	bool whole = true;

	for (size_t i = 0; i < nrows; i++) {
		clock_plain(d, &d->trace.tracks[row[i].track], row[i].last, &start, &dur);
		w.end[i] = start + dur;
	}
	if (nrows)
		whole = visit_all(&w);
	else
		visitor->visit(visitor->ctx, NULL);
	free(w.end);
	free(w.open);
	free(w.item);
	return whole;
}

uint64_t step_ops_count(const struct dump *d, uint32_t plane)
{
	uint64_t n = 0;

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;)
		n += is_ops(&d->trace.tracks[k], plane) ? d->trace.tracks[k].n : 0;
	return n;
}
