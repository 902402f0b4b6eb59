#include "config.h"
#include "analyze/kernels/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/links.h"
#include "base/bisect.h"
#include "base/clamp.h"
#include "base/mem.h"

/* Derived lines have IDs from here on, in 32 bits. */
#define DERIVED_FIRST UINT32_C(0xdeadbeef)
#define DERIVED_COUNT 390
#define PIECE 1000 /* events between two checks for cancellation */

bool kernels_any(const struct dump *d)
{
	return trace_has_plane(&d->trace, PLANE_GPU);
}

/* Lines that profilers derived from other lines of a GPU: their times were counted there. */
static bool kernel_track_is_derived(const struct dump *d, const struct track *t)
{
	return t->file < 0 ||
	    (d->files[t->file].kind == FILE_XSPACE && (uint32_t)t->id - DERIVED_FIRST < DERIVED_COUNT);
}

/* The time from the launch to the start; false: no launch is known. */
static bool launch_gap(const struct kernels_making *m, uint32_t track, size_t i, int64_t *gap)
{
	const struct links_found *l = &m->links;
	const struct trace *tr = &m->k->dump->trace;
	const struct edge *e = l->edges;
	size_t a;

	BISECT(a, l->n,
	    e[l->by_dst[a]].dst_track < track ||
		(e[l->by_dst[a]].dst_track == track && e[l->by_dst[a]].dst < i));
	for (; a < l->n && e[l->by_dst[a]].dst_track == track && e[l->by_dst[a]].dst == i; a++) {
		const struct track *from = &tr->tracks[e[l->by_dst[a]].src_track];

		if (tr->planes[from->plane].kind == PLANE_GPU)
			continue;
		*gap = track_start(&tr->tracks[track], i) - track_start(from, e[l->by_dst[a]].src);
		return true;
	}
	return false;
}

static void take_event(struct kernels_making *m, struct kernel_stream *stream, uint32_t track, size_t i)
{
	struct kernels *k = m->k;
	const struct track *t = &k->dump->trace.tracks[track];
	enum sight_kind kind = sight_read(&m->sight, t, i);
	int64_t ns = track_dur(t, i) / 1000, gap;
	bool launched;
	struct kernel_variant v;

	if (kind == SIGHT_COPIES) {
		stream->copies = add_clamped(stream->copies, track_dur(t, i));
		stream->ncopies++;
	}
	if (kind != SIGHT_KERNEL || ns < 1)
		return;
	v = kernel_variant_of(m, track_meta(t, i));
	launched = launch_gap(m, track, i, &gap);
	kernel_sum_add(&k->v[v.row].sum, ns, launched ? &gap : NULL);
	kernel_sum_add(&k->ops[v.op].sum, ns, launched ? &gap : NULL);
	kernel_sum_add(&stream->sum, ns, launched ? &gap : NULL);
	kernel_sum_add(&k->sum, ns, launched ? &gap : NULL);
	if (k->v[v.row].shape.registers > KERNEL_REGISTERS_MAX)
		k->odd_registers++;
	if (!m->nran || m->ran[m->nran - 1].row != v.row || m->ran[m->nran - 1].track != track)
		VEC_ADD(m->ran, m->nran, m->ran_cap, (struct kernel_ran){ v.row, track });
	k->ops[v.op].eligible |= k->v[v.row].eligible;
	k->ops[v.op].uses |= k->v[v.row].uses;
}

/* What is above its kernels is no work of the GPU: annotations of PyTorch. */
static bool is_work(const struct kernels_making *m, const struct track *t, size_t i, strid annotation)
{
	return track_dur(t, i) > 0 && m->k->dump->trace.metas[track_meta(t, i)].category != annotation;
}

static void add_stream(struct kernels_making *m, uint32_t track, size_t *cap)
{
	struct kernels *k = m->k;
	const struct trace *tr = &k->dump->trace;
	const struct track *t = &tr->tracks[track];
	const struct plane *p = &tr->planes[t->plane];
	strid annotation = strtab_find(&k->dump->str, "gpu_user_annotation", 19);
	struct kernel_stream s = { .track = track };

	if (p->kind != PLANE_GPU || !t->n || kernel_track_is_derived(k->dump, t) ||
	    (m->o->core >= 0 && p->core != m->o->core) ||
	    (m->o->host && !dump_host_is(k->dump, p->host, m->o->host)))
		return;
	annotation = annotation ? annotation : UINT32_MAX;
	for (size_t i = 0; i < t->n; i++)
		if (is_work(m, t, i, annotation))
			spans_append(&s.busy, track_start(t, i), track_end(t, i));
	VEC_ADD(k->streams, k->nstreams, *cap, s);
}

static void find_streams(struct kernels_making *m)
{
	size_t cap = 0;

	for (uint32_t i = 0; i < m->k->dump->trace.ntracks; i++)
		add_stream(m, i, &cap);
	for (size_t i = 0; i < m->k->nstreams; i++) {
		const struct spans *b = &m->k->streams[i].busy;

		if (b->n)
			span_widen(&m->k->span, b->v[0].from, b->v[b->n - 1].to);
	}
}

static bool is_first_of_file(const struct kernels *k, size_t i)
{
	const struct track *t = k->dump->trace.tracks;
	int file = t[k->streams[i].track].file;

	while (i-- > 0)
		if (t[k->streams[i].track].file == file)
			return false;
	return true;
}

/* Events of a converted trace are read in the order of the file, which may be compressed. */
static void take_converted(struct kernels_making *m, int file)
{
	struct kernels *k = m->k;
	struct kernel_events e = { 0 };

	kernel_externals_read(k->dump, file, &m->externals);
	for (size_t s = 0; s < k->nstreams; s++) {
		const struct track *t = &k->dump->trace.tracks[k->streams[s].track];

		for (size_t i = 0; t->file == file && i < t->n; i++)
			VEC_ADD(e.v, e.n, e.cap,
			    (struct kernel_event){ track_args(t, i), (uint32_t)s, (uint32_t)i });
	}
	kernel_events_sort(&e);
	for (size_t i = 0; i < e.n && (i % PIECE || !progress_canceled(m->o->progress)); i++)
		take_event(m, &k->streams[e.v[i].track], k->streams[e.v[i].track].track, e.v[i].event);
	free(e.v);
	free(m->externals.v);
	m->externals = (struct kernel_externals){ 0 };
}

static void take_events(struct kernels_making *m)
{
	struct kernels *k = m->k;

	for (size_t s = 0; s < k->nstreams; s++) {
		uint32_t track = k->streams[s].track;
		const struct track *t = &k->dump->trace.tracks[track];

		if (file_is_converted(&k->dump->files[t->file])) {
			if (is_first_of_file(k, s))
				take_converted(m, t->file);
			continue;
		}
		for (size_t i = 0; i < t->n && (i % PIECE || !progress_canceled(m->o->progress)); i++)
			take_event(m, &k->streams[s], track, i);
	}
}

void kernels_make(const struct dump *d, const struct kernels_options *o, struct kernels *k)
{
	struct kernels_making m = { .k = k, .o = o };

	*k = (struct kernels){ .dump = d, .span = SPAN_EMPTY };
	strtab_init(&k->text);
	strtab_init(&m.variants);
	strtab_init(&m.rows);
	strtab_init(&m.ops);
	sight_begin(&m.sight, d);
	if (kernels_any(d)) {
		find_streams(&m);
		links_find(d, &m.links, o->progress);
		take_events(&m);
	}
	kernels_finish(&m);
	sight_end(&m.sight);
	links_found_free(&m.links);
	kernel_programs_free(&m.programs);
	strtab_free(&m.variants);
	strtab_free(&m.rows);
	strtab_free(&m.ops);
	free(m.variant);
	free(m.key.s);
	free(m.ran);
}

void kernels_free(struct kernels *k)
{
	for (size_t i = 0; i < k->nstreams; i++)
		free(k->streams[i].busy.v);
	free(k->v);
	free(k->ops);
	free(k->streams);
	free(k->devices);
	strtab_free(&k->text);
	*k = (struct kernels){ .dump = NULL };
}

double kernels_busy(const struct kernels *k, int64_t busy)
{
	return k->span.to > k->span.from ? 100 * (double)busy / (double)(k->span.to - k->span.from) : NAN;
}
