#include "config.h"

#include "core/paint/theme.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/paint/canvas.h"
#include "core/paint/glyph.h"

/* --- contrast as defined by WCAG, with xterm's palette --- */

static double channel(int v)
{
	double c = v / 255.0;

	return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(int color)
{
	static const int ansi[16] = {
		0x000000,
		0xcd0000,
		0x00cd00,
		0xcdcd00,
		0x0000ee,
		0xcd00cd,
		0x00cdcd,
		0xe5e5e5,
		0x7f7f7f,
		0xff0000,
		0x00ff00,
		0xffff00,
		0x5c5cff,
		0xff00ff,
		0x00ffff,
		0xffffff,
	};
	static const int step[6] = { 0, 95, 135, 175, 215, 255 };
	int r, g, b;

	if (color < 16) {
		r = ansi[color] >> 16;
		g = ansi[color] >> 8 & 255;
		b = ansi[color] & 255;
	} else if (color < 232) {
		r = step[(color - 16) / 36];
		g = step[(color - 16) / 6 % 6];
		b = step[(color - 16) % 6];
	} else {
		r = g = b = 8 + 10 * (color - 232);
	}
	return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
}

static double contrast(int a, int b)
{
	double la = luminance(a), lb = luminance(b);

	return ((la > lb ? la : lb) + 0.05) / ((la > lb ? lb : la) + 0.05);
}

static bool is_block(int role)
{
	return role >= ROLE_BLOCK_MATMUL && role <= ROLE_BLOCK_OTHER;
}

static bool is_fill(int role)
{
	return role >= ROLE_FILL_MATMUL && role <= ROLE_FILL_OTHER;
}

/* Every theme, including those for light backgrounds. */
static size_t all_themes(const struct theme *out[16])
{
	size_t n = 0;

	for (size_t i = 0; themes[i]; i++) {
		out[n++] = themes[i];
		if (themes[i]->light)
			out[n++] = themes[i]->light;
	}
	return n;
}

static const int depths[] = { 0, 8, 16, 256 };

/* --- tests --- */

static void test_names(void **state)
{
	static const char *const names[] = { "default16", "dark256", "light256", "mono", "cb" };

	(void)state;
	assert_ptr_equal(theme_find("default16"), themes[0]);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_string_equal(theme_find(names[i])->name, names[i]);
	assert_true(theme_find("mono")->mono);
	assert_null(theme_find("neon"));
	assert_true(theme_on(theme_find("cb"), true)->on_light);
	assert_string_equal(theme_on(theme_find("cb"), true)->name, "cb");
	assert_ptr_equal(theme_on(theme_find("mono"), true), theme_find("mono"));
	assert_ptr_equal(theme_on(themes[0], false), themes[0]);
}

static void test_only_colors_that_are_there(void **state)
{
	const struct theme *all[16];
	size_t n = all_themes(all);

	(void)state;
	assert_int_equal(n, 7);
	for (size_t t = 0; t < n; t++)
		for (int role = 0; role < ROLE_COUNT; role++) {
			struct look l16 = theme_look(all[t], (enum role)role, 0, 16),
				    l256 = theme_look(all[t], (enum role)role, 0, 256),
				    l8 = theme_look(all[t], (enum role)role, 0, 8),
				    none = theme_look(all[t], (enum role)role, 0, 0);

			assert_in_range(l256.fg + 1, 0, 256);
			assert_in_range(l256.bg + 1, 0, 256);
			assert_in_range(l16.fg + 1, 0, 16);
			/* bright backgrounds other than gray are avoided */
			assert_in_range(l16.bg + 1, 0, 9);
			assert_in_range(l8.fg + 1, 0, 8);
			assert_in_range(l8.bg + 1, 0, 8);
			assert_int_equal(none.fg, -1);
			assert_int_equal(none.bg, -1);
			if (all[t]->mono)
				assert_true(l256.fg == -1 && l256.bg == -1);
		}
}

static void check_look(const struct theme *t, int role, int colors)
{
	struct look l = theme_look(t, (enum role)role, 0, colors);
	double least = colors == 256 && !(t == themes[0] || t == themes[0]->light) ? 4.5 : 2.9;
	bool soft =
	    l.fg < 0 || is_block(role) || role == ROLE_LINE || role == ROLE_MISS || role == ROLE_COUNTER;
	int ground = t->on_light ? 15 : 0;

	/* a fill sets both colors, so it does not depend on the terminal's background */
	assert_true(l.bg < 0 || l.fg >= 0);
	assert_true(l.bg < 0 || l.bg != l.fg);
	if (l.bg >= 0 && contrast(l.fg, l.bg) < least)
		fail_msg("%s, %d colors, role %d: %d on %d is %.1f", t->name, colors, role, l.fg, l.bg,
		    contrast(l.fg, l.bg));
	if (l.bg < 0 && l.fg >= 0 && !soft && contrast(l.fg, ground) < (colors == 256 ? least : 3))
		fail_msg("%s, %d colors, role %d: %d on the ground is %.1f", t->name, colors, role, l.fg,
		    contrast(l.fg, ground));
	/* ANSI has only one green: small blocks may have low contrast there, but not where there is a
	 * choice */
	if (l.bg < 0 && l.fg >= 16 && soft && contrast(l.fg, ground) < 3)
		fail_msg("%s, %d colors, role %d: block %d is %.1f", t->name, colors, role, l.fg,
		    contrast(l.fg, ground));
	if (!t->on_light && l.bg < 0 && l.fg == 4) /* never blue text on a background that may be black */
		assert_int_equal(role, ROLE_BLOCK_HOST);
}

static void test_every_role_can_be_read(void **state)
{
	const struct theme *all[16];
	size_t n = all_themes(all);

	(void)state;
	for (size_t t = 0; t < n; t++)
		for (size_t d = 0; d < sizeof depths / sizeof *depths; d++)
			for (int role = 0; role < ROLE_COUNT; role++)
				check_look(all[t], role, depths[d]);
}

/* Text, cursor and chrome have the terminal's own colors in every theme. */
static void test_plain_text_is_the_terminals(void **state)
{
	static const enum role own[] = { ROLE_TEXT, ROLE_BOLD, ROLE_STATUS, ROLE_TITLE, ROLE_SELECTED,
		ROLE_CURSOR };
	const struct theme *all[16];
	size_t n = all_themes(all);

	(void)state;
	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
			struct look l = theme_look(all[t], own[i], 0, 256);

			assert_true(l.fg == -1 && l.bg == -1);
		}
}

/* The kinds of events look different, except waits and the rest; a block has the color of its fill. */
static void test_kinds_are_told_apart(void **state)
{
	const struct theme *all[16];
	size_t n = all_themes(all);

	(void)state;
	for (size_t t = 0; t < n; t++)
		for (int a = ROLE_FILL_MATMUL; a < ROLE_FILL_WAIT && !all[t]->mono; a++)
			for (size_t d = 1; d < sizeof depths / sizeof *depths; d++)
				for (int b = a + 1; b <= ROLE_FILL_WAIT; b++) {
					int by = ROLE_BLOCK_MATMUL - ROLE_FILL_MATMUL;

					assert_int_not_equal(theme_look(all[t], (enum role)a, 0, depths[d])
								 .bg,
					    theme_look(all[t], (enum role)b, 0, depths[d]).bg);
					assert_int_not_equal(theme_look(all[t], (enum role)(a + by), 0,
								 depths[d])
								 .fg,
					    theme_look(all[t], (enum role)(b + by), 0, depths[d]).fg);
				}
	for (size_t t = 0; t < n; t++)
		for (int a = ROLE_FILL_MATMUL; a <= ROLE_FILL_OTHER; a++)
			for (size_t d = 1; d < sizeof depths / sizeof *depths; d++) {
				int fill = theme_look(all[t], (enum role)a, 0, depths[d]).bg,
				    block = theme_look(all[t],
					(enum role)(a + ROLE_BLOCK_MATMUL - ROLE_FILL_MATMUL), 0, depths[d])
						.fg;

				if (fill >= 0)
					assert_int_equal(fill, block);
			}
}

/* A finding of medium or high severity does not look like collectives, nor like the other, on no ground. */
static void test_warnings_are_no_collectives(void **state)
{
	static const int colors[] = { 8, 16, 256 };

	(void)state;
	for (size_t i = 0; themes[i]; i++)
		for (int light = 0; light < 2 && !themes[i]->mono; light++)
			for (size_t k = 0; k < 3; k++) {
				const struct theme *t = theme_on(themes[i], light);

				int collective = theme_look(t, ROLE_BLOCK_COLLECTIVE, 0, colors[k]).fg;

				assert_int_not_equal(theme_look(t, ROLE_WARN, 0, colors[k]).fg, collective);
				assert_int_not_equal(theme_look(t, ROLE_BAD, 0, colors[k]).fg, collective);
				assert_int_not_equal(theme_look(t, ROLE_BAD, 0, colors[k]).fg,
				    theme_look(t, ROLE_WARN, 0, colors[k]).fg);
			}
}

static void test_okabe_and_ito(void **state)
{
	static const int set[] = { 36, 74, 227, 175, 166, 32, 250, 250 };

	(void)state;
	for (int i = 0; i < 8; i++) {
		struct look l = theme_look(theme_find("cb"), (enum role)(ROLE_FILL_MATMUL + i), 0, 256);

		assert_true(is_fill(ROLE_FILL_MATMUL + i));
		assert_int_equal(l.bg, set[i]);
		assert_int_equal(l.fg, 0);
	}
}

static void test_heat_gets_darker(void **state)
{
	const struct theme *all[16];
	size_t n = all_themes(all);

	(void)state;
	for (size_t t = 0; t < n; t++)
		for (int r = ROLE_HEAT_1; r <= ROLE_HEAT_7 && !all[t]->mono; r++)
			assert_true(luminance(theme_look(all[t], (enum role)r, 0, 256).bg) <
			    luminance(theme_look(all[t], (enum role)(r - 1), 0, 256).bg));
}

static void test_attributes_add_up(void **state)
{
	(void)state;
	assert_int_equal(theme_look(themes[0], ROLE_TITLE, ATTR_BOLD, 16).attr, ATTR_REVERSE | ATTR_BOLD);
	assert_int_equal(theme_look(themes[0], ROLE_DIM, 0, 8).attr, ATTR_DIM);
	assert_int_equal(theme_look(themes[0], ROLE_DIM, 0, 16).fg, 8);
}

/* Selections, headings and warnings must be visible without color in every theme. */
static void test_mono_still_tells(void **state)
{
	static const enum role loud[] = { ROLE_TITLE, ROLE_TAB_HERE, ROLE_KEYBAR, ROLE_KEYBAR_KEY,
		ROLE_SELECTED, ROLE_HEAD, ROLE_HIT, ROLE_ERROR };

	(void)state;
	for (size_t i = 0; i < sizeof loud / sizeof *loud; i++) {
		assert_int_not_equal(theme_look(theme_find("mono"), loud[i], 0, 16).attr, 0);
		assert_int_not_equal(theme_look(theme_find("dark256"), loud[i], 0, 0).attr, 0);
	}
}

static void test_glyph_sets_are_whole(void **state)
{
	static const char *const sets[] = { "blocks", "ascii", "box", "braille" };

	(void)state;
	assert_null(glyphs_find("runes"));
	for (size_t s = 0; s < 4; s++) {
		const struct glyphs *set = glyphs_find(sets[s]);
		bool box = set == &glyphs_box;

		for (int g = 0; g < GLYPH_COUNT; g++) {
			assert_int_not_equal(set->g[g], 0);
			if (set->ascii && !box)
				assert_in_range(set->g[g], '!', '~');
		}
		for (int i = 0; i < 9; i++) {
			assert_true(set->height[i] && set->left[i] && set->graph[i]);
			if (set->ascii)
				assert_true(
				    set->height[i] < 127 && set->left[i] < 127 && set->graph[i] < 127);
		}
	}
	assert_in_range(glyphs_braille.graph[8], 0x2800, 0x28ff);
}

/* --- choosing --- */

static struct theme_choice chosen(const char *const *set, enum setting_source source, struct theme_ground g)
{
	struct settings s = { 0 };
	struct err err = { 0 };

	for (; *set; set += 2)
		assert_int_equal(settings_put(&s, set[0], set[1], source, &err), 0);
	return theme_choose(&s, &g);
}

#define SET(...) \
	(const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}

static const struct theme_ground rich = { .colors = 256, .unicode = true, .lines = true };

static void test_option_over_no_color_over_config(void **state)
{
	struct theme_ground g = rich;

	(void)state;
	assert_string_equal(chosen(SET("slow", "off"), SET_BY_DEFAULT, g).theme->name, "default16");
	assert_string_equal(chosen(SET("theme", "cb"), SET_BY_CONFIG, g).theme->name, "cb");
	g.no_color = true;
	assert_string_equal(chosen(SET("slow", "off"), SET_BY_DEFAULT, g).theme->name, "mono");
	assert_string_equal(chosen(SET("theme", "cb"), SET_BY_CONFIG, g).theme->name, "mono");
	assert_string_equal(chosen(SET("colors", "256"), SET_BY_CONFIG, g).theme->name, "mono");
	assert_string_equal(chosen(SET("theme", "cb"), SET_BY_OPTION, g).theme->name, "cb");
	assert_string_equal(chosen(SET("colors", "16"), SET_BY_OPTION, g).theme->name, "default16");
	assert_string_equal(chosen(SET("theme", "dark256"), SET_BY_USER, g).theme->name, "dark256");
}

static void test_colors_are_given_up_in_order(void **state)
{
	struct theme_ground g = rich;

	(void)state;
	assert_int_equal(chosen(SET("theme", "cb"), SET_BY_OPTION, g).colors, 256);
	assert_int_equal(chosen(SET("theme", "cb", "colors", "16"), SET_BY_OPTION, g).colors, 16);
	assert_int_equal(chosen(SET("theme", "cb", "colors", "never"), SET_BY_OPTION, g).colors, 0);
	g.colors = 8;
	assert_int_equal(chosen(SET("theme", "cb", "colors", "256"), SET_BY_OPTION, g).colors, 8);
	g.colors = 0;
	assert_true(chosen(SET("theme", "cb", "colors", "256"), SET_BY_OPTION, g).theme->mono);
}

static void test_ground(void **state)
{
	static const struct {
		const char *colorfgbg;
		bool light;
	} hints[] = {
		{ "0;15", true },
		{ "15;0", false },
		{ "0;default;15", true },
		{ "12;8", false },
		{ "0;7", true },
		{ "15;default", false },
		{ "", false },
		{ ";", false },
		{ "15", false },
		{ "0;99", false },
		{ NULL, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
		struct theme_ground g = rich;

		g.colorfgbg = hints[i].colorfgbg;
		assert_int_equal(chosen(SET("slow", "off"), SET_BY_DEFAULT, g).theme->on_light,
		    hints[i].light);
		assert_true(chosen(SET("bg", "light"), SET_BY_CONFIG, g).theme->on_light);
		assert_false(chosen(SET("bg", "dark"), SET_BY_CONFIG, g).theme->on_light);
	}
}

static void test_glyphs_that_the_terminal_has(void **state)
{
	struct theme_ground g = rich;

	(void)state;
	assert_ptr_equal(chosen(SET("slow", "off"), SET_BY_DEFAULT, g).glyphs, &glyphs_blocks);
	assert_ptr_equal(chosen(SET("glyphs", "braille"), SET_BY_CONFIG, g).glyphs, &glyphs_braille);
	g.unicode = false;
	assert_ptr_equal(chosen(SET("slow", "off"), SET_BY_DEFAULT, g).glyphs, &glyphs_box);
	assert_ptr_equal(chosen(SET("glyphs", "braille"), SET_BY_OPTION, g).glyphs, &glyphs_box);
	assert_ptr_equal(chosen(SET("glyphs", "ascii"), SET_BY_OPTION, g).glyphs, &glyphs_ascii);
	g.lines = false;
	assert_ptr_equal(chosen(SET("glyphs", "box"), SET_BY_OPTION, g).glyphs, &glyphs_ascii);
}

static void test_slow(void **state)
{
	struct theme_choice c = chosen(SET("slow", "on"), SET_BY_OPTION, rich);

	(void)state;
	assert_true(c.theme->mono && c.glyphs == &glyphs_ascii);
	c = chosen(SET("slow", "on", "theme", "cb", "glyphs", "blocks"), SET_BY_OPTION, rich);
	assert_true(!c.theme->mono && c.glyphs == &glyphs_blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_only_colors_that_are_there),
		cmocka_unit_test(test_every_role_can_be_read),
		cmocka_unit_test(test_plain_text_is_the_terminals),
		cmocka_unit_test(test_kinds_are_told_apart),
		cmocka_unit_test(test_warnings_are_no_collectives),
		cmocka_unit_test(test_okabe_and_ito),
		cmocka_unit_test(test_heat_gets_darker),
		cmocka_unit_test(test_attributes_add_up),
		cmocka_unit_test(test_mono_still_tells),
		cmocka_unit_test(test_glyph_sets_are_whole),
		cmocka_unit_test(test_option_over_no_color_over_config),
		cmocka_unit_test(test_colors_are_given_up_in_order),
		cmocka_unit_test(test_ground),
		cmocka_unit_test(test_glyphs_that_the_terminal_has),
		cmocka_unit_test(test_slow),
	};

	return cmocka_run_group_tests_name("theme", tests, NULL, NULL);
}
