#include "config.h"

#include "load/xspace/xspace.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/codec/wire.h"
#include "base/mem.h"

/* The innermost loop of the program: read_events() handles 5 million events in a tenth of a second.  The keys
 * of XEvent are single bytes. */
enum { KEY_META = 1 << 3, KEY_OFFSET = 2 << 3, KEY_DURATION = 3 << 3, KEY_STATS = 4 << 3 | 2 };
enum { KEY_EVENT = 4 << 3 | 2 };

#define SLACK 32                 /* bytes after an event that the fast path may read */
#define REPORT_EVERY (64u << 10) /* bytes between two looks at progress and cancel */
#define FIRST_EVENTS 256         /* events read before their total number is estimated */

struct reader {
	struct xload *x;
	const struct xfile *f;
	const struct xpiece *piece;
	struct xline *l;
	struct xevents *ev;
	struct track *t;
	const uint8_t *p, *end, *reported;
	uint64_t events_reported;
	int64_t base, ts_ns; /* ps; ts_ns: by the fields read so far */
};

int64_t xspace_base(const struct xfile *f, int64_t ts_ns, int64_t epoch_ns)
{
	int64_t ps;

	if (ts_ns >= XSPACE_EPOCH)
		ts_ns -= epoch_ns;
	else
		ts_ns = add_clamped(ts_ns, f->shift_ns);
	return __builtin_mul_overflow(ts_ns, INT64_C(1000), &ps) ? ts_ns < 0 ? INT64_MIN : INT64_MAX : ps;
}

/* reads p … end; false: damaged */
static bool xspace_event_fields(struct xevent *e)
{
	struct wire w = wire_open(e->p, (size_t)(e->end - e->p));

	e->meta = 0;
	e->offset = e->dur = e->count = 0;
	e->aggregate = false;
	while (wire_next(&w)) {
		if (w.type != 0)
			continue;
		if (w.field == 1)
			e->meta = w.u;
		else if (w.field == 2)
			e->offset = (int64_t)w.u;
		else if (w.field == 3)
			e->dur = (int64_t)w.u;
		else if (w.field == 5) {
			e->count = (int64_t)w.u;
			e->aggregate = true;
		}
	}
	return !w.bad;
}

bool xspace_event(const struct xfile *f, uint64_t at, struct xevent *e)
{
	struct wire w;

	if (at >= f->n)
		return false;
	w = wire_open(f->b + at, f->n - (size_t)at);
	if (!wire_next(&w) || w.type != 2)
		return false;
	e->p = w.s;
	e->end = w.s + w.n;
	return xspace_event_fields(e);
}

/* Reads a number if it is there, else 0; NULL: it is unusually long. */
FAST const uint8_t *quick_field(const uint8_t *p, const uint8_t *end, uint8_t key, uint64_t *v, bool pext)
{
	*v = 0;
	return p && p < end && *p == key ? wire_varint_quick(p + 1, v, pext) : p;
}

/* Reads an event in the order of nearly all: kind, offset, duration, stats; false: it has another form, which the slow
 * path must read. */
FAST bool quick_event(struct xevent *e, bool pext)
{
	const uint8_t *p = e->p, *end = e->end;
	uint64_t offset, dur, stat;

	p = quick_field(p, end, KEY_META, &e->meta, pext);
	p = quick_field(p, end, KEY_OFFSET, &offset, pext);
	p = quick_field(p, end, KEY_DURATION, &dur, pext);
	while (p && p < end && *p == KEY_STATS) {
		p = wire_varint(p + 1, end, &stat);
		if (!p || stat > (uint64_t)(end - p))
			return false;
		p += stat;
	}
	e->offset = (int64_t)offset;
	e->dur = (int64_t)dur;
	e->aggregate = false;
	return p == end;
}

/* Returns the index of an id without metadata in the list of the line; names are made after all lines are
 * read. */
static uint32_t unknown_meta(struct xevents *ev, uint64_t id)
{
	uint32_t k = idmap_get(&ev->unknown_of, (int64_t)id);

	if (k != IDMAP_NONE)
		return k;
	if (ev->nunknown == XSPACE_UNKNOWN_MAX)
		return XSPACE_UNKNOWN | XSPACE_UNKNOWN_MAX;
	VEC_PUSH(ev->unknown, ev->nunknown, ev->unknown_cap);
	ev->unknown[ev->nunknown] = (int64_t)id;
	k = XSPACE_UNKNOWN | (uint32_t)ev->nunknown++;
	idmap_put(&ev->unknown_of, (int64_t)id, k);
	return k;
}

static inline uint32_t meta_of(struct reader *r, uint64_t id)
{
	uint32_t m = idmap_get(&r->piece->metas, (int64_t)id);

	return m != IDMAP_NONE ? m : unknown_meta(r->ev, id);
}

static bool add_aggregate(struct reader *r, const struct xevent *e, uint64_t at)
{
	struct track *t = r->t;

	if (t->untimed == t->agg_cap) {
		size_t cap = t->agg_cap ? t->agg_cap * 2 : 16;
		void *room = mem_try(t->agg, cap, sizeof *t->agg);

		if (!room)
			return false;
		t->agg = room;
		t->agg_cap = cap;
	}
	t->agg[t->untimed++] = (struct aggregate){ .meta = meta_of(r, e->meta),
		.count = e->count,
		.dur = e->dur < 0 ? 0 : e->dur,
		.at = at };
	return true;
}

/* Makes room for as many events as the line will have if the rest is like the start; the surplus is released
 * at the end. */
static bool make_room(struct reader *r)
{
	struct track *t = r->t;
	double left = (double)(r->end - r->p), read = (double)(r->p - (r->f->b + r->l->at)), more;

	if (t->n >= UINT32_MAX / 2)
		return false;
	if (t->n)
		more = left * (double)t->n / read * 1.02 + 64;
	else
		more = left / 8 < FIRST_EVENTS ? left / 8 + 1 : FIRST_EVENTS;
	return track_grow(t, t->n + (size_t)more) || track_grow(t, t->n + FIRST_EVENTS);
}

static inline bool add_event(struct reader *r, const struct xevent *e, uint64_t at)
{
	struct track *t = r->t;

	if (t->n == t->cap && !make_room(r))
		return false;
	r->ev->negative += e->dur < 0;
	return track_add(t, add_clamped(r->base, e->offset), e->dur < 0 ? 0 : e->dur, meta_of(r, e->meta),
	    at);
}

static bool report_progress(struct reader *r)
{
	uint64_t events = r->t->n + r->t->untimed;
	uint64_t bytes = r->f->counted ? 0 : (uint64_t)(r->p - r->reported);

	progress_add(r->x->progress, bytes, events - r->events_reported);
	r->reported = r->p;
	r->events_reported = events;
	if (!progress_canceled(r->x->progress))
		return true;
	atomic_store_explicit(&r->x->canceled, true, memory_order_relaxed);
	return false;
}

static bool damaged(struct reader *r, enum xwhy why, const uint8_t *at)
{
	size_t line = (size_t)(r->l - r->f->lines);

	xspace_damage(&r->ev->damage, why, (uint64_t)(at - r->f->b), r->l->piece, line);
	return false;
}

/* Goes on behind bytes that cannot be read, from w->p on; at: the first of them. */
static bool after_hole(struct reader *r, struct wire *w, const uint8_t *at)
{
	bool begun = r->t->n || r->t->untimed;

	if (!xspace_resume(w, begun ? XLEVEL_EVENTS : XLEVEL_LINE))
		return damaged(r, XWHY_GARBAGE, at);
	damaged(r, XWHY_HOLE, at);
	w->type = 0; /* nothing was read */
	w->field = 0;
	return true;
}

/* An event that cannot be read; its length may be what is wrong.  Not inline, because the loop over the events is 3 %
 * slower with it. */
static __attribute__((cold, noinline)) bool skip_event(struct reader *r, const uint8_t *at,
    const uint8_t *end)
{
	struct wire w = { .p = end - 1, .end = r->end, .bad = true };

	if (end == r->end)
		return damaged(r, XWHY_HOLE, at);
	if (!after_hole(r, &w, at))
		return false;
	r->p = w.p;
	return true;
}

/* Handles a field of the line that is not an event, or an event whose key is encoded unusually; the reader is
 * after it. */
static bool other_field(struct reader *r, struct wire *w)
{
	struct xline *l = r->l;

	*w = wire_open(r->p, (size_t)(r->end - r->p));
	if (!wire_next(w)) {
		if (l->cut && w->cut)
			return false;
		return w->cut ? damaged(r, XWHY_LONG, w->p) : after_hole(r, w, w->p);
	}
	if (w->type == 0 && w->field == 1)
		l->id = (int64_t)w->u;
	else if (w->type == 0 && w->field == 3)
		r->ts_ns = (int64_t)w->u;
	else if (w->type == 0 && w->field == 10)
		l->display_id = (int64_t)w->u;
	else if (w->type == 2 && w->field == 2) {
		l->name = (const char *)w->s;
		l->name_len = w->n;
	} else if (w->type == 2 && w->field == 11) {
		l->display = (const char *)w->s;
		l->display_len = w->n;
	}
	return true;
}

FAST bool take_event(struct reader *r, const uint8_t *at, const uint8_t *body, const uint8_t *end, bool pext)
{
	const uint8_t *file_end = r->f->b + r->f->n;
	uint64_t place = (uint64_t)(at - r->f->b);
	struct xevent e = { .p = body, .end = end };

	if ((file_end - end < SLACK || !quick_event(&e, pext)) && !xspace_event_fields(&e))
		return skip_event(r, at, end);
	r->p = end;
	if (e.aggregate ? add_aggregate(r, &e, place) : add_event(r, &e, place))
		return true;
	return damaged(r, XWHY_MEMORY, at);
}

FAST void read_all(struct reader *r, bool pext)
{
	while (r->p < r->end) {
		const uint8_t *at = r->p, *body;
		uint64_t len;

		if (*at == KEY_EVENT) {
			body = wire_varint(at + 1, r->end, &len);
			if (!body || len > (uint64_t)(r->end - body)) {
				if (!r->l->cut)
					damaged(r, XWHY_LONG, at);
				return;
			}
			if (!take_event(r, at, body, body + len, pext))
				return;
		} else {
			struct wire w;

			if (!other_field(r, &w))
				return;
			r->p = w.p;
			if (w.type == 2 && w.field == 4 && !take_event(r, at, w.s, w.s + w.n, pext))
				return;
		}
		if ((size_t)(r->p - r->reported) >= REPORT_EVERY && !report_progress(r))
			return;
	}
}

static void read_events(struct reader *r)
{
	if (wire_has_pext())
		read_all(r, true);
	else
		read_all(r, false);
}

void xspace_line(struct xload *x, struct xfile *f, struct xline *l)
{
	struct reader r = { .x = x, .f = f, .l = l, .ts_ns = l->ts_ns, .piece = &f->pieces[l->piece] };

	if (progress_canceled(x->progress)) {
		atomic_store_explicit(&x->canceled, true, memory_order_relaxed);
		return;
	}
	r.ev = l->events = xcalloc(1, sizeof *l->events);
	r.t = &r.ev->track;
	r.t->file = f->file;
	r.p = r.reported = f->b + l->at;
	r.end = r.p + l->len;
	r.base = r.t->base = xspace_base(f, l->ts_ns, x->epoch_ns);
	read_events(&r);
	report_progress(&r);
	r.ev->late = r.ts_ns != l->ts_ns;
	l->ts_ns = r.ts_ns;
	idmap_free(&r.ev->unknown_of);
	track_trim(r.t);
	r.ev->clipped = track_nest(r.t);
}
