/* Looks names up in the table that XProf writes for that beside a trace table, while the trace table is loaded: in a
 * thread of its own, so that neither the screen nor who reads windows (scout.h) waits.  The loader says where the trace
 * table is; the screen asks, and the last question is answered: found() gets it with its answer in the finder's thread.
 * The owner sets found and ctx of a struct from FINDER_INIT; the struct must not move.  finder_end() stops the answer
 * in work and must be called before the struct goes. */
#ifndef CORE_FINDER_H
#define CORE_FINDER_H

#include <stdatomic.h>

#include "core/load/asked.h"
#include "load/table/trie.h"

struct source;

struct finder {
	void (*found)(void *ctx, const struct trie_want *, const struct trie_hits *);
	void *ctx;
	_Atomic(char *) path; /* of the table of names; NULL: there is none */
	struct asked asked;
	struct progress progress;
	/* of its thread */
	struct source *source;
	struct trie trie;
	bool tried, good;
	struct err why; /* it is not good */
};

#define FINDER_INIT \
	(struct finder) \
	{ \
		.asked = ASKED_INIT \
	}

void finder_table(struct finder *,
    const char *path); /* the loader's thread; of the trace table that is shown */
bool finder_can(const struct finder *);
void finder_ask(struct finder *, const struct trie_want *);
void finder_end(struct finder *);

#endif
