/* The terminal's description.  A file of its own, because curses' headers claim the name `struct term`.  One
 * description is current, that of the last terminfo_open(); all other functions are about it and come after.  Strings
 * belong to it.  Only the thread that owns the terminal calls these. */
#ifndef TERM_TERMINFO_H
#define TERM_TERMINFO_H

#include <stdbool.h>

/* The description of that terminal or, where this machine has none, of one that it most likely speaks like, whose name
 * takes the place of *name.  NULL: there is none of that either. */
void *terminfo_open(int fd, const char **name);
void terminfo_close(void *);                         /* once newterm() has loaded the description itself */
const char *terminfo_string(const char *capability); /* NULL = the terminal lacks it */
int terminfo_number(const char *capability);         /* negative = it lacks it */
bool terminfo_like_xterm(void);
bool terminfo_in_tmux(void);
bool terminfo_clipboard(void); /* takes texts for it (OSC 52), as far as anybody can tell */

#endif
