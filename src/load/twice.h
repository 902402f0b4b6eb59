/* Finds redundant files: of files that are identical on disk, all but the first; and of several forms of one
 * host in a folder (XSpace, trace JSON, table, results of tools), those that opening the folder would not
 * take.  Does not compare hosts of the same name in different folders.  Of XSpaces with the same bytes, which are
 * copies, all but the first are redundant, too, unless their names say other hosts. */
#ifndef LOAD_TWICE_H
#define LOAD_TWICE_H

#include "model/dump.h"

/* Returns for each file whether to drop it, and adds a warning to the dump; NULL: none.  The caller frees. */
bool *twice_find(struct dump *);

#endif
