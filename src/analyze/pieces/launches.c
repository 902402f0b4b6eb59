#include "config.h"
#include "analyze/pieces/launches.h"

#include <stdlib.h>

#include "analyze/trace/clock.h"
#include "analyze/trace/ties.h"
#include "base/bisect.h"
#include "base/mem.h"

#define HOPS 4 /* from thread to thread */

/* An event, and the one that produced what it consumes. */
struct hand_over {
	uint32_t track, from_track;
	size_t event, from_event;
	size_t
	    up; /* the index + 1 of the one around it on its thread, by which work came from another thread */
};

struct launches {
	const struct dump *dump;
	struct hand_over *v;
	size_t n, cap;
	bool *is_input;      /* by meta */
	struct spans *input; /* by track: of those that begin launches */
};

VEC_ORDER(by_event, struct hand_over, UP(track) UP(event) UP(from_track) UP(from_event));

/* What the host does for input, in names of its events. */
static const char *const input_names[] = { "InfeedEnqueue", "TransferToDevice", "TransferToInfeed",
	"BufferFromHost", "IteratorGetNext", "Iterator::", "tf_data", "device_put", "DevicePut",
	"prefetch_to_device", "__next__" };

static bool is_input(struct slice name)
{
	for (size_t i = 0; i < sizeof input_names / sizeof *input_names; i++)
		if (slice_has_nocase(name, input_names[i]))
			return true;
	return false;
}

static void take_key(void *ctx, const struct tie_end *v, size_t producers, size_t n)
{
	struct launches *l = ctx;

	for (size_t i = producers; i < n; i++)
		VEC_ADD(l->v, l->n, l->cap,
		    (struct hand_over){ v[i].track, v[0].track, v[i].event, v[0].event, 0 });
}

static bool is_host(const struct dump *d, const struct track *t)
{
	return d->trace.planes[t->plane].kind == PLANE_HOST && t->file >= 0;
}

static bool is_runs(const struct dump *d, const struct track *t)
{
	return d->trace.planes[t->plane].kind == PLANE_TPU && t->role == TRACK_MODULES && t->file >= 0;
}

static bool is_of_host(const struct dump *d, const struct evmeta *m)
{
	return m->plane >= d->trace.nplanes || d->trace.planes[m->plane].kind == PLANE_HOST;
}

static void collect(const struct dump *d, struct tie_ends *stated, struct tie_ends *by_run,
    struct progress *progress)
{
	struct ties_names names;
	struct ties_reader reader;
	struct ties ties;

	ties_names_init(&names, d);
	for (uint32_t i = 0; i < d->trace.ntracks; i++) {
		const struct track *t = &d->trace.tracks[i];

		if (!is_host(d, t) && !is_runs(d, t))
			continue;
		ties_open(&reader, &names, d, t);
		for (size_t e = 0; e < t->n && !progress_canceled(progress); e++) {
			if (!ties_read(&reader, e, &ties))
				continue;
			tie_ends_add(stated, d, i, e, &ties);
			tie_ends_add_launch(by_run, d, i, e, &ties);
		}
	}
	ties_names_free(&names);
}

static bool comes_from_thread(const struct launches *l, const struct hand_over *h)
{
	const struct track *t = l->dump->trace.tracks;

	return h->from_track != h->track && is_host(l->dump, &t[h->track]) &&
	    is_host(l->dump, &t[h->from_track]);
}

/* They are in order of time, and nest. */
static void find_ups(struct launches *l)
{
	size_t up = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (up && l->v[up - 1].track != l->v[i].track)
			up = 0;
		while (up &&
		    track_end(&l->dump->trace.tracks[l->v[up - 1].track], l->v[up - 1].event) <
			track_end(&l->dump->trace.tracks[l->v[i].track], l->v[i].event))
			up = l->v[up - 1].up;
		l->v[i].up = up;
		if (comes_from_thread(l, &l->v[i]))
			up = i + 1;
	}
}

struct launches *launches_read(const struct dump *d, struct progress *progress)
{
	struct launches *l = xcalloc(1, sizeof *l);
	struct tie_ends stated = { 0 }, by_run = { 0 };

	*l = (struct launches){ .dump = d,
		.is_input = xcalloc(d->trace.nmetas + 1, sizeof *l->is_input),
		.input = xcalloc(d->trace.ntracks + 1, sizeof *l->input) };
	for (uint32_t i = 0; i < d->trace.nmetas; i++)
		l->is_input[i] =
		    is_of_host(d, &d->trace.metas[i]) && is_input(dump_text(d, d->trace.metas[i].name));
	collect(d, &stated, &by_run, progress);
	tie_ends_by_key(&stated, take_key, l, NULL, progress);
	tie_ends_by_key(&by_run, take_key, l, NULL, progress);
	free(stated.v);
	free(by_run.v);
	VEC_SORT(l->v, l->n, by_event);
	find_ups(l);
	return l;
}

void launches_free(struct launches *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->dump->trace.ntracks; i++)
		free(l->input[i].v);
	free(l->input);
	free(l->is_input);
	free(l->v);
	free(l);
}

static const struct hand_over *source_of(const struct launches *l, uint32_t track, size_t event)
{
	size_t i;

	BISECT(i, l->n, l->v[i].track < track || (l->v[i].track == track && l->v[i].event < event));
	return i < l->n && l->v[i].track == track && l->v[i].event == event ? &l->v[i] : NULL;
}

static bool is_around(const struct launches *l, const struct hand_over *h, size_t event)
{
	const struct track *t = &l->dump->trace.tracks[h->track];

	return track_end(t, h->event) >= track_end(t, event);
}

/* What another thread produced, and the event or one around it consumes. */
static const struct hand_over *source_around(const struct launches *l, uint32_t track, size_t event)
{
	size_t i;

	BISECT(i, l->n, l->v[i].track < track || (l->v[i].track == track && l->v[i].event <= event));
	if (!i || l->v[i - 1].track != track)
		return NULL;
	if (!comes_from_thread(l, &l->v[i - 1]))
		i = l->v[i - 1].up;
	while (i && !is_around(l, &l->v[i - 1], event))
		i = l->v[i - 1].up;
	return i ? &l->v[i - 1] : NULL;
}

uint32_t launches_thread(const struct launches *l, const struct cut_run *run)
{
	const struct hand_over *h = source_of(l, run->track, run->event), *next;

	for (int i = 0; h && i < HOPS && (next = source_around(l, h->from_track, h->from_event)); i++)
		h = next;
	return h ? h->from_track : CUT_NONE;
}

static const struct spans *input_of(struct launches *l, uint32_t track)
{
	const struct track *t = &l->dump->trace.tracks[track];
	struct spans *s = &l->input[track];

	if (s->v)
		return s;
	for (size_t i = 0; i < t->n; i++)
		if (l->is_input[track_meta(t, i)])
			spans_push(s, track_start(t, i), track_end(t, i));
	if (!s->v) /* none, which is known from now on */
		s->v = xcalloc(1, sizeof *s->v);
	spans_join(s);
	return s;
}

void launches_fill(struct launches *l, struct cut_core *c)
{
	cut_runs(l->dump, c);
	for (size_t i = 0; i < c->nruns; i++) {
		struct cut_run *r = &c->run[i];
		const struct hand_over *h = source_of(l, r->track, r->event);

		if (!h)
			continue;
		r->enqueued = track_end(&l->dump->trace.tracks[h->from_track], h->from_event);
		r->input = input_of(l, launches_thread(l, r));
	}
}
