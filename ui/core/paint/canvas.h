/* The cell grid that every view draws into.  Views use roles, never colors; a back end (term.h) turns cells
 * into bytes.  All text is made safe here: canvas_text() shows control characters and broken UTF-8 as
 * symbols, handles wide characters, clips, and falls back to ASCII where the glyph set requires it; no raw
 * byte of a file gets past it.  Coordinates are rows and columns from 0; everything outside the canvas or its
 * clip rectangle is cut off silently.  The caller owns the canvas; for one thread. */
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
	uint8_t under; /* the role whose color is the background; ROLE_TEXT = none */
	uint8_t late;  /* of a line about the selection, which may follow it */
};

struct rect {
	int y, x, h, w;
};
struct rect rect_common(struct rect, struct rect);
struct theme;

struct canvas {
	int rows, cols;
	struct canvas_cell *cells;
	struct rect clip;
	const struct glyphs *glyphs;
	bool mono;                 /* no colors: views use letters where they would use colors */
	const struct theme *theme; /* for canvas_dump(); NULL = the default one, or mono */
	int cursor_y, cursor_x;    /* position of the terminal's cursor in a prompt; -1 = hidden */
	struct rect late[4];       /* texts about the selection, which may follow it; h 0 = the end */
};

void canvas_init(struct canvas *, int rows, int cols, const struct glyphs *, bool mono);
void canvas_free(struct canvas *);
void canvas_resize(struct canvas *, int rows, int cols);
void canvas_clear(struct canvas *);                    /* fills with spaces in ROLE_TEXT */
struct rect canvas_clip(struct canvas *, struct rect); /* sets the clip rectangle and returns the old one */

void canvas_put(struct canvas *, int y, int x, uint32_t ch, enum role, unsigned attr);
void canvas_glyph(struct canvas *, int y, int x, enum glyph, enum role, unsigned attr);
void canvas_vline(struct canvas *, int y, int x, int rows); /* a separator between columns */
/* a character in the color of one role on the color of another, for a cell shared by two things.  Without
 * colors only the character is left. */
void canvas_two(struct canvas *, int y, int x, uint32_t ch, enum role, enum role under);
void canvas_fill(struct canvas *, struct rect, uint32_t ch, enum role, unsigned attr);
/* returns columns used */
int canvas_text(struct canvas *, int y, int x, int maxcols, enum role, unsigned attr, const char *s,
    size_t len);
int canvas_str(struct canvas *, int y, int x, int maxcols, enum role, unsigned attr, const char *s);
/* ends before column xend; returns its first column */
int canvas_right(struct canvas *, int y, int xend, enum role, unsigned attr, const char *s);
/* cut at the end with … when too long */
int canvas_start(struct canvas *, int y, int x, int maxcols, enum role, unsigned attr, const char *s,
    size_t len);
/* cut in the middle with … when too long, so that the number at the end stays */
int canvas_cut(struct canvas *, int y, int x, int maxcols, enum role, unsigned attr, const char *s,
    size_t len);
int canvas_fmt(struct canvas *, int y, int x, int maxcols, enum role, unsigned attr, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));
/* adds attributes to the cells */
void canvas_attr(struct canvas *, struct rect, unsigned set);
/* replaces role and attributes, keeps characters */
void canvas_role(struct canvas *, struct rect, enum role, unsigned attr);

/* Cells of the area may reach a slow terminal after the rest; the area that was named first comes first. */
void canvas_late(struct canvas *, struct rect);
void canvas_late_cell(struct canvas *, int y, int x); /* the same of a cell that was just drawn */
/* Where the changes since the frame before, of the same size, take more than `most` bytes in a terminal, late
 * cells stay as they were, and late areas from some row on: returns true then. */
bool canvas_hold(struct canvas *, const struct canvas_cell *before, int most);

/* For tests and snapshots: lines of text; with colors (0 none, 16, 256) also the SGR sequences
 * of the theme. */
char *canvas_dump(const struct canvas *, int colors, size_t *len); /* caller frees */

#endif
