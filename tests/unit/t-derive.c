#include "config.h"

#include "analyze/trace/derive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mktrace.h"

/* Stats of kinds of events, by their names. */
static const struct {
	const char *name, *tf_op, *source;
} ops[] = {
	{ "dot.1", "jit(f)/layer_0/dot_general:", "/src/model.py:10" },
	{ "add.1", "jit(f)/layer_0/add:", "/src/model.py:11" },
	{ "mul.1", "jit(f)/jvp(a/b)/mul[x=1]:", "model.py" },
	{ "mul.2", "jit(f)/jvp(a/b)/c/mul_17:", "/src/model.py:12" },
	{ "while.1", "jit(f)/while:", NULL },
	{ "body.1", "jit(f)/while/body/sin:Sin", NULL },
	{ "body.2", "jit(f)/while/body/cos:Cos", NULL },
	{ "flat.1", "flat", NULL },
	{ "copy.1", NULL, NULL },
};

static void op_stats(const struct dump *d, uint32_t meta, stat_fn *fn, void *ctx)
{
	const char *name = strtab_str(&d->str, d->trace.metas[meta].name);

	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
		struct stat_value v = { .name = "tf_op",
			.name_len = 5,
			.name_id = UINT32_MAX,
			.type = STAT_STR,
			.s = ops[i].tf_op };

		if (strcmp(name, ops[i].name))
			continue;
		if (v.s) {
			v.n = strlen(v.s);
			fn(ctx, &v);
		}
		v.name = "source";
		v.name_len = 6;
		v.s = ops[i].source;
		if (v.s) {
			v.n = strlen(v.s);
			fn(ctx, &v);
		}
	}
}

/* Stats of an allocator's events: the meta's name says which, the start what. */
static void memory_stats(const struct dump *d, const struct track *t, size_t i, stat_fn *fn, void *ctx)
{
	const char *name = strtab_str(&d->str, d->trace.metas[track_meta(t, i)].name);
	struct stat_value v = { .name_id = UINT32_MAX, .type = STAT_INT };

	if (strncmp(name, "Memory", 6))
		return;
	if (track_dur(t, i) < 100) {
		v.name = "index_on_host";
		v.name_len = 13;
		v.i = track_dur(t, i);
	} else {
		v.name = "allocator_name";
		v.name_len = 14;
		v.type = STAT_STR;
		v.s = "GPU_0_bfc";
		v.n = 9;
	}
	fn(ctx, &v);
	v = (struct stat_value){ .name = "bytes_reserved",
		.name_len = 14,
		.name_id = UINT32_MAX,
		.type = STAT_UINT,
		.i = 1000 };
	fn(ctx, &v);
	v = (struct stat_value){ .name = "bytes_allocated",
		.name_len = 15,
		.name_id = UINT32_MAX,
		.type = STAT_STR,
		.s = "99",
		.n = 1 };
	if (track_start(t, i) % 2)
		v = (struct stat_value){ .name = "bytes_allocated",
			.name_len = 15,
			.name_id = UINT32_MAX,
			.type = STAT_INT,
			.i = track_start(t, i) };
	fn(ctx, &v);
}

static const struct stat_reader reader = { .meta = op_stats, .event = memory_stats };

static struct dump *done(struct mktrace *m)
{
	m->d->files[0].stats = &reader;
	for (size_t i = 0; i < m->d->trace.nmetas; i++) {
		m->d->trace.metas[i].file = 0;
		m->d->trace.metas[i].len = 1;
	}
	return mk_done(m);
}

static struct dump *base;
static const struct dump *d;
static struct overlay *over;

static void begin(struct dump *made)
{
	base = made;
	over = overlay_new(base, &d);
}

static void end(void)
{
	overlay_free(over);
	dump_close(base);
}

/* The events of a track as text: "name@start+dur/depth ". */
static const char *text_of(uint32_t track)
{
	static char text[4096];
	const struct track *t = &d->trace.tracks[track];
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = 0; i < t->n; i++) {
		strid name = d->trace.metas[track_meta(t, i)].name;

		at += (size_t)snprintf(text + at, sizeof text - at, "%s%.*s@%lld+%lld/%d", i ? " " : "",
		    (int)strtab_len(&d->str, name), strtab_str(&d->str, name), (long long)track_start(t, i),
		    (long long)track_dur(t, i), t->depth[i]);
	}
	return text;
}

static struct dump *two_runs(void)
{
	struct mktrace m = { 0 };

	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Modules");
	mk_event(&m, "jit_f(1)", 0, 400);
	mk_event(&m, "jit_g(2)", 450, 10);
	mk_event(&m, "jit_f(1)", 500, 300);
	mk_track(&m, "XLA Ops");
	mk_event(&m, "dot.1", 0, 100);
	mk_event(&m, "copy.1", 100, 10); /* without the stat: the gap rule decides */
	mk_event(&m, "add.1", 110, 40);
	mk_event(&m, "add.1", 150, 10);
	mk_event(&m, "mul.1", 160, 10);
	mk_event(&m, "mul.2", 170, 10);
	mk_event(&m, "mul.1", 185, 5);
	mk_event(&m, "flat.1", 200, 10);
	mk_event(&m, "while.1", 220, 100);
	mk_event(&m, "body.1", 225, 20);
	mk_event(&m, "body.2", 245, 20);
	mk_event(&m, "body.1", 265, 20);
	mk_event(&m, "add.1", 500, 10); /* the next run */
	mk_event(&m, "add.1", 530, 10); /* gap of 2 × 10 */
	mk_event(&m, "add.1", 621, 10); /* gap of more than 2 × 40 */
	return done(&m);
}

static void scopes(void **state)
{
	const struct evmeta *m;
	const struct track *t;
	uint64_t events;
	uint32_t track;

	(void)state;
	begin(two_runs());
	events = d->trace.events;
	track = derive_track(over, 0, TRACK_SCOPE);
	t = &d->trace.tracks[track];
	assert_int_equal(track, 2);
	assert_string_equal(text_of(track),
	    "jit(f)@0+320/0 layer_0@0+160/1 jvp(a/b)@160+30/1 c@170+10/2 while@225+60/1 body@225+60/2 "
	    "jit(f)@500+40/0 layer_0@500+40/1 jit(f)@621+10/0 layer_0@621+10/1");
	m = &d->trace.metas[track_meta(t, 3)];
	assert_int_equal(m->full_len, strlen("jit(f)/jvp(a/b)/c"));
	assert_memory_equal(m->full, "jit(f)/jvp(a/b)/c", m->full_len);
	assert_int_equal(track_meta(t, 0), track_meta(t, 6));
	assert_int_equal(t->role, TRACK_SCOPE);
	assert_int_equal(t->file, -1);
	assert_non_null(t->lod);
	assert_int_equal(d->trace.meta_class[track_meta(t, 0)], CLASS_OTHER);
	assert_int_equal(d->trace.events, events);
	assert_int_equal(derive_track(over, 0, TRACK_SCOPE), track);
	assert_int_equal(d->trace.ntracks, 3);
	assert_int_equal(base->trace.ntracks, 2);
	end();
}

static void framework_and_source(void **state)
{
	uint32_t track;

	(void)state;
	begin(two_runs());
	track = derive_track(over, 0, TRACK_FRAMEWORK);
	assert_string_equal(text_of(track),
	    "dot_general@0+100/0 add@110+50/0 mul@160+10/0 mul@170+10/0 mul@185+5/0 flat@200+10/0 "
	    "while@220+100/0 Sin@225+20/1 Cos@245+20/1 Sin@265+20/1 add@500+40/0 add@621+10/0");
	track = derive_track(over, 0, TRACK_SOURCE);
	assert_string_equal(text_of(track),
	    "model.py:10@0+100/0 model.py:11@110+50/0 model.py@160+10/0 model.py:12@170+10/0 "
	    "model.py@185+5/0 model.py:11@500+40/0 model.py:11@621+10/0");
	assert_int_equal(derive_track(over, 0, TRACK_OPS), 1); /* the row in the file */
	assert_int_equal(derive_track(over, 0, TRACK_ASYNC), UINT32_MAX);
	end();
}

static void steps(void **state)
{
	struct mktrace m = { 0 };
	uint32_t track;

	(void)state;
	begin(two_runs());
	track = derive_track(over, 0, TRACK_STEPS);
	assert_string_equal(text_of(track), "0@0+500/0");
	assert_memory_equal(d->trace.metas[track_meta(&d->trace.tracks[track], 0)].full, "jit_f(1)", 8);
	end();

	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Modules");
	mk_event(&m, "jit_f(1)", 0, 400);
	mk_plane(&m, "/device:TPU:1");
	mk_track(&m, "Steps");
	mk_event(&m, "7", 0, 400);
	mk_plane(&m, "/device:TPU:2");
	begin(done(&m));
	assert_int_equal(derive_track(over, 0, TRACK_STEPS), UINT32_MAX); /* nothing repeats */
	assert_int_equal(derive_track(over, 1, TRACK_STEPS), 1);          /* the file has them */
	assert_int_equal(derive_track(over, 2, TRACK_STEPS), UINT32_MAX);
	assert_int_equal(derive_track(over, 2, TRACK_SCOPE), UINT32_MAX);
	assert_int_equal(derive_track(over, 0, TRACK_SOURCE), UINT32_MAX);
	end();
}

#define SPAN 3000

/* Paints each picosecond of each thread with the innermost event. */
static void unions(void **state)
{
	(void)state;
	for (int round = 0; round < 30; round++) {
		size_t threads = 1 + rnd(9);
		uint32_t tracks[9], made;
		char work[SPAN + 200] = "", seen[SPAN + 200] = "";
		struct mktrace m = { 0 };

		mk_plane(&m, "/host:CPU");
		for (size_t k = 0; k < threads; k++) {
			char name[16];

			snprintf(name, sizeof name, "pool/%d", (int)k);
			tracks[k] = mk_track(&m, name);
			for (int64_t at = (int64_t)rnd(300); at < SPAN;
			     at += 40 + (int64_t)rnd(round % 2 ? 600 : 60)) {
				int64_t dur = (int64_t)rnd(90);

				mk_event(&m, rnd(3) ? "Wait" : "f", at, dur);
				if (dur > 10)
					mk_event(&m, rnd(3) ? "g" : "Wait", at + 2, dur - 10);
			}
		}
		begin(done(&m));
		for (size_t k = 0; k < threads; k++) {
			const struct track *t = &d->trace.tracks[tracks[k]];
			char top[SPAN + 200] = "";

			for (size_t i = 0; i < t->n; i++)
				memset(top + track_start(t, i),
				    META_CLASS(d->trace.meta_class[track_meta(t, i)]) == CLASS_WAIT ? 'w'
												    : 'x',
				    (size_t)track_dur(t, i));
			for (size_t i = 0; i < sizeof top; i++)
				work[i] |= top[i] == 'x';
		}
		made = derive_union(over, tracks, threads, "pool");
		if (made != UINT32_MAX) {
			const struct track *t = &d->trace.tracks[made];

			assert_int_equal(t->rows, 1);
			assert_int_equal(META_CLASS(d->trace.meta_class[track_meta(t, 0)]), CLASS_HOST);
			for (size_t i = 0; i < t->n; i++) {
				memset(seen + track_start(t, i), 1, (size_t)track_dur(t, i));
				assert_true(!i || track_start(t, i) > track_end(t, i - 1));
			}
		}
		assert_memory_equal(work, seen, sizeof work);
		end();
	}
}

static void no_union(void **state)
{
	struct mktrace m = { 0 };
	uint32_t track;

	(void)state;
	mk_plane(&m, "/host:CPU");
	track = mk_track(&m, "a/1");
	mk_event(&m, "Wait", 0, 10);
	begin(done(&m));
	assert_int_equal(derive_union(over, &track, 1, "a"), UINT32_MAX);
	assert_int_equal(derive_union(over, &track, 0, "a"), UINT32_MAX);
	assert_int_equal(d->trace.ntracks, 1);
	end();
}

static const struct counter *counter_at(uint32_t plane)
{
	for (size_t i = 0; i < d->trace.ncounters; i++)
		if (d->trace.counters[i].plane == plane)
			return &d->trace.counters[i];
	return NULL;
}

static void memory(void **state)
{
	struct mktrace m = { 0 };
	const struct counter *c;
	uint32_t tpu[2], gpu, host;

	(void)state;
	mk_host(&m, "w-0");
	tpu[0] = mk_plane(&m, "/device:TPU:0");
	tpu[1] = mk_plane(&m, "/device:TPU:1");
	gpu = mk_plane(&m, "/device:GPU:0");
	host = mk_plane(&m, "/host:CPU");
	mk_track(&m, "main"); /* dur is the device, or a name from 100 on; odd starts are bytes */
	mk_event(&m, "MemoryAllocation", 21, 0);
	mk_event(&m, "something", 31, 0);
	mk_event(&m, "MemoryDeallocation", 51, 0);
	mk_event(&m, "MemoryAllocation", 52, 100);
	mk_track(&m, "other");
	mk_event(&m, "MemoryAllocation", 11, 0);
	mk_event(&m, "MemoryAllocation", 41, 0);
	mk_event(&m, "MemoryAllocation", 43, 1);
	mk_event(&m, "MemoryAllocation", 45, 7); /* no such device */
	begin(done(&m));
	assert_int_equal(derive_memory_counters(base), 4);
	c = counter_at(tpu[0]);
	assert_non_null(c);
	assert_string_equal(strtab_str(&d->str, c->name), "HBM in use");
	assert_string_equal(strtab_str(&d->str, c->unit), "bytes");
	assert_int_equal(c->n, 4);
	for (int i = 0; i < 4; i++) {
		static const int64_t t[] = { 11, 21, 41, 51 };

		assert_int_equal(c->t[i], t[i]);
		assert_true(c->v[i] == 1000 + t[i]);
	}
	assert_true(c->min == 1011 && c->max == 1051);
	assert_int_equal(counter_at(tpu[1])->n, 1);
	c = counter_at(gpu);
	assert_string_equal(strtab_str(&d->str, c->name), "memory in use (GPU_0_bfc)");
	assert_true(c->v[0] == 1009); /* "9" of "99": the text is cut as the file says */
	assert_string_equal(strtab_str(&d->str, counter_at(host)->name), "HBM in use, device 7");
	assert_int_equal(derive_memory_counters(base), 0); /* not derived a second time */
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scopes),
		cmocka_unit_test(framework_and_source),
		cmocka_unit_test(steps),
		cmocka_unit_test(unions),
		cmocka_unit_test(no_union),
		cmocka_unit_test(memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
