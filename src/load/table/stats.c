#include "config.h"

#include "load/table/trace_table.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/wire.h"
#include "load/source/source.h"

#define KEY_SIZE 10 /* level, start (big-endian), repetition */
#define OFFSET_BITS 25
#define BLOCK_BITS 15

uint64_t tracetable_place(size_t block, size_t offset)
{
	if (block >> BLOCK_BITS || (offset + 1) >> OFFSET_BITS)
		return 0;
	return (uint64_t)block << OFFSET_BITS | (uint64_t)(offset + 1);
}

bool tracetable_event(const struct sstable_cursor *c, struct table_event *e)
{
	struct wire w = wire_open(c->value, c->nvalue);
	bool ours = c->nkey == KEY_SIZE;

	*e = (struct table_event){ .name = (const uint8_t *)"" };
	while (wire_next(&w)) {
		uint64_t *const number[] = {
			[1] = &e->device,
			[2] = &e->resource,
			[5] = &e->group,
			[6] = &e->ts,
			[7] = &e->dur,
			[9] = &e->flow,
			[10] = &e->flow_type,
			[11] = &e->flow_category,
		};

		if (w.type == 0 && w.field < sizeof number / sizeof *number && number[w.field])
			*number[w.field] = w.u;
		e->has_resource |= w.field == 2;
		e->has_flow |= w.field == 9;
		e->has_group |= w.field == 5 && w.type == 0;
		if (w.field == 3 && w.type == 2) {
			e->name = w.s;
			e->name_n = w.n;
		} else if (w.field == 8 && w.type == 2) {
			e->raw = w.s;
			e->raw_n = w.n;
		} else if (w.field == 12 && w.type == 1) {
			e->name_ref = w.u;
			e->has_ref = true;
		}
	}
	if (ours) {
		memcpy(&e->ts, c->key + 1, sizeof e->ts);
		e->ts = be64toh(e->ts);
	}
	return ours && !w.bad;
}

struct emitting {
	const struct dump *d;
	const struct table_file *f;
	stat_fn *fn;
	void *ctx;
	bool stop;
};

static void emit_value(struct emitting *e, struct stat_value *v)
{
	v->name_id = strtab_find(&e->d->str, v->name, v->name_len);
	if (!e->stop)
		e->stop = !e->fn(e->ctx, v);
}

static void emit_number(struct emitting *e, const char *name, enum stat_type type, uint64_t u)
{
	struct stat_value v = { .name = name,
		.name_len = strlen(name),
		.type = type,
		.u = u,
		.i = (int64_t)u };

	v.d = type == STAT_INT ? (double)v.i : (double)u;
	emit_value(e, &v);
}

/* Sets the value to a text; long texts are references to the table of names. */
static void set_text(struct stat_value *v, const char *s, size_t n)
{
	size_t mark = n >= 2 && s[0] == '@' && s[1] == '@' ? 2 : 0;

	v->type = STAT_STR;
	v->s = s + mark;
	v->n = n - mark;
}

/* Argument { name = 1, one of str = 2, uint = 3, double = 4, int = 5, ref = 6 }. */
static void emit_arg(struct emitting *e, struct wire w)
{
	struct stat_value v = { .name = "", .type = STAT_STR, .s = "" };

	while (wire_next(&w)) {
		if (w.field == 1 && w.type == 2) {
			v.name = (const char *)w.s;
			v.name_len = w.n;
		} else if (w.field == 2 && w.type == 2) {
			set_text(&v, (const char *)w.s, w.n);
		} else if ((w.field == 3 || w.field == 5) && w.type == 0) {
			v.type = w.field == 3 ? STAT_UINT : STAT_INT;
			v.u = w.u;
			v.i = (int64_t)w.u;
			v.d = w.field == 3 ? (double)v.u : (double)v.i;
		} else if (w.field == 4 && w.type == 1) {
			v.type = STAT_DOUBLE;
			v.d = wire_double(&w);
		} else if (w.field == 6 && w.type == 1) {
			uint32_t id = idmap_get(&e->f->names, (int64_t)w.u);

			if (id != IDMAP_NONE)
				set_text(&v, strtab_str(&e->d->str, id), strtab_len(&e->d->str, id));
		}
	}
	emit_value(e, &v);
}

static void emit_dma(struct emitting *e, struct wire w)
{
	static const char *const names[] = {
		[1] = "start_time_cycles",
		[2] = "end_time_cycles",
		[4] = "kilobytes",
		[5] = "mesh_chip_id",
		[6] = "dma_address",
		[8] = "multicast",
		[9] = "segmented",
		[11] = "core_id",
	};

	while (wire_next(&w))
		if (w.type == 0 && w.field < sizeof names / sizeof *names && names[w.field])
			emit_number(e, names[w.field], STAT_UINT, w.u);
}

/* RawData { dma_activity = 1, args = 2 { arg = 1 } }. */
static void emit_raw(struct emitting *e, const uint8_t *raw, size_t n)
{
	struct wire w = wire_open(raw, n);

	while (!e->stop && wire_next(&w)) {
		if (w.type != 2)
			continue;
		if (w.field == 1)
			emit_dma(e, wire_open(w.s, w.n));
		for (struct wire arg = wire_open(w.s, w.field == 2 ? w.n : 0); !e->stop && wire_next(&arg);)
			if (arg.field == 1 && arg.type == 2)
				emit_arg(e, wire_open(arg.s, arg.n));
	}
}

/* Puts block i into the cache. */
static bool keep_block(const struct sstable *t, size_t i, struct sstable_block *block, size_t *kept)
{
	if (*kept == i)
		return true;
	*kept = SIZE_MAX;
	if (i >= t->nblocks || sstable_block(t, i, block, NULL))
		return false;
	*kept = i;
	return true;
}

/* Returns the bytes that the other table has for the same key.  Call with the lock held. */
static bool other_raw(struct table_file *f, const struct sstable_cursor *c, const uint8_t **raw, size_t *n)
{
	size_t i = f->has_args ? sstable_block_of(&f->args, c->key, c->nkey) : 0;
	struct sstable_cursor found;
	struct table_event e;

	if (!f->has_args || !keep_block(&f->args, i, &f->args_block, &f->args_i) ||
	    !sstable_find(&f->args_block, c->key, c->nkey, &found))
		return false;
	tracetable_event(&found, &e);
	*raw = e.raw;
	*n = e.raw_n;
	return e.raw;
}

/* Copies the value, so that the callback runs without the lock. */
void tracetable_args(const struct dump *d, struct table_file *f, const struct table_event *e,
    const struct sstable_cursor *c, stat_fn *fn, void *ctx)
{
	struct emitting to = { .d = d, .f = f, .fn = fn, .ctx = ctx };
	const uint8_t *raw = e->raw;
	size_t n = e->raw_n;
	uint8_t *copy = NULL;

	if (!raw) {
		pthread_mutex_lock(&f->lock);
		if (other_raw(f, c, &raw, &n)) {
			copy = xmalloc(n);
			memcpy(copy, raw, n);
		}
		pthread_mutex_unlock(&f->lock);
		raw = copy;
	}
	if (raw)
		emit_raw(&to, raw, n);
	free(copy);
}

/* Finds the entry of an event and copies its value to *owned, which the caller frees. */
static bool entry_of(struct table_file *f, uint64_t place, struct sstable_cursor *c, uint8_t **owned)
{
	size_t block = (size_t)(place >> OFFSET_BITS);
	size_t offset = (size_t)(place & ((UINT64_C(1) << OFFSET_BITS) - 1));
	bool found;

	*owned = NULL;
	if (!offset)
		return false;
	pthread_mutex_lock(&f->lock);
	found = keep_block(&f->events, block, &f->block, &f->block_i) && sstable_at(&f->block, offset - 1, c);
	if (found) {
		*owned = xmalloc(c->nvalue);
		memcpy(*owned, c->value, c->nvalue);
		c->value = *owned;
	}
	pthread_mutex_unlock(&f->lock);
	return found;
}

static void event_stats(const struct dump *d, const struct track *t, size_t i, stat_fn *fn, void *ctx)
{
	struct table_file *f = d->files[t->file].private;
	struct emitting e = { .d = d, .f = f, .fn = fn, .ctx = ctx };
	struct sstable_cursor c;
	struct table_event event;
	uint8_t *owned;

	if (entry_of(f, track_args(t, i), &c, &owned)) {
		tracetable_event(&c, &event);
		if (event.has_group && (int64_t)event.group >= 0)
			emit_number(&e, "group_id", STAT_INT, event.group);
		if (event.has_flow)
			emit_number(&e, "flow_id", STAT_UINT, event.flow);
		if (!e.stop)
			tracetable_args(d, f, &event, &c, fn, ctx);
	}
	free(owned);
}

static bool plain_pair(const struct dump *d, const struct track *t, size_t i, int64_t *start, int64_t *dur)
{
	struct sstable_cursor c;
	struct table_event e;
	uint8_t *owned;
	bool found = entry_of(d->files[t->file].private, track_args(t, i), &c, &owned);

	if (found) {
		tracetable_event(&c, &e);
		*start = e.ts > INT64_MAX ? INT64_MAX : (int64_t)e.ts;
		*dur = e.dur > INT64_MAX ? INT64_MAX : (int64_t)e.dur;
		track_clip(start, dur);
	}
	free(owned);
	return found;
}

void tracetable_free(void *private)
{
	struct table_file *f = private;

	sstable_release(&f->block);
	sstable_release(&f->args_block);
	sstable_close(&f->events);
	sstable_close(&f->args);
	source_close(f->args_source);
	idmap_free(&f->names);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

const struct stat_reader table_stats = { .event = event_stats, .plain = plain_pair };
