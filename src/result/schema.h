/* The columns of a table, each defined once: one COLUMN of a .def file says its id, type, unit, what people
 * call it, how it looks in a sheet, what it means and how its cell is made from the struct that a row stands
 * for.  Reports, exports, sheets of the viewer, --list-columns and the man page are all made from that.
 *     COLUMN(id, type, unit, label, title, width, drop, show, value, meaning)
 * id       stable: what scripts, --sort and saved sessions say; XProf's own where XProf has the column
 * type     INTEGER, NUMBER, STRING, BOOLEAN, OBJECT
 * unit     one of ps us ms s percent fraction GFLOP/s GiB/s FLOP/B MiB B J or ""
 * label    for people, in reports
 * title    of the sheet, where width is short; its unit is added; "": the unit alone; NULL: the label
 * width    columns in a sheet; <= 0: elastic, at least -width
 * drop     what gives way where there is no room: the largest first, 0 never
 * show     PLAIN (by type and unit) or another of enum column_show
 * value    a struct cell, made from `r`, the row; texts that do not outlive the table go into `text`
 * meaning  a sentence without its period
 * In a .c file, columns[] and the getters of a table are made by
 *     #define SCHEMA hlo
 *     #define SCHEMA_ROW struct hlo_row
 *     #define SCHEMA_DEF "analyze/tables/hlo_stats.def"
 *     #include "result/schema_def.h"
 * which leaves `static const struct column hlo_columns[]` behind. Code that has to find a column does so by an
 * enum made from the same file, or by table_column(). */
#ifndef RESULT_SCHEMA_H
#define RESULT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct cell;

enum column_type { COL_INTEGER, COL_NUMBER, COL_STRING, COL_BOOLEAN, COL_OBJECT };

enum column_show {
	SHOW_PLAIN,  /* by type and unit */
	SHOW_MIDDLE, /* a text cut in its middle: names of ops */
	SHOW_LEFT,   /* a text cut at its left: paths, framework ops */
	SHOW_BAR,    /* a fraction as a bar */
	SHOW_TREE,   /* a text behind the sign of its line: with sheet_set_tree() */
	SHOW_PROSE,  /* sentences: over several lines in a report */
	SHOW_MOMENT  /* a time that must be told from its neighbors */
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

/* Forms are ids with blanks between them, in order.  view: what a sheet shows at first; "-id" has its place
 * there, but is hidden until the user asks for it, and so are those that are not named, at the end.  text: the
 * columns of a report for people.  NULL: all of them, as they come. */
struct schema {
	const struct column *columns;
	size_t n;
	const char *view, *text;
};

#define SCHEMA_COLUMNS(v) .columns = (v), .n = sizeof(v) / sizeof *(v)

size_t schema_column(const struct schema *, const char *id); /* SIZE_MAX: none */
/* The next column that a form names and whether it is hidden; false: that was all.  *form goes on. */
bool schema_next(const struct schema *, const char **form, size_t *column, bool *hidden);
/* The columns of a form, hidden ones included: how many.  `out` has room for n. */
size_t schema_form(const struct schema *, const char *form, size_t *out);

#endif
