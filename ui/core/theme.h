/* Themes: role → foreground, background, attributes, for 16 colours (8 when the terminal has no more) and mono.  Colours are ANSI indices, -1 = the terminal's default; never blue text,
 * bright backgrounds are not relied on.  Precedence when choosing: option > NO_COLOR > terminal. */
#ifndef CORE_THEME_H
#define CORE_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "core/role.h"

struct look { int16_t fg, bg; uint8_t attr; };	/* attr: ATTR_* of canvas.h */

struct theme {
	const char *name;
	bool mono;
	struct look look[ROLE_COUNT], look8[ROLE_COUNT];	/* look8: terminals with fewer than 16 colours */
};

extern const struct theme *const themes[];	/* default16, mono; ends with NULL */
const struct theme *theme_find(const char *name);
struct look theme_look(const struct theme *, enum role, unsigned attr, int colors);	/* colors: what the terminal has; attr is added */

#endif
