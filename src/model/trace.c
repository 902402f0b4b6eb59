#include "config.h"

#include "model/trace.h"

#include <math.h>
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

/* Columns are that wide at first: the starts of a step are up to a second apart, their places up to 64 KiB. */
enum { START_WIDTH = 5, DUR_WIDTH = 4, META_WIDTH = 2, ARGS_WIDTH = 2 };

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
#define ALLOW(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
#define GAP 0
#define FORBID(p, n) ((void)(p), (void)(n))
#define ALLOW(p, n) ((void)(p), (void)(n))
#endif

/* The columns of a track and its depths, in the order in which they lie in one block, in memory or in a file
 * (spill.h), behind the bases of those that have some. */
enum column { START, ARGS, DUR, META, DEPTH, COLUMNS, STEPPED = ARGS + 1 };
struct columns {
	struct packed v[COLUMNS];
	uint64_t *base[STEPPED];
};

static struct columns columns_of(const struct track *t)
{
	return (struct columns){
		.v = { t->start.more, t->args.more, t->dur, t->meta, packed_at(t->depth, sizeof *t->depth) },
		.base = { t->start.base, t->args.base },
	};
}

/* Bytes of a block with room for n events. */
static size_t block_bytes(const struct columns *c, size_t n)
{
	size_t bytes = 0;

	for (int k = 0; k < STEPPED; k++)
		bytes += stepped_bases(n) * sizeof *c->base[k] + GAP;
	for (int k = 0; k < COLUMNS; k++)
		bytes += c->v[k].width * n + PACKED_SLACK + GAP;
	return bytes;
}

static size_t block_of(const struct track *t)
{
	const struct columns c = columns_of(t);

	return t->start.base ? block_bytes(&c, t->cap) : 0;
}

static void free_columns(struct track *t)
{
	spill_drop(t->start.base, block_of(t), t->spill);
}

static void copy_column(const struct packed *to, const struct packed *from, size_t n)
{
	if (to->width == from->width && n)
		memcpy(to->p, from->p, n * to->width);
	else
		for (size_t i = 0; i < n; i++)
			packed_append(to, i, packed_get(from, i));
}

/* Puts the columns in their places in a block with room for cap events. */
static void lay_out(struct columns *c, uint8_t *p, size_t cap)
{
	for (int k = 0; k < STEPPED; k++) {
		c->base[k] = (uint64_t *)(void *)p;
		p += stepped_bases(cap) * sizeof *c->base[k] + GAP;
	}
	for (int k = 0; k < COLUMNS; k++) {
		c->v[k].p = p;
		p += c->v[k].width * cap + PACKED_SLACK + GAP;
	}
}

/* Fills a new block with the n numbers of the old one, which has room for `had`, and the base of a step that begins
 * behind them. */
static void fill_block(const struct columns *to, const struct columns *from, size_t cap, size_t n, size_t had)
{
	const size_t bases = n < cap && n < had ? n + 1 : n;

	for (int k = 0; k < STEPPED; k++)
		if (from->base[k])
			memcpy(to->base[k], from->base[k], stepped_bases(bases) * sizeof *to->base[k]);
	for (int k = 0; k < COLUMNS; k++)
		copy_column(&to->v[k], &from->v[k], n);
}

static void put_columns(struct track *t, const struct columns *c, size_t cap, struct spill *spill)
{
	t->start = (struct stepped){ c->v[START], c->base[START] };
	t->args = (struct stepped){ c->v[ARGS], c->base[ARGS] };
	t->dur = c->v[DUR];
	t->meta = c->v[META];
	t->depth = c->v[DEPTH].p;
	t->spill = spill;
	t->cap = cap;
}

/* Forbids the gaps between the columns to the sanitizer; unmapping memory of a file would not lift that again. */
static void forbid_gaps(const struct columns *c, size_t cap)
{
	for (int k = 0; GAP && k < STEPPED; k++)
		FORBID(c->base[k] + stepped_bases(cap), GAP);
	for (int k = 0; GAP && k < COLUMNS; k++)
		FORBID(c->v[k].p + c->v[k].width * cap + PACKED_SLACK, GAP);
}

/* Copies the columns into a new block of these widths with room for cap events; `freed` bytes in memory are about to
 * be free.  false: no memory. */
static bool copy_columns(struct track *t, struct columns *to, size_t cap, size_t freed)
{
	const struct columns from = columns_of(t);
	const size_t bytes = block_bytes(to, cap);
	struct spill *spill;
	uint8_t *p;

	p = spill_make(bytes, bytes > freed ? bytes - freed : 0, &spill);
	if (!p)
		return false;
	lay_out(to, p, cap);
	fill_block(to, &from, cap, t->n, t->cap);
	if (!spill)
		forbid_gaps(to, cap);
	put_columns(t, to, cap, spill);
	return true;
}

static bool move_columns(struct track *t, struct columns *to, size_t cap)
{
	struct track old = *t;

	if (!copy_columns(t, to, cap, t->spill ? 0 : block_of(t)))
		return false;
	free_columns(&old);
	return true;
}

bool track_unshare(struct track *t)
{
	struct columns c = columns_of(t);
	struct aggregate *agg = xcalloc(t->untimed + 1, sizeof *agg);

	if (!copy_columns(t, &c, t->n, 0)) {
		free(agg);
		return false;
	}
	if (t->untimed)
		memcpy(agg, t->agg, t->untimed * sizeof *agg);
	t->agg = agg;
	t->agg_cap = t->untimed + 1;
	t->lane = NULL;
	t->lane_base = NULL;
	t->lod = NULL;
	return true;
}

void track_settle(struct track *t)
{
	struct columns c = columns_of(t);
	const size_t bytes = block_of(t);
	struct spill *spill;

	if (t->spill || !t->cap)
		return;
	ALLOW(t->start.base, bytes);
	spill = spill_settle(t->start.base, bytes, 0);
	if (!spill) {
		forbid_gaps(&c, t->cap);
		return;
	}
	lay_out(&c, spill_bytes(spill), t->cap);
	put_columns(t, &c, t->cap, spill);
}

static bool resize_columns(struct track *t, size_t cap, uint32_t meta, uint64_t away)
{
	struct columns to = columns_of(t);

	if (!t->cap) {
		to.v[START] = packed_at(NULL, START_WIDTH);
		to.v[ARGS] = packed_at(NULL, ARGS_WIDTH);
		to.v[DUR] = packed_at(NULL, DUR_WIDTH);
		to.v[META] = packed_at(NULL, META_WIDTH);
	}
	if (meta > to.v[META].most)
		to.v[META] = packed_at(NULL, packed_width(meta));
	if (away > to.v[ARGS].most)
		to.v[ARGS] = packed_at(NULL, packed_width(away));
	return move_columns(t, &to, cap);
}

bool track_grow(struct track *t, size_t want)
{
	size_t cap = t->cap > SIZE_MAX / 2 ? SIZE_MAX : t->cap * 2;

	return want <= t->cap || track_reserve(t, cap < want ? want : cap);
}

bool track_reserve_for(struct track *t, size_t cap, uint32_t meta, uint64_t away)
{
	return cap <= t->cap || (cap <= SIZE_MAX / 64 && resize_columns(t, cap, meta, away));
}

bool track_reserve(struct track *t, size_t cap)
{
	return track_reserve_for(t, cap, 0, 0);
}

/* Are all starts in range when `by` is added, as far as their bases tell? */
static bool can_shift(const struct track *t, int64_t by)
{
	for (size_t k = 0; k < stepped_bases(t->n); k++) {
		int64_t first = (int64_t)(t->start.base[k] + (uint64_t)INT64_MIN), last;

		if (t->start.more.most > INT64_MAX ||
		    __builtin_add_overflow(first, (int64_t)t->start.more.most, &last) ||
		    __builtin_add_overflow(first, by, &first) || __builtin_add_overflow(last, by, &last))
			return false;
	}
	return true;
}

void track_shift(struct track *t, int64_t by)
{
	if (can_shift(t, by)) {
		for (size_t k = 0; k < stepped_bases(t->n); k++)
			t->start.base[k] += (uint64_t)by;
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

/* Makes a column wide enough for v. */
static bool widen(struct track *t, enum column k, uint64_t v)
{
	struct columns to = columns_of(t);

	if (v <= to.v[k].most)
		return true;
	to.v[k] = packed_at(NULL, packed_width(v));
	return move_columns(t, &to, t->cap);
}

/* Makes the step of number i of n such that v can be one of it. */
static bool widen_step(struct track *t, enum column k, size_t i, size_t n, uint64_t v)
{
	const struct stepped *c = k == START ? &t->start : &t->args; /* which moving the columns changes */

	if (v >= c->base[i / STEPPED_SPAN])
		return widen(t, k, v - c->base[i / STEPPED_SPAN]);
	if (!widen(t, k, stepped_largest(c, i, n) - v))
		return false;
	stepped_lower(c, i, n, v);
	return true;
}

bool track_widen(struct track *t, int64_t start, int64_t dur, uint32_t meta, uint64_t at)
{
	const size_t n = t->n;

	return widen_step(t, START, n, n, track_since(start)) && widen_step(t, ARGS, n, n, at) &&
	    widen(t, DUR, (uint64_t)dur) && widen(t, META, meta);
}

/* For a number that takes the place of another one, whose owner cannot do without it. */
static void must_widen(struct track *t, enum column k, size_t i, size_t n, uint64_t v)
{
	for (bool spent = false;; spent = true) {
		if (k < STEPPED ? widen_step(t, k, i, n, v) : widen(t, k, v))
			return;
		if (spent || !memcap_spend())
			mem_exhausted(block_of(t));
	}
}

void track_set_time(struct track *t, size_t i, int64_t start, int64_t dur)
{
	must_widen(t, START, i, t->n, track_since(start));
	must_widen(t, DUR, i, t->n, (uint64_t)dur);
	stepped_put(&t->start, i, track_since(start));
	packed_put(&t->dur, i, (uint64_t)dur);
}

void track_set_meta(struct track *t, size_t i, uint32_t meta)
{
	must_widen(t, META, i, t->n, meta);
	packed_put(&t->meta, i, meta);
}

void track_set_args(struct track *t, size_t i, uint64_t at)
{
	must_widen(t, ARGS, i, t->n, at);
	stepped_put(&t->args, i, at);
}

static void reorder(const struct packed *c, const uint32_t *order, size_t n, uint64_t *room)
{
	for (size_t i = 0; i < n; i++)
		room[i] = packed_get(c, order[i]);
	for (size_t i = 0; i < n; i++)
		packed_append(c, i, room[i]);
}

static void reorder_steps(struct track *t, enum column k, const uint32_t *order, uint64_t *room)
{
	const struct stepped *c = k == START ? &t->start : &t->args;

	for (size_t i = 0; i < t->n; i++)
		room[i] = stepped_get(c, order[i]);
	for (size_t i = 0; i < t->n; i++) {
		stepped_begin(c, i, room[i]);
		if (!stepped_fits(c, i, room[i]))
			must_widen(t, k, i, i, room[i]);
		stepped_append(c, i, room[i]);
	}
}

void track_reorder(struct track *t, const uint32_t *order, uint64_t *room)
{
	reorder_steps(t, START, order, room);
	reorder(&t->dur, order, t->n, room);
	reorder(&t->meta, order, t->n, room);
	reorder_steps(t, ARGS, order, room);
}

/* A little more than is needed costs less than a copy: pages that nobody touched take no memory. */
void track_trim(struct track *t)
{
	if (t->n < t->cap / 4 * 3)
		resize_columns(t, t->n, 0, 0);
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
	if (!c->n || v < c->min || isnan(c->min))
		c->min = v;
	if (!c->n || v > c->max || isnan(c->max))
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
