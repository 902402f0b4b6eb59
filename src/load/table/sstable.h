/* A LevelDB table file: sorted keys with values in compressed blocks.  sstable_open() reads the index,
 * sstable_block() makes one block readable, a cursor walks its entries; sstable_find() looks a key up.  The
 * bytes belong to the caller and must outlive the table.  Blocks are checked against their CRC: `damaged`
 * says if one is wrong, but what can be decoded is kept; of a table that is cut off everything before is
 * kept.  Blocks together have at most the bytes of the file: an index that names some again and again is cut.
 * Several threads may read a table, but only one a cursor. */
#ifndef LOAD_TABLE_SSTABLE_H
#define LOAD_TABLE_SSTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define SSTABLE_MAGIC UINT64_C(0xdb4775248b80fb57) /* the last bytes of its footer */
#define SSTABLE_FOOTER 48
/* Bytes of a key that are kept: of an entry, enough to compare a name with what is typed; of the last key of a block,
 * more than a key of a trace has. */
#define SSTABLE_KEY_MAX 1024
#define SSTABLE_LAST_MAX 32
/* A key is found among as many entries behind one with a whole key.  LevelDB writes 16. */
#define SSTABLE_RUN_MAX 1024

struct sstable {
	const uint8_t *b;
	size_t n;
	struct sstable_entry {
		uint64_t at, size;
		uint8_t last[SSTABLE_LAST_MAX]; /* no key in it is larger */
		size_t nlast;                   /* SSTABLE_LAST_MAX: it may be longer */
	} * blocks;
	size_t nblocks, cap;
	bool cut, torn;     /* cut: the end of the table is missing; torn: so is a part of the last block */
	bool index_damaged; /* blocks may be missing */
	uint64_t index_at;
	uint32_t crc[8][256]; /* [k]: of a byte with k zeros behind it */
};

struct sstable_block {
	const uint8_t *b;
	size_t n;        /* bytes of the entries; offsets of those with whole keys follow */
	size_t restarts; /* how many */
	bool damaged;
	uint8_t *owned; /* memory for what is unpacked, which the next block takes over */
	size_t room;    /* bytes of it */
};

struct sstable_cursor {
	const struct sstable_block *block;
	size_t next; /* offset of the next entry */
	size_t at;   /* of this one */
	uint8_t key[SSTABLE_KEY_MAX];
	size_t nkey; /* can be larger than SSTABLE_KEY_MAX */
	const uint8_t *value;
	size_t nvalue;
	bool bad;
};

bool sstable_has_end(const uint8_t *b,
    size_t n); /* without it the blocks are looked for, which takes longer */
int sstable_open(struct sstable *, const uint8_t *b, size_t n, struct err *);
void sstable_close(struct sstable *);
uint32_t sstable_checksum(const struct sstable *, const uint8_t *, size_t n); /* of a block with its kind */
/* The block is zeroed, or was read before; also when it fails, sstable_release() frees its memory. */
int sstable_block(const struct sstable *, size_t i, struct sstable_block *, struct err *);
/* Keeps the complete entries of a block of which only the first n bytes are there. */
int sstable_torn(const uint8_t *, size_t n, uint64_t at, struct sstable_block *, struct err *);
void sstable_release(struct sstable_block *);
struct sstable_cursor sstable_walk(const struct sstable_block *);
size_t sstable_whole_key(const struct sstable_block *, size_t i); /* where the i-th entry with one is */
bool sstable_next(struct sstable_cursor *);
/* the first block that may have a key; nblocks: none has it */
size_t sstable_block_of(const struct sstable *, const uint8_t *key, size_t n);
/* moves onto the first entry that is not before a key; false: there is none */
bool sstable_seek(const struct sstable_block *, const uint8_t *key, size_t n, struct sstable_cursor *);
bool sstable_find(const struct sstable_block *, const uint8_t *key, size_t n, struct sstable_cursor *);
bool sstable_at(const struct sstable_block *, size_t at, struct sstable_cursor *); /* the entry at a place */

#endif
