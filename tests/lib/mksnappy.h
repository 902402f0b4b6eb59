/* Packs bytes as raw Snappy: literals, and copies of what stands at most 64 KiB before. */
#ifndef TESTS_MKSNAPPY_H
#define TESTS_MKSNAPPY_H

#include <stdint.h>
#include <string.h>

#include "../lib/pbuild.h"

static inline void snappy_literal(struct pb *to, const uint8_t *p, size_t n)
{
	while (n) {
		size_t some = n < 65536 ? n : 65536, last = some - 1;

		if (some <= 60)
			pb_raw(to, &(uint8_t){ (uint8_t)(last << 2) }, 1);
		else
			pb_raw(to, (const uint8_t[]){ 61 << 2, (uint8_t)last, (uint8_t)(last >> 8) }, 3);
		pb_raw(to, p, some);
		p += some;
		n -= some;
	}
}

static inline void snappy_copy(struct pb *to, size_t back, size_t n)
{
	if (n >= 4 && n <= 11 && back < 2048)
		pb_raw(to, (const uint8_t[]){ (uint8_t)(1 | (n - 4) << 2 | back >> 8 << 5), (uint8_t)back },
		    2);
	else
		pb_raw(to,
		    (const uint8_t[]){ (uint8_t)(2 | (n - 1) << 2), (uint8_t)back, (uint8_t)(back >> 8) }, 3);
}

static inline void snappy_pack(struct pb *to, const uint8_t *p, size_t n)
{
	static size_t seen[4096]; /* places + 1, by the hash of 4 bytes */
	size_t done = 0, i = 0;

	memset(seen, 0, sizeof seen);
	pb_varint(to, n);
	while (i + 4 <= n) {
		uint32_t word;
		size_t *slot, at, len = 0;

		memcpy(&word, p + i, 4);
		slot = &seen[word * 0x9e3779b1u >> 20];
		at = *slot;
		*slot = i + 1;
		while (at && i + 1 - at < 65536 && len < 64 && i + len < n && p[at - 1 + len] == p[i + len])
			len++;
		if (len < 4) {
			i++;
			continue;
		}
		snappy_literal(to, p + done, i - done);
		snappy_copy(to, i + 1 - at, len);
		done = i += len;
	}
	snappy_literal(to, p + done, n - done);
}

#endif
