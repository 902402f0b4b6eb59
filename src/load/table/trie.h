/* Which events of a trace table have a name that begins with a text, from the table beside it that XProf writes for
 * that: names are its keys, in their order, and the keys of the events of a name are its value.  So only the blocks of
 * these names are read, and the last one stays for the next question.  trie_open() gets the bytes of that table, which
 * belong to the caller and must outlive it; trie_close() frees the rest.  Of a damaged table what can be read counts,
 * and what is wrong is said; of a large one that is cut off nothing is read.  For one thread at a time. */
#ifndef LOAD_TABLE_TRIE_H
#define LOAD_TABLE_TRIE_H

#include "base/err.h"
#include "base/progress.h"
#include "load/table/sstable.h"

#define TRIE_TEXT_MAX 1000 /* bytes of a text: all of them are compared */

struct trie {
	struct sstable t;
	struct sstable_block block;
	size_t kept; /* the number of that block; nblocks: none */
};

/* Which of the events to go to: the next one after a moment (dir > 0) or before it (dir < 0), or the first that is not
 * before it (0); behind the last one comes the first. */
struct trie_want {
	char text[TRIE_TEXT_MAX + 1];
	uint64_t from; /* ps */
	int dir;
};

struct trie_hits {
	uint64_t n;          /* events */
	uint64_t at;         /* ps: the moment to go to, if there are any */
	uint64_t rank;       /* in the order of time, from 1, of the first of them that begins then */
	uint64_t resolution; /* ps: a column of so much shows it; 0: not known */
	struct err problem;  /* status 0: none */
};

char *trie_path(
    const char *table); /* of HOST.SSTABLE, which the caller frees; NULL: a table has none by this name */
int trie_open(struct trie *, const uint8_t *b, size_t n, struct err *);
void trie_close(struct trie *);
bool trie_find(struct trie *, const struct trie_want *, struct trie_hits *,
    const struct progress *); /* false: canceled */

#endif
