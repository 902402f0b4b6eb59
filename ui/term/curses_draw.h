/* Draws a canvas with ncurses.  Only cells that changed since the last frame are passed on; ncurses then
 * finds the cheapest bytes for them.  Color pairs are made when a look is first needed.  The terminal's
 * cursor is shown where the canvas wants it (in a prompt).  Bracketed paste is enabled, so that pasted text
 * is not taken for keys. */
#ifndef TERM_CURSES_DRAW_H
#define TERM_CURSES_DRAW_H

#include "core/paint/canvas.h"
#include "core/paint/theme.h"

struct curses_style;

struct curses_draw {
	const struct theme *theme;
	int colors;                 /* the theme may use: 0, 8, 16, 256 */
	struct curses_style *style; /* [ROLE_COUNT][16], by role and attributes */
	struct curses_style *two;   /* [ROLE_COUNT][ROLE_COUNT], by role and the one under it */
	struct curses_pair *pairs;
	int npairs;
	struct canvas_cell *last;
	int rows, cols;      /* size of `last`; rows 0 = the screen's content is not known */
	struct rect late[4]; /* of the last frame */
	bool cursor, paste;
	bool lines; /* box lines come from the terminal's alternate character set */
};

int curses_draw_open(struct curses_draw *); /* returns the number of colors: 0, 8, 16, 256 */
/* before the first frame, and whenever the theme changes */
void curses_draw_dress(struct curses_draw *, const struct theme *, int colors);
bool curses_draw_frame(struct curses_draw *, const struct canvas *, int most); /* term_ops.draw() */
void curses_draw_all(struct curses_draw *);  /* the next frame sends everything */
void curses_draw_stop(struct curses_draw *); /* before leaving the screen */
void curses_draw_free(struct curses_draw *);

#endif
