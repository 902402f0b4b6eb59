/* Name-value pairs: order, repeated names, writing and reading. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/config/kv.h"

static void written_and_read(const struct kv *from, struct kv *to)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	kv_write(from, f);
	fclose(f);
	kv_read(to, text, n);
	free(text);
}

static void get_and_next(void **state)
{
	struct kv kv = { 0 };
	size_t at = 0;
	int64_t v = 7;

	(void)state;
	kv_put(&kv, "mark", "one");
	kv_put_int(&kv, "cursor", INT64_MIN);
	kv_put(&kv, "mark", "two");
	kv_putf(&kv, "fold", "%d %s", 1, "x y");
	assert_string_equal(kv_get(&kv, "mark"), "one");
	assert_string_equal(kv_next(&kv, "mark", &at), "one");
	assert_string_equal(kv_next(&kv, "mark", &at), "two");
	assert_null(kv_next(&kv, "mark", &at));
	assert_null(kv_get(&kv, "mar"));
	assert_string_equal(kv_get(&kv, "fold"), "1 x y");
	assert_true(kv_get_int(&kv, "cursor", &v));
	assert_int_equal(v, INT64_MIN);
	assert_false(kv_get_int(&kv, "mark", &v));
	assert_false(kv_get_int(&kv, "none", &v));
	assert_int_equal(v, INT64_MIN);
	kv_free(&kv);
	assert_int_equal(kv.n, 0);
}

static void no_number(void **state)
{
	static const char *const bad[] = { "", "12x", "x", "99999999999999999999", "1 2" };
	int64_t v = 5;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct kv kv = { 0 };

		kv_put(&kv, "n", bad[i]);
		assert_false(kv_get_int(&kv, "n", &v));
		assert_int_equal(v, 5);
		kv_free(&kv);
	}
}

static void survives_a_file(void **state)
{
	static const char *const values[] = { "", " ", "plain", "two\nlines\r\n", "tab\there",
		"back\\slash \\n", "\\", "\xc3\xa9\xe2\x86\x92", " blanks around " };
	struct kv a = { 0 }, b = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		kv_put(&a, i % 2 ? "odd" : "even", values[i]);
	written_and_read(&a, &b);
	assert_true(kv_same(&a, &b));
	kv_put(&b, "more", "");
	assert_false(kv_same(&a, &b));
	kv_free(&a);
	kv_free(&b);
}

static void broken_lines_are_skipped(void **state)
{
	static const char text[] = "good 1\n\n no name\nnovalue\nzero a\0b\nlast 2";
	struct kv kv = { 0 };

	(void)state;
	kv_read(&kv, text, sizeof text - 1);
	assert_int_equal(kv.n, 2);
	assert_string_equal(kv_get(&kv, "good"), "1");
	assert_string_equal(kv_get(&kv, "last"), "2");
	kv_free(&kv);
}

static void at_most_so_many(void **state)
{
	size_t n = (KV_LINES + 10) * 4;
	char *text = malloc(n);
	struct kv kv = { 0 };

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < n; i += 4)
		memcpy(text + i, "a b\n", 4);
	kv_read(&kv, text, n);
	assert_int_equal(kv.n, KV_LINES);
	kv_free(&kv);
	free(text);
}

static void parts(void **state)
{
	struct kv all = { 0 }, one = { 0 }, back = { 0 };

	(void)state;
	kv_put(&one, "cursor", "5");
	kv_put(&one, "fold", "x");
	kv_put(&all, "view", "timeline");
	kv_add(&all, "timeline.", &one);
	kv_put(&all, "files.line", "3");
	kv_put(&all, "timeline.", "no name behind it");
	assert_string_equal(kv_get(&all, "timeline.cursor"), "5");
	kv_part(&all, "timeline.", &back);
	assert_true(kv_same(&back, &one));
	kv_free(&all);
	kv_free(&one);
	kv_free(&back);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(get_and_next),
		cmocka_unit_test(no_number),
		cmocka_unit_test(survives_a_file),
		cmocka_unit_test(broken_lines_are_skipped),
		cmocka_unit_test(at_most_so_many),
		cmocka_unit_test(parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
