#include "config.h"

#include "base/hash.h"
#include "base/text/digit.h"
#include "load/chrome/chrome.h"

#include <stdlib.h>
#include <string.h>

#define SYNTHETIC \
	(-(INT64_C(1) << 40)) /* ids of things that have a name but no number count down from here */
#define RESTART_MAX \
	1000 /* records after which a time far from the others is taken for an error of that record */

strid chrome_string(struct chrome *c, struct slice value)
{
	struct slice t = scan_inside(value);
	char *plain;
	strid id;

	if (!memchr(t.s, '\\', t.n))
		return strtab_add(&c->b.dump->str, t.s, t.n);
	plain = xmalloc(t.n);
	id = strtab_add(&c->b.dump->str, plain, scan_unescape(plain, t.s, t.n));
	free(plain);
	return id;
}

/* 26, "26" and "0x1a" are the same id. */
int64_t chrome_key(struct slice id)
{
	struct slice t = scan_inside(id);
	uint64_t v = 0;
	size_t i = 0;

	if (t.n > 2 && t.s[0] == '0' && (t.s[1] | 0x20) == 'x') {
		for (i = 2; i < t.n && i < 18; i++) {
			int d = scan_hex(t.s[i]);

			if (d < 0)
				break;
			v = v << 4 | (uint64_t)d;
		}
	} else {
		for (; i < t.n && i < 20 && is_digit(t.s[i]); i++)
			v = v * 10 + (uint64_t)(t.s[i] - '0');
	}
	return (int64_t)(i && i == t.n ? v : build_hash(1, t.s, t.n));
}

static strid chrome_category(struct chrome *c, const struct chrome_record *r)
{
	if (!(r->has & HAS_CAT)) {
		c->torch = TORCH_NOTHING;
		c->cat_n = 0;
		return 0;
	}
	if (slice_same(r->cat, (struct slice){ c->cat_text, c->cat_n }))
		return c->cat;
	c->torch = chrome_torch_kind(scan_inside(r->cat));
	c->cat_n = 0;
	if (r->cat.n > sizeof c->cat_text)
		return chrome_string(c, r->cat);
	memcpy(c->cat_text, r->cat.s, r->cat.n);
	c->cat_n = r->cat.n;
	c->cat = chrome_string(c, r->cat);
	return c->cat;
}

static bool is_epoch(int64_t us)
{
	return us >= CHROME_EPOCH_US && us <= CHROME_EPOCH_LAST_US;
}

/* The first time decides what is subtracted from all times; times too far away are moved there. */
int64_t chrome_ps_slow(struct chrome *c, const struct scan_time *t)
{
	int64_t us;

	if (!c->based && !t->range) {
		c->based = true;
		c->base_us = is_epoch(t->us) ? t->us : 0;
		return chrome_ps(c, t);
	}
	if (!t->range && !__builtin_sub_overflow(t->us, c->base_us, &us) && us <= CHROME_SPAN_US &&
	    us >= -CHROME_SPAN_US)
		return us * 1000000 + t->ps;
	if (!t->range && !c->base_us && c->records < RESTART_MAX && is_epoch(t->us)) {
		c->restart = true;
		c->base_us = t->us;
	}
	c->out_of_range++;
	return 0;
}

/* Adding a process moves the others, so the pointer is taken after the index. */
static struct build_proc *proc_at(struct chrome *c, int64_t pid)
{
	uint32_t i = build_proc(&c->b, pid);

	return &c->b.procs[i];
}

static struct build_track *thread_at(struct chrome *c, const struct chrome_record *r)
{
	uint32_t i = build_thread(&c->b, r->pid, r->tid);

	return &c->b.tracks[i];
}

static int64_t named_id(struct chrome *c, struct slice value, strid *name)
{
	*name = chrome_string(c, value);
	if (!*name)
		*name = strtab_addz(&c->b.dump->str, "(no name)");
	return SYNTHETIC - (int64_t)*name;
}

/* Fills in pid and tid when they are missing or text. */
static void complete_ids(struct chrome *c, struct chrome_record *r)
{
	strid name;

	if (!(r->has & HAS_PID))
		r->pid = 0;
	if (!(r->has & HAS_TID))
		r->tid = 0;
	if (r->has & HAS_PID_TEXT) {
		struct build_proc *p;

		r->pid = named_id(c, r->pid_text, &name);
		p = proc_at(c, r->pid);
		if (!p->name)
			p->name = name;
	}
	if (r->has & HAS_TID_TEXT) {
		struct track *t;

		r->tid = named_id(c, r->tid_text, &name);
		t = &thread_at(c, r)->t;
		if (!t->name)
			t->name = name;
	}
}

/* Reads what XLA's traces repeat about an op in the args of each event, once per name. */
static void look(struct chrome *c, const struct chrome_record *r, uint32_t meta)
{
	struct slice key, value;
	size_t at = 0;

	build_look(&c->b, meta);
	if (r->has & HAS_SF)
		VEC_ADD(c->frames_wanted, c->nframes_wanted, c->frames_wanted_cap,
		    (struct chrome_frame){ meta, chrome_key(r->sf) });
	while ((r->has & HAS_ARGS) && scan_member(r->args, &at, &key, &value)) {
		char *plain;

		build_arg_name(&c->b, key.s, key.n);
		if (!scan_is_string(value) || (key.n != 9 && key.n != 12))
			continue;
		plain = xmalloc(value.n);
		build_arg(&c->b, meta, key.s, key.n, plain, scan_unescape(plain, value.s + 1, value.n - 2));
		free(plain);
	}
}

uint32_t chrome_meta(struct chrome *c, const struct chrome_record *r)
{
	struct slice name = r->has & HAS_NAME ? r->name : (struct slice){ "", 0 };

	return build_meta(&c->b, name.s, name.n, chrome_category(c, r), true);
}

static uint32_t meta_of(struct chrome *c, const struct chrome_record *r)
{
	uint32_t meta = chrome_meta(c, r);

	if ((r->has & (HAS_ARGS | HAS_SF)) && !build_looked(&c->b, meta))
		look(c, r, meta);
	return meta;
}

static uint64_t scoped_key(const struct chrome_record *r, uint64_t seed)
{
	struct slice key, value;
	size_t at = 0;

	if (r->has & HAS_SCOPE)
		seed = build_hash(seed, r->scope.s, r->scope.n);
	if (r->has & HAS_ID)
		return hash_mix(seed, (uint64_t)chrome_key(r->id));
	if (!(r->has & HAS_ID2) || !scan_member(r->id2, &at, &key, &value))
		return seed;
	if (slice_is(key, "local"))
		seed = hash_mix(seed, (uint64_t)r->pid);
	return hash_mix(seed, (uint64_t)chrome_key(value));
}

/* Returns the XLA context type of a flow by its name; 0 for others. */
static uint8_t flow_category(const struct chrome_record *r)
{
	static const char *const names[] = {
		"generic",
		"legacy",
		"tf_executor",
		"tfrt_executor",
		"shared_batch",
		"pjrt",
		"adaptive_shared_batch",
		"tfrt_tpu_runtime",
		"tpu_embedding_engine",
		"gpu_launch",
		"batcher",
		"tpu_stream",
		"tpu_launch",
		"pathways_executor",
		"pjrt_library_call",
		"threadpool_event",
		"jax_serving_executor",
		"sc_offload",
	};
	struct slice t = r->has & HAS_CAT ? scan_inside(r->cat) : (struct slice){ "", 0 };

	if (slice_is(t, "ac2g")) /* of PyTorch: from the CPU to the GPU */
		return 9;
	for (uint8_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_is(t, names[i]))
			return i;
	return 0;
}

static void bound_flow(struct chrome *c, const struct chrome_record *r, uint32_t track, int64_t ts)
{
	static const uint8_t role[] = { [1] = FLOW_END, [2] = FLOW_START, [3] = FLOW_STEP };
	int way = (r->has & HAS_FLOW_IN ? 1 : 0) | (r->has & HAS_FLOW_OUT ? 2 : 0);

	if (way)
		build_flow(&c->b,
		    &(struct build_flow){
			.key = hash_mix(2, (uint64_t)chrome_key(r->bind_id)),
			.ts = ts,
			.at = r->at,
			.track = track,
			.role = role[way],
			.bind = FLOW_SELF,
			.category = flow_category(r),
		    });
}

/* Handles X, and instants of all kinds as events of duration 0. */
static size_t timed(struct chrome *c, const struct chrome_record *r, uint32_t *track, int64_t dur)
{
	uint32_t meta = meta_of(c, r);
	int64_t ts;

	*track = build_thread(&c->b, r->pid, r->tid);
	c->bad_duration += (r->has & HAS_BAD_DUR) != 0;
	if (!(r->has & HAS_TS)) {
		c->no_time++;
		build_untimed(&c->b, *track, meta, dur, r->at);
		return SIZE_MAX;
	}
	ts = chrome_ps(c, &r->ts);
	if (r->has & HAS_BIND_ID)
		bound_flow(c, r, *track, ts);
	if (c->torch)
		chrome_torch(c, r, *track, ts);
	return build_event(&c->b, *track, ts, dur, meta, r->at);
}

static inline int64_t duration(const struct chrome_record *r)
{
	if (!(r->has & HAS_DUR))
		return 0;
	if (r->dur.range || r->dur.us > CHROME_SPAN_US)
		return r->dur.us < 0 ? -1 : INT64_MAX;
	return r->dur.us < -CHROME_SPAN_US ? -1 : r->dur.us * 1000000 + r->dur.ps;
}

static void mark(struct chrome *c, const struct chrome_record *r, uint32_t track, size_t event)
{
	struct build_track *t = &c->b.tracks[track];

	VEC_PUSH(t->marks, t->nmarks, t->marks_cap);
	t->marks[t->nmarks] = (struct build_mark){
		.ts = chrome_ps(c, &r->ts),
		.seq = (uint32_t)t->nmarks,
		.event = event > UINT32_MAX ? UINT32_MAX : (uint32_t)event,
		.name = r->has & HAS_NAME && r->name.n ? strtab_hash(r->name.s, r->name.n) | 1 : 0,
	};
	t->nmarks++;
}

static void begin(struct chrome *c, const struct chrome_record *r)
{
	uint32_t track;
	size_t i = timed(c, r, &track, 0);

	if (i != SIZE_MAX)
		mark(c, r, track, i);
}

static void end(struct chrome *c, const struct chrome_record *r)
{
	if (r->has & HAS_TS)
		mark(c, r, build_thread(&c->b, r->pid, r->tid), UINT32_MAX);
	else
		c->no_time++;
}

/* The old phases S T p F distinguish events of one id by name. */
static void async(struct chrome *c, const struct chrome_record *r, enum chrome_half half, bool old)
{
	struct chrome_async a = { .at = r->at, .half = (uint8_t)half, .named = r->has & HAS_NAME };
	uint64_t seed = hash_mix(old ? 3 : 4, chrome_category(c, r));

	if (!(r->has & HAS_TS)) {
		c->no_time++;
		return;
	}
	if (old && a.named)
		seed = build_hash(seed, r->name.s, r->name.n);
	a.key = scoped_key(r, seed);
	a.ts = chrome_ps(c, &r->ts);
	a.meta = meta_of(c, r);
	a.proc = build_proc(&c->b, r->pid);
	a.seq = (uint32_t)c->nasync;
	VEC_ADD(c->async, c->nasync, c->async_cap, a);
}

static void flow(struct chrome *c, const struct chrome_record *r, enum build_flow_role role)
{
	uint64_t seed = hash_mix(5, chrome_category(c, r));
	bool next = role == FLOW_END && !((r->has & HAS_BP) && r->bp.n == 3 && r->bp.s[1] == 'e');

	c->flow_records++;
	if (!(r->has & HAS_TS))
		return;
	if (r->has & HAS_NAME)
		seed = build_hash(seed, r->name.s, r->name.n);
	build_flow(&c->b,
	    &(struct build_flow){
		.key = scoped_key(r, seed),
		.ts = chrome_ps(c, &r->ts),
		.at = r->at,
		.track = build_thread(&c->b, r->pid, r->tid),
		.role = (uint8_t)role,
		.bind = next ? FLOW_NEXT : FLOW_AROUND,
		.category = flow_category(r),
	    });
}

static bool arg(const struct chrome_record *r, const char *name, struct slice *value)
{
	struct slice key;
	size_t at = 0;

	while ((r->has & HAS_ARGS) && scan_member(r->args, &at, &key, value))
		if (slice_is(key, name))
			return true;
	return false;
}

static void metadata(struct chrome *c, const struct chrome_record *r)
{
	static const struct {
		const char *name, *arg;
		bool thread;
		enum { CHROME_NAME, CHROME_LABELS, CHROME_SORT } what;
	} table[] = {
		{ "process_name", "name", false, CHROME_NAME },
		{ "process_labels", "labels", false, CHROME_LABELS },
		{ "process_sort_index", "sort_index", false, CHROME_SORT },
		{ "thread_name", "name", true, CHROME_NAME },
		{ "thread_sort_index", "sort_index", true, CHROME_SORT },
	};
	struct slice value;

	for (size_t i = 0; r->has & HAS_NAME && i < sizeof table / sizeof *table; i++) {
		struct build_proc *p;
		struct build_track *t;
		int64_t sort = 0;

		if (!slice_is(r->name, table[i].name))
			continue;
		if (!arg(r, table[i].arg, &value))
			return;
		t = table[i].thread ? thread_at(c, r) : NULL;
		p = proc_at(c, r->pid);
		if (table[i].what == CHROME_LABELS)
			p->labels = chrome_string(c, value);
		else if (table[i].what == CHROME_NAME)
			*(t ? &t->t.name : &p->name) = chrome_string(c, value);
		else if (scan_int(value.s, value.s + value.n + 1, &sort) != value.s)
			*(t ? &t->sort : &p->sort) = sort;
		return;
	}
}

/* Handles records without a phase: XProf's writer omits it for the middle of an asynchronous flow. */
static void phaseless(struct chrome *c, const struct chrome_record *r)
{
	uint32_t track;

	if (!(r->has & (HAS_TS | HAS_NAME))) {
		c->strange++;
		return;
	}
	c->no_phase++;
	if (!(r->has & HAS_TID) && (r->has & (HAS_ID | HAS_ID2)))
		async(c, r, ASYNC_INSTANT, false);
	else
		timed(c, r, &track, duration(r));
}

void chrome_event(struct chrome *c, struct chrome_record *r)
{
	uint32_t track;

	if ((r->has & (HAS_PID | HAS_TID | HAS_PID_TEXT | HAS_TID_TEXT)) != (HAS_PID | HAS_TID))
		complete_ids(c, r);
	if (r->ph == 'X') {
		c->records++;
		timed(c, r, &track, duration(r));
		return;
	}
	if (!(r->has & HAS_PH)) {
		if (r->has)
			phaseless(c, r);
		else
			c->empty++;
		return;
	}
	c->records++;
	switch (r->ph) {
	case 'B':
		begin(c, r);
		break;
	case 'E':
		end(c, r);
		break;
	case 'i':
	case 'I':
	case 'R':
		if (chrome_torch_memory(c, r))
			break;
		timed(c, r, &track, 0);
		break;
	case 'C':
		chrome_counter(c, r, build_proc(&c->b, r->pid));
		break;
	case 'b':
		async(c, r, ASYNC_BEGIN, false);
		break;
	case 'n':
		async(c, r, ASYNC_INSTANT, false);
		break;
	case 'e':
		async(c, r, ASYNC_END, false);
		break;
	case 'S':
		async(c, r, ASYNC_BEGIN, true);
		break;
	case 'T':
	case 'p':
		async(c, r, ASYNC_INSTANT, true);
		break;
	case 'F':
		async(c, r, ASYNC_END, true);
		break;
	case 's':
		flow(c, r, FLOW_START);
		break;
	case 't':
		flow(c, r, FLOW_STEP);
		break;
	case 'f':
		flow(c, r, FLOW_END);
		break;
	case 'M':
		metadata(c, r);
		break;
	default:
		c->ignored[(unsigned char)r->ph]++;
	}
}

void chrome_frames(struct chrome *c)
{
	const struct strtab *str = &c->b.dump->str;

	for (size_t i = 0; i < c->nframes_wanted; i++) {
		struct evmeta *m = &c->b.dump->trace.metas[c->frames_wanted[i].meta];
		strid name = idmap_get(&c->frames, c->frames_wanted[i].key);

		if (name == IDMAP_NONE || name == m->name || m->full)
			continue;
		m->full = strtab_str(str, name);
		m->full_len = (uint32_t)strtab_len(str, name);
	}
}
