/* What text.c, text_table.c and text_fit.c share: the state of a text report, and safe output of strings. */
#ifndef REPORT_WRITE_INTERNAL_H
#define REPORT_WRITE_INTERNAL_H

#include "base/text/units.h"
#include "report/write/text.h"

#define TEXT_GAP 2

enum text_form { TEXT_WORDS, TEXT_PLAIN, TEXT_TIME, TEXT_PERCENT, TEXT_DECIMALS, TEXT_BYTES };

/* How a column is printed. */
struct text_layout {
	enum text_form form;
	enum time_unit unit;
	int decimals, width;
	double scale;      /* multiplies the values */
	bool right, prose; /* prose: wrapped over several lines instead of cut */
	bool hidden;       /* said once above the table: the same in all rows, or dropped */
	bool path;
	int cells, word; /* widths of the widest cell and of the longest word of the head */
	char head[64];
};

struct text {
	FILE *f;
	int width;
	bool ascii, hosts;
	int column; /* current column in a paragraph */
	struct {
		char *label, *value;
	} * sum;
	size_t nsums, sums_cap;
	const struct column *columns;
	size_t ncolumns;
	struct text_layout *layout;
	size_t *at; /* how far the prose of a row is written */
	struct cell *kept;
	size_t nkept, kept_cap;
	struct arena strings;
	size_t level; /* column that says how far the next one stands in; ncolumns: none does */
	uint64_t rows;
	bool fixed; /* the widths are fixed */
};

size_t text_looked_at(size_t n); /* how many of the n bytes of a text are used */
/* Writes a text, cut in the middle if it is too wide; a path keeps more of its end.  Returns the columns. */
int text_put_cut(const struct text *, const char *, size_t n, int width);
void text_put_spaces(const struct text *, int n);
/* Returns the bytes of the first line of a paragraph: whole words if they fit; n if all of it fits. */
size_t text_line(const char *, size_t n, int width);
const char *text_dot(const struct text *); /* " · " */
/* A paragraph: its start, then parts that are not broken; each goes to a new line if this one is full. */
void text_begin_paragraph(struct text *, const char *);
void text_add_part(struct text *, const char *, size_t n, const char *between);

bool text_is_words(const struct cell *);
/* a cell that is not prose, in the form of its column */
const char *text_plain(const struct text_layout *, const struct cell *, char *buf, size_t size);
/* text_fit.c: makes the columns fit the width, and says above the table what it moved out of it */
void text_fit(struct text *);

#endif
