#include "config.h"

#include "base/text/strtab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"

static void test_equal_bytes_equal_ids(void **state)
{
	struct strtab t;
	strid a, b;

	(void)state;
	strtab_init(&t);
	assert_int_equal(strtab_add(&t, "", 0), 0);
	assert_int_equal(strtab_find(&t, NULL, 0), 0);
	assert_string_equal(strtab_str(&t, 0), "");
	a = strtab_addz(&t, "fusion.1");
	b = strtab_add(&t, "fusion.12", 9);
	assert_int_not_equal(a, 0);
	assert_int_not_equal(a, b);
	assert_int_equal(strtab_add(&t, "fusion.12", 8), a);
	assert_int_equal(strtab_ref(&t, "fusion.12", 8), a);
	assert_int_equal(strtab_find(&t, "fusion.12", 9), b);
	assert_int_equal(strtab_find(&t, "fusion.123", 10), UINT32_MAX);
	assert_int_equal(strtab_len(&t, b), 9);
	strtab_free(&t);
}

static void test_any_bytes(void **state)
{
	struct strtab t;
	strid a, b;

	(void)state;
	strtab_init(&t);
	a = strtab_add(&t, "x\0y", 3);
	b = strtab_add(&t, "x\0z", 3);
	assert_int_not_equal(a, b);
	assert_int_not_equal(strtab_add(&t, "\0", 1), 0);
	assert_memory_equal(strtab_str(&t, a), "x\0y", 4);
	a = strtab_add(&t, "\xff\xfe", 2);
	assert_int_equal(strtab_find(&t, "\xff\xfe", 2), a);
	strtab_free(&t);
}

static void test_add_copies_and_ref_does_not(void **state)
{
	struct strtab t;
	char text[] = "volatile", kept[] = "mapped";
	strid a, b;

	(void)state;
	strtab_init(&t);
	a = strtab_add(&t, text, 8);
	b = strtab_ref(&t, kept, 6);
	memset(text, '!', 8);
	assert_string_equal(strtab_str(&t, a), "volatile");
	assert_ptr_equal(strtab_str(&t, b), kept);
	strtab_free(&t);
}

static size_t make_name(char *buf, size_t size, unsigned i)
{
	int n = snprintf(buf, size, "%%fusion.%u = bf16[%u,1024]{1,0} fusion(", i, i % 17);

	if (i % 10 == 0)
		for (; n < 900; n++)
			buf[n] = (char)('a' + n % 26);
	return (size_t)n;
}

static void test_many(void **state)
{
	enum { N = 100000 };
	struct strtab t;
	char buf[1024];
	strid *id = xmalloc(N * sizeof *id);

	(void)state;
	strtab_init(&t);
	for (unsigned i = 0; i < N; i++)
		id[i] = strtab_add(&t, buf, make_name(buf, sizeof buf, i));
	assert_int_equal(t.n, N + 1);
	for (unsigned i = 0; i < N; i++) {
		size_t len = make_name(buf, sizeof buf, i);
		assert_int_equal(strtab_find(&t, buf, len), id[i]);
		assert_int_equal(strtab_add(&t, buf, len), id[i]);
		assert_int_equal(strtab_len(&t, id[i]), len);
		assert_memory_equal(strtab_str(&t, id[i]), buf, len);
	}
	strtab_free(&t);
	free(id);
}

/* Every byte of every length matters, wherever the string is, and nothing after its end does (the sanitizer
 * build checks the reads). */
static void test_hash_sees_every_byte(void **state)
{
	(void)state;
	for (size_t len = 0; len <= 200; len++) {
		char *s = xcalloc(len ? len : 1, 1), *moved = xcalloc(len + 1, 1);
		uint32_t h = strtab_hash(s, len);
		assert_int_equal(strtab_hash(moved + 1, len), h);
		for (size_t i = 0; i < len; i++) {
			s[i] = 1;
			assert_int_not_equal(strtab_hash(s, len), h);
			s[i] = 0;
		}
		free(s);
		free(moved);
	}
}

static void test_hash_spreads_in_the_low_bits(void **state)
{
	enum { SLOTS = 1 << 14 };
	unsigned char *count = xcalloc(SLOTS, 1);
	char buf[64];
	unsigned most = 0, empty = 0;

	(void)state;
	for (int i = 0; i < SLOTS; i++) {
		size_t len = (size_t)snprintf(buf, sizeof buf, "fusion.%d", i);
		unsigned char *c = &count[strtab_hash(buf, len) & (SLOTS - 1)];
		if (++*c > most)
			most = *c;
	}
	for (int i = 0; i < SLOTS; i++)
		empty += !count[i];
	assert_in_range(empty, SLOTS * 34 / 100, SLOTS * 40 / 100); /* 1/e is 36.8 % */
	assert_true(most <= 12);
	free(count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_bytes_equal_ids),
		cmocka_unit_test(test_any_bytes),
		cmocka_unit_test(test_add_copies_and_ref_does_not),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_hash_sees_every_byte),
		cmocka_unit_test(test_hash_spreads_in_the_low_bits),
	};

	return cmocka_run_group_tests_name("strtab", tests, NULL, NULL);
}
