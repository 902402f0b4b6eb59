/* bench-gen EVENTS DIR: makes the captures for `make bench`: DIR/big.xplane.pb, big.trace.json,
 * big.trace.json.gz.  The same numbers give the same bytes.  Eight TPU planes hold 80 % of the events (steps,
 * modules, ops nested up to three deep, overlapping async ops, counters), 64 host threads the rest.  None of
 * it was measured on a TPU. */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define PLANES 8
#define THREADS 64
#define OPS 2000
#define STEP_OPS 4000

struct buf {
	uint8_t *p;
	size_t n, cap;
};

struct ev {
	uint64_t start, dur;
	uint32_t meta;
};

static uint64_t rng_state = 88172645463325252u;
static FILE *json;
static gzFile gz;
static uint64_t json_events;

static void die(const char *what)
{
	fprintf(stderr, "bench-gen: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t rng(uint64_t below)
{
	rng_state ^= rng_state << 13;
	rng_state ^= rng_state >> 7;
	rng_state ^= rng_state << 17;
	return rng_state % below;
}

static void need(struct buf *b, size_t more)
{
	if (b->n + more <= b->cap)
		return;
	b->cap = (b->n + more) * 2;
	if (!(b->p = realloc(b->p, b->cap)))
		die("memory");
}

static void varint(struct buf *b, uint64_t v)
{
	need(b, 10);
	for (; v > 127; v >>= 7)
		b->p[b->n++] = (uint8_t)(v | 128);
	b->p[b->n++] = (uint8_t)v;
}

static void field(struct buf *b, unsigned f, uint64_t v)
{
	varint(b, f << 3);
	varint(b, v);
}

static void bytes(struct buf *b, unsigned f, const void *s, size_t n)
{
	varint(b, f << 3 | 2);
	varint(b, n);
	need(b, n);
	memcpy(b->p + b->n, s, n);
	b->n += n;
}

static void text(struct buf *b, unsigned f, const char *s)
{
	bytes(b, f, s, strlen(s));
}

static void nested(struct buf *b, unsigned f, struct buf *inner)
{
	bytes(b, f, inner->p, inner->n);
	inner->n = 0;
}

static void emit_json(const char *s, size_t n)
{
	if (fwrite(s, 1, n, json) != n || gzwrite(gz, s, (unsigned)n) != (int)n)
		die("big.trace.json");
}

static void json_event(int pid, uint64_t tid, const struct ev *e, const char *name)
{
	char line[512];
	int n = snprintf(line, sizeof line,
	    "{\"ph\":\"X\",\"pid\":%d,\"tid\":%" PRIu64 ",\"ts\":%" PRIu64 ".%06" PRIu64 ",\"dur\":%" PRIu64
	    ".%06" PRIu64 ",\"name\":\"%s\",\"args\":{\"device_duration_ps\":\"%" PRIu64
	    "\",\"tf_op\":\"jit(train)/layer_%u/dot_general\"}},\n",
	    pid, tid, e->start / 1000000, e->start % 1000000, e->dur / 1000000, e->dur % 1000000, name,
	    e->dur, e->meta % 24);

	emit_json(line, (size_t)n);
	json_events++;
}

static void json_name(const char *what, int pid, uint64_t tid, const char *name)
{
	char line[256];
	int n = snprintf(line, sizeof line,
	    "{\"ph\":\"M\",\"pid\":%d,\"tid\":%" PRIu64 ",\"name\":\"%s\",\"args\":{\"name\":\"%s\"}},\n",
	    pid, tid, what, name);

	emit_json(line, (size_t)n);
}

static void op_name(char *out, size_t size, uint32_t meta)
{
	static const char *const kinds[] = { "fusion", "convolution_fusion", "copy-done", "all-reduce",
		"while", "dynamic-update-slice", "broadcast_add_fusion" };

	snprintf(out, size, "%s.%u", kinds[meta % 7], meta);
}

static void event(struct buf *line, const struct ev *e, int device_pair)
{
	static struct buf ev, stat;

	field(&ev, 1, e->meta);
	field(&ev, 2, e->start);
	field(&ev, 3, e->dur);
	for (int k = 0; k < 2 && device_pair; k++) {
		field(&stat, 1, (uint64_t)k + 1);
		field(&stat, 3, k ? e->dur : e->start);
		nested(&ev, 4, &stat);
	}
	nested(line, 4, &ev);
}

static void begin_line(struct buf *line, uint64_t id, const char *name)
{
	field(line, 1, id);
	text(line, 2, name);
	field(line, 3, 1000);
}

static void meta_entry(struct buf *plane, uint32_t id, const char *name, const char *display)
{
	static struct buf m, entry;

	field(&m, 1, id);
	text(&m, 2, name);
	if (display)
		text(&m, 4, display);
	field(&entry, 1, id);
	nested(&entry, 2, &m);
	nested(plane, 4, &entry);
}

static void device_metas(struct buf *plane)
{
	char name[64], hlo[700];

	for (uint32_t i = 1; i <= OPS; i++) {
		op_name(name, sizeof name, i);
		int n = snprintf(hlo, sizeof hlo, "%%%s = bf16[%u,%u]{1,0:T(8,128)(2,1)} fusion(", name,
		    8 * (i % 64 + 1), 128 * (i % 32 + 1));
		for (unsigned k = 0; k < i % 12 + 1 && n < 600; k++)
			n += snprintf(hlo + n, sizeof hlo - (size_t)n, "bf16[%u,512]{1,0} %%param.%u, ",
			    k + 8, k);
		snprintf(hlo + n, sizeof hlo - (size_t)n, "), kind=kOutput");
		meta_entry(plane, i, hlo, name);
	}
	meta_entry(plane, OPS + 1, "jit_train_step(1234567890)", NULL);
	meta_entry(plane, OPS + 2, "100", NULL);
	static struct buf stat, entry;
	for (unsigned k = 1; k <= 2; k++) {
		field(&stat, 1, k);
		text(&stat, 2, k == 1 ? "device_offset_ps" : "device_duration_ps");
		field(&entry, 1, k);
		nested(&entry, 2, &stat);
		nested(plane, 5, &entry);
	}
}

/* One step: a while of 40 ops in every 200, the rest flat; returns the end. */
static uint64_t step_ops(struct buf *ops, struct buf *async, int pid, uint64_t t, size_t n, uint64_t *made)
{
	char name[64];

	for (size_t i = 0; i < n;) {
		struct ev e = { t, 2000000 + rng(60) * 100000, (uint32_t)(i * 7 % OPS) + 1 };
		size_t inner = i % 200 == 0 && n - i > 41 ? 40 : 0;
		uint64_t at = t + 300000;

		struct ev *in = inner ? malloc(inner * sizeof *in) : NULL;
		for (size_t k = 0; k < inner; k++) {
			in[k] =
			    (struct ev){ at, 400000 + rng(400) * 1000, (uint32_t)((i + k) * 13 % OPS) + 1 };
			at += in[k].dur + 1250;
		}
		if (inner)
			e.dur = at + 250000 - t;
		event(ops, &e, 1);
		op_name(name, sizeof name, e.meta);
		json_event(pid, 3, &e, name);
		for (size_t k = 0; k < inner; k++) {
			event(ops, &in[k], 1);
			op_name(name, sizeof name, in[k].meta);
			json_event(pid, 3, &in[k], name);
		}
		if (i % 20 == 0) {
			struct ev a = { t, 5000000 + rng(200) * 1000000, (uint32_t)rng(OPS) + 1 };

			event(async, &a, 0);
			op_name(name, sizeof name, a.meta);
			json_event(pid, 4, &a, name);
			++*made;
		}
		free(in);
		t += e.dur + rng(4) * 1250;
		i += inner + 1;
		*made += inner + 1;
	}
	return t;
}

static void device(struct buf *space, int dev, size_t events)
{
	static struct buf plane, steps, modules, ops, async;
	char name[64];
	uint64_t t = 1000000000u + rng(2000000), made = 0;

	snprintf(name, sizeof name, "/device:TPU:%d", dev);
	begin_line(&steps, 1, "Steps");
	begin_line(&modules, 2, "XLA Modules");
	begin_line(&ops, 3, "XLA Ops");
	begin_line(&async, 4, "Async XLA Ops");
	json_name("process_name", dev + 1, 0, name);
	json_name("thread_name", dev + 1, 3, "XLA Ops");
	json_name("thread_name", dev + 1, 4, "Async XLA Ops");
	while (made < events) {
		size_t n = events - made < STEP_OPS ? events - made : STEP_OPS;
		uint64_t begin = t;

		t = step_ops(&ops, &async, dev + 1, t + 400000, n, &made);
		event(&modules, &(struct ev){ begin, t - begin, OPS + 1 }, 0);
		event(&steps, &(struct ev){ begin, t - begin + 1000000, OPS + 2 }, 0);
		made += 2;
		t += 5000000;
	}
	field(&plane, 1, (uint64_t)dev + 2);
	text(&plane, 2, name);
	nested(&plane, 3, &steps);
	nested(&plane, 3, &modules);
	nested(&plane, 3, &ops);
	nested(&plane, 3, &async);
	device_metas(&plane);
	nested(space, 1, &plane);
}

static void host(struct buf *space, size_t events)
{
	static struct buf plane, line;
	char name[64];

	field(&plane, 1, 20);
	text(&plane, 2, "/host:CPU");
	json_name("process_name", 701, 0, "/host:CPU");
	for (unsigned k = 0; k < THREADS; k++) {
		uint64_t t = 900000000u + rng(50000000);
		size_t n = events / THREADS;

		snprintf(name, sizeof name, k ? "pjrt-tpu-tasks/%u" : "main/%u", 3000 + k);
		begin_line(&line, 3000 + k, name);
		json_name("thread_name", 701, 3000 + k, name);
		for (size_t i = 0; i < n;) {
			unsigned depth = 1 + (unsigned)rng(10);
			uint64_t span = depth * 2000000u + rng(20000000);

			for (unsigned d = 0; d < depth && i < n; d++, i++) {
				struct ev e = { t + d * 500000u, span - d * 1000000u,
					1 + (uint32_t)((i + d) % 300) };

				event(&line, &e, 0);
				snprintf(name, sizeof name, "HostCall%u", e.meta);
				json_event(701, 3000 + k, &e, name);
			}
			t += span + rng(3000000);
		}
		nested(&plane, 3, &line);
	}
	for (uint32_t i = 1; i <= 300; i++) {
		snprintf(name, sizeof name, "HostCall%u", i);
		meta_entry(&plane, i, name, NULL);
	}
	nested(space, 1, &plane);
}

int main(int argc, char **argv)
{
	static const char head[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", tail[] = "{}]}\n";
	size_t events = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
	struct buf space = { 0 };
	char path[4096];

	if (events < 10000) {
		fprintf(stderr, "usage: bench-gen EVENTS DIR   (at least 10000)\n");
		return 2;
	}
	snprintf(path, sizeof path, "%s/big.trace.json", argv[2]);
	if (!(json = fopen(path, "w")))
		die(path);
	snprintf(path, sizeof path, "%s/big.trace.json.gz", argv[2]);
	if (!(gz = gzopen(path, "wb6")))
		die(path);
	emit_json(head, strlen(head));
	for (int k = 0; k < PLANES; k++)
		device(&space, k, events * 8 / 10 / PLANES);
	host(&space, events * 2 / 10);
	text(&space, 4, "bench");
	emit_json(tail, strlen(tail));
	if (fclose(json) || gzclose(gz))
		die("big.trace.json");
	snprintf(path, sizeof path, "%s/big.xplane.pb", argv[2]);
	FILE *f = fopen(path, "w");
	if (!f || fwrite(space.p, 1, space.n, f) != space.n || fclose(f))
		die(path);
	free(space.p);
	return 0;
}
