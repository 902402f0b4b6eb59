/* The traces that tools make of a capture, made of a loaded XSpace as XProf makes them: planes of TPUs and
 * host threads, the stats of a kind of event repeated as args of each of its events, without stats that XProf
 * keeps to itself, bytes, and what stands on planes.
 *
 *	struct pb file = convert(d, CONVERT_JSON, CONVERT_STATED);	… file.b, file.n …  pb_free(&file);
 *
 * CONVERT_ALL: with the ids and FLOPs that XProf leaves out, as other tools write them; CONVERT_BARE: without
 * the categories of ops, as older ones do. */
#ifndef TESTS_MKCONVERTED_H
#define TESTS_MKCONVERTED_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/mktable.h"
#include "../lib/pbuild.h"
#include "base/codec/json.h"
#include "model/dump.h"

enum convert_to { CONVERT_JSON, CONVERT_OLD, CONVERT_TABLE, CONVERT_COUNT };
enum convert_with { CONVERT_STATED, CONVERT_ALL, CONVERT_BARE };

struct convert {
	const struct dump *d;
	enum convert_with with;
	struct trace_event *v;
	size_t n;
	/* where the args of an event go */
	struct json_out *json;
	struct pb *args;
};

static inline bool convert_keeps(const struct convert *c, const struct stat_value *v)
{
	static const char *const kept_back[] = { "_p", "_pt", "_c", "_ct", "_r" },
				 *const ids[] = { "flops", "program_id", "symbol_id" };

	for (size_t i = 0; i < 5; i++)
		if (strlen(kept_back[i]) == v->name_len && !memcmp(kept_back[i], v->name, v->name_len))
			return false;
	if (c->with == CONVERT_BARE && v->name_len == 12 && !memcmp(v->name, "hlo_category", 12))
		return false;
	for (size_t i = 0; i < 3 && c->with != CONVERT_ALL; i++)
		if (strlen(ids[i]) == v->name_len && !memcmp(ids[i], v->name, v->name_len))
			return false;
	return v->type != STAT_BYTES;
}

static inline void convert_text(const struct stat_value *v, char text[32])
{
	if (v->type == STAT_DOUBLE)
		snprintf(text, 32, "%.17g", v->d);
	else if (v->type == STAT_UINT)
		snprintf(text, 32, "%" PRIu64, v->u);
	else
		snprintf(text, 32, "%" PRId64, v->i);
}

/* All args of JSON and of the old trace are texts; those of a table are not. */
static inline bool convert_arg(void *ctx, const struct stat_value *v)
{
	struct convert *c = ctx;
	char name[128], number[32];
	const char *s = v->type >= STAT_STR ? v->s : number;
	size_t n = v->n;

	if (!convert_keeps(c, v))
		return true;
	snprintf(name, sizeof name, "%.*s", (int)v->name_len, v->name);
	if (v->type < STAT_STR) {
		convert_text(v, number);
		n = strlen(number);
	}
	if (c->json) {
		json_key(c->json, name);
		json_str(c->json, s, n);
	} else {
		struct pb arg = { 0 };

		pb_s(&arg, 1, name);
		pb_bytes(&arg, 2, s, n);
		pb_sub(c->args, 11, &arg);
	}
	return true;
}

static inline bool convert_typed_arg(void *ctx, const struct stat_value *v)
{
	struct convert *c = ctx;
	struct pb arg = { 0 };

	if (!convert_keeps(c, v))
		return true;
	pb_bytes(&arg, 1, v->name, v->name_len);
	if (v->type == STAT_DOUBLE)
		pb_double(&arg, 4, v->d);
	else if (v->type < STAT_STR)
		pb_u(&arg, v->type == STAT_UINT ? 3 : 5, v->u);
	else
		pb_bytes(&arg, 2, v->s, v->n);
	pb_sub(c->args, 1, &arg);
	return true;
}

static inline void convert_args(struct convert *c, const struct trace_event *e, stat_fn *fn)
{
	const struct track *t = &c->d->trace.tracks[e->track];
	const struct evmeta *m = &c->d->trace.metas[track_meta(t, e->event)];

	stats_of_meta(c->d, track_meta(t, e->event), fn, c);
	if (m->full)
		fn(c,
		    &(struct stat_value){ .name = "long_name",
			.name_len = 9,
			.type = STAT_STR,
			.s = m->full,
			.n = m->full_len });
	stats_of_event(c->d, t, e->event, fn, c);
}

static inline bool convert_has(const struct dump *d, uint32_t plane)
{
	return d->trace.planes[plane].kind == PLANE_TPU || d->trace.planes[plane].kind == PLANE_HOST;
}

/* Ids of planes and lines may be large. */
static inline uint64_t convert_pid(const struct convert *c, uint32_t track)
{
	return 1 + (uint64_t)c->d->trace.tracks[track].plane;
}

static inline void convert_collect(struct convert *c)
{
	const struct trace *t = &c->d->trace;

	c->v = malloc(((size_t)t->events + 1) * sizeof *c->v);
	for (uint32_t k = 0; k < t->ntracks; k++)
		for (size_t i = 0; convert_has(c->d, t->tracks[k].plane) && i < t->tracks[k].n; i++)
			c->v[c->n++] = (struct trace_event){ track_start(&t->tracks[k], i),
				track_dur(&t->tracks[k], i), k, (uint32_t)i };
	qsort(c->v, c->n, sizeof *c->v, trace_event_order);
}

/* Interned strings do not have to end with a NUL. */
static inline struct slice convert_name(const struct convert *c, const struct trace_event *e)
{
	const struct track *t = &c->d->trace.tracks[e->track];

	return dump_text(c->d, c->d->trace.metas[track_meta(t, e->event)].name);
}

static inline void convert_pb_text(struct pb *p, unsigned field, struct slice text)
{
	pb_bytes(p, field, text.s, text.n);
}

static inline void convert_us(struct json_out *j, const char *key, int64_t ps)
{
	char text[40];

	json_key(j, key);
	json_raw(j, text,
	    (size_t)snprintf(text, sizeof text, "%" PRId64 ".%06" PRId64, ps / 1000000, ps % 1000000));
}

static inline void convert_json_meta(struct json_out *j, uint64_t pid, const uint64_t *tid, const char *what,
    struct slice name)
{
	json_obj(j);
	json_key(j, "ph");
	json_strz(j, "M");
	json_key(j, "pid");
	json_uint(j, pid);
	if (tid) {
		json_key(j, "tid");
		json_uint(j, *tid);
	}
	json_key(j, "name");
	json_strz(j, what);
	json_key(j, "args");
	json_obj(j);
	json_key(j, "name");
	json_str(j, name.s, name.n);
	json_end(j);
	json_end(j);
}

static inline void convert_json_event(struct convert *c, const struct trace_event *e)
{
	struct json_out *j = c->json;

	json_obj(j);
	json_key(j, "ph");
	json_strz(j, "X");
	json_key(j, "pid");
	json_uint(j, convert_pid(c, e->track));
	json_key(j, "tid");
	json_uint(j, e->track);
	convert_us(j, "ts", e->start);
	convert_us(j, "dur", e->dur);
	json_key(j, "name");
	json_str(j, convert_name(c, e).s, convert_name(c, e).n);
	json_key(j, "args");
	json_obj(j);
	convert_args(c, e, convert_arg);
	json_end(j);
	json_end(j);
	json_newline(j);
}

static inline struct pb convert_to_json(struct convert *c)
{
	const struct trace *t = &c->d->trace;
	struct pb out = { 0 };
	char *text;
	size_t n;

	c->json = json_out_mem();
	json_obj(c->json);
	json_key(c->json, "displayTimeUnit");
	json_strz(c->json, "ns");
	json_key(c->json, "traceEvents");
	json_arr(c->json);
	for (uint32_t k = 0; k < t->ntracks; k++) {
		uint64_t tid = k;

		if (!convert_has(c->d, t->tracks[k].plane))
			continue;
		convert_json_meta(c->json, convert_pid(c, k), NULL, "process_name",
		    dump_text(c->d, t->planes[t->tracks[k].plane].name));
		convert_json_meta(c->json, convert_pid(c, k), &tid, "thread_name",
		    dump_text(c->d, t->tracks[k].name));
	}
	for (size_t i = 0; i < c->n; i++)
		convert_json_event(c, &c->v[i]);
	json_obj(c->json); /* as XProf ends */
	json_end(c->json);
	if (json_out_end(c->json, &text, &n))
		abort();
	pb_raw(&out, text, n);
	free(text);
	return out;
}

/* Device { name = 1, device_id = 2, resources = 3 map } of both protobufs. */
static inline void convert_devices(const struct convert *c, struct pb *trace)
{
	const struct trace *t = &c->d->trace;

	for (uint32_t p = 0; p < t->nplanes; p++) {
		struct pb device = { 0 }, entry = { 0 };

		if (!convert_has(c->d, p))
			continue;
		convert_pb_text(&device, 1, dump_text(c->d, t->planes[p].name));
		pb_u(&device, 2, p + 1);
		for (uint32_t k = 0; k < t->ntracks; k++) {
			struct pb resource = { 0 }, of = { 0 };

			if (t->tracks[k].plane != p)
				continue;
			convert_pb_text(&resource, 1, dump_text(c->d, t->tracks[k].name));
			pb_u(&resource, 2, k);
			pb_u(&of, 1, k);
			pb_sub(&of, 2, &resource);
			pb_sub(&device, 3, &of);
		}
		pb_u(&entry, 1, p + 1);
		pb_sub(&entry, 2, &device);
		pb_sub(trace, 1, &entry);
	}
}

static inline struct pb convert_to_old(struct convert *c)
{
	struct pb trace = { 0 };

	convert_devices(c, &trace);
	for (size_t i = 0; i < c->n; i++) {
		const struct trace_event *e = &c->v[i];
		struct pb event = { 0 };

		pb_u(&event, 1, convert_pid(c, e->track));
		pb_u(&event, 2, e->track);
		convert_pb_text(&event, 3, convert_name(c, e));
		pb_u(&event, 9, (uint64_t)e->start);
		pb_u(&event, 10, (uint64_t)e->dur);
		c->args = &event;
		convert_args(c, e, convert_arg);
		pb_sub(&trace, 4, &event);
	}
	return trace;
}

static inline struct pb convert_to_table(struct convert *c)
{
	static struct mktable t;
	struct pb trace = { 0 };
	uint8_t serial = 0;

	t = (struct mktable){ 0 };
	for (size_t i = 0; i < c->n; i++) {
		const struct trace_event *e = &c->v[i];
		struct pb event = { 0 }, raw = { 0 }, args = { 0 };

		serial = i && e->start == e[-1].start ? (uint8_t)(serial + 1) : 0;
		pb_u(&event, 1, convert_pid(c, e->track));
		pb_u(&event, 2, e->track);
		convert_pb_text(&event, 3, convert_name(c, e));
		pb_u(&event, 7, (uint64_t)e->dur);
		c->args = &args;
		convert_args(c, e, convert_typed_arg);
		pb_sub(&raw, 2, &args);
		pb_sub(&event, 8, &raw);
		table_put_event(&t, '1', (uint64_t)e->start, serial, &event);
	}
	convert_devices(c, &trace);
	table_put(&t, "trace", 5, &trace);
	return table_finish(&t);
}

static inline struct pb convert(const struct dump *d, enum convert_to to, enum convert_with with)
{
	static struct pb (*const made[])(struct convert *) = {
		[CONVERT_JSON] = convert_to_json,
		[CONVERT_OLD] = convert_to_old,
		[CONVERT_TABLE] = convert_to_table,
	};
	struct convert c = { .d = d, .with = with };
	struct pb file;

	convert_collect(&c);
	file = made[to](&c);
	free(c.v);
	return file;
}

/* The file name of the first host. */
static inline void convert_path(const struct dump *d, enum convert_to to, char *path, size_t size)
{
	static const char *const ending[] = { "trace.json", "trace", "SSTABLE" };
	struct slice host = dump_text(d, d->hosts[0].name);

	snprintf(path, size, "%.*s.%s", (int)host.n, host.s, ending[to]);
}

#endif
