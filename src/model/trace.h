/* The trace of a run: planes (one per XPlane name and host, or per process of a Chrome trace), their tracks
 * (one per XLine ID, or thread), and the events of a track in columns.  This is the hot path of the program:
 * some 14 bytes per event, and no event is ever dropped.
 *
 * Times are int64 ps since the origin of the run (dump.origin_ns says what was subtracted).  Events of a
 * track are sorted by start, longer first, then file order.  An event is identified by (track, index).  Its
 * kind (an XEventMetadata of its plane, or a distinct name of a JSON trace) is track_meta(), an index in
 * trace.metas.  Everything else the file has about it is decoded from the file when somebody looks (stat.h).
 * Columns beyond the memory of the program lie in a file (base/spill/spill.h); only trace.c knows.
 *
 * Rows.  Events nest by containment: depth[i] is 0 for the outermost.  Where events overlap without
 * containment, the track gets lanes: lane[i] (NULL = all in lane 0), each a nest of its own, so that nothing
 * is hidden.  row = lane_base[lane] + depth is the row of an event (track_row()).
 *
 * Everything belongs to the dump; pointers stay valid until dump_close().  Only the owner of the dump changes
 * it, and only before it is shared. */
#ifndef MODEL_TRACE_H
#define MODEL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/codec/packed.h"
#include "base/codec/stepped.h"
#include "base/text/strtab.h"

#define TRACK_ROWS_MAX 255
/* times beyond ± this (53 days) are clipped, so that differences never overflow */
#define TRACE_TIME_MAX ((INT64_C(1) << 62) - 1)

enum plane_kind {
	PLANE_TPU,
	PLANE_SPARSECORE,
	PLANE_CHIP,
	PLANE_GPU,
	PLANE_CUSTOM,
	PLANE_HOST,
	PLANE_META,
	PLANE_OTHER
};

struct plane {
	strid name;
	int host, file; /* indices in dump.hosts and dump.files (the first file that has it) */
	int64_t id;
	enum plane_kind kind;
	int core, sub; /* N of /device:TPU:N, M of SparseCore M; -1: none */
	int64_t chip;  /* 1 + its number, where those of several processes are counted; 0: as its file says */
	uint64_t at;   /* byte offset of the XPlane message in its file, for plane stats */
	uint64_t len;
};

enum track_role { /* by line name; OTHER for host threads and unknown names */
	TRACK_OTHER,
	TRACK_STEPS,
	TRACK_MODULES,
	TRACK_OPS,
	TRACK_ASYNC,
	TRACK_TRACEME,
	TRACK_SCOPE,
	TRACK_FRAMEWORK,
	TRACK_SOURCE,
	TRACK_COUNTERS,
	TRACK_OFFLOAD,
	TRACK_OVERLAY,
	TRACK_FLOWLANE
};

struct track {
	uint32_t plane;
	int file; /* file that args point into; -1 = derived, no args */
	int64_t id;
	strid name;
	enum track_role role;

	size_t n; /* number of timed events */
	/* Read and written by the functions below.  start: ps since INT64_MIN; args: the place of the event in its
	 * file, 0 = there is nothing. */
	struct stepped start, args;
	struct packed dur, meta;
	uint8_t *depth, *lane;      /* lane NULL: no overlaps */
	uint16_t *lane_base;        /* nlanes entries, NULL with lane */
	int nlanes, rows, open_max; /* open_max: largest number of events open at once */
	/* smallest start, largest end; 0 and -1 when there are no timed events */
	int64_t first, last;
	/* time from which the file counts the times of this line; 0 if it has none of its own */
	int64_t base;
	/* start and dur were replaced by the device's own, mapped to the capture (analyze/trace/clock.h) */
	bool device_clock;

	/* aggregated events (num_occurrences), which have no place in time; kept in the order of the dump */
	size_t untimed;
	struct aggregate {
		uint32_t meta;
		int64_t count, dur;
		uint64_t at;
	} * agg;
	size_t cap, agg_cap;
	struct spill *spill; /* the file that has the columns of events, NULL: memory */

	struct lod *lod; /* level-of-detail index (lod.h); NULL until built */
};

struct evmeta {         /* a kind of event */
	strid name;     /* the name that is shown: display name, else name */
	strid category; /* hlo_category, or cat of a JSON event; 0 = none */
	uint32_t plane; /* UINT32_MAX when not bound to a plane */
	/* the long name (HLO text), not terminated; NULL when it is the same as the name */
	const char *full;
	uint32_t full_len;
	uint32_t len; /* length of the message in its file, for stats; 0 = none */
	uint64_t at;
	int file;
};

/* colors and letters of the timeline; assigned by analyze/device/classify.h */
enum event_class {
	CLASS_MATMUL,
	CLASS_COMPUTE,
	CLASS_COPY,
	CLASS_COLLECTIVE,
	CLASS_IO,
	CLASS_HOST,
	CLASS_WAIT,
	CLASS_OTHER,
	CLASS_COUNT
};
/* flag in meta_class[] for while, call and conditional, whose children have the time */
#define META_CONTAINER 0x80
#define META_CLASS(x) ((x)&0x0f)

struct counter { /* a step function of time */
	strid name, unit;
	uint32_t plane;
	int track; /* the track whose events are its samples, or -1 */
	size_t n, cap;
	int64_t *t; /* sorted */
	double *v;
	double min, max; /* of those that are numbers */
};

/* An arrow: host enqueue to device module, producer to consumer, or flow. */
struct edge {
	uint32_t src_track, src, dst_track, dst;
	uint8_t category; /* XProf's context type: 0 generic, 11 TPU stream, 12 TPU launch and so on */
};

struct trace {
	struct plane *planes;
	size_t nplanes, planes_cap;
	struct track *tracks;
	size_t ntracks, tracks_cap;
	struct evmeta *metas;
	size_t nmetas, metas_cap;
	uint8_t *meta_class; /* nmetas entries; NULL before classify() */
	struct counter *counters;
	size_t ncounters, counters_cap;
	/* sorted by source; at first only the explicit ones of the file (Chrome flows) */
	struct edge *edges;
	size_t nedges, edges_cap;
	uint32_t *edge_by_dst;
	/* made by trace_link(): tracks of a plane, UINT32_MAX = no more */
	uint32_t *track_of_plane, *track_next;
	size_t nlinked_tracks, nlinked_planes;
	uint64_t events;     /* all XEvents, timed and untimed, and counter samples */
	int64_t first, last; /* over all tracks */
};

/* what the start column holds for a start */
static inline uint64_t track_since(int64_t start)
{
	return (uint64_t)start - (uint64_t)INT64_MIN;
}

static inline int64_t track_start(const struct track *t, size_t i)
{
	return (int64_t)((uint64_t)INT64_MIN + stepped_get(&t->start, i));
}

static inline int64_t track_dur(const struct track *t, size_t i)
{
	return (int64_t)packed_get(&t->dur, i);
}

static inline int64_t track_end(const struct track *t, size_t i)
{
	return track_start(t, i) + track_dur(t, i);
}

static inline uint32_t track_meta(const struct track *t, size_t i)
{
	return (uint32_t)packed_get(&t->meta, i);
}

static inline int track_row(const struct track *t, size_t i)
{
	return t->depth[i] + (t->lane ? t->lane_base[t->lane[i]] : 0);
}

static inline uint64_t track_args(const struct track *t, size_t i)
{
	return stepped_get(&t->args, i);
}

/* makes the columns wide enough for an event that is to be appended; false: no memory */
bool track_widen(struct track *, int64_t start, int64_t dur, uint32_t meta, uint64_t at);

/* Appends an event, whose depth is not set; there must be room (track_grow()).  false = no memory, and nothing was
 * added. */
static inline bool track_add(struct track *t, int64_t start, int64_t dur, uint32_t meta, uint64_t at)
{
	const size_t n = t->n;
	const uint64_t since = track_since(start);
	unsigned fits; /* no branch for each */

	stepped_begin(&t->start, n, since);
	stepped_begin(&t->args, n, at);
	fits = stepped_fits(&t->start, n, since);
	fits &= (uint64_t)dur <= t->dur.most;
	fits &= meta <= t->meta.most;
	fits &= stepped_fits(&t->args, n, at);
	if (__builtin_expect(!fits, 0) && !track_widen(t, start, dur, meta, at))
		return false;
	stepped_append(&t->start, n, since);
	packed_append(&t->dur, n, (uint64_t)dur);
	packed_append(&t->meta, n, meta);
	stepped_append(&t->args, n, at);
	t->n = n + 1;
	return true;
}

/* Change an event, not the order. */
void track_set_time(struct track *, size_t i, int64_t start, int64_t dur);
void track_set_meta(struct track *, size_t i, uint32_t meta);
void track_set_args(struct track *, size_t i, uint64_t at);
void track_shift(struct track *, int64_t by); /* adds `by` to all starts, clamped */
/* Puts event order[i] at i, without its depth; room: 8 bytes an event. */
void track_reorder(struct track *, const uint32_t *order, uint64_t *room);

/* The order of the events of a track; 0: the file decides. */
static inline int trace_time_order(int64_t start, int64_t dur, int64_t start2, int64_t dur2)
{
	return start != start2 ? (start < start2 ? -1 : 1) : (dur < dur2) - (dur > dur2);
}

/* an event of any track, and the order of events of all tracks, for qsort() */
struct trace_event {
	int64_t start, dur;
	uint32_t track, event;
};

int trace_event_order(const void *, const void *);

/* Building.  Adders return an index and copy the struct they are given.  Pointers to elements may move when
 * another one is added. */
uint32_t trace_add_plane(struct trace *, const struct plane *);
uint32_t trace_add_track(struct trace *, const struct track *);
uint32_t trace_add_meta(struct trace *, const struct evmeta *);
uint32_t trace_add_counter(struct trace *, const struct counter *);
/* makes room for `want` events in all columns; false = no memory */
bool track_grow(struct track *, size_t want);
bool track_reserve(struct track *, size_t cap); /* same, and no more than that */
/* same, for events whose kinds go up to `meta`, and whose places differ by up to `away` from one to the next */
bool track_reserve_for(struct track *, size_t cap, uint32_t meta, uint64_t away);
void track_trim(struct track *); /* frees unused capacity when it is a good part */
/* Gives a copy of the struct of a track events of its own; it has no lanes and no index then: track_nest() is next.
 * false: no memory, and nothing changed. */
bool track_unshare(struct track *);
void track_free(struct track *);
int counter_add(struct counter *, int64_t t, double v); /* -1 = no memory */
void trace_free(struct trace *);
/* Returns the tracks of a plane in order: begin with UINT32_MAX; ntracks means no more.  trace_link() makes
 * this fast for the tracks that exist at that time. */
uint32_t trace_track_of(const struct trace *, uint32_t plane, uint32_t after);
void trace_link(struct trace *);
void trace_span(struct trace *); /* recomputes first, last and events from the tracks */

/* Completes the columns as described above: sorts if needed, clips absurd times, fills in depth, lane, rows,
 * open_max, first and last.  Returns how many events were repaired. */
size_t track_nest(struct track *);
/* Moves columns that are whole to the file when memory should have no more of them; track_nest() ends with it. */
void track_settle(struct track *);
/* Brings one event within ±TRACE_TIME_MAX and makes negative durations 0; true = it was changed. */
bool track_clip(int64_t *start, int64_t *dur);

static inline int64_t trace_clip(int64_t t)
{
	return t > TRACE_TIME_MAX ? TRACE_TIME_MAX : t < -TRACE_TIME_MAX ? -TRACE_TIME_MAX : t;
}

/* Finding, by binary search over start; n = none. */
size_t track_lower(const struct track *, int64_t t); /* first event with start >= t */
/* the event directly around i, n if none (walks back; the index limits how far) */
size_t track_parent(const struct track *, size_t i);
int64_t track_self(const struct track *, size_t i); /* duration less that of direct children */

/* a core of a TPU, with lines of its own: a TensorCore or a SparseCore */
static inline bool plane_is_tpu_core(enum plane_kind k)
{
	return k == PLANE_TPU || k == PLANE_SPARSECORE;
}

/* does it run ops, kernels or blocks?  Not true of a chip as a whole. */
static inline bool plane_runs_ops(enum plane_kind k)
{
	return k == PLANE_TPU || k == PLANE_SPARSECORE || k == PLANE_GPU || k == PLANE_CUSTOM;
}

bool trace_has_plane(const struct trace *, enum plane_kind);
/* The name of a plane as people read it: without "/device:" and its like, unless nothing else is there. */
struct slice plane_label(struct slice name);
enum plane_kind plane_kind_of(const char *name, size_t len, int *core, int *sub);
enum track_role track_role_of(const char *name, size_t len);

#endif
