/* Reads what a window of a large trace table shows while all of it is loaded, in a thread of its own, so that neither
 * the loader nor the screen waits for it.  The loader says which bytes there are and, before they go, that they do;
 * the screen says which window it shows, and the last one that it asked for is answered (asked.h): show() gets bytes
 * that load_memory() takes, in the scout's thread.  The owner sets show and ctx of a struct from SCOUT_INIT; the struct
 * must not move.  scout_end() waits for the answer in work and must be called before the struct goes. */
#ifndef CORE_SCOUT_H
#define CORE_SCOUT_H

#include "core/load/asked.h"
#include "load/table/coarse.h"

struct scout {
	void (*show)(void *ctx, const void *bytes, size_t n, const char *name,
	    const struct tracetable_window *);
	void *ctx;
	struct asked asked;    /* for a struct tracetable_window */
	pthread_mutex_t using; /* guards the table, and is held while it is read */
	const uint8_t *table;
	size_t n;
	char *name;
};

#define SCOUT_INIT \
	(struct scout) \
	{ \
		.asked = ASKED_INIT, .using = PTHREAD_MUTEX_INITIALIZER \
	}

void scout_table(struct scout *, const char *name, const uint8_t *bytes, size_t n);
void scout_gone(struct scout *);
void scout_want(struct scout *, int64_t t0, int64_t t1); /* ps; any thread */
void scout_end(struct scout *);

#endif
