/* The one door to a terminal for texts from files: a stream that replaces control characters (all but tabs and line
 * breaks), broken UTF-8, and what reverses or hides text by visible signs (utf8_safe()), and writes the rest as it
 * is.  Nothing in a file can change a terminal's title, clipboard or modes through it.  Errors of the stream below show
 * as those of this one.  fclose() flushes the stream below and leaves it open.  One thread. */
#ifndef BASE_TEXT_SAFE_OUT_H
#define BASE_TEXT_SAFE_OUT_H

#include <stdio.h>

FILE *safe_out(FILE *to); /* NULL: no memory */

#endif
