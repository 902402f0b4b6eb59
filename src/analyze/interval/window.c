#include "config.h"

#include "analyze/interval/window.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/interval/internal.h"
#include "base/clamp.h"
#include "base/now.h"
#include "base/pool.h"
#include "model/sweep.h"

#define TASK 32768    /* events per task */
#define SLICE_TASKS 8 /* per worker, between two looks at the clock */
#define SLICE_TRACKS 2048
#define LINE 16 /* parts in a cache line */

void window_begin(struct window *w, const struct dump *d, const uint32_t *tracks, size_t ntracks, int64_t t0,
    int64_t t1)
{
	struct window_work *k = xcalloc(1, sizeof *k);

	*w = (struct window){ .t0 = t0, .t1 = t1 > t0 ? t1 : t0, .work = k };
	k->d = d;
	k->tracks = xrealloc(NULL, ntracks, sizeof *tracks);
	if (ntracks)
		memcpy(k->tracks, tracks, ntracks * sizeof *tracks);
	k->ntracks = ntracks;
}

/* --- tasks --- */

static struct window_span window_span(const struct window *w, uint32_t track)
{
	const struct track *t = &w->work->d->trace.tracks[track];
	int64_t shift = w->shift ? w->shift[t->plane] : 0;

	return (struct window_span){ t, w->t0 - shift, w->t1 - shift };
}

/* Returns the part of an event that lies in the window. */
static int64_t part_of(const struct window_span *s, size_t i)
{
	int64_t from = track_start(s->t, i), to = track_end(s->t, i);

	return (to < s->t1 ? to : s->t1) - (from > s->t0 ? from : s->t0);
}

static void plan_track(struct window *w, size_t place)
{
	struct window_work *k = w->work;
	struct window_span s = window_span(w, k->tracks[place]);
	const struct track *t = s.t;
	size_t begin = track_lower(t, s.t0), end = track_lower(t, s.t1), step = TASK, i = begin;

	if (t->lod && (size_t)1 << t->lod->shift > step)
		step = (size_t)1 << t->lod->shift;
	/* If lanes had to share the last row, what is open is known only from the start of the track. */
	if (w->keys.in_order || !lod_can_look_up(t) || end - begin < step + step / 2)
		step = SIZE_MAX;
	k->planned += end - begin;
	do {
		size_t to = step == SIZE_MAX || end - i <= step ? end : (i / step + 1) * step;

		VEC_ADD(k->tasks, k->ntasks, k->tasks_cap,
		    (struct window_task){ .k = (uint32_t)place, .first = i == begin, .i = i, .end = to });
		i = to;
	} while (i < end);
}

/* Memory that is clear because it was never used: there may be far more keys than are met. */
static void make_slots(struct window_worker *o, size_t n)
{
	size_t line = sizeof(struct window_slot);
	char *p = o->block = xcalloc(n + 1, line);

	o->slots = (void *)(p + (line - (uintptr_t)p % line) % line);
}

static void plan(struct window *w, bool all)
{
	struct window_work *k = w->work;
	uint64_t most;

	for (size_t n = 0; (all || n < SLICE_TRACKS) && k->k < k->ntracks; n++)
		plan_track(w, k->k++);
	if (k->k < k->ntracks)
		return;
	k->nkeys = w->keys.row ? w->keys.n : k->d->trace.nmetas;
	most = 1 + k->planned / (2 * TASK);
	k->nworkers = w->keys.in_order ? 1 : pool_default_threads();
	k->nworkers = most < (uint64_t)k->nworkers ? (int)most : k->nworkers;
	k->workers = xaligned(_Alignof(struct window_worker), (size_t)k->nworkers, sizeof *k->workers);
	for (int i = 0; i < k->nworkers; i++)
		make_slots(&k->workers[i], k->nkeys);
	k->k = 0;
	k->phase = WINDOW_SCAN;
}

/* Lists some of the events before `begin` that reach into the window, in order, from *at on (0 at first).
 * Returns how many; 0 = no more. */
static size_t list_open(const struct window_span *s, size_t begin, size_t *at, uint32_t out[TRACK_ROWS_MAX])
{
	const struct track *t = s->t;
	size_t n = 0;

	if (s->t1 <= s->t0 || *at >= begin)
		return 0;
	if (!t->lod) {
		for (; *at < begin && n < TRACK_ROWS_MAX; ++*at)
			if (track_end(t, *at) > s->t0)
				out[n++] = (uint32_t)*at;
		return n;
	}
	*at = begin;
	for (int r = 0; r < t->rows; r++) {
		uint32_t o = lod_open(t, r, s->t0 - 1);
		size_t k;

		if (!o || track_end(t, o - 1) <= s->t0)
			continue;
		for (k = n++; k && out[k - 1] > o - 1; k--)
			out[k] = out[k - 1];
		out[k] = o - 1;
	}
	return n;
}

/* --- scanning --- */

static struct window_slot *use(struct window_worker *k, uint32_t key, uint32_t task)
{
	struct window_slot *s = &k->slots[key];

	if (s->used)
		return s;
	s->used = true;
	s->min = INT64_MAX;
	s->max = -1;
	VEC_ADD(k->used, k->nused, k->used_cap, (struct window_used){ key, task });
	return s;
}

static inline void add_part(int64_t *sum, int64_t part)
{
	if (__builtin_expect(__builtin_add_overflow(*sum, part, sum), 0))
		*sum = INT64_MAX;
}

static inline void account(struct window_worker *k, uint32_t key, size_t i, int64_t part, uint32_t task)
{
	struct window_slot *s = &k->slots[key];

	if (!s->count)
		use(k, key, task);
	s->count++;
	add_part(&s->total, part);
	if (part < s->min)
		s->min = part;
	if (part > s->max) {
		s->max = part;
		s->task = task;
		s->longest = (uint32_t)i;
	}
}

/* Stores a part for the ranks. */
static inline void keep(const struct window_parts *p, size_t *fill, int64_t part)
{
	size_t at = *fill >> 1;

	if (at >= p->n)
		return;
	__builtin_prefetch(&p->v[at + LINE], 1); /* or the first write to the next line has to wait for it */
	if (*fill & 1)
		memcpy(&p->v[at], &part, sizeof part);
	else
		p->v[at] = (uint32_t)part;
	*fill += ((*fill & 1) + 1) << 1;
}

/* open[row + 1] is the last event of a row, open[row] that of the row around it; for outermost rows that is
 * `none`. */
static inline void nest(struct window_slot **open, struct window_slot *slot, int depth, int base,
    int64_t part)
{
	add_part(&open[depth ? base + depth : 0]->inside, part);
	open[base + depth + 1] = slot;
}

static uint32_t key_of(const struct window *w, uint32_t track, size_t i)
{
	return w->keys.of ? w->keys.of(w->keys.ctx, track, i)
			  : track_meta(&w->work->d->trace.tracks[track], i);
}

/* Handles an event that may be cut, or may not count: then it only takes time from its parent. */
static void see_event(const struct window *w, struct window_worker *k, const struct window_span *s,
    struct window_task *a, size_t i)
{
	const struct track *t = s->t;
	uint32_t key = key_of(w, w->work->tracks[a->k], i);
	struct window_slot *slot = key == WINDOW_OUT ? &k->none : &k->slots[key];
	int64_t part = part_of(s, i);

	if (w->work->phase == WINDOW_FILL) {
		if (key != WINDOW_OUT)
			keep(&w->work->parts, &k->fill[key], part);
		return;
	}
	if (key != WINDOW_OUT) {
		account(k, key, i, part, (uint32_t)(a - w->work->tasks));
		slot->cut += part < track_dur(t, i);
		a->events++;
	}
	nest(k->open, slot, t->depth[i], t->lane ? t->lane_base[t->lane[i]] : 0, part);
}

/* Inlined, so that it is compiled once for each kind of track, of which it has a copy because otherwise the compiler
 * must assume that any write may change it. */
static inline __attribute__((always_inline)) void see_kinds(const struct window *w, struct window_worker *k,
    const struct window_span *s, uint32_t id, size_t i, size_t end, bool filling, bool nested, bool lanes)
{
	const struct track t = *s->t;
	int64_t t1 = s->t1;
	bool ends = t.last > t1;
	struct window_slot *slots = k->slots, **open = k->open;
	const struct window_parts parts = w->work->parts;
	size_t *fill = k->fill;

	for (; i < end; i++) {
		int64_t part = track_dur(&t, i);
		uint32_t meta = track_meta(&t, i);

		if (ends && part > t1 - track_start(&t, i)) {
			part = t1 - track_start(&t, i);
			if (!filling)
				use(k, meta, id)->cut++;
		}
		if (filling)
			keep(&parts, &fill[meta], part);
		else
			account(k, meta, i, part, id);
		if (nested)
			nest(open, &slots[meta], t.depth[i], lanes ? t.lane_base[t.lane[i]] : 0, part);
	}
}

static void see_task(const struct window *w, struct window_worker *k, const struct window_span *s,
    struct window_task *a)
{
	uint32_t id = (uint32_t)(a - w->work->tasks);

	if (w->keys.of)
		for (size_t i = a->i; i < a->end; i++)
			see_event(w, k, s, a, i);
	else if (w->work->phase == WINDOW_FILL)
		see_kinds(w, k, s, id, a->i, a->end, true, false, false);
	else if (s->t->lane)
		see_kinds(w, k, s, id, a->i, a->end, false, true, true);
	else if (s->t->rows > 1)
		see_kinds(w, k, s, id, a->i, a->end, false, true, false);
	else
		see_kinds(w, k, s, id, a->i, a->end, false, false, false);
}

static void add_classes(struct window_worker *k, const struct window_span *s, const uint8_t *meta_class)
{
	struct sweep sweep = { .track = s->t, .now = s->t0 };
	struct sweep_piece p;
	int64_t busy[CLASS_COUNT] = { 0 };

	if (!meta_class)
		return;
	if (s->t->lod) {
		lod_sum(s->t, meta_class, s->t0, s->t1, busy);
	} else {
		while (sweep_next(&sweep, s->t1, &p))
			busy[META_CLASS(meta_class[track_meta(s->t, p.event)])] += p.to - p.from;
		sweep_free(&sweep);
	}
	for (int c = 0; c < CLASS_COUNT; c++)
		k->class_ps[c] = add_clamped(k->class_ps[c], busy[c]);
}

static void see_open(const struct window *w, struct window_worker *k, const struct window_span *s,
    struct window_task *a)
{
	uint32_t open[TRACK_ROWS_MAX];
	size_t at = 0, n;

	while ((n = list_open(s, a->i, &at, open)))
		for (size_t j = 0; j < n; j++)
			see_event(w, k, s, a, open[j]);
}

/* Sets up what is open where a task begins in the middle of a track. */
static void carry_open(const struct window *w, struct window_worker *k, const struct window_span *s,
    const struct window_task *a, uint32_t id)
{
	const struct track *t = s->t;
	const uint32_t *last = t->lod->last + (a->i >> t->lod->shift) * (size_t)t->lod->rows;

	for (int r = 0; r < t->rows; r++) {
		uint32_t key = WINDOW_OUT;

		if (last[r] && track_end(t, last[r] - 1) > s->t0)
			key = key_of(w, w->work->tracks[a->k], last[r] - 1);
		if (key != WINDOW_OUT)
			k->open[r + 1] = use(k, key, id);
	}
}

/* In times of the track, as shown. */
static void count_gaps(const struct window *w, const struct window_span *s, struct interval_track *r)
{
	struct lod_gaps g;

	lod_gaps(s->t, s->t0, s->t1, &g);
	r->gaps = g.n;
	r->busy = s->t1 - s->t0 - g.idle;
	r->longest = g.longest;
	r->at = g.at + w->t0 - s->t0;
}

static void scan_task(const struct window *w, struct window_worker *k, struct window_task *a)
{
	struct window_span s = window_span(w, w->work->tracks[a->k]);

	for (int r = 0; r <= s.t->rows; r++)
		k->open[r] = &k->none;
	a->events = w->keys.of ? 0 : a->end - a->i;
	a->worker = (uint32_t)(k - w->work->workers);
	if (a->first) {
		see_open(w, k, &s, a);
		if (!w->keys.of)
			add_classes(k, &s, w->work->d->trace.meta_class);
		if (w->work->spans)
			count_gaps(w, &s, &w->work->spans[a->k]);
	} else {
		carry_open(w, k, &s, a, (uint32_t)(a - w->work->tasks));
	}
	see_task(w, k, &s, a);
}

static void scan_job(void *ctx, size_t worker)
{
	const struct window *w = ctx;
	struct window_work *k = w->work;
	size_t i;

	while ((i = atomic_fetch_add_explicit(&k->next, 1, memory_order_relaxed)) < k->limit)
		scan_task(w, &k->workers[worker], &k->tasks[i]);
}

/* Each worker goes through its tasks once more, because room was made for what it counted. */
static void fill_job(void *ctx, size_t worker)
{
	const struct window *w = ctx;
	const struct window_work *k = w->work;

	for (size_t i = k->k; i < k->limit; i++) {
		struct window_task *a = &k->tasks[i];
		struct window_span s = window_span(w, k->tracks[a->k]);

		if (a->worker != worker)
			continue;
		if (a->first)
			see_open(w, &k->workers[worker], &s, a);
		see_task(w, &k->workers[worker], &s, a);
	}
}

/* Runs some tasks; returns false when all are done. */
static bool run_tasks(struct window *w, void (*job)(void *, size_t), bool all)
{
	struct window_work *k = w->work;
	size_t left = k->ntasks - k->k, most = SLICE_TASKS * (size_t)k->nworkers;

	k->limit = all || left < most ? k->ntasks : k->k + most;
	atomic_store(&k->next, k->k);
	pool_run(k->nworkers, (size_t)k->nworkers, job, w);
	k->k = k->limit;
	return k->k < k->ntasks;
}

/* --- slices --- */

static void free_work(struct window *w)
{
	struct window_work *k = w->work;

	if (!k)
		return;
	for (int i = 0; i < k->nworkers; i++) {
		free(k->workers[i].block);
		free(k->workers[i].used);
		free(k->workers[i].fill);
	}
	free(k->parts.v);
	free(k->parts.at);
	free(k->workers);
	free(k->tracks);
	free(k->tasks);
	free(k->name_of);
	free(k);
	w->work = NULL;
}

void window_slice(struct window *w, bool all)
{
	struct window_work *k = w->work;
	enum window_phase next = k->phase;

	switch (k->phase) {
	case WINDOW_PLAN:
		plan(w, all);
		return;
	case WINDOW_SCAN:
		if (run_tasks(w, scan_job, all))
			return;
		window_merge(w);
		next = window_ranks_begin(w) ? WINDOW_FILL : WINDOW_DONE;
		break;
	case WINDOW_FILL:
		next = run_tasks(w, fill_job, all) ? WINDOW_FILL : WINDOW_SELECT;
		break;
	case WINDOW_SELECT:
		next = window_select(w, all) ? WINDOW_SELECT : WINDOW_DONE;
		break;
	case WINDOW_DONE:
		break;
	}
	if (next != k->phase)
		k->k = 0;
	k->phase = next;
	if (k->phase == WINDOW_DONE)
		free_work(w);
}

int window_step(struct window *w, int budget_ms)
{
	int64_t until = budget_ms < 0 ? INT64_MAX : now_ms() + budget_ms;

	while (w->work) {
		window_slice(w, budget_ms < 0);
		if (w->work && until != INT64_MAX && now_ms() >= until)
			return 1;
	}
	return 0;
}

void window_free(struct window *w)
{
	free_work(w);
	free(w->names);
	w->names = NULL;
	w->nnames = 0;
}
