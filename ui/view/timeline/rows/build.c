#include "config.h"

#include "view/timeline/rows/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/natural.h"
#include "model/lod.h"

enum {
	HOSTS_OPEN = 2,    /* with more hosts than this, all their cores and threads are folded */
	UNITS_OPEN = 64,   /* with more cores and other sections than this, the hosts are folded, too */
	LANES_APART = 2,   /* lanes that get a row of their own; the rest share one */
	COUNTERS_APART = 4 /* more counters than this share a row */
};

/* --- nodes --- */

uint64_t nodes_id(enum node_kind kind, uint64_t a, uint64_t b)
{
	uint64_t h = 0xcbf29ce484222325u;
	const uint64_t part[] = { kind, a, b };

	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		h = (h ^ part[i]) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return h;
}

uint32_t nodes_add(struct nodes *b, const struct rows_node *node, uint32_t parent)
{
	struct rows *r = b->rows;
	uint32_t i = (uint32_t)r->n;

	VEC_PUSH(r->v, r->n, r->cap);
	r->n++;
	r->v[i] = *node;
	r->v[i].parent = parent;
	r->v[i].end = i + 1;
	r->v[i].level = parent == ROWS_NONE ? 0 : (uint8_t)(r->v[parent].level + 1);
	if (node->foldable)
		r->v[i].folded = nodes_folded(r, node->id, node->folded);
	return i;
}

void nodes_close(struct nodes *b, uint32_t node)
{
	b->rows->v[node].end = (uint32_t)b->rows->n;
}

struct rows_node nodes_new(enum node_kind kind, uint32_t plane, const char *name, size_t len)
{
	return (struct rows_node){
		.kind = kind,
		.plane = plane,
		.track = ROWS_NONE,
		.steps = ROWS_NONE,
		.counter = -1,
		.chip = -1,
		.core_on_chip = -1,
		.name = name,
		.len = (uint32_t)len,
	};
}

bool nodes_has_rows(const struct nodes *b, uint32_t track)
{
	const struct track *t = &b->cap->dump->trace.tracks[track];

	if (t->file < 0 || (!t->n && !t->untimed))
		return false;
	return t->role != TRACK_COUNTERS || !b->sampled[track];
}

/* --- a track and its rows --- */

/* Rows of async spans are lanes, however they nest; elsewhere a lane means events that overlap where they
 * should not, which is marked by ≈. */
static bool rows_are_lanes(const struct track *t)
{
	return t->role == TRACK_ASYNC;
}

static const char *name_row(struct nodes *b, const struct track *t, int row, int lane)
{
	char buf[48];
	int depth = row - (t->lane ? t->lane_base[lane] : 0);

	if (rows_are_lanes(t))
		snprintf(buf, sizeof buf, "lane %d", row + 1);
	else if (!lane)
		snprintf(buf, sizeof buf, "depth %d", depth);
	else if (!depth)
		snprintf(buf, sizeof buf, "\xe2\x89\x88 lane %d", lane + 1);
	else
		snprintf(buf, sizeof buf, "\xe2\x89\x88 lane %d depth %d", lane + 1, depth);
	return arena_strndup(&b->rows->text, buf, strlen(buf));
}

static void add_row(struct nodes *b, uint32_t track, int row, int lane, uint32_t parent)
{
	const struct track *t = &b->cap->dump->trace.tracks[track];
	const char *name = name_row(b, t, row, lane);
	struct rows_node v = nodes_new(NODE_ROW, t->plane, name, strlen(name));

	v.track = track;
	v.row = row;
	v.rows = 1;
	v.role = t->role;
	v.thin = b->rows->v[parent].thin;
	v.id = nodes_id(NODE_ROW, track, (uint64_t)row);
	nodes_add(b, &v, parent);
}

/* Adds one row for all lanes from this row on. */
static uint32_t add_lanes(struct nodes *b, uint32_t track, int row, int lane, uint32_t parent)
{
	const struct track *t = &b->cap->dump->trace.tracks[track];
	bool natural = rows_are_lanes(t);
	char buf[48];
	struct rows_node v;

	snprintf(buf, sizeof buf, "%slanes %d-%d", natural ? "" : "\xe2\x89\x88 ",
	    natural ? row + 1 : lane + 1, natural ? t->rows : t->nlanes);
	v = nodes_new(NODE_LANES, t->plane, arena_strndup(&b->rows->text, buf, strlen(buf)), strlen(buf));
	v.track = track;
	v.row = row;
	v.rows = t->rows - row;
	v.role = t->role;
	v.foldable = v.folded = true;
	v.id = nodes_id(NODE_LANES, track, 0);
	return nodes_add(b, &v, parent);
}

static void add_rows(struct nodes *b, uint32_t track, uint32_t node)
{
	const struct track *t = &b->cap->dump->trace.tracks[track];
	bool natural = rows_are_lanes(t);
	uint32_t lanes = ROWS_NONE;
	int lane = 0;

	for (int row = 1; row < t->rows; row++) {
		int n, all = natural ? t->rows : t->nlanes;

		while (t->lane && lane + 1 < t->nlanes && t->lane_base[lane + 1] <= row)
			lane++;
		n = natural ? row : lane;
		if (lanes == ROWS_NONE && n >= LANES_APART && all - n > 1)
			lanes = add_lanes(b, track, row, lane, node);
		add_row(b, track, row, lane, lanes == ROWS_NONE ? node : lanes);
	}
	if (lanes != ROWS_NONE)
		nodes_close(b, lanes);
}

static bool is_thin(enum track_role role)
{
	return role == TRACK_STEPS || role == TRACK_MODULES || role == TRACK_SCOPE ||
	    role == TRACK_FRAMEWORK || role == TRACK_SOURCE;
}

uint32_t nodes_track(struct nodes *b, uint32_t track, uint32_t parent, const char *name, size_t len,
    bool folded)
{
	const struct track *t = &b->cap->dump->trace.tracks[track];
	struct rows_node v = nodes_new(NODE_TRACK, t->plane, name, len);
	uint32_t node;

	v.track = track;
	v.role = t->role;
	v.rows = t->rows;
	v.thin = is_thin(t->role);
	v.foldable = t->rows > 1;
	v.folded = folded;
	v.id = nodes_id(NODE_TRACK, track, 0);
	node = nodes_add(b, &v, parent);
	add_rows(b, track, node);
	nodes_close(b, node);
	return node;
}

/* --- counters --- */

void nodes_counters(struct nodes *b, uint32_t plane, uint32_t parent)
{
	const struct dump *d = b->cap->dump;
	uint32_t from = b->counter_from[plane], to = b->counter_from[plane + 1], node = ROWS_NONE;

	if (to - from > COUNTERS_APART) {
		struct rows_node v = nodes_new(NODE_COUNTERS, plane, "counters", 8);

		v.foldable = v.folded = true;
		v.id = nodes_id(NODE_COUNTERS, plane, 0);
		node = nodes_add(b, &v, parent);
	}
	for (uint32_t i = from; i < to; i++) {
		const struct counter *c = &d->trace.counters[b->counter_of[i]];
		struct rows_node v = nodes_new(NODE_COUNTER, plane, strtab_str(&d->str, c->name),
		    strtab_len(&d->str, c->name));

		v.counter = (int)b->counter_of[i];
		v.id = nodes_id(NODE_COUNTER, b->counter_of[i], 0);
		nodes_add(b, &v, node == ROWS_NONE ? parent : node);
	}
	if (node != ROWS_NONE)
		nodes_close(b, node);
}

/* --- hosts --- */

struct section {
	uint32_t plane;
	int rank, core, sub;
	const char *name;
	size_t len;
};

static int rank_of(const struct dump *d, const struct plane *p)
{
	static const int ranks[] = {
		[PLANE_TPU] = 0,
		[PLANE_SPARSECORE] = 0,
		[PLANE_CHIP] = 1,
		[PLANE_GPU] = 2,
		[PLANE_CUSTOM] = 3,
		[PLANE_OTHER] = 4,
		[PLANE_META] = 7,
	};

	if (p->kind != PLANE_HOST)
		return ranks[p->kind];
	if (strtab_len(&d->str, p->name) < 9 || memcmp(strtab_str(&d->str, p->name), "/host:CPU", 9))
		return 6;
	return 5;
}

static int by_rank(const void *pa, const void *pb)
{
	const struct section *a = pa, *b = pb;
	int by_name;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	if (a->sub != b->sub)
		return a->sub < b->sub ? -1 : 1;
	by_name = natural_cmp(a->name, a->len, b->name, b->len);
	return by_name ? by_name : a->plane < b->plane ? -1 : 1;
}

static bool plane_has_rows(const struct nodes *b, uint32_t plane)
{
	if (b->counter_from[plane] < b->counter_from[plane + 1])
		return true;
	for (uint32_t i = b->from[plane]; i < b->from[plane + 1]; i++)
		if (nodes_has_rows(b, b->of_plane[i]))
			return true;
	return false;
}

static size_t sections_of(const struct nodes *b, int host, struct section *out)
{
	const struct dump *d = b->cap->dump;
	size_t n = 0;

	for (uint32_t p = 0; p < d->trace.nplanes; p++) {
		const struct plane *q = &d->trace.planes[p];

		if (q->host == host && plane_has_rows(b, p))
			out[n++] = (struct section){ p, rank_of(d, q), q->core, q->sub,
				strtab_str(&d->str, q->name), strtab_len(&d->str, q->name) };
	}
	qsort(out, n, sizeof *out, by_rank);
	return n;
}

static bool is_device(enum plane_kind kind)
{
	return kind == PLANE_TPU || kind == PLANE_SPARSECORE || kind == PLANE_CHIP || kind == PLANE_GPU ||
	    kind == PLANE_CUSTOM;
}

static uint32_t add_host(struct nodes *b, int host, const struct section *s, size_t n, bool folded)
{
	const struct dump *d = b->cap->dump;
	struct slice name = dump_host_short(d, host);
	struct rows_node v = nodes_new(NODE_HOST, s[0].plane, name.s, name.n);

	if (!v.len) {
		v.name = "unnamed host";
		v.len = 12;
	}
	v.foldable = true;
	v.folded = folded;
	v.id = nodes_id(NODE_HOST, (uint64_t)(int64_t)host, 0);
	for (size_t i = 0; i < n && v.steps == ROWS_NONE; i++)
		if (d->trace.planes[s[i].plane].kind == PLANE_TPU)
			v.steps = nodes_steps(b, s[i].plane);
	return nodes_add(b, &v, ROWS_NONE);
}

/* hosts with rows, and the sections of all of them */
struct size {
	size_t hosts, units;
};

/* Returns whether a core is open now. */
static bool build_host(struct nodes *b, int host, struct section *s, size_t n, const struct size *all,
    bool core_open)
{
	uint32_t parent = ROWS_NONE;
	size_t others = 0, nhosts = all->hosts;

	if (nhosts > 1 && n == 1 && host >= 0 && !is_device(b->cap->dump->trace.planes[s->plane].kind)) {
		struct slice name =
		    dump_host_short(b->cap->dump, host); /* only threads: they stand for the host */

		nodes_threads(b, s->plane, ROWS_NONE, name.s, name.n, nhosts > HOSTS_OPEN);
		return core_open;
	}
	if (nhosts > 1)
		parent = add_host(b, host, s, n, nhosts > HOSTS_OPEN && all->units > UNITS_OPEN);
	for (size_t i = 0; i < n; i++)
		others += !is_device(b->cap->dump->trace.planes[s[i].plane].kind);
	for (size_t i = 0; i < n; i++) {
		enum plane_kind kind = b->cap->dump->trace.planes[s[i].plane].kind;
		bool open = kind == PLANE_TPU && !core_open && nhosts <= HOSTS_OPEN &&
		    nodes_occupancy(b, s[i].plane) != ROWS_NONE;

		if (is_device(kind))
			nodes_device(b, s[i].plane, parent, !open);
		else
			nodes_threads(b, s[i].plane, parent, NULL, 0,
			    nhosts > 1 || others > COUNTERS_APART || s[i].rank > 5);
		core_open |= open;
	}
	if (parent != ROWS_NONE)
		nodes_close(b, parent);
	return core_open;
}

static void build_hosts(struct nodes *b, int only)
{
	const struct dump *d = b->cap->dump;
	struct section *s = xcalloc(d->trace.nplanes + 1, sizeof *s);
	struct size all = { 0, 0 };
	bool open = false;

	for (int h = -1; h < (int)d->nhosts; h++) {
		size_t n = only < 0 || h == only ? sections_of(b, h, s) : 0;

		all.hosts += n > 0;
		all.units += n;
	}
	for (int h = 0; h <= (int)d->nhosts; h++) {
		int host = h < (int)d->nhosts ? h : -1; /* planes without a host come last */
		size_t n = only < 0 || host == only ? sections_of(b, host, s) : 0;

		if (n)
			open = build_host(b, host, s, n, &all, open);
	}
	free(s);
}

/* --- all of it --- */

static void index_planes(struct nodes *b)
{
	const struct trace *t = &b->cap->dump->trace;

	b->from = xcalloc(t->nplanes + 2, sizeof *b->from);
	b->counter_from = xcalloc(t->nplanes + 2, sizeof *b->counter_from);
	b->of_plane = xcalloc(t->ntracks + 1, sizeof *b->of_plane);
	b->counter_of = xcalloc(t->ncounters + 1, sizeof *b->counter_of);
	for (size_t i = 0; i < t->ntracks; i++)
		b->from[t->tracks[i].plane + 2] += t->tracks[i].file >= 0;
	for (size_t i = 0; i < t->ncounters; i++)
		b->counter_from[t->counters[i].plane + 2]++;
	for (size_t p = 2; p < t->nplanes + 2; p++) {
		b->from[p] += b->from[p - 1];
		b->counter_from[p] += b->counter_from[p - 1];
	}
	for (size_t i = 0; i < t->ntracks; i++)
		if (t->tracks[i].file >= 0)
			b->of_plane[b->from[t->tracks[i].plane + 1]++] = (uint32_t)i;
	b->sampled = xcalloc(t->ntracks + 1, sizeof *b->sampled);
	for (size_t i = 0; i < t->ncounters; i++) {
		b->counter_of[b->counter_from[t->counters[i].plane + 1]++] = (uint32_t)i;
		if (t->counters[i].track >= 0)
			b->sampled[t->counters[i].track] = true;
	}
}

/* Records the node of each track, the tracks of "device time", and the number of events on these rows. */
static void finish_rows(struct nodes *b, int only)
{
	struct rows *r = b->rows;
	const struct trace *t = &b->cap->dump->trace;

	r->ntracks = t->ntracks;
	r->node_of = xrealloc(r->node_of, r->ntracks + 1, sizeof *r->node_of);
	memset(r->node_of, 0xff, r->ntracks * sizeof *r->node_of);
	r->ndevice = 0;
	r->has_coarse = false;
	for (uint32_t i = 0; i < r->n; i++) {
		const struct rows_node *v = &r->v[i];

		if (v->kind == NODE_TRACK)
			r->node_of[v->track] = i;
		else if (v->kind == NODE_DEVICE && v->steps != ROWS_NONE)
			r->node_of[v->steps] = i;
		if (v->kind == NODE_DEVICE && v->track != ROWS_NONE &&
		    t->planes[v->plane].kind == PLANE_TPU) {
			VEC_PUSH(r->device, r->ndevice, r->device_cap);
			r->coarse = xrealloc(r->coarse, r->device_cap, sizeof *r->coarse);
			r->coarse[r->ndevice] = v->counter;
			r->has_coarse |= v->counter >= 0;
			r->device[r->ndevice++] = v->track;
		}
	}
	r->threads_only = !r->ndevice;
	for (uint32_t i = 0; r->threads_only && i < r->n; i++)
		if (r->v[i].kind == NODE_TRACK)
			VEC_ADD(r->device, r->ndevice, r->device_cap, r->v[i].track);
	r->events = 0;
	for (size_t i = 0; i < t->ntracks; i++)
		if (t->tracks[i].file >= 0 && (only < 0 || t->planes[t->tracks[i].plane].host == only))
			r->events += t->tracks[i].n + t->tracks[i].untimed;
}

void rows_build(struct rows *r, struct capture *c)
{
	struct nodes b = { .rows = r, .cap = c };

	r->n = r->nmember = 0;
	r->chip_has_cores = false;
	arena_free(&r->text);
	r->text = (struct arena){ 0 };
	index_planes(&b);
	build_hosts(&b, c->scope.host);
	tracks_arrange(r, c->dump);
	tracks_match(r);
	finish_rows(&b, c->scope.host);
	rows_show(r);
	free(b.of_plane);
	free(b.from);
	free(b.sampled);
	free(b.counter_of);
	free(b.counter_from);
}
