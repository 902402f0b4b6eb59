/* What text.c and text_table.c share: the state of a report for people, and writing texts of files. */
#ifndef REPORT_WRITE_INTERNAL_H
#define REPORT_WRITE_INTERNAL_H

#include "base/text/units.h"
#include "report/write/text.h"

#define TEXT_GAP 2

enum text_form { TEXT_WORDS, TEXT_PLAIN, TEXT_TIME, TEXT_PERCENT, TEXT_DECIMALS, TEXT_BYTES };

/* How a column reads. */
struct text_layout {
	enum text_form form;
	enum time_unit unit;
	int decimals, width;
	double scale;      /* of what is shown */
	bool right, prose; /* prose: over several lines instead of cut */
	bool hidden;       /* the same in all rows, or left out: said above */
	bool path;
	int cells, word; /* columns of the widest cell, of the longest word of the head */
	char head[64];
};

struct text {
	FILE *f;
	int width;
	bool ascii, hosts;
	int column; /* of the line of hosts, of a paragraph */
	struct {
		char *label, *value;
	} * sum;
	size_t nsums, sums_cap;
	const struct column *columns;
	size_t ncolumns;
	struct text_layout *layout;
	size_t *at; /* how far the sentences of a row are written */
	struct cell *kept;
	size_t nkept, kept_cap;
	struct arena strings;
	bool tree; /* names in column 1 stand in by the level in column 0 */
	uint64_t rows;
	bool fixed; /* widths are */
};

size_t text_looked_at(size_t n); /* bytes of a text of n that are looked at */
void text_put_clean(const struct text *, const char *, size_t n);
/* Cut in the middle, with the end that tells: of a path most of it.  The columns it took. */
int text_put_cut(const struct text *, const char *, size_t n, int width);
void text_put_spaces(const struct text *, int n);
/* the bytes of the first line of a paragraph: whole words where they fit; n when all of it does */
size_t text_line(const char *, size_t n, int width);
const char *text_dot(const struct text *); /* " · " */
/* A paragraph: the begin, then parts that stay whole, each on a new line when this one is full. */
void text_begin_paragraph(struct text *, const char *);
void text_add_part(struct text *, const char *, size_t n, const char *between);

bool text_is_words(const struct cell *);
/* a cell that is none, in the form of its column */
const char *text_plain(const struct text_layout *, const struct cell *, char *buf, size_t size);
/* text_fit.c: what fits the width; says above the table what does not stand in it */
void text_fit(struct text *);

#endif
