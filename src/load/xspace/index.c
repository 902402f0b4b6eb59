#include "config.h"

#include "load/xspace/xspace.h"

#include "base/codec/wire.h"
#include "base/mem.h"

#define FIELD(field, type) ((field) << 3 | (type))
enum { VARINT = 0, BYTES = 2 };

void xspace_damage(struct xdamage *d, enum xwhy why, uint64_t at, uint32_t piece, size_t line)
{
	if (d->count && (at == d->at || (why == XWHY_MANY && d->why == why)))
		return;
	if (!d->count || at < d->at)
		*d =
		    (struct xdamage){ .why = why, .at = at, .count = d->count, .piece = piece, .line = line };
	d->count++;
}

/* Notes what stopped a reader.  Of messages cut off by the end of the file only the outermost is reported. */
static void stopped(struct xfile *f, const struct wire *w, bool cut, uint32_t piece, size_t line)
{
	if (cut && w->cut)
		return;
	xspace_damage(&f->damage, w->cut ? XWHY_LONG : XWHY_GARBAGE, (uint64_t)(w->p - f->b), piece, line);
}

/* Goes on behind bytes that cannot be read. */
static bool next_after_hole(struct xfile *f, struct wire *w, enum xlevel level, uint32_t piece, size_t line)
{
	uint64_t at = (uint64_t)(w->p - f->b);

	if (!xspace_resume(w, level))
		return false;
	xspace_damage(&f->damage, XWHY_HOLE, at, piece, line);
	return wire_next(w);
}

static void index_line(struct xfile *f, uint32_t piece, const struct wire *field, bool cut)
{
	struct wire w = wire_open(field->s, field->n);
	struct xline *l;

	if (f->nlines == XSPACE_LINES_MAX) {
		xspace_damage(&f->damage, XWHY_MANY, (uint64_t)(field->s - f->b), piece, SIZE_MAX);
		return;
	}
	VEC_PUSH(f->lines, f->nlines, f->lines_cap);
	l = &f->lines[f->nlines++];
	*l = (struct xline){ .at = (uint64_t)(field->s - f->b), .len = field->n, .piece = piece, .cut = cut };
	while (
	    !l->has_events && (wire_next(&w) || next_after_hole(f, &w, XLEVEL_LINE, piece, f->nlines - 1))) {
		switch (FIELD(w.field, w.type)) {
		case FIELD(1, VARINT):
			l->id = (int64_t)w.u;
			break;
		case FIELD(2, BYTES):
			l->name = (const char *)w.s;
			l->name_len = w.n;
			break;
		case FIELD(3, VARINT):
			l->ts_ns = (int64_t)w.u;
			break;
		case FIELD(4, BYTES):
			l->has_events = true;
			break;
		case FIELD(10, VARINT):
			l->display_id = (int64_t)w.u;
			break;
		case FIELD(11, BYTES):
			l->display = (const char *)w.s;
			l->display_len = w.n;
			break;
		}
	}
	if (w.bad)
		stopped(f, &w, cut, piece, f->nlines - 1);
}

static void index_plane(struct xload *x, struct xfile *f, const struct wire *field, bool cut)
{
	struct wire w = wire_open(field->s, field->n);
	uint32_t piece = (uint32_t)f->npieces;
	struct xpiece *p;

	if (!field->n) {
		f->empty++;
		return;
	}
	if (f->npieces == XSPACE_PIECES_MAX) {
		xspace_damage(&f->damage, XWHY_MANY, (uint64_t)(field->s - f->b), UINT32_MAX, SIZE_MAX);
		return;
	}
	VEC_PUSH(f->pieces, f->npieces, f->pieces_cap);
	p = &f->pieces[f->npieces++];
	*p = (struct xpiece){ .at = (uint64_t)(field->s - f->b),
		.len = field->n,
		.maps = field->n,
		.cut = cut };
	while (!progress_canceled(x->progress)) {
		const uint8_t *at = w.p;

		if (!wire_next(&w) && !next_after_hole(f, &w, XLEVEL_PLANE, piece, SIZE_MAX))
			break;
		switch (FIELD(w.field, w.type)) {
		case FIELD(1, VARINT):
			p->id = (int64_t)w.u;
			break;
		case FIELD(2, BYTES):
			p->name = (const char *)w.s;
			p->name_len = w.n;
			break;
		case FIELD(3, BYTES):
			index_line(f, piece, &w, false);
			break;
		case FIELD(4, BYTES):
		case FIELD(5, BYTES):
			if (p->maps == p->len)
				p->maps = (uint64_t)(at - field->s);
			break;
		case FIELD(6, BYTES):
			if (!p->stats_end)
				p->stats = (uint64_t)(at - field->s);
			p->stats_end = (uint64_t)(w.p - field->s);
			break;
		}
	}
	if (w.bad) {
		bool in_line = w.s && w.field == 3;

		p->cut = true;

		if (in_line)
			index_line(f, piece, &w, true);
		stopped(f, &w, cut, piece, in_line ? f->nlines - 1 : SIZE_MAX);
	}
}

static void note(struct xload *x, struct xfile *f, const char *what, const struct wire *w)
{
	problem_add(x->dump->problems, PROBLEM_NOTE, f->file, ERR_NOWHERE, 1, "%s: %.*s", what,
	    (int)(w->n < 400 ? w->n : 400), (const char *)w->s);
}

/* Reads the next field of the file.  The end of a group without a start has no content, so skipping it loses
 * nothing. */
static bool next_outermost(struct xload *x, struct xfile *f, struct wire *w)
{
	while (!wire_next(w)) {
		uint64_t at = (uint64_t)(w->p - f->b);

		if (!wire_skip_end(w))
			return next_after_hole(f, w, XLEVEL_SPACE, UINT32_MAX, SIZE_MAX);
		problem_add(x->dump->problems, PROBLEM_NOTE, f->file, at, 1,
		    "an end of a group that did not begin was skipped");
	}
	return true;
}

/* Reads one message, from a place of the content to another. */
static void index_space(struct xload *x, struct xfile *f, size_t from, size_t to)
{
	struct wire w = wire_open(f->b + from, to - from);

	while (!progress_canceled(x->progress) && next_outermost(x, f, &w)) {
		switch (FIELD(w.field, w.type)) {
		case FIELD(1, BYTES):
			index_plane(x, f, &w, false);
			break;
		case FIELD(2, BYTES):
			note(x, f, "the profiler reported an error", &w);
			break;
		case FIELD(3, BYTES):
			note(x, f, "the profiler warned", &w);
			break;
		case FIELD(4, BYTES):
			if (!f->host && w.n) {
				f->host = (const char *)w.s;
				f->host_len = w.n;
			}
			break;
		}
	}
	if (!w.bad)
		return;
	if (w.s && w.field == 1) {
		index_plane(x, f, &w, true);
		xspace_damage(&f->damage, XWHY_CUT, to, (uint32_t)f->npieces - 1,
		    f->nlines && f->lines[f->nlines - 1].cut ? f->nlines - 1 : SIZE_MAX);
	} else {
		xspace_damage(&f->damage, w.cut ? XWHY_CUT : XWHY_GARBAGE,
		    w.cut ? to : (uint64_t)(w.p - f->b), UINT32_MAX, SIZE_MAX);
	}
}

void xspace_index(struct xload *x, struct xfile *f)
{
	if (!f->records)
		index_space(x, f, 0, f->n);
	for (size_t i = 0; f->records && i < f->records->nrecords; i++) {
		const struct riegeli_record *r = &f->records->records[i];

		index_space(x, f, r->at, r->at + r->n);
	}
}

static const char *host_of(const uint8_t *b, size_t n, size_t *len)
{
	struct wire w = wire_open(b, n);

	while (wire_next(&w) || wire_skip_end(&w) || xspace_resume(&w, XLEVEL_SPACE))
		if (FIELD(w.field, w.type) == FIELD(4, BYTES) && w.n) {
			*len = w.n;
			return (const char *)w.s;
		}
	return NULL;
}

const char *xspace_host(const struct riegeli *r, const uint8_t *b, size_t n, size_t *len)
{
	const char *host = r ? NULL : host_of(b, n, len);

	for (size_t i = 0; r && i < r->nrecords && !host; i++)
		host = host_of(b + r->records[i].at, r->records[i].n, len);
	return host;
}

static bool has_field(const struct wire *in, uint32_t field, struct wire *message)
{
	*message = *in;
	while (wire_next(message))
		if (message->field == field && message->type == BYTES)
			return true;
	return false;
}

bool xspace_has_events(const uint8_t *b, size_t n)
{
	struct wire space = wire_open(b, n), plane, line, event;

	while (has_field(&space, 1, &space))
		for (plane = wire_open(space.s, space.n); has_field(&plane, 3, &plane);)
			if (line = wire_open(plane.s, plane.n), has_field(&line, 4, &event))
				return true;
	return false;
}
