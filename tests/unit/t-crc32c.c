/* CRC-32C: the values of RFC 3720, all lengths and alignments against one bit at a time, the masked form. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/codec/crc32c.h"

static void vectors(void **state)
{
	uint8_t bytes[32] = { 0 };

	(void)state;
	assert_int_equal(crc32c("123456789", 9), 0xe3069283u);
	assert_int_equal(crc32c("", 0), 0);
	assert_int_equal(crc32c(bytes, sizeof bytes), 0x8a9136aau);
	memset(bytes, 255, sizeof bytes);
	assert_int_equal(crc32c(bytes, sizeof bytes), 0x62a8ab43u);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)i;
	assert_int_equal(crc32c(bytes, sizeof bytes), 0x46dd794eu);
}

static uint32_t bit_by_bit(const uint8_t *p, size_t n)
{
	uint32_t r = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		r ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			r = r >> 1 ^ (r & 1 ? 0x82f63b78u : 0);
	}
	return ~r;
}

static void lengths(void **state)
{
	uint8_t bytes[100];

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * 37 + 11);
	for (size_t from = 0; from < 9; from++)
		for (size_t n = 0; from + n <= sizeof bytes; n++)
			assert_int_equal(crc32c(bytes + from, n), bit_by_bit(bytes + from, n));
}

/* The length 62 and its checksum, as TensorFlow writes them in front of the first record. */
static void masked(void **state)
{
	static const uint8_t length[8] = { 62 };

	(void)state;
	assert_int_equal(crc32c_mask(crc32c(length, 8)), 0xe740d2d9u);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(vectors), cmocka_unit_test(lengths),
		cmocka_unit_test(masked) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
