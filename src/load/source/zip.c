#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "load/source/archive.h"
#include "load/source/decoder.h"

/* A head before each member, and places of numbers in it; sizes may follow the member instead. */
enum { HEAD = 30, FLAGS = 6, METHOD = 8, CRC = 14, PACKED = 18, NAME_LEN = 26, EXTRA_LEN = 28 };
enum { ENCRYPTED = 1, SIZES_FOLLOW = 8, STORED = 0, DEFLATED = 8 };
enum { LARGE = 1, LARGE_PACKED = 12 }; /* the extra field with sizes of 64 bits */
#define SIZE_LARGE 0xffffffffu
#define PIECE ((size_t)1 << 20)

static uint32_t read_number(const uint8_t *p, int bytes)
{
	uint32_t v = 0;

	while (bytes--)
		v = v << 8 | p[bytes];
	return v;
}

static bool begins(const struct archive *a, size_t at, const char *mark)
{
	return a->n >= at && a->n - at >= 4 && !memcmp(a->bytes + at, mark, 4);
}

bool zip_is(const uint8_t *head, size_t n)
{
	return n >= 4 && (!memcmp(head, "PK\3\4", 4) || !memcmp(head, "PK\5\6", 4));
}

struct head {
	size_t name, name_len, data, packed; /* places in the archive, and bytes */
	uint32_t flags, method, crc;
	bool sized;
};

static uint64_t large_size(const uint8_t *extra, size_t n)
{
	while (n >= 4) {
		size_t len = read_number(extra + 2, 2);

		if (read_number(extra, 2) == LARGE && len >= 16 && n >= 4 + 16)
			return read_number(extra + LARGE_PACKED, 4) |
			    (uint64_t)read_number(extra + LARGE_PACKED + 4, 4) << 32;
		if (len > n - 4)
			break;
		extra += 4 + len;
		n -= 4 + len;
	}
	return UINT64_MAX;
}

/* False: it is cut off. */
static bool read_head(const struct archive *a, struct head *h)
{
	const uint8_t *p = a->bytes + a->at;
	size_t left = a->n - a->at, extra;
	uint64_t size;

	if (left < HEAD)
		return false;
	h->name_len = read_number(p + NAME_LEN, 2);
	extra = read_number(p + EXTRA_LEN, 2);
	if (left - HEAD < h->name_len + extra)
		return false;
	h->name = a->at + HEAD;
	h->data = h->name + h->name_len + extra;
	h->flags = read_number(p + FLAGS, 2);
	h->method = read_number(p + METHOD, 2);
	h->crc = read_number(p + CRC, 4);
	size = read_number(p + PACKED, 4);
	h->sized = size || !(h->flags & SIZES_FOLLOW);
	if (size == SIZE_LARGE)
		size = large_size(a->bytes + h->name + h->name_len, extra);
	h->packed = size < a->n - h->data ? (size_t)size : a->n - h->data;
	if (!h->sized)
		h->packed = a->n - h->data;
	return true;
}

static void note_damage(struct archive *a, size_t where)
{
	if (!a->damaged)
		a->where = where;
	a->damaged = true;
}

/* Whether all members together unpack to more than a file may. */
static bool is_trap(const struct archive *a)
{
	return a->unpacked >= DECODER_FREE && a->unpacked / DECODER_TIMES >= a->n;
}

/* Unpacks a member; returns the bytes of the archive that it takes. */
static size_t inflate_member(struct archive *a, const struct head *h, struct archive_member *m)
{
	struct decoder f;
	uint8_t *to = NULL;
	size_t cap = 0, used;

	decoder_open(&f, &packing_deflate, a->bytes + h->data, h->packed);
	m->n = 0;
	while (f.state == DECODER_RUNNING && !a->trap) {
		if (m->n == cap) {
			uint8_t *more = mem_try(to, cap ? cap * 2 : PIECE, 1);

			if (!more)
				break;
			to = more;
			cap = cap ? cap * 2 : PIECE;
		}
		used = decoder_fill(&f, to + m->n, cap - m->n < PIECE ? cap - m->n : PIECE);
		m->n += used;
		a->unpacked += used;
		a->trap = f.trap || is_trap(a);
	}
	m->cut = f.state != DECODER_ENDED && f.why != packing_deflate.follows;
	used = f.used;
	decoder_close(&f);
	m->bytes = to;
	m->own = true;
	return used;
}

/* Behind a member whose sizes follow it: their form is not said, so the next mark is looked for. */
static size_t after_sizes(const struct archive *a, size_t at, uint32_t *crc)
{
	static const uint8_t lengths[] = { 0, 12, 16, 20, 24 };
	size_t mark = begins(a, at, "PK\7\10") ? 4 : 0;

	for (size_t i = 0; i < sizeof lengths; i++) {
		size_t next = at + lengths[i];

		if (!begins(a, next, "PK\3\4") && !begins(a, next, "PK\1\2"))
			continue;
		if (lengths[i])
			*crc = read_number(a->bytes + at + mark, 4);
		return next;
	}
	return at;
}

static bool is_right(const struct archive_member *m, uint32_t crc)
{
	uLong sum = crc32_z(0, m->bytes, m->n);

	return sum == crc;
}

static void take_member(struct archive *a, struct head *h, struct archive_member *m)
{
	size_t used = h->packed;

	m->cut = false;
	if (h->method == DEFLATED) {
		used = inflate_member(a, h, m);
	} else {
		m->bytes = a->bytes + h->data;
		m->n = h->packed;
	}
	a->at = h->data + (h->sized ? h->packed : used);
	if (h->flags & SIZES_FOLLOW)
		a->at = after_sizes(a, a->at, &h->crc);
	if (m->cut || !is_right(m, h->crc)) {
		m->cut = true;
		note_damage(a, h->data);
	}
	if (a->trap)
		a->at = a->n;
}

static bool is_read(const struct head *h)
{
	return !(h->flags & ENCRYPTED) && (h->method == DEFLATED || (h->method == STORED && h->sized));
}

static bool is_folder(const struct archive *a, const struct head *h)
{
	return h->name_len && a->bytes[h->name + h->name_len - 1] == '/';
}

/* Goes to the next head of a member. */
static void skip_to_head(struct archive *a)
{
	const uint8_t *next = memmem(a->bytes + a->at, a->n - a->at, "PK\3\4", 4);

	a->at = next ? (size_t)(next - a->bytes) : a->n;
}

bool zip_next(struct archive *a, struct archive_member *m)
{
	while (a->at < a->n) {
		struct head h;

		if (begins(a, a->at, "PK\1\2") || begins(a, a->at, "PK\5\6") || begins(a, a->at, "PK\6\6"))
			return false;
		if (!begins(a, a->at, "PK\3\4")) {
			note_damage(a, a->at);
			skip_to_head(a);
			continue;
		}
		if (!read_head(a, &h)) {
			note_damage(a, a->at);
			return false;
		}
		if (!is_read(&h) || is_folder(a, &h)) {
			a->left_out += !is_folder(a, &h);
			a->at = h.sized ? h.data + h.packed : h.data;
			if (h.flags & SIZES_FOLLOW)
				skip_to_head(a);
			continue;
		}
		snprintf(m->name, sizeof m->name, "%.*s", (int)h.name_len, (const char *)a->bytes + h.name);
		take_member(a, &h, m);
		return true;
	}
	return false;
}
