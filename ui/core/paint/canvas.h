/* The cell grid every view draws into.  Views name roles, never colours; a back end (term.h) turns cells into
 * bytes.  This is the place where text is made safe: canvas_text() shows control characters and broken UTF-8
 * as symbols, knows wide characters, clips, and falls back to ASCII where the glyph set says so; no raw byte
 * of a file gets past it.
 * Coordinates are rows and columns from 0; everything outside the canvas or its clip rectangle is cut off
 * silently.  The caller owns the canvas; one thread. */
#ifndef CORE_PAINT_CANVAS_H
#define CORE_PAINT_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/paint/glyph.h"
#include "core/paint/role.h"

enum { ATTR_BOLD = 1, ATTR_REVERSE = 2, ATTR_UNDERLINE = 4, ATTR_DIM = 8 };

struct canvas_cell {
	uint32_t ch; /* safe character; 0 = right half of a wide one */
	uint8_t role, attr;
	uint8_t under; /* a role whose colour is the ground of the cell; ROLE_TEXT = none */
};

struct rect {
	int y, x, h, w;
};
struct theme;

struct canvas {
	int rows, cols;
	struct canvas_cell *cells;
	struct rect clip;
	const struct glyphs *glyphs;
	bool mono;                 /* no colours: views say by letter what they would say by colour */
	const struct theme *theme; /* for canvas_dump(); NULL = the default one, or mono */
	int cursor_y, cursor_x;    /* where a prompt wants the terminal's cursor; -1 = hidden */
};

void canvas_init(struct canvas *, int rows, int cols, const struct glyphs *, bool mono);
void canvas_free(struct canvas *);
void canvas_resize(struct canvas *, int rows, int cols);
void canvas_clear(struct canvas *);                    /* blanks in ROLE_TEXT */
struct rect canvas_clip(struct canvas *, struct rect); /* returns the old one */

void canvas_put(struct canvas *, int y, int x, uint32_t ch, enum role, unsigned attr);
void canvas_glyph(struct canvas *, int y, int x, enum glyph, enum role, unsigned attr);
void canvas_vline(struct canvas *, int y, int x, int rows); /* parts what stands beside each other */
/* a sign in the colour of one role on the colour of another: parts of a cell that belong to two things.
 * Without colours only the sign is left. */
void canvas_two(struct canvas *, int y, int x, uint32_t ch, enum role, enum role under);
void canvas_fill(struct canvas *, struct rect, uint32_t ch, enum role, unsigned attr);
/* returns columns used */
int canvas_text(struct canvas *, int y, int x, int maxcols, enum role, unsigned attr, const char *s,
    size_t len);
int canvas_str(struct canvas *, int y, int x, int maxcols, enum role, unsigned attr, const char *s);
/* ends before column xend; returns its first column */
int canvas_right(struct canvas *, int y, int xend, enum role, unsigned attr, const char *s);
/* cut in the middle with … when too long, so the number at the end stays */
int canvas_cut(struct canvas *, int y, int x, int maxcols, enum role, unsigned attr, const char *s,
    size_t len);
int canvas_fmt(struct canvas *, int y, int x, int maxcols, enum role, unsigned attr, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));
/* adds attributes to what is there */
void canvas_attr(struct canvas *, struct rect, unsigned set);
/* replaces role and attributes, keeps characters */
void canvas_role(struct canvas *, struct rect, enum role, unsigned attr);

/* For tests, snapshots and `:snapshot`: lines of text; with `sgr` as a terminal would be told, through a
 * theme's colours (0 none, 16, 256). */
char *canvas_dump(const struct canvas *, int colors, size_t *len); /* caller frees */
/* one letter per cell (role_letter) */
char *canvas_dump_roles(const struct canvas *, size_t *len);

#endif
