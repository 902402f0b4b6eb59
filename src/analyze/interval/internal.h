/* What the files behind interval.h and window.h share: window.c goes through the events, window_names.c makes
 * the names, window_ranks.c finds p50 and p99 when all parts have been stored by name; interval.c adds the
 * gaps of each track.
 *
 * The events are cut into tasks: pieces of a track that begin where the index knows which events are open, so
 * that several threads can process them in any order.  Each worker counts into slots of its own.  Merged in
 * the order of the tasks, they give what a single worker would have found. */
#ifndef ANALYZE_INTERVAL_INTERNAL_H
#define ANALYZE_INTERVAL_INTERNAL_H

#include <stdatomic.h>

#include "analyze/interval/interval.h"
#include "base/mem.h"
#include "model/lod.h"

struct window_slot { /* sums of one key; one cache line each */
	uint64_t count;
	int64_t total, inside, min, max; /* inside: time taken by children */
	uint32_t task, longest;          /* index of the longest event, and the task that found it */
	uint32_t cut;
	bool used;
} __attribute__((aligned(64)));

struct window_task {
	uint32_t k, worker; /* k: index of the track in the list */
	bool first;         /* first task of its track */
	size_t i, end;
	uint64_t events;
};

struct window_worker {
	struct window_slot *slots; /* by key; inside `block`, aligned to cache lines */
	void *block;
	struct window_used {
		uint32_t key, task; /* task: the first one that saw the key */
	} * used;
	size_t nused, used_cap;
	size_t *fill; /* by key: twice the place of its next part, odd when that takes two */
	/* last event of each row of the track, from index 1 on */
	struct window_slot *open[TRACK_ROWS_MAX + 1];
	struct window_slot none;
	int64_t class_ps[CLASS_COUNT];
};

enum window_phase { WINDOW_PLAN, WINDOW_SCAN, WINDOW_FILL, WINDOW_SELECT, WINDOW_DONE };

struct window_work {
	const struct dump *d;
	uint32_t *tracks;
	size_t ntracks;
	struct interval_track *spans; /* busy times and gaps of the tracks; NULL = not wanted */
	enum window_phase phase;
	size_t k; /* next track to be planned, next task, or next name of the selection */
	struct window_task *tasks;
	size_t ntasks, tasks_cap;
	uint64_t planned; /* events that begin in the window */
	struct window_worker *workers;
	int nworkers;
	_Atomic size_t next;
	size_t nkeys;
	size_t limit;      /* end of the tasks of this slice */
	uint32_t *name_of; /* by key: index in window.names */
	struct window_parts {
		uint32_t *v; /* by name, from at[name] on; two for each part of a wide name */
		size_t n, *at;
	} parts;
};

struct window_span { /* the window in the times of one track */
	const struct track *t;
	int64_t t0, t1;
};

/* Does one slice, or all of the current phase. */
void window_slice(struct window *, bool all);

void window_merge(struct window *);
bool window_ranks_begin(struct window *);      /* makes room for the parts; false: not wanted, or no memory */
bool window_select(struct window *, bool all); /* false when all are done */

/* The union of the busy times of tracks, for interval.c, computed from the gaps that all of them share.
 *
 * The busiest tracks leave few gaps, so they come first.  As long as there are few common gaps, only those
 * are looked up in the next track.  Otherwise its gaps become a list on a stack; a list is intersected with
 * the one below when that one is not much longer, so that each gap is visited about log2(tracks) times at
 * worst. */

/* Busy time in [from, to) of the tracks, which end with UINT32_MAX, the busiest first; -1 = no memory.
 * `shift`: as in struct window.  Any thread. */
int64_t interval_union(const struct dump *, const int64_t *shift, const uint32_t *tracks, int64_t from,
    int64_t to);

#endif
