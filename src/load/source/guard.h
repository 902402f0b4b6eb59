/* Mappings that may shrink under us.  guard_add() registers one with the flag to set; while it is registered,
 * a SIGBUS inside of it becomes a page of zeros.  The table is the one global of the loaders, as the handler
 * is: entries are claimed and read without locks.  guard_install() puts the handler before what is
 * installed then, to which it chains; it may be called again when somebody else installed one since. */
#ifndef LOAD_SOURCE_GUARD_H
#define LOAD_SOURCE_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

void guard_install(void);
void *guard_add(const void *base, size_t n, _Atomic bool *shrunk); /* a handle; NULL: no room */
void guard_remove(void *handle);

#endif
