/* Themes: role → foreground, background, attributes.  A theme has one table for 256 colours, one for 16, one
 * for 8; theme_look() takes the richest that the terminal can show and, below 8 colours, the attributes of
 * the mono theme: the one place where colours are given up.  Colours are indices of xterm's palette, -1 = the
 * terminal's default; plain text is always in the terminal's own colours, so that no ground is assumed that
 * is not there.  A theme made for dark grounds names its twin for light ones (`light`): theme_on() goes from
 * one to the other.
 * Where the light ones are: ANSI yellow, green and cyan cannot be read on white, so they serve as fills under
 * black text only.
 * A kind of events has one colour in a theme, as a fill and as a block: with 256 colours on a light ground
 * one that can be seen on white and carries black text.
 * The categories of `cb` are Okabe and Ito's colours as the nearest of the 256; its table for 16 colours
 * avoids red beside green.
 *
 * What is chosen: an option (or `:set`), then NO_COLOR, then the config file, then what the terminal is;
 * the terminal is never asked, COLORFGBG is all the hint there is. */
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
	const struct theme *light;                   /* the same for light grounds; NULL = this one serves */
	const struct look *look256, *look16, *look8; /* [ROLE_COUNT] */
};

extern const struct theme *const themes[]; /* default16 first; ends with NULL */
const struct theme *theme_find(const char *name);
const struct theme *theme_on(const struct theme *, bool light_ground);
/* colors: what the terminal has; attr is added */
struct look theme_look(const struct theme *, enum role, unsigned attr, int colors);
/* the colours of both, as ink and ground */
struct look theme_two(const struct theme *, enum role, enum role under, int colors);

/* What a terminal is and what its user said in the environment. */
struct theme_ground {
	int colors;            /* 0, 8, 16, 256 */
	bool no_color;         /* NO_COLOR is set and not empty */
	const char *colorfgbg; /* the variable's value or NULL */
	bool unicode, lines;   /* shows UTF-8; has line drawing of its own */
};

struct theme_choice {
	const struct theme *theme;
	const struct glyphs *glyphs;
	int colors;
};

struct theme_choice theme_choose(const struct settings *, const struct theme_ground *);

#endif
