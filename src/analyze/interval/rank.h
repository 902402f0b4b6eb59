/* Finds the values that two places of a sorted array would have, without sorting it: counts the values into
 * bins, then looks only at the bins with those places, and repeats this until few are left.  At most eight
 * passes, each over fewer values than the one before.  The array is left in disorder, with some values
 * duplicated. */
#ifndef ANALYZE_INTERVAL_RANK_H
#define ANALYZE_INTERVAL_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rank_two {
	uint64_t a, b;
}; /* relative to `low` */

/* Takes n > 0 values of 32 bits (wide: 64 bits), each at most `most` above `low`, modulo the width.  Wide
 * values may be given as their lower halves when their range is narrow.  Places a <= b < n. */
struct rank_two rank_two(void *values, size_t n, bool wide, uint64_t low, uint64_t most, size_t a, size_t b);

#endif
