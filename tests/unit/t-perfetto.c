/* Perfetto traces: tracks, slices, counters, flows, interned names, clocks of sequences, packed packets, damage.  The
 * sums of sample() are those of Perfetto's own trace_processor. */
#include "config.h"
#include "load/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include <cmocka.h>

#include "../lib/dumpcheck.h"
#include "../lib/pbuild.h"
#include "../lib/rmtree.h"
#include "base/mem.h"
#include "load/probe/probe.h"

#define BASE UINT64_C(1000000000000000) /* ns */

enum { BEGIN = 1, END, INSTANT, COUNTER };

static void fixed64(struct pb *p, unsigned field, uint64_t v)
{
	pb_varint(p, field << 3 | 1);
	for (int i = 0; i < 8; i++)
		pb_raw(p, &(uint8_t){ (uint8_t)(v >> 8 * i) }, 1);
}

/* Adds a packet of a sequence with one message in it; ts 0: none. */
static void put(struct pb *trace, uint64_t sequence, uint64_t ts, uint64_t flags, unsigned field,
    struct pb *m)
{
	struct pb packet = { 0 };

	if (ts)
		pb_u(&packet, 8, ts);
	pb_u(&packet, 10, sequence);
	if (flags)
		pb_u(&packet, 13, flags);
	pb_sub(&packet, field, m);
	pb_sub(trace, 1, &packet);
}

static struct pb descriptor(uint64_t uuid, uint64_t parent, const char *name)
{
	struct pb d = { 0 };

	pb_u(&d, 1, uuid);
	if (parent)
		pb_u(&d, 5, parent);
	if (name)
		pb_s(&d, 2, name);
	return d;
}

static void describe(struct pb *trace)
{
	struct pb d = descriptor(1, 0, NULL), of = { 0 };

	pb_u(&of, 1, 100);
	pb_s(&of, 6, "train.py");
	pb_sub(&d, 3, &of);
	put(trace, 1, 0, 0, 60, &d);
	d = descriptor(2, 1, NULL);
	pb_u(&of, 1, 100);
	pb_u(&of, 2, 101);
	pb_s(&of, 5, "main");
	pb_sub(&d, 4, &of);
	put(trace, 1, 0, 0, 60, &d);
	d = descriptor(4, 1, "HBM");
	pb_u(&of, 3, 3);
	pb_sub(&d, 8, &of);
	put(trace, 1, 0, 0, 60, &d);
	d = descriptor(7, 1, "inc");
	pb_u(&of, 4, 1000);
	pb_u(&of, 5, 1);
	pb_sub(&d, 8, &of);
	put(trace, 1, 0, 0, 60, &d);
	d = descriptor(6, 5, "XLA Ops");
	put(trace, 1, 0, 0, 60, &d);
}

static struct pb event(int type, uint64_t track, const char *name)
{
	struct pb e = { 0 };

	pb_u(&e, 9, (uint64_t)type);
	if (track)
		pb_u(&e, 11, track);
	if (name)
		pb_s(&e, 23, name);
	return e;
}

/* Absolute times, names of their own, annotations, a counter and one of increments. */
static void put_steps(struct pb *trace)
{
	for (uint64_t i = 0; i < 50; i++) {
		uint64_t at = BASE + i * 1000;
		struct pb e = event(BEGIN, 2, "step"), a = { 0 };

		put(trace, 1, at, 0, 11, &e);
		e = event(BEGIN, 2, i % 3 ? "inner b" : "inner a");
		pb_s(&e, 22, "cat");
		pb_s(&a, 10, "i");
		pb_u(&a, 4, -i);
		pb_sub(&e, 4, &a);
		fixed64(&e, 47, 1000 + i);
		put(trace, 1, at + 100, 0, 11, &e);
		e = event(END, 2, NULL);
		put(trace, 1, at + 300, 0, 11, &e);
		e = event(INSTANT, 2, "tick");
		put(trace, 1, at + 400, 0, 11, &e);
		e = event(END, 2, NULL);
		put(trace, 1, at + 900, 0, 11, &e);
		e = event(COUNTER, 4, NULL);
		pb_u(&e, 30, i * i);
		put(trace, 1, at + 10, 0, 11, &e);
		e = event(COUNTER, 7, NULL);
		pb_u(&e, 30, 2);
		put(trace, 1, at + 20, 0, 11, &e);
	}
}

static void put_interned(struct pb *trace, int generation)
{
	static const struct {
		unsigned field;
		uint64_t iid;
		const char *text;
	} v[] = { { 2, 1, "fusion." }, { 2, 2, "copy." }, { 1, 1, "cat" }, { 3, 1, "key" },
		{ 29, 1, "value" } };
	struct pb all = { 0 };

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct pb entry = { 0 };
		char text[40];

		snprintf(text, sizeof text, "%s%d", v[i].text, generation);
		pb_u(&entry, 1, v[i].iid);
		pb_s(&entry, 2, text);
		pb_sub(&all, v[i].field, &entry);
	}
	put(trace, 2, 0, 2, 12, &all);
}

/* A clock of the sequence that counts tens of ns from packet to packet, and a default track. */
static void put_state(struct pb *trace, int generation)
{
	struct pb packet = { 0 }, snapshot = { 0 }, clock = { 0 }, defaults = { 0 }, track = { 0 };

	pb_u(&clock, 1, 64);
	pb_u(&clock, 2, 0);
	pb_u(&clock, 3, 1);
	pb_u(&clock, 4, 10);
	pb_sub(&snapshot, 1, &clock);
	pb_u(&clock, 1, 6);
	pb_u(&clock, 2, BASE + 50000 + (uint64_t)generation * 20000);
	pb_sub(&snapshot, 1, &clock);
	pb_u(&defaults, 58, 64);
	pb_u(&track, 11, 6);
	pb_sub(&defaults, 11, &track);
	pb_u(&packet, 10, 2);
	pb_u(&packet, 13, 1);
	pb_sub(&packet, 6, &snapshot);
	pb_sub(&packet, 59, &defaults);
	pb_sub(trace, 1, &packet);
	put_interned(trace, generation);
}

static void put_ops(struct pb *trace, int generation)
{
	for (uint64_t i = 0; i < 40; i++) {
		struct pb e = event(BEGIN, 0, NULL), a = { 0 };

		pb_u(&e, 10, 1 + i % 2);
		pb_u(&e, 3, 1);
		pb_u(&a, 1, 1);
		pb_u(&a, 17, 1);
		pb_sub(&e, 4, &a);
		if (!generation)
			fixed64(&e, 48, 1000 + i);
		put(trace, 2, 5, 2, 11, &e);
		e = event(END, 0, NULL);
		put(trace, 2, 7, 2, 11, &e);
	}
}

static struct pb sample(void)
{
	struct pb trace = { 0 }, d = descriptor(5, 0, "/device:TPU:0");

	describe(&trace);
	put_steps(&trace);
	for (int i = 0; i < 2; i++) {
		put_state(&trace, i);
		put_ops(&trace, i);
	}
	put(&trace, 1, 0, 0, 60, &d); /* what describes a track may follow its events */
	return trace;
}

static struct pb packed(const struct pb *trace)
{
	uLongf n = compressBound(trace->n);
	uint8_t *b = xmalloc(n);
	struct pb packet = { 0 }, out = { 0 };

	assert_int_equal(compress(b, &n, trace->b, trace->n), Z_OK);
	pb_bytes(&packet, 50, b, n);
	pb_sub(&out, 1, &packet);
	free(b);
	return out;
}

static struct dump *load(const struct pb *f)
{
	struct err err = { .status = 0 };
	struct dump *d = dump_checked(load_memory(f->b, f->n, "job.pftrace", NULL, &err), NULL);

	if (!d)
		fail_msg("%s", err.msg);
	return d;
}

static uint64_t sum_of(const struct dump *d, const char *name, int64_t *time, int64_t *first)
{
	uint64_t n = 0;

	*time = 0;
	*first = INT64_MAX;
	for (size_t i = 0; i < d->trace.ntracks; i++)
		for (size_t k = 0; k < d->trace.tracks[i].n; k++) {
			const struct track *t = &d->trace.tracks[i];

			if (!slice_is(dump_text(d, d->trace.metas[track_meta(t, k)].name), name))
				continue;
			n++;
			*time += track_dur(t, k);
			*first = track_start(t, k) < *first ? track_start(t, k) : *first;
		}
	return n;
}

static void check_sample(const struct pb *f)
{
	static const struct {
		const char *name;
		uint64_t n;
		int64_t ns, first_ns;
	} want[] = { { "step", 50, 45000, 0 }, { "inner a", 17, 3400, 100 }, { "inner b", 33, 6600, 1100 },
		{ "tick", 50, 0, 400 }, { "fusion.0", 20, 1400, 50050 }, { "copy.0", 20, 1400, 50170 },
		{ "fusion.1", 20, 1400, 70050 }, { "copy.1", 20, 1400, 70170 } };
	struct dump *d = load(f);
	int64_t time, first;

	assert_int_equal(dump_status(d), EXIT_OK);
	assert_int_equal(d->problems->n, 0);
	assert_true(dump_host_is(d, 0, "job"));
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		assert_int_equal(sum_of(d, want[i].name, &time, &first), want[i].n);
		assert_int_equal(time, want[i].ns * 1000);
		assert_int_equal(first, want[i].first_ns * 1000);
	}
	assert_int_equal(d->trace.nedges, 40);
	assert_int_equal(d->trace.ncounters, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct counter *c = &d->trace.counters[i];
		bool inc = slice_is(dump_text(d, c->name), "inc");

		assert_int_equal(c->n, 50);
		assert_true(c->v[49] == (inc ? 100000 : 49 * 49));
		assert_true(inc || slice_is(dump_text(d, c->unit), "bytes"));
	}
	dump_close(d);
}

static void numbers(void **state)
{
	struct pb f = sample(), small = packed(&f);

	(void)state;
	check_sample(&f);
	assert_true(small.n < f.n / 4);
	check_sample(&small);
	pb_free(&small);
	pb_free(&f);
}

#ifdef HAVE_ZSTD
static struct pb packed_by_zstd(const struct pb *trace)
{
	size_t room = ZSTD_compressBound(trace->n), n;
	uint8_t *b = xmalloc(room);
	struct pb packet = { 0 }, out = { 0 };

	n = ZSTD_compress(b, room, trace->b, trace->n, 3);
	assert_false(ZSTD_isError(n));
	pb_bytes(&packet, 133, b, n);
	pb_sub(&out, 1, &packet);
	free(b);
	return out;
}

static void packets_in_zstd(void **state)
{
	struct pb f = sample(), small = packed_by_zstd(&f);

	(void)state;
	check_sample(&small);
	assert_int_equal(probe_kind("trace", small.b, small.n, NULL, 0), FILE_PERFETTO);
	for (size_t i = 0; i < small.n; i++) {
		small.b[i] ^= 0x41;
		dump_close(dump_checked(load_memory(small.b, small.n, "x.pftrace", NULL, NULL), NULL));
		small.b[i] ^= 0x41;
	}
	pb_free(&small);
	pb_free(&f);
}
#endif

static bool is_key(void *ctx, const struct stat_value *v)
{
	snprintf(ctx, 64, "%.*s=%.*s", (int)v->name_len, v->name, (int)v->n, v->s);
	return true;
}

/* Tracks are where their descriptors say; an annotation has the names of its own generation. */
static void places(void **state)
{
	struct pb f = sample();
	struct dump *d = load(&f);
	bool ops = false, thread = false;
	char text[64] = "";

	(void)state;
	for (size_t i = 0; i < d->trace.ntracks; i++) {
		const struct track *t = &d->trace.tracks[i];
		struct slice plane = dump_text(d, d->trace.planes[t->plane].name),
			     line = dump_text(d, t->name);

		thread |= slice_is(plane, "train.py") && slice_is(line, "main") && t->n == 150;
		if (!slice_is(plane, "/device:TPU:0") || !slice_is(line, "XLA Ops"))
			continue;
		ops = true;
		assert_int_equal(t->n, 80);
		stats_of_event(d, t, 0, is_key, text);
		assert_string_equal(text, "key0=value0");
		stats_of_event(d, t, 79, is_key, text);
		assert_string_equal(text, "key1=value1");
		assert_true(slice_is(dump_text(d, d->trace.metas[track_meta(t, 79)].category), "cat1"));
	}
	assert_true(ops && thread);
	dump_close(d);
	pb_free(&f);
}

/* A folder, and a logdir, with nothing but such a trace. */
static void folders(void **state)
{
	static const char *const paths[] = { "perfetto-log/plugins/profile/r", "perfetto-log" };
	struct pb f = sample();
	FILE *out;

	(void)state;
	mkdir("perfetto-log", 0700);
	mkdir("perfetto-log/plugins", 0700);
	mkdir("perfetto-log/plugins/profile", 0700);
	mkdir("perfetto-log/plugins/profile/r", 0700);
	assert_non_null(out = fopen("perfetto-log/plugins/profile/r/h.pftrace", "wb"));
	assert_int_equal(fwrite(f.b, 1, f.n, out), f.n);
	fclose(out);
	for (size_t i = 0; i < 2; i++) {
		struct load_options o = { .threads = 1 };
		struct err err = { .status = 0 };
		struct dump *d = load_paths(&paths[i], 1, &o, NULL, &err);

		if (!d)
			fail_msg("%s: %s", paths[i], err.msg);
		assert_int_equal(d->nfiles, 1);
		assert_true(dump_host_is(d, 0, "h"));
		dump_close(d);
	}
	rmtree("perfetto-log");
	pb_free(&f);
}

static void cut_anywhere(void **state)
{
	struct pb f = sample(), small = packed(&f);

	(void)state;
	for (size_t n = 1; n < f.n; n += 13) {
		struct dump *d = dump_checked(load_memory(f.b, n, "x.pftrace", NULL, NULL), NULL);

		assert_true(!d || n < f.n);
		dump_close(d);
	}
	for (size_t n = 1; n < small.n; n += 3)
		dump_close(dump_checked(load_memory(small.b, n, "x.pftrace", NULL, NULL), NULL));
	for (size_t i = 0; i < small.n; i++) {
		small.b[i] ^= 0x41;
		dump_close(dump_checked(load_memory(small.b, small.n, "x.pftrace", NULL, NULL), NULL));
		small.b[i] ^= 0x41;
	}
	pb_free(&small);
	pb_free(&f);
}

/* Parents in a circle, slices that never end or never began, names that nobody interned, annotations in annotations. */
static void hostile(void **state)
{
	struct pb f = { 0 }, d = descriptor(8, 9, "a"), e, deep = { 0 };
	struct dump *dump;

	(void)state;
	put(&f, 1, 0, 0, 60, &d);
	d = descriptor(9, 8, "b");
	put(&f, 1, 0, 0, 60, &d);
	e = event(END, 8, NULL);
	put(&f, 1, 5, 0, 11, &e);
	e = event(BEGIN, 8, NULL);
	pb_u(&e, 10, 77);
	pb_s(&deep, 6, "value");
	for (int i = 0; i < 2000; i++) {
		struct pb outer = { 0 };

		pb_sub(&outer, i % 2 ? 11 : 12, &deep);
		deep = outer;
	}
	pb_sub(&e, 4, &deep);
	put(&f, 1, UINT64_MAX, 0, 11, &e);
	e = event(INSTANT, 12345, "alone");
	put(&f, 3, 7, 0, 11, &e);
	dump = load(&f);
	assert_int_equal(dump->trace.events, 2);
	assert_int_equal(dump->problems->n > 2, 1);
	for (size_t i = 0; i < dump->trace.ntracks; i++)
		for (size_t k = 0; k < dump->trace.tracks[i].n; k++)
			stats_of_event(dump, &dump->trace.tracks[i], k, is_key, (char[64]){ "" });
	dump_close(dump);
	pb_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
#ifdef HAVE_ZSTD
		cmocka_unit_test(packets_in_zstd),
#endif
		cmocka_unit_test(places),
		cmocka_unit_test(folders),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
