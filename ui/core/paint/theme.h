/* Themes: role → foreground, background, attributes.  A theme has one table for 256 colors, one for 16, one
 * for 8; theme_look() takes the richest that the terminal can show and, below 8 colors, the attributes of the
 * mono theme; no other code falls back to fewer colors.  Colors are indices of xterm's palette, -1 = the
 * terminal's default; plain text always has the terminal's default colors, so that it is readable on any
 * background.  A theme for dark backgrounds names its twin for light ones (`light`): theme_on() selects
 * between them. ANSI yellow, green and cyan cannot be read on white, so light themes use them only as fills
 * under black text.  A class of events has one color in a theme, as a fill and as a block: with 256 colors on
 * a light background it is one that is visible on white and carries black text. The categories of `cb` are
 * Okabe and Ito's colors, as the nearest of the 256; its table for 16 colors avoids red next to green.  The
 * choice depends on, in this order: an option (or `:set`), NO_COLOR, the config file, the terminal.  The
 * terminal is never queried; COLORFGBG is the only hint used. */
#ifndef CORE_PAINT_THEME_H
#define CORE_PAINT_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "core/config/settings.h"
#include "core/paint/glyph.h"
#include "core/paint/role.h"

struct look {
	int16_t fg, bg;
	uint8_t attr;
}; /* attr: ATTR_* of canvas.h */

struct theme {
	const char *name;
	bool mono, on_light;
	const struct theme *light;                   /* its twin for light backgrounds; NULL = itself */
	const struct look *look256, *look16, *look8; /* [ROLE_COUNT] */
};

extern const struct theme *const themes[]; /* default16 first; ends with NULL */
const struct theme *theme_find(const char *name);
const struct theme *theme_on(const struct theme *, bool light_ground);
/* colors: how many the terminal has; attr is added */
struct look theme_look(const struct theme *, enum role, unsigned attr, int colors);
/* the color of `role` as foreground on the color of `under` */
struct look theme_two(const struct theme *, enum role, enum role under, int colors);

/* The terminal and the user's environment. */
struct theme_ground {
	int colors;            /* 0, 8, 16, 256 */
	bool no_color;         /* NO_COLOR is set and not empty */
	const char *colorfgbg; /* the variable's value or NULL */
	bool unicode, lines;   /* shows UTF-8; has line drawing characters */
};

struct theme_choice {
	const struct theme *theme;
	const struct glyphs *glyphs;
	int colors;
};

struct theme_choice theme_choose(const struct settings *, const struct theme_ground *);

#endif
