/* A column of numbers of which neighbors differ little: every STEPPED_SPAN numbers have a base, and the column holds
 * what each of them has more than its base (packed.h).  stepped_begin() comes before each number that is appended: the
 * first of a step is its base.  The base of a step that gets a smaller number is the owner's to lower.  The memory
 * belongs to the owner of the column; any number of threads may read, one may write. */
#ifndef BASE_CODEC_STEPPED_H
#define BASE_CODEC_STEPPED_H

#include <stdbool.h>

#include "base/codec/packed.h"

#define STEPPED_SPAN 64

struct stepped {
	struct packed more;
	uint64_t *base;
};

static inline size_t stepped_bases(size_t n)
{
	return n / STEPPED_SPAN + (n % STEPPED_SPAN != 0);
}

static inline uint64_t stepped_get(const struct stepped *col, size_t i)
{
	return col->base[i / STEPPED_SPAN] + packed_get(&col->more, i);
}

static inline void stepped_begin(const struct stepped *col, size_t i, uint64_t v)
{
	if (i % STEPPED_SPAN == 0)
		col->base[i / STEPPED_SPAN] = v;
}

static inline bool stepped_fits(const struct stepped *col, size_t i, uint64_t v)
{
	return v - col->base[i / STEPPED_SPAN] <= col->more.most;
}

static inline void stepped_append(const struct stepped *col, size_t i, uint64_t v)
{
	packed_append(&col->more, i, v - col->base[i / STEPPED_SPAN]);
}

static inline void stepped_put(const struct stepped *col, size_t i, uint64_t v)
{
	packed_put(&col->more, i, v - col->base[i / STEPPED_SPAN]);
}

/* the largest number of the step of number i, of n in the column */
static inline uint64_t stepped_largest(const struct stepped *col, size_t i, size_t n)
{
	const size_t from = i - i % STEPPED_SPAN, to = n - from < STEPPED_SPAN ? n : from + STEPPED_SPAN;
	uint64_t largest = col->base[i / STEPPED_SPAN];

	for (size_t k = from; k < to; k++)
		if (stepped_get(col, k) > largest)
			largest = stepped_get(col, k);
	return largest;
}

/* Makes the base of the step of number i smaller; what the numbers then have more must fit. */
static inline void stepped_lower(const struct stepped *col, size_t i, size_t n, uint64_t base)
{
	const size_t from = i - i % STEPPED_SPAN, to = n - from < STEPPED_SPAN ? n : from + STEPPED_SPAN;
	const uint64_t by = col->base[i / STEPPED_SPAN] - base;

	for (size_t k = from; k < to; k++)
		packed_put(&col->more, k, packed_get(&col->more, k) + by);
	col->base[i / STEPPED_SPAN] = base;
}

#endif
