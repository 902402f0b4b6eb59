#include "config.h"

#include "analyze/interval/internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "analyze/interval/rank.h"
#include "base/pool.h"

/* The parts of events are stored by kind, in lines, while the events are scanned, so that no column has to be
 * read twice.  Afterwards the lines are listed by name, and the lines of a name are gathered when its ranks
 * are found.  The few parts of more than 32 bits (4 ms) are kept separately; they are longer than all
 * others. */
#define LINE_BYTES (WINDOW_LINE * sizeof(uint32_t))
#define LARGE_PAGE ((size_t)2 << 20)
#define PIECE 512    /* lines that a worker takes at once */
#define AHEAD 24     /* lines prefetched before they are read */
#define SAMPLE 32    /* parts in a sample */
#define JOB 32768    /* events per job */
#define SLICE_JOBS 8 /* per worker */

/* --- while events are scanned --- */

/* Reserves room for the largest possible number of lines; what is not used is never touched.  Large pages
 * save address translation for the many lines in use. */
void window_store_make(struct window_work *k)
{
	struct window_store *s = &k->store;
	uint64_t events = k->planned + k->open,
		 kinds = k->d->trace.nmetas < events ? k->d->trace.nmetas : events,
		 lines = events / WINDOW_LINE + (kinds + PIECE) * (uint64_t)k->nworkers;
	size_t bytes;

	for (int i = 0; i < k->nworkers; i++)
		k->workers[i].lines.store = s;
	if (lines > UINT32_MAX / WINDOW_LINE)
		return;
	s->npieces = (size_t)(lines / PIECE + 1);
	bytes = (s->npieces * PIECE * LINE_BYTES + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
	s->block = mem_try(NULL, bytes + LARGE_PAGE, 1);
	s->meta = mem_try(NULL, s->npieces * PIECE, sizeof *s->meta);
	s->of = xcalloc(s->npieces, sizeof(struct window_lines *));
	if (!s->block || !s->meta) {
		s->npieces = 0;
		return;
	}
	s->part = (void *)((char *)s->block + (LARGE_PAGE - (uintptr_t)s->block % LARGE_PAGE) % LARGE_PAGE);
	if (bytes > 2 * LARGE_PAGE)
		madvise(s->part, bytes, MADV_HUGEPAGE);
}

void window_store_free(struct window_store *s)
{
	free(s->block);
	free(s->meta);
	free(s->of);
}

void window_new_line(struct window_lines *l, struct window_slot *slot, uint32_t meta)
{
	struct window_store *s = l->store;

	if (l->n == l->end) {
		size_t piece = atomic_fetch_add_explicit(&s->taken, 1, memory_order_relaxed);

		if (piece >= s->npieces) {
			slot->fill = l->rest;
			return;
		}
		s->of[piece] = l;
		l->n = piece * PIECE;
		l->end = l->n + PIECE;
	}
	s->meta[l->n] = meta;
	slot->fill = s->part + l->n++ * WINDOW_LINE;
}

/* --- by name --- */

/* Lists the long parts by name. */
static void list_longs(struct window *w)
{
	struct window_work *k = w->work;
	uint32_t *at = k->long_at = xcalloc(w->nnames + 2, sizeof *at), sum = 0;

	for (int i = 0; i < k->nworkers; i++)
		for (size_t e = 0; e < k->workers[i].lines.nlongs; e++)
			at[k->name_of[k->workers[i].lines.longs[e].meta] + 2]++;
	for (size_t n = 2; n < w->nnames + 2; n++)
		sum = at[n] += sum;
	k->longs = xrealloc(NULL, sum + (size_t)1, sizeof *k->longs);
	for (int i = 0; i < k->nworkers; i++)
		for (size_t e = 0; e < k->workers[i].lines.nlongs; e++) {
			const struct window_long *l = &k->workers[i].lines.longs[e];

			k->longs[at[k->name_of[l->meta] + 1]++] = l->part;
		}
}

/* Computes where the lines of each kind and worker go in the list. */
static void place_lines(struct window *w)
{
	struct window_work *k = w->work;
	uint32_t *at = k->line_at = xcalloc(w->nnames + 1, sizeof *at), *to, sum = 0;

	for (int i = 0; i < k->nworkers; i++) {
		struct window_worker *o = &k->workers[i];

		o->place = xcalloc(k->d->trace.nmetas, sizeof *o->place);
		for (size_t e = 0; e < o->lines.nlongs; e++)
			o->place[o->lines.longs[e].meta]++;
		for (size_t u = 0; u < o->nused; u++) {
			uint32_t meta = o->used[u].meta;
			uint64_t n = o->slots[meta].count - o->place[meta];

			o->place[meta] = (uint32_t)((n + WINDOW_LINE - 1) / WINDOW_LINE);
			at[k->name_of[meta] + 1] += o->place[meta];
		}
	}
	for (size_t n = 1; n <= w->nnames; n++)
		sum = at[n] += sum;
	to = xrealloc(NULL, w->nnames, sizeof *to);
	memcpy(to, at, w->nnames * sizeof *to);
	for (int i = 0; i < k->nworkers; i++)
		for (size_t u = 0; u < k->workers[i].nused; u++) {
			uint32_t meta = k->workers[i].used[u].meta, lines = k->workers[i].place[meta];

			k->workers[i].place[meta] = to[k->name_of[meta]];
			to[k->name_of[meta]] += lines;
		}
	free(to);
	k->line = xrealloc(NULL, sum + (size_t)AHEAD, sizeof *k->line);
	memset(k->line + sum, 0, AHEAD * sizeof *k->line);
}

/* An entry has the line and the number of parts in it less one; only the last line of a kind may be
 * incomplete. */
static void list_lines(void *ctx, size_t worker)
{
	const struct window_work *k = ctx;
	const struct window_worker *o = &k->workers[worker];
	size_t taken = atomic_load(&k->store.taken);

	for (size_t p = 0; p < taken; p++) {
		size_t end = (p + 1) * PIECE == o->lines.end ? o->lines.n : (p + 1) * PIECE;

		for (size_t i = p * PIECE; k->store.of[p] == &o->lines && i < end; i++)
			k->line[o->place[k->store.meta[i]]++] = (uint32_t)(i * WINDOW_LINE + WINDOW_LINE - 1);
	}
	for (size_t u = 0; u < o->nused; u++) {
		uint32_t meta = o->used[u].meta;
		const struct window_slot *s = &o->slots[meta];
		size_t parts = (uintptr_t)s->fill % LINE_BYTES / sizeof *s->fill;

		if (parts)
			k->line[o->place[meta] - 1] -= (uint32_t)(WINDOW_LINE - parts);
	}
}

/* Makes jobs of several names each, with about the same number of events. */
static void make_jobs(struct window *w)
{
	struct window_work *k = w->work;
	size_t cap = 0, left = 0;

	for (size_t n = 0; n < w->nnames; n++) {
		if (!left) {
			VEC_ADD(k->jobs, k->njobs, cap, n);
			left = JOB;
		}
		left -= w->names[n].count < left ? (size_t)w->names[n].count : left;
	}
	VEC_PUSH(k->jobs, k->njobs, cap);
	k->jobs[k->njobs] = w->nnames;
}

/* Makes room for the parts of the name with the most. */
static bool make_room(struct window *w)
{
	struct window_work *k = w->work;
	size_t most = 0;

	for (size_t n = 0; n < w->nnames; n++)
		if (k->line_at[n + 1] - k->line_at[n] > most)
			most = k->line_at[n + 1] - k->line_at[n];
	for (int i = 0; i < k->nworkers; i++)
		if (!(k->workers[i].room = mem_try(NULL, most + 1, 2 * LINE_BYTES)))
			return false;
	return true;
}

bool window_ranks_begin(struct window *w)
{
	struct window_work *k = w->work;

	if (!k->ranks || !w->nnames)
		return false;
	for (size_t n = 0; n < w->nnames; n++)
		w->names[n].p50 = w->names[n].p99 = -1;
	if (atomic_load(&k->store.taken) > k->store.npieces)
		return false;
	list_longs(w);
	place_lines(w);
	pool_run(k->nworkers, (size_t)k->nworkers, list_lines, k);
	make_jobs(w);
	return make_room(w);
}

/* --- ranks --- */

static const uint32_t *line_of(const struct window_work *k, uint32_t name)
{
	return k->store.part + name / WINDOW_LINE * WINDOW_LINE;
}

struct shorts { /* the parts of one name that are not long: all of them, or those near the places */
	const struct window_work *k;
	const uint32_t *line;
	size_t lines;
	uint32_t *near, *high;      /* each has room for all */
	size_t nnear, nhigh, below; /* below: number of parts shorter than those in `near` */
};

static void gather(struct shorts *s)
{
	const uint32_t *line = s->line;

	s->nnear = 0;
	for (size_t i = 0; i < s->lines; i++) {
		__builtin_prefetch(line_of(s->k, line[i + AHEAD]));
		memcpy(s->near + s->nnear, line_of(s->k, line[i]), LINE_BYTES);
		s->nnear += line[i] % WINDOW_LINE + 1;
	}
}

/* Gathers the parts from low to low + span, and those from edge on. */
static void gather_near(struct shorts *s, uint32_t low, uint32_t span, uint32_t edge)
{
	const uint32_t *line = s->line;
	uint32_t *near = s->near, *high = s->high;
	size_t nnear = 0, nhigh = 0, below = 0;

	for (size_t i = 0; i < s->lines; i++) {
		const uint32_t *v = line_of(s->k, line[i]);
		size_t n = line[i] % WINDOW_LINE + 1;

		__builtin_prefetch(line_of(s->k, line[i + AHEAD]));
		for (size_t e = 0; e < n; e++) {
			near[nnear] = high[nhigh] = v[e];
			nnear += v[e] - low <= span;
			nhigh += v[e] >= edge;
			below += v[e] < low;
		}
	}
	s->nnear = nnear;
	s->nhigh = nhigh;
	s->below = below;
}

/* Takes a sorted sample, with parts from as many lines. */
static void take_sample(const struct shorts *s, uint32_t out[SAMPLE])
{
	for (size_t i = 0; i < SAMPLE; i++) {
		uint32_t name = s->line[i * s->lines / SAMPLE],
			 v = line_of(s->k, name)[i * 5 % (name % WINDOW_LINE + 1)];
		size_t to = i;

		/* cppcheck-suppress uninitvar // those before `to` are set */
		for (; to && out[to - 1] > v; to--)
			out[to] = out[to - 1];
		out[to] = v;
	}
}

static uint64_t one_place(uint32_t *v, size_t n, uint64_t low, uint64_t most, size_t place)
{
	return low + rank_two(v, n, false, low, most, place, place).a;
}

/* Finds the median and a high rank of many parts.  A sample tells roughly where they are.  Returns false when
 * they are not there. */
static bool select_near(struct shorts *s, size_t n, size_t a, size_t b, uint64_t max, struct rank_two *out)
{
	uint32_t v[SAMPLE], low, edge;

	take_sample(s, v);
	low = v[SAMPLE * 9 / 32];
	edge = v[SAMPLE * 29 / 32];
	gather_near(s, low, v[SAMPLE * 22 / 32] - low, edge);
	if (a < s->below || a - s->below >= s->nnear || (b < n && b < n - s->nhigh))
		return false;
	out->a = one_place(s->near, s->nnear, low, v[SAMPLE * 22 / 32] - low, a - s->below);
	out->b = b < n ? one_place(s->high, s->nhigh, edge, max - edge, b - (n - s->nhigh)) : 0;
	return true;
}

static struct rank_two select_shorts(struct shorts *s, size_t n, size_t a, size_t b, uint64_t min,
    uint64_t max)
{
	struct rank_two r = { 0 };

	if (s->lines >= 2 * SAMPLE && select_near(s, n, a, b, max, &r))
		return r;
	gather(s);
	r = rank_two(s->near, n, false, min, max - min, a, b < n ? b : a);
	return (struct rank_two){ r.a + min, r.b + min };
}

static void select_name(const struct window_work *k, struct window_name *o, size_t name, uint32_t *room)
{
	int64_t *longs = k->longs + k->long_at[name];
	size_t count = (size_t)o->count, n = count - (k->long_at[name + 1] - k->long_at[name]),
	       a = (count - 1) / 2, b = (count * 99 + 99) / 100 - 1;
	uint64_t min = (uint64_t)o->min, max = (uint64_t)o->max;
	struct rank_two low = { 0 }, high;
	struct shorts s = { .k = k,
		.line = k->line + k->line_at[name],
		.lines = k->line_at[name + 1] - k->line_at[name],
		.near = room };

	s.high = room + (s.lines + 1) * WINDOW_LINE;
	if (a < n)
		low = select_shorts(&s, n, a, b, min, n < count ? UINT32_MAX : max);
	if (b >= n) {
		min = min > UINT32_MAX ? min : (uint64_t)UINT32_MAX + 1;
		high = rank_two(longs, count - n, true, min, max - min, a < n ? b - n : a - n, b - n);
		low.a = a < n ? low.a : high.a + min;
		low.b = high.b + min;
	}
	o->p50 = (int64_t)low.a;
	o->p99 = (int64_t)low.b;
}

static void select_some(void *ctx, size_t worker)
{
	const struct window *w = ctx;
	struct window_work *k = w->work;
	uint32_t *room = k->workers[worker].room;
	size_t job;

	while ((job = atomic_fetch_add_explicit(&k->next, 1, memory_order_relaxed)) < k->limit)
		for (size_t n = k->jobs[job]; n < k->jobs[job + 1]; n++)
			select_name(k, &w->names[n], n, room);
}

bool window_select(struct window *w, bool all)
{
	struct window_work *k = w->work;
	size_t most = SLICE_JOBS * (size_t)k->nworkers;

	k->limit = all || k->njobs - k->k < most ? k->njobs : k->k + most;
	atomic_store(&k->next, k->k);
	pool_run(k->nworkers, (size_t)k->nworkers, select_some, w);
	k->k = k->limit;
	return k->k < k->njobs;
}
