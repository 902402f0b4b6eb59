#include "config.h"
#include "analyze/ops/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/ops/step_cores.h"
#include "analyze/steps/steps.h"
#include "analyze/trace/clock.h"
#include "base/clamp.h"

/* An op around the current position.  Its step is known if there is a feed. */
struct frame {
	struct step_op op;
	int64_t inner;
	uint32_t kind;
};

struct walk {
	struct plane_scan *p;
	struct stat_ints ints; /* of the track */
	struct kinds kinds;
	struct op_runs runs; /* of a converted trace */
	bool converted;
	struct frame *open;
	size_t depth, cap;
	struct step_feed *feed; /* NULL: not wanted, or given up: the ops are not one line in order of time */
	int64_t begin, dur;     /* of the op before */
};

static void leave(struct walk *w)
{
	struct frame *f = &w->open[--w->depth];
	struct opsum *sum = &w->kinds.v[f->kind].sum;

	f->op.self = sub_clamped(f->op.dur, f->inner);
	sum->self = add_clamped(sum->self, f->op.self);
	if (w->depth)
		w->open[w->depth - 1].inner = add_clamped(w->open[w->depth - 1].inner, f->op.dur);
	if (w->feed)
		step_feed_leave(w->feed, &f->op);
}

static inline struct opsum of_run(const struct op_event *e)
{
	return (struct opsum){
#define WHOLE(m, run) .m = (run),
#define AMOUNT(m, run) .m = (run),
#include "analyze/ops/opsum.def"
	};
}

static inline bool contains(const struct step_op *o, const struct op_event *s)
{
	return o->start <= s->begin && s->begin + s->dur <= o->start + o->dur;
}

static void enter_op(struct walk *w, const struct track *t, uint32_t meta, uint32_t kind,
    const struct op_event *s)
{
	const struct opsum run = of_run(s);
	struct frame *f;

	while (w->depth && !contains(&w->open[w->depth - 1].op, s))
		leave(w);
	opsum_count(&w->kinds.v[kind].sum, &run);
	VEC_PUSH(w->open, w->depth, w->cap);
	f = &w->open[w->depth++];
	f->op = (struct step_op){ .start = s->begin,
		.dur = s->dur,
		.id = opdb_has_whole(s, OPDB_REDUCE) ? s->whole[OPDB_REDUCE] : STEP_OP_NO_ID,
		.track = (uint32_t)(t - w->p->dump->trace.tracks),
		.meta = meta,
		.event = s->event };
	f->inner = 0;
	f->kind = kind;
	if (s->begin < w->begin || (s->begin == w->begin && s->dur > w->dur))
		w->feed = NULL;
	w->begin = s->begin;
	w->dur = s->dur;
	if (w->feed)
		step_feed_enter(w->feed, &f->op);
}

static void keep_link(struct plane_scan *p, uint32_t meta, const struct op_event *s)
{
	const struct plane *plane = &p->dump->trace.planes[p->plane];

	VEC_ADD(p->link, p->nlinks, p->links_cap,
	    (struct sparse_link){ .host = plane->host,
		.core = plane->core,
		.on = s->whole[OPDB_LINK_CORE],
		.start = s->whole[OPDB_LINK_START],
		.meta = meta });
}

/* Nesting is decided in the order of the file, which is nearly always that of the track.  Otherwise events
 * are sorted by their place in the file.  NULL: no sorting needed. */
struct by_args {
	uint64_t at;
	uint32_t i;
};

VEC_ORDER(in_file_order, struct by_args, UP(at));

static struct by_args *file_order(const struct track *t, size_t from, size_t to)
{
	struct by_args *v;
	uint64_t before = 0;
	size_t i = from;

	for (; i < to && track_args(t, i) >= before; i++)
		before = track_args(t, i);
	if (i >= to || to > UINT32_MAX || !(v = mem_try(NULL, to - from, sizeof *v)))
		return NULL;
	for (i = from; i < to; i++)
		v[i - from] = (struct by_args){ track_args(t, i), (uint32_t)i };
	qsort(v, to - from, sizeof *v, in_file_order);
	return v;
}

/* Finds the part of a track that the window may cover; the columns must have the plain clock for that. */
static void places(const struct plane_scan *p, const struct track *t, size_t *from, size_t *to)
{
	bool search = p->window && !t->device_clock;

	*from = search ? track_lower(t, p->window->before) : 0;
	*to = search ? track_lower(t, p->window->to) : t->n;
}

static bool in_window(const struct plane_scan *p, const struct track *t, size_t i)
{
	int64_t start, dur;

	if (!p->window)
		return true;
	clock_plain(p->dump, t, i, &start, &dur);
	return start >= p->window->before && start < p->window->to && start + dur > p->window->from;
}

/* The program of an op, as the runs of programs say it. */
static uint32_t program_of(const struct walk *w, const struct track *t, const struct op_event *s)
{
	int64_t start = s->begin, dur;

	if (!w->runs.device || !s->own)
		clock_plain(w->p->dump, t, s->event, &start, &dur);
	return op_runs_program(&w->runs, start);
}

static void take_event(struct walk *w, const struct track *t, const struct op_event *s)
{
	struct plane_scan *p = w->p;
	uint32_t meta = track_meta(t, s->event), kind = s->kind;

	if (w->converted) {
		kind = kinds_of(&w->kinds, meta, program_of(w, t, s));
		if (w->kinds.v[kind].track == UINT32_MAX && track_args(t, s->event)) {
			w->kinds.v[kind].track = (uint32_t)(t - p->dump->trace.tracks);
			w->kinds.v[kind].event = s->event;
		}
	}
	enter_op(w, t, meta, kind, s);
	if ((s->has & OPDB_LINK) == OPDB_LINK)
		keep_link(p, meta, s);
	p->first = s->begin < p->first ? s->begin : p->first;
	p->last = s->begin + s->dur > p->last ? s->begin + s->dur : p->last;
}

/* false: somebody wants to stop */
static bool read_event(struct walk *w, const struct track *t, size_t k, size_t i, struct op_event *s)
{
	if (!(k & 0xfff) && progress_canceled(w->p->progress)) {
		w->feed = NULL;
		return false;
	}
	s->kind = w->converted ? 0 : kinds_of(&w->kinds, track_meta(t, i), 0);
	opdb_read_event(w->p, &w->ints, i, w->converted || w->kinds.v[s->kind].custom, s);
	return true;
}

static void walk_events(struct walk *w, const struct track *t, size_t from, size_t to)
{
	struct by_args *order = file_order(t, from, to);
	struct op_event s;

	if (order)
		w->feed = NULL;
	for (size_t k = from; k < to; k++) {
		size_t i = order ? order[k - from].i : k;

		if (!in_window(w->p, t, i))
			continue;
		if (!read_event(w, t, k, i, &s))
			break;
		take_event(w, t, &s);
	}
	free(order);
}

static int in_time(const void *a, const void *b)
{
	const struct op_event *x = a, *y = b;
	int order = trace_time_order(x->begin, x->dur, y->begin, y->dur);

	return order ? order : (x->event > y->event) - (x->event < y->event);
}

/* The order of a converted trace means nothing: nesting is decided in that of the device's clock. */
static bool walk_converted(struct walk *w, const struct track *t, size_t from, size_t to)
{
	struct op_event *v = mem_try(NULL, to - from + 1, sizeof *v);
	bool sorted = true;
	size_t n = 0;

	if (!v)
		return false;
	for (size_t k = from; k < to; k++) {
		if (!in_window(w->p, t, k))
			continue;
		if (!read_event(w, t, k, k, &v[n]))
			break;
		sorted = sorted && (!n || in_time(&v[n - 1], &v[n]) < 0);
		n++;
	}
	if (!sorted)
		qsort(v, n, sizeof *v, in_time);
	for (size_t i = 0; i < n; i++)
		take_event(w, t, &v[i]);
	free(v);
	return true;
}

static void walk_track(struct walk *w, const struct track *t)
{
	size_t from, to;

	stat_ints_open(&w->ints, w->p->dump, t, w->p->names->whole, OPDB_WHOLES);
	places(w->p, t, &from, &to);
	if (!w->converted || !walk_converted(w, t, from, to))
		walk_events(w, t, from, to);
	while (w->depth)
		leave(w);
	progress_add(w->p->progress, to - from, 0);
}

/* Aggregated events have a count instead of a place in time. */
static void add_aggregates(struct walk *w, const struct track *t)
{
	for (size_t i = 0; i < t->untimed && !w->p->window; i++) {
		const struct aggregate *a = &t->agg[i];
		uint32_t kind = kinds_of(&w->kinds, a->meta, 0);
		const struct opsum runs = { .occurrences = a->count > 1 ? a->count : 1,
			.time = a->dur,
			.self = a->dur,
			.normalized = a->dur,
			.min_time = a->dur };

		opsum_count(&w->kinds.v[kind].sum, &runs);
	}
}

static void steps_extent_of(struct plane_scan *p, const struct track *t, int64_t until)
{
	struct stat_ints ints;

	stat_ints_open(&ints, p->dump, t, p->names->whole, OPDB_WHOLES);
	for (size_t i = 0; i < t->n && !p->window; i++) {
		struct op_event s;

		if (!steps_is_read(t, i, until))
			continue;
		opdb_read_event(p, &ints, i, false, &s);
		p->first = s.begin < p->first ? s.begin : p->first;
		p->last = s.begin + s.dur > p->last ? s.begin + s.dur : p->last;
	}
}

void opdb_scan(struct plane_scan *p)
{
	const struct plane *plane = &p->dump->trace.planes[p->plane];
	struct walk w = { .p = p,
		.kinds.p = p,
		.converted = file_is_converted(&p->dump->files[plane->file]) };
	int64_t until = steps_read_until(p->dump, p->plane);
	size_t lines = 0;

	if (digest_scan(p))
		return;
	p->first = INT64_MAX;
	p->last = INT64_MIN;
	w.feed = p->cores && !p->window ? step_cores_feed(p->cores, p->plane) : NULL;
	if (w.converted)
		op_runs_find(p->dump, p->plane, &w.runs);
	for (uint32_t k = UINT32_MAX;
	     (k = trace_track_of(&p->dump->trace, p->plane, k)) < p->dump->trace.ntracks;) {
		const struct track *t = &p->dump->trace.tracks[k];

		if (t->plane != p->plane || t->file < 0)
			continue;
		if (t->role == TRACK_STEPS)
			steps_extent_of(p, t, until);
		if (t->role != TRACK_OPS)
			continue;
		lines += t->n > 0;
		w.feed = lines < 2 ? w.feed : NULL;
		w.begin = INT64_MIN;
		walk_track(&w, t);
		add_aggregates(&w, t);
	}
	if (w.feed)
		step_cores_fed(p->cores, p->plane);
	kinds_become_ops(&w.kinds, &w.runs, w.converted);
	kinds_free(&w.kinds);
	op_runs_free(&w.runs);
	free(w.open);
}

void opdb_scan_free(struct plane_scan *p)
{
	free(p->v);
	free(p->link);
	p->v = NULL;
	p->link = NULL;
}
