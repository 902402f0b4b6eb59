#include "config.h"

#include "base/codec/snappy.h"

#include <string.h>

#define STRIDE 16 /* bytes copied at once where both buffers have room for it */

/* Copies n bytes from `back` bytes before, which may be fewer than n: they repeat then. */
static void copy_back(uint8_t *out, size_t back, size_t n, size_t room)
{
	const uint8_t *from = out - back;

	if (back >= STRIDE && room >= n + STRIDE) {
		for (size_t i = 0; i < n; i += STRIDE)
			memcpy(out + i, from + i, STRIDE);
		return;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = from[i];
}

static void copy_literal(uint8_t *out, const uint8_t *p, size_t n, size_t left, size_t room)
{
	if (n <= STRIDE && left >= STRIDE && room >= STRIDE)
		memcpy(out, p, STRIDE);
	else
		memcpy(out, p, n);
}

static size_t min3(size_t a, size_t b, size_t c)
{
	a = a < b ? a : b;
	return a < c ? a : c;
}

size_t snappy_unpack(const uint8_t *p, const uint8_t *end, uint8_t *out, size_t size, bool *whole)
{
	size_t n = 0;

	*whole = false;
	while (p < end) {
		uint8_t tag = *p++, form = tag & 3;
		size_t len = (tag >> 2) + 1u, room = size - n, number = 0, fits;
		int extra = form ? 1 << (form - 1) : len > 60 ? (int)len - 60 : 0;

		if (end - p < extra)
			return n;
		for (int i = 0; i < extra; i++)
			number |= (size_t)*p++ << 8 * i;
		if (form) {
			if (form == 1) {
				len = (tag >> 2 & 7) + 4u;
				number |= (size_t)(tag >> 5) << 8;
			}
			if (!number || number > n)
				return n;
			fits = len < room ? len : room;
			copy_back(out + n, number, fits, room);
		} else {
			len = extra ? number + 1 : len;
			fits = min3(len, room, (size_t)(end - p));
			copy_literal(out + n, p, fits, (size_t)(end - p), room);
			p += fits;
		}
		n += fits;
		if (fits < len)
			return n;
	}
	*whole = n == size;
	return n;
}
