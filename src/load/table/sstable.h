/* A LevelDB table file: sorted keys with values in compressed blocks.  sstable_open() reads the index,
 * sstable_block() makes one block readable, a cursor walks its entries; sstable_find() looks a key up.  The
 * bytes belong to the caller and must outlive the table.  Blocks are checked against their CRC: `damaged`
 * tells, what decodes is there all the same; of a table that lost its end is there what comes before.  A table
 * may be read by several threads, a cursor by one. */
#ifndef LOAD_TABLE_SSTABLE_H
#define LOAD_TABLE_SSTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define SSTABLE_KEY_MAX 32 /* of a key are kept; longer ones are none of ours */

struct sstable {
	const uint8_t *b;
	size_t n;
	struct sstable_entry {
		uint64_t at, size;
		uint8_t last[SSTABLE_KEY_MAX]; /* no key in it is larger */
		size_t nlast;
	} * blocks;
	size_t nblocks, cap;
	bool cut, torn; /* its end is lost, and with that a part of the last block */
	uint32_t crc[256];
};

struct sstable_block {
	const uint8_t *b;
	size_t n;        /* of the entries; offsets of those with whole keys follow */
	size_t restarts; /* how many */
	bool damaged;
	uint8_t *owned;
};

struct sstable_cursor {
	const struct sstable_block *block;
	size_t next; /* offset of the next entry */
	size_t at;   /* of this one */
	uint8_t key[SSTABLE_KEY_MAX];
	size_t nkey; /* may be larger than what is kept */
	const uint8_t *value;
	size_t nvalue;
	bool bad;
};

int sstable_open(struct sstable *, const uint8_t *b, size_t n, struct err *);
void sstable_close(struct sstable *);
int sstable_block(const struct sstable *, size_t i, struct sstable_block *, struct err *);
/* Of a block of which n bytes are there, the last ones lost: its whole entries. */
int sstable_torn(const uint8_t *, size_t n, uint64_t at, struct sstable_block *, struct err *);
void sstable_release(struct sstable_block *);
struct sstable_cursor sstable_walk(const struct sstable_block *);
bool sstable_next(struct sstable_cursor *);
size_t sstable_block_of(const struct sstable *, const uint8_t *key, size_t n); /* or nblocks */
bool sstable_find(const struct sstable_block *, const uint8_t *key, size_t n, struct sstable_cursor *);
bool sstable_at(const struct sstable_block *, size_t at, struct sstable_cursor *); /* by its place */

#endif
