#include "config.h"
#include "analyze/ops/span.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "analyze/ops/step_cores.h"
#include "analyze/trace/clock.h"
#include "base/clamp.h"
#include "memory_access_breakdown.pb-c.h"

/* Sums of one kind of event on the plane, before it is known which op the kind belongs to. */
struct kind {
	int64_t occurrences, time, self, normalized, dma, min_time;
	double flops, bytes; /* sums of what its events state */
};

struct frame {
	int64_t begin, end, inner;
	uint32_t meta;
};

struct walk {
	struct plane_scan *p;
	struct kind *kind; /* by meta - base */
	uint8_t *read;     /* by meta - base: READ_... bits */
	uint32_t base;
	uint32_t *seen;
	size_t nseen, seen_cap; /* kinds in order of appearance */
	struct frame *open;
	size_t depth, cap;
	struct step_feed *feed; /* NULL: not wanted, or given up because the ops are not in order of time */
};

static struct kind *kind_of(struct walk *w, uint32_t meta, int64_t times)
{
	struct kind *k = &w->kind[meta - w->base];

	if (!k->occurrences) {
		VEC_PUSH(w->seen, w->nseen, w->seen_cap);
		w->seen[w->nseen++] = meta;
		k->min_time = INT64_MAX;
	}
	k->occurrences = add_clamped(k->occurrences, times);
	return k;
}

static void leave(struct walk *w)
{
	struct frame *f = &w->open[--w->depth];
	int64_t dur = f->end - f->begin;
	struct kind *k = &w->kind[f->meta - w->base];

	k->self = add_clamped(k->self, sub_clamped(dur, f->inner));
	if (w->depth)
		w->open[w->depth - 1].inner = add_clamped(w->open[w->depth - 1].inner, dur);
}

static void enter(struct walk *w, uint32_t meta, const struct span *s)
{
	int64_t end = s->begin + s->dur;
	struct kind *k = kind_of(w, meta, 1);

	while (w->depth && !(w->open[w->depth - 1].begin <= s->begin && end <= w->open[w->depth - 1].end))
		leave(w);
	k->time = add_clamped(k->time, s->dur);
	k->normalized = add_clamped(k->normalized,
	    s->multiplier == 1 ? s->dur : from_double((double)s->dur * s->multiplier));
	k->dma = add_clamped(k->dma, s->dma);
	k->min_time = s->dur < k->min_time ? s->dur : k->min_time;
	k->flops += s->flops;
	k->bytes += s->bytes;
	VEC_PUSH(w->open, w->depth, w->cap);
	w->open[w->depth++] = (struct frame){ .begin = s->begin, .end = end, .meta = meta };
}

static void keep_link(struct plane_scan *p, uint32_t meta, const struct span *s)
{
	const struct plane *plane = &p->dump->trace.planes[p->plane];

	VEC_PUSH(p->link, p->nlinks, p->links_cap);
	p->link[p->nlinks++] = (struct sparse_link){ .host = plane->host,
		.core = plane->core,
		.on = s->whole[p->names->at[OPDB_LINK_CORE]],
		.start = s->whole[p->names->at[OPDB_LINK_START]],
		.meta = meta };
}

/* Nesting is decided in the order of the file, which is nearly always that of the track.  Otherwise events
 * are sorted by their place in the file.  NULL: no sorting needed. */
struct by_args {
	uint64_t at;
	uint32_t i;
};

static int in_file_order(const void *a, const void *b)
{
	const struct by_args *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static struct by_args *file_order(const struct track *t, size_t from, size_t to)
{
	struct by_args *v;
	size_t i = from + 1;

	while (i < to && track_args(t, i - 1) <= track_args(t, i))
		i++;
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

/* Passes the event that was just read on to the sums per step. */
static void feed(struct walk *w, const struct track *t, size_t i, const struct span *s)
{
	const struct step_pair pair = { .start = s->begin,
		.dur = s->dur,
		.id = opdb_has_whole(s, OPDB_REDUCE) ? s->whole[s->names->at[OPDB_REDUCE]] : STEP_OP_NO_ID,
		.known = s->own };

	if (!step_feed_op(w->feed, (uint32_t)(t - w->p->dump->trace.tracks), i, &pair))
		w->feed = NULL;
}

static void walk_events(struct walk *w, const struct track *t)
{
	size_t from, to;

	places(w->p, t, &from, &to);
	struct by_args *order = file_order(t, from, to);

	if (order)
		w->feed = NULL;
	for (size_t k = from; k < to; k++) {
		size_t i = order ? order[k - from].i : k;
		struct span s;

		if (!(k & 0xfff) && progress_cancelled(w->p->progress)) {
			w->feed = NULL;
			break;
		}
		if (!in_window(w->p, t, i))
			continue;
		opdb_span(w->p, t, i, w->read[t->meta[i] - w->base], &s);
		enter(w, t->meta[i], &s);
		if (w->feed)
			feed(w, t, i, &s);
		if ((s.has & w->p->names->link) == w->p->names->link)
			keep_link(w->p, t->meta[i], &s);
		w->p->first = s.begin < w->p->first ? s.begin : w->p->first;
		w->p->last = s.begin + s.dur > w->p->last ? s.begin + s.dur : w->p->last;
	}
	while (w->depth)
		leave(w);
	progress_add(w->p->progress, to - from, 0);
	free(order);
}

/* Aggregated events have a count instead of a place in time. */
static void add_aggregates(struct walk *w, const struct track *t)
{
	for (size_t i = 0; i < t->untimed && !w->p->window; i++) {
		const struct aggregate *a = &t->agg[i];
		struct kind *k = kind_of(w, a->meta, a->count > 1 ? a->count : 1);

		k->time = add_clamped(k->time, a->dur);
		k->self = add_clamped(k->self, a->dur);
		k->normalized = add_clamped(k->normalized, a->dur);
		k->min_time = a->dur < k->min_time ? a->dur : k->min_time;
	}
}

struct numbers {
	const struct opdb_names *names;
	struct plane_op *op;
	int has; /* bits: 1 program, 2 symbol */
};

static void take_access(struct opsum *s, const struct stat_value *v)
{
	Pb__MemoryAccessBreakdown *b = pb__memory_access_breakdown__unpack(NULL, v->n, (const uint8_t *)v->s);

	for (size_t i = 0; b && i < b->n_memory_accessed; i++) {
		const Pb__MemoryAccess *a = b->memory_accessed[i];
		enum op_space space = a->memory_space >= 1 && a->memory_space <= 3
		    ? (enum op_space)(a->memory_space - 1)
		    : SPACE_OTHER;
		enum op_access access = a->operation_type == PB__MEMORY_ACCESS__OPERATION__READ ? ACCESS_READ
		    : a->operation_type == PB__MEMORY_ACCESS__OPERATION__WRITE                  ? ACCESS_WRITE
									       : ACCESS_OTHER;

		s->mem[space][access] += (double)a->bytes_accessed;
		s->has_mem = true;
	}
	if (b)
		pb__memory_access_breakdown__free_unpacked(b, NULL);
}

static void take_number(struct numbers *n, const struct stat_value *v)
{
	const struct opdb_names *x = n->names;

	if (v->name_id == x->program) {
		n->op->program = v->u;
		n->has |= 1;
	} else if (v->name_id == x->symbol) {
		n->op->symbol = v->u;
		n->has |= 2;
	} else if (v->name_id == x->flops && v->d > 0) {
		n->op->sum.flops = v->d;
	} else if (v->name_id == x->model_flops && v->d > 0) {
		n->op->sum.model_flops = v->d;
	} else if (v->name_id == x->bytes && v->d > 0) {
		n->op->sum.bytes = v->d;
	}
}

static bool take_kind_stat(void *ctx, const struct stat_value *v)
{
	struct numbers *n = ctx;
	const strid texts[] = { n->names->provenance, n->names->dedup, n->names->source, n->names->stack,
		n->names->shape };

	if (v->type == STAT_UINT || v->type == STAT_INT || v->type == STAT_DOUBLE)
		take_number(n, v);
	else if (v->type == STAT_BYTES && v->name_id == n->names->access)
		take_access(&n->op->sum, v);
	for (unsigned i = 0; i < sizeof texts / sizeof *texts && v->type == STAT_STR; i++)
		if (v->name_id == texts[i] && v->n)
			n->op->texts |= 1u << i;
	return true;
}

static void multiply(struct opsum *s)
{
	double n = (double)s->occurrences;

	s->flops *= n;
	s->model_flops = s->model_flops > 0 ? s->model_flops * n : s->flops;
	s->bytes *= n;
	for (size_t i = 0; i < SPACE_COUNT; i++)
		for (size_t k = 0; k < ACCESS_COUNT; k++)
			s->mem[i][k] *= n;
}

static int by_symbol(const void *a, const void *b)
{
	const struct plane_op *x = a, *y = b;

	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	if (x->symbol != y->symbol)
		return x->symbol < y->symbol ? -1 : 1;
	return (x->meta > y->meta) - (x->meta < y->meta);
}

/* Turns kinds into ops.  Kinds with one program and symbol are the same op, which takes the cost numbers of
 * the first. */
static void make_ops(struct walk *w)
{
	struct plane_scan *p = w->p;
	size_t n = 0;

	for (size_t i = 0; i < w->nseen; i++) {
		const struct kind *k = &w->kind[w->seen[i] - w->base];
		struct plane_op op = { .meta = w->seen[i] };
		struct numbers numbers = { p->names, &op, 0 };

		stats_of_meta(p->dump, op.meta, take_kind_stat, &numbers);
		if (numbers.has != 3 || !op.symbol) {
			p->dropped += (uint64_t)k->occurrences;
			continue;
		}
		op.sum.occurrences = k->occurrences;
		op.sum.time = k->time;
		op.sum.self = k->self;
		op.sum.normalized = k->normalized;
		op.sum.dma = k->dma;
		op.sum.min_time = k->min_time;
		op.sum.cores = 1;
		if (p->dump->trace.metas[op.meta].category == p->names->custom_call) {
			op.event_flops = op.sum.flops > 0 ? 0 : k->flops;
			op.event_bytes = op.sum.bytes > 0 ? 0 : k->bytes;
		}
		VEC_PUSH(p->v, p->n, p->cap);
		p->v[p->n++] = op;
	}
	if (p->n)
		qsort(p->v, p->n, sizeof *p->v, by_symbol);
	for (size_t i = 0; i < p->n; i++) {
		struct plane_op *last = n ? &p->v[n - 1] : NULL;
		struct opsum more = { 0 };

		if (!last || last->program != p->v[i].program || last->symbol != p->v[i].symbol) {
			p->v[n++] = p->v[i];
			continue;
		}
		more = p->v[i].sum;
		more.flops = more.model_flops = more.bytes = 0;
		memset(more.mem, 0, sizeof more.mem);
		more.has_mem = false;
		more.cores = 0;
		opsum_add(&last->sum, &more);
		last->event_flops += p->v[i].event_flops;
		last->event_bytes += p->v[i].event_bytes;
	}
	p->n = n;
	for (size_t i = 0; i < n; i++)
		multiply(&p->v[i].sum);
}

static void steps_extent_of(struct plane_scan *p, const struct track *t)
{
	for (size_t i = 0; i < t->n && !p->window; i++) {
		struct span s;

		opdb_span(p, t, i, 0, &s);
		p->first = s.begin < p->first ? s.begin : p->first;
		p->last = s.begin + s.dur > p->last ? s.begin + s.dur : p->last;
	}
}

static bool meta_range(const struct plane_scan *p, uint32_t *base, size_t *n)
{
	uint32_t lo = UINT32_MAX, hi = 0;
	size_t from, to;

	for (uint32_t k = UINT32_MAX;
	     (k = trace_track_of(&p->dump->trace, p->plane, k)) < p->dump->trace.ntracks;) {
		const struct track *t = &p->dump->trace.tracks[k];

		if (t->plane != p->plane || t->role != TRACK_OPS || t->file < 0)
			continue;
		places(p, t, &from, &to);
		for (size_t i = from; i < to; i++) {
			lo = t->meta[i] < lo ? t->meta[i] : lo;
			hi = t->meta[i] > hi ? t->meta[i] : hi;
		}
		for (size_t i = 0; i < t->untimed; i++) {
			lo = t->agg[i].meta < lo ? t->agg[i].meta : lo;
			hi = t->agg[i].meta > hi ? t->agg[i].meta : hi;
		}
	}
	*base = lo;
	*n = lo <= hi ? (size_t)(hi - lo) + 1 : 0;
	return *n > 0;
}

static void know_reads(struct walk *w, size_t n)
{
	const struct evmeta *m = w->p->dump->trace.metas + w->base;

	w->read = xcalloc(n, 1);
	for (size_t i = 0; i < n; i++)
		w->read[i] = (w->feed && step_feed_asks(w->feed, w->base + (uint32_t)i) ? READ_REDUCE : 0) |
		    (m[i].category == w->p->names->custom_call ? READ_ALL : 0);
}

void opdb_scan(struct plane_scan *p)
{
	struct walk w = { .p = p };
	size_t n;

	if (digest_scan(p))
		return;
	p->first = INT64_MAX;
	p->last = INT64_MIN;
	w.feed = p->cores && !p->window ? step_cores_feed(p->cores, p->plane) : NULL;
	if (meta_range(p, &w.base, &n)) {
		w.kind = xcalloc(n, sizeof *w.kind);
		know_reads(&w, n);
	}
	for (uint32_t k = UINT32_MAX;
	     (k = trace_track_of(&p->dump->trace, p->plane, k)) < p->dump->trace.ntracks;) {
		const struct track *t = &p->dump->trace.tracks[k];

		if (t->plane != p->plane || t->file < 0)
			continue;
		if (t->role == TRACK_STEPS)
			steps_extent_of(p, t);
		if (t->role != TRACK_OPS)
			continue;
		walk_events(&w, t);
		add_aggregates(&w, t);
	}
	if (w.feed)
		step_feed_end(w.feed);
	make_ops(&w);
	free(w.kind);
	free(w.read);
	free(w.seen);
	free(w.open);
}

void opdb_scan_free(struct plane_scan *p)
{
	free(p->v);
	free(p->link);
	p->v = NULL;
	p->link = NULL;
}
