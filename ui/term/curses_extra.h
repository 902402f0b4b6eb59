/* Features of xterm-like terminals beyond drawing: mouse reports (modes 1000, 1002 and 1006; never all
 * motion) and the clipboard (OSC 52).  A terminal counts as xterm-like when its description has kmous, as for
 * bracketed paste.  Nothing is sent before it is asked for; restore.c turns the mouse off when the program
 * ends without calling these functions.  Call curses_extra_pause() before leaving the screen and
 * curses_extra_resume() after returning. */
#ifndef TERM_CURSES_EXTRA_H
#define TERM_CURSES_EXTRA_H

#include <stddef.h>

#include "core/input/mouse.h"

struct curses_extra {
	enum mouse_mode mode;
};

int curses_extra_mouse(struct curses_extra *, enum mouse_mode); /* -1 = the terminal reports no mouse */
/* 1 = sent to tmux, which may drop it; -1 = no clipboard, or the text is too long */
int curses_extra_clipboard(const char *text, size_t n);
void curses_extra_pause(const struct curses_extra *); /* off for now */
void curses_extra_resume(const struct curses_extra *);

#endif
