/* Keys from ncurses as values of core/input/key.h.  ncurses finds the sequences of the terminal's description;
 * those that descriptions lack (modified arrows, Home and End under tmux, paste, focus) are defined here,
 * and what is still unknown is swallowed whole, so that no tail of a sequence is taken for keys. */
#ifndef TERM_CURSES_KEYS_H
#define TERM_CURSES_KEYS_H

#include <curses.h>

#include "core/input/key.h"
#include "core/input/mouse.h"

struct curses_keys {
	WINDOW *win;  /* a pad: reading from it never refreshes the screen */
	bool pasting; /* between the brackets of a paste: controls are text */
	unsigned char utf8[4];
	int n;    /* a character that is not complete */
	int back; /* one character put back, -1 */
	char report[20];
	int nreport;        /* a mouse report that is not complete; nreport 0 = none */
	struct mouse mouse; /* of the last K_MOUSE */
};

int curses_keys_open(struct curses_keys *);
void curses_keys_close(struct curses_keys *);
int curses_keys_get(struct curses_keys *, struct key *); /* 1 = got one, 0 = nothing there */

#endif
