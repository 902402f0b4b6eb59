/* Medians, and how far a value is from the others even if some of those are far off themselves: z = 0.6745 (x
 * − median) ÷ MAD.  MAD is the median absolute deviation, or 0.1 % of the median if that is more, because the
 * MAD of equal values is 0 (tpuscope(7), STATISTICS).  Pure. */
#ifndef BASE_ROBUST_H
#define BASE_ROBUST_H

#include <stddef.h>

struct robust {
	double median, mad; /* NaN: no values */
};

double robust_median(double *, size_t n);    /* sorts the values; NaN when there are none */
struct robust robust_of(double *, size_t n); /* overwrites the values */
/* NaN: the value is NaN, or there are no others; 0 where nothing differs */
double robust_z(const struct robust *, double value);

#endif
