/* Slices of text: comparisons, cutting, and the empty slice. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text/slice.h"

static void compares(void **state)
{
	struct slice t = { "fusion.33 = x", 9 }, none = slice_of(NULL);

	(void)state;
	assert_true(slice_is(t, "fusion.33"));
	assert_false(slice_is(t, "fusion.3"));
	assert_false(slice_is(t, "fusion.33 "));
	assert_true(slice_begins(t, "fusion"));
	assert_false(slice_begins(t, "fusion.33 = "));
	assert_true(slice_ends(t, ".33"));
	assert_false(slice_ends(t, "a fusion.33"));
	assert_ptr_equal(slice_find(t, "on"), t.s + 4);
	assert_null(slice_find(t, "="));
	assert_true(slice_is(none, "") && slice_begins(none, "") && slice_ends(none, ""));
	assert_false(slice_is(none, "a") || slice_begins(none, "a") || slice_ends(none, "a"));
	assert_null(slice_find(none, "a"));
}

/* In short texts and in long ones, at the ends and among beginnings of it. */
static void finds(void **state)
{
	char text[3000];

	(void)state;
	for (size_t n = 2; n < sizeof text; n = n < 20 ? n + 1 : n * 2) {
		struct slice t = { text, n };

		memset(text, 'a', n);
		assert_null(slice_find(t, "ab"));
		text[n - 1] = 'b';
		assert_ptr_equal(slice_find(t, "ab"), text + n - 2);
		assert_null(slice_find((struct slice){ text, n - 1 }, "ab"));
		text[0] = 'b';
		assert_ptr_equal(slice_find(t, "b"), text);
	}
}

static void orders(void **state)
{
	struct slice a = slice_of("fusion.3"), longer = slice_of("fusion.33"), none = slice_of(NULL);

	(void)state;
	assert_true(slice_same(a, (struct slice){ longer.s, 8 }) && slice_same(none, slice_of("")));
	assert_false(slice_same(a, longer) || slice_same(none, a));
	assert_true(slice_order(a, longer) < 0 && slice_order(longer, a) > 0 && !slice_order(a, a));
	assert_true(slice_order(a, slice_of("copy.99")) > 0);
	assert_true(slice_order(none, a) < 0 && !slice_order(none, none));
}

static void cuts(void **state)
{
	struct slice t = slice_of("/device:TPU:0.XPlane.PB"), none = slice_of(NULL);

	(void)state;
	assert_false(slice_cut(&t, "/host:") || slice_cut_end(&t, ".pb"));
	assert_true(slice_ends_nocase(t, ".pb"));
	assert_false(slice_ends_nocase(none, ".pb"));
	assert_true(slice_cut(&t, "/device:") && slice_cut_end(&t, ".XPlane.PB"));
	assert_true(slice_is(t, "TPU:0"));
	assert_true(slice_cut(&t, "TPU:0") && !t.n);
	assert_false(slice_cut(&none, "a") || slice_cut_end(&none, "a"));
}

static void trims(void **state)
{
	(void)state;
	assert_true(slice_is(slice_trim(slice_of(" \ta b\t ")), "a b"));
	assert_true(slice_is(slice_trim(slice_of("\t  ")), ""));
	assert_int_equal(slice_trim(slice_of(NULL)).n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(compares), cmocka_unit_test(finds),
		cmocka_unit_test(orders), cmocka_unit_test(cuts), cmocka_unit_test(trims) };

	return cmocka_run_group_tests_name("slice", tests, NULL, NULL);
}
