/* HighwayHash-64 (Alakuijala, Cox and Wassenberg), the portable form.  Pure; any thread. */
#ifndef BASE_CODEC_HIGHWAY_H
#define BASE_CODEC_HIGHWAY_H

#include <stddef.h>
#include <stdint.h>

uint64_t highway_hash(const uint64_t key[4], const void *, size_t);

#endif
