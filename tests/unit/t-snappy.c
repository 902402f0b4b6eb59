/* Snappy: each form of literal and copy, what is cut off, and damage. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../lib/mksnappy.h"
#include "base/codec/snappy.h"

/* Unpacks into memory of just that size, where a sanitizer sees a byte too many. */
static size_t unpack(const void *p, size_t n, size_t size, uint8_t **out, bool *whole)
{
	uint8_t *in = malloc(n ? n : 1);
	size_t got;

	memcpy(in, p, n);
	*out = malloc(size ? size : 1);
	got = snappy_unpack(in, in + n, *out, size, whole);
	free(in);
	assert_true(got <= size);
	return got;
}

static void expect(const char *text, const void *p, size_t n)
{
	uint8_t *out;
	bool whole;
	size_t size = strlen(text);

	assert_int_equal(unpack(p, n, size, &out, &whole), size);
	assert_true(whole);
	assert_memory_equal(out, text, size);
	free(out);
}
#define EXPECT(text, packed) expect(text, packed, sizeof packed - 1)

static void every_form(void **state)
{
	(void)state;
	EXPECT("", "");
	EXPECT("abc",
	    "\x08"
	    "abc");
	EXPECT("abc",
	    "\xf0\x02"
	    "abc");
	EXPECT("abc",
	    "\xf4\x02\x00"
	    "abc");
	EXPECT("abc",
	    "\xf8\x02\x00\x00"
	    "abc");
	EXPECT("abc",
	    "\xfc\x02\x00\x00\x00"
	    "abc");
	EXPECT("abcabca",
	    "\x08"
	    "abc\x01\x03");
	EXPECT("abcab",
	    "\x08"
	    "abc\x06\x03\x00");
	EXPECT("abcab",
	    "\x08"
	    "abc\x07\x03\x00\x00\x00");
	EXPECT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	    "\x00"
	    "a\x7e\x01\x00");
}

static void wrong(const char *p, size_t n, size_t size, size_t kept)
{
	uint8_t *out;
	bool whole;

	assert_int_equal(unpack(p, n, size, &out, &whole), kept);
	assert_false(whole);
	free(out);
}
#define WRONG(packed, size, kept) wrong(packed, sizeof packed - 1, size, kept)

static void wrong_data(void **state)
{
	(void)state;
	WRONG("\x08"
	      "ab",
	    3, 2); /* cut in a literal */
	WRONG("\xf4\x02", 3, 0);
	WRONG("\x08"
	      "abc\x01",
	    7, 3); /* cut in a copy */
	WRONG("\x08"
	      "abc\x01\x00",
	    7, 3); /* a copy of itself */
	WRONG("\x08"
	      "abc\x01\x04",
	    7, 3); /* from before the beginning */
	WRONG("\x08"
	      "abc",
	    4, 3); /* fewer bytes than said */
	WRONG("\x08"
	      "abc",
	    2, 2); /* more */
	WRONG("\x08"
	      "abc\x01\x03",
	    5, 5);
	WRONG("\x08"
	      "abc\x01\x03\x00"
	      "x",
	    7, 7); /* something behind the end */
}

static void what_was_packed(void **state)
{
	uint8_t text[20000], *out;
	unsigned random = 1;

	(void)state;
	for (size_t i = 0; i < sizeof text; i++) {
		random = random * 1103515245 + 12345;
		text[i] = random >> 28 > 3 && i > 300 ? text[i - 1 - (random >> 16) % 300] : random >> 24 & 7;
	}
	for (size_t n = 0; n < sizeof text; n = n * 2 + 1) {
		struct pb packed = { 0 };
		size_t head = n < 128 ? 1 : n < 16384 ? 2 : 3;
		bool whole;

		snappy_pack(&packed, text, n);
		assert_int_equal(unpack(packed.b + head, packed.n - head, n, &out, &whole), n);
		assert_true(whole);
		assert_memory_equal(out, text, n);
		free(out);
		for (size_t cut = 0; cut < packed.n - head; cut += 1 + cut / 8) { /* the part that is there */
			size_t got = unpack(packed.b + head, cut, n, &out, &whole);

			assert_false(whole);
			assert_memory_equal(out, text, got);
			free(out);
		}
		for (int i = 0; n && i < 300; i++) { /* nothing beyond the buffers */
			size_t at = head + (random = random * 1103515245 + 12345) % (packed.n - head);

			packed.b[at] = (uint8_t)(random >> 24);
			unpack(packed.b + head, packed.n - head, n, &out, &whole);
			free(out);
		}
		pb_free(&packed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form),
		cmocka_unit_test(wrong_data),
		cmocka_unit_test(what_was_packed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
