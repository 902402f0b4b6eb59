#include "config.h"

#include "base/codec/crc32c.h"

#include <endian.h>
#include <pthread.h>
#include <string.h>

#define POLYNOMIAL 0x82f63b78u /* reversed */

/* after[k][b]: what byte b does to the remainder when k more bytes follow it */
static uint32_t after[8][256];
static pthread_once_t filled = PTHREAD_ONCE_INIT;

static void fill_tables(void)
{
	for (uint32_t b = 0; b < 256; b++) {
		uint32_t r = b;

		for (int bit = 0; bit < 8; bit++)
			r = r >> 1 ^ (r & 1 ? POLYNOMIAL : 0);
		after[0][b] = r;
	}
	for (int k = 1; k < 8; k++)
		for (uint32_t b = 0; b < 256; b++)
			after[k][b] = after[k - 1][b] >> 8 ^ after[0][after[k - 1][b] & 255];
}

uint32_t crc32c(const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	uint32_t r = UINT32_MAX;
	uint64_t v;

	pthread_once(&filled, fill_tables);
	for (; n >= 8; n -= 8, p += 8) {
		memcpy(&v, p, 8);
		v = le64toh(v) ^ r;
		r = after[7][v & 255] ^ after[6][v >> 8 & 255] ^ after[5][v >> 16 & 255] ^
		    after[4][v >> 24 & 255] ^ after[3][v >> 32 & 255] ^ after[2][v >> 40 & 255] ^
		    after[1][v >> 48 & 255] ^ after[0][v >> 56];
	}
	for (; n; n--, p++)
		r = r >> 8 ^ after[0][(r ^ *p) & 255];
	return ~r;
}
