/* What the loaders of Chrome JSON, old traces and trace tables share: processes, their tracks, names and
 * flows are collected in any order, and become planes, tracks, counters and edges of the dump at the end.
 * Events go straight into the columns of their track.
 *
 * 	build_init(&b, ctx, file);
 * 	track = build_thread(&b, pid, tid);
 * 	meta = build_meta(&b, name, len, category, escaped);
 * 	build_event(&b, track, ts, dur, meta, at);  …
 * 	build_finish(&b, shift);
 * 	build_free(&b);
 *
 * Times are ps from any origin; build_finish() subtracts `shift`.  The index of a track here differs from
 * that in the trace.
 * Memory is bounded for hostile input, too: beyond BUILD_*_MAX, processes and threads share one. */
#ifndef LOAD_BUILD_BUILDER_H
#define LOAD_BUILD_BUILDER_H

#include <stdatomic.h>

#include "base/codec/wire.h"
#include "load/build/context.h"
#include "load/build/idmap.h"

#define BUILD_PROCS_MAX (1u << 16)
#define BUILD_TRACKS_MAX (1u << 17)
#define BUILD_LOOKS 16          /* events of a name whose args are searched before giving up */
#define BUILD_NO_SORT INT64_MAX /* after all that have an index */

enum build_kind { BUILD_THREAD, BUILD_ASYNC, BUILD_COUNTER };

struct build_proc {
	int64_t pid, sort;
	strid name, labels; /* 0: not given */
	uint32_t plane;     /* set by build_finish(), as is the next one */
	bool used;          /* has tracks */
	bool gpu;           /* its threads are the streams of the GPU with its number */
	bool launches;      /* kernels: it is a process of the host, whatever it is called */
	struct idmap threads, lanes;
};

struct build_track {
	struct track t;
	uint32_t proc;
	enum build_kind kind;
	int64_t sort;
	struct build_mark *marks; /* begin and end events, paired before build_finish() */
	size_t nmarks, marks_cap;
	int64_t last_mark; /* of build_mark(), as is the next one */
	enum { MARKS_NONE, MARKS_IN_ORDER, MARKS_IN_ANY_ORDER } order;
	uint32_t index; /* in trace.tracks, set by build_finish(); UINT32_MAX: empty */
};

struct build_mark {
	int64_t ts;
	uint32_t event; /* the event that begins; UINT32_MAX: an end */
	uint32_t name;  /* hash, 0 = none */
	uint32_t seq;   /* file order */
};

struct build_name { /* a slot of the table of names; s NULL = free */
	const char *s;
	uint32_t len, hash;
	strid category;
	uint32_t meta;
	bool escaped;
};

struct build_paired {
	uint64_t unopened, unclosed, misnamed;
};

enum build_flow_role { FLOW_START, FLOW_STEP, FLOW_END };
enum build_flow_bind {
	FLOW_SELF,
	FLOW_AROUND,
	FLOW_NEXT
}; /* the event itself, the one around ts, the next one to start */

struct build_flow {
	uint64_t key;
	int64_t ts;
	uint64_t at; /* args of the event itself */
	uint32_t track;
	uint8_t role, bind, category;
	bool implied;   /* by numbers that events share, not a record: nothing is missing where an end is */
	uint32_t event; /* set by build_edges(); UINT32_MAX: none found */
};

struct build {
	struct dump *dump;
	struct load_ctx *ctx;
	int file;
	struct build_proc *procs;
	size_t nprocs, procs_cap;
	struct build_track *tracks;
	size_t ntracks, tracks_cap;
	struct idmap proc_of;
	int64_t last_pid, last_tid;
	uint32_t last_track; /* UINT32_MAX: none yet */
	struct build_name *names;
	uint32_t nnames, name_slots;
	struct arena arena; /* raw names */
	uint32_t meta0;     /* metas of this file begin here */
	uint8_t *looked;
	size_t nlooked; /* by meta: events whose args were searched */
	struct counter *counters;
	size_t ncounters, counters_cap; /* plane and track: indices here */
	struct idmap counter_of;
	struct build_flow *flows;
	size_t nflows, flows_cap;
	uint64_t surplus;   /* threads beyond the limit */
	uint64_t unbound;   /* ends of flows without an event */
	uint64_t unstarted; /* flows with ends and no start */
	uint64_t refused;   /* events left out for lack of memory */
	/* of an input whose events come in order of time: how much of how much was read; 0: not known */
	uint64_t done, total;
	int64_t shift;
	_Atomic uint64_t repaired;
};

void build_init(struct build *, struct load_ctx *, int file);
void build_free(struct build *);
uint32_t build_proc(struct build *, int64_t pid);
uint32_t build_thread_slow(struct build *, int64_t pid, int64_t tid);
/* Returns a track without a tid. */
uint32_t build_lane(struct build *, uint32_t proc, enum build_kind, uint64_t key, strid name);
uint32_t build_meta(struct build *, const char *name, size_t n, strid category, bool escaped);
void build_look(struct build *, uint32_t meta);
void build_arg_name(struct build *, const char *key, size_t n);
void build_arg(struct build *, uint32_t meta, const char *key, size_t nkey, const char *value, size_t nvalue);
uint32_t build_counter(struct build *, uint32_t track, uint64_t key, strid name, strid unit);
void build_sample(struct build *, uint32_t counter, int64_t ts, double v);
void build_flow(struct build *, const struct build_flow *);
/* Adds the mark of an event that begins; UINT32_MAX: an end.  As long as they come in the order of time, an end is
 * joined at once, and only events that are open take memory. */
void build_mark(struct build_track *, int64_t ts, uint32_t event);
/* Joins the marks of a thread.  They may be in any order in the file: sorted by time (equal times in file order), an
 * end closes the event opened last, whatever its name; those that stay open end at `end`.  Counts what does not fit. */
void build_pair(struct build_track *, int64_t end, struct build_paired *);
void build_untimed(struct build *, uint32_t track, uint32_t meta, int64_t dur, uint64_t at);
bool build_room(struct build *, struct track *);

/* Device { name = 1, device_id = 2, resources = 3 map } of the trace protobufs, Resource { name = 1,
 * resource_id = 2, sort_index = 3 if `sorted` }. */
void build_device(struct build *, struct wire device, bool sorted);
struct wire wire_map_value(
    const struct wire *entry); /* value of a map entry; the message in it also has the key */

void build_finish(struct build *, int64_t shift);
/* opcodes.c, called by build_finish(): ops of a device that do not state their category get that of the
 * opcode that they are named after. */
void build_categories(struct build *);
/* flow.c, called by build_finish() */
void build_edges(struct build *);

uint64_t build_hash(uint64_t seed, const char *s, size_t n);
static inline uint32_t build_thread(struct build *b, int64_t pid, int64_t tid)
{
	if (pid == b->last_pid && tid == b->last_tid && b->last_track != UINT32_MAX)
		return b->last_track;
	return build_thread_slow(b, pid, tid);
}

/* Ops repeat their category and long name in each event (except in asynchronous halves).  Loaders call
 * build_look(), then build_arg() for each arg, until one of them was found.  build_arg_name() interns names
 * of args, so that analyses can ask for them by id. */
static inline bool build_looked(const struct build *b, uint32_t meta)
{
	return meta - b->meta0 < b->nlooked && b->looked[meta - b->meta0] >= BUILD_LOOKS;
}

/* Returns the index of the event in its track. */
static inline size_t build_event(struct build *b, uint32_t track, int64_t start, int64_t dur, uint32_t meta,
    uint64_t at)
{
	struct track *t = &b->tracks[track].t;
	size_t n = t->n;

	if (__builtin_expect(n == t->cap, 0) && !build_room(b, t))
		return SIZE_MAX;
	return track_add(t, start, dur, meta, at) ? n : SIZE_MAX;
}

#endif
