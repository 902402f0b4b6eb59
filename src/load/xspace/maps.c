#include "config.h"

#include "load/xspace/xspace.h"

#include <string.h>

#include "base/codec/wire.h"

enum { EVENT_METADATA = 4, STAT_METADATA = 5 };

struct entry { /* of a map<int64, message> */
	int64_t key;
	const uint8_t *s;
	size_t n;
};

static bool entry_of(const struct wire *field, struct entry *e)
{
	struct wire w = wire_open(field->s, field->n);

	*e = (struct entry){ .s = field->s };
	while (wire_next(&w)) {
		if (w.field == 1 && w.type == 0)
			e->key = (int64_t)w.u;
		else if (w.field == 2 && w.type == 2) {
			e->s = w.s;
			e->n = w.n;
		}
	}
	return !w.bad;
}

/* Reads the next entry of one of the maps of a piece.  Entries that cannot be read are counted as damage and
 * skipped. */
static bool next_entry(struct xfile *f, uint32_t piece, struct wire *w, uint32_t map, struct entry *e)
{
	while (wire_next(w) || xspace_resume(w, XLEVEL_PLANE)) {
		if (w->field != map || w->type != 2)
			continue;
		if (entry_of(w, e))
			return true;
		xspace_damage(&f->damage, XWHY_GARBAGE, (uint64_t)(w->s - f->b), piece, SIZE_MAX);
	}
	return false;
}

static struct wire open_maps(const struct xfile *f, uint32_t piece)
{
	const struct xpiece *p = &f->pieces[piece];

	return wire_open(f->b + p->at + p->maps, (size_t)(p->len - p->maps));
}

static void plan(struct xfile *f, uint32_t piece)
{
	struct wire w = open_maps(f, piece);
	int64_t largest[] = { -1, -1 };
	size_t n[] = { 0, 0 };

	while (wire_next(&w) || xspace_resume(&w, XLEVEL_PLANE)) {
		bool names = w.field == STAT_METADATA;
		struct entry e;

		if ((!names && w.field != EVENT_METADATA) || w.type != 2 || !entry_of(&w, &e))
			continue;
		n[names]++;
		if ((uint64_t)e.key > (uint64_t)largest[names] || largest[names] < 0)
			largest[names] = e.key;
	}
	idmap_plan(&f->pieces[piece].metas, largest[false], n[false]);
	idmap_plan(&f->pieces[piece].names, largest[true], n[true]);
}

void xspace_plan(struct xload *x, struct xfile *f)
{
	for (uint32_t i = 0; i < f->npieces && !progress_canceled(x->progress); i++)
		plan(f, i);
}

static void read_names(struct xload *x, struct xfile *f, uint32_t piece)
{
	struct idmap *m = &f->pieces[piece].names;
	struct wire w = open_maps(f, piece);
	struct entry e;

	while (next_entry(f, piece, &w, STAT_METADATA, &e)) {
		struct wire v = wire_open(e.s, e.n);
		strid name = 0;

		while (wire_next(&v))
			if (v.field == 2 && v.type == 2)
				name = strtab_ref(&x->dump->str, (const char *)v.s, v.n);
		idmap_put(m, e.key, name);
	}
}

/* The value of a stat as an interned string, if it is the stat `wanted`; UINT32_MAX otherwise. */
static strid string_stat(struct xload *x, const struct xpiece *p, const struct wire *stat, strid wanted)
{
	struct wire w = wire_open(stat->s, stat->n);
	strid value = UINT32_MAX;
	int64_t id = 0;

	while (wire_next(&w)) {
		if (w.field == 1 && w.type == 0) {
			id = (int64_t)w.u;
			if (idmap_get(&p->names, id) != wanted)
				return UINT32_MAX;
		} else if (w.field == 5 && w.type == 2) {
			value = strtab_ref(&x->dump->str, (const char *)w.s, w.n);
		} else if (w.field == 7 && w.type == 0) {
			value = idmap_get(&p->names, (int64_t)w.u);
		}
	}
	return idmap_get(&p->names, id) == wanted ? value : UINT32_MAX;
}

static struct evmeta read_meta(struct xload *x, struct xfile *f, uint32_t piece, const struct entry *e,
    strid wanted)
{
	const struct xpiece *p = &f->pieces[piece];
	struct wire w = wire_open(e->s, e->n), name = { .n = 0 }, display = { .n = 0 };
	struct evmeta m = { .plane = p->plane, .file = f->file, .at = (uint64_t)(e->s - f->b) };

	while (wire_next(&w)) {
		if (w.type != 2)
			continue;
		if (w.field == 2)
			name = w;
		else if (w.field == 4)
			display = w;
		else if (w.field == 5 && wanted && !m.category) {
			strid value = string_stat(x, p, &w, wanted);

			m.category = value == UINT32_MAX ? 0 : value;
		}
	}
	if (w.bad)
		xspace_damage(&f->damage, XWHY_GARBAGE, (uint64_t)(w.p - f->b), piece, SIZE_MAX);
	m.len = e->n > UINT32_MAX ? UINT32_MAX : (uint32_t)e->n;
	if (!display.n)
		display = name;
	m.name = strtab_ref(&x->dump->str, (const char *)display.s, display.n);
	if (name.n && !slice_same(wire_text(&name), wire_text(&display))) {
		m.full = (const char *)name.s;
		m.full_len = name.n > UINT32_MAX ? UINT32_MAX : (uint32_t)name.n;
	}
	return m;
}

static void read_metas(struct xload *x, struct xfile *f, uint32_t piece)
{
	struct trace *t = &x->dump->trace;
	struct idmap *m = &f->pieces[piece].metas;
	strid category = strtab_find(&x->dump->str, "hlo_category", strlen("hlo_category"));
	struct wire w = open_maps(f, piece);
	struct entry e;

	if (category == UINT32_MAX)
		category = 0;
	while (next_entry(f, piece, &w, EVENT_METADATA, &e)) {
		struct evmeta meta = read_meta(x, f, piece, &e, category);
		uint32_t old = idmap_get(m, e.key);

		if (old != IDMAP_NONE) { /* the last entry of an id wins */
			t->metas[old] = meta;
		} else if (f->nmetas < XSPACE_METAS_MAX && t->nmetas < XSPACE_METAS_ALL) {
			f->nmetas++;
			idmap_put(m, e.key, trace_add_meta(t, &meta));
		} else {
			xspace_damage(&f->damage, XWHY_MANY, (uint64_t)(e.s - f->b), piece, SIZE_MAX);
			break;
		}
	}
}

void xspace_maps(struct xload *x, struct xfile *f)
{
	for (uint32_t i = 0; i < f->npieces && !progress_canceled(x->progress); i++) {
		read_names(x, f, i);
		read_metas(x, f, i);
	}
}
