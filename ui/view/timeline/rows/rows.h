/* The rows of the timeline: which there are, in which order, which are folded or hidden.  A row is a node of
 * a tree (host, core, track, further rows of a track); in `v` they are in reading order, children right after
 * their parent.  Rows depend on the file and on what is folded, never on the view, so panning never adds one.
 * rows_build() derives tracks (steps, scopes, unions of threads), which makes new versions of the capture's dump; folds
 * and unions survive it because they use ids of nodes.  Names belong to the dump or to `text`; rows_free() frees all;
 * for one thread. */
#ifndef VIEW_TIMELINE_ROWS_H
#define VIEW_TIMELINE_ROWS_H

#include "base/mem.h"
#include "capture/capture.h"
#include "view/timeline/rows/tracks.h"

#define ROWS_NONE UINT32_MAX /* no track, no node */

enum node_kind {
	NODE_HOST,    /* a host, if there are several; shows its steps */
	NODE_DEVICE,  /* a core or chip unit; folded: shows its occupancy, open: its steps */
	NODE_THREADS, /* threads of a process */
	NODE_GROUP,   /* threads of one name */
	NODE_TRACK,   /* folded: all its rows in one; open: its first row */
	NODE_ROW,     /* another row of a track */
	NODE_LANES,   /* several lanes in one */
	NODE_LAZY,    /* derived when opened */
	NODE_COUNTERS,
	NODE_COUNTER
};

struct rows_node {
	uint64_t id; /* stays the same when rows are made again */
	enum node_kind kind;
	uint8_t level;
	bool foldable, folded, thin; /* thin: drawn as a line with names (steps, modules, scopes) */
	enum track_role role;
	uint32_t parent, end; /* end: first node after its children */
	uint32_t plane;
	/* track whose events the row shows; DEVICE: the source of its occupancy; GROUP, THREADS: the union
	 * once it is made */
	uint32_t track;
	uint32_t steps;           /* HOST, DEVICE: track of the steps */
	int row, rows;            /* rows of the track: ROW, LANES */
	uint32_t member, members; /* GROUP, THREADS: range of its threads in rows.member */
	int counter;
	const char *name;
	uint32_t len;
	const char *note;
	uint32_t note_len; /* note: for DEVICE, the module whose runs are its steps */
	int64_t chip;      /* DEVICE: number in the pod, as its plane says; -1: it does not */
	int core_on_chip;
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
	/* visible nodes: pinned ones, then the others in order */
	uint32_t *vis;
	size_t nvis, vis_cap;
	uint32_t *member;
	size_t nmember, member_cap;
	uint32_t *node_of;
	size_t ntracks; /* node of each track, ROWS_NONE = none */
	/* tracks whose time is "device time"; without a device, the threads */
	uint32_t *device;
	size_t ndevice, device_cap;
	bool threads_only;
	/* for each device track the counter of a digest that says how busy the core was, -1 = none */
	int *coarse;
	bool has_coarse;
	bool chip_has_cores; /* a chip has several cores */
	bool all; /* no row waits until it is opened: a search wants the names that it would have */
	struct rows_fold *fold;
	size_t nfold, fold_cap; /* folded or opened by the user */
	struct rows_union *made;
	size_t nmade, made_cap; /* unions made so far; track ROWS_NONE: empty */
	/* pinned, hidden, moved, filtered: by ids of nodes */
	struct tracks tracks;
	struct arena text;
	/* on the rows shown; of all of them if no host is chosen */
	uint64_t events;
};

/* also when made again: keeps folds and unions */
void rows_build(struct rows *, struct capture *);
void rows_free(struct rows *);
void rows_show(struct rows *); /* makes vis from the folds */
void rows_fold(struct rows *, uint32_t node, bool folded);
void rows_open_to(struct rows *, uint32_t node); /* unfolds everything around it */
/* index in vis of the node, or of the closest one around it; else 0 */
size_t rows_find(const struct rows *, uint64_t id);
/* the node of a track, opened; ROWS_NONE = none */
uint32_t rows_of_event(struct rows *, const struct trace *, uint32_t track, size_t event);
bool rows_want_union(const struct rows *, uint32_t node); /* the row needs a union that is not made yet */
bool rows_make_union(struct rows *, struct capture *, uint32_t node);

struct rows_source {
	uint32_t track;
	int row, rows;
}; /* row -1: all rows, innermost events on top */
struct rows_source rows_source(
    const struct rows_node *); /* events that the row shows; track ROWS_NONE = none */
/* on these rows, not only on the track */
bool rows_source_has(struct rows_source, const struct track *, size_t event);
/* a folded host shows what its cores do, an open one its steps */
static inline bool rows_shows_host(const struct rows_node *v)
{
	return v->kind == NODE_HOST && v->folded;
}
/* also true for the folded core of a digest, which shows its coarse busy time */
bool rows_shows_counter(const struct rows_node *);

#endif
