/* Binary search.  BISECT(i, n, before) sets i to the first place in a sorted row of n where `before`, an
 * expression that uses i, is false, and to n where there is none:
 *
 *     BISECT(i, n, v[i].id < id);     the first of this ID, or what follows
 *     BISECT(i, n, v[i].id <= id);    what follows the last of this ID */
#ifndef BASE_BISECT_H
#define BASE_BISECT_H

#include <stddef.h>

#define BISECT(i, n, before) \
	do { \
		size_t low_ = 0, high_ = (n); \
		while (low_ < high_) { \
			i = low_ + (high_ - low_) / 2; \
			if (before) \
				low_ = i + 1; \
			else \
				high_ = i; \
		} \
		i = low_; \
	} while (0)

#endif
