/* A table of results (result/table.h) on the screen, with the columns of its schema (result/schema.h): rows
 * sorted by any column, filtered by a pattern, searched; columns chosen, the elastic ones scrolled sideways.  The table belongs to somebody else and must
 * stay until sheet_set() gives another one; nothing of it is copied or changed.  Numbers stand at the right;
 * times of a column share one unit, named in the header; null is shown as –.  Where the views differ from a
 * plain table they give `role` a say.
 * Order: as the table has it until a column is chosen; numbers but moments begin with the largest; ties keep
 * the table's order. */
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

/* Lines that enclose others: of each row of the table the one around it (UINT32_MAX = none; rows stand before
 * what they enclose, the first of a level is the one that is open by itself) and its key (widget/fold.h).
 * Both stay with the table. */
struct sheet_tree {
	const uint32_t *parent;
	const uint64_t *key;        /* NULL: no tree */
	struct fold_marks marks[2]; /* [1]: while a filter is on */
	bool all;                   /* what is not marked is open */
	uint8_t *state;             /* of each row, enum fold_state */
};

/* A table and what goes with it, by row; all of it belongs to somebody else and stays until the next. */
struct sheet_rows {
	const struct table *table; /* NULL: nothing yet */
	/* what each row stands for, `size` bytes each; NULL: no more than the table says */
	const void *of;
	size_t size;
	const uint32_t *parent; /* of a tree; NULL: it is none */
	const uint64_t *key;
};

struct sheet_size {
	const char *name;
	double bytes;
};

struct sheet {
	const struct table *table;
	const struct schema *schema;
	const void *of; /* struct sheet_rows */
	size_t of_size;
	const struct column *col[SHEET_COLUMNS];
	size_t ncol, nform;    /* the first nform are those that the form names */
	int at[SHEET_COLUMNS]; /* column of the table, -1 = it has none of that id */
	enum time_unit unit[SHEET_COLUMNS];
	const struct sheet_size *size; /* the unit that sizes of bytes share */
	char title[SHEET_COLUMNS][32];
	bool hidden[SHEET_COLUMNS], off[SHEET_COLUMNS]; /* hidden: until the user asks for it */
	size_t sort;
	bool down;           /* a column of the sheet; SIZE_MAX: as the table is */
	size_t *order;       /* rows of the table that are shown: list.n of them */
	const char *name[2]; /* columns that name a row; NULL */
	char *named;         /* the row to find again; NULL = none yet */
	/* those that pass the filter: of a tree also what is in closed lines */
	size_t *whole, nwhole;
	struct sheet_tree tree;
	struct list list;
	/* of the elastic columns; as far as it is of use for what was drawn last */
	int shift, shift_most;
	struct regex *filter;
	const struct regex *find;
	size_t hits, hit; /* of the search among the rows shown; hit counts from 1 */
	size_t chosen;    /* column shown or hidden last */
	/* searching and filtering look at all columns of the form, not only at those shown */
	bool all;
	int y, x[SHEET_COLUMNS + 1]; /* of the header, for clicks */
	/* of a cell of the table; ROLE_TEXT = nothing special; may be NULL */
	enum role (*role)(const void *ctx, size_t row, size_t column);
	/* draws over a row that was drawn: a mark in its `lead`, another look; may be NULL */
	void (*mark)(const void *ctx, size_t row, struct canvas *, struct rect);
	const void *ctx;
	int lead;   /* screen columns before the first one, beside the blank that is always there */
	bool still; /* no row is selected; pages scroll (sheet_scroll()) */
};

/* The columns of tables of that schema; form NULL: those of its view, in that order; else as schema.view is
 * written.  sort NULL: as the table is. */
void sheet_open(struct sheet *, const struct schema *, const char *form, const char *sort);
void sheet_free(struct sheet *);
/* NULL: nothing yet; keeps sort and filter, and the row selected if rows have names */
void sheet_set(struct sheet *, const struct table *);
void sheet_set_rows(struct sheet *, const struct sheet_rows *);
/* moves, < > r, Left and Right; of a tree also what opens and closes lines; ACT_PASS for the rest */
unsigned sheet_act(struct sheet *, enum action, int count);
void sheet_draw(struct sheet *, struct canvas *, struct rect);
void sheet_scroll(struct sheet *, int pages); /* of one that is still */
size_t sheet_row(const struct sheet *);       /* of the table, under the cursor; SIZE_MAX = none */
/* What a row stands for, or the one under the cursor: the only way from a row to what it was made from, as
 * no number of another table leads anywhere.  NULL = there is none. */
const void *sheet_of(const struct sheet *, size_t row);
const void *sheet_here(const struct sheet *);
/* false: the filter hides it; opens what is around it */
bool sheet_go(struct sheet *, size_t row);
bool sheet_show(struct sheet *, size_t row); /* the same; a filter that hides it goes */
/* Columns whose texts name a row (second may be NULL): in another table the row of the name kept last is
 * selected, and in another session.  Lines of a tree are known by their keys. */
void sheet_name(struct sheet *, const char *first, const char *second);
void sheet_keep(struct sheet *);                         /* the row selected is the one to find again */
bool sheet_return(struct sheet *);                       /* to it; false: it is not there, or hidden */
bool sheet_show_named(struct sheet *, const char *name); /* a filter that hides it goes */
/* down -1: as suits the column; id NULL: as the table is */
int sheet_sort(struct sheet *, const char *id, int down, struct err *);
int sheet_find(struct sheet *, const struct regex *, int dir);       /* as view_ops.find */
int sheet_filter(struct sheet *, const char *pattern, struct err *); /* "" ends it; rows left, -1 = err */
void sheet_status(const struct sheet *, char *buf, size_t size);     /* "12 of 39   sorted by self time" */
/* "by self time, reversed"; "": as the table is */
void sheet_sorted(const struct sheet *, char *buf, size_t size);
void sheet_find_status(const struct sheet *, char *buf, size_t size);
bool sheet_click(struct sheet *, int y, int x); /* a line, or the header of a column to sort by */
/* menu of the columns; on_pick() calls sheet_toggle() */
void sheet_choose(struct sheet *, struct app *, void (*on_pick)(struct app *, int));
void sheet_toggle(struct sheet *, size_t column);           /* shows or hides it */
void sheet_hide(struct sheet *, const char *id, bool hide); /* whatever the user chose */
/* sort, columns, filter, row: as kv pairs "sort", "column", "filter", "row" */
void sheet_save(const struct sheet *, struct kv *);
void sheet_restore(struct sheet *, const struct kv *);
/* What is copied has ids, and numbers in the unit of the column, to the last digit; null is empty. */
int sheet_copy(const struct sheet *, FILE *); /* the row under the cursor, "id\tvalue"; -1: there is none */
/* rows of a table, `order` NULL: as they are; tab separated, ids above them, all columns */
void sheet_copy_table(const struct table *, const size_t *order, size_t n, FILE *);
void sheet_copy_rows(const struct sheet *, FILE *); /* all that are shown, in that order */
/* of a column, without its unit */
const char *sheet_title(const struct sheet *, size_t column);
/* a cell as the sheet shows it */
void sheet_text(const struct sheet *, size_t row, size_t column, char *buf, size_t size);

#endif
