/* Results are data: tables of typed columns and rows, independent of any terminal.  One table serves a view,
 * `report --format text|csv|json`, exports and tests.  Column ids never change and are XProf's own where
 * XProf has the column; `unit` is one of ps us ms s percent fraction GFLOP/s GiB/s FLOP/B MiB B J or "".  A
 * cell is null, an integer, a number, a string (not copied except by table_text(); interned strings of the
 * dump outlive the table) or a boolean.  The caller owns a table (table_free).  Rows can also be written one
 * by one without being kept: see report/write/writer.h. */
#ifndef RESULT_TABLE_H
#define RESULT_TABLE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text/strtab.h"
#include "result/schema.h"

#define CELL_BEYOND "> peak"
#define CELL_UNKNOWN "–" /* for people */

enum cell_type { CELL_NULL, CELL_INT, CELL_NUM, CELL_STR, CELL_BOOL, CELL_OBJ };

struct cell {
	enum cell_type type : 8;
	/* a rate above the peak of the chip: the number says little, so people see CELL_BEYOND in its place, and it
	 * comes behind all other numbers in any order */
	bool beyond;
	uint32_t n; /* bytes of s, which is a text, or of OBJ JSON; 0: a number */
	union {
		union {
			int64_t i;
			double d;
			bool b;
		} u;
		const char *s;
	};
};

struct table {
	const struct schema *schema;
	const struct column *columns; /* static */
	size_t ncolumns;
	struct cell *cells; /* nrows × ncolumns */
	size_t nrows, cap;
	struct arena text;
};

static inline struct cell cell_null(void)
{
	return (struct cell){ .type = CELL_NULL };
}
static inline struct cell cell_int(int64_t v)
{
	return (struct cell){ .type = CELL_INT, .u.i = v };
}
static inline struct cell cell_num(double v) /* NaN, which is not known, becomes null */
{
	return isnan(v) ? cell_null() : (struct cell){ .type = CELL_NUM, .u.d = v };
}
static inline struct cell cell_rate(double v, bool beyond)
{
	return (struct cell){ .type = CELL_NUM, .u.d = v, .beyond = beyond };
}
static inline struct cell cell_bool(bool v)
{
	return (struct cell){ .type = CELL_BOOL, .u.b = v };
}
static inline struct cell cell_str(const char *s, size_t n)
{
	return (struct cell){ .type = CELL_STR, .s = s, .n = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX };
}

static inline struct slice cell_text(const struct cell *cell) /* empty: not a text */
{
	bool text = cell->type == CELL_STR || cell->type == CELL_OBJ;

	return (struct slice){ text ? cell->s : NULL, cell->n };
}

double cell_number(const struct cell *);             /* NaN: NULL, null, or not a number */
struct cell cell_strz(const char *);                 /* NULL becomes null */
struct cell cell_known(int64_t);                     /* null for what is not known: a negative number */
struct cell cell_copy(struct arena *, struct slice); /* null without a text; an empty one stays empty */
struct cell cell_strid(const struct strtab *, strid);
struct cell arena_cell(struct arena *, const char *); /* copies; NULL or "" becomes null */

void table_begin(struct table *, const struct schema *);
/* Takes only the first n columns; this table does not use the others. */
void table_begin_some(struct table *, const struct schema *, size_t n);
/* Adds a row whose cells are made by the getters of the columns. */
void table_add(struct table *, const void *row);
/* Same for rows that are not kept: fills n cells; texts go into the arena. */
void table_cells(const struct column *, size_t n, const void *row, struct arena *text, struct cell *);
/* null beyond the end of the table */
const struct cell *table_at(const struct table *, size_t row, size_t column);
double table_num(const struct table *, size_t row, size_t column);       /* NaN: null, or beyond the end */
struct slice table_str(const struct table *, size_t row, size_t column); /* empty: null, or beyond the end */
/* same by id; null when there is no such column */
const struct cell *table_get(const struct table *, size_t row, const char *id);
void table_free(struct table *);
struct cell *table_row(struct table *); /* appends a row of nulls; valid until the next call */
const char *table_copy(struct table *, const char *, size_t);
/* a table with the same columns and cells; their texts stay those of the other, which must outlive it */
void table_begin_like(struct table *, const struct table *);
struct cell table_text(struct table *, const char *);                  /* copies; NULL or "" becomes null */
int table_column(const struct table *, const char *id);                /* -1: none */
double table_number(const struct table *, size_t row, const char *id); /* NaN: null, or no such column */
/* Sorts by "COL", "COL:asc" or "COL:desc" (numbers are descending by default); stable; numbers beyond what is
 * possible and then nulls come last. */
int table_sort(struct table *, const char *spec, struct err *);
/* Returns the row numbers in sorted order, leaving the table as it is; the caller frees. */
size_t *table_order(const struct table *, size_t column, bool down);
/* parses such a specification */
int table_sort_spec(const struct column *, size_t n, const char *spec, size_t *column, bool *down,
    struct err *);
void table_top(struct table *, size_t n);
/* of a tree whose rows have a level: leaves those above level n + 1; n 0: all */
void table_depth(struct table *, int n);
void table_pick(struct table *, const size_t *row, size_t n); /* leaves these rows, in this order */

/* Sentences such as warnings: one column, "text". */
void table_begin_texts(struct table *);
void table_say(struct table *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
