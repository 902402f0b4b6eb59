/* A column of whole numbers, each in `width` bytes (0 to 8), little-endian, without gaps: as many bytes as the largest
 * of them needs.  Numbers are read and written eight bytes at a time, so a column needs room for PACKED_SLACK bytes
 * after the last one.  packed_append() also writes what lies behind number i, up to there; packed_put() does not.
 * Whoever writes makes sure that the number is at most col->most.  The memory belongs to the owner of the column; any
 * number of threads may read, one may write. */
#ifndef BASE_CODEC_PACKED_H
#define BASE_CODEC_PACKED_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PACKED_SLACK 8

struct packed {
	uint8_t *p;
	uint64_t most; /* the largest number that fits: a mask of width bytes */
	size_t width;
};

static inline struct packed packed_at(uint8_t *p, size_t width)
{
	return (struct packed){ p, width ? UINT64_MAX >> (64 - 8 * width) : 0, width };
}

/* the smallest width for a number */
static inline size_t packed_width(uint64_t v)
{
	return v ? (size_t)(71 - __builtin_clzll(v)) / 8 : 0;
}

static inline uint64_t packed_word(const struct packed *col, size_t i)
{
	uint64_t w;

	memcpy(&w, col->p + i * col->width, sizeof w);
	return le64toh(w);
}

static inline uint64_t packed_get(const struct packed *col, size_t i)
{
	return packed_word(col, i) & col->most;
}

static inline void packed_append(const struct packed *col, size_t i, uint64_t v)
{
	v = htole64(v);
	memcpy(col->p + i * col->width, &v, sizeof v);
}

static inline void packed_put(const struct packed *col, size_t i, uint64_t v)
{
	packed_append(col, i, (packed_word(col, i) & ~col->most) | v);
}

#endif
