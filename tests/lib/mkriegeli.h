/* Files of Riegeli records for tests.  Compressed forms hold the bytes as they are, which each of the formats can say,
 * so that no compressor is needed.
 *
 *	struct pb f = { 0 };
 *	rie_signature(&f);
 *	rie_records(&f, 'b', records, 2);
 *	rie_pad(&f);
 *	… f.b, f.n …  pb_free(&f); */
#ifndef TESTS_MKRIEGELI_H
#define TESTS_MKRIEGELI_H

#include "base/codec/highway.h"
#include "../lib/pbuild.h"

#define RIE_BLOCK ((size_t)65536)

static inline void rie_u64(uint8_t *to, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		to[i] = (uint8_t)(v >> 8 * i);
}

static inline uint64_t rie_hash(const void *p, size_t n)
{
	static const uint64_t key[4] = { 0x2f696c6567656952u, 0x0a7364726f636572u, 0x2f696c6567656952u,
		0x0a7364726f636572u };

	return highway_hash(key, p, n);
}

/* Adds bytes of a chunk, with a header at each begin of a block; NULL: zeros. */
static inline void rie_put(struct pb *f, const uint8_t *bytes, size_t n, size_t begin, size_t end)
{
	while (n) {
		size_t some;

		if (f->n % RIE_BLOCK == 0) {
			uint8_t header[24];

			rie_u64(header + 8, f->n - begin);
			rie_u64(header + 16, end - f->n);
			rie_u64(header, rie_hash(header + 8, 16));
			pb_raw(f, header, sizeof header);
		}
		some = RIE_BLOCK - f->n % RIE_BLOCK;
		some = some < n ? some : n;
		for (size_t i = 0; i < some; i++)
			pb_raw(f, bytes ? bytes + i : (const uint8_t *)"", 1);
		bytes = bytes ? bytes + some : NULL;
		n -= some;
	}
}

/* Where a chunk of n bytes in all ends, as someone who writes byte by byte finds it. */
static inline size_t rie_end(size_t at, size_t n)
{
	for (; n; n--)
		at += at % RIE_BLOCK ? 1 : 25;
	return at;
}

/* Adds a chunk and returns where it begins. */
static inline size_t rie_chunk(struct pb *f, char type, const struct pb *data, uint64_t nrecords,
    uint64_t decoded)
{
	uint8_t header[40];
	size_t begin = f->n, end = rie_end(begin, sizeof header + data->n);

	while (end < begin + nrecords || (end % RIE_BLOCK > 0 && end % RIE_BLOCK <= 24))
		end++;
	rie_u64(header + 8, data->n);
	rie_u64(header + 16, rie_hash(data->b, data->n));
	rie_u64(header + 24, (uint64_t)(uint8_t)type | nrecords << 8);
	rie_u64(header + 32, decoded);
	rie_u64(header, rie_hash(header + 8, 32));
	rie_put(f, header, sizeof header, begin, end);
	rie_put(f, data->b, data->n, begin, end);
	while (f->n < end)
		rie_put(f, NULL, 1, begin, end);
	return begin;
}

static inline void rie_signature(struct pb *f)
{
	rie_chunk(f, 's', &(struct pb){ 0 }, 0, 0);
}

static inline void rie_store_brotli(struct pb *to, const uint8_t *p, size_t n)
{
	uint32_t window = 1; /* its bit comes first */

	if (!n) {
		pb_raw(to, "\x06", 1);
		return;
	}
	while (n) {
		uint32_t some = n < RIE_BLOCK ? (uint32_t)n : RIE_BLOCK, head = (some - 1) << 3 | 1u << 19;

		head <<= window;
		pb_raw(to, (const uint8_t[]){ (uint8_t)head, (uint8_t)(head >> 8), (uint8_t)(head >> 16) },
		    3);
		pb_raw(to, p, some);
		window = 0;
		p += some;
		n -= some;
	}
	pb_raw(to, "\x03", 1);
}

static inline void rie_store_zstd(struct pb *to, const uint8_t *p, size_t n)
{
	pb_raw(to, "\x28\xb5\x2f\xfd\0\x38", 6);
	do {
		uint32_t some = n < RIE_BLOCK ? (uint32_t)n : RIE_BLOCK, head = some << 3 | (some == n);

		pb_raw(to, (const uint8_t[]){ (uint8_t)head, (uint8_t)(head >> 8), (uint8_t)(head >> 16) },
		    3);
		pb_raw(to, p, some);
		p += some;
		n -= some;
	} while (n);
}

static inline void rie_store_snappy(struct pb *to, const uint8_t *p, size_t n)
{
	pb_varint(to, n);
	while (n) {
		uint32_t some = n < RIE_BLOCK ? (uint32_t)n : RIE_BLOCK;

		pb_raw(to, (const uint8_t[]){ 61 << 2, (uint8_t)(some - 1), (uint8_t)((some - 1) >> 8) }, 3);
		pb_raw(to, p, some);
		p += some;
		n -= some;
	}
}

static inline void rie_store(struct pb *to, char how, const struct pb *from)
{
	static const uint8_t none[1];
	const uint8_t *p = from->b ? from->b : none;

	if (!how) {
		pb_raw(to, p, from->n);
		return;
	}
	pb_varint(to, from->n);
	if (how == 'b')
		rie_store_brotli(to, p, from->n);
	else if (how == 'z')
		rie_store_zstd(to, p, from->n);
	else
		rie_store_snappy(to, p, from->n);
}

/* The data of a simple chunk. */
static inline struct pb rie_data(char how, const struct pb *records, size_t n, uint64_t *decoded)
{
	struct pb sizes = { 0 }, values = { 0 }, packed = { 0 }, data = { 0 };

	for (size_t i = 0; i < n; i++) {
		pb_varint(&sizes, records[i].n);
		pb_raw(&values, records[i].b, records[i].n);
	}
	*decoded = values.n;
	rie_store(&packed, how, &sizes);
	pb_raw(&data, &how, 1);
	pb_varint(&data, packed.n);
	pb_raw(&data, packed.b, packed.n);
	rie_store(&data, how, &values);
	pb_free(&sizes);
	pb_free(&values);
	pb_free(&packed);
	return data;
}

static inline size_t rie_records(struct pb *f, char how, const struct pb *records, size_t n)
{
	uint64_t decoded;
	struct pb data = rie_data(how, records, n, &decoded);
	size_t at = rie_chunk(f, 'r', &data, n, decoded);

	pb_free(&data);
	return at;
}

/* A padding chunk up to the end of the block, or of the next one. */
static inline void rie_pad(struct pb *f)
{
	struct pb zeros = { 0 };
	size_t to = (f->n / RIE_BLOCK + 1 + (f->n % RIE_BLOCK > RIE_BLOCK - 100)) * RIE_BLOCK;

	while (f->n + 40 + zeros.n < to)
		pb_raw(&zeros, "", 1);
	while (rie_end(f->n, 40 + zeros.n) > to)
		zeros.n--;
	rie_chunk(f, 'p', &zeros, 0, 0);
	pb_free(&zeros);
}

#endif
