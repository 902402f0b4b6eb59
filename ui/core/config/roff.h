/* Text for a manual page: what roff would take for its own is escaped.  For the blocks of the pages that the
 * program itself prints (`--list-keys=man`, `--list-settings=man`). */
#ifndef CORE_CONFIG_ROFF_H
#define CORE_CONFIG_ROFF_H

#include <stdio.h>

void roff_text(FILE *, const char *);

#endif
