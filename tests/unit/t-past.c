/* Graphs of the last moments: what a cell stands for, and how few cells a new moment changes. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "job/past.h"

#define W 40

static void test_spans(void **state)
{
	size_t before = 0;

	(void)state;
	assert_int_equal(past_span(W, W).each, 1);
	assert_int_equal(past_span(W + 1, W).each, 2);
	assert_int_equal(past_span(W + 1, W).first, 0);
	for (size_t n = 0; n < 5000; n++) {
		struct past_span s = past_span(n, W);

		assert_true(s.first >= before);
		assert_true(s.first % s.each == 0);
		assert_true(n - s.first <= W * s.each); /* the newest moment has a cell */
		assert_true(n - s.first <= PAST_MAX);   /* and the oldest is still known */
		before = s.first;
	}
	assert_true(past_span(100000, 200).first > 0);
}

static void test_moments_that_began(void **state)
{
	int64_t last = 0;

	(void)state;
	assert_int_equal(past_began(&last, 5000, 1000), 1);
	assert_int_equal(past_began(&last, 5300, 1000), 0); /* asked out of turn */
	assert_int_equal(past_began(&last, 6010, 1000), 1);
	assert_int_equal(past_began(&last, 6990, 1000), 1);
	assert_int_equal(past_began(&last, 67020, 1000), 60); /* after a pause */
	assert_int_equal(last, 67000);                        /* late answers do not add up */
}

static void test_values(void **state)
{
	struct past p = { .from = 2 };

	(void)state;
	for (size_t i = 2; i < PAST_MAX + 5; i++)
		past_put(&p, i, (double)i);
	assert_true(isnan(past_at(&p, 1, 10)));
	assert_true(isnan(past_at(&p, 4, PAST_MAX + 5))); /* too long ago */
	assert_float_equal(past_at(&p, 5, PAST_MAX + 5), 5, 0);
	assert_true(isnan(past_at(&p, PAST_MAX + 5, PAST_MAX + 5)));
}

static size_t cells_that_differ(const struct canvas *a, const struct canvas *b)
{
	size_t n = 0;

	for (int i = 0; i < a->rows * a->cols; i++)
		n += memcmp(&a->cells[i].ch, &b->cells[i].ch, sizeof a->cells[i].ch) != 0;
	return n;
}

static void test_few_cells_change(void **state)
{
	struct canvas c, before;
	struct past p = { 0 };
	size_t changed = 0;

	(void)state;
	canvas_init(&c, 1, W, &glyphs_blocks, false);
	canvas_init(&before, 1, W, &glyphs_blocks, false);
	for (size_t n = 0; n < 2000; n++) {
		past_put(&p, n, n % 7 ? (double)(n * 13 % 101) : NAN);
		canvas_clear(&c);
		past_line(&p, n + 1, &c, 0, 0, W, 100);
		changed += cells_that_differ(&c, &before);
		memcpy(before.cells, c.cells, W * sizeof *c.cells);
	}
	assert_true(changed < 2 * 2000);
	canvas_free(&c);
	canvas_free(&before);
}

static void test_line(void **state)
{
	struct past p = { 0 };
	struct canvas c;
	char *text;
	size_t n;

	(void)state;
	past_put(&p, 0, 0);
	past_put(&p, 1, NAN);
	past_put(&p, 2, 50);
	past_put(&p, 3, 1000);
	past_put(&p, 4, 3e38);
	past_put(&p, 5, -3e38);
	past_put(&p, 6, 1e300); /* larger than what is kept */
	canvas_init(&c, 1, 8, &glyphs_blocks, false);
	canvas_clear(&c);
	past_line(&p, 7, &c, 0, 0, 8, 100);
	text = canvas_dump(&c, 0, &n);
	assert_string_equal(text, "▁·▄██▁·\n");
	free(text);
	canvas_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_moments_that_began),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_few_cells_change),
		cmocka_unit_test(test_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
