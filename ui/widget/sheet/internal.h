/* The part of sheet.c for tables that are trees: lines in the chosen order, level by level, and which are
 * open. */
#ifndef WIDGET_SHEET_INTERNAL_H
#define WIDGET_SHEET_INTERNAL_H

#include "widget/sheet/sheet.h"

/* Makes `order` and `whole` again for all rows in the chosen order; pass: by row, whether it matches the
 * filter, NULL = all. */
void sheet_tree_arrange(struct sheet *, const size_t *rows, const bool *pass);
unsigned sheet_tree_act(struct sheet *, enum action); /* ACT_PASS: there is nothing to open or close */
/* opens everything around a row; call sheet_arrange again after it */
void sheet_tree_reveal(struct sheet *, size_t row);
/* draws the sign before a row's text; returns the columns used, with the indentation */
int sheet_tree_sign(const struct sheet *, struct canvas *, int y, int x, int w, size_t row);

#endif
