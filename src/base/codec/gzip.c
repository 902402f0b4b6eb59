#include "config.h"
#include "base/codec/gzip.h"

#include <limits.h>
#include <stdlib.h>

#include <zlib.h>

#include "base/mem.h"

#define AS_GZIP (MAX_WBITS + 16)
#define FIRST_GUESS 8 /* expected expansion */
/* more than this many times its size is a trap, or damaged, as for whole files (load/source/decoder.h) */
#define TIMES_MOST 100
#define FREE ((size_t)16 << 20)

uint8_t *gzip_pack(const uint8_t *b, size_t n, size_t *packed)
{
	z_stream z = { .next_in = (uint8_t *)(uintptr_t)b };
	uint8_t *out = NULL;
	uLong room;

	if (n > UINT_MAX / 2 || deflateInit2(&z, 6, Z_DEFLATED, AS_GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return NULL;
	room = deflateBound(&z, (uLong)n);
	if ((out = mem_try(NULL, 1, room))) {
		z.avail_in = (uInt)n;
		z.next_out = out;
		z.avail_out = (uInt)room;
		if (deflate(&z, Z_FINISH) != Z_STREAM_END) {
			free(out);
			out = NULL;
		}
	}
	*packed = z.total_out;
	deflateEnd(&z);
	return out;
}

bool gzip_is(const uint8_t *b, size_t n)
{
	return n > 3 && b[0] == 0x1f && b[1] == 0x8b && b[2] == Z_DEFLATED;
}

uint8_t *gzip_unpack(const uint8_t *b, size_t n, size_t limit, size_t *unpacked)
{
	z_stream z = { .next_in = (uint8_t *)(uintptr_t)b };
	uint8_t *out = NULL, *more;
	size_t cap = 0, want;
	int status = Z_OK;

	if (n > UINT_MAX / TIMES_MOST)
		return NULL;
	if (limit > FREE && limit / TIMES_MOST > n)
		limit = n * TIMES_MOST > FREE ? n * TIMES_MOST : FREE;
	if (inflateInit2(&z, AS_GZIP) != Z_OK) {
		mem_refused();
		return NULL;
	}
	z.avail_in = (uInt)n;
	while (status == Z_OK && cap < limit) {
		want = cap ? cap * 2 : n * FIRST_GUESS;
		want = want < limit ? want : limit;
		if (want - cap > UINT_MAX || !(more = mem_try(out, 1, want)))
			break;
		out = more;
		z.next_out = out + cap;
		z.avail_out = (uInt)(want - cap);
		cap = want;
		status = inflate(&z, Z_NO_FLUSH);
	}
	*unpacked = z.total_out;
	inflateEnd(&z);
	if (status == Z_STREAM_END)
		return out;
	free(out);
	return NULL;
}
