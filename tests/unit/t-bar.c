/* Bars in a row, their legend. */
#include "config.h"

#include "widget/bar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static struct canvas c;

static void fresh(int cols)
{
	canvas_free(&c);
	canvas_init(&c, 1, cols, &glyphs_blocks, false);
}

static void shows(const char *want)
{
	size_t n;
	char *text = canvas_dump(&c, 0, &n);

	assert_string_equal(text, want);
	free(text);
}

static void test_bar(void **state)
{
	static const struct { double share; const char *text; } bars[] = {
		{ 0, "········\n" }, { 1, "████████\n" }, { .5, "████····\n" }, { .335, "██▋·····\n" },
		{ 1e-9, "▏·······\n" },		/* a little is not nothing */
		{ -1, "········\n" }, { 7, "████████\n" }, { NAN, "········\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
		fresh(8);
		bar_draw(&c, 0, 0, 8, bars[i].share, ROLE_GOOD, true);
		shows(bars[i].text);
	}
	fresh(8);
	bar_draw(&c, 0, 0, 8, .25, ROLE_GOOD, false);
	shows("██\n");
	assert_int_equal(c.cells[0].role, ROLE_GOOD);
}

static void test_stack(void **state)
{
	struct bar_part part[] = { { "matmul", .5, ROLE_BLOCK_MATMUL, 0x2588 }, { "other", .2, ROLE_BLOCK_COMPUTE, 0x2593 },
		{ "wait", .02, ROLE_BLOCK_WAIT, 0x2592 }, { "none", 0, ROLE_BLOCK_IO, '#' } };

	(void)state;
	fresh(10);
	bar_stack(&c, 0, 0, 10, part, 4);
	shows("█████▓▓▒\n");		/* a small part has a cell, nothing has none */
	part[0].share = 3;		/* more than the whole */
	fresh(10);
	bar_stack(&c, 0, 0, 10, part, 4);
	shows("██████████\n");
	part[0].share = NAN;
	fresh(10);
	bar_stack(&c, 0, 0, 10, part, 4);
	shows("▓▓▒\n");
}

static void test_legend(void **state)
{
	static const struct bar_part part[] = { { "matmul", .5, ROLE_BLOCK_MATMUL, 0x2588 }, { "other", .2, ROLE_BLOCK_COMPUTE, 0x2593 } };

	(void)state;
	fresh(40);
	assert_int_equal(bar_legend(&c, 0, 0, 40, part, 2), 32);
	shows("█ matmul 50.0 %   ▓ other 20.0 %\n");
	fresh(40);
	assert_int_equal(bar_legend(&c, 0, 0, 31, part, 2), 15);
	shows("█ matmul 50.0 %\n");
	fresh(40);
	assert_int_equal(bar_legend(&c, 0, 0, 14, part, 2), 0);
	shows("\n");
}

static void test_roles(void **state)
{
	(void)state;
	assert_int_equal(bar_use_role(.159), ROLE_BAD);
	assert_int_equal(bar_use_role(.16), ROLE_WARN);
	assert_int_equal(bar_use_role(.36), ROLE_GOOD);
}

static int end(void **state)
{
	(void)state;
	canvas_free(&c);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_bar), cmocka_unit_test(test_stack), cmocka_unit_test(test_legend),
		cmocka_unit_test(test_roles) };

	return cmocka_run_group_tests_name("bar", tests, NULL, end);
}
