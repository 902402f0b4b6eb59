/* Writes text for a manual page, with roff's special characters escaped.  Used for the blocks of the pages
 * that the program prints itself (`--list-keys=man`, `--list-columns=man`). */
#ifndef BASE_TEXT_ROFF_H
#define BASE_TEXT_ROFF_H

#include <stdio.h>

void roff_text(FILE *, const char *);

#endif
