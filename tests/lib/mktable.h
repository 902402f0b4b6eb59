/* Writes trace tables as LevelDB does: entries come in order of their keys.
 *
 *	static struct mktable t;
 *	t = (struct mktable){ .snappy = true };
 *	table_put_event(&t, '1', ts, 0, &event);  …  table_put(&t, "trace", 5, &description);
 *	struct pb file = table_finish(&t); */
#ifndef TESTS_MKTABLE_H
#define TESTS_MKTABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/mksnappy.h"
#include "../lib/pbuild.h"

#define TABLE_RESTARTS 4

static inline void table_fixed(struct pb *p, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		pb_raw(p, &(uint8_t){ (uint8_t)(v >> 8 * i) }, 1);
}

static inline uint32_t table_crc(const uint8_t *p, size_t n)
{
	uint32_t c = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		c ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			c = c >> 1 ^ (c & 1 ? UINT32_C(0x82f63b78) : 0);
	}
	return ~c;
}

struct mktable {
	struct pb file, block, index;
	uint8_t last[2000];
	size_t nlast, entries;
	uint32_t restarts[4000];
	size_t nrestarts;
	bool snappy;
};

static inline void table_end_block(struct mktable *t, struct pb *block, uint64_t *at, uint64_t *size)
{
	uint8_t kind = 0;
	uint32_t crc;

	*at = t->file.n;
	if (t->snappy) {
		struct pb packed = { 0 };

		snappy_pack(&packed, block->b, block->n);
		pb_free(block);
		*block = packed;
		kind = 1;
	}
	pb_raw(block, &kind, 1);
	pb_raw(&t->file, block->b, block->n);
	*size = block->n - 1;
	crc = table_crc(block->b, block->n);
	table_fixed(&t->file, (crc >> 15 | crc << 17) + UINT32_C(0xa282ead8), 4);
	pb_free(block);
}

static inline void table_end_data(struct mktable *t)
{
	uint64_t at, size;
	struct pb value = { 0 };

	for (size_t i = 0; i < t->nrestarts; i++)
		table_fixed(&t->block, t->restarts[i], 4);
	table_fixed(&t->block, t->nrestarts, 4);
	table_end_block(t, &t->block, &at, &size);
	pb_varint(&value, at);
	pb_varint(&value, size);
	pb_varint(&t->index, 0);
	pb_varint(&t->index, t->nlast);
	pb_varint(&t->index, value.n);
	pb_raw(&t->index, t->last, t->nlast);
	pb_raw(&t->index, value.b, value.n);
	pb_free(&value);
	t->entries = t->nrestarts = 0;
}

static inline void table_put(struct mktable *t, const void *key, size_t n, struct pb *value)
{
	size_t shared = 0;

	if (t->entries++ % TABLE_RESTARTS == 0)
		t->restarts[t->nrestarts++] = (uint32_t)t->block.n;
	else
		while (shared < n && shared < t->nlast && t->last[shared] == ((const uint8_t *)key)[shared])
			shared++;
	pb_varint(&t->block, shared);
	pb_varint(&t->block, n - shared);
	pb_varint(&t->block, value->n);
	pb_raw(&t->block, (const uint8_t *)key + shared, n - shared);
	pb_raw(&t->block, value->b, value->n);
	pb_free(value);
	memcpy(t->last, key, n);
	t->nlast = n;
	if (t->block.n > 600)
		table_end_data(t);
}

static inline struct pb table_finish(struct mktable *t)
{
	uint64_t at, size;
	struct pb footer = { 0 }, out;

	if (t->entries)
		table_end_data(t);
	table_fixed(&t->index, 0, 4);
	table_fixed(&t->index, 1, 4);
	table_end_block(t, &t->index, &at, &size);
	pb_varint(&footer, 0);
	pb_varint(&footer, 0);
	pb_varint(&footer, at);
	pb_varint(&footer, size);
	while (footer.n < 40)
		table_fixed(&footer, 0, 1);
	table_fixed(&footer, UINT64_C(0xdb4775248b80fb57), 8);
	pb_raw(&t->file, footer.b, footer.n);
	pb_free(&footer);
	out = t->file;
	memset(t, 0, sizeof *t);
	return out;
}

static inline void table_fixed_field(struct pb *p, unsigned field, uint64_t v)
{
	pb_varint(p, field << 3 | 1);
	table_fixed(p, v, 8);
}

static inline void table_put_event(struct mktable *t, char level, uint64_t ts, uint8_t serial,
    struct pb *event)
{
	uint8_t key[10] = { (uint8_t)level };

	for (int i = 0; i < 8; i++)
		key[1 + i] = (uint8_t)(ts >> (56 - 8 * i));
	key[9] = serial;
	table_put(t, key, sizeof key, event);
}

#endif
