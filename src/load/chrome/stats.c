#include "config.h"

#include "load/chrome/chrome.h"

#include <stdlib.h>
#include <string.h>

#include "load/source/source.h"

#define FIRST_READ ((size_t)4 << 10)
#define OBJECT_MAX ((size_t)1 << 30)

struct emit {
	stat_fn *fn;
	void *ctx;
	const struct dump *d;
	const struct chrome_file *f;
	char *room[2]; /* buffers for the unescaped key and value */
	size_t cap[2];
	bool stop;
};

static struct slice object_of(const char *s, size_t n)
{
	const char *end = n && *s == '{' ? scan_nested(s, s + n) : NULL;

	return end ? (struct slice){ s, (size_t)(end - s) } : (struct slice){ "", 0 };
}

/* Unpacks as much as the object takes. */
static struct slice object_in_packed(struct source *s, uint64_t at, char **owned)
{
	struct slice object = { "", 0 };
	char *buf = NULL;

	for (size_t size = FIRST_READ; !object.n && size <= OBJECT_MAX; size *= 8) {
		char *p = mem_try(buf, 1, size);
		size_t got;

		if (!p)
			break;
		buf = p;
		got = source_reread(s, at, buf, size);
		object = object_of(buf, got);
		if (got < size)
			break;
	}
	*owned = buf;
	return object;
}

/* Returns the object at a place in the content, empty if it cannot be read.  The caller frees *owned. */
static struct slice object_at(const struct dump *d, int file, uint64_t at, char **owned)
{
	struct source *s = d->files[file].source;
	const uint8_t *b;
	uint64_t damaged;
	size_t n;

	*owned = NULL;
	if (!at || !s)
		return (struct slice){ "", 0 };
	if (source_packing(s))
		return object_in_packed(s, at, owned);
	b = source_bytes(s, &n, &damaged, NULL, NULL);
	return b && at < n ? object_of((const char *)b + at, n - (size_t)at) : (struct slice){ "", 0 };
}

static struct slice plain_text(struct emit *e, int which, struct slice t)
{
	if (!memchr(t.s, '\\', t.n))
		return t;
	if (t.n > e->cap[which]) {
		e->room[which] = xrealloc(e->room[which], t.n, 1);
		e->cap[which] = t.n;
	}
	t.n = scan_unescape(e->room[which], t.s, t.n);
	t.s = e->room[which];
	return t;
}

static bool whole_number(struct slice t, struct stat_value *v)
{
	bool minus = t.n && *t.s == '-';
	uint64_t u = 0;

	if (t.n == minus)
		return false;
	for (size_t i = minus; i < t.n; i++) {
		unsigned digit = (unsigned)(t.s[i] - '0');

		if (digit > 9 || __builtin_mul_overflow(u, (uint64_t)10, &u) ||
		    __builtin_add_overflow(u, (uint64_t)digit, &u))
			return false;
	}
	if (minus && u > (uint64_t)INT64_MAX)
		return false;
	v->type = u > (uint64_t)INT64_MAX ? STAT_UINT : STAT_INT;
	v->u = minus ? -u : u;
	v->i = (int64_t)v->u;
	v->d = minus ? -(double)u : (double)u;
	return true;
}

static void emit_stat(struct emit *e, struct slice key, struct slice value)
{
	struct stat_value v = { .type = STAT_STR };

	if (e->stop)
		return;
	key = plain_text(e, 0, key);
	v.name_id = strtab_find(&e->d->str, key.s, key.n);
	v.name = key.s;
	v.name_len = key.n;
	if (scan_is_string(value))
		value = plain_text(e, 1, scan_inside(value));
	else if (*value.s == '{' || *value.s == '[')
		v.type = STAT_JSON;
	else if (!whole_number(value, &v) && scan_number(value, &v.d))
		v.type = STAT_DOUBLE;
	if (v.type >= STAT_STR) {
		v.s = value.s;
		v.n = value.n;
	}
	e->stop = !e->fn(e->ctx, &v);
}

/* XProf writes the long name of an op as a stack frame. */
static void emit_frame(struct emit *e, struct slice id)
{
	strid name = idmap_get(&e->f->frames, chrome_key(id));
	struct stat_value v = { .name = "long_name", .name_len = 9, .name_id = UINT32_MAX, .type = STAT_STR };

	if (name == IDMAP_NONE) {
		emit_stat(e, (struct slice){ "sf", 2 }, id);
		return;
	}
	v.s = strtab_str(&e->d->str, name);
	v.n = strtab_len(&e->d->str, name);
	if (!e->stop)
		e->stop = !e->fn(e->ctx, &v);
}

/* Whether a member is in the columns of the track, or is `entries`, which are samples. */
static bool is_column(struct slice key)
{
	static const char *const names[] = { "ph", "ts", "dur", "pid", "tid", "name", "entries" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_is(key, names[i]))
			return true;
	return false;
}

static void emit_args(struct emit *e, struct slice args)
{
	struct slice key, value;
	size_t at = 0;

	if (*args.s != '{') {
		emit_stat(e, (struct slice){ "args", 4 }, args);
		return;
	}
	while (!e->stop && scan_member(args, &at, &key, &value))
		emit_stat(e, key, value);
}

static void event_stats(const struct dump *d, const struct track *t, size_t i, stat_fn *fn, void *ctx)
{
	struct emit e = { .fn = fn, .ctx = ctx, .d = d, .f = d->files[t->file].private };
	struct slice key, value;
	size_t at = 0;
	char *owned;
	struct slice object = object_at(d, t->file, track_args(t, i), &owned);

	while (!e.stop && scan_member(object, &at, &key, &value)) {
		if (slice_is(key, "args"))
			emit_args(&e, value);
		else if (slice_is(key, "sf"))
			emit_frame(&e, value);
		else if (!is_column(key))
			emit_stat(&e, key, value);
	}
	free(e.room[0]);
	free(e.room[1]);
	free(owned);
}

static void plane_stats(const struct dump *d, uint32_t plane, stat_fn *fn, void *ctx)
{
	const struct plane *p = &d->trace.planes[plane];
	const struct chrome_file *f = d->files[p->file].private;
	struct stat_value v = {
		.name = "pid",
		.name_len = 3,
		.name_id = UINT32_MAX,
		.type = STAT_INT,
		.i = p->id,
		.u = (uint64_t)p->id,
		.d = (double)p->id,
	};
	strid labels = idmap_get(&f->labels, plane);

	if (!fn(ctx, &v) || labels == IDMAP_NONE)
		return;
	fn(ctx,
	    &(struct stat_value){
		.name = "process_labels",
		.name_len = 14,
		.name_id = UINT32_MAX,
		.type = STAT_STR,
		.s = strtab_str(&d->str, labels),
		.n = strtab_len(&d->str, labels),
	    });
}

/* Like chrome_ps(), for one member of an object. */
static bool time_member(struct slice object, const char *name, struct scan_time *time)
{
	struct slice key, value;
	bool found = false;
	size_t at = 0;

	while (scan_member(object, &at, &key, &value))
		if (slice_is(key, name))
			found = scan_time(value.s, object.s + object.n, time) != value.s && !time->range;
	return found;
}

static bool plain_pair(const struct dump *d, const struct track *t, size_t i, int64_t *start, int64_t *dur)
{
	struct scan_time ts, len = { 0 };
	struct slice object;
	char *owned;
	bool found;

	if (!t->device_clock) {
		*start = track_start(t, i);
		*dur = track_dur(t, i);
		return true;
	}
	object = object_at(d, t->file, track_args(t, i), &owned);
	found = time_member(object, "ts", &ts) && time_member(object, "dur", &len) && len.us < CHROME_SPAN_US;
	free(owned);
	if (!found || __builtin_sub_overflow(ts.us, d->origin_ns / 1000, &ts.us) || ts.us > CHROME_SPAN_US ||
	    ts.us < -CHROME_SPAN_US)
		return false;
	*start = ts.us * 1000000 + ts.ps - d->origin_ns % 1000 * 1000;
	*dur = len.us < 0 ? 0 : len.us * 1000000 + len.ps;
	return true;
}

void chrome_file_free(void *private)
{
	struct chrome_file *f = private;

	idmap_free(&f->frames);
	idmap_free(&f->labels);
	free(f);
}

const struct stat_reader chrome_stats = { .event = event_stats, .plane = plane_stats, .plain = plain_pair };
