#include "config.h"

#include "analyze/window_part.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "analyze/rank.h"
#include "base/pool.h"

#define WIDE (UINT32_C(1) << 31)	/* in the place of the next part of a kind */
#define AHEAD 16			/* words: a line of the cache, asked for while the one before fills */
#define LARGE_PAGE ((size_t)2 << 20)
#define JOB 32768			/* events */
#define SLICE_JOBS 8			/* per worker */

/* The parts of all events are laid out by name, in 64 bits, or their low halves where the shortest and the
 * longest are less than 32 bits apart.  Places count in words of 32 bits. */
static bool is_wide(const struct window_name *n)
{
	return n->max - n->min > UINT32_MAX;
}

static uint64_t words_of(const struct window_name *n)
{
	return is_wide(n) ? 2 : 1;
}

/* Thousands of places are written to in turn, each on a page of its own; with large pages the processor
 * knows where they all are. */
static uint32_t *room(struct window_work *k, uint64_t words)
{
	uint64_t bytes = (words * sizeof(uint32_t) + LARGE_PAGE - 1) & ~(uint64_t)(LARGE_PAGE - 1);
	char *p = k->block = mem_try(NULL, bytes + LARGE_PAGE, 1);

	if (!p || bytes < 2 * LARGE_PAGE)
		return (uint32_t *)p;
	p += (LARGE_PAGE - (uintptr_t)p % LARGE_PAGE) % LARGE_PAGE;
	madvise(p, bytes, MADV_HUGEPAGE);
	return (uint32_t *)p;
}

static void lay_out(struct window *w)
{
	struct window_work *k = w->work;
	uint32_t *to = xrealloc(NULL, w->nnames, sizeof *to);
	uint64_t sum = 0;

	k->at = xrealloc(NULL, w->nnames, sizeof *k->at);
	for (size_t n = 0; n < w->nnames; n++) {
		sum += is_wide(&w->names[n]) && sum % 2;	/* aligned */
		k->at[n] = to[n] = (uint32_t)sum;
		sum += w->names[n].count * words_of(&w->names[n]);
	}
	k->parts = sum < WIDE ? room(k, sum) : NULL;
	for (int i = 0; k->parts && i < k->nworkers; i++) {
		struct window_worker *o = &k->workers[i];

		o->fill = xrealloc(NULL, k->d->trace.nmetas, sizeof *o->fill);
		for (size_t u = 0; u < o->nused; u++) {
			uint32_t meta = o->used[u].meta, name = k->name_of[meta];
			const struct window_name *n = &w->names[name];

			o->fill[meta] = to[name] | (is_wide(n) ? WIDE : 0);
			to[name] += (uint32_t)(o->slots[meta].count * words_of(n));
		}
	}
	free(to);
}

/* Jobs of several names of about as many events each. */
static void make_jobs(struct window *w)
{
	struct window_work *k = w->work;
	size_t cap = 0, left = 0;

	for (size_t n = 0; n < w->nnames; n++) {
		if (!left) {
			VEC_PUSH(k->jobs, k->njobs, cap);
			k->jobs[k->njobs++] = n;
			left = JOB;
		}
		left -= w->names[n].count < left ? (size_t)w->names[n].count : left;
	}
	VEC_PUSH(k->jobs, k->njobs, cap);
	k->jobs[k->njobs] = w->nnames;
}

bool window_ranks_begin(struct window *w)
{
	if (!w->work->ranks || !w->nnames)
		return false;
	for (size_t n = 0; n < w->nnames; n++)
		w->names[n].p50 = w->names[n].p99 = -1;
	lay_out(w);
	if (!w->work->parts)
		return false;
	make_jobs(w);
	return true;
}

static inline void fill(uint32_t *restrict parts, uint32_t *restrict place, int64_t part)
{
	uint32_t at = *place & ~WIDE;

	if (*place & WIDE) {
		memcpy(&parts[at], &part, sizeof part);
		*place += 2;
	} else {
		__builtin_prefetch(&parts[at + AHEAD], 1);
		parts[at] = (uint32_t)part;
		*place += 1;
	}
}

/* Locals, as the compiler must take any of the writes for one to the track. */
static void fill_some(uint32_t *parts, uint32_t *place, const struct track *t, const struct window_task *a,
	int64_t t1)
{
	const int64_t *start = t->start, *dur = t->dur;
	const uint32_t *meta = t->meta;

	for (size_t i = a->i; !a->cut && i < a->end; i++)
		fill(parts, &place[meta[i]], dur[i]);
	for (size_t i = a->i; a->cut && i < a->end; i++)
		fill(parts, &place[meta[i]], dur[i] < t1 - start[i] ? dur[i] : t1 - start[i]);
}

void window_fill_task(const struct window *w, struct window_worker *k, const struct window_task *a)
{
	struct window_span s = window_span(w, w->work->tracks[a->k]);
	const struct track *t = s.t;
	uint32_t open[TRACK_ROWS_MAX], *parts = w->work->parts, *place = k->fill;
	size_t at = 0, n;

	while (a->first && (n = window_open(&s, a->i, &at, open)))
		for (size_t j = 0; j < n; j++)
			fill(parts, &place[t->meta[open[j]]], window_part_of(&s, open[j]));
	fill_some(parts, place, t, a, s.t1);
}

static void select_job(void *ctx, size_t i)
{
	const struct window *w = ctx;
	const struct window_work *k = w->work;
	size_t job = k->k + i;

	for (size_t n = k->jobs[job]; n < k->jobs[job + 1]; n++) {
		struct window_name *o = &w->names[n];
		size_t count = (size_t)o->count;
		struct rank_two r = rank_two(k->parts + k->at[n], count, is_wide(o), (uint64_t)o->min,
			(uint64_t)(o->max - o->min), (count - 1) / 2, (count * 99 + 99) / 100 - 1);

		o->p50 = o->min + (int64_t)r.a;
		o->p99 = o->min + (int64_t)r.b;
	}
}

bool window_select(struct window *w, bool all)
{
	struct window_work *k = w->work;
	size_t n = k->njobs - k->k, most = SLICE_JOBS * (size_t)k->nworkers;

	n = all || n < most ? n : most;
	pool_run(k->nworkers, n, select_job, w);
	k->k += n;
	return k->k < k->njobs;
}
