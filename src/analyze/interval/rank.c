#include "config.h"

#include "analyze/interval/rank.h"

#include <string.h>

#define FEW 24
#define BITS_MAX 11
/* Consecutive values are counted in different sets, because two increments of the same bin in a row would
 * have to wait for each other. */
#define SETS 4
#define AHEAD 512 /* values prefetched before they are counted and changed */

struct bins {
	uint32_t set[SETS][1 << BITS_MAX];
	size_t n;
};

/* inlined, so that it is compiled once for each width */
#define BOTH static inline __attribute__((always_inline))

BOTH uint64_t get(const void *v, size_t i, bool wide)
{
	return wide ? ((const uint64_t *)v)[i] : ((const uint32_t *)v)[i];
}

BOTH void put(void *v, size_t i, uint64_t x, bool wide)
{
	if (wide)
		((uint64_t *)v)[i] = x;
	else
		((uint32_t *)v)[i] = (uint32_t)x;
}

BOTH void sort_few(void *v, size_t n, bool wide)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t x = get(v, i, wide);
		size_t j = i;

		for (; j && get(v, j - 1, wide) > x; j--)
			put(v, j, get(v, j - 1, wide), wide);
		put(v, j, x, wide);
	}
}

/* The more values, the more bins are worth it. */
static int bits_of_bin(size_t n, uint64_t most)
{
	int bits = n < 512 ? 6 : n < 4096 ? 8 : 11, have = 64 - __builtin_clzll(most | 1);

	return have > bits ? have - bits : 0;
}

BOTH size_t bin_of(const void *v, size_t i, bool wide, uint64_t low, int shift)
{
	uint64_t x = get(v, i, wide) - low;

	return (wide ? x : (uint32_t)x) >> shift;
}

BOTH void count(struct bins *bins, const void *v, size_t n, bool wide, uint64_t low, uint64_t most, int shift)
{
	size_t i = 0, size = wide ? sizeof(uint64_t) : sizeof(uint32_t);

	bins->n = (most >> shift) + 1;
	for (int k = 0; k < SETS; k++)
		memset(bins->set[k], 0, bins->n * sizeof *bins->set[k]);
	for (; i + SETS <= n; i += SETS) {
		__builtin_prefetch((const char *)v + (i + AHEAD) * size);
		bins->set[0][bin_of(v, i, wide, low, shift)]++;
		bins->set[1][bin_of(v, i + 1, wide, low, shift)]++;
		bins->set[2][bin_of(v, i + 2, wide, low, shift)]++;
		bins->set[3][bin_of(v, i + 3, wide, low, shift)]++;
	}
	for (; i < n; i++)
		bins->set[0][bin_of(v, i, wide, low, shift)]++;
	for (size_t b = 0; b < bins->n; b++)
		bins->set[0][b] += bins->set[1][b] + bins->set[2][b] + bins->set[3][b];
}

/* Returns the bin of a place; *place becomes the place within that bin. */
static size_t find_bin(const struct bins *bins, size_t *place)
{
	size_t b = 0;

	while (*place >= bins->set[0][b])
		*place -= bins->set[0][b++];
	return b;
}

/* Moves the members of two bins to the front, less `low`; returns how many. */
BOTH size_t keep(void *v, size_t n, bool wide, uint64_t low, int shift, size_t a, size_t b)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t x = get(v, i, wide) - low;
		size_t of = (wide ? x : (uint32_t)x) >> shift;

		put(v, m, x, wide);
		m += (of == a) | (of == b);
	}
	return m;
}

/* Moves values below `edge` to the front; returns how many. */
BOTH size_t part(void *v, size_t n, bool wide, uint64_t edge)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t x = get(v, i, wide);

		put(v, i, get(v, m, wide), wide);
		put(v, m, x, wide);
		m += x < edge;
	}
	return m;
}

BOTH struct rank_two two(void *v, size_t n, bool wide, uint64_t low, uint64_t most, size_t a, size_t b)
{
	uint64_t sum = 0, from_b;
	struct bins bins;

	while (n > FEW) {
		int shift = bits_of_bin(n, most);
		size_t of_a, of_b, below;
		void *above;

		count(&bins, v, n, wide, low, most, shift);
		of_a = find_bin(&bins, &a);
		of_b = find_bin(&bins, &b);
		if (!shift)
			return (struct rank_two){ sum + of_a, sum + of_b };
		low += (uint64_t)of_a << shift;
		of_b -= of_a;
		sum += (uint64_t)of_a << shift;
		n = keep(v, n, wide, low, shift, 0, of_b);
		low = 0;
		most = ((uint64_t)1 << shift) - 1;
		if (!of_b)
			continue;
		from_b = (uint64_t)of_b << shift;
		below = part(v, n, wide, from_b);
		above = (char *)v + below * (wide ? sizeof(uint64_t) : sizeof(uint32_t));
		return (struct rank_two){ sum + rank_two(v, below, wide, 0, most, a, a).a,
			sum + from_b + rank_two(above, n - below, wide, from_b, most, b, b).a };
	}
	for (size_t i = 0; low && i < n; i++)
		put(v, i, get(v, i, wide) - low, wide);
	sort_few(v, n, wide);
	return (struct rank_two){ sum + get(v, a, wide), sum + get(v, b, wide) };
}

struct rank_two rank_two(void *v, size_t n, bool wide, uint64_t low, uint64_t most, size_t a, size_t b)
{
	return wide ? two(v, n, true, low, most, a, b) : two(v, n, false, low, most, a, b);
}
