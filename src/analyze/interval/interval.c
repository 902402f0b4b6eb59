#include "config.h"

#include "analyze/interval/internal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/now.h"
#include "base/pool.h"
#include "base/sort.h"

#define EDGE 4096      /* events between two times that may divide the events */
#define PIECE 65536    /* events in a piece of time, roughly */
#define SLICE_PIECES 1 /* per thread */

struct interval_work {
	const struct dump *d;
	uint32_t *order;       /* tracks, the busiest first */
	size_t npieces, piece; /* pieces of the union */
	int64_t *edges;        /* times that divide the events into parts of about equal size */
	size_t nedges;
	int64_t *busy; /* busy time of each piece, -1 = no memory */
};

void interval_begin(struct interval *v, const struct dump *d, const uint32_t *tracks, size_t ntracks,
    int64_t t0, int64_t t1)
{
	struct interval_work *k = xcalloc(1, sizeof *k);

	*v = (struct interval){ .t0 = t0, .t1 = t1 > t0 ? t1 : t0, .work = k };
	k->d = d;
	v->tracks = xcalloc(ntracks + 1, sizeof *v->tracks);
	v->ntracks = ntracks;
	for (size_t i = 0; i < ntracks; i++)
		v->tracks[i] = (struct interval_track){ .track = tracks[i], .at = v->t0 };
	window_begin(&v->window, d, tracks, ntracks, t0, t1);
	v->window.ranks = true;
	v->window.work->spans = v->tracks;
}

/* --- the union --- */

static int by_busy(const void *a, const void *b, void *ctx)
{
	const struct interval_track *x = (const struct interval_track *)ctx + *(const uint32_t *)a,
				    *y = (const struct interval_track *)ctx + *(const uint32_t *)b;

	return (x->busy < y->busy) - (x->busy > y->busy);
}

/* If lanes had to share a row, what is open is known only from the start of a track, so that time cannot be
 * divided. */
static bool can_part(const struct interval *v)
{
	for (size_t i = 0; i < v->ntracks; i++)
		if (!lod_can_look_up(&v->work->d->trace.tracks[v->tracks[i].track]))
			return false;
	return true;
}

static void find_edges(struct interval *v)
{
	struct interval_work *k = v->work;
	size_t cap = 0;

	for (size_t n = 0; n < v->ntracks; n++) {
		const struct track *t = &k->d->trace.tracks[v->tracks[n].track];
		int64_t shift = v->window.shift ? v->window.shift[t->plane] : 0;
		size_t end = track_lower(t, v->t1 - shift);

		for (size_t i = track_lower(t, v->t0 - shift); i < end; i += EDGE)
			VEC_ADD(k->edges, k->nedges, cap, track_start(t, i) + shift);
	}
	VEC_SORT(k->edges, k->nedges, sort_by_int64);
}

static void begin_union(struct interval *v)
{
	struct interval_work *k = v->work;
	size_t n = 0;

	k->order = xcalloc(v->ntracks + 1, sizeof *k->order);
	for (size_t i = 0; i < v->ntracks; i++)
		if (v->tracks[i].busy)
			k->order[n++] = (uint32_t)i;
	qsort_r(k->order, n, sizeof *k->order, by_busy, v->tracks);
	for (size_t i = 0; i < n; i++)
		k->order[i] = v->tracks[k->order[i]].track;
	k->order[n] = UINT32_MAX;
	find_edges(v);
	k->npieces = k->nedges && can_part(v) ? 1 + (size_t)(v->window.events / PIECE) : 1;
	k->busy = xcalloc(k->npieces, sizeof *k->busy);
}

static int64_t edge(const struct interval *v, size_t piece)
{
	const struct interval_work *k = v->work;
	int64_t t;

	if (!piece)
		return v->t0;
	if (piece == k->npieces)
		return v->t1;
	t = k->edges[(size_t)((double)k->nedges / (double)k->npieces * (double)piece)];
	return t < v->t0 ? v->t0 : t;
}

static void union_job(void *ctx, size_t i)
{
	const struct interval *v = ctx;
	const struct interval_work *k = v->work;
	size_t piece = k->piece + i;

	k->busy[piece] = interval_union(k->d, v->window.shift, k->order, edge(v, piece), edge(v, piece + 1));
}

/* Does some pieces. */
static void unite_tracks(struct interval *v, bool all)
{
	struct interval_work *k = v->work;
	int threads = pool_default_threads();
	size_t n = k->npieces - k->piece, most = SLICE_PIECES * (size_t)threads;

	n = all || n < most ? n : most;
	pool_run(threads, n, union_job, v);
	k->piece += n;
	if (k->piece < k->npieces)
		return;
	for (size_t i = 0; i < k->npieces; i++)
		v->occupied = v->occupied < 0 || k->busy[i] < 0 ? -1 : v->occupied + k->busy[i];
	v->has_union = true;
}

/* --- slices --- */

static void slice(struct interval *v, bool all)
{
	if (v->has_ranks) {
		unite_tracks(v, all);
		return;
	}
	window_slice(&v->window, all);
	if (!v->has_tracks && (!v->window.work || v->window.work->phase > WINDOW_SCAN)) {
		v->has_tracks = true;
		for (size_t i = 0; i < v->window.nnames; i++)
			v->cut += v->window.names[i].cut;
	}
	if (!v->window.work) {
		v->has_ranks = true;
		begin_union(v);
	}
}

static void free_work(struct interval *v)
{
	if (!v->work)
		return;
	free(v->work->edges);
	free(v->work->order);
	free(v->work->busy);
	free(v->work);
	v->work = NULL;
}

int interval_step(struct interval *v, int budget_ms)
{
	int64_t until = budget_ms < 0 ? INT64_MAX : now_us() + (int64_t)budget_ms * 1000;

	while (v->work) {
		slice(v, budget_ms < 0);
		if (v->has_union)
			free_work(v);
		else if (until != INT64_MAX && now_us() >= until)
			return 1;
	}
	return 0;
}

void interval_free(struct interval *v)
{
	window_free(&v->window);
	free_work(v);
	free(v->tracks);
	*v = (struct interval){ 0 };
}
