/* Binary search.  BISECT(i, n, before) sets i to the first place in a sorted row of n where `before`, an
 * expression that uses i, is false, and to n where there is none:
 *
 *     BISECT(i, n, v[i].id < id);     the first of this ID, or what follows
 *     BISECT(i, n, v[i].id <= id);    what follows the last of this ID
 *
 * BISECT_LAST(p, v, n, upto) sets p to the last item of the row where `upto`, an expression that uses p, is
 * true, and to NULL where there is none:
 *
 *     BISECT_LAST(p, v, n, p->start <= t);    the last that starts at or before t */
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

#define BISECT_LAST(p, v, n, upto) \
	do { \
		size_t after_; \
		BISECT(after_, n, (p = &(v)[after_], (upto))); \
		p = after_ ? &(v)[after_ - 1] : NULL; \
	} while (0)

#endif
