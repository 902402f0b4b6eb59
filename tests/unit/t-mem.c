#include "config.h"

#include "base/mem.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/err.h"

static void test_sizes_are_checked(void **state)
{
	size_t out;
	uint64_t before = mem_refusals();
	void *p = xmalloc(8);

	(void)state;
	assert_true(mem_mul(1000, 1000, &out));
	assert_int_equal(out, 1000000);
	assert_false(mem_mul(SIZE_MAX / 2, 3, &out));
	assert_null(mem_try(p, SIZE_MAX / 2, 3));
	assert_null(mem_try(p, SIZE_MAX, 1));
	assert_int_equal(mem_refusals(), before);
	memset(p, 1, 8); /* still ours */
	p = mem_try(p, 100, 10);
	assert_non_null(p);
	free(p);
	p = mem_try(NULL, 0, 10);
	assert_non_null(p);
	free(p);
}

static void test_alignment(void **state)
{
	char *p[20];

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		p[i] = xaligned(64, i, 64);
		assert_int_equal((uintptr_t)p[i] % 64, 0);
		for (size_t k = 0; k < 64 * i; k++)
			assert_int_equal(p[i][k], 0);
	}
	for (size_t i = 0; i < 20; i++)
		free(p[i]);
}

static void test_strings(void **state)
{
	char *s = xstrndup("abcdef", 3), *t = xasprintf("%s-%d", s, 7), *u = xstrdup(""),
	     *none = xstrndup(NULL, 0);

	(void)state;
	assert_string_equal(s, "abc");
	assert_string_equal(t, "abc-7");
	assert_string_equal(u, "");
	assert_string_equal(none, "");
	free(s);
	free(t);
	free(u);
	free(none);
}

static void test_vec_grows(void **state)
{
	int *v = NULL;
	size_t n = 0, cap = 0;

	(void)state;
	for (int i = 0; i < 1000; i++)
		VEC_ADD(v, n, cap, i);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(v[i], i);
	free(v);
}

static void test_arena(void **state)
{
	struct arena a = { 0 };
	unsigned char *p[2000];

	(void)state;
	for (size_t i = 0; i < 2000; i++) {
		size_t size = i % 97 == 0 ? 300000 : i % 50;
		p[i] = arena_alloc(&a, size);
		assert_int_equal((uintptr_t)p[i] % 16, 0);
		for (size_t k = 0; k < size; k++)
			assert_int_equal(p[i][k], 0);
		memset(p[i], (int)(i & 0xff), size);
	}
	for (size_t i = 0; i < 2000; i++) {
		size_t size = i % 97 == 0 ? 300000 : i % 50;
		for (size_t k = 0; k < size; k += 7)
			assert_int_equal(p[i][k], i & 0xff);
	}
	assert_memory_equal(arena_strndup(&a, "a\0b", 3), "a\0b", 4);
	assert_string_equal(arena_strndup(&a, NULL, 0), "");
	arena_free(&a);
	assert_null(a.head);
	arena_free(&a);
	assert_non_null(arena_alloc(&a, 1)); /* usable again */
	arena_free(&a);
}

static void say_goodbye(void)
{
	_exit(42);
}

/* The hook restores the terminal before the program dies. */
static void test_hook_runs_when_memory_is_out(void **state)
{
	int status;
	pid_t child = fork();

	(void)state;
	if (!child) {
		mem_on_fail(say_goodbye);
		free(xrealloc(NULL, SIZE_MAX / 2, 4));
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 42);
}

static void test_err_is_filled_and_cut_between_characters(void **state)
{
	struct err e = { 0 };
	char text[600];
	size_t len;

	(void)state;
	assert_int_equal(err_set(NULL, EXIT_USAGE, 1, "nobody looks"), -1);
	assert_int_equal(err_set(&e, EXIT_DAMAGED, 77, "%s at %d", "x", 5), -1);
	assert_int_equal(e.status, EXIT_DAMAGED);
	assert_int_equal(e.at, 77);
	assert_string_equal(e.msg, "x at 5");
	for (int shift = 0; shift < 3; shift++) {
		memset(text, 'a', 3);
		for (size_t i = (size_t)shift; i + 3 < sizeof text; i += 3)
			memcpy(text + i, "\xe2\x82\xac", 3);
		text[shift + 3 * 190] = '\0';
		err_set(&e, EXIT_USAGE, ERR_NOWHERE, "%s", text);
		len = strlen(e.msg);
		assert_true(len >= sizeof e.msg - 3);
		assert_int_equal((len - (size_t)shift) % 3, 0);
	}
}

/* Large arrays, and those just below and above that size can be written from end to end. */
static void test_large(void **state)
{
	(void)state;
	for (size_t n = 1000; n < (size_t)64 << 20; n = n * 7 + 1) {
		char *p = mem_large(n);

		assert_non_null(p);
		memset(p, 1, n);
		assert_int_equal(p[0] + p[n - 1], 2);
		mem_large_free(p, n);
	}
	assert_null(mem_large(SIZE_MAX - 5));
#ifndef ENABLE_SANITIZE /* whose malloc() ends the program for it */
	assert_null(mem_large(PTRDIFF_MAX));
#endif
}

/* What is kept serves the next array of much the same size, and no other. */
static void test_large_again(void **state)
{
	const size_t n = (size_t)20 << 20, near = n - 4096;
	unsigned char *p = mem_large(n), *q;

	(void)state;
	memset(p, 1, n);
	mem_keep_begin();
	mem_large_keep(p, n);
	q = mem_large(n * 2);
	memset(q, 2, n * 2);
	mem_large_free(q, n * 2);
	q = mem_large(near);
#ifndef ENABLE_SANITIZE /* which watches only what malloc() makes */
	assert_ptr_equal(q, p);
	assert_int_equal(q[near - 1], 1);
#endif
	memset(q, 3, near);
	for (int i = 0; i < 9; i++) { /* more than are kept */
		mem_large_keep(q, n << i % 5);
		q = mem_large(n << (i + 1) % 5);
		memset(q, 4, n);
	}
	mem_large_keep(q, n << 9 % 5);
	mem_keep_end();
	p = mem_large(n); /* and now none */
#ifndef ENABLE_SANITIZE
	assert_int_equal(p[0], 0);
#endif
	mem_large_keep(p, n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_large_again),
		cmocka_unit_test(test_sizes_are_checked),
		cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_vec_grows),
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_hook_runs_when_memory_is_out),
		cmocka_unit_test(test_err_is_filled_and_cut_between_characters),
	};

	return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
