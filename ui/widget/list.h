/* The arithmetic of a scrolling list with a cursor, and the search in it.  The owner sets `n` and draws the
 * lines. */
#ifndef WIDGET_LIST_H
#define WIDGET_LIST_H

#include "core/input/action.h"
#include "core/paint/canvas.h"

struct list {
	size_t n, at, top; /* lines; the cursor's; the first visible */
	int rows;          /* visible; list_fit() sets it */
	int y;             /* screen row of the first visible line, as last drawn */
};

/* Search results: how many, and which one the cursor is on, from 1. */
struct list_hits {
	size_t n, at;
};
typedef bool list_match(const void *ctx, size_t line);

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

#endif
