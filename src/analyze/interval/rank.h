/* The values that stand at two places when an array is sorted, without sorting it: counts them into bins by
 * value and looks only at the bins that hold the places, again and again until few are left.  At most eight
 * passes, each over less than the one before.  The array is left in disorder, some values several times. */
#ifndef ANALYZE_INTERVAL_RANK_H
#define ANALYZE_INTERVAL_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rank_two {
	uint64_t a, b;
}; /* above `low` */

/* n > 0 values of 32 bits (wide: 64 bits), each at most `most` above `low`, modulo the width: what is wide
 * itself may be given as its low half when its range is narrow.  Places a <= b < n. */
struct rank_two rank_two(void *values, size_t n, bool wide, uint64_t low, uint64_t most, size_t a, size_t b);

#endif
