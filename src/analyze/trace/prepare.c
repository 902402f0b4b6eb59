#include "config.h"

#include "analyze/trace/prepare.h"

#include <stdlib.h>

#include "analyze/device/classify.h"
#include "analyze/device/part_kinds.h"
#include "base/mem.h"
#include "base/pool.h"
#include "model/lod.h"

struct indexing {
	struct trace *trace;
	uint32_t *tracks;
	size_t n; /* tracks without an index, longest first */
	struct progress *progress;
};

static void index_one(void *ctx, size_t i)
{
	const struct indexing *x = ctx;

	if (!progress_canceled(x->progress))
		lod_build(&x->trace->tracks[x->tracks[i]], x->trace->meta_class);
}

static int longest_first(const void *a, const void *b, void *ctx)
{
	const struct track *tracks = ctx;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return tracks[x].n != tracks[y].n ? (tracks[x].n > tracks[y].n ? -1 : 1) : (x > y) - (x < y);
}

static void index_tracks(struct trace *trace, int threads, struct progress *progress)
{
	struct indexing x = { .trace = trace,
		.tracks = xcalloc(trace->ntracks, sizeof *x.tracks),
		.progress = progress };

	for (size_t k = 0; k < trace->ntracks; k++)
		if (trace->tracks[k].n && !trace->tracks[k].lod)
			x.tracks[x.n++] = (uint32_t)k;
	qsort_r(x.tracks, x.n, sizeof *x.tracks, longest_first, trace->tracks);
	mem_keep_begin();
	pool_run(threads > 0 ? threads : pool_default_threads(), x.n, index_one, &x);
	mem_keep_end();
	free(x.tracks);
}

void prepare(struct dump *d, struct clocks *c, enum clock_kind kind, int threads, struct progress *progress)
{
	progress_what(progress, "indexing");
	kinds_part(d);
	classify(d);
	if (!c->n)
		clock_fit_all(d, c);
	if (kind != c->in_use && c->any_differs)
		clock_use(d, c, kind, threads);
	index_tracks(&d->trace, threads, progress);
}
