/* FNV-1a with 64 bits: fingerprints of files for saved states, keys of small tables.  Begin with HASH_START;
 * to hash several pieces, pass on what the last call returned.  The values are stable, since files contain
 * them.  Pure. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xcbf29ce484222325u

static inline uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

#endif
