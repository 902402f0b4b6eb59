/* Lists of intervals: merging adjacent ones, uniting two lists, sums at the limits of 64 bits. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/span.h"

static void is_list(const struct spans *s, size_t n, const struct span *want)
{
	assert_int_equal(s->n, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(s->v[i].from, want[i].from);
		assert_int_equal(s->v[i].to, want[i].to);
	}
}

static void appends(void **state)
{
	struct spans s = { 0 };

	(void)state;
	spans_append(&s, 0, 10);
	spans_append(&s, 2, 5);   /* within */
	spans_append(&s, 10, 12); /* touches */
	spans_append(&s, 13, 14);
	is_list(&s, 2, (const struct span[]){ { 0, 12 }, { 13, 14 } });
	assert_int_equal(spans_length(&s), 13);
	free(s.v);
}

static void unites(void **state)
{
	struct spans a = { 0 }, b = { 0 };

	(void)state;
	spans_push(&a, 0, 4);
	spans_push(&a, 20, 30);
	spans_push(&b, 3, 6);
	spans_push(&b, 10, 11);
	spans_push(&b, 29, 40);
	spans_unite(&a, &b);
	is_list(&a, 3, (const struct span[]){ { 0, 6 }, { 10, 11 }, { 20, 40 } });
	assert_int_equal(b.n, 0);
	spans_unite(&b, &a); /* takes over the other list */
	is_list(&b, 3, (const struct span[]){ { 0, 6 }, { 10, 11 }, { 20, 40 } });
	assert_int_equal(a.n, 0);
	free(a.v);
	free(b.v);
}

static void joins(void **state)
{
	struct spans a = { 0 }, b = { 0 };

	(void)state;
	spans_push(&a, 20, 30);
	spans_push(&a, 0, 4);
	spans_push(&b, 3, 6);
	spans_push(&b, 30, 31);
	spans_add(&a, &b);
	is_list(&b, 2, (const struct span[]){ { 3, 6 }, { 30, 31 } });
	spans_join(&a);
	is_list(&a, 2, (const struct span[]){ { 0, 6 }, { 20, 31 } });
	free(a.v);
	free(b.v);
}

static void clamps(void **state)
{
	struct span all = SPAN_EMPTY;
	struct spans s = { 0 };

	(void)state;
	span_widen(&all, 5, 7);
	span_widen(&all, 1, 2);
	assert_true(all.from == 1 && all.to == 7);
	spans_push(&s, INT64_MIN, INT64_MAX);
	spans_push(&s, 0, 1);
	assert_int_equal(spans_length(&s), INT64_MAX);
	free(s.v);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(appends), cmocka_unit_test(unites),
		cmocka_unit_test(joins), cmocka_unit_test(clamps) };

	return cmocka_run_group_tests_name("span", tests, NULL, NULL);
}
