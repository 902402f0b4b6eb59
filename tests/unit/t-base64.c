/* Base64: the vectors of RFC 4648, every byte, lengths. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/codec/base64.h"
#include "base/mem.h"

static void vectors(void **state)
{
	static const struct {
		const char *plain, *coded;
	} v[] = { { "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" }, { "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" }, { "foobar", "Zm9vYmFy" }, { "\xff\xff\xff", "////" },
		{ "\xfb\xef\xbe", "++++" } };

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		char *s = base64_encode(v[i].plain, strlen(v[i].plain));

		assert_string_equal(s, v[i].coded);
		free(s);
	}
}

static int digit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Decoded bit by bit, the slow way. */
static void all_bytes_and_lengths(void **state)
{
	unsigned char bytes[600];

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 7 + i / 256);
	for (size_t n = 0; n <= sizeof bytes; n++) {
		char *s = base64_encode(bytes, n);

		assert_int_equal(strlen(s), (n + 2) / 3 * 4);
		for (size_t bit = 0; bit < n * 8; bit++)
			assert_int_equal(digit(s[bit / 6]) >> (5 - bit % 6) & 1,
			    bytes[bit / 8] >> (7 - bit % 8) & 1);
		for (size_t i = (n * 8 + 5) / 6; s[i]; i++)
			assert_int_equal(s[i], '=');
		free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(vectors),
		cmocka_unit_test(all_bytes_and_lengths) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
