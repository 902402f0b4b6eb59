/* A small trace table of what a large one shows from afar: its coarse levels come first, each over the whole time, and
 * what names devices and threads.  With a window also what the finer levels have there: they are in the order of time,
 * so only the blocks of the window are read.  Returns bytes that load_memory() takes (the caller frees), NULL: it is no
 * table, cut off, or has no whole level among its first entries.  Pure; several threads may read the same bytes. */
#ifndef LOAD_TABLE_COARSE_H
#define LOAD_TABLE_COARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tracetable_window {
	uint64_t t0, t1; /* ps */
	size_t most;     /* entries, besides those of the whole levels */
	bool all;        /* set: no level was left out, so all events that begin or end in it are there */
};

/* most: entries of the whole levels; the window may be NULL */
uint8_t *tracetable_coarse(const uint8_t *b, size_t n, size_t most, struct tracetable_window *, size_t *len);

#endif
