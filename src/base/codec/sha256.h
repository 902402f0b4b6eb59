/* SHA-256 of bytes in memory: names of folders in the cache, which others may compute, too.  Pure. */
#ifndef BASE_CODEC_SHA256_H
#define BASE_CODEC_SHA256_H

#include <stddef.h>
#include <stdint.h>

void sha256(const void *bytes, size_t n, uint8_t out[32]);

#endif
