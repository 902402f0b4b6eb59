/* A scrolling list with a cursor: the arithmetic (list_act, list_fit), and, for tables, the drawing
 * (list_draw).  The owner fills in `n` and gives the text of each cell on request; nothing is
 * copied.  Columns of width 0 share what is left.  When there is no room, columns with the largest `drop`
 * go first (0 = never). */
#ifndef WIDGET_LIST_H
#define WIDGET_LIST_H

#include "core/input/action.h"
#include "core/paint/canvas.h"

struct list {
	size_t n, at, top; /* lines, the cursor's, the first in sight */
	int rows;          /* in sight; list_fit() sets it */
	int y;             /* of the first line in sight, as drawn last */
};

/* how too long a text is cut; numbers stand at the right */
enum list_cut { CUT_MIDDLE, CUT_LEFT, CUT_RIGHT_ALIGNED };

struct list_column {
	const char *title;
	int width, drop;
	enum list_cut cut;
};

/* Of a search: how many there are, which of them the cursor is on, from 1. */
struct list_hits {
	size_t n, at;
};
typedef bool list_match(const void *ctx, size_t line);

typedef enum role list_cell(const void *ctx, size_t line, size_t column, char *buf, size_t size);

/* false: no action of a list, or nothing moved; count <= 0 counts as 1 */
bool list_act(struct list *, enum action, int count);
unsigned list_react(struct list *, enum action,
    int count);                         /* as REACT_ bits; ACT_PASS: no action of a list */
void list_fit(struct list *, int rows); /* keeps the cursor inside and in sight */
/* The hit from `at` on (dir 0), behind it (1) or before it (-1), round the end; SIZE_MAX = none. */
size_t list_find(struct list_hits *, size_t n, size_t at, int dir, list_match *, const void *ctx);
void list_find_status(const struct list_hits *, char *buf, size_t size); /* "hit 3 of 120" */
int list_line_at(const struct list *, int y);                            /* line drawn there, -1 = none */
void list_draw(struct list *, struct canvas *, struct rect, const struct list_column *, size_t ncolumns,
    list_cell *, const void *ctx);

#endif
