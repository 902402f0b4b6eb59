/* Files that say what another one says as well: of files that are one and the same on disk all but the first,
 * and of the forms of a host that lie in one folder (XSpace, trace JSON, table, results of tools) those that
 * opening the folder would not take.  Hosts of the same name in different folders are none of its business. */
#ifndef LOAD_TWICE_H
#define LOAD_TWICE_H

#include "model/dump.h"

/* What to drop, by file, said in a warning of the dump; NULL: nothing.  The caller frees. */
bool *twice_find(struct dump *);

#endif
