/* Natural order of names: runs of digits compare as numbers ("TPU:2" before "TPU:10"), everything else as
 * bytes.  The result is as for qsort(). */
#ifndef BASE_TEXT_NATURAL_H
#define BASE_TEXT_NATURAL_H

#include <stddef.h>

int natural_cmp(const char *a, size_t alen, const char *b, size_t blen);

#endif
