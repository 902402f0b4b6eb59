#include "config.h"

#include "load/build/builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/hash.h"
#include "base/pool.h"
#include "load/build/json_scan.h"
#include "load/source/file_name.h"

#define MANY_EVENTS 65536
#define KNOWN_SHARE 0.02 /* of an input, which tells about the rest */
#define FIRST_EVENTS 32
#define FIRST_NAMES 1024u
#define SURPLUS INT64_MIN /* pid and tid of everything beyond the limits */

void build_init(struct build *b, struct load_ctx *ctx, int file)
{
	memset(b, 0, sizeof *b);
	b->dump = ctx->dump;
	b->ctx = ctx;
	b->file = file;
	b->last_track = UINT32_MAX;
	b->meta0 = (uint32_t)ctx->dump->trace.nmetas;
}

void build_free(struct build *b)
{
	for (size_t i = 0; i < b->nprocs; i++) {
		idmap_free(&b->procs[i].threads);
		idmap_free(&b->procs[i].lanes);
	}
	for (size_t i = 0; i < b->ntracks; i++) {
		track_free(&b->tracks[i].t);
		free(b->tracks[i].marks);
	}
	for (size_t i = 0; i < b->ncounters; i++) {
		free(b->counters[i].t);
		free(b->counters[i].v);
	}
	idmap_free(&b->proc_of);
	idmap_free(&b->counter_of);
	arena_free(&b->arena);
	free(b->procs);
	free(b->tracks);
	free(b->names);
	free(b->looked);
	free(b->counters);
	free(b->flows);
}

uint32_t build_proc(struct build *b, int64_t pid)
{
	uint32_t i = idmap_get(&b->proc_of, pid);

	if (i != IDMAP_NONE)
		return i;
	if (b->nprocs >= BUILD_PROCS_MAX && pid != SURPLUS)
		return build_proc(b, SURPLUS);
	VEC_PUSH(b->procs, b->nprocs, b->procs_cap);
	b->procs[b->nprocs] = (struct build_proc){ .pid = pid, .sort = BUILD_NO_SORT };
	if (pid == SURPLUS)
		b->procs[b->nprocs].name = strtab_addz(&b->dump->str, "further processes");
	idmap_put(&b->proc_of, pid, (uint32_t)b->nprocs);
	return (uint32_t)b->nprocs++;
}

static uint32_t add_track(struct build *b, uint32_t proc, enum build_kind kind, int64_t id, strid name)
{
	VEC_PUSH(b->tracks, b->ntracks, b->tracks_cap);
	b->tracks[b->ntracks] = (struct build_track){
		.t = { .file = b->file, .id = id, .name = name, .last = -1 },
		.proc = proc,
		.kind = kind,
		.sort = BUILD_NO_SORT,
	};
	return (uint32_t)b->ntracks++;
}

uint32_t build_thread_slow(struct build *b, int64_t pid, int64_t tid)
{
	uint32_t proc = build_proc(b, pid), i = idmap_get(&b->procs[proc].threads, tid);

	if (i == IDMAP_NONE) {
		if (b->ntracks >= BUILD_TRACKS_MAX && tid != SURPLUS) {
			b->surplus++;
			return build_thread_slow(b, SURPLUS, SURPLUS);
		}
		i = add_track(b, proc, BUILD_THREAD, tid, 0);
		if (tid == SURPLUS)
			b->tracks[i].t.name = strtab_addz(&b->dump->str, "further threads");
		idmap_put(&b->procs[proc].threads, tid, i);
	}
	b->last_pid = pid;
	b->last_tid = tid;
	b->last_track = i;
	return i;
}

uint32_t build_lane(struct build *b, uint32_t proc, enum build_kind kind, uint64_t key, strid name)
{
	int64_t k = (int64_t)hash_mix(key, (uint64_t)kind);
	uint32_t i = idmap_get(&b->procs[proc].lanes, k);

	if (i != IDMAP_NONE)
		return i;
	if (b->ntracks >= BUILD_TRACKS_MAX) {
		b->surplus++;
		return build_thread_slow(b, SURPLUS, SURPLUS);
	}
	i = add_track(b, proc, kind, 0, name);
	idmap_put(&b->procs[proc].lanes, k, i);
	return i;
}

uint64_t build_hash(uint64_t seed, const char *s, size_t n)
{
	return hash_mix(hash_mix(seed, n), (uint64_t)strtab_hash(s, n) << 32 | strtab_hash(s, n / 2));
}

static struct build_name *name_slot(const struct build *b, const struct build_name *key)
{
	uint32_t mask = b->name_slots - 1, i = (key->hash ^ key->category * 0x9e3779b1u) & mask;

	for (;; i = (i + 1) & mask) {
		struct build_name *e = &b->names[i];

		if (!e->s ||
		    (e->hash == key->hash && e->len == key->len && e->category == key->category &&
			e->escaped == key->escaped && !memcmp(e->s, key->s, key->len)))
			return e;
	}
}

static void grow_names(struct build *b)
{
	struct build_name *old = b->names;
	uint32_t n = b->name_slots;

	b->name_slots = n ? n * 2 : FIRST_NAMES;
	b->names = xcalloc(b->name_slots, sizeof *b->names);
	for (uint32_t i = 0; i < n; i++)
		if (old[i].s)
			*name_slot(b, &old[i]) = old[i];
	free(old);
}

static uint32_t new_name(struct build *b, const struct build_name *key)
{
	struct build_name fresh = *key;
	uint32_t meta;

	if (key->escaped) {
		char *plain = xmalloc((size_t)key->len + 1);
		size_t n = scan_unescape(plain, key->s, key->len);

		meta = build_meta(b, plain, n, key->category, false);
		free(plain);
	} else {
		struct evmeta m = { .name = strtab_add(&b->dump->str, key->s, key->len),
			.category = key->category,
			.plane = UINT32_MAX,
			.file = b->file };

		meta = trace_add_meta(&b->dump->trace, &m);
	}
	if (b->nnames >= b->name_slots / 2)
		grow_names(b);
	fresh.s = arena_strndup(&b->arena, key->s, key->len);
	fresh.meta = meta;
	*name_slot(b, key) = fresh;
	b->nnames++;
	return meta;
}

uint32_t build_meta(struct build *b, const char *name, size_t n, strid category, bool escaped)
{
	struct build_name key = { .s = name,
		.len = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX - 1,
		.category = category };
	const struct build_name *e;

	key.hash = strtab_hash(name, key.len);
	key.escaped = escaped && memchr(name, '\\', key.len);
	if (!b->name_slots)
		grow_names(b);
	e = name_slot(b, &key);
	return e->s ? e->meta : new_name(b, &key);
}

void build_look(struct build *b, uint32_t meta)
{
	size_t i = meta - b->meta0;

	if (i >= b->nlooked) {
		size_t n = i < 1024 ? 2048 : i * 2;

		b->looked = xrealloc(b->looked, n, 1);
		memset(b->looked + b->nlooked, 0, n - b->nlooked);
		b->nlooked = n;
	}
	b->looked[i]++;
}

void build_arg_name(struct build *b, const char *key, size_t n)
{
	strtab_add(&b->dump->str, key, n);
}

void build_arg(struct build *b, uint32_t meta, const char *key, size_t nkey, const char *value, size_t nvalue)
{
	struct evmeta *m = &b->dump->trace.metas[meta];
	struct slice name = { key, nkey };

	if (!nvalue || nvalue >= UINT32_MAX)
		return;
	if (slice_is(name, "hlo_category")) {
		m->category = strtab_add(&b->dump->str, value, nvalue);
		b->looked[meta - b->meta0] = BUILD_LOOKS;
	} else if (slice_is(name, "long_name")) {
		strid id = strtab_add(&b->dump->str, value, nvalue);

		b->looked[meta - b->meta0] = BUILD_LOOKS;
		if (id == m->name)
			return;
		m->full = strtab_str(&b->dump->str, id);
		m->full_len = (uint32_t)nvalue;
	}
}

/* Makes room for what a full track will need: as many events in the rest of the input as in what was read of it, and
 * a fifth more, because what is not used is never touched, and moving costs as much as reading.  So columns of millions
 * of events move once and not at every doubling. */
static bool make_room(const struct build *b, struct track *t)
{
	double share = b->total ? (double)b->done / (double)b->total : 0, rest;

	if (share < KNOWN_SHARE || t->n < MANY_EVENTS)
		return track_grow(t, t->n ? t->n + 1 : FIRST_EVENTS);
	rest = (double)t->n * (1 - fmin(share, 1)) / share;
	return track_reserve(t, t->n + (size_t)fmax(1.2 * rest, (double)t->n / 4));
}

bool build_room(struct build *b, struct track *t)
{
	if (t->n < t->cap || make_room(b, t))
		return true;
	b->refused++;
	return false;
}

void build_untimed(struct build *b, uint32_t track, uint32_t meta, int64_t dur, uint64_t at)
{
	struct track *t = &b->tracks[track].t;

	VEC_ADD(t->agg, t->untimed, t->agg_cap,
	    (struct aggregate){ .meta = meta, .count = 1, .dur = dur, .at = at });
}

uint32_t build_counter(struct build *b, uint32_t track, uint64_t key, strid name, strid unit)
{
	int64_t k = (int64_t)hash_mix(key, track);
	uint32_t i = idmap_get(&b->counter_of, k);

	if (i != IDMAP_NONE)
		return i;
	VEC_PUSH(b->counters, b->ncounters, b->counters_cap);
	b->counters[b->ncounters] = (struct counter){ .name = name,
		.unit = unit,
		.plane = b->tracks[track].proc,
		.track = (int)track };
	idmap_put(&b->counter_of, k, (uint32_t)b->ncounters);
	return (uint32_t)b->ncounters++;
}

void build_sample(struct build *b, uint32_t counter, int64_t ts, double v)
{
	if (counter_add(&b->counters[counter], ts, v))
		b->refused++;
}

void build_flow(struct build *b, const struct build_flow *f)
{
	VEC_ADD(b->flows, b->nflows, b->flows_cap, *f);
}

static int by_sort_index(const void *x, const void *y, void *ctx)
{
	const struct build *b = ctx;
	uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	const struct build_track *p = &b->tracks[i], *q = &b->tracks[j];
	int64_t ps = b->procs[p->proc].sort, qs = b->procs[q->proc].sort;

	if (ps != qs)
		return ps < qs ? -1 : 1;
	if (p->proc != q->proc)
		return p->proc < q->proc ? -1 : 1;
	if (p->kind != q->kind)
		return p->kind < q->kind ? -1 : 1;
	if (p->sort != q->sort)
		return p->sort < q->sort ? -1 : 1;
	return i < j ? -1 : i > j;
}

static int procs_by_sort_index(const void *x, const void *y, void *ctx)
{
	const struct build *b = ctx;
	uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	int64_t p = b->procs[i].sort, q = b->procs[j].sort;

	if (p != q)
		return p < q ? -1 : 1;
	return i < j ? -1 : i > j;
}

static uint32_t *ranked(struct build *b, size_t n, int (*cmp)(const void *, const void *, void *))
{
	uint32_t *order = xrealloc(NULL, n, sizeof *order);

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, n, sizeof *order, cmp, b);
	return order;
}

/* XProf writes "HOST /device:TPU:0" when there may be several hosts.  Returns where the plane's own name
 * starts; 0 when there is no host before it. */
static size_t host_prefix(const char *s, size_t n)
{
	static const char *const mark[] = {
		" /device:",
		" /host:",
		" /virtualdevice:",
		" /custom:",
		" #Chip",
	};
	const char *hit;

	for (size_t i = 0; i < sizeof mark / sizeof *mark; i++)
		if ((hit = memmem(s, n, mark[i], strlen(mark[i]))) != NULL && hit > s)
			return (size_t)(hit - s) + 1;
	return 0;
}

static int host_of_file(struct build *b)
{
	struct file *f = &b->dump->files[b->file];
	struct slice name = file_name_host(f->base);

	if (f->host < 0)
		f->host = dump_host(b->dump, name.s, name.n);
	return f->host;
}

static void add_plane(struct build *b, struct build_proc *p)
{
	struct strtab *str = &b->dump->str;
	struct plane plane = { .file = b->file, .id = p->pid };
	char text[40];
	size_t host;

	if (!p->name || p->gpu) {
		snprintf(text, sizeof text, "%s %lld", p->gpu ? "GPU" : "process", (long long)p->pid);
		p->name = strtab_addz(str, text);
	}
	plane.name = p->name;
	host = host_prefix(strtab_str(str, p->name), strtab_len(str, p->name));
	if (host) {
		/* adding may move the table, but not its texts */
		const char *s = strtab_str(str, p->name);
		size_t n = strtab_len(str, p->name);

		plane.host = dump_host(b->dump, s, host - 1);
		plane.name = strtab_add(str, s + host, n - host);
		if (b->dump->files[b->file].host < 0)
			b->dump->files[b->file].host = plane.host;
	} else {
		plane.host = host_of_file(b);
	}
	plane.kind =
	    plane_kind_of(strtab_str(str, plane.name), strtab_len(str, plane.name), &plane.core, &plane.sub);
	if (plane.kind == PLANE_OTHER &&
	    (p->launches || (p->labels && slice_is(strtab_text(str, p->labels), "CPU"))))
		plane.kind = PLANE_HOST; /* of PyTorch: processes are all called "python3", or not at all */
	p->plane = trace_add_plane(&b->dump->trace, &plane);
}

/* A sort index or an end without a begin is not enough for a track. */
static bool is_track(const struct build_track *k)
{
	return k->t.name || k->t.n || k->t.untimed;
}

static void add_tracks(struct build *b, const uint32_t *order)
{
	struct strtab *str = &b->dump->str;

	for (size_t i = 0; i < b->ntracks; i++) {
		struct build_track *k = &b->tracks[order[i]];
		struct track *t = &k->t;
		char text[40];

		k->index = UINT32_MAX;
		if (!is_track(k))
			continue;
		t->plane = b->procs[k->proc].plane;
		if (k->kind == BUILD_THREAD && (!t->name || b->procs[k->proc].gpu)) {
			snprintf(text, sizeof text, "%s %lld", b->procs[k->proc].gpu ? "stream" : "tid",
			    (long long)t->id);
			t->name = strtab_addz(str, text);
		}
		if (k->kind == BUILD_COUNTER)
			t->role = TRACK_COUNTERS;
		else if (k->kind == BUILD_THREAD)
			t->role = track_role_of(strtab_str(str, t->name), strtab_len(str, t->name));
		else if (b->dump->trace.planes[t->plane].kind <= PLANE_CHIP)
			t->role = TRACK_ASYNC;
		k->index = trace_add_track(&b->dump->trace, t);
		memset(t, 0, sizeof *t);
	}
}

struct sample {
	int64_t t;
	double v;
	size_t seq;
};

VEC_ORDER(by_time, struct sample, UP(t) UP(seq));

static void sort_counter(struct counter *c)
{
	struct sample *s;
	size_t i;

	for (i = 1; i < c->n && c->t[i - 1] <= c->t[i]; i++)
		;
	if (i >= c->n)
		return;
	s = xrealloc(NULL, c->n, sizeof *s);
	for (i = 0; i < c->n; i++)
		s[i] = (struct sample){ c->t[i], c->v[i], i };
	qsort(s, c->n, sizeof *s, by_time);
	for (i = 0; i < c->n; i++) {
		c->t[i] = s[i].t;
		c->v[i] = s[i].v;
	}
	free(s);
}

static void add_counters(struct build *b)
{
	for (size_t i = 0; i < b->ncounters; i++) {
		struct counter *c = &b->counters[i];

		for (size_t k = 0; k < c->n; k++)
			c->t[k] = sub_clamped(c->t[k], b->shift);
		sort_counter(c);
		c->plane = b->procs[c->plane].plane;
		c->track = (int)b->tracks[c->track].index;
		trace_add_counter(&b->dump->trace, c);
	}
	b->ncounters = 0;
}

static void nest(void *ctx, size_t i)
{
	struct build *b = ctx;
	struct track *t;

	if (b->tracks[i].index == UINT32_MAX)
		return;
	t = &b->dump->trace.tracks[b->tracks[i].index];
	track_shift(t, b->shift == INT64_MIN ? INT64_MAX : -b->shift);
	track_trim(t);
	atomic_fetch_add(&b->repaired, track_nest(t));
}

static void report_problems(struct build *b)
{
	struct problems *p = b->dump->problems;
	uint64_t repaired = b->repaired;

	if (repaired)
		problem_add(p, PROBLEM_WARN, b->file, ERR_NOWHERE, repaired,
		    "events with a negative duration or a time out of range, clipped");
	if (b->surplus)
		problem_add(p, PROBLEM_WARN, b->file, ERR_NOWHERE, b->surplus,
		    "threads beyond the first %u share one track", BUILD_TRACKS_MAX);
	if (b->refused)
		problem_add(p, PROBLEM_DAMAGE, b->file, ERR_NOWHERE, b->refused,
		    "events left out: not enough memory");
	if (b->unbound)
		problem_add(p, PROBLEM_NOTE, b->file, ERR_NOWHERE, b->unbound,
		    "ends of flows that lead to no event");
	if (b->unstarted)
		problem_add(p, PROBLEM_NOTE, b->file, ERR_NOWHERE, b->unstarted,
		    "flow ends without a start, not drawn");
}

void build_finish(struct build *b, int64_t shift)
{
	struct file *f = &b->dump->files[b->file];
	uint32_t *order = ranked(b, b->nprocs, procs_by_sort_index);

	b->shift = shift;
	for (size_t i = 0; i < b->ntracks; i++)
		if (is_track(&b->tracks[i]))
			b->procs[b->tracks[i].proc].used = true;
	for (size_t i = 0; i < b->nprocs; i++)
		if (b->procs[order[i]].used || b->procs[order[i]].name)
			add_plane(b, &b->procs[order[i]]);
	free(order);
	order = ranked(b, b->ntracks, by_sort_index);
	add_tracks(b, order);
	free(order);
	add_counters(b);
	progress_what(b->ctx->progress, "indexing");
	pool_run(b->ctx->threads, b->ntracks, nest, b);
	build_edges(b);
	build_categories(b);
	f->events = 0;
	for (size_t i = 0; i < b->ntracks; i++) {
		uint32_t k = b->tracks[i].index;

		if (k != UINT32_MAX)
			f->events += b->dump->trace.tracks[k].n + b->dump->trace.tracks[k].untimed;
	}
	trace_span(&b->dump->trace);
	report_problems(b);
}
