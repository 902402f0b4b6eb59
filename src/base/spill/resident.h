/* Pages of files that are mapped, and that the kernel can read back at any time: the input, and columns that live in a
 * file (spill.h).  The kernel would keep them as long as nobody else needs the memory; under --memory, a thread lets go
 * of all of them whenever the program is larger than that.  Nothing is lost: whoever touches a page gets it back.
 * resident_add() names n bytes at base, a whole number of pages; resident_remove() comes before they are unmapped.
 * Any thread. */
#ifndef BASE_SPILL_RESIDENT_H
#define BASE_SPILL_RESIDENT_H

#include <stddef.h>

void resident_add(void *base, size_t n);
void resident_remove(void *base);

#endif
