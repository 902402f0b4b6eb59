/* What cards are made of: a pen that goes down the rows of a rectangle, headings, fields (a label and its value, in as
 * many columns as asked for), lists and paragraphs.  A card says which fields it has; this lays out, cuts and colors.
 * What has no room is counted, not drawn, so that a card that is scrolled knows its length.  Nothing is kept. */
#ifndef WIDGET_FIELDS_H
#define WIDGET_FIELDS_H

#include "core/paint/canvas.h"
#include "result/table.h"
#include "widget/card.h"

struct pen {
	struct canvas *c;
	struct rect r;
	int y;
	int label; /* columns of a label, with values behind it that are wrapped; 0: values end at the right edge */
	int across; /* fields side by side; 0: one */
	int most;   /* columns of a field, 0: as many as there are */
};

/* A label and a number in a unit (of result/cell_text.h; COUNT for integers), or a text:
 *     { "size", "B", .v = bytes }, { "kind", .text = kind, .no = !kind } */
struct field {
	const char *label;
	const char *unit; /* NULL: text */
	double v;         /* NaN: unknown */
	const char *text; /* NULL or "": unknown */
	enum role role;   /* ROLE_BOLD is bold without colors, too */
	bool no;          /* it does not apply, and takes no room */
};

#define COUNT "count"
#define FIELDS(...) \
	(const struct field[]){ __VA_ARGS__ }, \
	    sizeof((const struct field[]){ __VA_ARGS__ }) / sizeof(struct field)

bool pen_fits(const struct pen *); /* whether the row is in the rectangle */
void pen_head(struct pen *, const char *title, const char *about);
/* a name in bold, cut */
void pen_name(struct pen *, struct slice);
void pen_field(struct pen *, const char *label, enum role, const char *value);
void pen_fields(struct pen *, const struct field *, size_t n);
/* Fields of a row: of the columns of a form (schema.h; "-id" only if `full`); "?id id": those of them that are known;
 * "!id id": all other columns that are known. */
void pen_row(struct pen *, const struct table *, size_t row, const char *form, bool full);
/* a paragraph of at most `rows` rows, 0: as many as it takes */
void pen_text(struct pen *, int indent, enum role, struct slice, int rows);
void pen_say(struct pen *, enum role, const char *text);
/* one line: a text that is cut in the middle before what ends at the right edge, which is not dim */
void pen_line(struct pen *, enum role, struct slice left, const char *right);
void pen_fmt(struct pen *, enum role, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* one line, cut at its beginning because its end matters more: a path */
void pen_path(struct pen *, struct slice);

#endif
