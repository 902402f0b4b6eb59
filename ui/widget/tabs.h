/* The pages of a view as a row of tabs, and where they were drawn last, for clicks.  A tab that does not
 * fit is left out.  Owns nothing; the thread of the screen. */
#ifndef WIDGET_TABS_H
#define WIDGET_TABS_H

#include "core/input/mouse.h"
#include "core/paint/canvas.h"

enum { TABS_MOST = 33 };

struct tabs {
	int n, y, x[TABS_MOST + 1]; /* tab i: columns x[i] … x[i + 1] - 1 */
};

void tabs_begin(struct tabs *, int y, int x);
/* draws the next one if it ends before column `end`; text "": leaves it out */
void tabs_add(struct tabs *, struct canvas *, int end, bool here, const char *text);
int tabs_at(const struct tabs *, const struct mouse *); /* -1: none is there */

#endif
