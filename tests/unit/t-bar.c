/* Bars in a row, their legend. */
#include "config.h"

#include "widget/bar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../lib/mkcanvas.h"

static void test_bar(void **state)
{
	static const struct {
		double share;
		const char *text;
	} bars[] = {
		{ 0, "········\n" },
		{ 1, "████████\n" },
		{ .5, "████····\n" },
		{ .335, "██▋·····\n" },
		{ 1e-9, "▏·······\n" }, /* a tiny share is visible */
		{ -1, "········\n" },
		{ 7, "████████\n" },
		{ NAN, "········\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
		fresh(1, 8);
		bar_draw_dotted(&c, 0, 0, 8, bars[i].share, ROLE_GOOD);
		shows(bars[i].text);
	}
	fresh(1, 8);
	bar_draw(&c, 0, 0, 8, .25, ROLE_GOOD);
	shows("██\n");
	assert_int_equal(c.cells[0].role, ROLE_GOOD);
}

static void test_stack(void **state)
{
	struct bar_part part[] = { { "matmul", .5, ROLE_BLOCK_MATMUL, 0x2588 },
		{ "other", .2, ROLE_BLOCK_COMPUTE, 0x2593 }, { "wait", .02, ROLE_BLOCK_WAIT, 0x2592 },
		{ "none", 0, ROLE_BLOCK_IO, '#' } };

	(void)state;
	fresh(1, 10);
	assert_int_equal(bar_stack(&c, 0, 0, 10, part, 4), 7);
	shows("█████▓▓▒\n"); /* a small part has a cell, an empty one has none */
	part[0].share = 3;   /* more than the whole */
	fresh(1, 10);
	bar_stack(&c, 0, 0, 10, part, 4);
	shows("██████████\n");
	part[0].share = NAN;
	fresh(1, 10);
	bar_stack(&c, 0, 0, 10, part, 4);
	shows("▓▓▒\n");
}

static void test_legend(void **state)
{
	static const struct bar_part part[] = { { "matmul", .5, ROLE_BLOCK_MATMUL, 0x2588 },
		{ "other", .2, ROLE_BLOCK_COMPUTE, 0x2593 } };

	(void)state;
	fresh(1, 40);
	assert_int_equal(bar_legend(&c, 0, 0, 40, part, 2), 32);
	shows("█ matmul 50.0 %   ▓ other 20.0 %\n");
	fresh(1, 40);
	assert_int_equal(bar_legend_cols(part, 2), 32);
	/* numbers are dropped before names */
	assert_int_equal(bar_legend(&c, 0, 0, 31, part, 2), 31);
	fresh(1, 40);
	assert_int_equal(bar_legend(&c, 0, 0, 30, part, 2), 17);
	shows("█ matmul  ▓ other\n");
	fresh(1, 40);
	assert_int_equal(bar_legend(&c, 0, 0, 16, part, 2), 8);
	shows("█ matmul\n");
	fresh(1, 40);
	assert_int_equal(bar_legend(&c, 0, 0, 7, part, 2), 0);
	shows("\n");
}

static void test_roles(void **state)
{
	(void)state;
	assert_int_equal(bar_use_role(.159), ROLE_BAD);
	assert_int_equal(bar_use_role(.16), ROLE_WARN);
	assert_int_equal(bar_use_role(.36), ROLE_GOOD);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_bar), cmocka_unit_test(test_stack),
		cmocka_unit_test(test_legend), cmocka_unit_test(test_roles) };

	return cmocka_run_group_tests_name("bar", tests, NULL, canvas_end);
}
