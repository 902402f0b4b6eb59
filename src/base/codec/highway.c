#include "config.h"

#include "base/codec/highway.h"

#include <endian.h>
#include <string.h>

#define LANES 4
#define PACKET (LANES * sizeof(uint64_t))

struct state {
	uint64_t v0[LANES], v1[LANES], mul0[LANES], mul1[LANES];
};

static inline uint64_t halves_swapped(uint64_t v)
{
	return v >> 32 | v << 32;
}

/* The bytes of two lanes, in an order that spreads the good ones: those in the middle of a product. */
static inline void zipper_merge(uint64_t hi, uint64_t lo, uint64_t *to_hi, uint64_t *to_lo)
{
	*to_lo += ((lo & 0xff000000u) | (hi & 0xff00000000u)) >> 24 |
	    ((lo & 0xff0000000000u) | (hi & 0xff000000000000u)) >> 16 | (lo & 0xff0000u) |
	    (lo & 0xff00u) << 32 | (hi & 0xff00000000000000u) >> 8 | lo << 56;
	*to_hi += ((hi & 0xff000000u) | (lo & 0xff00000000u)) >> 24 | (hi & 0xff0000u) |
	    (hi & 0xff0000000000u) >> 16 | (hi & 0xff00u) << 24 | (lo & 0xff000000000000u) >> 8 |
	    (hi & 0xffu) << 48 | (lo & 0xff00000000000000u);
}

static inline void update(struct state *s, const uint64_t lane[LANES])
{
	for (int i = 0; i < LANES; i++) {
		s->v1[i] += s->mul0[i] + lane[i];
		s->mul0[i] ^= (s->v1[i] & UINT32_MAX) * (s->v0[i] >> 32);
		s->v0[i] += s->mul1[i];
		s->mul1[i] ^= (s->v0[i] & UINT32_MAX) * (s->v1[i] >> 32);
	}
	for (int i = 0; i < LANES; i += 2)
		zipper_merge(s->v1[i + 1], s->v1[i], &s->v0[i + 1], &s->v0[i]);
	for (int i = 0; i < LANES; i += 2)
		zipper_merge(s->v0[i + 1], s->v0[i], &s->v1[i + 1], &s->v1[i]);
}

static void update_bytes(struct state *s, const uint8_t *p)
{
	uint64_t lane[LANES];

	memcpy(lane, p, PACKET);
	for (int i = 0; i < LANES; i++)
		lane[i] = le64toh(lane[i]);
	update(s, lane);
}

static uint64_t rotate_halves(uint64_t v, unsigned by) /* 0 < by < 32 */
{
	uint32_t lo = (uint32_t)v, hi = (uint32_t)(v >> 32);

	lo = lo << by | lo >> (32 - by);
	hi = hi << by | hi >> (32 - by);
	return (uint64_t)hi << 32 | lo;
}

/* The last n bytes, fewer than a packet. */
static void update_rest(struct state *s, const uint8_t *p, size_t n)
{
	uint8_t packet[PACKET] = { 0 };
	size_t fours = n & ~(size_t)3, odd = n & 3;

	for (int i = 0; i < LANES; i++) {
		s->v0[i] += ((uint64_t)n << 32) + n;
		s->v1[i] = rotate_halves(s->v1[i], (unsigned)n);
	}
	memcpy(packet, p, fours);
	if (n & 16) {
		memcpy(packet + 28, p + n - 4, 4);
	} else if (odd) {
		packet[16] = p[fours];
		packet[17] = p[fours + odd / 2];
		packet[18] = p[n - 1];
	}
	update_bytes(s, packet);
}

uint64_t highway_hash(const uint64_t key[4], const void *bytes, size_t n)
{
	static const uint64_t mul0[LANES] = { 0xdbe6d5d5fe4cce2fu, 0xa4093822299f31d0u, 0x13198a2e03707344u,
		0x243f6a8885a308d3u };
	static const uint64_t mul1[LANES] = { 0x3bd39e10cb0ef593u, 0xc0acf169b5f18a8cu, 0xbe5466cf34e90c6cu,
		0x452821e638d01377u };
	const uint8_t *p = bytes;
	struct state s;

	for (int i = 0; i < LANES; i++) {
		s.mul0[i] = mul0[i];
		s.mul1[i] = mul1[i];
		s.v0[i] = mul0[i] ^ key[i];
		s.v1[i] = mul1[i] ^ halves_swapped(key[i]);
	}
	for (; n >= PACKET; n -= PACKET, p += PACKET)
		update_bytes(&s, p);
	if (n)
		update_rest(&s, p, n);
	for (int i = 0; i < 4; i++)
		update(&s,
		    (const uint64_t[LANES]){ halves_swapped(s.v0[2]), halves_swapped(s.v0[3]),
			halves_swapped(s.v0[0]), halves_swapped(s.v0[1]) });
	return s.v0[0] + s.v1[0] + s.mul0[0] + s.mul1[0];
}
