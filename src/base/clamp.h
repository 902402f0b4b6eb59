/* Arithmetic on numbers from files, which may be anything: sums stop at the limits of 64 bits, doubles are
 * brought into range, and nothing divides by zero.  Pure. */
#ifndef BASE_CLAMP_H
#define BASE_CLAMP_H

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

/* 0 where the divisor is 0, as XProf does for rates */
static inline double safe_div(double a, double b)
{
	return b > -1e-300 && b < 1e-300 ? 0 : a / b;
}

/* For numbers from files; NaN becomes 0. */
static inline int64_t from_double(double v)
{
	return v != v                  ? 0
	    : v >= 9.2233720368547e18  ? INT64_MAX
	    : v <= -9.2233720368547e18 ? INT64_MIN
				       : (int64_t)v;
}

#endif
