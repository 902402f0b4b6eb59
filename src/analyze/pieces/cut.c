#include "config.h"
#include "analyze/pieces/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/mem.h"

enum { CHECK = 0x3ff }; /* ops between two checks for cancellation */

static struct cut_at cut_now(const struct cutter *w, int64_t time)
{
	return (struct cut_at){ time, w->core->sum.ps[PIECE_COMPUTE], w->core->sum.ps[PIECE_IN_RUN] };
}

/* All of it is one piece. */
static void tell_piece(struct cutter *w, int64_t to, enum piece_class time, const struct cut_op *op)
{
	int64_t *sum = &w->core->sum.ps[time];

	if (to <= w->cursor)
		return;
	*sum = add_clamped(*sum, to - w->cursor);
	if (w->visitor->piece)
		w->visitor->piece(w->visitor->ctx, &(struct cut_piece){ w->cursor, to, time, op });
	w->cursor = to;
}

/* Cuts the time from the cursor on.  op: as in a piece. */
static void cut_piece_of(struct cutter *w, int64_t to, const struct cut_op *op)
{
	const enum piece_class time = w->ops->role[op->meta].time;
	int64_t at;

	while (marks_next(w, to, op->shift, op->shift, &at)) {
		tell_piece(w, at, time, op);
		marks_pass(w, w->cursor > at ? w->cursor : at);
	}
	tell_piece(w, to, time, op);
}

/* Is the time within one of the spans?  *next: when that changes, if it does before. */
static bool within(const struct spans *s, int64_t time, int64_t *next)
{
	size_t i;

	BISECT(i, s->n, s->v[i].to <= time);
	if (i == s->n)
		return false;
	if (s->v[i].from > time) {
		*next = s->v[i].from < *next ? s->v[i].from : *next;
		return false;
	}
	*next = s->v[i].to < *next ? s->v[i].to : *next;
	return true;
}

/* Why nothing runs outside of all runs: the host had not enqueued the next one, or the device turns around. */
static enum piece_class outside_of_runs(const struct cutter *w, int64_t time, int64_t *next)
{
	const struct cut_run *r = w->core->run;
	size_t i, n = w->core->nruns;

	BISECT(i, n, r[i].from <= time);
	if (i == n || r[i].enqueued == INT64_MIN)
		return PIECE_UNKNOWN;
	if (r[i].enqueued <= time)
		return PIECE_BETWEEN;
	*next = r[i].enqueued < *next ? r[i].enqueued : *next;
	return r[i].input && within(r[i].input, time, next) ? PIECE_INPUT : PIECE_LAUNCH;
}

/* The cause of idle time at a moment of the host's clock. */
static enum piece_class cause_at(const struct cutter *w, int64_t time, int64_t *next)
{
	if (!within(&w->run, time, next))
		return outside_of_runs(w, time, next);
	if (within(&w->barrier, time, next))
		return PIECE_OTHER_CORES;
	return within(&w->dependency, time, next) ? PIECE_DEPENDENCY : PIECE_IN_RUN;
}

static void cut_gap(struct cutter *w, int64_t to, int64_t shift, const struct cut_op *next)
{
	while (w->cursor < to) {
		int64_t until = sub_clamped(to, shift);
		enum piece_class cause = cause_at(w, sub_clamped(w->cursor, shift), &until);

		until = add_clamped(until, shift);
		tell_piece(w, until > w->cursor && until < to ? until : to, cause, next);
	}
}

static void cut_idle(struct cutter *w, int64_t to, const struct cut_op *next)
{
	int64_t shift = next ? next->shift : w->shift, at;

	while (marks_next(w, to, shift, w->shift, &at)) {
		cut_gap(w, at, shift, next);
		marks_pass(w, w->cursor > at ? w->cursor : at);
	}
	cut_gap(w, to, shift, next);
}

static void leave(struct cutter *w)
{
	struct cut_op *o = &w->open[w->depth - 1];
	struct cut_at end;

	cut_piece_of(w, o->end, o);
	w->depth--;
	w->shift = o->shift;
	w->core->self = add_clamped(w->core->self, o->self);
	end = cut_now(w, o->end);
	if (w->visitor->op)
		w->visitor->op(w->visitor->ctx, o);
	if (w->ops->role[o->meta].kind)
		flights_take(w, o, &end);
}

static void enter(struct cutter *w, struct cut_op *o)
{
	struct cut_op *around;

	while (w->depth && o->end > w->open[w->depth - 1].end)
		leave(w);
	around = w->depth ? &w->open[w->depth - 1] : NULL;
	if (w->cursor == INT64_MIN) {
		w->cursor = w->core->first = w->steps_from < o->begin.time ? w->steps_from : o->begin.time;
		w->shift = o->shift;
	}
	if (around) {
		cut_piece_of(w, o->begin.time, around);
		around->self = sub_clamped(around->self, o->self);
	} else {
		cut_idle(w, o->begin.time, o);
	}
	o->begin = cut_now(w, o->begin.time);
	w->core->ops++;
	w->core->last = o->end > w->core->last ? o->end : w->core->last;
	VEC_ADD(w->open, w->depth, w->cap, *o);
}

/* Reads an op.  Its device's own times count, where it has them. */
static struct cut_op read_op(const struct cutter *w, uint32_t track, size_t i)
{
	const struct dump *d = w->ops->dump;
	const struct track *t = &d->trace.tracks[track];
	struct cut_op o = { .id = CUT_NO_ID, .track = track, .meta = track_meta(t, i), .event = i };
	const bool comm = w->ops->role[o.meta].time == PIECE_COMM;
	int64_t plain, plain_dur, dur;

	clock_plain(d, t, i, &plain, &plain_dur);
	if (!clock_pair_and(d, &w->names, t, i, &o.begin.time, &dur, comm ? w->reduce : UINT32_MAX, &o.id)) {
		o.begin.time = plain;
		dur = plain_dur;
	}
	o.end = o.begin.time + dur;
	o.self = dur;
	o.shift = o.begin.time - plain;
	return o;
}

static bool is_ops(const struct track *t)
{
	return t->role == TRACK_OPS && t->file >= 0;
}

enum outcome { WHOLE, CANCELED, UNSORTED };

static enum outcome walk_in_order(struct cutter *w)
{
	const struct trace *t = &w->ops->dump->trace;
	int64_t begin = INT64_MIN, end = INT64_MIN;

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(t, w->core->plane, k)) < t->ntracks;)
		for (size_t i = 0; is_ops(&t->tracks[k]) && i < t->tracks[k].n; i++) {
			struct cut_op o = read_op(w, k, i);

			if (o.begin.time < begin || (o.begin.time == begin && o.end > end))
				return UNSORTED;
			if (!(i & CHECK) && progress_canceled(w->progress))
				return CANCELED;
			begin = o.begin.time;
			end = o.end;
			enter(w, &o);
			if ((i & CHECK) == CHECK)
				progress_add(w->progress, CHECK + 1, 0);
		}
	return WHOLE;
}

/* An op of a core whose ops are not in order of time. */
struct place {
	int64_t begin, end;
	uint32_t track;
	size_t event;
};

VEC_ORDER(in_time, struct place, UP(begin) DOWN(end) UP(track) UP(event));

static enum outcome walk_sorted(struct cutter *w)
{
	const struct trace *t = &w->ops->dump->trace;
	struct place *v = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(t, w->core->plane, k)) < t->ntracks;)
		for (size_t i = 0; is_ops(&t->tracks[k]) && i < t->tracks[k].n; i++) {
			struct cut_op o = read_op(w, k, i);

			VEC_ADD(v, n, cap, (struct place){ o.begin.time, o.end, k, i });
		}
	VEC_SORT(v, n, in_time);
	for (size_t i = 0; i < n; i++) {
		struct cut_op o = read_op(w, v[i].track, v[i].event);

		if (!(i & CHECK) && progress_canceled(w->progress)) {
			free(v);
			return CANCELED;
		}
		enter(w, &o);
	}
	free(v);
	return WHOLE;
}

static void start_over(struct cutter *w)
{
	w->cursor = INT64_MIN;
	w->shift = 0;
	w->depth = 0;
	w->at_mark = 0;
	w->core->sum = (struct cut_sums){ 0 };
	w->core->self = 0;
	w->core->ops = 0;
	w->core->first = INT64_MAX;
	w->core->last = INT64_MIN;
	flights_free(&w->flights);
	flights_begin(&w->flights, w->ops->nslots);
	if (w->visitor->begin)
		w->visitor->begin(w->visitor->ctx);
}

static void finish(struct cutter *w)
{
	int64_t at;

	while (w->depth)
		leave(w);
	if (w->cursor != INT64_MIN && w->steps_to > w->core->last) {
		w->core->last = w->steps_to;
		cut_idle(w, w->steps_to, NULL);
	}
	while (marks_next(w, INT64_MAX, w->shift, w->shift, &at))
		marks_pass(w, at);
	flights_end(w);
}

void cut_core(const struct cut_ops *ops, struct cut_core *core, const struct step *row, size_t nrows,
    struct progress *progress, const struct cut_visitor *visitor)
{
	struct cutter w = { .ops = ops,
		.visitor = visitor,
		.core = core,
		.progress = progress,
		.names = clock_names_of(ops->dump),
		.reduce = strtab_find(&ops->dump->str, "all_reduce_unique_id", 20) };
	enum outcome end;

	lines_read(&w);
	marks_begin(&w, row, nrows);
	start_over(&w);
	end = walk_in_order(&w);
	if (end == UNSORTED) {
		start_over(&w);
		end = walk_sorted(&w);
	}
	core->whole = end == WHOLE;
	finish(&w);
	flights_free(&w.flights);
	free(w.open);
	free(w.mark);
	free(w.run.v);
	free(w.barrier.v);
	free(w.dependency.v);
}

void cut_core_free(struct cut_core *c)
{
	free(c->run);
	free(c->step);
}

struct tpu_core {
	int host, core;
	uint32_t plane;
};

VEC_ORDER(by_host, struct tpu_core, UP(host) UP(core) UP(plane));

uint64_t cut_count(const struct dump *d, uint32_t plane)
{
	uint64_t n = 0;

	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;)
		n += is_ops(&d->trace.tracks[k]) ? d->trace.tracks[k].n : 0;
	return n;
}

/* A digest keeps a few ops of a core, whose line cannot be cut. */
static bool of_digest(const struct dump *d, const struct plane *p)
{
	return p->file >= 0 && d->files[p->file].digest;
}

uint32_t *cut_planes(const struct dump *d, const char *host, size_t *n)
{
	struct tpu_core *v = NULL;
	size_t cap = 0;
	uint32_t *plane;

	*n = 0;
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];

		if (p->kind == PLANE_TPU && !of_digest(d, p) && (!host || dump_host_is(d, p->host, host)) &&
		    cut_count(d, i))
			VEC_ADD(v, *n, cap, (struct tpu_core){ p->host, p->core, i });
	}
	VEC_SORT(v, *n, by_host);
	plane = xcalloc(*n + 1, sizeof *plane);
	for (size_t i = 0; i < *n; i++)
		plane[i] = v[i].plane;
	free(v);
	return plane;
}
