#include "config.h"

#include "load/xspace/xspace.h"

#include <stdio.h>
#include <string.h>

#include "base/bisect.h"
#include "base/codec/wire.h"

/* Returns the last piece (line) that starts at or before a place in the file. */
static const struct xpiece *piece_at(const struct xfile *f, uint64_t at)
{
	const struct xpiece *p;

	BISECT_LAST(p, f->pieces, f->npieces, p->at <= at);
	return p;
}

static const struct xline *line_at(const struct xfile *f, uint64_t at)
{
	const struct xline *l;

	BISECT_LAST(l, f->lines, f->nlines, l->at <= at);
	return l;
}

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
static inline const uint8_t *number(const uint8_t *p, const uint8_t *end, const uint8_t *safe, uint64_t *v)
{
	const uint8_t *next = p <= safe ? wire_varint_quick(p, v) : NULL;

	return next ? next <= end ? next : NULL : wire_varint(p, end, v);
}

static const uint8_t *safe_of(const struct xfile *f)
{
	return f->n >= 8 ? f->b + f->n - 8 : NULL;
}

/* Reads the usual form of a number, just an id and the value, without the general message reader. */
static bool quick_int(const struct wire *field, const uint8_t *safe, int64_t *id, struct stat_value *v)
{
	const uint8_t *p = field->s, *end = p + field->n;
	uint64_t u;
	uint8_t key;

	if (field->n < 4 || *p != 1 << 3 || !(p = wire_varint(p + 1, end, &u)) || p == end)
		return false;
	*id = (int64_t)u;
	key = *p;
	if ((key != 3 << 3 && key != 4 << 3) || number(p + 1, end, safe, &u) != end)
		return false;
	set_int(v, key == 3 << 3 ? STAT_UINT : STAT_INT, u);
	return true;
}

static void any_value(const struct dump *d, const struct xpiece *p, const struct wire *field, int64_t *id,
    struct stat_value *v)
{
	struct wire w = wire_open(field->s, field->n);
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
static void decode(const struct dump *d, const struct xpiece *p, const struct wire *field,
    const uint8_t *safe, struct stat_value *v, char unnamed[32])
{
	int64_t id = 0;

	*v = (struct stat_value){ .type = STAT_STR, .s = "" };
	if (!quick_int(field, safe, &id, v)) {
		id = 0;
		any_value(d, p, field, &id, v);
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

/* Moves to the next `field`, like wire_next(), but handles the two usual forms of a field in place: numbers,
 * which are skipped, and short messages. */
static bool next_stat(struct wire *w, const uint8_t *safe, uint32_t field)
{
	while (w->p < w->end && !w->bad) {
		uint8_t key = *w->p;
		size_t left = (size_t)(w->end - w->p);
		const uint8_t *p;
		uint64_t u;

		if (key >= 8 && key < 128 && !(key & 7) && (p = number(w->p + 1, w->end, safe, &u))) {
			w->p = p;
		} else if (key == (field << 3 | 2) && left > 2 && w->p[1] < 128 && w->p[1] <= left - 2) {
			w->n = w->p[1];
			w->s = w->p + 2;
			w->p = w->s + w->n;
			return true;
		} else if (!wire_next(w)) {
			return false;
		} else if (w->field == field && w->type == 2) {
			return true;
		}
	}
	return false;
}

/* Calls back for all stats of a message, which are in `field`. */
static bool walk(const struct dump *d, const struct xpiece *p, struct wire w, const uint8_t *safe,
    uint32_t field, stat_fn *fn, void *ctx)
{
	while (next_stat(&w, safe, field)) {
		struct stat_value v;
		char unnamed[32];

		decode(d, p, &w, safe, &v, unnamed);
		if (!fn(ctx, &v))
			return false;
	}
	return true;
}

static const struct xfile *xfile_of(const struct dump *d, int file)
{
	return d->files[file].private;
}

/* Finds the message of an event, and the piece whose names it uses; false: not found. */
static bool open_event(const struct dump *d, const struct track *t, size_t i, const struct xpiece **p,
    struct wire *w)
{
	const struct xfile *f = xfile_of(d, t->file);
	uint64_t at = track_args(t, i);
	const uint8_t *s;
	size_t left;

	if (!f || at >= f->n || !(*p = piece_at(f, at)))
		return false;
	s = f->b + at;
	left = f->n - (size_t)at;
	if (left > 2 && s[0] >= 8 && (s[0] & 0x87) == 2 && s[1] < 128 && s[1] <= left - 2) {
		*w = wire_open(s + 2, s[1]);
		return true;
	}
	*w = wire_open(s, left);
	if (!wire_next(w) || w->type != 2) /* it is complete, or it would not be an event */
		return false;
	*w = wire_open(w->s, w->n);
	return true;
}

static void event_stats(const struct dump *d, const struct track *t, size_t i, stat_fn *fn, void *ctx)
{
	const struct xpiece *p;
	struct wire w;

	if (open_event(d, t, i, &p, &w))
		walk(d, p, w, safe_of(xfile_of(d, t->file)), 4, fn, ctx);
}

static int64_t any_int(const struct dump *d, const struct xpiece *p, const struct wire *field, int64_t *id)
{
	struct stat_value v = { .type = STAT_STR };

	*id = 0;
	any_value(d, p, field, id, &v);
	return v.i;
}

static unsigned event_ints(const struct dump *d, const struct track *t, size_t i, const strid *name,
    unsigned n, int64_t *out)
{
	unsigned has = 0, all = n < 32 ? (1u << n) - 1 : UINT32_MAX;
	const struct xpiece *p;
	const uint8_t *safe;
	struct wire w;

	if (!open_event(d, t, i, &p, &w))
		return 0;
	safe = safe_of(xfile_of(d, t->file));
	while (has != all && next_stat(&w, safe, 4)) {
		struct stat_value v;
		int64_t id, value;
		strid found;

		value = quick_int(&w, safe, &id, &v) ? v.i : any_int(d, p, &w, &id);
		if ((found = idmap_get(&p->names, id)) == IDMAP_NONE)
			continue;
		for (unsigned k = 0; k < n; k++)
			if (found == name[k] && !(has & 1u << k)) {
				out[k] = value;
				has |= 1u << k;
			}
	}
	return has;
}

static void meta_stats(const struct dump *d, uint32_t meta, stat_fn *fn, void *ctx)
{
	const struct evmeta *m = &d->trace.metas[meta];
	const struct xfile *f = xfile_of(d, m->file);
	const struct xpiece *p = f ? piece_at(f, m->at) : NULL;

	if (p && m->at <= f->n && m->len <= f->n - m->at)
		walk(d, p, wire_open(f->b + m->at, m->len), safe_of(f), 5, fn, ctx);
}

static void plane_stats(const struct dump *d, uint32_t plane, stat_fn *fn, void *ctx)
{
	const struct xfile *f = xfile_of(d, d->trace.planes[plane].file);

	const struct xpiece *p = f ? piece_at(f, d->trace.planes[plane].at) : NULL;

	for (; p; p = p->next < f->npieces ? &f->pieces[p->next] : NULL) {
		if (p->stats_end &&
		    !walk(d, p, wire_open(f->b + p->at + p->stats, (size_t)(p->stats_end - p->stats)),
			safe_of(f), 6, fn, ctx))
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
	*start = xspace_add(xspace_base(l->ts_ns, d->origin_ns), e.offset);
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
