/* Fuzz target of the table of names: the first line is what is typed, the rest are the bytes of the table.  Some hits
 * are gone through in both directions. */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>

#include "input.h"
#include "load/table/trie.h"
#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

const int mutate_head_lines = 1;

enum { STEPS = 5 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const uint8_t *end = bytes + size;
	struct trie_want want = { .dir = 0 };
	struct err err = { 0 };
	struct trie trie;

	if (!take_line(&bytes, end, want.text, sizeof want.text) ||
	    trie_open(&trie, bytes, (size_t)(end - bytes), &err))
		return 0;
	for (int i = 0; i < STEPS; i++) {
		struct trie_hits hits;

		trie_find(&trie, &want, &hits, NULL);
		if (hits.rank > hits.n || !hits.rank != !hits.n)
			abort();
		want.from = hits.at;
		want.dir = i < STEPS / 2 ? 1 : -1;
	}
	trie_close(&trie);
	return 0;
}
