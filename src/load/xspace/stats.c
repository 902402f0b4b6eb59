#include "config.h"

#include "load/xspace/xspace.h"

#include <stdio.h>
#include <string.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/codec/wire.h"

/* Millions of stats are read through these: calls would take as long as what they do. */
#define SELDOM __attribute__((noinline))

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

/* Decodes one XStat.  `unnamed` is a buffer for the name of a stat whose metadata is missing. */
static void decode(const struct dump *d, const struct xpiece *p, const struct wire *w, struct stat_value *v,
    char unnamed[32])
{
	int64_t id = 0;

	*v = (struct stat_value){ .type = STAT_STR, .s = "" };
	any_value(d, p, w->s, w->s + w->n, &id, v);
	v->name_id = idmap_get(&p->names, id);
	if (v->name_id != IDMAP_NONE) {
		v->name = strtab_str(&d->str, v->name_id);
		v->name_len = strtab_len(&d->str, v->name_id);
	} else {
		v->name = unnamed;
		v->name_len = (size_t)snprintf(unnamed, 32, "stat %lld", (long long)id);
	}
}

/* Calls back for all stats of a message, which are in `field`. */
static bool walk(const struct dump *d, const struct message *m, uint32_t field, stat_fn *fn, void *ctx)
{
	struct wire w = wire_open(m->p, (size_t)(m->end - m->p));

	while (wire_next(&w)) {
		struct stat_value v;
		char unnamed[32];

		if (w.field != field || w.type != 2)
			continue;
		decode(d, m->piece, &w, &v, unnamed);
		if (!fn(ctx, &v))
			return false;
	}
	return true;
}

static const struct xfile *xfile_of(const struct dump *d, int file)
{
	return d->files[file].private;
}

/* Finds the message of an event, not its piece; false: not found. */
static SELDOM bool open_any(const uint8_t *s, size_t left, struct message *m)
{
	struct wire w = wire_open(s, left);

	if (!wire_next(&w) || w.type != 2) /* it is complete, or it would not be an event */
		return false;
	m->p = w.s;
	m->end = w.s + w.n;
	return true;
}

FAST bool open_event(const struct xfile *f, uint64_t at, struct message *m)
{
	const uint8_t *s;
	size_t left;

	if (!f || at >= f->n)
		return false;
	s = f->b + at;
	left = f->n - (size_t)at;
	if (left <= 2 || s[0] < 8 || (s[0] & 0x87) != 2 || s[1] >= 128 || s[1] > left - 2)
		return open_any(s, left, m);
	m->p = s + 2;
	m->end = m->p + s[1];
	return true;
}

static void event_stats(const struct dump *d, const struct track *t, size_t i, stat_fn *fn, void *ctx)
{
	const struct xfile *f = xfile_of(d, t->file);
	struct message m;

	if (open_event(f, track_args(t, i), &m) && (m.piece = piece_at(f, t->plane, track_args(t, i))))
		walk(d, &m, 4, fn, ctx);
}

/* The numbers of an event.  Fields of the usual forms are read without the general reader: what ROOM bytes behind
 * their first one are readable for. */
enum { ROOM = 16 };
enum { UNKNOWN = STAT_INTS_MAX, NOT_WANTED };

/* Returns the end of a number whose key is one byte, NULL: it is another field. */
FAST const uint8_t *after_number(const uint8_t *p)
{
	uint64_t u;

	return *p >= 8 && !(*p & 0x87) ? wire_varint_quick(p + 1, &u, false) : NULL;
}

static SELDOM uint8_t place_of(const struct stat_ints *r, uint8_t id)
{
	const struct xpiece *p = r->part;
	strid name = idmap_get(&p->names, id);
	unsigned k = 0;

	while (k < r->n && (name == IDMAP_NONE || r->name[k] != name))
		k++;
	return k < r->n ? (uint8_t)k : NOT_WANTED;
}

/* Takes a stat that is a short message, of an id below 128 and a whole number, and nothing else.  Returns its end,
 * NULL: it is another field. */
FAST const uint8_t *after_usual(struct stat_ints *r, const uint8_t *p, const uint8_t *end, int64_t *out,
    bool pext)
{
	uint64_t form, u;
	const uint8_t *next = wire_varint_quick(p + 5, &u, pext);
	uint8_t *place = &r->place[p[3] & 127];

	memcpy(&form, p, 8);
	form = le64toh(form) & 0xff80ff80ffu; /* key, length, key, id, key */
	if ((form != 0x1800080022u && form != 0x2000080022u) || next != p + 2 + p[1] || next > end)
		return NULL;
	if (*place == UNKNOWN)
		*place = place_of(r, p[3]);
	if (*place != NOT_WANTED && !(r->has >> *place & 1)) {
		out[*place] = (int64_t)u;
		r->has |= 1u << *place;
	}
	return next;
}

/* Reads any field; NULL: it is damaged. */
static SELDOM const uint8_t *after_any(struct stat_ints *r, const uint8_t *p, const uint8_t *end)
{
	struct wire w = wire_open(p, (size_t)(end - p));
	struct stat_value v;
	char unnamed[32];

	if (!wire_next(&w))
		return NULL;
	if (w.field == 4 && w.type == 2) {
		decode(r->dump, r->part, &w, &v, unnamed);
		stat_ints_take(r, &v);
	}
	return w.p;
}

/* Most events of a track are of one piece. */
FAST bool enter_piece(struct stat_ints *r, const struct xfile *f, uint64_t at)
{
	const struct xpiece *p = r->part;

	if (p && at - p->at < p->len)
		return true;
	r->part = piece_at(f, r->track->plane, at);
	r->all = stat_ints_all(r);
	memset(r->place, UNKNOWN, sizeof r->place);
	return r->part;
}

FAST unsigned ints(struct stat_ints *r, size_t i, int64_t *out, bool pext)
{
	const struct xfile *f = xfile_of(r->dump, r->track->file);
	uint64_t at = track_args(r->track, i);
	const uint8_t *p, *end, *next;
	struct message m;
	bool room;

	r->has = 0;
	r->out = out;
	if (!at || !open_event(f, at, &m))
		return 0;
	end = m.end;
	room = (size_t)(f->b + f->n - end) >= ROOM;
	for (p = m.p; room && p < end && (next = after_number(p)); p = next)
		;
	if (p >= end || !enter_piece(r, f, at))
		return 0;
	for (; p && p < end && r->has != r->all; p = next)
		if (!room || (!(next = after_usual(r, p, end, out, pext)) && !(next = after_number(p))))
			next = after_any(r, p, end);
	return r->has;
}

static unsigned ints_plain(struct stat_ints *r, size_t i, int64_t *out)
{
	return ints(r, i, out, false);
}

static unsigned ints_pext(struct stat_ints *r, size_t i, int64_t *out)
{
	return ints(r, i, out, true);
}

static unsigned event_ints(struct stat_ints *r, size_t i, int64_t *out)
{
	r->read = wire_has_pext() ? ints_pext : ints_plain;
	return r->read(r, i, out);
}

static void meta_stats(const struct dump *d, uint32_t meta, stat_fn *fn, void *ctx)
{
	const struct evmeta *m = &d->trace.metas[meta];
	const struct xfile *f = xfile_of(d, m->file);
	const struct xpiece *p = f ? piece_at(f, m->plane, m->at) : NULL;

	if (p && m->at <= f->n && m->len <= f->n - m->at)
		walk(d, &(struct message){ p, f->b + m->at, f->b + m->at + m->len }, 5, fn, ctx);
}

static void plane_stats(const struct dump *d, uint32_t plane, stat_fn *fn, void *ctx)
{
	const struct xfile *f = xfile_of(d, d->trace.planes[plane].file);

	const struct xpiece *p = f ? piece_at(f, plane, d->trace.planes[plane].at) : NULL;

	for (; p; p = p->next < f->npieces ? &f->pieces[p->next] : NULL) {
		const uint8_t *b = f->b + p->at;

		if (p->stats_end &&
		    !walk(d, &(struct message){ p, b + p->stats, b + p->stats_end }, 6, fn, ctx))
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
