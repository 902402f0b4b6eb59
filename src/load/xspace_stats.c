#include "config.h"

#include "load/xspace.h"

#include <stdio.h>
#include <string.h>

#include "load/wire.h"

/* The last piece (line) that begins at or before a place in the file. */
static const struct xpiece *piece_at(const struct xfile *f, uint64_t at)
{
	size_t lo = 0, hi = f->npieces;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->pieces[mid].at <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &f->pieces[lo - 1] : NULL;
}

static const struct xline *line_at(const struct xfile *f, uint64_t at)
{
	size_t lo = 0, hi = f->nlines;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->lines[mid].at <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &f->lines[lo - 1] : NULL;
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

/* One XStat.  `unnamed` is room for the name of a stat whose metadata is missing. */
static void decode(const struct dump *d, const struct xpiece *p, const struct wire *field, struct stat_value *v,
	char unnamed[32])
{
	struct wire w = wire_open(field->s, field->n);
	int64_t id = 0;
	strid ref;

	*v = (struct stat_value){ .type = STAT_STR, .s = "" };
	while (wire_next(&w)) {
		switch (w.field << 3 | w.type) {
		case 1 << 3:
			id = (int64_t)w.u;
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
	v->name_id = idmap_get(&p->names, id);
	if (v->name_id != IDMAP_NONE) {
		v->name = strtab_str(&d->str, v->name_id);
		v->name_len = strtab_len(&d->str, v->name_id);
	} else {
		v->name = unnamed;
		v->name_len = (size_t)snprintf(unnamed, 32, "stat %lld", (long long)id);
	}
}

/* All stats of a message, which has them in `field`. */
static bool walk(const struct dump *d, const struct xpiece *p, struct wire w, uint32_t field, stat_fn *fn,
	void *ctx)
{
	while (wire_next(&w)) {
		struct stat_value v;
		char unnamed[32];

		if (w.field != field || w.type != 2)
			continue;
		decode(d, p, &w, &v, unnamed);
		if (!fn(ctx, &v))
			return false;
	}
	return true;
}

static const struct xfile *xfile_of(const struct dump *d, int file)
{
	return d->files[file].private;
}

static void event_stats(const struct dump *d, const struct track *t, size_t i, stat_fn *fn, void *ctx)
{
	const struct xfile *f = xfile_of(d, t->file);
	uint64_t at = track_args(t, i);
	const struct xpiece *p = f ? piece_at(f, at) : NULL;
	struct xevent e;

	if (p && xspace_event(f, at, &e))
		walk(d, p, wire_open(e.p, (size_t)(e.end - e.p)), 4, fn, ctx);
}

static void meta_stats(const struct dump *d, uint32_t meta, stat_fn *fn, void *ctx)
{
	const struct evmeta *m = &d->trace.metas[meta];
	const struct xfile *f = xfile_of(d, m->file);
	const struct xpiece *p = f ? piece_at(f, m->at) : NULL;

	if (p && m->at <= f->n && m->len <= f->n - m->at)
		walk(d, p, wire_open(f->b + m->at, m->len), 5, fn, ctx);
}

static void plane_stats(const struct dump *d, uint32_t plane, stat_fn *fn, void *ctx)
{
	const struct xfile *f = xfile_of(d, d->trace.planes[plane].file);

	for (size_t i = 0; f && i < f->npieces; i++) {
		const struct xpiece *p = &f->pieces[i];

		if (p->plane == plane && !walk(d, p, wire_open(f->b + p->at, (size_t)p->len), 6, fn, ctx))
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
	.event = event_stats, .meta = meta_stats, .plane = plane_stats, .plain = plain,
};
