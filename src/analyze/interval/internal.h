/* What the parts of the table of a piece of time share: window.c goes over the events, window_names.c makes
 * the names, window_ranks.c finds p50 and p99; interval.c also wants the gaps of each track.
 *
 * The events are cut into tasks, pieces of a track that begin where its index knows what is open, so that
 * several threads can see them in any order.  Each worker counts into its own slots; put together in the
 * order of the tasks they give what one worker would have found. */
#ifndef ANALYZE_INTERVAL_INTERNAL_H
#define ANALYZE_INTERVAL_INTERNAL_H

#include <stdatomic.h>

#include "analyze/interval/interval.h"
#include "base/mem.h"
#include "model/lod.h"

#define WINDOW_LINE 16 /* parts of events in a line, see window_ranks.c */

struct window_slot { /* of a kind of event: one line of the cache */
	uint64_t count;
	int64_t total, inside, min, max; /* inside: taken by children */
	uint32_t *fill;                  /* where the next part goes; a begin of a line: nowhere yet */
	uint32_t task, longest;          /* the longest one, and the task that saw it */
	uint32_t cut;
	bool used;
} __attribute__((aligned(64)));

struct window_long {
	uint32_t meta;
	int64_t part;
}; /* a part of more than 32 bits */

struct window_lines { /* of a worker: the parts that it saw, a line for those of one kind */
	struct window_store *store;
	size_t n, end; /* next line, and where the piece of the store ends */
	struct window_long *longs;
	size_t nlongs, longs_cap;
	uint32_t *rest; /* a line for parts that there is no room for */
};

struct window_store { /* lines of all workers */
	void *block;
	uint32_t *part;           /* part: in the block, which is what was got */
	uint32_t *meta;           /* by line: of which kind */
	struct window_lines **of; /* by piece: who took it */
	size_t npieces;
	_Atomic size_t taken; /* pieces */
};

struct window_task {
	uint32_t k, worker; /* k: place of the track in the list */
	bool first;         /* of its track */
	size_t i, end;
	uint64_t events;
};

struct window_used {
	uint32_t meta, task;
}; /* the task that saw it first */

struct window_worker {
	struct window_slot *slots; /* by meta; in the block, each in one line of the cache */
	void *block;
	struct window_used *used;
	size_t nused, used_cap;
	struct window_slot *open[TRACK_ROWS_MAX + 1]; /* last event of each row of the track, from 1 on */
	struct window_slot none;
	struct window_lines lines;
	uint32_t *place; /* by meta, of its next line by name */
	uint32_t *room;  /* for the parts of one name */
	int64_t class_ps[CLASS_COUNT];
};

struct window_extra { /* what an interval wants to know beside */
	struct interval_track *tracks;
	int64_t *edges;
	size_t nedges; /* times that part the events into pieces of about equal size */
};

enum window_phase { WINDOW_PLAN, WINDOW_SCAN, WINDOW_SELECT, WINDOW_DONE };

struct window_work {
	const struct dump *d;
	uint32_t *tracks;
	size_t ntracks;
	bool ranks;
	struct window_extra *extra; /* NULL = not wanted */
	enum window_phase phase;
	size_t k; /* next track to be planned, task, or job of the selection */
	struct window_task *tasks;
	size_t ntasks, tasks_cap;
	uint64_t planned, open; /* events that begin in the window; before it, at most */
	struct window_worker *workers;
	int nworkers;
	_Atomic size_t next;
	size_t limit;      /* tasks or jobs of the slice */
	uint32_t *name_of; /* by meta: index into window.names */
	struct window_store store;
	uint32_t *line;              /* by name: its lines, see window_ranks.c */
	uint32_t *line_at, *long_at; /* by name, one more: where its lines, long parts begin */
	int64_t *longs;              /* by name */
	size_t *jobs, njobs;         /* first name of each job of the selection, one more at the end */
};

struct window_span { /* the window in times of a track */
	const struct track *t;
	int64_t t0, t1;
};

struct window_span window_span(const struct window *, uint32_t track);

/* Sums wrap instead of overflowing; years of events get there. */
static inline void window_add(int64_t *sum, int64_t d)
{
	*sum = (int64_t)((uint64_t)*sum + (uint64_t)d);
}

/* The part of an event that lies in the window. */
static inline int64_t window_part_of(const struct window_span *s, size_t i)
{
	int64_t from = s->t->start[i], to = from + s->t->dur[i];

	return (to < s->t1 ? to : s->t1) - (from > s->t0 ? from : s->t0);
}

/* Some events before `begin` that reach into the window, in order, from *at on (0 to begin with); how many,
 * 0 = no more. */
size_t window_open(const struct window_span *, size_t begin, size_t *at, uint32_t out[TRACK_ROWS_MAX]);

void window_new_line(struct window_lines *, struct window_slot *, uint32_t meta);

/* Whether the line at work is full, or there is none. */
static inline bool window_no_room(const struct window_slot *s)
{
	return !((uintptr_t)s->fill % (WINDOW_LINE * sizeof *s->fill));
}

/* Keeps a part for its rank. */
static inline void window_keep(struct window_lines *l, struct window_slot *s, uint32_t meta, int64_t part)
{
	if (part > UINT32_MAX) {
		VEC_PUSH(l->longs, l->nlongs, l->longs_cap);
		l->longs[l->nlongs++] = (struct window_long){ meta, part };
		return;
	}
	if (window_no_room(s))
		window_new_line(l, s, meta);
	*s->fill++ = (uint32_t)part;
}

/* Does a slice, or all of the phase at work. */
void window_slice(struct window *, bool all);

void window_merge(struct window *);
bool window_ranks_begin(struct window *); /* false: none wanted, or no memory */
void window_store_make(struct window_work *);
void window_store_free(struct window_store *);
bool window_select(struct window *, bool all); /* false when all are found */

/* The union of the busy times of tracks, for interval.c: what the gaps that they have in common leave.
 *
 * The busiest tracks leave few gaps, so they come first, and as long as the common gaps are few the events
 * of the next track are looked up in them alone.  Otherwise its gaps go onto a stack, where a list meets the
 * one below when that is not much longer: each gap is looked at about log2(tracks) times at worst. */

/* In [from, to), tracks up to UINT32_MAX, the busiest first; -1 = no memory.  `shift`: as that of a window.
 * Any thread. */
int64_t interval_union(const struct dump *, const int64_t *shift, const uint32_t *tracks, int64_t from,
    int64_t to);

#endif
