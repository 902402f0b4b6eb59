#include "config.h"

#include "load/riegeli/internal.h"

#include <endian.h>
#include <string.h>

#include "base/codec/highway.h"
#include "base/mem.h"

#define BLOCK ((uint64_t)RIEGELI_BLOCK_SIZE)
#define USABLE (BLOCK - RIEGELI_BLOCK_HEADER)
#define RECORDS_MOST (UINT64_C(1) << 20) /* of a file: a capture has some thousand */

struct walk {
	struct riegeli *r;
	const struct riegeli_file *f;
	uint64_t nrecords;            /* of all chunks so far */
	struct riegeli_damage blocks; /* wrong block headers, together */
};

static uint64_t riegeli_u64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return le64toh(v);
}

/* The key is the text "Riegeli/records\n", twice. */
uint64_t riegeli_hash(const void *p, size_t n)
{
	static const uint64_t key[4] = { 0x2f696c6567656952u, 0x0a7364726f636572u, 0x2f696c6567656952u,
		0x0a7364726f636572u };

	return highway_hash(key, p, n);
}

static uint64_t left_in_block(uint64_t at)
{
	return (BLOCK - at % BLOCK) % BLOCK;
}

/* A chunk begins neither inside of a block header nor right after one. */
static bool may_begin(uint64_t at)
{
	return left_in_block(at) < USABLE;
}

/* The place after n bytes from `at` on, with the block headers between them. */
static uint64_t place_after(uint64_t at, uint64_t n)
{
	return at + n + (n + (at + USABLE - 1) % BLOCK) / USABLE * RIEGELI_BLOCK_HEADER;
}

/* A chunk takes at least a byte for each record, so that each has a place of its own. */
static uint64_t end_of(uint64_t at, uint64_t size, uint64_t nrecords)
{
	uint64_t end = place_after(at, RIEGELI_CHUNK_HEADER + size), last = at + nrecords;

	if (left_in_block(last) >= USABLE)
		last += left_in_block(last) - (USABLE - 1);
	return end > last ? end : last;
}

size_t riegeli_gather(const struct riegeli_file *f, uint64_t at, uint8_t *to, size_t n)
{
	size_t got = 0;

	while (got < n && at < f->n) {
		uint64_t some;

		if (at % BLOCK == 0)
			at += RIEGELI_BLOCK_HEADER;
		if (at >= f->n)
			break;
		some = BLOCK - at % BLOCK;
		some = some < n - got ? some : n - got;
		some = some < f->n - at ? some : f->n - at;
		memcpy(to + got, f->b + at, (size_t)some);
		got += (size_t)some;
		at += some;
	}
	return got;
}

/* How many bytes of chunks there are from a place on. */
static uint64_t bytes_from(const struct riegeli_file *f, uint64_t at)
{
	uint64_t n = at < f->n ? f->n - at : 0;

	for (at += (BLOCK - at % BLOCK) % BLOCK; at < f->n; at += BLOCK)
		n -= f->n - at < RIEGELI_BLOCK_HEADER ? f->n - at : RIEGELI_BLOCK_HEADER;
	return n;
}

void riegeli_damaged(struct riegeli *r, const struct riegeli_damage *d)
{
	if (r->ndamages == RIEGELI_DAMAGES)
		r->damages[RIEGELI_DAMAGES - 1].count++;
	else
		VEC_ADD(r->damages, r->ndamages, r->damages_cap, *d);
}

/* ---- block headers ---- */

struct block {
	uint64_t previous, next; /* distances: from the begin of the chunk that it interrupts, to its end */
};

/* false: the file has no such header, or its hash is wrong */
static bool read_block(const struct riegeli_file *f, uint64_t at, struct block *b)
{
	const uint8_t *p = f->b + at;

	if (at >= f->n || f->n - at < RIEGELI_BLOCK_HEADER || riegeli_hash(p + 8, 16) != riegeli_u64(p))
		return false;
	b->previous = riegeli_u64(p + 8);
	b->next = riegeli_u64(p + 16);
	return true;
}

static uint64_t block_from(uint64_t at)
{
	return at + left_in_block(at);
}

/* Checks the headers of the blocks that a chunk runs through; its padding may be missing at the end of the file. */
static void check_blocks(struct walk *w, uint64_t from, uint64_t to)
{
	for (uint64_t at = block_from(from); at < to && at < w->f->n; at += BLOCK) {
		struct block b;

		if (w->f->n - at < RIEGELI_BLOCK_HEADER ||
		    (read_block(w->f, at, &b) && b.previous == at - from && b.next == to - at))
			continue;
		if (!w->blocks.count++)
			w->blocks.from = at;
	}
}

/* Where a chunk begins after the place of one that cannot be read, as the block headers say; the end of the file when
 * none does. */
static uint64_t next_begin(const struct riegeli_file *f, uint64_t after)
{
	for (uint64_t at = block_from(after); at < f->n; at += BLOCK) {
		struct block b;
		uint64_t begin;

		if (!read_block(f, at, &b) || b.previous > at)
			continue;
		begin = at - b.previous > after ? at - b.previous : at + b.next;
		if (b.next <= f->n && begin > after && may_begin(begin))
			return begin < f->n ? begin : f->n;
	}
	return f->n;
}

/* ---- chunks ---- */

/* A damaged header, or none where one should be: what is lost goes up to the next chunk. */
static uint64_t skip_damaged(struct walk *w, uint64_t at)
{
	uint64_t next = next_begin(w->f, at);

	riegeli_damaged(w->r,
	    &(struct riegeli_damage){ .why = at ? RIEGELI_HEADER : RIEGELI_SIGNATURE,
		.from = at,
		.to = next,
		.bytes = w->f->n - next,
		.count = 1 });
	return next;
}

static void cut(struct walk *w, uint64_t at, uint64_t there, uint64_t of)
{
	riegeli_damaged(w->r,
	    &(struct riegeli_damage){ .why = RIEGELI_CUT,
		.from = at,
		.to = w->f->n,
		.bytes = there,
		.records = of,
		.count = 1 });
}

static void take_chunk(struct walk *w, struct riegeli_chunks *chunks, const struct riegeli_chunk *c,
    uint8_t type)
{
	struct riegeli_damage d = { .from = c->at,
		.to = c->end,
		.bytes = c->decoded,
		.records = c->nrecords,
		.count = 1,
		.what = type };
	struct riegeli_chunk simple = *c;

	if (!c->nrecords && type != 'r')
		return;
	w->r->chunks += c->nrecords != 0;
	d.why = type == 't' ? RIEGELI_TRANSPOSED : type != 'r' ? RIEGELI_UNKNOWN : RIEGELI_LARGE;
	if (type != 'r' || c->nrecords > RECORDS_MOST - w->nrecords) {
		riegeli_damaged(w->r, &d);
		return;
	}
	w->nrecords += c->nrecords;
	d.why = RIEGELI_DATA;
	simple.damage = d;
	VEC_ADD(chunks->v, chunks->n, chunks->cap, simple);
}

/* Reads the chunk at a place and returns where the next one begins. */
static uint64_t read_chunk(struct walk *w, struct riegeli_chunks *chunks, uint64_t at)
{
	uint8_t h[RIEGELI_CHUNK_HEADER], type;
	size_t got = riegeli_gather(w->f, at, h, sizeof h);
	struct riegeli_chunk c = { .at = at, .data = place_after(at, RIEGELI_CHUNK_HEADER) };
	uint64_t end;

	if (got < sizeof h && !at && !riegeli_begins(w->f->b, w->f->n))
		return skip_damaged(w, at);
	if (got < sizeof h) {
		cut(w, at, got, sizeof h);
		return w->f->n;
	}
	if (riegeli_hash(h + 8, sizeof h - 8) != riegeli_u64(h))
		return skip_damaged(w, at);
	c.size = riegeli_u64(h + 8);
	c.hash = riegeli_u64(h + 16);
	type = h[24];
	c.nrecords = riegeli_u64(h + 24) >> 8;
	c.decoded = riegeli_u64(h + 32);
	if (!at && type != 's')
		riegeli_damaged(w->r,
		    &(struct riegeli_damage){ .why = RIEGELI_SIGNATURE, .bytes = w->f->n, .count = 1 });
	c.end = c.size < w->f->n ? place_after(at, RIEGELI_CHUNK_HEADER + c.size) : UINT64_MAX;
	if (c.end > w->f->n) {
		cut(w, at, bytes_from(w->f, c.data), c.size);
		return w->f->n;
	}
	end = end_of(at, c.size, c.nrecords);
	check_blocks(w, at, end);
	take_chunk(w, chunks, &c, type);
	return end;
}

void riegeli_walk(struct riegeli *r, const struct riegeli_file *f, struct riegeli_chunks *chunks)
{
	struct walk w = { .r = r, .f = f, .blocks = { .why = RIEGELI_BLOCK } };
	uint64_t at = 0;

	while (at < f->n)
		at = read_chunk(&w, chunks, at);
	if (w.blocks.count)
		riegeli_damaged(r, &w.blocks);
}
