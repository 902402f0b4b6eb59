/* Ranks found without sorting, compared with those of sorted values. */
#include "config.h"

#include "analyze/interval/rank.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/mktrace.h"
#include "base/mem.h"

enum { MOST = 20000 };

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* n values from `low` to low + range; most of them close together when `dense`. */
static void check(size_t n, uint64_t low, uint64_t range, bool wide, bool dense)
{
	uint64_t *sorted = xcalloc(n, sizeof *sorted), *values = xcalloc(n, sizeof *values);
	size_t a = rnd(n), b = a + rnd(n - a);
	struct rank_two r;

	for (size_t i = 0; i < n; i++) {
		uint64_t x = dense && rnd(50) ? rnd(range / 1000 + 1) : rnd(range + 1);

		sorted[i] = x;
		if (wide)
			values[i] = low + x;
		else
			((uint32_t *)values)[i] = (uint32_t)(low + x);
	}
	qsort(sorted, n, sizeof *sorted, by_value);
	r = rank_two(values, n, wide, low, range, a, b);
	assert_int_equal(r.a, sorted[a]);
	assert_int_equal(r.b, sorted[b]);
	free(sorted);
	free(values);
}

static void ranks_are_those_of_sorted_values(void **state)
{
	static const uint64_t ranges[] = { 0, 1, 63, 1000, 100000, UINT32_MAX, UINT64_C(1) << 40,
		UINT64_C(1) << 61 };

	(void)state;
	for (size_t n = 1; n < MOST; n = n * 4 / 3 + 1)
		for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
			for (int dense = 0; dense < 2; dense++) {
				check(n, rnd(1000), ranges[i], true, dense);
				if (ranges[i] <=
				    UINT32_MAX) /* `low` as its lower half, the values modulo 2^32 */
					check(n, UINT64_C(5) << 30, ranges[i], false, dense);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_are_those_of_sorted_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
