#include "config.h"

#include "load/table/sstable.h"

#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/codec/snappy.h"
#include "base/codec/wire.h"
#include "base/mem.h"

#define TRAILER 5 /* kind and CRC after a block */

enum kind { SSTABLE_RAW = 0, SSTABLE_SNAPPY = 1 };

static uint32_t load32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return le32toh(v);
}

/* CRC-32C, reflected polynomial 0x82f63b78. */
static void crc_table(uint32_t table[8][256])
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int bit = 0; bit < 8; bit++)
			c = c >> 1 ^ (c & 1 ? UINT32_C(0x82f63b78) : 0);
		table[0][i] = c;
	}
	for (int k = 1; k < 8; k++)
		for (int i = 0; i < 256; i++)
			table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
}

static uint32_t crc_step(const struct sstable *t, uint32_t c, uint8_t byte)
{
	return t->crc[0][(c ^ byte) & 0xff] ^ c >> 8;
}

/* Returns a CRC in the form in which LevelDB stores it. */
static uint32_t crc_masked(uint32_t c)
{
	c = ~c;
	return (c >> 15 | c << 17) + UINT32_C(0xa282ead8);
}

/* Returns the CRC of a block including its kind byte. */
uint32_t sstable_checksum(const struct sstable *t, const uint8_t *p, size_t n)
{
	uint32_t c = UINT32_MAX;
	size_t i = 0;

	for (; n - i >= 8; i += 8) {
		uint32_t a = c ^ load32(p + i), b = load32(p + i + 4);

		c = t->crc[7][a & 0xff] ^ t->crc[6][a >> 8 & 0xff] ^ t->crc[5][a >> 16 & 0xff] ^
		    t->crc[4][a >> 24] ^ t->crc[3][b & 0xff] ^ t->crc[2][b >> 8 & 0xff] ^
		    t->crc[1][b >> 16 & 0xff] ^ t->crc[0][b >> 24];
	}
	for (; i < n; i++)
		c = crc_step(t, c, p[i]);
	return crc_masked(c);
}

static int inflate_block(const uint8_t *p, size_t n, struct sstable_block *b, uint64_t at, struct err *err)
{
	const uint8_t *end = p + n;
	uint64_t size;
	bool whole;

	p = wire_varint(p, end, &size);
	if (!p || size > UINT32_MAX || size / SNAPPY_RATIO > n)
		return err_set(err, EXIT_DAMAGED, at, "a block is not valid Snappy data");
	if (!b->owned || b->room < size) {
		size_t room = (size_t)(size + size / 8); /* blocks differ by some entries */

		sstable_release(b);
		b->owned = mem_try(NULL, 1, room);
		b->room = b->owned ? room : 0;
	}
	if (!b->owned)
		return err_set(err, EXIT_DAMAGED, at, "not enough memory for a block of %" PRIu64 " MiB",
		    size >> 20);
	b->n = snappy_unpack(p, end, b->owned, (size_t)size, &whole);
	if (!whole) {
		sstable_release(b);
		return err_set(err, EXIT_DAMAGED, at, "a block is not valid Snappy data");
	}
	b->b = b->owned;
	return 0;
}

static int read_block(const struct sstable *t, uint64_t at, uint64_t size, struct sstable_block *b,
    struct err *err)
{
	const uint8_t *p;
	uint32_t restarts;

	*b = (struct sstable_block){ .owned = b->owned, .room = b->room };
	if (size > t->n || at > t->n || t->n - at < TRAILER || t->n - at - TRAILER < size)
		return err_set(err, EXIT_DAMAGED, at, "a block is outside of the file");
	p = t->b + at;
	if (p[size] == SSTABLE_RAW) {
		b->b = p;
		b->n = (size_t)size;
	} else if (p[size] != SSTABLE_SNAPPY) {
		return err_set(err, EXIT_DAMAGED, at, "a block has an unknown kind (%d)", p[size]);
	} else if (inflate_block(p, (size_t)size, b, at, err)) {
		return -1;
	}
	b->damaged = sstable_checksum(t, p, (size_t)size + 1) != load32(p + size + 1);
	restarts = b->n >= 4 ? load32(b->b + b->n - 4) : UINT32_MAX;
	if (restarts > b->n / 4 - (b->n >= 4)) {
		sstable_release(b);
		return err_set(err, EXIT_DAMAGED, at, "a block has no table of keys");
	}
	b->restarts = restarts;
	b->n -= 4 + 4 * (size_t)restarts;
	return 0;
}

void sstable_release(struct sstable_block *b)
{
	free(b->owned);
	memset(b, 0, sizeof *b);
}

int sstable_block(const struct sstable *t, size_t i, struct sstable_block *b, struct err *err)
{
	const struct sstable_entry *e = &t->blocks[i];

	if (t->torn && i == t->nblocks - 1)
		return sstable_torn(t->b + e->at, (size_t)e->size, e->at, b, err);
	return read_block(t, e->at, e->size, b, err);
}

struct sstable_cursor sstable_walk(const struct sstable_block *b)
{
	return (struct sstable_cursor){ .block = b };
}

bool sstable_next(struct sstable_cursor *c)
{
	const uint8_t *p = c->block->b + c->next, *end = c->block->b + c->block->n;
	uint64_t shared, own = 0, value = 0;
	size_t room;

	if (c->bad || p >= end)
		return false;
	c->at = c->next;
	p = wire_varint(p, end, &shared);
	p = p ? wire_varint(p, end, &own) : NULL;
	p = p ? wire_varint(p, end, &value) : NULL;
	if (!p || shared > c->nkey || own > (uint64_t)(end - p) || value > (uint64_t)(end - p) - own) {
		c->bad = true;
		return false;
	}
	room = shared < SSTABLE_KEY_MAX ? SSTABLE_KEY_MAX - (size_t)shared : 0;
	if (room)
		memcpy(c->key + shared, p, own < room ? (size_t)own : room);
	c->nkey = (size_t)(shared + own);
	c->value = p + own;
	c->nvalue = (size_t)value;
	c->next = (size_t)(c->value + value - c->block->b);
	return true;
}

static int compare(const uint8_t *a, size_t na, const uint8_t *b, size_t nb)
{
	size_t n = na < nb ? na : nb;
	int c = memcmp(a, b, n < SSTABLE_KEY_MAX ? n : SSTABLE_KEY_MAX);

	return c ? c : (na > nb) - (na < nb);
}

size_t sstable_block_of(const struct sstable *t, const uint8_t *key, size_t n)
{
	size_t lo;

	n = n < SSTABLE_LAST_MAX ? n : SSTABLE_LAST_MAX;
	BISECT(lo, t->nblocks, compare(t->blocks[lo].last, t->blocks[lo].nlast, key, n) < 0);
	return lo;
}

size_t sstable_whole_key(const struct sstable_block *b, size_t i)
{
	return load32(b->b + b->n + 4 * i);
}

static void set_last(struct sstable_entry *e, const struct sstable_cursor *c)
{
	memcpy(e->last, c->key, sizeof e->last);
	e->nlast = c->nkey < sizeof e->last ? c->nkey : sizeof e->last;
}

/* Returns a cursor before the i-th entry with a whole key. */
static struct sstable_cursor at_restart(const struct sstable_block *b, size_t i)
{
	struct sstable_cursor c = { .block = b, .next = sstable_whole_key(b, i) };

	c.bad = c.next > b->n;
	return c;
}

bool sstable_seek(const struct sstable_block *b, const uint8_t *key, size_t n, struct sstable_cursor *c)
{
	size_t lo = 0, left = b->restarts;

	while (left > 1) {
		size_t half = left / 2;

		*c = at_restart(b, lo + half);
		if (sstable_next(c) && compare(c->key, c->nkey, key, n) <= 0) {
			lo += half;
			left -= half;
		} else {
			left = half;
		}
	}
	*c = b->restarts ? at_restart(b, lo) : sstable_walk(b);
	for (int i = 0; i < SSTABLE_RUN_MAX && sstable_next(c); i++)
		if (compare(c->key, c->nkey, key, n) >= 0)
			return true;
	return false;
}

bool sstable_find(const struct sstable_block *b, const uint8_t *key, size_t n, struct sstable_cursor *c)
{
	return sstable_seek(b, key, n, c) && !compare(c->key, c->nkey, key, n);
}

bool sstable_at(const struct sstable_block *b, size_t offset, struct sstable_cursor *c)
{
	size_t lo = 0, left = b->restarts;

	while (left > 1) {
		size_t half = left / 2;

		if (sstable_whole_key(b, lo + half) <= offset) {
			lo += half;
			left -= half;
		} else {
			left = half;
		}
	}
	*c = b->restarts ? at_restart(b, lo) : sstable_walk(b);
	for (int i = 0; i < SSTABLE_RUN_MAX && sstable_next(c); i++)
		if (c->at >= offset)
			return c->at == offset;
	return false;
}

static int read_index(struct sstable *t, uint64_t at, uint64_t size, struct err *err)
{
	struct sstable_cursor c;
	struct sstable_block b = { 0 };
	uint64_t left = t->n; /* bytes that no block has yet */
	bool damaged;

	if (read_block(t, at, size, &b, err))
		return -1;
	damaged = b.damaged;
	for (c = sstable_walk(&b); sstable_next(&c);) {
		uint64_t takes = TRAILER;
		struct sstable_entry e = { .at = 0 };
		const uint8_t *p = wire_varint(c.value, c.value + c.nvalue, &e.at);

		if (!p || !wire_varint(p, c.value + c.nvalue, &e.size)) {
			c.bad = true;
			break;
		}
		if (e.size < t->n)
			takes += e.size;
		if (takes > left) {
			damaged = true;
			continue;
		}
		left -= takes;
		set_last(&e, &c);
		VEC_ADD(t->blocks, t->nblocks, t->cap, e);
	}
	t->index_damaged = damaged || c.bad;
	t->index_at = at;
	sstable_release(&b);
	if (t->nblocks || !c.bad)
		return 0;
	return err_set(err, EXIT_DAMAGED, at, "the index of the table is damaged");
}

/* Finds the end of a block without the index: where the checksum after it is right.  False: not found. */
static bool find_end(const struct sstable *t, size_t at, size_t *size)
{
	uint32_t c = UINT32_MAX;

	for (size_t i = at; t->n - i >= TRAILER; i++) {
		c = crc_step(t, c, t->b[i]);
		if (t->b[i] <= SSTABLE_SNAPPY && crc_masked(c) == load32(t->b + i + 1)) {
			*size = i - at;
			return true;
		}
	}
	return false;
}

/* Whether a block is the index.  After the data come an empty block and the index, which starts with the
 * place of the first block. */
static bool is_index(const struct sstable *t, const struct sstable_cursor *first)
{
	const uint8_t *end = first->value + first->nvalue, *p;
	uint64_t at = 0, size = 0;

	if (t->nblocks < 2) /* the first block cannot be its own index */
		return false;
	p = wire_varint(first->value, end, &at);
	p = p ? wire_varint(p, end, &size) : NULL;
	return p == end && at == t->blocks[0].at && size == t->blocks[0].size;
}

/* False: the block is after the data. */
static bool add_block(struct sstable *t, uint64_t at, uint64_t size, bool torn)
{
	struct sstable_entry *e;
	struct sstable_cursor c;
	struct sstable_block b = { 0 };
	bool data = false;

	VEC_PUSH(t->blocks, t->nblocks, t->cap);
	e = &t->blocks[t->nblocks++];
	*e = (struct sstable_entry){ .at = at, .size = size };
	t->torn = torn;
	if (!sstable_block(t, t->nblocks - 1, &b, NULL)) {
		c = sstable_walk(&b);
		data = sstable_next(&c) && (c.nkey || t->nblocks == 1) && !is_index(t, &c);
		while (sstable_next(&c))
			;
		set_last(e, &c);
		sstable_release(&b);
	}
	if (!data) {
		t->nblocks--;
		t->torn = false;
	}
	return data;
}

/* Finds the blocks of a table that is cut off, and what is left of the last one. */
static int recover(struct sstable *t, struct err *err)
{
	size_t at = 0, size = 0;
	bool whole;

	while ((whole = find_end(t, at, &size)) && add_block(t, at, size, false))
		at += size + TRAILER;
	if (!whole)
		add_block(t, at, t->n - at, true);
	t->cut = true;
	if (t->nblocks)
		return 0;
	err_set(err, EXIT_NOTHING, t->n, "not a trace table: the file has no footer");
	sstable_close(t);
	return -1;
}

bool sstable_has_end(const uint8_t *b, size_t n)
{
	const uint64_t magic = htole64(SSTABLE_MAGIC);

	return n >= SSTABLE_FOOTER && !memcmp(b + n - sizeof magic, &magic, sizeof magic);
}

int sstable_open(struct sstable *t, const uint8_t *b, size_t n, struct err *err)
{
	const uint8_t *p, *end;
	uint64_t skipped, at = 0, size = 0;

	memset(t, 0, sizeof *t);
	t->b = b;
	t->n = n;
	crc_table(t->crc);
	if (!sstable_has_end(b, n))
		return recover(t, err);
	end = b + n - sizeof(uint64_t);
	p = wire_varint(b + n - SSTABLE_FOOTER, end, &skipped);
	p = p ? wire_varint(p, end, &skipped) : NULL;
	p = p ? wire_varint(p, end, &at) : NULL;
	if (!p || !wire_varint(p, end, &size))
		return err_set(err, EXIT_NOTHING, n - SSTABLE_FOOTER,
		    "the footer of the trace table is damaged");
	if (read_index(t, at, size, err)) {
		sstable_close(t);
		return -1;
	}
	return 0;
}

void sstable_close(struct sstable *t)
{
	free(t->blocks);
	memset(t, 0, sizeof *t);
}
