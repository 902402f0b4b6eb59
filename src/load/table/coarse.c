#include "config.h"

#include "load/table/coarse.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "load/table/sstable.h"

#define EVENT_KEY 10

enum { PLACE_EACH = 16 };

struct bytes {
	uint8_t *b;
	size_t n, cap;
};

static void put_bytes(struct bytes *to, const void *b, size_t n)
{
	if (to->cap - to->n < n) {
		to->cap = 2 * to->cap + n;
		to->b = xrealloc(to->b, to->cap, 1);
	}
	if (n)
		memcpy(to->b + to->n, b, n);
	to->n += n;
}

static void put_varint(struct bytes *to, uint64_t v)
{
	uint8_t b[10];
	size_t n = 0;

	do
		b[n++] = (uint8_t)(v & 127) | (uint8_t)(v > 127 ? 128 : 0);
	while (v >>= 7);
	put_bytes(to, b, n);
}

static void put_entry(struct bytes *to, const uint8_t *key, size_t nkey, const void *value, size_t n)
{
	put_varint(to, 0);
	put_varint(to, nkey);
	put_varint(to, n);
	put_bytes(to, key, nkey);
	put_bytes(to, value, n);
}

static void put_fixed(struct bytes *to, size_t v)
{
	const uint32_t b = htole32((uint32_t)v);

	put_bytes(to, &b, sizeof b);
}

/* The places of some entries, by which the others are found: all have whole keys. */
static void put_places(struct bytes *to, size_t begin)
{
	struct sstable_block block = { .n = to->n - begin };
	struct sstable_cursor c = sstable_walk(&block);
	size_t n = 0;

	for (size_t i = 0; block.b = to->b + begin, sstable_next(&c); i++)
		if (i % PLACE_EACH == 0) {
			put_fixed(to, c.at);
			n++;
		}
	put_fixed(to, n);
}

/* Writes the end of a block that is not compressed: places of entries, kind, checksum.  Returns its size. */
static size_t end_block(const struct sstable *t, struct bytes *to, size_t begin)
{
	static const uint8_t none[1];
	size_t size;
	uint32_t crc;

	put_places(to, begin);
	size = to->n - begin;
	put_bytes(to, none, sizeof none);
	crc = sstable_checksum(t, to->b + begin, size + 1);
	put_fixed(to, crc);
	return size;
}

/* Copies all levels that have no more entries than that together.  Returns the last one. */
static uint8_t copy_levels(const struct sstable *t, size_t most, struct bytes *to)
{
	size_t n = 0, whole = 0;
	struct sstable_block block = { 0 };
	uint8_t level = 0, kept = 0;

	for (size_t i = 0; i < t->nblocks && n <= most; i++) {
		struct sstable_cursor c;

		if (sstable_block(t, i, &block, NULL))
			break;
		for (c = sstable_walk(&block); sstable_next(&c);) {
			if (c.nkey == EVENT_KEY && level != c.key[0]) {
				whole = to->n;
				kept = level;
				level = c.key[0];
			}
			if (n++ == most || c.nkey > EVENT_KEY)
				break;
			put_entry(to, c.key, c.nkey, c.value, c.nvalue);
		}
	}
	sstable_release(&block);
	if (n > most)
		to->n = whole;
	return n > most ? kept : level;
}

/* The blocks that a window is read from; the levels are in their order. */
struct reader {
	const struct sstable *t;
	struct sstable_block block;
	size_t i; /* of the block; nblocks: none is held */
};

static bool hold_block(struct reader *r, size_t i)
{
	if (i == r->i)
		return true;
	r->i = i < r->t->nblocks && !sstable_block(r->t, i, &r->block, NULL) ? i : r->t->nblocks;
	return r->i == i;
}

/* Copies the entries of a level that start in [from, to).  Returns false when they are more than *room, or cannot
 * be read. */
static bool copy_part(struct reader *r, uint8_t level, uint64_t from, uint64_t end, size_t *room,
    struct bytes *to)
{
	uint8_t key[EVENT_KEY - 1] = { level };
	const uint64_t big = htobe64(from);
	struct sstable_cursor c;
	bool here;

	memcpy(key + 1, &big, sizeof big);
	for (size_t i = sstable_block_of(r->t, key, sizeof key); i < r->t->nblocks; i++) {
		if (!hold_block(r, i))
			return false;
		for (here = sstable_seek(&r->block, key, sizeof key, &c); here; here = sstable_next(&c)) {
			uint64_t start;

			memcpy(&start, c.key + 1, sizeof start);
			if (c.nkey != EVENT_KEY || c.key[0] != level || be64toh(start) >= end)
				return true;
			if (!*room)
				return false;
			--*room;
			put_entry(to, c.key, c.nkey, c.value, c.nvalue);
		}
		if (c.bad)
			return false;
	}
	return true;
}

static const char levels[] = "123456789ABCD"; /* of 1 s, 0.1 s, … 1 ps */

/* ps: an event of the level is at least so long, or has as much room; it is shorter than that of the level before.  0:
 * it is no level. */
static uint64_t resolution_of(uint8_t level)
{
	const char *at = level ? strchr(levels, level) : NULL;
	uint64_t ps = PS_PER_S;

	for (const char *l = levels; at && l < at; l++)
		ps /= 10;
	return at ? ps : 0;
}

/* Copies what is in the window of the levels behind one, while there is room for all of a level.  Returns the last
 * level. */
static uint8_t copy_window(const struct sstable *t, uint8_t level, struct tracetable_window *w,
    struct bytes *to)
{
	const char *at = level ? strchr(levels, level) : NULL;
	struct reader r = { .t = t, .i = t->nblocks };
	size_t room = w->most;

	w->all = at;
	while (at && w->all && *++at) {
		uint64_t longest = resolution_of((uint8_t)at[-1]);
		size_t before = to->n;

		w->all = copy_part(&r, (uint8_t)*at, w->t0 > longest ? w->t0 - longest : 0, w->t1, &room, to);
		if (w->all)
			level = (uint8_t)*at;
		else
			to->n = before;
	}
	sstable_release(&r.block);
	return level;
}

/* The entry that says names, from its own block: it is the last one. */
static bool copy_names(const struct sstable *t, struct bytes *to)
{
	static const uint8_t key[] = "trace";
	size_t i = sstable_block_of(t, key, sizeof key - 1);
	struct sstable_block block = { 0 };
	struct sstable_cursor c;
	bool found;

	if (i == t->nblocks || sstable_block(t, i, &block, NULL))
		return false;
	found = sstable_find(&block, key, sizeof key - 1, &c);
	if (found)
		put_entry(to, key, sizeof key - 1, c.value, c.nvalue);
	sstable_release(&block);
	return found;
}

static void put_place(struct bytes *to, const char *key, size_t nkey, uint64_t at, uint64_t size)
{
	struct bytes place = { 0 };

	put_varint(&place, at);
	put_varint(&place, size);
	put_entry(to, (const uint8_t *)key, nkey, place.b, place.n);
	free(place.b);
}

uint8_t *tracetable_coarse(const uint8_t *b, size_t n, size_t most, struct tracetable_window *window,
    size_t *len)
{
	const uint64_t magic = htole64(SSTABLE_MAGIC);
	struct bytes to = { 0 };
	struct sstable t;
	size_t events, names, index, at;
	char level[2] = { 0, (char)0xff };

	if (!sstable_has_end(b, n) || sstable_open(&t, b, n, NULL))
		return NULL;
	level[0] = (char)copy_levels(&t, most, &to);
	if (window)
		level[0] = (char)copy_window(&t, (uint8_t)level[0], window, &to);
	if (!level[0]) {
		sstable_close(&t);
		free(to.b);
		return NULL;
	}
	events = end_block(&t, &to, 0);
	names = at = to.n;
	if (copy_names(&t, &to))
		names = end_block(&t, &to, at);
	else
		at = 0; /* it was the first entry */
	index = to.n;
	put_place(&to, level, sizeof level, 0, events);
	if (at)
		put_place(&to, "trace", 5, at, names);
	names = end_block(&t, &to, index);
	at = to.n;
	put_varint(&to, 0);
	put_varint(&to, 0);
	put_varint(&to, index);
	put_varint(&to, names);
	while (to.n < at + SSTABLE_FOOTER - sizeof magic)
		put_bytes(&to, "", 1);
	put_bytes(&to, &magic, sizeof magic);
	sstable_close(&t);
	*len = to.n;
	return to.b;
}
