#include "config.h"

#include "core/theme.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/canvas.h"
#include "core/glyph.h"

static void test_names(void **state)
{
	(void)state;
	assert_ptr_equal(theme_find("default16"), themes[0]);
	assert_true(theme_find("mono")->mono);
	assert_null(theme_find("neon"));
}

static void test_only_colours_that_are_there(void **state)
{
	(void)state;
	for (size_t t = 0; themes[t]; t++)
		for (int role = 0; role < ROLE_COUNT; role++) {
			struct look l16 = theme_look(themes[t], (enum role)role, 0, 16),
			    l8 = theme_look(themes[t], (enum role)role, 0, 8),
			    none = theme_look(themes[t], (enum role)role, 0, 0);

			assert_in_range(l16.fg + 1, 0, 16);
			/* bright backgrounds but grey are not relied on */
			assert_in_range(l16.bg + 1, 0, 9);
			assert_in_range(l8.fg + 1, 0, 8);
			assert_in_range(l8.bg + 1, 0, 8);
			assert_int_equal(none.fg, -1);
			assert_int_equal(none.bg, -1);
			/* no blue text */
			assert_true(l16.bg >= 0 || l16.fg != 4 || role == ROLE_BLOCK_HOST);
			/* text on a fill has a colour of its own */
			assert_true(l16.bg < 0 || l16.fg >= 0);
			if (themes[t]->mono)
				assert_true(l16.fg == -1 && l16.bg == -1);
		}
}

static void test_attributes_add_up(void **state)
{
	(void)state;
	assert_int_equal(theme_look(themes[0], ROLE_TITLE, ATTR_BOLD, 16).attr, ATTR_REVERSE | ATTR_BOLD);
	assert_int_equal(theme_look(themes[0], ROLE_DIM, 0, 8).attr, ATTR_DIM);
	assert_int_equal(theme_look(themes[0], ROLE_DIM, 0, 16).fg, 8);
}

/* What selects, heads or warns must be seen without colour. */
static void test_mono_still_tells(void **state)
{
	static const enum role loud[] = { ROLE_TITLE, ROLE_TAB_HERE, ROLE_KEYBAR, ROLE_KEYBAR_KEY,
	    ROLE_SELECTED, ROLE_HEAD, ROLE_HIT, ROLE_ERROR };

	(void)state;
	for (size_t i = 0; i < sizeof loud / sizeof *loud; i++)
		assert_int_not_equal(theme_look(theme_find("mono"), loud[i], 0, 16).attr, 0);
}

static void test_glyph_sets_are_whole(void **state)
{
	static const struct glyphs *const sets[] = { &glyphs_blocks, &glyphs_ascii };

	(void)state;
	for (size_t s = 0; s < 2; s++) {
		for (int g = 0; g < GLYPH_COUNT; g++) {
			assert_int_not_equal(sets[s]->g[g], 0);
			if (sets[s]->ascii)
				assert_in_range(sets[s]->g[g], '!', '~');
		}
		for (int i = 0; i < 9; i++) {
			assert_int_not_equal(sets[s]->height[i], 0);
			assert_int_not_equal(sets[s]->left[i], 0);
			if (sets[s]->ascii)
				assert_true(sets[s]->height[i] < 127 && sets[s]->left[i] < 127);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_only_colours_that_are_there),
		cmocka_unit_test(test_attributes_add_up),
		cmocka_unit_test(test_mono_still_tells),
		cmocka_unit_test(test_glyph_sets_are_whole),
	};

	return cmocka_run_group_tests_name("theme", tests, NULL, NULL);
}
