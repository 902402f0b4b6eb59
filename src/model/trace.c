#include "config.h"

#include "model/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/mem.h"
#include "base/memcap.h"
#include "base/spill/spill.h"
#include "base/text/digit.h"
#include "model/lod.h"

uint32_t trace_add_plane(struct trace *t, const struct plane *p)
{
	VEC_PUSH(t->planes, t->nplanes, t->planes_cap);
	t->planes[t->nplanes] = *p;
	return (uint32_t)t->nplanes++;
}

uint32_t trace_add_track(struct trace *t, const struct track *track)
{
	VEC_PUSH(t->tracks, t->ntracks, t->tracks_cap);
	t->tracks[t->ntracks] = *track;
	return (uint32_t)t->ntracks++;
}

uint32_t trace_add_meta(struct trace *t, const struct evmeta *m)
{
	VEC_PUSH(t->metas, t->nmetas, t->metas_cap);
	t->metas[t->nmetas] = *m;
	return (uint32_t)t->nmetas++;
}

uint32_t trace_add_counter(struct trace *t, const struct counter *c)
{
	VEC_PUSH(t->counters, t->ncounters, t->counters_cap);
	t->counters[t->ncounters] = *c;
	return (uint32_t)t->ncounters++;
}

/* Columns are that wide at first.  Starts may then be up to EARLIER (70 s) before the origin of the run, or before the
 * first event where that is far away, and three times as much after it. */
enum { START_WIDTH = 6, DUR_WIDTH = 4, META_WIDTH = 2, ARGS_WIDTH = 4 };
#define EARLIER (INT64_C(1) << 46)

/* Like realloc, but leaves the pointer unchanged when memory is refused. */
#define RESIZE(ptr, n) resize((void **)&(ptr), (n), sizeof *(ptr))

static bool resize(void **column, size_t n, size_t size)
{
	void *p = mem_try(*column, n, size);

	if (p)
		*column = p;
	return p;
}

#ifdef ENABLE_SANITIZE
#include <sanitizer/asan_interface.h>
#define GAP 64 /* after each column, for the address sanitizer */
#define FORBID(p, n) ASAN_POISON_MEMORY_REGION(p, n)
#else
#define GAP 0
#define FORBID(p, n) ((void)0)
#endif

/* The columns of a track and its depths, in the order in which they lie in one block, in memory or in a file
 * (spill.h). */
enum { COLUMNS = 5 };
struct columns {
	struct packed v[COLUMNS];
};

static struct columns columns_of(const struct track *t)
{
	return (
	    struct columns){ { t->start, t->dur, t->meta, t->args, packed_at(t->depth, sizeof *t->depth) } };
}

/* Bytes of a block with room for n events. */
static size_t block_bytes(const struct columns *c, size_t n)
{
	size_t bytes = 0;

	for (int k = 0; k < COLUMNS; k++)
		bytes += c->v[k].width * n + PACKED_SLACK + GAP;
	return bytes;
}

static size_t block_of(const struct track *t)
{
	const struct columns c = columns_of(t);

	return t->start.p ? block_bytes(&c, t->cap) : 0;
}

static void free_columns(struct track *t)
{
	if (t->spill) {
		spill_free(t->spill);
	} else if (t->start.p) {
		spill_counts(0, block_of(t));
		mem_large_free(t->start.p, block_of(t));
	}
}

static void copy_column(const struct packed *to, const struct packed *from, size_t n)
{
	if (to->width == from->width && n)
		memcpy(to->p, from->p, n * to->width);
	else
		for (size_t i = 0; i < n; i++)
			packed_append(to, i, packed_get(from, i));
}

/* Fills a new block with the numbers of the old one. */
static void fill_block(struct columns *to, const struct columns *from, uint8_t *p, size_t cap, size_t n)
{
	for (int k = 0; k < COLUMNS; k++) {
		to->v[k].p = p;
		p += to->v[k].width * cap + PACKED_SLACK + GAP;
		copy_column(&to->v[k], &from->v[k], n);
	}
}

/* Moves the columns into a new block of these widths with room for cap events; false: no memory. */
static bool move_columns(struct track *t, struct columns *to, size_t cap)
{
	const struct columns from = columns_of(t);
	const size_t bytes = block_bytes(to, cap), before = block_of(t);
	struct spill *spill = NULL;
	uint8_t *p;

	if (t->spill || spill_wanted(bytes > before ? bytes - before : 0))
		spill = spill_new(bytes);
	p = spill ? spill_bytes(spill) : t->spill ? NULL : mem_large(bytes);
	if (!p)
		return false;
	if (!spill)
		spill_counts(bytes, 0);
	fill_block(to, &from, p, cap, t->n);
	for (int k = 0; GAP && !spill && k < COLUMNS; k++) /* what is unmapped would stay forbidden */
		FORBID(to->v[k].p + to->v[k].width * cap + PACKED_SLACK, GAP);
	free_columns(t);
	t->start = to->v[0];
	t->dur = to->v[1];
	t->meta = to->v[2];
	t->args = to->v[3];
	t->depth = to->v[4].p;
	t->spill = spill;
	t->cap = cap;
	return true;
}

static bool resize_columns(struct track *t, size_t cap)
{
	struct columns to = columns_of(t);

	if (!t->cap) {
		to = (struct columns){ { packed_at(NULL, START_WIDTH), packed_at(NULL, DUR_WIDTH),
		    packed_at(NULL, META_WIDTH), packed_at(NULL, ARGS_WIDTH), to.v[4] } };
		t->zero = -EARLIER;
	}
	return move_columns(t, &to, cap);
}

bool track_grow(struct track *t, size_t want)
{
	size_t cap = t->cap > SIZE_MAX / 2 ? SIZE_MAX : t->cap * 2;

	return want <= t->cap || track_reserve(t, cap < want ? want : cap);
}

bool track_reserve(struct track *t, size_t cap)
{
	return cap <= t->cap || (cap <= SIZE_MAX / 64 && resize_columns(t, cap));
}

void track_shift(struct track *t, int64_t by)
{
	int64_t zero, last;

	if (t->start.width < sizeof by && !__builtin_add_overflow(t->zero, by, &zero) &&
	    !__builtin_add_overflow(zero, (int64_t)t->start.most, &last)) {
		t->zero = zero;
		return;
	}
	for (size_t i = 0; i < t->n; i++)
		track_set_time(t, i, add_clamped(track_start(t, i), by), track_dur(t, i));
}

int trace_event_order(const void *a, const void *b)
{
	const struct trace_event *x = a, *y = b;
	int order = trace_time_order(x->start, x->dur, y->start, y->dur);

	if (order || x->track != y->track)
		return order ? order : x->track < y->track ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

/* Makes one column wide enough for v. */
static bool widen(struct track *t, const struct packed *c, uint64_t v)
{
	struct columns to = columns_of(t);

	if (v <= c->most)
		return true;
	for (int k = 0; k < COLUMNS; k++)
		if (to.v[k].p == c->p)
			to.v[k] = packed_at(NULL, packed_width(v));
	return move_columns(t, &to, t->cap);
}

bool track_widen(struct track *t, int64_t start, int64_t dur, uint32_t meta, uint64_t at)
{
	if (!t->n)
		t->zero = (int64_t)((uint64_t)start - EARLIER);
	return widen(t, &t->start, track_since(t, start)) && widen(t, &t->dur, (uint64_t)dur) &&
	    widen(t, &t->meta, meta) && widen(t, &t->args, at);
}

/* For a number that takes the place of another one, whose owner cannot do without it. */
static void replace(struct track *t, const struct packed *c, size_t i, uint64_t v)
{
	if (!widen(t, c, v) && !(memcap_spend() && widen(t, c, v)))
		mem_exhausted(block_of(t));
	packed_put(c, i, v);
}

void track_set_time(struct track *t, size_t i, int64_t start, int64_t dur)
{
	replace(t, &t->start, i, track_since(t, start));
	replace(t, &t->dur, i, (uint64_t)dur);
}

void track_set_meta(struct track *t, size_t i, uint32_t meta)
{
	replace(t, &t->meta, i, meta);
}

void track_set_args(struct track *t, size_t i, uint64_t at)
{
	replace(t, &t->args, i, at);
}

/* A little more than is needed costs less than a copy: pages that nobody touched take no memory. */
void track_trim(struct track *t)
{
	if (t->n < t->cap / 4 * 3)
		resize_columns(t, t->n);
	if (t->agg_cap != t->untimed) {
		RESIZE(t->agg, t->untimed);
		t->agg_cap = t->untimed;
	}
}

void track_free(struct track *t)
{
	free_columns(t);
	free(t->lane);
	free(t->lane_base);
	free(t->agg);
	if (t->lod)
		lod_free(t->lod);
	memset(t, 0, sizeof *t);
}

int counter_add(struct counter *c, int64_t t, double v)
{
	if (c->n == c->cap) {
		size_t cap = c->cap ? c->cap * 2 : 16;

		if (!RESIZE(c->t, cap) || !RESIZE(c->v, cap))
			return -1;
		c->cap = cap;
	}
	if (!c->n || v < c->min)
		c->min = v;
	if (!c->n || v > c->max)
		c->max = v;
	c->t[c->n] = t;
	c->v[c->n++] = v;
	return 0;
}

void trace_free(struct trace *t)
{
	for (size_t i = 0; i < t->ntracks; i++)
		track_free(&t->tracks[i]);
	for (size_t i = 0; i < t->ncounters; i++) {
		free(t->counters[i].t);
		free(t->counters[i].v);
	}
	free(t->planes);
	free(t->tracks);
	free(t->metas);
	free(t->meta_class);
	free(t->counters);
	free(t->edges);
	free(t->edge_by_dst);
	free(t->track_of_plane);
	free(t->track_next);
	memset(t, 0, sizeof *t);
}

void trace_link(struct trace *t)
{
	free(t->track_of_plane);
	free(t->track_next);
	t->track_of_plane = xcalloc(t->nplanes + 1, sizeof *t->track_of_plane);
	t->track_next = xcalloc(t->ntracks + 1, sizeof *t->track_next);
	t->nlinked_planes = t->nplanes;
	t->nlinked_tracks = t->ntracks;
	memset(t->track_of_plane, 0xff, t->nplanes * sizeof *t->track_of_plane);
	for (size_t i = t->ntracks; i-- > 0;) {
		uint32_t plane = t->tracks[i].plane;

		if (plane >= t->nplanes)
			continue;
		t->track_next[i] = t->track_of_plane[plane];
		t->track_of_plane[plane] = (uint32_t)i;
	}
}

uint32_t trace_track_of(const struct trace *t, uint32_t plane, uint32_t after)
{
	size_t i = after == UINT32_MAX ? 0 : (size_t)after + 1;

	if (plane < t->nlinked_planes && (after == UINT32_MAX || after < t->nlinked_tracks)) {
		uint32_t next = after == UINT32_MAX ? t->track_of_plane[plane] : t->track_next[after];

		if (next != UINT32_MAX)
			return next;
		i = t->nlinked_tracks;
	}
	while (i < t->ntracks && t->tracks[i].plane != plane)
		i++;
	return (uint32_t)i;
}

void trace_span(struct trace *t)
{
	bool any = false;

	t->events = 0;
	t->first = 0;
	t->last = -1;
	for (size_t i = 0; i < t->ntracks; i++) {
		const struct track *k = &t->tracks[i];

		if (k->file >= 0)
			t->events += k->n + k->untimed;
		if (!k->n)
			continue;
		if (!any || k->first < t->first)
			t->first = k->first;
		if (!any || k->last > t->last)
			t->last = k->last;
		any = true;
	}
}

size_t track_lower(const struct track *t, int64_t when)
{
	size_t lo;

	BISECT(lo, t->n, track_start(t, lo) < when);
	return lo;
}

static bool encloses(const struct track *t, size_t parent, size_t i)
{
	return t->depth[parent] + 1 == t->depth[i] && (!t->lane || t->lane[parent] == t->lane[i]) &&
	    track_start(t, parent) <= track_start(t, i) && track_end(t, parent) >= track_start(t, i);
}

size_t track_parent(const struct track *t, size_t i)
{
	if (!t->depth[i])
		return t->n;
	if (t->lod) {
		uint32_t open = lod_open(t, track_row(t, i) - 1, track_start(t, i));

		if (open && open - 1 < i && encloses(t, open - 1, i))
			return open - 1;
	}
	for (size_t j = i; j-- > 0;)
		if (encloses(t, j, i))
			return j;
	return t->n;
}

int64_t track_self(const struct track *t, size_t i)
{
	int64_t end = track_end(t, i), self = track_dur(t, i);

	for (size_t j = i + 1; j < t->n && track_start(t, j) < end; j++)
		if (t->depth[j] == t->depth[i] + 1 && (!t->lane || t->lane[j] == t->lane[i]))
			self -= track_dur(t, j);
	return self < 0 ? 0 : self;
}

/* Reads the number at *s and moves past it; -1 when there is none. */
static int cut_number(struct slice *t)
{
	int n = -1;

	while (slice_cut(t, " "))
		;
	for (; t->n && is_digit(*t->s) && n < 100000000; t->s++, t->n--)
		n = (n < 0 ? 0 : n) * 10 + (*t->s - '0');
	return n;
}

/* Parses what follows "/device:TPU:": N, "N SparseCore M", or "N SparseCore WORD M". */
static enum plane_kind tpu_plane(struct slice t, int *core, int *sub)
{
	size_t word;

	*core = cut_number(&t);
	if (!t.n)
		return PLANE_TPU;
	if (!slice_cut(&t, " SparseCore"))
		return PLANE_OTHER;
	for (word = t.n; word && is_digit(t.s[word - 1]); word--)
		;
	*sub = cut_number(&(struct slice){ t.s + word, t.n - word });
	return PLANE_SPARSECORE;
}

enum plane_kind plane_kind_of(const char *name, size_t len, int *core, int *sub)
{
	static const struct {
		const char *prefix;
		enum plane_kind kind;
		bool numbered, whole;
	} table[] = {
		{ "/device:GPU:", PLANE_GPU, true, false },
		{ "GPU ", PLANE_GPU, true, false }, /* of PyTorch */
		{ "/virtualdevice:", PLANE_GPU, false, false },
		{ "/device:CUSTOM:", PLANE_CUSTOM, false, false },
		{ "/custom:", PLANE_CUSTOM, false, false },
		{ "#Chip", PLANE_CHIP, true, false },
		{ "/host:metadata", PLANE_META, false, true },
		{ "Task Environment", PLANE_META, false, true },
		{ "/host:", PLANE_HOST, false, false },
		{ "Host CPUs", PLANE_HOST, false, true },
		{ "Syscalls", PLANE_HOST, false, true },
	};
	struct slice t = { name, len };

	*core = *sub = -1;
	if (slice_cut(&t, "/device:TPU:"))
		return tpu_plane(t, core, sub);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (!slice_cut(&t, table[i].prefix) || (table[i].whole && t.n))
			continue;
		if (table[i].numbered)
			*core = cut_number(&t);
		return table[i].kind;
	}
	return PLANE_OTHER;
}

bool trace_has_plane(const struct trace *t, enum plane_kind kind)
{
	for (size_t i = 0; i < t->nplanes; i++)
		if (t->planes[i].kind == kind)
			return true;
	return false;
}

struct slice plane_label(struct slice name)
{
	static const char *const prefixes[] = { "/device:CUSTOM:", "/device:", "/custom:", "#" };
	struct slice label = name;

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (slice_cut(&label, prefixes[i]))
			break;
	return label.n ? label : name;
}

enum track_role track_role_of(const char *name, size_t len)
{
	static const struct {
		const char *name;
		enum track_role role;
	} table[] = {
		{ "Steps", TRACK_STEPS },
		{ "XLA Modules", TRACK_MODULES },
		{ "XLA Ops", TRACK_OPS },
		{ "Async XLA Ops", TRACK_ASYNC },
		{ "XLA TraceMe", TRACK_TRACEME },
		{ "Framework Name Scope", TRACK_SCOPE },
		{ "TensorFlow Name Scope", TRACK_SCOPE },
		{ "Framework Ops", TRACK_FRAMEWORK },
		{ "TensorFlow Ops", TRACK_FRAMEWORK },
		{ "Source code", TRACK_SOURCE },
		{ "_counters_", TRACK_COUNTERS },
		{ "Host Offload Ops", TRACK_OFFLOAD },
		{ "Overlay", TRACK_OVERLAY },
		{ "Sparse Core Steps", TRACK_STEPS },
		{ "Sparse Core Modules", TRACK_MODULES },
		{ "Sparse Core Ops", TRACK_OPS },
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (slice_is((struct slice){ name, len }, table[i].name))
			return table[i].role;
	return TRACK_OTHER;
}
