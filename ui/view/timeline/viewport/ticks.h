/* The ruler: round times with as much distance as their texts need, and the time at the cursor, with the
 * precision of a column.  Pure functions. */
#ifndef VIEW_TIMELINE_TICKS_H
#define VIEW_TIMELINE_TICKS_H

#include <stddef.h>

#include "view/timeline/viewport/viewport.h"

#define TICKS_MAX 128

struct tick {
	int x;
	int64_t t;
	char text[40];
};

int ticks_make(const struct viewport *, bool ascii, struct tick *out, int max); /* by x, texts never touch */
int64_t ticks_least(const struct viewport *); /* precision of the time at the cursor, in ps */
void ticks_moment(const struct viewport *, int64_t t, bool ascii, char *buf, size_t size);

#endif
