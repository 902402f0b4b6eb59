#include "config.h"
#include "analyze/trace/links.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/trace/ties.h"
#include "base/bisect.h"
#include "base/sort.h"

#define GPU_LAUNCH_TYPE 9 /* of a launch and what it starts on a GPU */
#define OFFLOAD_TYPE 17   /* of an op and the run on a SparseCore that it starts */
#define FLOW_LOOK_BACK 64
#define PIECE 1000 /* events between two checks for cancellation */

enum { FLOW_IN = 1, FLOW_OUT = 2 };

struct flow {
	uint64_t id; /* flow number without direction and category */
	int64_t at;
	uint32_t track;
	size_t event;
	int16_t host;
	uint8_t direction, category;
};

struct builder {
	const struct dump *d;
	struct links_found *out;
	struct progress *progress;
	struct ties_names names;
	struct tie_ends ends, launches, gpu, offloads;
	struct flow *flows;
	size_t nflows, flows_cap;
};

static void add_edge(struct builder *b, uint32_t src_track, size_t src, uint32_t dst_track, size_t dst,
    uint8_t category)
{
	struct links_found *f = b->out;

	VEC_ADD(f->edges, f->n, f->cap,
	    (struct edge){ src_track, (uint32_t)src, dst_track, (uint32_t)dst, category });
}

static void joined(void *ctx, const struct tie_end *from, const struct tie_end *to)
{
	struct builder *b = ctx;

	if (from->track != to->track || from->event != to->event)
		add_edge(b, from->track, from->event, to->track, to->event, (uint8_t)from->host_type);
}

/* A kernel is linked to its launch by the number that the driver gave both, within one process. */
static void add_gpu_launch(struct builder *b, uint32_t track, size_t i, const struct ties *t)
{
	const struct trace *tr = &b->d->trace;
	const struct track *k = &tr->tracks[track];
	const struct plane *p = &tr->planes[k->plane];

	if (p->kind != PLANE_GPU && p->kind != PLANE_HOST)
		return;
	VEC_ADD(b->gpu.v, b->gpu.n, b->gpu.cap,
	    (struct tie_end){ .key = (uint64_t)k->file << 40 ^ (uint64_t)t->v[TIE_CORRELATION],
		.host_type = (uint32_t)(p->host + 1) << 8 | GPU_LAUNCH_TYPE,
		.track = track,
		.event = i,
		.producer = p->kind == PLANE_HOST });
}

/* An op of a TensorCore starts the run on a SparseCore of the same core that has its numbers. */
static void add_offload(struct builder *b, uint32_t track, size_t i, const struct ties *t)
{
	const struct track *k = &b->d->trace.tracks[track];
	const struct plane *p = &b->d->trace.planes[k->plane];

	if (!(p->kind == PLANE_TPU && k->role == TRACK_OPS) &&
	    !(p->kind == PLANE_SPARSECORE && k->role == TRACK_MODULES))
		return;
	VEC_ADD(b->offloads.v, b->offloads.n, b->offloads.cap,
	    (struct tie_end){ .key = (uint64_t)p->core << 48 ^ (uint64_t)t->v[TIE_OFFLOAD_CORE] << 32 ^
		    (uint64_t)t->v[TIE_OFFLOAD_START],
		.host_type = (uint32_t)(p->host + 1) << 8 | OFFLOAD_TYPE,
		.track = track,
		.event = i,
		.producer = p->kind == PLANE_TPU });
}

static void add_flow(struct builder *b, uint32_t track, size_t i, uint64_t flow)
{
	const struct track *t = &b->d->trace.tracks[track];

	VEC_ADD(b->flows, b->nflows, b->flows_cap,
	    (struct flow){
		.direction = flow & 3,
		.id = flow >> 2 & (((uint64_t)1 << 56) - 1),
		.category = (uint8_t)(flow >> 58),
		.at = track_start(t, i),
		.track = track,
		.event = i,
		.host = (int16_t)b->d->trace.planes[t->plane].host,
	    });
}

static bool collect_track(struct builder *b, uint32_t track)
{
	const struct track *t = &b->d->trace.tracks[track];
	struct ties_reader reader;
	struct ties ties;

	ties_open(&reader, &b->names, b->d, t);
	for (size_t i = 0; i < t->n; i++) {
		if (i % PIECE == 0) {
			if (progress_canceled(b->progress))
				return false;
			progress_add(b->progress, t->n - i < PIECE ? t->n - i : PIECE, 0);
		}
		if (!ties_read(&reader, i, &ties))
			continue;
		if (ties.has & (1u << TIE_P | 1u << TIE_C))
			tie_ends_add(&b->ends, b->d, track, i, &ties);
		tie_ends_add_launch(&b->launches, b->d, track, i, &ties);
		if (TIE_HAS(&ties, TIE_CORRELATION) && ties.v[TIE_CORRELATION])
			add_gpu_launch(b, track, i, &ties);
		if (TIE_HAS(&ties, TIE_OFFLOAD_CORE) && TIE_HAS(&ties, TIE_OFFLOAD_START))
			add_offload(b, track, i, &ties);
		if (TIE_HAS(&ties, TIE_FLOW) && (ties.v[TIE_FLOW] & 3))
			add_flow(b, track, i, (uint64_t)ties.v[TIE_FLOW]);
	}
	return true;
}

/* At the same time, the sending end is first. */
VEC_ORDER(by_flow, struct flow, UP(host) UP(id) UP(category) UP(at) DOWN(direction) UP(track) UP(event));

/* The cores of a host use the same flow numbers, so a flow never links two cores, nor two transfers of one
 * core. */
static bool may_flow(const struct dump *d, const struct flow *from, const struct flow *to)
{
	if (from->track == to->track && d->trace.tracks[from->track].role == TRACK_ASYNC)
		return false;
	uint32_t a = d->trace.tracks[from->track].plane, b = d->trace.tracks[to->track].plane;

	return a == b || d->trace.planes[a].kind != PLANE_TPU || d->trace.planes[b].kind != PLANE_TPU;
}

static bool tie_flows(struct builder *b)
{
	const struct flow *v = b->flows;

	if (!sort_items(b->flows, b->nflows, sizeof *b->flows, by_flow, b->progress))
		return false;
	for (size_t i = 1; i < b->nflows; i++) {
		if (i % PIECE == 0 && progress_canceled(b->progress))
			return false;
		if (!(v[i].direction & FLOW_IN))
			continue;
		for (size_t k = i; k-- > 0 && i - k <= FLOW_LOOK_BACK;) {
			if (v[k].id != v[i].id || v[k].host != v[i].host || v[k].category != v[i].category)
				break;
			if (!(v[k].direction & FLOW_OUT) || !may_flow(b->d, &v[k], &v[i]))
				continue;
			add_edge(b, v[k].track, v[k].event, v[i].track, v[i].event, v[i].category);
			break;
		}
	}
	return true;
}

VEC_ORDER(by_source, struct edge, UP(src_track) UP(src) UP(dst_track) UP(dst) UP(category));

struct arrival {
	uint32_t track, event, edge;
};

VEC_ORDER(by_arrival, struct arrival, UP(track) UP(event) UP(edge));

bool links_order(struct links_found *f, const struct progress *progress)
{
	struct arrival *v;
	size_t n = 0;
	bool whole;

	if (!sort_items(f->edges, f->n, sizeof *f->edges, by_source, progress))
		return false;
	for (size_t i = 0; i < f->n; i++) /* the same arrow may come from two sources */
		if (!n || by_source(&f->edges[n - 1], &f->edges[i]))
			f->edges[n++] = f->edges[i];
	f->n = n;
	v = xcalloc(n + 1, sizeof *v);
	for (size_t i = 0; i < n; i++)
		v[i] = (struct arrival){ f->edges[i].dst_track, f->edges[i].dst, (uint32_t)i };
	whole = sort_items(v, n, sizeof *v, by_arrival, progress);
	f->by_dst = xrealloc(f->by_dst, n + 1, sizeof *f->by_dst);
	for (size_t i = 0; i < n; i++)
		f->by_dst[i] = v[i].edge;
	free(v);
	return whole;
}

/* Converted traces have lost these stats; their own arrows were read with the file. */
static bool has_ties(const struct dump *d, uint32_t track)
{
	int file = d->trace.tracks[track].file;

	return file >= 0 && !file_is_converted(&d->files[file]);
}

static bool read_events(struct builder *b)
{
	const struct trace *t = &b->d->trace;
	uint64_t total = 0;

	ties_names_init(&b->names, b->d);
	if (!(b->names.present &
		(1u << TIE_P | 1u << TIE_C | 1u << TIE_FLOW | 1u << TIE_RUN | 1u << TIE_CORRELATION |
		    1u << TIE_OFFLOAD_START)))
		return true;
	for (uint32_t i = 0; i < t->ntracks; i++)
		total += has_ties(b->d, i) ? t->tracks[i].n : 0;
	progress_begin(b->progress, total);
	for (uint32_t i = 0; i < t->ntracks; i++)
		if (has_ties(b->d, i) && !collect_track(b, i))
			return false;
	return true;
}

static bool tie(struct builder *b)
{
	const struct trace *t = &b->d->trace;

	for (size_t i = 0; i < t->nedges; i++)
		VEC_ADD(b->out->edges, b->out->n, b->out->cap, t->edges[i]);
	return tie_ends_join(&b->ends, joined, b, &b->out->skipped, b->progress) &&
	    tie_ends_join(&b->launches, joined, b, &b->out->skipped, b->progress) &&
	    tie_ends_join(&b->gpu, joined, b, &b->out->skipped, b->progress) &&
	    tie_ends_join(&b->offloads, joined, b, &b->out->skipped, b->progress) && tie_flows(b);
}

bool links_find(const struct dump *d, struct links_found *out, struct progress *progress)
{
	struct builder b = { .d = d, .out = out, .progress = progress };
	bool whole;

	links_found_free(out);
	whole = read_events(&b) && tie(&b) && links_order(out, progress);
	if (!whole)
		links_found_free(out);
	free(b.ends.v);
	free(b.launches.v);
	free(b.gpu.v);
	free(b.offloads.v);
	free(b.flows);
	ties_names_free(&b.names);
	return whole;
}

void links_found_free(struct links_found *f)
{
	free(f->edges);
	free(f->by_dst);
	*f = (struct links_found){ 0 };
}

size_t links_from(const struct dump *d, uint32_t track, size_t i, const struct edge **first)
{
	const struct edge *e = d->trace.edges;
	size_t a, n = 0;

	BISECT(a, d->trace.nedges, e[a].src_track < track || (e[a].src_track == track && e[a].src < i));
	while (a + n < d->trace.nedges && e[a + n].src_track == track && e[a + n].src == i)
		n++;
	*first = e ? e + a : NULL;
	return n;
}

size_t links_to(const struct dump *d, uint32_t track, size_t i, uint32_t *edges, size_t max)
{
	const struct edge *e = d->trace.edges;
	const uint32_t *by = d->trace.edge_by_dst;
	size_t a, n = 0;

	BISECT(a, by ? d->trace.nedges : 0,
	    e[by[a]].dst_track < track || (e[by[a]].dst_track == track && e[by[a]].dst < i));
	for (; by && a < d->trace.nedges && e[by[a]].dst_track == track && e[by[a]].dst == i; a++, n++)
		if (n < max)
			edges[n] = by[a];
	return n;
}
