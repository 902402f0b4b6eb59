/* The inside of sheet.c for tables that are trees: lines in the order chosen, level by level, and what is
 * open. */
#ifndef WIDGET_SHEET_TREE_H
#define WIDGET_SHEET_TREE_H

#include "widget/sheet.h"

/* Makes `order` and `whole` anew of all rows in the order chosen; pass: by row, those that the filter leaves,
 * NULL = all. */
void sheet_tree_arrange(struct sheet *, const size_t *rows, const bool *pass);
unsigned sheet_tree_act(struct sheet *, enum action); /* ACT_PASS: nothing to open or close */
/* opens what is around it; the lines are to be arranged again */
void sheet_tree_reveal(struct sheet *, size_t row);
/* the sign before a row's text; returns the columns that it takes with the indent */
int sheet_tree_sign(const struct sheet *, struct canvas *, int y, int x, int w, size_t row);

#endif
