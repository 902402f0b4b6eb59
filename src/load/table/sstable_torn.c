#include "config.h"

#include "load/table/sstable.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/snappy.h"
#include "base/codec/wire.h"
#include "base/mem.h"

/* Writes the offsets of entries with whole keys after the last complete entry, as at the end of a block. */
static void end_block(struct sstable_block *b)
{
	struct sstable_cursor c;
	uint32_t *place = NULL;
	size_t n = 0, cap = 0, end = 0;

	for (c = sstable_walk(b); sstable_next(&c); end = c.next) {
		if (b->owned[c.at]) /* shares a prefix with the previous key */
			continue;
		VEC_ADD(place, n, cap, htole32((uint32_t)c.at));
	}
	b->owned = xrealloc(b->owned, end + n * sizeof *place + 1, 1);
	if (n)
		memcpy(b->owned + end, place, n * sizeof *place);
	free(place);
	b->b = b->owned;
	b->n = end;
	b->restarts = n;
}

/* The byte that says whether the block is compressed is lost, too.  An uncompressed block starts with a zero,
 * because the first key shares nothing with a previous one; Snappy data starts with its length. */
int sstable_torn(const uint8_t *p, size_t n, uint64_t at, struct sstable_block *b, struct err *err)
{
	const uint8_t *end = p + n;
	bool packed = n && *p, whole;
	uint64_t size = n;

	sstable_release(b);
	p = packed ? wire_varint(p, end, &size) : p;
	if (p && size / SNAPPY_RATIO > n)
		size = (uint64_t)n * SNAPPY_RATIO;
	b->owned = p && size && size <= UINT32_MAX ? mem_try(NULL, 1, (size_t)size) : NULL;
	if (!b->owned)
		return err_set(err, EXIT_DAMAGED, at, "the file is cut off");
	b->b = b->owned;
	b->n = packed ? snappy_unpack(p, end, b->owned, (size_t)size, &whole) : n;
	if (!packed)
		memcpy(b->owned, p, n);
	end_block(b);
	return 0;
}
