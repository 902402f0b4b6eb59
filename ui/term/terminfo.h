/* The terminal's description, apart from curses' screens (its header claims the name `struct term`). */
#ifndef TERM_TERMINFO_H
#define TERM_TERMINFO_H

void *terminfo_open(int fd);                         /* of $TERM; NULL = not known */
void terminfo_close(void *);                         /* once a screen has a description of its own */
const char *terminfo_string(const char *capability); /* NULL = the terminal lacks it */

#endif
