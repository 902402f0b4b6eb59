/* A scrolling list with a cursor: the arithmetic (list_act, list_fit), and, for tables, the drawing
 * (list_draw).  The owner sets `n` and supplies the text of each cell on request; nothing is copied.  Columns
 * of width 0 share the remaining width.  When there is no room, columns with the largest `drop` are left out
 * first (0 = never). */
#ifndef WIDGET_LIST_H
#define WIDGET_LIST_H

#include "core/input/action.h"
#include "core/paint/canvas.h"

struct list {
	size_t n, at, top; /* lines; the cursor's; the first visible */
	int rows;          /* visible; list_fit() sets it */
	int y;             /* screen row of the first visible line, as last drawn */
};

/* how a text that is too long is cut; numbers are right-aligned */
enum list_cut { CUT_MIDDLE, CUT_LEFT, CUT_RIGHT_ALIGNED };

struct list_column {
	const char *title;
	int width, drop;
	enum list_cut cut;
};

/* Search results: how many, and which one the cursor is on, from 1. */
struct list_hits {
	size_t n, at;
};
typedef bool list_match(const void *ctx, size_t line);

typedef enum role list_cell(const void *ctx, size_t line, size_t column, char *buf, size_t size);

/* false: not a list action, or nothing moved; count <= 0 counts as 1 */
bool list_act(struct list *, enum action, int count);
/* returns REACT_ bits; ACT_PASS: not a list action */
unsigned list_react(struct list *, enum action, int count);
void list_fit(struct list *, int rows); /* keeps the cursor in range and visible */
/* Finds the hit at or after `at` (dir 0), after it (1) or before it (-1), wrapping around; SIZE_MAX =
 * none. */
size_t list_find(struct list_hits *, size_t n, size_t at, int dir, list_match *, const void *ctx);
void list_find_status(const struct list_hits *, char *buf, size_t size); /* "hit 3 of 120" */
int list_line_at(const struct list *, int y);                            /* line drawn there, -1 = none */
void list_draw(struct list *, struct canvas *, struct rect, const struct list_column *, size_t ncolumns,
    list_cell *, const void *ctx);

#endif
