/* A table of results (result/table.h) on the screen, with the columns of its schema (result/schema.h): rows
 * are sorted by any column, filtered by a pattern, searched; columns are chosen, elastic ones scrolled
 * sideways.  The caller owns the table, which must stay valid until sheet_set() gets another; nothing of it
 * is copied or changed.  Numbers are right-aligned; times of a column share one unit, named in the header;
 * null is shown as –.  Views set `role` where they differ from a plain table. Order: that of the table until
 * a column is chosen; numbers other than moments start with the largest; ties keep the table's order. */
#ifndef WIDGET_SHEET_H
#define WIDGET_SHEET_H

#include <stdio.h>

#include "base/err.h"
#include "base/text/regex.h"
#include "base/text/units.h"
#include "core/config/kv.h"
#include "core/view.h"
#include "result/table.h"
#include "widget/fold.h"
#include "widget/list.h"

#define SHEET_COLUMNS 48

/* Tables whose lines enclose others: for each row its parent (UINT32_MAX = none; parents come before their
 * children, the first child of a level is the one opened by default) and its key (widget/fold.h).  The caller
 * keeps both with the table. */
struct sheet_tree {
	const uint32_t *parent;
	const uint64_t *key;        /* NULL: no tree */
	struct fold_marks marks[2]; /* [1]: while a filter is on */
	bool all;                   /* lines that are not marked are open */
	bool shut;                  /* none opens by itself, except where it is the only one */
	/* the first child of each row and its next sibling in the chosen order, of those that the filter keeps; that of
	 * the last row + 1 is the first top-level row */
	uint32_t *first, *next;
	uint8_t *state; /* enum fold_state of each row that is shown */
	size_t *sorted; /* all rows in the chosen order, kept while the filter changes; NULL: none */
	size_t by;      /* that order: a column of the sheet */
	bool down;
};

/* A table and data for each row; the caller owns all of it and keeps it valid until the next call. */
struct sheet_rows {
	const struct table *table; /* NULL: not ready */
	/* what each row was made from, `size` bytes each; NULL: none */
	const void *of;
	size_t size;
	const uint32_t *parent; /* for a tree; NULL: not a tree */
	const uint64_t *key;
};

struct sheet_size {
	const char *name;
	double bytes;
};

struct sheet {
	const struct table *table;
	const struct schema *schema;
	const struct table *beside; /* cells of further columns, of the same rows; NULL: not ready */
	const void *of;             /* see struct sheet_rows */
	size_t of_size;
	const struct column *col[SHEET_COLUMNS];
	size_t ncol, nform;    /* the first nform are named by the form */
	int at[SHEET_COLUMNS]; /* column of the table, -1 = it has no such id */
	enum time_unit unit[SHEET_COLUMNS];
	const struct sheet_size *size; /* the unit shared by sizes in bytes */
	char title[SHEET_COLUMNS][32];
	int longest[SHEET_COLUMNS]; /* columns of the screen that texts need; of elastic ones only */
	bool empty[SHEET_COLUMNS];  /* no row has a value */
	bool hidden[SHEET_COLUMNS], off[SHEET_COLUMNS]; /* hidden: unless the user shows it */
	size_t sort;
	bool down;           /* sort: a column of the sheet; SIZE_MAX: the table's order */
	size_t *order;       /* rows of the table that are shown, list.n of them */
	unsigned long made;  /* another number whenever those rows or their order may be others */
	const char *name[2]; /* columns that name a row; NULL = none */
	char *named;         /* the row to find again; NULL = none yet */
	size_t line;         /* the line of the page where it was, from 1; 0 = any */
	/* rows that match the filter, including those in closed lines of a tree */
	size_t *whole, nwhole;
	struct sheet_tree tree;
	struct list list;
	/* horizontal scrolling of elastic columns, limited to what the last drawing can use */
	int shift, shift_most;
	struct regex *filter;
	const struct regex *find;
	bool *found;      /* by row of the table, whether `find` matches it; NULL: not looked yet */
	size_t hits, hit; /* of the search among the visible rows; hit counts from 1 */
	size_t chosen;    /* the column shown or hidden last */
	/* search and filter use all columns of the form, not only the visible ones; find_all: only the search does */
	bool all, find_all;
	int y, x[SHEET_COLUMNS + 1]; /* of the header, for clicks */
	/* role of a cell of the table; ROLE_TEXT = normal; may be NULL */
	enum role (*role)(const void *ctx, size_t row, size_t column);
	/* draws over a row after it was drawn, for example a mark in its `lead`; may be NULL */
	void (*mark)(const void *ctx, size_t row, struct canvas *, struct rect);
	const void *ctx;
	int lead;   /* screen columns before the first one, in addition to one space */
	bool still; /* no row is selected; pages scroll (sheet_scroll()) */
};

/* Uses the columns of a schema; form NULL: those of its view, in that order; else written like schema.view.
 * sort NULL: the table's order. */
void sheet_open(struct sheet *, const struct schema *, const char *form, const char *sort);
/* Adds further columns behind that of an id; they have values while there is a table of them. */
void sheet_add(struct sheet *, const struct schema *, const char *behind);
/* NULL: not ready, as after sheet_set() */
void sheet_beside(struct sheet *, const struct table *);
void sheet_free(struct sheet *);
/* NULL: not ready; keeps sort and filter, and the selected row if rows have names */
void sheet_set(struct sheet *, const struct table *);
void sheet_set_rows(struct sheet *, const struct sheet_rows *);
/* handles moves, < > r, Left and Right, and for a tree opening and closing lines; ACT_PASS for the rest */
unsigned sheet_act(struct sheet *, enum action, int count);
void sheet_draw(struct sheet *, struct canvas *, struct rect);
void sheet_scroll(struct sheet *, int pages); /* of a sheet that is `still` */
size_t sheet_row(const struct sheet *);       /* row of the table under the cursor; SIZE_MAX = none */
/* What a row, or the one under the cursor, was made from.  Always use this to get from a row to its data,
 * because row numbers of another table mean nothing.  NULL = none. */
const void *sheet_of(const struct sheet *, size_t row);
const void *sheet_here(const struct sheet *);
/* goes to a row and opens what is around it; false: the filter hides it */
bool sheet_go(struct sheet *, size_t row);
bool sheet_show(struct sheet *, size_t row); /* the same, but ends a filter that hides it */
/* Columns whose texts name a row (the second may be NULL): the row with the saved name is selected again in
 * another table or session.  Lines of a tree are identified by their keys. */
void sheet_name(struct sheet *, const char *first, const char *second);
void sheet_keep(struct sheet *);   /* saves the name of the selected row */
bool sheet_return(struct sheet *); /* goes to the saved row; false: not there, or hidden */
bool sheet_show_named(struct sheet *, const char *name); /* ends a filter that hides it */
/* down -1: the column's default; id NULL: the table's order; an unknown id changes nothing */
void sheet_sort(struct sheet *, const char *id, int down);
int sheet_find(struct sheet *, const struct regex *, int dir); /* like view_ops.find */
/* "" ends it; returns the rows that match, -1 = err */
int sheet_filter(struct sheet *, const char *pattern, struct err *);
void sheet_status(const struct sheet *, char *buf, size_t size); /* "12 of 39   sorted by self time" */
/* "by self time, reversed"; "" = the table's order */
void sheet_sorted(const struct sheet *, char *buf, size_t size);
/* "hit 2 of 3", followed by the text that matches if the sheet does not show it in full */
void sheet_find_status(const struct sheet *, char *buf, size_t size);
bool sheet_click(struct sheet *, int y, int x); /* selects a line, or sorts by the column of the header */
/* menu of the columns; on_pick() calls sheet_toggle() */
void sheet_choose(struct sheet *, struct app *, void (*on_pick)(struct app *, int));
/* menu of the columns to sort by; on_pick() calls sheet_sort_line() */
void sheet_choose_sort(struct sheet *, struct app *, void (*on_pick)(struct app *, int));
void sheet_sort_line(struct sheet *, int line);
void sheet_toggle(struct sheet *, size_t column);           /* shows or hides it */
void sheet_hide(struct sheet *, const char *id, bool hide); /* regardless of the user's choice */
/* saves and restores order, columns, filter, row and where it was on the page as kv pairs "sort", "column", "filter",
 * "row", "line" */
void sheet_save(const struct sheet *, struct kv *);
void sheet_restore(struct sheet *, const struct kv *);
/* Copies have ids as headings, and numbers in the unit of the column with all digits; null is empty. */
int sheet_copy(const struct sheet *, FILE *); /* the row under the cursor, "id\tvalue"; -1 = none */
/* copies rows of a table, in `order` or, if it is NULL, as they are; tab separated, with ids above, all
 * columns */
void sheet_copy_table(const struct table *, const size_t *order, size_t n, FILE *);
void sheet_copy_row(const struct sheet *, FILE *); /* the same of the row under the cursor */
/* the columns and rows that are shown, in their order */
void sheet_copy_shown(const struct sheet *, FILE *);
/* the same, or the row under the cursor, as a table that owns its columns and borrows texts of the sheet's; the caller
 * frees it */
void sheet_shown(const struct sheet *, bool row, struct table *);
/* the name of the row under the cursor: the text that tells it from the others; NULL = none; the caller frees */
char *sheet_row_name(const struct sheet *);
char *sheet_name_of_row(const struct sheet *, size_t row); /* the same of any row of the table */
void sheet_copy_rows(const struct sheet *, FILE *);        /* copies all rows that are shown, in that order */
/* the name of a column, without its unit */
const char *sheet_title(const struct sheet *, size_t column);
/* what the columns mean, for the help: at most SHEET_COLUMNS; returns how many */
struct help_note;
size_t sheet_meanings(const struct sheet *, struct help_note *);
/* the text of a cell as the sheet shows it */
void sheet_text(const struct sheet *, size_t row, size_t column, char *buf, size_t size);

#endif
