/* Finds files that repeat what another one has: of files that are identical on disk, all but the first; and
 * of several forms of one host in a folder (XSpace, trace JSON, table, results of tools), those that opening
 * the folder would not take.  Hosts of the same name in different folders are not its concern. */
#ifndef LOAD_TWICE_H
#define LOAD_TWICE_H

#include "model/dump.h"

/* Returns for each file whether to drop it, with a warning in the dump; NULL: none.  The caller frees. */
bool *twice_find(struct dump *);

#endif
