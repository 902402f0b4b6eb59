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

/* Classes of events: letters and blocks on no ground, bars with ink on them. */
#define HUES(ink, matmul, compute, copy, collective, io, host) \
	INK(BLOCK_MATMUL, matmul), INK(BLOCK_COMPUTE, compute), INK(BLOCK_COPY, copy), \
	    INK(BLOCK_COLLECTIVE, collective), INK(BLOCK_IO, io), INK(BLOCK_HOST, host), \
	    FILL(FILL_MATMUL, BLACK, matmul), FILL(FILL_COMPUTE, BLACK, compute), \
	    FILL(FILL_COPY, BLACK, copy), FILL(FILL_COLLECTIVE, BLACK, collective), FILL(FILL_IO, ink, io), \
	    FILL(FILL_HOST, ink, host)
#define USUAL_HUES(ink) HUES(ink, GREEN, CYAN, YELLOW, MAGENTA, RED, BLUE)
#define CB_HUES(ink) HUES(ink, CYAN, GREEN, YELLOW, MAGENTA, RED, BLUE)

/* Yellow to blue, a higher value is darker; the 256-color steps differ visibly in lightness. */
#define HEAT256 \
	FILL(HEAT_0, 16, 230), FILL(HEAT_1, 16, 186), FILL(HEAT_2, 16, 115), FILL(HEAT_3, 16, 73), \
	    FILL(HEAT_4, 16, 31), FILL(HEAT_5, 231, 25), FILL(HEAT_6, 231, 20), FILL(HEAT_7, 231, 18)
#define HEAT(white) \
	FILL(HEAT_0, BLACK, WHITE), FILL(HEAT_1, BLACK, YELLOW), FILL(HEAT_2, BLACK, YELLOW), \
	    FILL(HEAT_3, BLACK, GREEN), FILL(HEAT_4, BLACK, GREEN), FILL(HEAT_5, BLACK, CYAN), \
	    FILL(HEAT_6, white, BLUE), FILL(HEAT_7, white, BLUE)

/* Looks of what is not important, and of heat; gray is dim where a terminal has none. */
#define REST256(quiet, rest) \
	QUIET(quiet, 0), INK(BLOCK_WAIT, rest), INK(BLOCK_OTHER, rest), FILL(FILL_WAIT, BLACK, rest), \
	    FILL(FILL_OTHER, BLACK, rest), HEAT256
#define REST16 \
	QUIET(GRAY, 0), INK(BLOCK_WAIT, GRAY), INK(BLOCK_OTHER, GRAY), FILL(FILL_WAIT, BRIGHT_WHITE, GRAY), \
	    FILL(FILL_OTHER, BRIGHT_WHITE, GRAY)
#define REST8 \
	QUIET(NORMAL, D), PLAIN(BLOCK_WAIT, D), PLAIN(BLOCK_OTHER, D), PLAIN(FILL_WAIT, R | D), \
	    PLAIN(FILL_OTHER, R | D), HEAT(WHITE)

/* A theme with the looks NAME_256, NAME_16 and NAME_8. */
#define LOOKS(colors) .look256 = colors##_256, .look16 = colors##_16, .look8 = colors##_8

typedef const struct look looks[ROLE_COUNT];

/* --- default16: the terminal's own colors --- */

#define DARK CHROME, STATES(RED, YELLOW, GREEN, CYAN)
/* Yellow and the 16 colors' green cannot be read on a light ground, and magenta is what collectives have. */
#define LIGHT CHROME, STATES(RED, NORMAL, BLUE, BLUE)

static looks dark_256 = { DARK, USUAL_HUES(BRIGHT_WHITE), REST16, HEAT256 };
static looks dark_16 = { DARK, USUAL_HUES(BRIGHT_WHITE), REST16, HEAT(BRIGHT_WHITE) };
static looks dark_8 = { DARK, USUAL_HUES(WHITE), REST8 };
static looks light_256 = { CHROME, STATES(RED, 130, 28, BLUE), USUAL_HUES(BRIGHT_WHITE), REST16, HEAT256 };
static looks light_16 = { LIGHT, USUAL_HUES(BRIGHT_WHITE), REST16, HEAT(BRIGHT_WHITE) };
static looks light_8 = { LIGHT, USUAL_HUES(WHITE), REST8 };

static const struct theme default16_light = { .name = "default16", .on_light = true, LOOKS(light) };
static const struct theme default16 = { .name = "default16", .light = &default16_light, LOOKS(dark) };

/* --- dark256, light256: softer, and the same everywhere --- */

static looks soft_dark = { CHROME, STATES(203, 179, 114, 80), HUES(BLACK, 114, 80, 179, 176, 174, 75),
	REST256(245, 245) };
static looks soft_light = { CHROME, STATES(124, 94, 22, 25), HUES(BLACK, 64, 30, 136, 133, 167, 68),
	REST256(242, 244) };

static const struct theme dark256 = { .name = "dark256",
	.look256 = soft_dark,
	.look16 = dark_16,
	.look8 = dark_8 };
static const struct theme light256 = { .name = "light256",
	.on_light = true,
	.look256 = soft_light,
	.look16 = light_16,
	.look8 = light_8 };

/* --- cb: for red-green color blindness --- */

#define CB_DARK CHROME, STATES(RED, YELLOW, CYAN, CYAN)
#define CB_LIGHT LIGHT

static looks cb_dark_256 = { CHROME, STATES(166, 214, 74, 74), HUES(BLACK, 36, 74, 227, 175, 166, 32),
	REST256(245, 250) };
static looks cb_dark_16 = { CB_DARK, CB_HUES(BRIGHT_WHITE), REST16, HEAT(BRIGHT_WHITE) };
static looks cb_dark_8 = { CB_DARK, CB_HUES(WHITE), REST8 };
static looks cb_light_256 = { CHROME, STATES(130, 94, 25, 25), HUES(BLACK, 29, 31, 100, 132, 166, 63),
	REST256(242, 244) };
static looks cb_light_16 = { CB_LIGHT, CB_HUES(BRIGHT_WHITE), REST16, HEAT(BRIGHT_WHITE) };
static looks cb_light_8 = { CB_LIGHT, CB_HUES(WHITE), REST8 };

static const struct theme cb_on_light = { .name = "cb", .on_light = true, LOOKS(cb_light) };
static const struct theme cb = { .name = "cb", .light = &cb_on_light, LOOKS(cb_dark) };

/* --- mono: attributes; letters and glyphs of the views carry the meaning --- */

static looks mono_look = { CHROME, PLAIN(ERROR, B), PLAIN(BAD, B) };

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
