/* Sizes as XLA prints them: "18.50G", "348.0K", "0B", "12.00GiB", "268435456", "6,532,939,776 bytes".
 * "unknown size" and "nan" are sizes that are not known: SIZE_NONE, as is what does not fit.  Pure. */
#ifndef ANALYZE_HLO_SIZES_H
#define ANALYZE_HLO_SIZES_H

#include <stdint.h>

#include "base/text/slice.h"

#define SIZE_NONE INT64_MIN /* not known */

bool size_read(struct slice *, int64_t *); /* false: no size is there; else the slice begins behind it */
bool size_read_after(struct slice, const char *phrase, int64_t *); /* the size behind a phrase */

#endif
