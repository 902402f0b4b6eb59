#include "config.h"

#include "analyze/window.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "model/lod.h"
#include "model/sweep.h"

#define SLICE 65536			/* events between two looks at the clock */

struct slot {				/* of a kind of event */
	uint64_t count, cut;
	int64_t total, self, min, max;
	uint32_t track, longest, name;	/* name: index into window.names, in the end */
};

enum phase { SCAN, FILL, SELECT, DONE };

struct window_work {
	const struct dump *d;
	uint32_t *tracks; size_t ntracks;
	bool ranks;
	enum phase phase;
	size_t k;			/* track at work */
	bool begun;			/* then its events i … end - 1 are still to be seen */
	size_t i, end;
	struct slot *slots;		/* by meta */
	uint32_t *used; size_t nused, used_cap;
	struct slot *open[TRACK_ROWS_MAX + 1];	/* last event of each row of the track, from 1 on */
	struct slot none;
	int64_t *part;			/* parts of all events, by name */
	size_t *at;			/* by name: where the next part goes, in the end where they end */
	size_t name;			/* next one whose ranks are to be found */
};

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
	k->slots = xcalloc(d->trace.nmetas, sizeof *k->slots);
}

/* Scanning. */

static void first_of_kind(struct window_work *k, struct slot *s, uint32_t meta)
{
	s->min = INT64_MAX;
	s->max = -1;
	VEC_PUSH(k->used, k->nused, k->used_cap);
	k->used[k->nused++] = meta;
}

/* Sums wrap instead of overflowing; years of events get there. */
static inline void add(int64_t *sum, int64_t d)
{
	*sum = (int64_t)((uint64_t)*sum + (uint64_t)d);
}

/* open[row + 1] is the last event of a row, open[row] that of the row around it; outermost rows have `none`
 * there. */
static inline void account(struct window_work *k, const struct track *t, size_t i, int64_t part, bool nested,
	bool lanes)
{
	struct slot *s = &k->slots[t->meta[i]];

	if (!s->count++)
		first_of_kind(k, s, t->meta[i]);
	add(&s->total, part);
	add(&s->self, part);
	if (part < s->min)
		s->min = part;
	if (part > s->max) {
		s->max = part;
		s->track = k->tracks[k->k];
		s->longest = (uint32_t)i;
	}
	if (nested) {
		int row = t->depth[i] + (lanes ? t->lane_base[t->lane[i]] : 0);

		if (!lanes || t->depth[i])
			add(&k->open[row]->self, -part);
		k->open[row + 1] = s;
	}
}

static inline void fill(struct window_work *k, const struct track *t, size_t i, int64_t part)
{
	k->part[k->at[k->slots[t->meta[i]].name]++] = part;
}

/* The part of an event that lies in the window. */
static inline int64_t part_of(const struct window *w, const struct track *t, size_t i)
{
	int64_t from = t->start[i] > w->t0 ? t->start[i] : w->t0, to = t->start[i] + t->dur[i];

	return (to < w->t1 ? to : w->t1) - from;
}

static void see_cut(struct window *w, const struct track *t, size_t i)
{
	struct window_work *k = w->work;

	if (k->phase == SCAN) {
		account(k, t, i, part_of(w, t, i), true, t->lane);
		k->slots[t->meta[i]].cut++;
		w->events++;
	} else {
		fill(k, t, i, part_of(w, t, i));
	}
}

/* Events that began before the window and reach into it, in order. */
static void see_open(struct window *w, const struct track *t, size_t begin)
{
	uint32_t open[TRACK_ROWS_MAX];
	size_t n = 0;

	if (!begin)
		return;
	if (!t->lod) {
		for (size_t i = 0; i < begin; i++)
			if (t->start[i] + t->dur[i] > w->t0)
				see_cut(w, t, i);
		return;
	}
	for (int r = 0; r < t->rows; r++) {
		uint32_t o = lod_open(t, r, w->t0 - 1);
		size_t k;

		if (!o || t->start[o - 1] + t->dur[o - 1] <= w->t0)
			continue;
		for (k = n++; k && open[k - 1] > o; k--)
			open[k] = open[k - 1];
		open[k] = o;
	}
	for (size_t k = 0; k < n; k++)
		see_cut(w, t, open[k] - 1);
}

static void add_classes(struct window *w, const struct track *t)
{
	const uint8_t *meta_class = w->work->d->trace.meta_class;
	struct sweep s = { .track = t, .now = w->t0 };
	struct sweep_piece p;
	int64_t busy[CLASS_COUNT] = { 0 };

	if (!meta_class)
		return;
	if (t->lod) {
		lod_sum(t, meta_class, w->t0, w->t1, busy);
	} else {
		while (sweep_next(&s, w->t1, &p))
			busy[META_CLASS(meta_class[t->meta[p.event]])] += p.to - p.from;
		sweep_free(&s);
	}
	for (int c = 0; c < CLASS_COUNT; c++)
		add(&w->class_ps[c], busy[c]);
}

static void begin_track(struct window *w, const struct track *t)
{
	struct window_work *k = w->work;

	for (int r = 0; r <= t->rows; r++)
		k->open[r] = &k->none;
	k->i = track_lower(t, w->t0);
	k->end = track_lower(t, w->t1);
	k->begun = true;
	if (w->t1 > w->t0)
		see_open(w, t, k->i);
	if (k->phase == SCAN) {
		w->events += k->end - k->i;
		add_classes(w, t);
	}
}

static inline void scan_shape(struct window *w, const struct track *t, size_t to, bool nested, bool lanes)
{
	struct window_work *k = w->work;
	int64_t t1 = w->t1;

	for (size_t i = k->i; i < to; i++) {
		int64_t part = t->dur[i];

		if (t->start[i] + part > t1) {
			part = t1 - t->start[i];
			k->slots[t->meta[i]].cut++;
		}
		account(k, t, i, part, nested, lanes);
	}
	k->i = to;
}

static void scan(struct window *w, const struct track *t, size_t to)
{
	if (t->lane)
		scan_shape(w, t, to, true, true);
	else if (t->rows > 1)
		scan_shape(w, t, to, true, false);
	else
		scan_shape(w, t, to, false, false);
}

static void refill(struct window *w, const struct track *t, size_t to)
{
	struct window_work *k = w->work;

	for (size_t i = k->i; i < to; i++)
		fill(k, t, i, part_of(w, t, i));
	k->i = to;
}

/* One slice of going over the events; false when all tracks are done. */
static bool pass(struct window *w)
{
	struct window_work *k = w->work;
	size_t left = SLICE;

	while (left && k->k < k->ntracks) {
		const struct track *t = &k->d->trace.tracks[k->tracks[k->k]];
		size_t n;

		if (!k->begun)
			begin_track(w, t);
		n = k->end - k->i < left ? k->end - k->i : left;
		if (k->phase == SCAN)
			scan(w, t, k->i + n);
		else
			refill(w, t, k->i + n);
		left -= n;
		if (k->i == k->end) {
			k->begun = false;
			k->k++;
		}
	}
	return k->k < k->ntracks;
}

/* Names. */

static int by_self(const void *a, const void *b, void *ctx)
{
	const struct window_name *x = a, *y = b;
	const struct strtab *str = ctx;
	size_t n = strtab_len(str, x->name), m = strtab_len(str, y->name);
	int c;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	c = memcmp(strtab_str(str, x->name), strtab_str(str, y->name), n < m ? n : m);
	return c ? c : (n > m) - (n < m);
}

static void merge_name(struct window_name *to, const struct slot *s)
{
	to->count += s->count;
	to->cut += s->cut;
	add(&to->total, s->total);
	add(&to->self, s->self);
	if (s->min < to->min)
		to->min = s->min;
	if (s->max > to->max || (s->max == to->max && s->track < to->track)) {
		to->max = s->max;
		to->track = s->track;
		to->longest = s->longest;
	}
}

/* Kinds of events become names; by_name[strid] = where the name is, + 1. */
static void merge_names(struct window *w)
{
	struct window_work *k = w->work;
	const struct trace *tr = &k->d->trace;
	uint32_t *by_name = xcalloc(k->d->str.n, sizeof *by_name);
	int64_t *most = xrealloc(NULL, k->nused, sizeof *most);	/* self time of the kind that gave class */

	w->names = xrealloc(NULL, k->nused, sizeof *w->names);
	for (size_t u = 0; u < k->nused; u++) {
		const struct slot *s = &k->slots[k->used[u]];
		strid name = tr->metas[k->used[u]].name;
		uint32_t at = by_name[name] - 1;

		if (!by_name[name]) {
			by_name[name] = (uint32_t)w->nnames + 1;
			at = (uint32_t)w->nnames++;
			most[at] = INT64_MIN;
			w->names[at] = (struct window_name){ .name = name, .min = INT64_MAX, .max = -1 };
		}
		merge_name(&w->names[at], s);
		if (s->self > most[at] && tr->meta_class) {
			most[at] = s->self;
			w->names[at].class = META_CLASS(tr->meta_class[k->used[u]]);
		}
	}
	qsort_r(w->names, w->nnames, sizeof *w->names, by_self, (void *)(uintptr_t)&k->d->str);
	for (size_t n = 0; n < w->nnames; n++)
		by_name[w->names[n].name] = (uint32_t)n;
	for (size_t u = 0; u < k->nused; u++)
		k->slots[k->used[u]].name = by_name[tr->metas[k->used[u]].name];
	free(by_name);
	free(most);
}

/* Ranks. */

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The value that stands at place k when v is sorted; v is left such that smaller ones stand before it. */
static int64_t select_rank(int64_t *v, size_t n, size_t k)
{
	size_t lo = 0, hi = n;

	for (int rounds = 0; hi - lo > 16 && rounds < 64; rounds++) {
		int64_t a = v[lo], b = v[lo + (hi - lo) / 2], c = v[hi - 1];
		int64_t pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
		size_t i = lo, j = hi - 1;

		while (i <= j) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i <= j) {
				int64_t swap = v[i];

				v[i++] = v[j];
				v[j] = swap;
				if (!j--)
					break;
			}
		}
		if (k <= j && j < hi)
			hi = j + 1;
		else if (k >= i)
			lo = i;
		else
			return v[k];
	}
	qsort(v + lo, hi - lo, sizeof *v, by_value);
	return v[k];
}

/* Room for all parts, by name; without it the ranks stay unknown. */
static bool begin_ranks(struct window *w)
{
	struct window_work *k = w->work;
	size_t sum = 0;

	if (!k->ranks || !w->nnames)
		return false;
	for (size_t n = 0; n < w->nnames; n++)
		w->names[n].p50 = w->names[n].p99 = -1;
	k->part = mem_try(NULL, w->events, sizeof *k->part);
	if (!k->part)
		return false;
	k->at = xrealloc(NULL, w->nnames, sizeof *k->at);
	for (size_t n = 0; n < w->nnames; n++) {
		k->at[n] = sum;
		sum += w->names[n].count;
	}
	k->k = 0;
	return true;
}

/* Some names' worth of events; false when all names are done. */
static bool select_ranks(struct window *w)
{
	struct window_work *k = w->work;

	for (size_t seen = 0; seen < SLICE && k->name < w->nnames; k->name++) {
		struct window_name *n = &w->names[k->name];
		int64_t *v = k->part + k->at[k->name] - n->count;
		size_t high = (n->count * 99 + 99) / 100 - 1;

		n->p99 = select_rank(v, n->count, high);
		n->p50 = select_rank(v, high + 1, (n->count - 1) / 2);
		seen += n->count;
	}
	return k->name < w->nnames;
}

/* Slices. */

static int64_t clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void free_work(struct window *w)
{
	struct window_work *k = w->work;

	if (!k)
		return;
	free(k->tracks);
	free(k->slots);
	free(k->used);
	free(k->part);
	free(k->at);
	free(k);
	w->work = NULL;
}

static void slice(struct window *w)
{
	struct window_work *k = w->work;

	switch (k->phase) {
	case SCAN:
		if (pass(w))
			return;
		merge_names(w);
		k->phase = begin_ranks(w) ? FILL : DONE;
		break;
	case FILL:
		if (!pass(w))
			k->phase = SELECT;
		break;
	case SELECT:
		if (!select_ranks(w))
			k->phase = DONE;
		break;
	case DONE:
		break;
	}
}

int window_step(struct window *w, int budget_ms)
{
	int64_t until = budget_ms < 0 ? INT64_MAX : clock_ms() + budget_ms;

	while (w->work) {
		slice(w);
		if (w->work->phase == DONE)
			free_work(w);
		else if (until != INT64_MAX && clock_ms() >= until)
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
