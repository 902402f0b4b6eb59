/* The memory viewer: where the memory of one compiled program goes, in one of its memory spaces.  A chart of
 * the heap over the points of the program, and the buffers alive at the current point (at first the peak) as
 * a sheet, as sums by framework op, or as boxes: address over program time.  memory.c is the view (module,
 * space, building, state), act.c handles keys, link.c finds buffers and links to other views, table.c makes
 * rows and tables, by_op.c the tree of framework ops, chart.c draws what is above the table, boxes.c the
 * boxes, gaps.c finds what is free between them, card.c the details of a buffer and of the program.  The memory of a
 * module is built in the thread of the screen when its message is small, else by a job: memory_view_sync() returns
 * whether it is ready. */
#ifndef VIEW_MEMORY_MEMORY_H
#define VIEW_MEMORY_MEMORY_H

#include "analyze/memory/by_op.h"
#include "analyze/memory/rank.h"
#include "analyze/memory/tables.h"
#include "core/view.h"
#include "view/frame.h"

enum { MEM_SPACES = 8 };

/* t: points of the program; y: bytes, with the allocations stacked */
struct mem_box {
	struct memory_buffer *b;
	int64_t t0, t1;
	double y0, y1;
};

/* A range of addresses that no box fills at a point: free from t0 to t1 */
struct mem_gap {
	int64_t t0, t1;
	double y0, y1;
	const struct mem_box *below, *above; /* its neighbors; NULL: the end of the allocation */
};

enum { MEM_GAPS = 16 };

struct mem_gaps {
	bool made;
	int64_t point;
	size_t n, listed; /* listed: the largest */
	double bytes;
	struct mem_gap v[MEM_GAPS];
};

struct mem_boxes {
	struct mem_box *v;
	size_t n;
	size_t at;     /* under the cursor */
	double top;    /* bytes of all allocations */
	double lo, hi; /* the part of them in view */
	double used;   /* share of the area that boxes fill */
	double much;   /* memory_padded_times() */
	struct mem_gaps gaps;
	struct rect a; /* as last drawn */
	uint32_t *grid;
	size_t cells; /* two halves per cell: box + 1, 0 = none */
};

struct mem_job;

struct mem_view {
	struct frame frame;
	int module, space; /* module -1: not chosen yet */
	bool made;         /* m was built for these */
	struct memory m;
	struct mem_job *job; /* building m, NULL = none */
	struct memory_space_info spaces[MEM_SPACES];
	size_t nspaces;
	int64_t point, from, to; /* current; in view: [from, to) */
	struct {
		int64_t point, from, to;
	} back; /* position to restore when m is ready; to 0 = none */
	struct memory_buffer **row;
	size_t nrows;               /* of the table */
	struct memory_buffer small; /* sum of the small ones at a point other than the peak */
	struct table table, ops;
	struct sheet sheet, tree;
	struct memory_op *op;
	size_t nops; /* rows of the tree */
	uint32_t *op_parent;
	uint64_t *op_key;
	bool by_op, boxes, padding;
	bool all; /* small buffers one by one */
	struct mem_boxes box;
	char *want;   /* buffer or instruction to go to when m is ready; NULL = none */
	int home;     /* the space where looking for it began; -1: it is not looked for in others */
	char *failed; /* why the module cannot be read; NULL */
	char *
	    missing; /* the program that the message opened with the dump is about, if it is not here; NULL */
	int spaces_y, spaces_x[MEM_SPACES + 1]; /* as last drawn, for clicks */
	struct rect chart;                      /* as last drawn; h 0 = none */
};

/* memory.c */
bool memory_view_sync(struct view *); /* false: not ready */
void memory_view_choose(struct view *, int module, int space);
/* where the peak is first reached; the last point if there is none */
int64_t memory_view_peak_point(const struct memory *);
const struct memory_ranks *memory_view_ranks(const struct view *); /* NULL: not ready, or only one module */

/* link.c */
/* goes to a buffer, or to what an instruction defines; false: no such buffer */
bool memory_view_go(struct view *, const char *name);
struct memory_buffer *memory_view_here(const struct mem_view *); /* under the cursor, or NULL */
struct ref memory_view_ref(const struct view *);
int memory_view_show(struct view *, const struct ref *);

/* by_op.c: the buffers of the peak by framework op */
void memory_view_ops_make(struct mem_view *);
void memory_view_ops_free(struct mem_view *);
/* the tree's current op, if the tree is shown, else NULL */
const struct memory_op *memory_view_op_here(const struct mem_view *);
struct memory_buffer *memory_view_op_buffer(const struct mem_view *); /* of a leaf, else NULL */
void memory_view_op_sum(const struct mem_view *, const struct memory_op *, struct memory_buffer *);
size_t memory_view_op_largest(const struct mem_view *, const struct memory_op *,
    const struct memory_buffer **, size_t max);

/* act.c */
unsigned memory_view_act_always(struct view *, enum action, int count);
unsigned memory_view_act(struct view *, enum action, int count);
unsigned memory_view_press(struct view *, const struct mouse *);

/* table.c */
/* makes the rows of the current point; the cursor stays on its buffer if that is among them */
void memory_view_rows(struct mem_view *);
void memory_view_rows_free(struct mem_view *);
/* a lifetime; the last one ends when the last buffer that shares the memory does */
struct memory_life memory_view_life(const struct memory_buffer *, size_t i);
bool memory_view_alive(const struct memory *, const struct memory_buffer *, int64_t point);
enum role memory_view_cell_role(const void *view, size_t row, size_t column);

/* chart.c */
/* "15.75 GiB": two decimals from 1 GiB, otherwise like units_bytes() */
void memory_view_head_draw(struct mem_view *, struct canvas *, struct rect, bool roomy);
void memory_view_space_draw(struct mem_view *, struct canvas *, struct rect, const char *gloss);
/* with a row of marks above and of lifetimes below */
void memory_view_chart_draw(struct mem_view *, struct canvas *, struct rect);
void memory_view_parts_draw(const struct mem_view *, struct canvas *, struct rect, bool legend);
/* screen column of a point in view */
int memory_view_col(const struct mem_view *, struct rect, int64_t point);
int64_t memory_view_point_at(const struct mem_view *, struct rect, int x);
void memory_view_zoom(struct mem_view *, double factor);
void memory_view_pan(struct mem_view *, int eighths);

/* boxes.c */
void memory_view_boxes_make(struct mem_view *);
void memory_view_boxes_free(struct mem_view *);
void memory_view_boxes_draw(struct mem_view *, struct canvas *, struct rect);
void memory_view_boxes_step(struct mem_view *, int dy, int dx, int count);
void memory_view_boxes_zoom(struct mem_view *, double factor);
size_t memory_view_boxes_at(const struct mem_view *, int y, int x); /* SIZE_MAX = none */
/* switches between coloring by kind and by padding */
/* what of the selected box's texts, but its name, matches; "" = its name, or nothing */
void memory_view_boxes_match(const struct mem_view *, const struct regex *, char *buf, size_t size);
int memory_view_boxes_find(struct view *, const struct regex *, int dir, struct list_hits *);

/* gaps.c: what is free between the boxes at the current point */
const struct mem_gaps *memory_view_gaps(struct mem_view *);
void memory_view_point_text(const struct mem_view *, char *buf, size_t size); /* "at the peak", "at 12" */

/* card.c */
int memory_view_card(struct view *, struct canvas *, struct rect, enum frame_card);
void memory_view_card_text(struct view *, FILE *);

#endif
