/* qsort() for work that can be canceled: checks progress_canceled() every few tenths of a millisecond.
 * Needs n × size bytes of extra memory.  For orders without equal elements (or where equal elements are
 * identical). */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

#include "base/progress.h"

/* Returns false when canceled; the array is then in an undefined state.  progress NULL: same as qsort(). */
bool sort_items(void *v, size_t n, size_t size, int (*cmp)(const void *, const void *),
    const struct progress *);

/* for qsort() */
int sort_by_int64(const void *, const void *);
int sort_by_double(const void *, const void *);

#endif
