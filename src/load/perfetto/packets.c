#include "config.h"

#include "load/perfetto/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/hash.h"

enum { BOOT_CLOCK = 6, OWN_CLOCKS = 64, STATE_CLEARED = 1 };

static void read_packet(struct wire w, struct pf_packet *p)
{
	const struct {
		uint32_t field;
		uint64_t *number;
		struct slice *message;
	} v[] = {
		{ 8, &p->ts, NULL },
		{ 10, &p->sequence, NULL },
		{ 13, &p->flags, NULL },
		{ 58, &p->clock, NULL },
		{ 6, NULL, &p->snapshot },
		{ 11, NULL, &p->event },
		{ 12, NULL, &p->interned },
		{ 44, NULL, &p->thread },
		{ 50, NULL, &p->packed },
		{ 59, NULL, &p->defaults },
		{ 60, NULL, &p->descriptor },
		{ 133, NULL, &p->packed_zstd },
	};

	while (wire_next(&w)) {
		size_t i = 0;

		while (i < sizeof v / sizeof *v && v[i].field != w.field)
			i++;
		p->has_ts |= w.field == 8 && w.type == 0;
		if (i == sizeof v / sizeof *v)
			p->other |= w.type == 2 && w.field != 43;
		else if (v[i].number && w.type == 0)
			*v[i].number = w.u;
		else if (v[i].message && w.type == 2)
			*v[i].message = (struct slice){ (const char *)w.s, w.n };
	}
}

bool pf_packet(const struct pf_file *f, struct wire *w, struct pf_packet *p)
{
	for (const uint8_t *begin = w->p; wire_next(w); begin = w->p)
		if (w->field == 1 && w->type == 2) {
			*p = (struct pf_packet){ .at = (uint64_t)(begin - f->b), .clock = PF_NONE };
			read_packet(wire_open(w->s, w->n), p);
			return true;
		}
	return false;
}

struct pf_sequence *pf_sequence(struct pf_file *f, uint64_t id)
{
	uint32_t i = idmap_get(&f->sequences, (int64_t)id);

	if (i == IDMAP_NONE) {
		i = (uint32_t)f->nsequences;
		idmap_put(&f->sequences, (int64_t)id, i);
		VEC_ADD(f->sequence, f->nsequences, f->cap,
		    (struct pf_sequence){ .clock = PF_NONE, .track = PF_NONE });
	}
	return &f->sequence[i];
}

size_t pf_generation(const struct pf_sequence *s, uint64_t at)
{
	size_t n;

	BISECT(n, s->nbegan, s->began[n] <= at);
	return n;
}

static int64_t interned_key(uint64_t sequence, size_t generation, enum pf_interned kind, uint64_t id)
{
	return (int64_t)hash_mix(hash_mix(hash_mix(sequence, generation), kind), id);
}

uint32_t pf_name(const struct pf_file *f, uint64_t sequence, size_t generation, enum pf_interned kind,
    uint64_t id)
{
	return idmap_get(&f->interned, interned_key(sequence, generation, kind, id));
}

/* Entries { iid = 1, name = 2 }. */
static void intern(struct pf_reading *r, const struct pf_packet *p, const struct pf_sequence *s)
{
	struct wire w = wire_open(p->interned.s, p->interned.n);

	while (wire_next(&w)) {
		enum pf_interned kind = w.field == 29 ? PF_STRING
		    : w.field >= 1 && w.field <= 3    ? w.field
						      : 0;
		struct wire entry = wire_open(w.s, w.n);
		struct slice text = { "", 0 };
		uint64_t id = 0;

		if (!kind || w.type != 2)
			continue;
		while (wire_next(&entry))
			if (entry.field == 1 && entry.type == 0)
				id = entry.u;
			else if (entry.field == 2 && entry.type == 2)
				text = wire_text(&entry);
		idmap_put(&r->f->interned, interned_key(p->sequence, s->generation, kind, id),
		    strtab_add(&r->b.dump->str, text.s, text.n));
	}
}

static void take_defaults(struct pf_sequence *s, struct slice defaults)
{
	struct wire w = wire_open(defaults.s, defaults.n);

	while (wire_next(&w))
		if (w.field == 58 && w.type == 0) {
			s->clock = w.u;
		} else if (w.field == 11 && w.type == 2) {
			struct wire event = wire_open(w.s, w.n);

			while (wire_next(&event))
				if (event.field == 11 && event.type == 0)
					s->track = event.u;
		}
}

static int64_t in_ns(uint64_t value, int64_t unit)
{
	int64_t ns;

	return value > INT64_MAX || __builtin_mul_overflow((int64_t)value, unit, &ns) ? INT64_MAX : ns;
}

static struct pf_clock *clock_of(struct pf_sequence *s, uint64_t id)
{
	for (size_t i = 0; i < s->nclocks && i < OWN_CLOCKS; i++)
		if (s->clocks[i].id == id)
			return &s->clocks[i];
	return NULL;
}

/* Clock { clock_id = 1, timestamp = 2, is_incremental = 3, unit_multiplier_ns = 4 } */
static struct pf_clock read_clock(struct wire w)
{
	struct pf_clock c = { .unit = 1 };
	uint64_t at = 0;

	while (wire_next(&w)) {
		if (w.field == 1 && w.type == 0)
			c.id = w.u;
		else if (w.field == 2 && w.type == 0)
			at = w.u;
		else if (w.field == 3 && w.type == 0)
			c.incremental = w.u;
		else if (w.field == 4 && w.type == 0 && w.u && w.u <= 1000000000)
			c.unit = (int64_t)w.u;
	}
	c.at = c.now = in_ns(at, c.unit);
	return c;
}

static void keep_clock(struct pf_reading *r, struct pf_sequence *s, struct pf_clock c, bool has_boot)
{
	struct pf_clock *old = c.id >= OWN_CLOCKS ? clock_of(s, c.id) : NULL;

	c.boot = has_boot ? c.boot : c.at;
	if (c.id < OWN_CLOCKS && !r->known[c.id]) {
		r->known[c.id] = has_boot;
		r->offset[c.id] = sub_clamped(c.boot, c.at);
	} else if (old) {
		*old = c;
	} else if (c.id >= OWN_CLOCKS && s->nclocks < OWN_CLOCKS) {
		VEC_ADD(s->clocks, s->nclocks, s->clocks_cap, c);
	}
}

/* Clocks that were read at the same moment, one of them that of the trace. */
static void take_snapshot(struct pf_reading *r, struct pf_sequence *s, struct slice snapshot)
{
	struct wire w;
	bool has_boot = false;
	int64_t boot = 0;

	for (w = wire_open(snapshot.s, snapshot.n); wire_next(&w) && !has_boot;) {
		struct pf_clock c =
		    w.field == 1 && w.type == 2 ? read_clock(wire_open(w.s, w.n)) : (struct pf_clock){ 0 };

		if (c.id && c.id < OWN_CLOCKS && (c.id == BOOT_CLOCK || r->known[c.id])) {
			has_boot = true;
			boot = add_clamped(c.at, r->offset[c.id]);
		}
	}
	for (w = wire_open(snapshot.s, snapshot.n); wire_next(&w);) {
		struct pf_clock c;

		if (w.field != 1 || w.type != 2)
			continue;
		c = read_clock(wire_open(w.s, w.n));
		c.boot = boot;
		keep_clock(r, s, c, has_boot);
	}
}

void pf_state(struct pf_reading *r, const struct pf_packet *p, struct pf_sequence *s)
{
	if (p->flags & STATE_CLEARED) {
		s->clock = s->track = PF_NONE;
		s->nclocks = 0;
		if (!r->pass2)
			VEC_ADD(s->began, s->nbegan, s->began_cap, p->at);
		s->generation = r->pass2 ? pf_generation(s, p->at) : s->nbegan;
	}
	if (p->defaults.n)
		take_defaults(s, p->defaults);
	if (p->snapshot.n)
		take_snapshot(r, s, p->snapshot);
	if (p->interned.n && !r->pass2)
		intern(r, p, s);
}

int64_t pf_time(struct pf_reading *r, const struct pf_packet *p, struct pf_sequence *s)
{
	uint64_t id = p->clock != PF_NONE ? p->clock : s->clock != PF_NONE ? s->clock : BOOT_CLOCK;
	struct pf_clock *c = id >= OWN_CLOCKS ? clock_of(s, id) : NULL;
	int64_t ns;

	if (!c)
		return add_clamped(in_ns(p->ts, 1), id < OWN_CLOCKS ? r->offset[id] : 0);
	ns = in_ns(p->ts, c->unit);
	c->now = c->incremental ? add_clamped(c->now, ns) : ns;
	return add_clamped(c->boot, sub_clamped(c->now, c->at));
}
