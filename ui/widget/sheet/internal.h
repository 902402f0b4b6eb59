/* What the files of this room know of each other.  Columns are those of the sheet, rows those of the table.
 * All of it runs on the thread of the screen. */
#ifndef WIDGET_SHEET_INTERNAL_H
#define WIDGET_SHEET_INTERNAL_H

#include "widget/sheet/sheet.h"

#define NO_SORT SIZE_MAX
#define SHEET_GAP 2 /* columns of the screen between two of the sheet */

/* --- columns and cells --- */

static inline bool sheet_is_elastic(const struct column *c)
{
	return c->width <= 0;
}

static inline bool sheet_is_number(const struct column *c)
{
	return c->type == COL_INTEGER || c->type == COL_NUMBER;
}

/* The bar beside the column before it, of which it has the cells. */
extern const struct column sheet_bar;

/* Is it in the table, and more than the bar of another? */
static inline bool sheet_has_values(const struct sheet *s, size_t column)
{
	return s->at[column] >= 0 && s->col[column] != &sheet_bar;
}

/* makes titles and units for the table that is shown */
void sheet_title_columns(struct sheet *);
bool sheet_is_share(const struct column *); /* shown in percent */
double sheet_share(const struct column *, double v);
double sheet_ps_per_unit(const struct column *); /* 0: not a time */
/* NULL: the table does not have the column */
const struct cell *sheet_cell(const struct sheet *, size_t row, size_t column);

/* --- rows --- */

void sheet_make_order(struct sheet *);   /* `order` and `whole`; the selected row stays where possible */
void sheet_forget_table(struct sheet *); /* and the rows in the chosen order */
void sheet_sort_neighbor(struct sheet *,
    int by); /* sorts by the next (1) or previous (-1) column in view that has values */
bool sheet_go_visible(struct sheet *, size_t row); /* false: the row is in no visible line */
/* after a new order, which gives hits other numbers: goes to the line of a row, or of its closest ancestor that
 * is visible */
void sheet_stay(struct sheet *, size_t row);

/* --- search and filter --- */

bool sheet_cell_matches(const struct cell *, const struct regex *, struct regex_scratch *);
/* by row, whether it matches the filter; the caller frees it; NULL: there is no filter */
bool *sheet_matching_rows(const struct sheet *, size_t n);
/* `open`: may open closed lines for a hit */
int sheet_find_hit(struct sheet *, const struct regex *, int dir, bool open);
void sheet_forget_found(struct sheet *); /* after a change of the table, of the pattern, or of the columns */

/* --- trees: lines in the chosen order, level by level, and which are open --- */

/* Makes `order` and `whole` again for all rows in the chosen order; pass: by row, whether it matches the
 * filter, NULL = all. */
void sheet_tree_arrange(struct sheet *, const size_t *rows, const bool *pass);
void sheet_tree_list(struct sheet *); /* makes only `order` again, after lines were opened or closed */
void sheet_tree_forget(struct sheet *);
unsigned sheet_tree_act(struct sheet *, enum action); /* ACT_PASS: there is nothing to open or close */
/* opens everything around a row; call sheet_tree_list() after it */
void sheet_tree_reveal(struct sheet *, size_t row);
/* draws the sign before a row's text; returns the columns used, with the indentation */
int sheet_tree_sign(const struct sheet *, struct canvas *, int y, int x, int w, size_t row);

#endif
