/* Protects mappings of files that may shrink while they are mapped.  guard_add() registers a mapping and a
 * flag to set; while it is registered, a SIGBUS inside it becomes a page of zeros.  The table is the only
 * global state of the loaders, because a signal handler is global, too: entries are claimed and read without
 * locks.  guard_install() installs the handler and chains to the previous one; it may be called again when
 * somebody else has installed one since. */
#ifndef LOAD_SOURCE_GUARD_H
#define LOAD_SOURCE_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

void guard_install(void);
void *guard_add(const void *base, size_t n,
    _Atomic bool *shrunk); /* returns a handle; NULL: the table is full */
void guard_remove(void *handle);

#endif
