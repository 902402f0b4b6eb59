/* What terminals of xterm's kind can beyond drawing: mouse reports (modes 1000, 1002 and 1006; never all
 * motion) and a clipboard (OSC 52).
 * A terminal counts as one when its description has kmous, as for brackets around a paste.  Nothing is sent
 * before it is asked for; restore.c undoes the mouse on the ways out that end here in no other way.
 * curses_extra_pause() before and after the screen is left. */
#ifndef TERM_CURSES_EXTRA_H
#define TERM_CURSES_EXTRA_H

#include <stddef.h>

#include "core/input/mouse.h"

struct curses_extra {
	enum mouse_mode mode;
};

int curses_extra_mouse(struct curses_extra *, enum mouse_mode); /* -1 = the terminal reports none */
/* -1 = none, or the text is too long */
int curses_extra_clipboard(const char *text, size_t n);
void curses_extra_pause(const struct curses_extra *); /* off for now */
void curses_extra_resume(const struct curses_extra *);

#endif
