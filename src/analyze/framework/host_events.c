#include "config.h"
#include "analyze/framework/host_events.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/framework/ops.h"

#define PIECE 4096 /* events between two checks for cancellation */

static bool holds(struct slice t, const char *s)
{
	return memmem(t.s, t.n, s, strlen(s)) != NULL;
}

static struct slice name_of(const struct dump *d, uint32_t meta)
{
	const struct evmeta *m = &d->trace.metas[meta];

	return m->full ? (struct slice){ m->full, m->full_len } : dump_text(d, m->name);
}

/* What a loop over a DataLoader of PyTorch waits in: "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", or
 * the Python function, "torch/utils/data/dataloader.py(633): __next__". */
static bool waits_for_loader(struct slice name)
{
	return holds(name, "DataLoaderIter.__next__") ||
	    (holds(name, "dataloader.py(") && slice_ends(name, "__next__"));
}

enum time_type host_time_type(const struct dump *d, uint32_t meta)
{
	static const char *const frames[] = { "EagerExecute", "EagerLocalExecute", "EagerKernelExecute",
		"FunctionRun" };
	static const char *const markers[] = { "train", "test", "TraceContext" };
	struct slice full = name_of(d, meta), name, type;

	for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
		if (slice_begins(full, frames[i]))
			return TIME_NONE;
	for (size_t i = 0; i < sizeof markers / sizeof *markers; i++)
		if (slice_begins(full, markers[i]) && !memchr(full.s, '/', full.n))
			return TIME_NONE;
	framework_parse(full, &name, &type);
	if (slice_begins(type, "InfeedEnqueue") || slice_is(type, "MemcpyHToD"))
		return TIME_HOST_TO_DEVICE;
	if (slice_is(type, "MemcpyHToH"))
		return TIME_HOST_TO_HOST;
	if (slice_begins(full, "IteratorGetNext") || waits_for_loader(full))
		return TIME_WAIT_INPUT;
	return slice_begins(full, "ExecutorState::Process") ? TIME_HOST_PREPARE : TIME_HOST_COMPUTE;
}

enum time_type gpu_time_type(const struct dump *d, uint32_t meta)
{
	struct slice full = name_of(d, meta), name, type;

	framework_parse(full, &name, &type);
	if (slice_is(type, "MemcpyHToD"))
		return TIME_HOST_TO_DEVICE;
	if (slice_is(type, "MemcpyDToH"))
		return TIME_DEVICE_TO_HOST;
	if (slice_is(type, "MemcpyDToD"))
		return TIME_DEVICE_TO_DEVICE;
	if (full.n >= 4 && !strncasecmp(full.s, "nccl", 4))
		return TIME_DEVICE_COLLECTIVES;
	return holds(full, "half") || holds(full, "fp16") ? TIME_COMPUTE_16 : TIME_COMPUTE_32;
}

struct walk {
	const struct dump *dump;
	uint8_t *type; /* by meta: enum time_type + 1, 0 = not looked at yet */
	const struct group_cover **open;
	size_t depth, cap;
	struct progress *progress;
	host_event_fn *fn;
	void *ctx;
};

static enum time_type type_of(struct walk *w, uint32_t meta)
{
	if (!w->type[meta])
		w->type[meta] = (uint8_t)(host_time_type(w->dump, meta) + 1);
	return (enum time_type)(w->type[meta] - 1);
}

/* Returns the innermost open cover that contains the event. */
static const struct group_cover *cover_of(const struct walk *w, int64_t end)
{
	for (size_t k = w->depth; k-- > 0;)
		if (w->open[k]->end >= end)
			return w->open[k];
	return NULL;
}

/* Walks a thread; its covers are c[0] to c[n - 1]. */
static bool walk_thread(struct walk *w, const struct group_cover *c, size_t n)
{
	const struct track *t = &w->dump->trace.tracks[c->track];
	size_t next = 0;

	w->depth = 0;
	for (size_t i = track_lower(t, c->start); i < t->n; i++) {
		int64_t start = track_start(t, i), end = start + track_dur(t, i);
		const struct group_cover *in;

		if (i % PIECE == 0 && progress_canceled(w->progress))
			return false;
		while (next < n && c[next].start <= start) {
			while (w->depth && w->open[w->depth - 1]->end < c[next].start)
				w->depth--;
			VEC_ADD(w->open, w->depth, w->cap, &c[next++]);
		}
		while (w->depth && w->open[w->depth - 1]->end < start)
			w->depth--;
		if (!w->depth && next == n)
			break;
		if (!(in = cover_of(w, end)))
			continue;
		struct host_event e = { .host = w->dump->trace.planes[t->plane].host,
			.group = in->id,
			.start = start,
			.end = end,
			.type = type_of(w, track_meta(t, i)) };

		w->fn(w->ctx, &e);
	}
	return true;
}

bool host_events(const struct dump *d, const struct groups *g, const char *host, struct progress *progress,
    host_event_fn *fn, void *ctx)
{
	struct walk w = { .dump = d,
		.progress = progress,
		.fn = fn,
		.ctx = ctx,
		.type = xcalloc(d->trace.nmetas + 1, 1) };
	bool whole = true;
	size_t end;

	for (size_t a = 0; a < g->ncovers && whole; a = end) {
		const struct plane *p = &d->trace.planes[d->trace.tracks[g->cover[a].track].plane];

		for (end = a + 1; end < g->ncovers && g->cover[end].track == g->cover[a].track;)
			end++;
		if (!host || dump_host_is(d, p->host, host))
			whole = walk_thread(&w, g->cover + a, end - a);
	}
	free(w.type);
	free(w.open);
	return whole;
}
