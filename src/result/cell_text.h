/* Values as text: one way for people, with the unit that suits the number, and one for files, without a unit and
 * with their digits.  Pure functions; units are those of columns (schema.h), or FLOP/s, B/s and FLOP, which get a
 * prefix.  Tables with the unit in the head of a column print its numbers in one unit: widget/sheet/cell.c,
 * report/write/text_table.c. */
#ifndef RESULT_CELL_TEXT_H
#define RESULT_CELL_TEXT_H

#include <stdio.h>

#include "result/table.h"

enum number_look {
	NUMBER_SHORT,  /* "967.039 µs", "104.1 TFLOP/s", "15.48 GiB", "79.9 %" */
	NUMBER_PRECISE /* the digits of summaries of reports: "104103.512 GFLOP/s", "79.87 %" */
};

/* "–" for NaN; whole: of an integer, "26,723" */
char *number_text(char *buf, size_t size, double v, const char *unit, bool whole, enum number_look);
/* a cell for people; its text is cut at `size`; NULL: unknown; column: NULL for what is not a number */
char *cell_people(char *buf, size_t size, const struct cell *, const struct column *);
/* a cell for files, numbers with so many significant digits; "" for null; control characters become blanks */
void cell_file(FILE *, const struct cell *, int digits);

#endif
