/* The columns of a table, each defined once: one COLUMN of a .def file gives its id, type, unit, label, look in
 * a sheet and meaning, and how its cell is made from the struct behind a row.  Reports, exports, sheets of the
 * viewer, --list-columns and the man page are all made from it.
 *     COLUMN(id, type, unit, label, title, width, drop, show, value, meaning)
 * id       must not change: scripts, --sort and saved sessions use it; XProf's own where XProf has the column
 * type     INTEGER, NUMBER, STRING, BOOLEAN, OBJECT
 * unit     one of ps us ms s percent fraction GFLOP/s GiB/s FLOP/B MiB B J or ""
 * label    for people, in reports
 * title    for the sheet, where space is short; the unit is added; "": only the unit; NULL: the label
 * width    columns in a sheet; <= 0: elastic, at least -width
 * drop     columns with the largest number are dropped first when there is no room; 0: never
 * show     PLAIN (by type and unit) or another of enum column_show
 * value    a struct cell, made from `r`, the row; texts that do not outlive the table go into `text`
 * meaning  a sentence without its period
 * In a .c file, the columns and getters of a table are made by
 *     #define SCHEMA hlo
 *     #define SCHEMA_ROW struct hlo_row
 *     #define SCHEMA_DEF "analyze/tables/hlo_stats.def"
 *     #include "result/schema_def.h"
 * which defines `static const struct column hlo_columns[]`.  Code that needs a certain column finds it by an
 * enum made from the same file, or with table_column(). */
#ifndef RESULT_SCHEMA_H
#define RESULT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct cell;

enum column_type { COL_INTEGER, COL_NUMBER, COL_STRING, COL_BOOLEAN, COL_OBJECT };

enum column_show {
	SHOW_PLAIN,  /* by type and unit */
	SHOW_MIDDLE, /* text that is cut in the middle: names of ops */
	SHOW_LEFT,   /* text that is cut at the left: paths, framework ops */
	SHOW_BAR,    /* a fraction drawn as a bar */
	SHOW_TREE,   /* text after the fold mark of its line: with sheet_set_rows() */
	SHOW_SIZE,   /* bytes: all such columns of a sheet in KiB, MiB or GiB, whichever suits the first */
	SHOW_HUMAN,  /* bytes: each with the unit that suits it, in a sheet */
	SHOW_PROSE,  /* sentences: wrapped over several lines in a report */
	SHOW_HEX,    /* an address: 0x1c, in a sheet */
	SHOW_SLOTS,  /* a small count, a dot for none, in a sheet */
	SHOW_MOMENT, /* a time with enough digits to tell it from its neighbors */
	SHOW_CHANGE, /* a difference of which less is better: a sheet shows its sign, in colors */
	SHOW_LEVEL   /* how far the next column, a text, stands in in a report */
};

struct column {
	const char *id, *label, *unit;
	enum column_type type;
	const char *title;
	short width, drop;
	enum column_show show;
	struct cell (*get)(const void *row, struct arena *text);
	const char *meaning;
};

/* Forms are lists of ids separated by blanks.  view: what a sheet shows at first; "-id" is hidden there until
 * the user asks for it, "id|" is a fraction with a bar beside it, and columns that are not listed are hidden,
 * too, and come last.  text: the columns of
 * a text report.  NULL: all columns in their order. */
struct schema {
	const struct column *columns;
	size_t n;
	const char *view, *text;
};

/* People read all bandwidths in GB/s, as peaks of chips are given; XProf's ids have GiB/s.  Returns the unit that
 * is shown; numbers in `unit` are to be multiplied by *factor. */
const char *column_shown_unit(const char *unit, double *factor);

#define SCHEMA_COLUMNS(v) .columns = (v), .n = sizeof(v) / sizeof *(v)

size_t schema_column(const struct schema *, const char *id); /* SIZE_MAX: none */
/* Reads the next column of a form and whether it is hidden, and moves *form behind its id; false: no more. */
bool schema_next(const struct schema *, const char **form, size_t *column, bool *hidden);
/* Lists the columns of a form, including hidden ones, and returns how many; `out` must have room for n. */
size_t schema_form(const struct schema *, const char *form, size_t *out);

#endif
