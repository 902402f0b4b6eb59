/* Sizes as XLA prints them: "18.50G", "348.0K", "0B", "12.00GiB", "268435456", "6,532,939,776 bytes".
 * "unknown size" and "nan" are read as SIZE_NONE, and so is what does not fit.  Pure. */
#ifndef ANALYZE_HLO_SIZES_H
#define ANALYZE_HLO_SIZES_H

#include <stdint.h>

#include "base/text/slice.h"

#define SIZE_NONE INT64_MIN /* not known */

bool size_read(struct slice *, int64_t *); /* false: there is no size; otherwise the slice is moved past it */
/* Reads a size in a sentence, where it has a unit, or something follows it: a number at the end of a text that was cut
 * off may have lost its unit, and is no size. */
bool size_read_unit(struct slice *, int64_t *);
bool size_read_after(struct slice, const char *phrase,
    int64_t *); /* reads such a size that follows a phrase */

#endif
