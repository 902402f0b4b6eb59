/* hash_bytes() is FNV-1a with 64 bits: fingerprints of files for saved states, keys of small tables.  Begin with
 * HASH_START; to hash several pieces, pass on what the last call returned.  The values are stable, since files contain
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

/* Hashes two numbers, in that order, for slots of tables; all bits are good.  Another version may hash differently. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	a = (a + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
	a = (a ^ a >> 32 ^ b) * 0x94d049bb133111ebu;
	return a ^ a >> 29;
}

#endif
