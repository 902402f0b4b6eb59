/* Medians, and how far a value stands from the others when some of them are far off themselves: z = 0.6745
 * (x − median) ÷ MAD, the median absolute deviation, at least 0.1 % of the median, as equal values have none
 * (tpuscope(7), STATISTICS).  Pure. */
#ifndef BASE_ROBUST_H
#define BASE_ROBUST_H

#include <stddef.h>

struct robust {
	double median, mad; /* NaN: no values */
};

double robust_median(double *, size_t n);    /* sorts; NaN when there are none */
struct robust robust_of(double *, size_t n); /* leaves other values there */
/* NaN: of no value, or from none; 0 where none differs */
double robust_z(const struct robust *, double value);

#endif
