/* The table of names beside a trace table, as XProf writes it: names with the keys of their events.
 *
 *	struct trie_name names[] = { { "fusion.1", 0 }, … };
 *	trie_name_add(&names[0], '3', 5000, 0);  …
 *	struct pb file = trie_table(names, n, TRIE_PREFIXES | TRIE_SNAPPY);	… frees the events
 *
 * TRIE_PREFIXES: each prefix of a name has an entry, which is empty unless it is a name, as older ones write it.
 * TRIE_SIGNED: characters are signed, by which they order names that are not ASCII. */
#ifndef TESTS_MKTRIE_H
#define TESTS_MKTRIE_H

#include "../lib/mktable.h"

enum { TRIE_PREFIXES = 1, TRIE_SIGNED = 2, TRIE_SNAPPY = 4 };

struct trie_name {
	const char *name;
	struct pb events;
};

static int trie_signed;

static inline void trie_name_add(struct trie_name *t, char level, uint64_t ts, uint8_t serial)
{
	uint8_t key[10] = { (uint8_t)level };

	for (int i = 0; i < 8; i++)
		key[1 + i] = (uint8_t)(ts >> (56 - 8 * i));
	key[9] = serial;
	pb_bytes(&t->events, 1, key, sizeof key);
}

static inline int trie_order(const void *pa, const void *pb)
{
	const struct trie_name *a = pa, *b = pb;
	size_t i = 0;

	while (a->name[i] && a->name[i] == b->name[i])
		i++;
	return trie_signed && a->name[i] && b->name[i]
	    ? (signed char)a->name[i] - (signed char)b->name[i]
	    : (unsigned char)a->name[i] - (unsigned char)b->name[i];
}

static inline struct pb trie_table(struct trie_name *names, size_t n, int how)
{
	static struct mktable t;

	t = (struct mktable){ .snappy = how & TRIE_SNAPPY };
	trie_signed = how & TRIE_SIGNED;
	qsort(names, n, sizeof *names, trie_order);
	for (size_t i = 0; i < n; i++) {
		const char *name = names[i].name, *before = i ? names[i - 1].name : "";
		size_t same = 0, len = strlen(name);
		struct pb none = { 0 };

		while (name[same] && name[same] == before[same])
			same++;
		for (size_t k = i ? same + 1 : 0; (how & TRIE_PREFIXES) && k < len; k++)
			table_put(&t, name, k, &none);
		table_put(&t, name, len, &names[i].events);
	}
	return table_finish(&t);
}

#endif
