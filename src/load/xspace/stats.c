#include "config.h"

#include "load/xspace/xspace.h"

#include <stdio.h>
#include <string.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/codec/wire.h"

/* Millions of stats are read through these: calls would take as long as what they do. */
#define FAST static inline __attribute__((always_inline))

/* Returns the last piece (line) that starts at or before a place in the file.  A plane is nearly always a single
 * piece, and they were numbered one after the other. */
FAST const struct xpiece *piece_at(const struct xfile *f, uint32_t plane, uint64_t at)
{
	const struct xpiece *p = f->pieces;
	size_t usual = f->npieces ? plane - p->plane : 0;

	if (usual < f->npieces && p[usual].at <= at && at < p[usual].at + p[usual].len)
		return &p[usual];
	BISECT_LAST(p, f->pieces, f->npieces, p->at <= at);
	return p;
}

static const struct xline *line_at(const struct xfile *f, uint64_t at)
{
	const struct xline *l;

	BISECT_LAST(l, f->lines, f->nlines, l->at <= at);
	return l;
}

/* Bytes of a message, and the piece whose names its stats use. */
struct message {
	const struct xpiece *piece;
	const uint8_t *p, *end;
};

static void set_int(struct stat_value *v, enum stat_type type, uint64_t u)
{
	v->type = type;
	v->u = u;
	v->i = (int64_t)u;
	v->d = type == STAT_UINT ? (double)u : (double)v->i;
}

static void set_text(struct stat_value *v, enum stat_type type, const void *s, size_t n)
{
	v->type = type;
	v->s = s;
	v->n = n;
}

/* Like wire_varint(), but before `safe` it may read 8 bytes at once. */
FAST const uint8_t *number(const uint8_t *p, const uint8_t *end, const uint8_t *safe, uint64_t *v)
{
	const uint8_t *next = p <= safe ? wire_varint_quick(p, v) : NULL;

	return next ? next <= end ? next : NULL : wire_varint(p, end, v);
}

static const uint8_t *safe_of(const struct xfile *f)
{
	return f->n >= 8 ? f->b + f->n - 8 : NULL;
}

/* Reads the usual form of a number, just an id and the value, without the general message reader.  Returns
 * STAT_STR where it is another form. */
FAST enum stat_type quick_int(const uint8_t *p, const uint8_t *end, const uint8_t *safe, int64_t *id,
    uint64_t *u)
{
	uint8_t key;

	if (end - p < 4 || *p != 1 << 3 || !(p = wire_varint(p + 1, end, u)) || p == end)
		return STAT_STR;
	*id = (int64_t)*u;
	key = *p;
	if ((key != 3 << 3 && key != 4 << 3) || number(p + 1, end, safe, u) != end)
		return STAT_STR;
	return key == 3 << 3 ? STAT_UINT : STAT_INT;
}

static void any_value(const struct dump *d, const struct xpiece *p, const uint8_t *s, const uint8_t *end,
    int64_t *id, struct stat_value *v)
{
	struct wire w = wire_open(s, (size_t)(end - s));
	strid ref;

	while (wire_next(&w)) {
		switch (w.field << 3 | w.type) {
		case 1 << 3:
			*id = (int64_t)w.u;
			break;
		case 2 << 3 | 1:
			v->type = STAT_DOUBLE;
			v->d = wire_double(&w);
			break;
		case 3 << 3:
			set_int(v, STAT_UINT, w.u);
			break;
		case 4 << 3:
			set_int(v, STAT_INT, w.u);
			break;
		case 5 << 3 | 2:
			set_text(v, STAT_STR, w.s, w.n);
			break;
		case 6 << 3 | 2:
			set_text(v, STAT_BYTES, w.s, w.n);
			break;
		case 7 << 3:
			ref = idmap_get(&p->names, (int64_t)w.u);
			ref = ref == IDMAP_NONE ? 0 : ref;
			set_text(v, STAT_STR, strtab_str(&d->str, ref), strtab_len(&d->str, ref));
			break;
		}
	}
}

/* Decodes one XStat, the bytes from s to its end.  `unnamed` is a buffer for the name of a stat whose metadata is
 * missing. */
static void decode(const struct dump *d, const struct xpiece *p, const uint8_t *s, const uint8_t *end,
    const uint8_t *safe, struct stat_value *v, char unnamed[32])
{
	int64_t id = 0;
	uint64_t u;
	enum stat_type type = quick_int(s, end, safe, &id, &u);

	*v = (struct stat_value){ .type = STAT_STR, .s = "" };
	if (type != STAT_STR) {
		set_int(v, type, u);
	} else {
		id = 0;
		any_value(d, p, s, end, &id, v);
	}
	v->name_id = idmap_get(&p->names, id);
	if (v->name_id != IDMAP_NONE) {
		v->name = strtab_str(&d->str, v->name_id);
		v->name_len = strtab_len(&d->str, v->name_id);
	} else {
		v->name = unnamed;
		v->name_len = (size_t)snprintf(unnamed, 32, "stat %lld", (long long)id);
	}
}

/* Reads a field of any form.  *s: the begin of the message if it is one of that field, else NULL. */
static const uint8_t *any_field(const uint8_t *p, const uint8_t *end, uint32_t field, const uint8_t **s)
{
	struct wire w = wire_open(p, (size_t)(end - p));

	if (!wire_next(&w))
		return NULL;
	*s = w.field == field && w.type == 2 ? w.s : NULL;
	return w.p;
}

/* Finds the next message of that field: returns its end, and its begin in *s; NULL: there is none.  The two usual
 * forms of a field, numbers, which are skipped, and short messages, are read without the general reader. */
FAST const uint8_t *next_stat(const uint8_t *p, const uint8_t *end, const uint8_t *safe, uint32_t field,
    const uint8_t **s)
{
	const uint8_t *next;
	uint64_t u;

	for (; p < end; p = next) {
		if (*p >= 8 && *p < 128 && !(*p & 7) && (next = number(p + 1, end, safe, &u)))
			continue;
		if (*p == (field << 3 | 2) && end - p > 2 && p[1] < 128 && p[1] <= end - p - 2) {
			*s = p + 2;
			return p + 2 + p[1];
		}
		if (!(next = any_field(p, end, field, s)) || *s)
			return next;
	}
	return NULL;
}

/* Calls back for all stats of a message, which are in `field`. */
static bool walk(const struct dump *d, const struct message *m, const uint8_t *safe, uint32_t field,
    stat_fn *fn, void *ctx)
{
	const uint8_t *s, *end = m->p;

	while ((end = next_stat(end, m->end, safe, field, &s))) {
		struct stat_value v;
		char unnamed[32];

		decode(d, m->piece, s, end, safe, &v, unnamed);
		if (!fn(ctx, &v))
			return false;
	}
	return true;
}

static const struct xfile *xfile_of(const struct dump *d, int file)
{
	return d->files[file].private;
}

/* Finds the message of an event; false: not found. */
FAST bool open_event(const struct xfile *f, const struct track *t, size_t i, struct message *m)
{
	uint64_t at = track_args(t, i);
	const uint8_t *s;
	size_t left;
	struct wire w;

	if (!f || at >= f->n || !(m->piece = piece_at(f, t->plane, at)))
		return false;
	s = f->b + at;
	left = f->n - (size_t)at;
	if (left > 2 && s[0] >= 8 && (s[0] & 0x87) == 2 && s[1] < 128 && s[1] <= left - 2) {
		m->p = s + 2;
		m->end = m->p + s[1];
		return true;
	}
	w = wire_open(s, left);
	if (!wire_next(&w) || w.type != 2) /* it is complete, or it would not be an event */
		return false;
	m->p = w.s;
	m->end = w.s + w.n;
	return true;
}

static void event_stats(const struct dump *d, const struct track *t, size_t i, stat_fn *fn, void *ctx)
{
	const struct xfile *f = xfile_of(d, t->file);
	struct message m;

	if (open_event(f, t, i, &m))
		walk(d, &m, safe_of(f), 4, fn, ctx);
}

static uint64_t any_int(const struct dump *d, const struct xpiece *p, const uint8_t *s, const uint8_t *end,
    int64_t *id)
{
	struct stat_value v = { .type = STAT_STR };

	*id = 0;
	any_value(d, p, s, end, id, &v);
	return (uint64_t)v.i;
}

static unsigned event_ints(const struct dump *d, const struct track *t, size_t i, const strid *name,
    unsigned n, int64_t *out)
{
	unsigned has = 0, all = n < 32 ? (1u << n) - 1 : UINT32_MAX;
	const struct xfile *f = xfile_of(d, t->file);
	const uint8_t *s, *safe;
	struct message m;

	if (!open_event(f, t, i, &m))
		return 0;
	safe = safe_of(f);
	while (has != all && (m.p = next_stat(m.p, m.end, safe, 4, &s))) {
		int64_t id;
		uint64_t u;
		strid found;

		if (quick_int(s, m.p, safe, &id, &u) == STAT_STR)
			u = any_int(d, m.piece, s, m.p, &id);
		if ((found = idmap_get(&m.piece->names, id)) == IDMAP_NONE)
			continue;
		for (unsigned k = 0; k < n; k++)
			if (found == name[k] && !(has & 1u << k)) {
				out[k] = (int64_t)u;
				has |= 1u << k;
			}
	}
	return has;
}

static void meta_stats(const struct dump *d, uint32_t meta, stat_fn *fn, void *ctx)
{
	const struct evmeta *m = &d->trace.metas[meta];
	const struct xfile *f = xfile_of(d, m->file);
	const struct xpiece *p = f ? piece_at(f, m->plane, m->at) : NULL;

	if (p && m->at <= f->n && m->len <= f->n - m->at)
		walk(d, &(struct message){ p, f->b + m->at, f->b + m->at + m->len }, safe_of(f), 5, fn, ctx);
}

static void plane_stats(const struct dump *d, uint32_t plane, stat_fn *fn, void *ctx)
{
	const struct xfile *f = xfile_of(d, d->trace.planes[plane].file);

	const struct xpiece *p = f ? piece_at(f, plane, d->trace.planes[plane].at) : NULL;

	for (; p; p = p->next < f->npieces ? &f->pieces[p->next] : NULL) {
		const uint8_t *b = f->b + p->at;

		if (p->stats_end &&
		    !walk(d, &(struct message){ p, b + p->stats, b + p->stats_end }, safe_of(f), 6, fn, ctx))
			return;
	}
}

static bool plain(const struct dump *d, const struct track *t, size_t i, int64_t *start, int64_t *dur)
{
	const struct xfile *f = xfile_of(d, t->file);
	uint64_t at = track_args(t, i);
	const struct xline *l = f ? line_at(f, at) : NULL;
	struct xevent e;

	if (!l || !xspace_event(f, at, &e) || e.aggregate)
		return false;
	*start = add_clamped(xspace_base(f, l->ts_ns, d->origin_ns), e.offset);
	*dur = e.dur;
	track_clip(start, dur);
	return true;
}

const struct stat_reader xspace_stats = {
	.event = event_stats,
	.meta = meta_stats,
	.plane = plane_stats,
	.ints = event_ints,
	.plain = plain,
};
