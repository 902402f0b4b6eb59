#include "config.h"
#include "base/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"

static struct progress *to_cancel;
static size_t asked;

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	if (to_cancel && ++asked == 20000)
		atomic_store(&to_cancel->cancel, true);
	return (x > y) - (x < y);
}

static uint64_t *numbers(size_t n)
{
	uint64_t *v = xcalloc(n + 1, sizeof *v), x = 88172645463325252u;

	for (size_t i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		v[i] = x;
	}
	return v;
}

/* Sizes around that of a piece, and powers of two of it. */
static void as_qsort_does(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 2047, 2048, 2049, 4096, 4097, 6144, 8191, 8193, 10000, 65536,
		70001 };
	struct progress p = { 0 };

	(void)state;
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		uint64_t *a = numbers(sizes[k]), *b = numbers(sizes[k]);

		assert_true(sort_items(a, sizes[k], sizeof *a, by_value, &p));
		assert_true(sort_items(b, sizes[k], sizeof *b, by_value, NULL));
		assert_memory_equal(a, b, sizes[k] * sizeof *a);
		for (size_t i = 1; i < sizes[k]; i++)
			assert_true(a[i - 1] < a[i]);
		free(a);
		free(b);
	}
}

static void stops_when_asked_to(void **state)
{
	struct progress p = { 0 };
	uint64_t *v = numbers(1000000);

	(void)state;
	to_cancel = &p;
	assert_false(sort_items(v, 1000000, sizeof *v, by_value, &p));
	assert_in_range(asked, 20000, 60000);
	to_cancel = NULL;
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_qsort_does),
		cmocka_unit_test(stops_when_asked_to) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
