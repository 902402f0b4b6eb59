#include "config.h"

#include "analyze/interval/window.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/interval/internal.h"
#include "base/now.h"
#include "base/pool.h"
#include "model/sweep.h"

#define TASK 32768    /* events per task */
#define SLICE_TASKS 8 /* per worker, between two looks at the clock */
#define SLICE_TRACKS 2048
#define PAGE 4096 /* bytes */

void window_begin(struct window *w, const struct dump *d, const uint32_t *tracks, size_t ntracks, int64_t t0,
    int64_t t1, bool ranks)
{
	struct window_work *k = xcalloc(1, sizeof *k);

	*w = (struct window){ .t0 = t0, .t1 = t1 > t0 ? t1 : t0, .work = k };
	k->d = d;
	k->tracks = xrealloc(NULL, ntracks, sizeof *tracks);
	if (ntracks)
		memcpy(k->tracks, tracks, ntracks * sizeof *tracks);
	k->ntracks = ntracks;
	k->ranks = ranks;
}

/* --- tasks --- */

struct window_span window_span(const struct window *w, uint32_t track)
{
	const struct track *t = &w->work->d->trace.tracks[track];
	int64_t shift = w->shift ? w->shift[t->plane] : 0;

	return (struct window_span){ t, w->t0 - shift, w->t1 - shift };
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
	if (!lod_can_look_up(t) || end - begin < step + step / 2)
		step = SIZE_MAX;
	k->planned += end - begin;
	k->open += t->lod ? (size_t)t->rows : begin;
	do {
		size_t to = step == SIZE_MAX || end - i <= step ? end : (i / step + 1) * step;

		VEC_ADD(k->tasks, k->ntasks, k->tasks_cap,
		    (struct window_task){ .k = (uint32_t)place, .first = i == begin, .i = i, .end = to });
		i = to;
	} while (i < end);
}

static void make_slots(struct window_worker *o, size_t n)
{
	size_t line = sizeof(struct window_slot);
	char *p = o->block = xcalloc(n + 2, line);

	o->slots = (void *)(p + (line - (uintptr_t)p % line) % line);
	o->lines.rest = (void *)&o->slots[n];
}

/* Touches the slots that will be used most.  A page that is read before it is written gets mapped twice, and
 * the second time the kernel stops all other threads. */
static void touch_slots(void *ctx, size_t worker)
{
	const struct window_work *k = ctx;

	for (size_t i = 0; i < k->d->trace.nmetas; i += PAGE / sizeof(struct window_slot))
		k->workers[worker].slots[i].used = false;
}

static void plan(struct window *w, bool all)
{
	struct window_work *k = w->work;
	uint64_t most;

	for (size_t n = 0; (all || n < SLICE_TRACKS) && k->k < k->ntracks; n++)
		plan_track(w, k->k++);
	if (k->k < k->ntracks)
		return;
	most = 1 + k->planned / (2 * TASK);
	k->nworkers = pool_default_threads();
	k->nworkers = most < (uint64_t)k->nworkers ? (int)most : k->nworkers;
	k->workers = xaligned(_Alignof(struct window_worker), (size_t)k->nworkers, sizeof *k->workers);
	for (int i = 0; i < k->nworkers; i++)
		make_slots(&k->workers[i], k->d->trace.nmetas);
	if (k->planned > k->d->trace.nmetas)
		pool_run(k->nworkers, (size_t)k->nworkers, touch_slots, k);
	if (k->ranks)
		window_store_make(k);
	k->k = 0;
	k->phase = WINDOW_SCAN;
}

/* Lists some of the events before `begin` that reach into the window, in order, from *at on (0 at first).
 * Returns how many; 0 = no more. */
static size_t window_open(const struct window_span *s, size_t begin, size_t *at, uint32_t out[TRACK_ROWS_MAX])
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

static struct window_slot *use(struct window_worker *k, uint32_t meta, uint32_t task)
{
	struct window_slot *s = &k->slots[meta];

	if (s->used)
		return s;
	s->used = true;
	s->min = INT64_MAX;
	s->max = -1;
	VEC_ADD(k->used, k->nused, k->used_cap, (struct window_used){ meta, task });
	return s;
}

/* Handles the rare cases: the first event of a kind, a full line, a part too long for a line. */
static __attribute__((noinline)) void keep_rare(struct window_worker *k, struct window_slot *s, uint32_t meta,
    int64_t part, uint32_t task)
{
	use(k, meta, task);
	window_keep(&k->lines, s, meta, part);
}

static inline void account(struct window_worker *k, uint32_t meta, size_t i, int64_t part, uint32_t task,
    bool keep)
{
	struct window_slot *s = &k->slots[meta];

	if (!keep) {
		if (!s->count)
			use(k, meta, task);
	} else if (window_no_room(s) | (part > UINT32_MAX)) {
		keep_rare(k, s, meta, part, task);
	} else {
		*s->fill++ = (uint32_t)part;
	}
	s->count++;
	window_add(&s->total, part);
	if (part < s->min)
		s->min = part;
	if (part > s->max) {
		s->max = part;
		s->task = task;
		s->longest = (uint32_t)i;
	}
}

/* open[row + 1] is the last event of a row, open[row] that of the row around it; for outermost rows that is
 * `none`. */
static inline void nest(struct window_slot **open, struct window_slot *slot, int depth, int base,
    int64_t part)
{
	window_add(&open[depth ? base + depth : 0]->inside, part);
	open[base + depth + 1] = slot;
}

/* Does the same as see_events() where not all events count: the others only take time from their parents. */
static void see_counted(const struct window *w, struct window_worker *k, const struct window_span *s,
    struct window_task *a, uint32_t id)
{
	const struct track *t = s->t;
	uint32_t track = w->work->tracks[a->k];

	for (size_t i = a->i; i < a->end; i++) {
		int64_t part = window_part_of(s, i);
		bool counts = w->counts(w->counts_ctx, track, i);

		if (counts) {
			account(k, track_meta(t, i), i, part, id, w->work->ranks);
			k->slots[track_meta(t, i)].cut += part < track_dur(t, i);
			a->events++;
		}
		nest(k->open, counts ? &k->slots[track_meta(t, i)] : &k->none, t->depth[i],
		    t->lane ? t->lane_base[t->lane[i]] : 0, part);
	}
}

/* Inlined, so that it is compiled once for each kind of track, of which it has a copy because otherwise the compiler
 * must assume that any write may change it. */
static inline __attribute__((always_inline)) void see_events(struct window_worker *k,
    const struct window_span *s, uint32_t id, size_t i, size_t end, bool keep, bool nested, bool lanes)
{
	const struct track t = *s->t;
	int64_t t1 = s->t1;
	bool ends = t.last > t1;
	struct window_slot *slots = k->slots, **open = k->open;

	for (; i < end; i++) {
		int64_t part = track_dur(&t, i);
		uint32_t meta = track_meta(&t, i);

		if (ends && part > t1 - track_start(&t, i)) {
			part = t1 - track_start(&t, i);
			use(k, meta, id)->cut++;
		}
		account(k, meta, i, part, id, keep);
		if (nested)
			nest(open, &slots[meta], t.depth[i], lanes ? t.lane_base[t.lane[i]] : 0, part);
	}
}

static inline __attribute__((always_inline)) void scan(struct window_worker *k, const struct window_span *s,
    const struct window_task *a, uint32_t id, bool keep)
{
	if (s->t->lane)
		see_events(k, s, id, a->i, a->end, keep, true, true);
	else if (s->t->rows > 1)
		see_events(k, s, id, a->i, a->end, keep, true, false);
	else
		see_events(k, s, id, a->i, a->end, keep, false, false);
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
		window_add(&k->class_ps[c], busy[c]);
}

static bool event_counts(const struct window *w, const struct window_task *a, size_t event)
{
	return !w->counts || w->counts(w->counts_ctx, w->work->tracks[a->k], event);
}

static void see_open(const struct window *w, struct window_worker *k, const struct window_span *s,
    struct window_task *a, uint32_t id)
{
	const struct track *t = s->t;
	uint32_t open[TRACK_ROWS_MAX];
	size_t at = 0, n;

	while ((n = window_open(s, a->i, &at, open)))
		for (size_t j = 0; j < n; j++) {
			int64_t part = window_part_of(s, open[j]);
			uint32_t meta = track_meta(t, open[j]);
			bool counts = event_counts(w, a, open[j]);

			if (counts) {
				account(k, meta, open[j], part, id, w->work->ranks);
				k->slots[meta].cut++;
				a->events++;
			}
			nest(k->open, counts ? &k->slots[meta] : &k->none, t->depth[open[j]],
			    t->lane ? t->lane_base[t->lane[open[j]]] : 0, part);
		}
}

/* Sets up what is open where a task begins in the middle of a track. */
static void carry_open(const struct window *w, struct window_worker *k, const struct window_span *s,
    const struct window_task *a, uint32_t id)
{
	const struct track *t = s->t;
	const uint32_t *last = t->lod->last + (a->i >> t->lod->shift) * (size_t)t->lod->rows;

	for (int r = 0; r < t->rows; r++)
		if (last[r] && track_end(t, last[r] - 1) > s->t0 && event_counts(w, a, last[r] - 1))
			k->open[r + 1] = use(k, track_meta(t, last[r] - 1), id);
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
	uint32_t id = (uint32_t)(a - w->work->tasks);

	for (int r = 0; r <= s.t->rows; r++)
		k->open[r] = &k->none;
	a->events = w->counts ? 0 : a->end - a->i;
	a->worker = (uint32_t)(k - w->work->workers);
	if (a->first) {
		see_open(w, k, &s, a, id);
		if (!w->counts)
			add_classes(k, &s, w->work->d->trace.meta_class);
		if (w->work->extra)
			count_gaps(w, &s, &w->work->extra->tracks[a->k]);
	} else {
		carry_open(w, k, &s, a, id);
	}
	if (w->counts)
		see_counted(w, k, &s, a, id);
	else if (w->work->ranks)
		scan(k, &s, a, id, true);
	else
		scan(k, &s, a, id, false);
}

static void scan_job(void *ctx, size_t worker)
{
	const struct window *w = ctx;
	struct window_work *k = w->work;
	size_t i;

	while ((i = atomic_fetch_add_explicit(&k->next, 1, memory_order_relaxed)) < k->limit)
		scan_task(w, &k->workers[worker], &k->tasks[i]);
}

/* Runs some tasks; returns false when all are done. */
static bool run_tasks(struct window *w, bool all)
{
	struct window_work *k = w->work;
	size_t left = k->ntasks - k->k, most = SLICE_TASKS * (size_t)k->nworkers;

	k->limit = all || left < most ? k->ntasks : k->k + most;
	atomic_store(&k->next, k->k);
	pool_run(k->nworkers, (size_t)k->nworkers, scan_job, w);
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
		free(k->workers[i].place);
		free(k->workers[i].room);
		free(k->workers[i].lines.longs);
	}
	free(k->workers);
	free(k->tracks);
	free(k->tasks);
	free(k->name_of);
	window_store_free(&k->store);
	free(k->line);
	free(k->line_at);
	free(k->long_at);
	free(k->longs);
	free(k->jobs);
	free(k);
	w->work = NULL;
}

void window_slice(struct window *w, bool all)
{
	struct window_work *k = w->work;

	switch (k->phase) {
	case WINDOW_PLAN:
		plan(w, all);
		break;
	case WINDOW_SCAN:
		if (run_tasks(w, all))
			break;
		window_merge(w);
		k->k = 0;
		k->phase = window_ranks_begin(w) ? WINDOW_SELECT : WINDOW_DONE;
		break;
	case WINDOW_SELECT:
		if (!window_select(w, all))
			k->phase = WINDOW_DONE;
		break;
	case WINDOW_DONE:
		break;
	}
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
