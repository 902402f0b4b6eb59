/* Packs and unpacks a block of bytes as one gzip member, for small data inside something else; files are read
 * through load/source/source.h.  Any thread; the caller frees. */
#ifndef BASE_CODEC_GZIP_H
#define BASE_CODEC_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint8_t *gzip_pack(const uint8_t *, size_t n, size_t *packed); /* NULL: no memory */
bool gzip_is(const uint8_t *, size_t n);
/* NULL: damaged, more than `limit` bytes, or far more than its size */
uint8_t *gzip_unpack(const uint8_t *, size_t n, size_t limit, size_t *unpacked);

#endif
