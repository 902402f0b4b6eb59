#include "config.h"

#include "load/perfetto/internal.h"

#include <string.h>
#include <zlib.h>

#include "base/memcap.h"
#include "load/source/decoder.h"

struct bytes {
	uint8_t *b;
	size_t n, cap, most;
	bool damaged, full;
};

static bool more_room(struct bytes *to, size_t want)
{
	size_t cap = 2 * to->cap + want;
	uint8_t *b;

	if (to->cap - to->n >= want)
		return true;
	b = cap <= memcap_bytes() && to->n + want <= to->most ? mem_try(to->b, 1, cap) : NULL;
	to->full |= !b;
	to->b = b ? b : to->b;
	to->cap = b ? cap : to->cap;
	return b;
}

static void inflate_packets(struct slice packed, struct bytes *to)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)packed.s, .avail_in = (uInt)packed.n };
	int status = Z_OK;

	if (packed.n > UINT32_MAX || inflateInit(&z) != Z_OK) {
		to->damaged = true;
		return;
	}
	while (status == Z_OK && more_room(to, (size_t)1 << 16)) {
		z.next_out = to->b + to->n;
		z.avail_out = 1 << 16;
		status = inflate(&z, Z_NO_FLUSH);
		to->n = (size_t)(z.next_out - to->b);
		if (status == Z_BUF_ERROR || (status == Z_OK && !z.avail_in && z.avail_out))
			break;
	}
	to->damaged |= status != Z_STREAM_END && !to->full;
	inflateEnd(&z);
}

static void unzstd_packets(struct slice packed, struct bytes *to)
{
	struct decoder d;
	size_t n = 1;

	decoder_open(&d, &packing_zstd, (const uint8_t *)packed.s, packed.n);
	while (n && more_room(to, (size_t)1 << 16)) {
		n = decoder_fill(&d, to->b + to->n, 1 << 16);
		to->n += n;
	}
	to->damaged |= d.state == DECODER_DAMAGED;
	decoder_close(&d);
}

void pf_unpack(struct pf_reading *r)
{
	struct wire w = wire_open(r->f->b, r->f->n);
	/* as files that are packed as a whole */
	struct bytes to = { .most = DECODER_TIMES * r->f->n + DECODER_FREE };
	struct pf_packet p;
	bool any = false;

	while (!any && pf_packet(r->f, &w, &p))
		any = p.packed.n || (p.packed_zstd.n && packing_zstd.open);
	if (!any)
		return;
	for (w = wire_open(r->f->b, r->f->n); pf_packet(r->f, &w, &p);) {
		size_t n = (size_t)(w.p - r->f->b) - (size_t)p.at;

		if (p.packed.n) {
			inflate_packets(p.packed, &to);
		} else if (p.packed_zstd.n && packing_zstd.open) {
			unzstd_packets(p.packed_zstd, &to);
		} else if (more_room(&to, n)) {
			memcpy(to.b + to.n, r->f->b + p.at, n);
			to.n += n;
		}
	}
	r->lost = to.damaged || to.full;
	r->file->partial |= w.bad;
	r->f->owned = to.b;
	r->f->b = to.b ? to.b : r->f->b;
	r->f->n = to.n;
}
