/* A small trace table of what a large one shows from afar: its coarse levels come first, each over the whole time, and
 * what names devices and threads.  Returns bytes that load_memory() takes (the caller frees), NULL: it is no table, cut
 * off, or has no whole level among its first entries.  Pure. */
#ifndef LOAD_TABLE_COARSE_H
#define LOAD_TABLE_COARSE_H

#include <stddef.h>
#include <stdint.h>

uint8_t *tracetable_coarse(const uint8_t *b, size_t n, size_t most, size_t *len); /* most: entries */

#endif
