#include "config.h"
#include "load/tool/digest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/codec/gzip.h"
#include "base/codec/wire.h"
#include "load/source/source.h"
#include "model/hlo.h"

#define LONG_TEXT 32 /* longest text of a statistic: a longer one is neither a number nor a category */

enum { HOSTNAMES = 4 }; /* a field of an XSpace */

struct buf {
	uint8_t *v;
	size_t n, cap;
};

static void put_bytes(struct buf *b, const void *s, size_t n)
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
		put_bytes(b, &byte, 1);
	} while (v >>= 7);
}

static void put_message(struct buf *b, uint32_t field, const void *s, size_t n)
{
	put_varint(b, field << 3 | 2);
	put_varint(b, n);
	put_bytes(b, s, n);
}

/* Every message written here has its number in field 1. */
static void put_id(struct buf *b, uint64_t v)
{
	put_varint(b, 1 << 3);
	put_varint(b, v);
}

enum { GROUP = 3 }; /* a wire type */

/* Writes a field; fixed-width values are those that wire.h read.  Of a group it keeps nothing. */
static void put_field(struct buf *b, const struct wire *w)
{
	if (w->type == GROUP)
		return;
	put_varint(b, w->field << 3 | w->type);
	if (w->type == 2) {
		put_varint(b, w->n);
		put_bytes(b, w->s, w->n);
	} else if (w->type == 0) {
		put_varint(b, w->u);
	} else {
		put_bytes(b, &w->u, w->type == 1 ? 8 : 4);
	}
}

struct writer {
	const uint8_t *b;               /* the file */
	const struct digest_part *part; /* of the current plane; NULL = none */
	int64_t *id;
	size_t nids, ids_cap;   /* metadata ids of the events that stay */
	uint64_t hlo, category; /* the plane's ids of the stats HLO_STAT and hlo_category */
};

static const struct digest_kind *kind_at(const struct digest_part *p, uint64_t at)
{
	size_t a;

	BISECT(a, p->nkinds, p->kind[a].at < at);
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

/* Returns field 1, the id of event or stat metadata. */
static uint64_t id_of(const struct wire *message)
{
	struct wire w = wire_open(message->s, message->n);

	while (wire_next(&w))
		if (w.field == 1 && w.type == 0)
			return w.u;
	return 0;
}

static bool is_long(const struct wire *stat)
{
	struct wire w = wire_open(stat->s, stat->n);

	while (wire_next(&w))
		if (w.type == 2 && w.n > LONG_TEXT)
			return true;
	return false;
}

/* Writes event metadata whose texts are in another plane: only its short name and category, and the numbers
 * if its events stay. */
static void put_short_kind(const struct writer *x, struct buf *out, const struct digest_kind *k, int64_t key,
    const struct wire *value)
{
	struct wire w = wire_open(value->s, value->n);
	struct buf kind = { 0 }, entry = { 0 };
	bool display = false;

	while (wire_next(&w))
		display |= w.field == 4 && w.type == 2 && w.n;
	w = wire_open(value->s, value->n);
	while (wire_next(&w)) {
		if (w.field == 1 ||
		    (w.type == 2 &&
			(w.field == 4 || (w.field == 2 && !display) ||
			    (w.field == 5 && (k->events ? !is_long(&w) : id_of(&w) == x->category)))))
			put_field(&kind, &w);
	}
	put_id(&entry, (uint64_t)key);
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
		put_short_kind(x, out, k, key, &value);
}

static bool stays(const struct writer *x, int64_t id)
{
	for (size_t i = 0; i < x->nids; i++)
		if (x->id[i] == id)
			return true;
	return false;
}

/* Writes a line: steps and modules unchanged, of the ops only those with a kept id, no other lines. */
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
		if (w.field != 4 || w.type != 2 || stays(x, (int64_t)id_of(&w)))
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
			VEC_ADD(x->id, x->nids, x->ids_cap, key);
		}
}

/* The path to HLO instructions: an HloProto is in the event metadata of /host:metadata (entry,
 * XEventMetadata, stat, bytes), and in it the module, its computations, their instructions. */
static const uint32_t hlo_path[] = { 2, 5, 6, 1, 3, 2 };
#define HLO_LEVELS (sizeof hlo_path / sizeof *hlo_path)
enum { LEVEL_STAT = 2, LEVEL_PROTO = 3 };

/* Whether a field is left out at a level of the path: schedule, configurations of the backend. */
static bool is_dropped(size_t level, uint32_t field)
{
	static const struct {
		size_t level;
		uint32_t field;
	} dropped[] = { { 4, 7 }, { 6, 43 } };

	for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
		if (dropped[i].level == level && dropped[i].field == field)
			return true;
	return false;
}

/* Compresses each proto by itself: opening a thousand hosts then unpacks their common program only once. */
static void put_packed(struct buf *out, uint32_t field, const struct buf *proto)
{
	size_t n;
	uint8_t *packed = gzip_pack(proto->v, proto->n, &n);

	put_message(out, field, packed ? packed : proto->v, packed ? n : proto->n);
	free(packed);
}

static void put_hlo(const struct writer *x, struct buf *out, const struct wire *message, size_t level)
{
	struct wire w = wire_open(message->s, message->n);
	struct buf in = { 0 };
	uint32_t field = message->field;
	bool is_hlo = level != LEVEL_STAT || id_of(message) == x->hlo;

	while (is_hlo && wire_next(&w)) {
		if (w.type != 2)
			put_field(&in, &w);
		else if (level < HLO_LEVELS && w.field == hlo_path[level])
			put_hlo(x, &in, &w, level + 1);
		else if (!is_dropped(level, w.field))
			put_field(&in, &w);
	}
	if (!is_hlo || w.bad)
		put_message(out, field, message->s, message->n);
	else if (level == LEVEL_PROTO)
		put_packed(out, field, &in);
	else
		put_message(out, field, in.v, in.n);
	free(in.v);
}

/* Writes a stat of the plane, and its metadata. */
static void put_stat(struct buf *out, int64_t id, const struct digest_stat *s)
{
	struct buf named = { 0 }, entry = { 0 }, stat = { 0 };

	put_id(&named, (uint64_t)id);
	put_message(&named, 2, s->name, strlen(s->name));
	put_id(&entry, (uint64_t)id);
	put_message(&entry, 2, named.v, named.n);
	put_message(out, 5, entry.v, entry.n);
	put_id(&stat, (uint64_t)id);
	put_message(&stat, 6, s->v, s->n);
	put_message(out, 6, stat.v, stat.n);
	free(named.v);
	free(entry.v);
	free(stat.v);
}

static bool stat_is_named(const struct wire *stat, const char *name)
{
	struct wire w = wire_open(stat->s, stat->n);

	while (wire_next(&w))
		if (w.field == 2 && w.type == 2)
			return slice_is(wire_text(&w), name);
	return false;
}

static void put_plane(struct writer *x, struct buf *out, const struct wire *plane)
{
	struct wire w = wire_open(plane->s, plane->n), value;
	struct buf p = { 0 };
	int64_t largest = 0, key;
	bool is_meta = false;

	x->hlo = x->category = 0;
	while (wire_next(&w)) {
		is_meta |= w.field == 2 && w.type == 2 && slice_is(wire_text(&w), "/host:metadata");
		if (w.field != 5 || w.type != 2 || !entry_of(&w, &key, &value))
			continue;
		if (stat_is_named(&value, HLO_STAT))
			x->hlo = (uint64_t)key;
		else if (stat_is_named(&value, "hlo_category"))
			x->category = (uint64_t)key;
	}
	if (x->part)
		find_ids(x, plane);
	w = wire_open(plane->s, plane->n);
	while (wire_next(&w)) {
		if (w.field == 5 && w.type == 2 && entry_of(&w, &key, &value) && key > largest)
			largest = key;
		if (is_meta && x->hlo && w.field == 4 && w.type == 2)
			put_hlo(x, &p, &w, 0);
		else if (w.type != 2)
			put_field(&p, &w);
		else if (x->part && w.field == 3)
			put_line(x, &p, &w);
		else if (x->part && w.field == 4)
			put_kind(x, &p, &w);
		else
			put_message(&p, w.field, w.s, w.n);
	}
	for (size_t i = 0; x->part && i < x->part->nstats; i++)
		put_stat(&p, largest + 1 + (int64_t)i, &x->part->stat[i]);
	put_message(out, 1, p.v, p.n);
	free(p.v);
}

static int put_file(const struct dump *d, int file, const struct digest_part *part, size_t n, struct buf *out,
    struct err *e)
{
	uint64_t damaged;
	size_t size;
	const uint8_t *b = source_bytes(d->files[file].source, &size, &damaged, NULL, e);
	struct writer x = { .b = b };
	bool named = d->files[file].host < 0;
	struct wire w;

	if (!b)
		return -1;
	w = wire_open(b, size);
	while (wire_next(&w)) {
		if (w.type != 2)
			continue;
		if (w.field != 1) {
			named |= w.field == HOSTNAMES;
			put_message(out, w.field, w.s, w.n);
			continue;
		}
		x.part = NULL;
		for (size_t i = 0; i < n && !x.part; i++)
			if (part[i].file == file && part[i].at == (uint64_t)(w.s - b))
				x.part = &part[i];
		put_plane(&x, out, &w);
	}
	if (!named) { /* it has the name of its file, which is not the digest's */
		strid host = d->hosts[d->files[file].host].name;

		put_message(out, HOSTNAMES, strtab_str(&d->str, host), strtab_len(&d->str, host));
	}
	free(x.id);
	return 0;
}

static int cannot_write(struct err *e)
{
	return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "cannot be written: %s", strerror(errno));
}

static int put_gzip(const struct buf *b, FILE *f, struct err *e)
{
	size_t n;
	uint8_t *packed = gzip_pack(b->v, b->n, &n);
	int bad;

	if (!packed)
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "not enough memory to compress");
	bad = fwrite(packed, 1, n, f) == n ? 0 : cannot_write(e);
	free(packed);
	return bad;
}

static int put_plain(const struct buf *b, FILE *f, struct err *e)
{
	return fwrite(b->v, 1, b->n, f) == b->n ? 0 : cannot_write(e);
}

int digest_write(const struct dump *d, const struct digest_part *part, size_t n, bool gzip, FILE *f,
    struct err *e)
{
	struct buf out = { 0 };
	int bad = 0;

	for (size_t i = 0; i < d->nfiles && !bad; i++)
		if (d->files[i].kind == FILE_XSPACE)
			bad = put_file(d, (int)i, part, n, &out, e);
	if (!bad)
		bad = gzip ? put_gzip(&out, f, e) : put_plain(&out, f, e);
	free(out.v);
	return bad;
}

struct mark {
	uint32_t version;
	const char *source;
	struct arena *arena;
};

static bool take_version(void *ctx, const struct stat_value *v)
{
	struct mark *m = ctx;
	struct wire w = wire_open(v->s, v->n);

	if (v->type != STAT_BYTES || !stat_is(v, DIGEST_STAT))
		return true;
	while (wire_next(&w))
		if (w.field == 1 && w.type == 0)
			m->version = (uint32_t)w.u;
		else if (w.field == 2 && w.type == 2 && w.n && w.n < 4096)
			m->source = arena_strndup(m->arena, (const char *)w.s, w.n);
	return false;
}

static void tell_version(struct dump *d, int file)
{
	if (d->files[file].digest != DIGEST_VERSION)
		problem_add(d->problems, PROBLEM_WARN, file, ERR_NOWHERE, 1,
		    "a digest of version %u; this program (version %d) can only read its steps, collectives "
		    "and "
		    "host threads, so the time of its ops is missing from all numbers; make it again",
		    d->files[file].digest, DIGEST_VERSION);
}

void digest_mark(struct dump *d)
{
	int last = -1;

	if (strtab_find(&d->str, DIGEST_STAT, strlen(DIGEST_STAT)) == UINT32_MAX)
		return;
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		struct mark m = { .arena = &d->arena };

		if (p->kind != PLANE_TPU || p->file < 0 || p->file == last)
			continue;
		last = p->file;
		stats_of_plane(d, i, take_version, &m);
		d->files[last].digest = m.version;
		d->files[last].digest_of = m.source;
		if (m.version)
			tell_version(d, last);
	}
}
