#include "config.h"

#include "load/riegeli/internal.h"

#include <stdlib.h>

#include "base/codec/wire.h"
#include "base/mem.h"
#include "base/spill/spill.h"

static const enum riegeli_why why_of[] = {
	[CODEC_WRONG] = RIEGELI_DATA,
	[CODEC_UNKNOWN] = RIEGELI_COMPRESSION,
	[CODEC_NO_LIBRARY] = RIEGELI_LIBRARY,
	[CODEC_NO_MEMORY] = RIEGELI_MEMORY,
};

struct packed { /* a part of a chunk, and what it unpacks to */
	const uint8_t *p;
	size_t n, unpacked;
};

/* With a compression, its unpacked size comes first. */
static bool open_packed(struct packed *s, uint8_t how, const uint8_t *p, size_t n, uint64_t most)
{
	const uint8_t *end = p + n;
	uint64_t size = n;

	if (how && !(p = wire_varint(p, end, &size)))
		return false;
	*s = (struct packed){ p, (size_t)(end - p), (size_t)size };
	return size <= most;
}

/* Reads the sizes of the records, which must be all of the content. */
static bool read_sizes(struct riegeli_chunk *c, const uint8_t *p, const uint8_t *end)
{
	uint64_t left = c->decoded, size;

	for (size_t i = 0; i < c->nrecords; i++) {
		p = wire_varint(p, end, &size);
		if (!p || size > left)
			return false;
		c->sizes[i] = (size_t)size;
		left -= size;
	}
	return p == end && !left;
}

static enum codec_result unpack_sizes(struct riegeli_chunk *c, uint8_t how, const struct packed *s)
{
	enum codec_result r;
	uint8_t *p;

	if (s->unpacked < c->nrecords)
		return CODEC_WRONG;
	p = mem_try(NULL, 1, s->unpacked + 1);
	c->sizes = p ? mem_try(NULL, (size_t)c->nrecords + 1, sizeof *c->sizes) : NULL;
	r = c->sizes ? riegeli_decompress(how, s->p, s->n, p, s->unpacked) : CODEC_NO_MEMORY;
	if (r == CODEC_OK && !read_sizes(c, p, p + s->unpacked))
		r = CODEC_WRONG;
	free(p);
	return r;
}

/* The compression, the length of the sizes, the sizes, the values. */
static enum codec_result unpack_data(struct riegeli_chunk *c, const uint8_t *data, uint8_t *content)
{
	const uint8_t *end = data + c->size, *p;
	struct packed sizes, values;
	enum codec_result r;
	uint64_t n;
	uint8_t how;

	if (!c->size || !(p = wire_varint(data + 1, end, &n)) || n > (uint64_t)(end - p))
		return CODEC_WRONG;
	how = c->damage.what = *data;
	if (!open_packed(&sizes, how, p, (size_t)n, c->nrecords * 10) ||
	    !open_packed(&values, how, p + n, (size_t)(end - p - (ptrdiff_t)n), c->decoded) ||
	    values.unpacked != c->decoded)
		return CODEC_WRONG;
	r = unpack_sizes(c, how, &sizes);
	return r == CODEC_OK ? riegeli_decompress(how, values.p, values.n, content, values.unpacked) : r;
}

void riegeli_unpack(const struct riegeli_file *f, struct riegeli_chunk *c, uint8_t *content)
{
	bool whole = c->data / RIEGELI_BLOCK_SIZE == (c->data + c->size) / RIEGELI_BLOCK_SIZE &&
	    c->data % RIEGELI_BLOCK_SIZE;
	size_t n = (size_t)c->size + 1;
	struct spill *spill = !whole && spill_wanted(n) ? spill_new(n) : NULL;
	uint8_t *copy = whole ? NULL : spill ? spill_bytes(spill) : mem_try(NULL, 1, n);
	const uint8_t *data = whole ? f->b + c->data : copy;
	enum codec_result r = CODEC_NO_MEMORY;

	if (copy)
		riegeli_gather(f, c->data, copy, (size_t)c->size);
	if (data)
		r = riegeli_hash(data, (size_t)c->size) == c->hash ? unpack_data(c, data, content)
								   : CODEC_WRONG;
	if (!spill)
		free(copy);
	spill_free(spill);
	if (r == CODEC_OK)
		return;
	c->lost = true;
	c->damage.why = why_of[r];
}
