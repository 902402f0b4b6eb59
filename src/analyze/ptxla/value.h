/* The values of a metrics report (tpuscope(7), PYTORCH): a duration ("06m09s401ms746.001us", picoseconds), a
 * size ("543.93KB", bytes) or a number.  Each reader takes the text at the beginning of *s off and returns
 * false, leaving it, where there is none.  Sums of damaged texts end at the largest number.  Pure. */
#ifndef ANALYZE_PTXLA_VALUE_H
#define ANALYZE_PTXLA_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/slice.h"

enum ptxla_unit { PTXLA_UNKNOWN, PTXLA_PS, PTXLA_BYTES, PTXLA_COUNT };

/* i: of times and sizes; d: of counts.  What is not known is INT64_MIN in both. */
union ptxla_number {
	int64_t i;
	double d;
};

#define PTXLA_NONE ((union ptxla_number){ .i = INT64_MIN })

static inline bool ptxla_known(union ptxla_number v)
{
	return v.i != INT64_MIN;
}

/* NaN: not known */
double ptxla_double(enum ptxla_unit, union ptxla_number);

bool ptxla_value(struct slice *, enum ptxla_unit *, union ptxla_number *);
bool ptxla_duration(struct slice *, int64_t *ps);
bool ptxla_decimal(struct slice *, double *); /* "1.53116", "437924", "1e+06" */
bool ptxla_integer(struct slice *, int64_t *);
/* "0.000071 GB" in bytes */
bool ptxla_gigabytes(struct slice, int64_t *);

#endif
