#include "config.h"

#include "base/text/natural.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

static int compare(const char *a, const char *b)
{
	return sign(natural_cmp(a, strlen(a), b, strlen(b)));
}

/* Sorted: each is less than all that follow, which also shows that the order is transitive. */
static void test_order(void **state)
{
	static const char *const sorted[] = {
		"",
		"/device:TPU:1",
		"/device:TPU:2",
		"/device:TPU:10",
		"/host:CPU",
		"0",
		"00",
		"1",
		"01",
		"1a",
		"2",
		"10",
		"10.2",
		"10.10",
		"99999999999999999999999",
		"100000000000000000000000",
		"TPU:2",
		"TPU:2 SparseCore 0",
		"TPU:02 SparseCore 1",
		"TPU:10",
		"a",
		"a1b2",
		"a1b02",
		"a01b2",
		"a1b3",
		"ab",
		"\xc3\xa9",
	};

	(void)state;
	for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++) {
		for (size_t j = 0; j < sizeof sorted / sizeof *sorted; j++) {
			int want = i < j ? -1 : i > j;
			if (compare(sorted[i], sorted[j]) != want)
				fail_msg("'%s' against '%s' is not %d", sorted[i], sorted[j], want);
		}
	}
}

static void test_lengths_rule_not_terminators(void **state)
{
	(void)state;
	assert_int_equal(natural_cmp("TPU:12", 5, "TPU:1", 5), 0);
	assert_int_equal(sign(natural_cmp("a\0b", 3, "a\0c", 3)), -1);
	assert_int_equal(natural_cmp(NULL, 0, NULL, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_lengths_rule_not_terminators),
	};

	return cmocka_run_group_tests_name("natural", tests, NULL, NULL);
}
