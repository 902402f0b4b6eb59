/* qsort() for work that somebody may want to stop: looks at progress_cancelled() every few tenths of a
 * millisecond. Takes n × size bytes beside.  For orders without equals (or where equals are the same). */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

#include "base/progress.h"

/* false: cancelled, and what is in v is of no use; progress NULL: qsort() */
bool sort_items(void *v, size_t n, size_t size, int (*cmp)(const void *, const void *),
    const struct progress *);

#endif
