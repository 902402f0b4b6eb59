#include "config.h"

#include <stdlib.h>

#include "base/codec/wire.h"
#include "load/build/builder.h"
#include "load/build/loaders.h"
#include "load/source/source.h"

/* The protobuf trace of the first TPU profilers: Trace { devices = 1 map, trace_events = 4 }, TraceEvent {
 * device_id = 1, resource_id = 2, name = 3, timestamp_ps = 9, duration_ps = 10, args = 11 map of strings };
 * build_device() describes Device.  The place of an event is the byte after its key. */

struct old_event {
	uint64_t device, resource, ts, dur;
	const uint8_t *name;
	size_t name_n;
	bool args;
};

struct old_file {
	const uint8_t *b;
	size_t n;
};

static bool read_event(struct wire *w, struct old_event *e)
{
	*e = (struct old_event){ .name = (const uint8_t *)"" };
	while (wire_next(w)) {
		if (w->type == 0) {
			uint64_t *const number[] = {
				[1] = &e->device,
				[2] = &e->resource,
				[9] = &e->ts,
				[10] = &e->dur,
			};

			if (w->field < sizeof number / sizeof *number && number[w->field])
				*number[w->field] = w->u;
		} else if (w->field == 3 && w->type == 2) {
			e->name = w->s;
			e->name_n = w->n;
		} else if (w->field == 11) {
			e->args = true;
		}
	}
	return !w->bad;
}

/* Called for each arg. */
typedef bool arg_fn(void *ctx, const struct wire *key, const struct wire *value);

static void each_arg(struct wire event, arg_fn *fn, void *ctx)
{
	while (wire_next(&event)) {
		struct wire w, key = wire_open("", 0), value = key;

		if (event.field != 11 || event.type != 2)
			continue;
		for (w = wire_open(event.s, event.n); wire_next(&w);)
			if (w.type == 2 && (w.field == 1 || w.field == 2))
				*(w.field == 1 ? &key : &value) = w;
		if (!fn(ctx, &key, &value))
			return;
	}
}

struct looking {
	struct build *b;
	uint32_t meta;
};

static bool look_at_arg(void *ctx, const struct wire *key, const struct wire *value)
{
	struct looking *l = ctx;

	build_arg_name(l->b, (const char *)key->s, key->n);
	build_arg(l->b, l->meta, (const char *)key->s, key->n, (const char *)value->s, value->n);
	return true;
}

static int64_t clipped(uint64_t ps)
{
	return ps > INT64_MAX ? INT64_MAX : (int64_t)ps;
}

static bool add_event(struct build *b, const struct wire *field, uint64_t at)
{
	struct wire w = wire_open(field->s, field->n);
	struct old_event e;
	bool whole = read_event(&w, &e);
	uint32_t meta = build_meta(b, (const char *)e.name, e.name_n, 0, false), track;

	if (e.args && !build_looked(b, meta)) {
		build_look(b, meta);
		each_arg(wire_open(field->s, field->n), look_at_arg, &(struct looking){ b, meta });
	}
	track = build_thread(b, (int64_t)e.device, (int64_t)e.resource);
	build_event(b, track, clipped(e.ts), clipped(e.dur), meta, at);
	return whole;
}

static void damaged(struct build *b, uint64_t at, uint64_t count, const char *what)
{
	b->dump->files[b->file].partial = true;
	problem_add(b->dump->problems, PROBLEM_DAMAGE, b->file, at, count, "%s", what);
}

static void read_trace(struct build *b, const struct old_file *f)
{
	struct progress *progress = b->ctx->progress;
	struct wire w = wire_open(f->b, f->n);
	uint64_t broken = 0, broken_at = 0, n = 0;
	const uint8_t *told = w.p;

	for (const uint8_t *at = w.p; wire_next(&w); at = w.p) {
		if (w.type != 2)
			continue;
		if (w.field == 1)
			build_device(b, wire_map_value(&w), true);
		else if (w.field == 4 && !add_event(b, &w, (uint64_t)(at - f->b) + 1) && !broken++)
			broken_at = (uint64_t)(at - f->b);
		if (++n % 8192)
			continue;
		progress_add(progress, (uint64_t)(w.p - told), 8192);
		told = w.p;
		if (progress_canceled(progress)) {
			b->dump->canceled = b->dump->files[b->file].partial = true;
			return;
		}
	}
	if (w.bad)
		damaged(b, (uint64_t)(w.p - f->b), 1,
		    w.cut ? "the file ends inside a message"
			  : "not protobuf from here on, the rest is left out");
	if (broken)
		damaged(b, broken_at, broken, "damaged events");
}

struct emitting {
	const struct dump *d;
	stat_fn *fn;
	void *ctx;
};

static bool emit_arg(void *ctx, const struct wire *key, const struct wire *value)
{
	struct emitting *e = ctx;
	const char *name = key->s ? (const char *)key->s : "";

	return e->fn(e->ctx,
	    &(struct stat_value){
		.name = name,
		.name_len = key->n,
		.name_id = strtab_find(&e->d->str, name, key->n),
		.type = STAT_STR,
		.s = value->s ? (const char *)value->s : "",
		.n = value->n,
	    });
}

/* Returns the message at a place. */
static struct wire message_at(const struct old_file *f, uint64_t at)
{
	struct wire w;

	if (!at || at > f->n)
		return wire_open("", 0);
	w = wire_open(f->b + at - 1, f->n - (size_t)at + 1);
	return wire_next(&w) && w.type == 2 ? wire_open(w.s, w.n) : wire_open("", 0);
}

static void event_stats(const struct dump *d, const struct track *t, size_t i, stat_fn *fn, void *ctx)
{
	each_arg(message_at(d->files[t->file].private, track_args(t, i)), emit_arg,
	    &(struct emitting){ d, fn, ctx });
}

static bool plain_pair(const struct dump *d, const struct track *t, size_t i, int64_t *start, int64_t *dur)
{
	struct wire w = message_at(d->files[t->file].private, track_args(t, i));
	struct old_event e;

	if (w.p == w.end || !read_event(&w, &e))
		return false;
	*start = clipped(e.ts);
	*dur = clipped(e.dur);
	track_clip(start, dur);
	return true;
}

static const struct stat_reader old_stats = { .event = event_stats, .plain = plain_pair };

int load_old_trace(struct load_ctx *ctx, int file, struct err *err)
{
	struct file *f = &ctx->dump->files[file];
	uint64_t damaged_at = ERR_NOWHERE;
	struct old_file *old;
	struct build b;
	const uint8_t *bytes;
	size_t n = 0;

	progress_what(ctx->progress, "reading");
	bytes = source_bytes(f->source, &n, &damaged_at, ctx->progress, err);
	if (!bytes)
		return -1;
	old = xmalloc(sizeof *old);
	*old = (struct old_file){ bytes, n };
	build_init(&b, ctx, file);
	if (damaged_at != ERR_NOWHERE)
		damaged(&b, damaged_at, 1, source_why(f->source));
	read_trace(&b, old);
	build_finish(&b, 0);
	build_free(&b);
	f->private = old;
	f->free_private = free;
	f->stats = &old_stats;
	return 0;
}
