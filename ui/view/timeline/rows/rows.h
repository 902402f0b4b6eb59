/* Which rows the timeline has, in which order, which of them are folded or hidden.  A row is a node of a tree
 * (host, core, track, further rows of a track); they stand in `v` as one reads them, what a node encloses right
 * behind it.  Rows depend on the file and on what is folded, never on the view, so that panning never makes one
 * appear.  rows_build() derives tracks (steps, scopes, unions of threads), which moves trace.tracks; folds and
 * unions outlive it by the ids of nodes.  Names belong to the dump or to `text`; rows_free() frees all; one
 * thread. */
#ifndef VIEW_TIMELINE_ROWS_H
#define VIEW_TIMELINE_ROWS_H

#include "analyze/steps/steps.h"
#include "base/mem.h"
#include "model/dump.h"
#include "view/timeline/rows/tracks.h"

#define ROWS_NONE UINT32_MAX /* no track, no node */

enum node_kind {
	NODE_HOST,    /* several hosts: one of them; its steps */
	NODE_DEVICE,  /* a core, a chip unit: folded its occupancy, open its steps */
	NODE_THREADS, /* threads of a process */
	NODE_GROUP,   /* threads of one name */
	NODE_TRACK,   /* folded: all its rows as one; open: its first row */
	NODE_ROW,     /* another row of a track */
	NODE_LANES,   /* several lanes as one */
	NODE_LAZY,    /* derived when opened */
	NODE_COUNTERS,
	NODE_COUNTER
};

struct rows_node {
	uint64_t id; /* the same after the rows are made again */
	enum node_kind kind;
	uint8_t level;
	bool foldable, folded, thin; /* thin: drawn as a line with names (steps, modules, scopes) */
	enum track_role role;
	uint32_t parent, end; /* end: first node behind the ones inside */
	uint32_t plane;
	/* whose events the row shows; DEVICE: what its occupancy is taken from; GROUP, THREADS: the
	 * union once it is made */
	uint32_t track;
	uint32_t steps;           /* HOST, DEVICE: track of its steps */
	int row, rows;            /* rows of the track: ROW, LANES */
	uint32_t member, members; /* GROUP, THREADS: threads in rows.member */
	int counter;
	const char *name;
	uint32_t len;
	const char *note;
	uint32_t note_len; /* DEVICE: module whose runs are its steps */
};

struct rows_fold {
	uint64_t id;
	bool folded;
};
struct rows_union {
	uint64_t id;
	uint32_t track;
};

struct rows {
	struct rows_node *v;
	size_t n, cap;
	/* nodes on screen or scrolled away: pinned ones, then the others in order */
	uint32_t *vis;
	size_t nvis, vis_cap;
	uint32_t *member;
	size_t nmember, member_cap;
	uint32_t *node_of;
	size_t ntracks; /* track → its node, ROWS_NONE */
	/* tracks whose time is "device time"; without a device the threads */
	uint32_t *device;
	size_t ndevice, device_cap;
	bool threads_only;
	/* of each device track: the counter of a digest that tells how busy the core was, -1 */
	int *coarse;
	bool has_coarse;
	struct rows_fold *fold;
	size_t nfold, fold_cap; /* what the user folded or opened */
	struct rows_union *made;
	size_t nmade, made_cap; /* unions made so far; track ROWS_NONE: nothing in it */
	/* pinned, hidden, moved, filtered: by the ids of nodes */
	struct tracks tracks;
	struct arena text;
	/* on the rows shown: of all of them, when no host is chosen */
	uint64_t events;
};

/* again: keeps folds and unions */
void rows_build(struct rows *, struct dump *, const struct steps *, int host);
void rows_free(struct rows *);
void rows_show(struct rows *); /* folds → vis */
void rows_fold(struct rows *, uint32_t node, bool folded);
void rows_open_to(struct rows *, uint32_t node); /* unfolds everything around it */
/* place in vis of the node, or of the nearest one around it; 0 */
size_t rows_find(const struct rows *, uint64_t id);
/* its node, opened; ROWS_NONE */
uint32_t rows_of_event(struct rows *, const struct trace *, uint32_t track, size_t event);
bool rows_want_union(const struct rows *, uint32_t node); /* the row needs one that is not made yet */
bool rows_make_union(struct rows *, struct dump *, uint32_t node);

struct rows_source {
	uint32_t track;
	int row, rows;
}; /* row -1: all rows, the innermost event on top */
struct rows_source rows_source(
    const struct rows_node *); /* events that the row shows; track ROWS_NONE = none */
bool rows_source_has(struct rows_source, const struct track *,
    size_t event); /* in its rows, not only on its track */
/* also the folded core of a digest: how busy it was, coarsely */
bool rows_shows_counter(const struct rows_node *);

#endif
