/* Steps as columns: which step represents a bucket, what a click finds, the labels below. */
#include "config.h"

#include "widget/step_cols.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../lib/mkcanvas.h"

/* A column for each step if there is room; otherwise buckets that cover all steps. */
static void test_buckets(void **state)
{
	struct step_cols s = { 0 };
	double height[500];

	(void)state;
	for (size_t i = 0; i < 500; i++)
		height[i] = (double)(i * 7919 % 503);
	for (size_t n = 0; n < 500; n += 13)
		for (int cols = 0; cols < 130; cols += 9) {
			size_t room = cols > CHART_AXIS ? (size_t)(cols - CHART_AXIS) : 0;

			step_cols_fit(&s, n, height, 3, cols);
			assert_int_equal(s.chart.ncol, n < room ? n : room);
			for (size_t i = 0; i < n && s.chart.ncol; i++) {
				size_t at = step_cols_of(&s, i);

				assert_true(at < s.chart.ncol && (!i || at - step_cols_of(&s, i - 1) <= 1));
				assert_true(height[s.step[at]] >= height[i]);
				assert_int_equal(step_cols_of(&s, s.step[at]), at);
			}
		}
	step_cols_free(&s);
}

static void test_click(void **state)
{
	struct step_cols s = { 0 };
	double height[4] = { 1, 2, 3, 4 };
	struct rect r = { 0, 2, 5, 40 };

	(void)state;
	step_cols_fit(&s, 4, height, 1, r.w);
	assert_int_equal(step_cols_at(&s, r, r.x), SIZE_MAX);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(step_cols_at(&s, r, chart_x(&s.chart, r, i)), i);
		assert_int_equal(step_cols_at(&s, r, chart_x(&s.chart, r, i) + s.chart.width - 1), i);
	}
	assert_int_equal(step_cols_at(&s, r, r.x + r.w + 40), SIZE_MAX);
	step_cols_free(&s);
}

static const char *number_of(const void *ctx, size_t i)
{
	return ((const char *const *)ctx)[i];
}

static double value_of(const void *ctx, size_t i)
{
	(void)ctx;
	return i == 1 ? NAN : 4.5 + (double)i;
}

static void test_labels(void **state)
{
	static const char *const number[] = { "0", "1", "train 2" };
	struct step_labels l = { number_of, value_of, number, "step", "max" };
	struct step_cols s = { 0 };
	double height[3] = { 1, 1, 1 };

	(void)state;
	fresh(2, 40);
	step_cols_fit(&s, 3, height, 1, 40);
	step_cols_labels(&s, &c, (struct rect){ 0, 0, 0, 40 }, 0, 0, &l);
	shows(" step      0▲         1       train 2\n max     4.50         –        6.50\n");
	fresh(2, 24); /* no room for all of them */
	step_cols_fit(&s, 3, height, 1, 24);
	step_cols_labels(&s, &c, (struct rect){ 0, 0, 0, 24 }, 0, 2, &l);
	shows(" step  0         train 2\n max               ▲\n");
	step_cols_free(&s);
}

static void test_numbers(void **state)
{
	static const struct {
		double v;
		const char *text;
	} numbers[] = { { NAN, "–" }, { 0, "0.00" }, { 4.776, "4.78" }, { 9.999, "10.0" }, { 41.25, "41.2" },
		{ 350.4, "350" }, { 9999, "9999" }, { 12000, "12K" }, { 1e20, "1e+20" } };
	char text[24];

	(void)state;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		assert_string_equal(short_number(text, sizeof text, numbers[i].v), numbers[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_buckets), cmocka_unit_test(test_click),
		cmocka_unit_test(test_labels), cmocka_unit_test(test_numbers) };

	return cmocka_run_group_tests_name("step_cols", tests, NULL, canvas_end);
}
