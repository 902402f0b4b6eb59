/* Keys from ncurses as values of core/input/key.h.  ncurses recognizes the sequences in the terminal's
 * description; sequences that descriptions lack (modified arrows, Home and End under tmux, paste, focus) are
 * defined here, and unknown ones are skipped as a whole, so that their ends are not taken for keys. */
#ifndef TERM_CURSES_KEYS_H
#define TERM_CURSES_KEYS_H

#include <curses.h>

#include "core/input/key.h"
#include "core/input/mouse.h"

struct curses_keys {
	WINDOW *win;  /* a pad: reading from it never refreshes the screen */
	bool pasting; /* inside a bracketed paste: control characters are text */
	unsigned char utf8[4];
	int n;    /* bytes of an incomplete character */
	int back; /* one code put back, -1 = none */
	char report[20];
	int nreport;        /* an incomplete mouse report; nreport 0 = none */
	struct mouse mouse; /* of the last K_MOUSE */
};

int curses_keys_open(struct curses_keys *);
void curses_keys_close(struct curses_keys *);
int curses_keys_get(struct curses_keys *, struct key *); /* 1 = got one, 0 = none */

#endif
