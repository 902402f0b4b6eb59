/* Charts of columns: the axis, what fits, the cells where parts meet. */
#include "config.h"

#include "widget/chart.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../lib/mkcanvas.h"

static const struct bar_part part[] = { { "a", 0, ROLE_BLOCK_MATMUL, 0x2588 },
	{ "b", 0, ROLE_BLOCK_WAIT, 0x2592 } };

static void test_top(void **state)
{
	static const struct {
		double largest, top;
	} tops[] = { { 0, 1 }, { -3, 1 }, { NAN, 1 }, { INFINITY, 1 }, { 1, 1 }, { 1.01, 1.2 }, { 4.5, 5 },
		{ 99, 100 }, { 101, 120 }, { .0021, .0025 }, { 7e300, 8e300 } };

	(void)state;
	for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
		assert_true(fabs(chart_top(tops[i].largest) / tops[i].top - 1) < 1e-9);
	for (double v = 1e-9; v < 1e9; v *= 1.7)
		assert_true(chart_top(v) >= v * (1 - 1e-9) && chart_top(v) <= v * 1.5);
}

static void test_label(void **state)
{
	static const struct {
		double v;
		bool bytes;
		const char *text;
	} labels[] = { { 0, false, "0" }, { 4.5, false, "4.5" }, { 5, false, "5" }, { 120, false, "120" },
		{ 9999, false, "9999" }, { 12000, false, "12K" }, { 1024, true, "1K" },
		{ 1536, true, "1.5K" }, { 120 * 1048576., true, "120M" }, { .25, false, "0.25" },
		{ .0005, false, "5e-04" } };
	char text[16];

	(void)state;
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
		chart_label(text, sizeof text, labels[i].v, labels[i].bytes);
		assert_string_equal(text, labels[i].text);
	}
}

static void test_fit(void **state)
{
	struct chart chart = { .ncol = 4 };

	(void)state;
	for (int cols = 0; cols < 200; cols++) {
		struct rect r = { 0, 0, 1, cols };
		bool fits = chart_fit(&chart, cols);

		assert_int_equal(fits, cols >= CHART_AXIS + 4);
		if (fits)
			assert_true(chart.width >= 1 && chart_x(&chart, r, 3) + chart.width <= cols);
	}
	chart.ncol = 0;
	assert_false(chart_fit(&chart, 80));
}

static void test_draws(void **state)
{
	static const double v[] = { 2, 2, 1, 0, 1.5, 1, 0, 0 };
	struct chart chart = { .v = v, .ncol = 4, .nparts = 2, .part = part, .top = 4, .width = 1, .gap = 1 };

	(void)state;
	fresh(4, 16);
	chart_draw(&chart, &c, (struct rect){ 0, 0, 4, 16 });
	shows("    4  ▒\n       ▒   ▄\n    2  █   ▄\n       █ █ █\n");
	/* half a cell of one part above another: the other's color is the background */
	assert_int_equal(c.cells[2 * 16 + 11].role, ROLE_BLOCK_MATMUL);
	assert_int_equal(c.cells[2 * 16 + 11].under, ROLE_BLOCK_WAIT);
	fresh_as(4, 16, &glyphs_blocks, true);
	chart_draw(&chart, &c, (struct rect){ 0, 0, 4, 16 });
	assert_int_equal(c.cells[2 * 16 + 11].under, ROLE_TEXT);
	fresh_as(4, 16, &glyphs_ascii, false); /* in ASCII a height must not use the sign of another part */
	chart_draw(&chart, &c, (struct rect){ 0, 0, 4, 16 });
	shows("    4  :\n       :   :\n    2  #   #\n       # # #\n");
	fresh(4, 16);
	chart.line = 3;
	chart_draw(&chart, &c, (struct rect){ 0, 0, 4, 16 });
	assert_int_equal(c.cells[1 * 16 + 15].role, ROLE_BAD);
	assert_int_equal(c.cells[1 * 16 + 7].role, ROLE_BLOCK_WAIT); /* drawn over the line */
}

/* What a file says may be close to the largest number there is. */
static void test_huge(void **state)
{
	const double v[] = { 1.7e308 };
	struct chart ch = { .ncol = 1, .nparts = 1, .width = 1, .v = v, .part = part };

	(void)state;
	assert_true(isfinite(ch.top = chart_top(v[0])));
	fresh(5, 20);
	chart_draw(&ch, &c, (struct rect){ 0, 0, 5, 20 });
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_top), cmocka_unit_test(test_label),
		cmocka_unit_test(test_fit), cmocka_unit_test(test_draws), cmocka_unit_test(test_huge) };

	return cmocka_run_group_tests_name("chart", tests, NULL, canvas_end);
}
