/* What the files behind interval.h and window.h share: window.c goes through the events, window_names.c makes
 * the names, window_ranks.c finds p50 and p99; interval.c adds the gaps of each track.
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

#define WINDOW_LINE 16 /* numbers in a line, see window_ranks.c */

struct window_slot { /* sums of one kind of event; one cache line each */
	uint64_t count;
	int64_t total, inside, min, max; /* inside: time taken by children */
	uint32_t *fill;                  /* where the next part goes; at the begin of a line: no room yet */
	uint32_t task, longest;          /* index of the longest event, and the task that found it */
	uint32_t cut;
	bool used;
} __attribute__((aligned(64)));

struct window_long {
	uint32_t meta;
	int64_t part;
}; /* part: longer than 32 bits */

struct window_lines { /* the parts that one worker has stored, in lines of one kind each */
	struct window_store *store;
	size_t n, end; /* next line, and the end of the worker's piece of the store */
	struct window_long *longs;
	size_t nlongs, longs_cap;
	uint32_t *rest; /* a scratch line for when the store is full */
};

struct window_store { /* lines of all workers */
	void *block;
	uint32_t *part;           /* part: the lines; block: the allocation that they are in */
	uint32_t *meta;           /* by line: kind of its parts */
	struct window_lines **of; /* by piece: the worker that took it */
	size_t npieces;
	_Atomic size_t taken; /* number of pieces taken */
};

struct window_task {
	uint32_t k, worker; /* k: index of the track in the list */
	bool first;         /* first task of its track */
	size_t i, end;
	uint64_t events;
};

struct window_used {
	uint32_t meta, task;
}; /* task: the first one that saw the kind */

struct window_worker {
	struct window_slot *slots; /* by meta; inside `block`, aligned to cache lines */
	void *block;
	struct window_used *used;
	size_t nused, used_cap;
	/* last event of each row of the track, from index 1 on */
	struct window_slot *open[TRACK_ROWS_MAX + 1];
	struct window_slot none;
	struct window_lines lines;
	uint32_t *place; /* by meta: where its next line is listed by name */
	uint32_t *room;  /* holds the parts of one name */
	int64_t class_ps[CLASS_COUNT];
};

struct window_extra { /* what an interval needs in addition */
	struct interval_track *tracks;
	int64_t *edges;
	size_t nedges; /* times that divide the events into pieces of about equal size */
};

enum window_phase { WINDOW_PLAN, WINDOW_SCAN, WINDOW_SELECT, WINDOW_DONE };

struct window_work {
	const struct dump *d;
	uint32_t *tracks;
	size_t ntracks;
	bool ranks;
	struct window_extra *extra; /* NULL = not wanted */
	enum window_phase phase;
	size_t k; /* next track to be planned, next task, or next job of the selection */
	struct window_task *tasks;
	size_t ntasks, tasks_cap;
	/* planned: events that begin in the window; open: upper limit for events that reach into it */
	uint64_t planned, open;
	struct window_worker *workers;
	int nworkers;
	_Atomic size_t next;
	size_t limit;      /* end of the tasks or jobs of this slice */
	uint32_t *name_of; /* by meta: index in window.names */
	struct window_store store;
	uint32_t *line;              /* lines listed by name, see window_ranks.c */
	uint32_t *line_at, *long_at; /* by name, plus one at the end: where its lines and long parts begin */
	int64_t *longs;              /* long parts, by name */
	size_t *jobs, njobs;         /* first name of each job of the selection, plus one at the end */
};

struct window_span { /* the window in the times of one track */
	const struct track *t;
	int64_t t0, t1;
};

struct window_span window_span(const struct window *, uint32_t track);

/* Sums wrap around instead of overflowing; that takes years of events. */
static inline void window_add(int64_t *sum, int64_t d)
{
	*sum = (int64_t)((uint64_t)*sum + (uint64_t)d);
}

/* Returns the part of an event that lies in the window. */
static inline int64_t window_part_of(const struct window_span *s, size_t i)
{
	int64_t from = track_start(s->t, i), to = from + track_dur(s->t, i);

	return (to < s->t1 ? to : s->t1) - (from > s->t0 ? from : s->t0);
}

void window_new_line(struct window_lines *, struct window_slot *, uint32_t meta);

/* Is the current line full, or is there none? */
static inline bool window_no_room(const struct window_slot *s)
{
	return !((uintptr_t)s->fill % (WINDOW_LINE * sizeof *s->fill));
}

/* Stores a part for the ranks. */
static inline void window_keep(struct window_lines *l, struct window_slot *s, uint32_t meta, int64_t part)
{
	if (part > UINT32_MAX) {
		VEC_ADD(l->longs, l->nlongs, l->longs_cap, (struct window_long){ meta, part });
		return;
	}
	if (window_no_room(s))
		window_new_line(l, s, meta);
	*s->fill++ = (uint32_t)part;
}

/* Does one slice, or all of the current phase. */
void window_slice(struct window *, bool all);

void window_merge(struct window *);
bool window_ranks_begin(struct window *); /* false: not wanted, or no memory */
void window_store_make(struct window_work *);
void window_store_free(struct window_store *);
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
