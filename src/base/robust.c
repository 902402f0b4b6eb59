#include "config.h"
#include "base/robust.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"

#define SCALE 0.6745
#define MAD_LEAST 0.001 /* fraction of the median */

double robust_median(double *v, size_t n)
{
	if (!n)
		return NAN;
	qsort(v, n, sizeof *v, sort_by_double);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

struct robust robust_of(double *v, size_t n)
{
	struct robust r = { .median = robust_median(v, n) };

	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - r.median);
	r.mad = robust_median(v, n);
	return r;
}

double robust_z(const struct robust *r, double value)
{
	double mad = fmax(r->mad, MAD_LEAST * r->median);

	if (isnan(value) || isnan(mad))
		return NAN;
	return mad > 0 ? SCALE * (value - r->median) / mad : 0;
}
