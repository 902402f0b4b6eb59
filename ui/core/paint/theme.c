#include "config.h"
#include "core/paint/theme.h"

#include <stdlib.h>
#include <string.h>

#include "core/paint/canvas.h"

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, GRAY, BRIGHT_WHITE = 15, NORMAL = -1 };

#define B ATTR_BOLD
#define R ATTR_REVERSE
#define U ATTR_UNDERLINE
#define D ATTR_DIM

/* --- pieces of tables --- */

#define PLAIN(role, a) [ROLE_##role] = { NORMAL, NORMAL, a }
#define INK(role, color) [ROLE_##role] = { color, NORMAL, 0 }
#define FILL(role, ink, ground) [ROLE_##role] = { ink, ground, 0 }

/* Roles without a color of their own, on any terminal. */
#define CHROME \
	PLAIN(TEXT, 0), PLAIN(BOLD, B), PLAIN(TITLE, R), PLAIN(TAB, 0), PLAIN(TAB_HERE, R | B), \
	    PLAIN(KEYBAR, R), PLAIN(KEYBAR_KEY, R | B), PLAIN(STATUS, 0), PLAIN(PROMPT, B), \
	    PLAIN(MESSAGE, B), PLAIN(HEAD, B), PLAIN(SELECTED, R | B), PLAIN(CURSOR, B), PLAIN(MARK, B), \
	    PLAIN(RULER, 0), PLAIN(HIT, B | U)

/* Good, bad and similar states. */
#define STATES(bad, warn, good, progress) \
	[ROLE_ERROR] = { bad, NORMAL, B }, INK(BAD, bad), INK(WARN, warn), INK(GOOD, good), \
	INK(PROGRESS, progress)

/* Less important parts. */
#define QUIET(ink, a) \
	[ROLE_DIM] = { ink, NORMAL, a }, [ROLE_LINE] = { ink, NORMAL, a }, [ROLE_MISS] = { ink, NORMAL, a }, \
	[ROLE_COUNTER] = { ink, NORMAL, a }

#define BLOCKS(matmul, compute, copy, collective, io, host) \
	INK(BLOCK_MATMUL, matmul), INK(BLOCK_COMPUTE, compute), INK(BLOCK_COPY, copy), \
	    INK(BLOCK_COLLECTIVE, collective), INK(BLOCK_IO, io), INK(BLOCK_HOST, host)
#define BLOCKS_REST(ink, a) [ROLE_BLOCK_WAIT] = { ink, NORMAL, a }, [ROLE_BLOCK_OTHER] = { ink, NORMAL, a }

#define FILLS(matmul, compute, copy, collective) \
	FILL(FILL_MATMUL, BLACK, matmul), FILL(FILL_COMPUTE, BLACK, compute), FILL(FILL_COPY, BLACK, copy), \
	    FILL(FILL_COLLECTIVE, BLACK, collective)
#define FILLS_DARK(ink, io, host) FILL(FILL_IO, ink, io), FILL(FILL_HOST, ink, host)
#define FILLS_REST(ink, ground) FILL(FILL_WAIT, ink, ground), FILL(FILL_OTHER, ink, ground)
#define FILLS_REST8 PLAIN(FILL_WAIT, R | D), PLAIN(FILL_OTHER, R | D)

/* Yellow to blue, a higher value is darker; the 256-color steps differ visibly in lightness. */
#define HEAT256 \
	FILL(HEAT_0, 16, 230), FILL(HEAT_1, 16, 186), FILL(HEAT_2, 16, 115), FILL(HEAT_3, 16, 73), \
	    FILL(HEAT_4, 16, 31), FILL(HEAT_5, 231, 25), FILL(HEAT_6, 231, 20), FILL(HEAT_7, 231, 18)
#define HEAT(white) \
	PLAIN(HEAT_0, 0), FILL(HEAT_1, BLACK, YELLOW), FILL(HEAT_2, BLACK, YELLOW), \
	    FILL(HEAT_3, BLACK, GREEN), FILL(HEAT_4, BLACK, GREEN), FILL(HEAT_5, BLACK, CYAN), \
	    FILL(HEAT_6, white, BLUE), FILL(HEAT_7, white, BLUE)

/* --- default16: the terminal's own colors --- */

#define DARK16 \
	CHROME, STATES(RED, YELLOW, GREEN, CYAN), QUIET(GRAY, 0), \
	    BLOCKS(GREEN, CYAN, YELLOW, MAGENTA, RED, BLUE), BLOCKS_REST(GRAY, 0), \
	    FILLS(GREEN, CYAN, YELLOW, MAGENTA), FILLS_DARK(BRIGHT_WHITE, RED, BLUE), \
	    FILLS_REST(BRIGHT_WHITE, GRAY)

static const struct look dark16[ROLE_COUNT] = { DARK16, HEAT(BRIGHT_WHITE) };
static const struct look dark16_heat[ROLE_COUNT] = { DARK16, HEAT256 };
static const struct look dark8[ROLE_COUNT] = {
	CHROME,
	STATES(RED, YELLOW, GREEN, CYAN),
	QUIET(NORMAL, D),
	BLOCKS(GREEN, CYAN, YELLOW, MAGENTA, RED, BLUE),
	BLOCKS_REST(NORMAL, D),
	FILLS(GREEN, CYAN, YELLOW, MAGENTA),
	FILLS_DARK(WHITE, RED, BLUE),
	FILLS_REST8,
	HEAT(WHITE),
};

#define LIGHT16 \
	CHROME, STATES(RED, MAGENTA, BLUE, BLUE), QUIET(GRAY, 0), \
	    BLOCKS(GREEN, CYAN, YELLOW, MAGENTA, RED, BLUE), BLOCKS_REST(GRAY, 0), \
	    FILLS(GREEN, CYAN, YELLOW, MAGENTA), FILLS_DARK(BRIGHT_WHITE, RED, BLUE), \
	    FILLS_REST(BRIGHT_WHITE, GRAY)

static const struct look light16[ROLE_COUNT] = { LIGHT16, HEAT(BRIGHT_WHITE) };
static const struct look light16_heat[ROLE_COUNT] = { LIGHT16, HEAT256 };
static const struct look light8[ROLE_COUNT] = {
	CHROME,
	STATES(RED, MAGENTA, BLUE, BLUE),
	QUIET(NORMAL, D),
	BLOCKS(GREEN, CYAN, YELLOW, MAGENTA, RED, BLUE),
	BLOCKS_REST(NORMAL, D),
	FILLS(GREEN, CYAN, YELLOW, MAGENTA),
	FILLS_DARK(WHITE, RED, BLUE),
	FILLS_REST8,
	HEAT(WHITE),
};

static const struct theme default16_light = {
	.name = "default16",
	.on_light = true,
	.look256 = light16_heat,
	.look16 = light16,
	.look8 = light8,
};
static const struct theme default16 = {
	.name = "default16",
	.light = &default16_light,
	.look256 = dark16_heat,
	.look16 = dark16,
	.look8 = dark8,
};

/* --- dark256, light256: softer, and the same everywhere --- */

static const struct look soft_dark[ROLE_COUNT] = {
	CHROME,
	STATES(203, 179, 114, 80),
	QUIET(245, 0),
	BLOCKS(114, 80, 179, 176, 174, 75),
	BLOCKS_REST(245, 0),
	FILLS(114, 80, 179, 176),
	FILLS_DARK(BLACK, 174, 75),
	FILLS_REST(BLACK, 245),
	HEAT256,
};
static const struct look soft_light[ROLE_COUNT] = {
	CHROME,
	STATES(124, 94, 22, 25),
	QUIET(242, 0),
	BLOCKS(64, 30, 136, 133, 167, 68),
	BLOCKS_REST(244, 0),
	FILLS(64, 30, 136, 133),
	FILLS_DARK(BLACK, 167, 68),
	FILLS_REST(BLACK, 244),
	HEAT256,
};

static const struct theme dark256 = {
	.name = "dark256",
	.look256 = soft_dark,
	.look16 = dark16,
	.look8 = dark8,
};
static const struct theme light256 = {
	.name = "light256",
	.on_light = true,
	.look256 = soft_light,
	.look16 = light16,
	.look8 = light8,
};

/* --- cb: for red-green color blindness --- */

#define CB16(white) \
	BLOCKS(CYAN, GREEN, YELLOW, MAGENTA, RED, BLUE), FILLS(CYAN, GREEN, YELLOW, MAGENTA), \
	    FILLS_DARK(white, RED, BLUE)

static const struct look cb_dark[ROLE_COUNT] = {
	CHROME,
	STATES(166, 214, 74, 74),
	QUIET(245, 0),
	BLOCKS(36, 74, 227, 175, 166, 32),
	BLOCKS_REST(250, 0),
	FILLS(36, 74, 227, 175),
	FILLS_DARK(BLACK, 166, 32),
	FILLS_REST(BLACK, 250),
	HEAT256,
};
static const struct look cb_light[ROLE_COUNT] = {
	CHROME,
	STATES(130, 94, 25, 25),
	QUIET(242, 0),
	BLOCKS(29, 31, 100, 132, 166, 63),
	BLOCKS_REST(244, 0),
	FILLS(29, 31, 100, 132),
	FILLS_DARK(BLACK, 166, 63),
	FILLS_REST(BLACK, 244),
	HEAT256,
};
static const struct look cb_dark16[ROLE_COUNT] = {
	CHROME,
	STATES(MAGENTA, YELLOW, CYAN, CYAN),
	QUIET(GRAY, 0),
	CB16(BRIGHT_WHITE),
	BLOCKS_REST(GRAY, 0),
	FILLS_REST(BRIGHT_WHITE, GRAY),
	HEAT(BRIGHT_WHITE),
};
static const struct look cb_dark8[ROLE_COUNT] = {
	CHROME,
	STATES(MAGENTA, YELLOW, CYAN, CYAN),
	QUIET(NORMAL, D),
	CB16(WHITE),
	BLOCKS_REST(NORMAL, D),
	FILLS_REST8,
	HEAT(WHITE),
};
static const struct look cb_light16[ROLE_COUNT] = {
	CHROME,
	STATES(MAGENTA, RED, BLUE, BLUE),
	QUIET(GRAY, 0),
	CB16(BRIGHT_WHITE),
	BLOCKS_REST(GRAY, 0),
	FILLS_REST(BRIGHT_WHITE, GRAY),
	HEAT(BRIGHT_WHITE),
};
static const struct look cb_light8[ROLE_COUNT] = {
	CHROME,
	STATES(MAGENTA, RED, BLUE, BLUE),
	QUIET(NORMAL, D),
	CB16(WHITE),
	BLOCKS_REST(NORMAL, D),
	FILLS_REST8,
	HEAT(WHITE),
};

static const struct theme cb_on_light = {
	.name = "cb",
	.on_light = true,
	.look256 = cb_light,
	.look16 = cb_light16,
	.look8 = cb_light8,
};
static const struct theme cb = {
	.name = "cb",
	.light = &cb_on_light,
	.look256 = cb_dark,
	.look16 = cb_dark16,
	.look8 = cb_dark8,
};

/* --- mono: attributes; letters and glyphs of the views carry the meaning --- */

static const struct look mono_look[ROLE_COUNT] = { CHROME, PLAIN(ERROR, B), PLAIN(BAD, B) };

static const struct theme mono = {
	.name = "mono",
	.mono = true,
	.look256 = mono_look,
	.look16 = mono_look,
	.look8 = mono_look,
};

/* --- choosing --- */

const struct theme *const themes[] = { &default16, &dark256, &light256, &mono, &cb, NULL };

const struct theme *theme_find(const char *name)
{
	for (size_t i = 0; themes[i]; i++)
		if (!strcmp(themes[i]->name, name))
			return themes[i];
	return NULL;
}

const struct theme *theme_on(const struct theme *t, bool light_ground)
{
	return light_ground && t->light ? t->light : t;
}

struct look theme_look(const struct theme *t, enum role role, unsigned attr, int colors)
{
	const struct look *table = colors >= 256 ? t->look256
	    : colors >= 16                       ? t->look16
	    : colors >= 8                        ? t->look8
						 : mono_look;
	struct look l = table[role];

	if (l.fg == 0 && l.bg == 0) /* a role that is not in the table */
		l.fg = l.bg = NORMAL;
	l.attr |= (uint8_t)attr;
	return l;
}

static int16_t hue_color(struct look l)
{
	return l.bg >= 0 ? l.bg : l.fg;
}

struct look theme_two(const struct theme *t, enum role role, enum role under, int colors)
{
	struct look l = theme_look(t, role, 0, colors), ground = theme_look(t, under, 0, colors);

	return (struct look){ hue_color(l), hue_color(ground), l.attr & (uint8_t)~ATTR_DIM };
}

/* COLORFGBG is "15;0" or "0;default;15"; the last number is the background.  7 and the bright colors except
 * gray are light. */
static bool light_by(const char *colorfgbg)
{
	const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
	char *end;
	long ground;

	if (!last || !last[1])
		return false;
	ground = strtol(last + 1, &end, 10);
	return !*end && (ground == 7 || (ground > 8 && ground < 16));
}

static bool is_light(const struct settings *s, const struct theme_ground *g)
{
	const char *bg = settings_get(s, SET_BG);

	return !strcmp(bg, "light") || (!strcmp(bg, "auto") && light_by(g->colorfgbg));
}

/* How many colors to use: as many as the terminal has, or fewer if asked for. */
static int colors_of(const struct settings *s, const struct theme_ground *g)
{
	const char *wanted = settings_get(s, SET_COLORS);
	int most = !strcmp(wanted, "auto") ? 256 : atoi(wanted); /* "never": 0 */

	if (g->no_color && !settings_ask_colors(s))
		return 0;
	return most < g->colors ? most : g->colors;
}

static const struct glyphs *glyphs_of(const struct settings *s, const struct theme_ground *g)
{
	const char *name = settings_get(s, SET_GLYPHS);
	const struct glyphs *wanted = glyphs_find(name), *lines = g->lines ? &glyphs_box : &glyphs_ascii;

	if (!wanted)
		return settings_on(s, SET_SLOW) ? &glyphs_ascii : g->unicode ? &glyphs_blocks : lines;
	if (wanted == &glyphs_ascii || g->unicode)
		return wanted;
	return lines; /* the glyphs asked for would be shown as question marks */
}

struct theme_choice theme_choose(const struct settings *s, const struct theme_ground *g)
{
	const struct theme *wanted = theme_find(settings_get(s, SET_THEME));
	int colors = colors_of(s, g);

	if (!wanted)
		wanted = settings_on(s, SET_SLOW) ? &mono : &default16;
	if (colors < 8 || wanted->mono)
		return (struct theme_choice){ &mono, glyphs_of(s, g), 0 };
	return (struct theme_choice){ theme_on(wanted, is_light(s, g)), glyphs_of(s, g), colors };
}
