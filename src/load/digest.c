#include "config.h"
#include "load/digest.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/wire.h"
#include "load/source.h"

#define LONG_TEXT 32		/* of a statistic: a longer one is no number and no category */

struct buf { uint8_t *v; size_t n, cap; };

static void put(struct buf *b, const void *s, size_t n)
{
	if (b->cap - b->n < n) {
		b->cap = 2 * (b->n + n);
		b->v = xrealloc(b->v, b->cap, 1);
	}
	if (n)
		memcpy(b->v + b->n, s, n);
	b->n += n;
}

static void put_varint(struct buf *b, uint64_t v)
{
	uint8_t byte;

	do {
		byte = (uint8_t)((v & 127) | (v > 127 ? 128 : 0));
		put(b, &byte, 1);
	} while (v >>= 7);
}

static void put_message(struct buf *b, uint32_t field, const void *s, size_t n)
{
	put_varint(b, field << 3 | 2);
	put_varint(b, n);
	put(b, s, n);
}

static void put_number(struct buf *b, uint32_t field, uint64_t v)
{
	put_varint(b, field << 3);
	put_varint(b, v);
}

/* Fixed-width fields come as wire.h reads them. */
static void put_field(struct buf *b, const struct wire *w)
{
	put_varint(b, w->field << 3 | w->type);
	if (w->type == 2) {
		put_varint(b, w->n);
		put(b, w->s, w->n);
	} else if (w->type == 0) {
		put_varint(b, w->u);
	} else {
		put(b, &w->u, w->type == 1 ? 8 : 4);
	}
}

struct writer {
	const uint8_t *b;		/* the file */
	const struct digest_part *part;	/* of the plane at hand; NULL = none */
	int64_t *id; size_t nids, ids_cap;	/* of kinds whose events stay */
};

static const struct digest_kind *kind_at(const struct digest_part *p, uint64_t at)
{
	size_t a = 0, b = p->nkinds;

	while (a < b) {
		size_t m = a + (b - a) / 2;

		if (p->kind[m].at < at)
			a = m + 1;
		else
			b = m;
	}
	return a < p->nkinds && p->kind[a].at == at ? &p->kind[a] : NULL;
}

static bool entry_of(const struct wire *field, int64_t *key, struct wire *value)
{
	struct wire w = wire_open(field->s, field->n);

	*key = 0;
	value->n = 0;
	value->s = field->s;
	while (wire_next(&w)) {
		if (w.field == 1 && w.type == 0)
			*key = (int64_t)w.u;
		else if (w.field == 2 && w.type == 2)
			*value = w;
	}
	return !w.bad;
}

static bool is_long(const struct wire *stat)
{
	struct wire w = wire_open(stat->s, stat->n);

	while (wire_next(&w))
		if (w.type == 2 && w.n > LONG_TEXT)
			return true;
	return false;
}

/* A kind of which another plane has the texts: its short name and numbers. */
static void put_short_kind(struct buf *out, int64_t key, const struct wire *value)
{
	struct wire w = wire_open(value->s, value->n);
	struct buf kind = { 0 }, entry = { 0 };
	bool display = false;

	while (wire_next(&w))
		display |= w.field == 4 && w.type == 2 && w.n;
	w = wire_open(value->s, value->n);
	while (wire_next(&w)) {
		if (w.field == 1 || (w.type == 2 && (w.field == 4 || (w.field == 2 && !display) ||
		    (w.field == 5 && !is_long(&w)))))
			put_field(&kind, &w);
	}
	put_number(&entry, 1, (uint64_t)key);
	put_message(&entry, 2, kind.v, kind.n);
	put_message(out, 4, entry.v, entry.n);
	free(kind.v);
	free(entry.v);
}

static void put_kind(struct writer *x, struct buf *out, const struct wire *field)
{
	const struct digest_kind *k;
	struct wire value;
	int64_t key;

	if (!entry_of(field, &key, &value) || !(k = kind_at(x->part, (uint64_t)(value.s - x->b))))
		return;
	if (k->texts)
		put_message(out, 4, field->s, field->n);
	else
		put_short_kind(out, key, &value);
}

static bool stays(const struct writer *x, int64_t id)
{
	for (size_t i = 0; i < x->nids; i++)
		if (x->id[i] == id)
			return true;
	return false;
}

static int64_t kind_of_event(const struct wire *event)
{
	struct wire w = wire_open(event->s, event->n);

	while (wire_next(&w))
		if (w.field == 1 && w.type == 0)
			return (int64_t)w.u;
	return 0;
}

/* Steps and modules as they are, ops of some kinds, nothing else. */
static void put_line(struct writer *x, struct buf *out, const struct wire *field)
{
	struct wire w = wire_open(field->s, field->n), name = { .n = 0 };
	struct buf line = { 0 };
	enum track_role role;

	while (wire_next(&w))
		if (w.type == 2 && w.n && (w.field == 11 || (w.field == 2 && !name.n)))
			name = w;
	role = name.n ? track_role_of((const char *)name.s, name.n) : TRACK_OTHER;
	if (role == TRACK_STEPS || role == TRACK_MODULES) {
		put_message(out, 3, field->s, field->n);
		return;
	}
	if (role != TRACK_OPS)
		return;
	w = wire_open(field->s, field->n);
	while (wire_next(&w)) {
		if (w.field != 4 || w.type != 2 || stays(x, kind_of_event(&w)))
			put_field(&line, &w);
	}
	put_message(out, 3, line.v, line.n);
	free(line.v);
}

static void find_ids(struct writer *x, const struct wire *plane)
{
	struct wire w = wire_open(plane->s, plane->n), value;
	const struct digest_kind *k;
	int64_t key;

	x->nids = 0;
	while (wire_next(&w))
		if (w.field == 4 && w.type == 2 && entry_of(&w, &key, &value) &&
		    (k = kind_at(x->part, (uint64_t)(value.s - x->b))) && k->events) {
			VEC_PUSH(x->id, x->nids, x->ids_cap);
			x->id[x->nids++] = key;
		}
}

/* A copy without one field of a message that lies `depth` fields deep in it. */
struct cut { uint32_t field[4]; int depth; uint32_t drop; };

static void put_without(struct buf *out, uint32_t field, const struct wire *message, const struct cut *cut, int level)
{
	struct wire w = wire_open(message->s, message->n);
	struct buf in = { 0 };

	while (wire_next(&w)) {
		if (w.type == 2 && level == cut->depth && w.field == cut->drop)
			continue;
		if (w.type == 2 && level < cut->depth && w.field == cut->field[level])
			put_without(&in, w.field, &w, cut, level + 1);
		else
			put_field(&in, &w);
	}
	put_message(out, field, w.bad ? message->s : in.v, w.bad ? message->n : in.n);
	free(in.v);
}

/* map entry → XEventMetadata → stat → its bytes, an HloProto whose third field is the buffer assignment */
static void put_hlo(struct buf *out, const struct wire *entry)
{
	static const struct cut buffers = { { 2, 5, 6 }, 3, 3 };

	put_without(out, 4, entry, &buffers, 0);
}

static void put_digest(const struct writer *x, struct buf *out, int64_t id)
{
	struct buf name = { 0 }, entry = { 0 }, stat = { 0 };

	put_number(&name, 1, (uint64_t)id);
	put_message(&name, 2, DIGEST_STAT, strlen(DIGEST_STAT));
	put_number(&entry, 1, (uint64_t)id);
	put_message(&entry, 2, name.v, name.n);
	put_message(out, 5, entry.v, entry.n);
	put_number(&stat, 1, (uint64_t)id);
	put_message(&stat, 6, x->part->message, x->part->len);
	put_message(out, 6, stat.v, stat.n);
	free(name.v);
	free(entry.v);
	free(stat.v);
}

static void put_plane(struct writer *x, struct buf *out, const struct wire *plane)
{
	struct wire w = wire_open(plane->s, plane->n), value;
	struct buf p = { 0 };
	int64_t largest = 0, key;
	bool is_meta = false;

	while (wire_next(&w))
		is_meta |= w.field == 2 && w.type == 2 && w.n == 14 && !memcmp(w.s, "/host:metadata", 14);
	if (x->part)
		find_ids(x, plane);
	w = wire_open(plane->s, plane->n);
	while (wire_next(&w)) {
		if (w.field == 5 && w.type == 2 && entry_of(&w, &key, &value) && key > largest)
			largest = key;
		if (is_meta && w.field == 4 && w.type == 2)
			put_hlo(&p, &w);
		else if (w.type != 2)
			put_field(&p, &w);
		else if (x->part && w.field == 3)
			put_line(x, &p, &w);
		else if (x->part && w.field == 4)
			put_kind(x, &p, &w);
		else
			put_message(&p, w.field, w.s, w.n);
	}
	if (x->part)
		put_digest(x, &p, largest + 1);
	put_message(out, 1, p.v, p.n);
	free(p.v);
}

static int put_file(const struct dump *d, int file, const struct digest_part *part, size_t n, struct buf *out, struct err *e)
{
	uint64_t damaged;
	size_t size;
	const uint8_t *b = source_bytes(d->files[file].source, &size, &damaged, NULL, e);
	struct writer x = { .b = b };
	struct wire w;

	if (!b)
		return -1;
	w = wire_open(b, size);
	while (wire_next(&w)) {
		if (w.type != 2)
			continue;
		if (w.field != 1) {
			put_message(out, w.field, w.s, w.n);
			continue;
		}
		x.part = NULL;
		for (size_t i = 0; i < n && !x.part; i++)
			if (part[i].file == file && part[i].at == (uint64_t)(w.s - b))
				x.part = &part[i];
		put_plane(&x, out, &w);
	}
	free(x.id);
	return 0;
}

static int put_gzip(const struct buf *b, FILE *f, struct err *e)
{
	z_stream z = { .next_in = b->v };
	uint8_t out[65536];
	size_t left = b->n;
	int status = Z_OK;

	if (deflateInit2(&z, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "no memory for compressing");
	while (status != Z_STREAM_END) {
		if (!z.avail_in) {
			z.avail_in = left > 1u << 30 ? 1u << 30 : (uInt)left;
			left -= z.avail_in;
		}
		z.next_out = out;
		z.avail_out = sizeof out;
		status = deflate(&z, left ? Z_NO_FLUSH : Z_FINISH);
		fwrite(out, 1, sizeof out - z.avail_out, f);
	}
	deflateEnd(&z);
	return ferror(f) ? err_set(e, EXIT_NOTHING, ERR_NOWHERE, "cannot be written") : 0;
}

int digest_write(const struct dump *d, const struct digest_part *part, size_t n, FILE *f, struct err *e)
{
	struct buf out = { 0 };
	int bad = 0;

	for (size_t i = 0; i < d->nfiles && !bad; i++)
		if (d->files[i].kind == FILE_XSPACE)
			bad = put_file(d, (int)i, part, n, &out, e);
	if (!bad)
		bad = put_gzip(&out, f, e);
	free(out.v);
	return bad;
}
