#include "config.h"

#include "model/stat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "model/dump.h"

static const struct stat_reader *reader_of(const struct dump *d, int file)
{
	return file >= 0 && (size_t)file < d->nfiles ? d->files[file].stats : NULL;
}

void stats_of_event(const struct dump *d, const struct track *t, size_t i, stat_fn *fn, void *ctx)
{
	const struct stat_reader *r = reader_of(d, t->file);

	if (r && r->event && i < t->n)
		r->event(d, t, i, fn, ctx);
}

/* Wraps as the numbers of an XSpace do: 18446744073709551615 is -1. */
static bool whole_in_text(const char *s, size_t n, int64_t *out)
{
	size_t i = n && (*s == '-' || *s == '+');
	bool minus = i && *s == '-';
	uint64_t u = 0;

	if (i == n)
		return false;
	for (; i < n; i++) {
		unsigned digit = (unsigned)(s[i] - '0');

		if (digit > 9 || __builtin_mul_overflow(u, (uint64_t)10, &u) ||
		    __builtin_add_overflow(u, (uint64_t)digit, &u))
			return false;
	}
	if (minus && u > (uint64_t)INT64_MAX + 1)
		return false;
	*out = (int64_t)(minus ? -u : u);
	return true;
}

bool stat_whole(const struct stat_value *v, int64_t *out)
{
	if (v->type == STAT_STR)
		return whole_in_text(v->s, v->n, out);
	if (v->type != STAT_INT && v->type != STAT_UINT)
		return false;
	*out = v->i;
	return true;
}

bool stat_number(const struct stat_value *v, double *out)
{
	char text[64], *end;
	double d;

	if (v->type < STAT_STR) {
		*out = v->d;
		return true;
	}
	if (v->type != STAT_STR || !v->n || v->n >= sizeof text || !strchr("+-0123456789", v->s[0]))
		return false;
	memcpy(text, v->s, v->n);
	text[v->n] = '\0';
	d = strtod(text, &end);
	if (end == text || *end)
		return false;
	*out = d;
	return true;
}

bool stat_ints_take(void *stat_ints, const struct stat_value *v)
{
	struct stat_ints *r = stat_ints;

	for (unsigned k = 0; k < r->n && v->name_id != UINT32_MAX; k++)
		if (v->name_id == r->name[k] && !(r->has & 1u << k)) {
			if (!stat_whole(v, &r->out[k]))
				r->out[k] = 0;
			r->has |= 1u << k;
		}
	return r->has != r->all;
}

unsigned stat_ints_all(const struct stat_ints *r)
{
	unsigned all = 0;

	for (unsigned k = 0; k < r->n; k++)
		all |= (unsigned)(r->name[k] != UINT32_MAX) << k;
	return all;
}

static unsigned any_ints(struct stat_ints *r, size_t i, int64_t *out)
{
	r->has = 0;
	r->all = stat_ints_all(r);
	r->out = out;
	if (r->all && track_args(r->track, i))
		stats_of_event(r->dump, r->track, i, stat_ints_take, r);
	return r->has;
}

void stat_ints_open(struct stat_ints *r, const struct dump *d, const struct track *t, const strid *name,
    unsigned n)
{
	const struct stat_reader *of = reader_of(d, t->file);

	r->dump = d;
	r->track = t;
	r->name = name;
	r->n = n;
	r->part = NULL;
	r->read = of && of->ints ? of->ints : any_ints;
}

unsigned stats_event_ints(const struct dump *d, const struct track *t, size_t i, const strid *name,
    unsigned n, int64_t *out)
{
	struct stat_ints r;

	stat_ints_open(&r, d, t, name, n);
	return i < t->n ? stat_ints_read(&r, i, out) : 0;
}

bool stats_ints_are_quick(const struct dump *d, const struct track *t)
{
	const struct stat_reader *r = reader_of(d, t->file);

	return r && r->ints;
}

void stats_of_meta(const struct dump *d, uint32_t meta, stat_fn *fn, void *ctx)
{
	const struct stat_reader *r;

	if (meta >= d->trace.nmetas || !d->trace.metas[meta].len)
		return;
	r = reader_of(d, d->trace.metas[meta].file);
	if (r && r->meta)
		r->meta(d, meta, fn, ctx);
}

void stats_of_plane(const struct dump *d, uint32_t plane, stat_fn *fn, void *ctx)
{
	const struct stat_reader *r;

	if (plane >= d->trace.nplanes)
		return;
	r = reader_of(d, d->trace.planes[plane].file);
	if (r && r->plane)
		r->plane(d, plane, fn, ctx);
}

/* Finds the first stat of a name. */
struct wanted {
	const char *name;
	char *buf; /* for text */
	size_t size;
	bool is_int, is_number, is_text;
	int64_t i;
	double d;
};

static struct wanted want(const char *name, char *buf, size_t size)
{
	return (struct wanted){ .name = name, .buf = buf, .size = size };
}

static bool take_wanted(void *ctx, const struct stat_value *v)
{
	struct wanted *w = ctx;
	size_t n;

	if (!stat_is(v, w->name))
		return true;
	w->is_text = v->type >= STAT_STR;
	w->is_int = stat_whole(v, &w->i);
	w->is_number = stat_number(v, &w->d);
	if (w->is_text && w->size) {
		n = v->n < w->size ? v->n : w->size - 1;
		if (n)
			memcpy(w->buf, v->s, n);
		w->buf[n] = '\0';
	}
	return false;
}

static struct wanted of_meta(const struct dump *d, uint32_t meta, const char *name, char *buf, size_t size)
{
	struct wanted w = want(name, buf, size);

	stats_of_meta(d, meta, take_wanted, &w);
	return w;
}

static struct wanted of_plane(const struct dump *d, uint32_t plane, const char *name, char *buf, size_t size)
{
	struct wanted w = want(name, buf, size);

	stats_of_plane(d, plane, take_wanted, &w);
	return w;
}

static bool as_int(struct wanted w, int64_t *out)
{
	if (w.is_int)
		*out = w.i;
	return w.is_int;
}

static bool as_double(struct wanted w, double *out)
{
	if (w.is_number)
		*out = w.d;
	return w.is_number;
}

int64_t stat_integer(const struct stat_value *v)
{
	char text[32];

	if (v->type == STAT_DOUBLE)
		return from_double(v->d);
	if (v->type == STAT_UINT || v->type == STAT_INT)
		return v->i;
	snprintf(text, sizeof text, "%.*s", (int)(v->n < sizeof text ? v->n : sizeof text - 1), v->s);
	return strtoll(text, NULL, 10);
}

bool stat_meta_int(const struct dump *d, uint32_t meta, const char *name, int64_t *out)
{
	return as_int(of_meta(d, meta, name, NULL, 0), out);
}

bool stat_meta_double(const struct dump *d, uint32_t meta, const char *name, double *out)
{
	return as_double(of_meta(d, meta, name, NULL, 0), out);
}

bool stat_meta_str(const struct dump *d, uint32_t meta, const char *name, char *buf, size_t size)
{
	return of_meta(d, meta, name, buf, size).is_text;
}

bool stat_plane_int(const struct dump *d, uint32_t plane, const char *name, int64_t *out)
{
	return as_int(of_plane(d, plane, name, NULL, 0), out);
}

bool stat_plane_double(const struct dump *d, uint32_t plane, const char *name, double *out)
{
	return as_double(of_plane(d, plane, name, NULL, 0), out);
}

bool stat_plane_str(const struct dump *d, uint32_t plane, const char *name, char *buf, size_t size)
{
	return of_plane(d, plane, name, buf, size).is_text;
}
