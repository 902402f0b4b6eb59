/* The terminal's description.  A file of its own, because curses' headers claim the name `struct term`. */
#ifndef TERM_TERMINFO_H
#define TERM_TERMINFO_H

void *terminfo_open(int fd);                         /* of $TERM; NULL = unknown terminal */
void terminfo_close(void *);                         /* once newterm() has loaded the description itself */
const char *terminfo_string(const char *capability); /* NULL = the terminal lacks it */

#endif
