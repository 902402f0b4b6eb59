/* Sums of times that a damaged or hostile file may push out of 64 bits: they stop at the end of the range.
 * Pure. */
#ifndef ANALYZE_CLAMP_H
#define ANALYZE_CLAMP_H

#include <stdint.h>

static inline int64_t add_clamped(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static inline int64_t sub_clamped(int64_t a, int64_t b)
{
	int64_t rest;

	return __builtin_sub_overflow(a, b, &rest) ? (b > 0 ? INT64_MIN : INT64_MAX) : rest;
}

static inline int64_t from_double(double v) /* not a NaN */
{
	return v >= 9.2233720368547e18 ? INT64_MAX : v <= -9.2233720368547e18 ? INT64_MIN : (int64_t)v;
}

#endif
