/* The table of an interval compared with sums taken event by event. */
#include "config.h"

#include "analyze/interval/window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mktrace.h"
#include "../lib/samenames.h"

static void event(struct mktrace *m, int64_t start, int64_t dur)
{
	static const char *const names[] = { "fusion.1", "fusion.2", "dot.1", "copy.1", "while.1",
		"all-reduce.3", "Wait", "x" };

	mk_event(m, names[rnd(8)], start, dur);
}

static void nest(struct mktrace *m, int64_t from, int64_t to, int depth)
{
	for (int64_t at = from; at < to; at += (int64_t)rnd(30)) {
		int64_t d = (int64_t)rnd((uint64_t)(to - at) + 1);

		event(m, at, d);
		if (depth && d > 5)
			nest(m, at, at + d, depth - 1);
		at += d;
	}
}

static struct dump *make(bool overlaps, int64_t length)
{
	struct mktrace m = { 0 };

	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Ops");
	for (int64_t at = 0; at < length; at += 100 + (int64_t)rnd(40))
		nest(&m, at, at + 100, (int)rnd(4));
	mk_track(&m, "Async XLA Ops");
	for (int64_t at = 0; overlaps && at < length; at += (int64_t)rnd(200))
		event(&m, at, (int64_t)rnd(500));
	mk_plane(&m, "/host:CPU");
	mk_track(&m, "main");
	for (int64_t at = 0; at < length; at += 50)
		event(&m, at, 50);
	mk_track(&m, "none");
	return mk_done(&m);
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static bool part_of(const struct track *t, size_t i, int64_t t0, int64_t t1, int64_t *part)
{
	int64_t from = track_start(t, i) > t0 ? track_start(t, i) : t0, to = track_end(t, i);

	*part = (to < t1 ? to : t1) - from;
	return t1 > t0 && track_start(t, i) < t1 && (to > t0 || track_start(t, i) >= t0);
}

static bool odd_only; /* of the events, only every second one of a track counts */

static bool counts(uint32_t track, size_t i)
{
	return !odd_only || (i + track) % 2;
}

static uint32_t odd_key(const void *dump, uint32_t track, size_t i)
{
	const struct dump *d = dump;

	return counts(track, i) ? track_meta(&d->trace.tracks[track], i) : WINDOW_OUT;
}

/* The expected values of a name. */
static struct window_name expect(const struct dump *d, const uint32_t *tracks, size_t n, int64_t t0,
    int64_t t1, strid name)
{
	struct window_name w = { .name = name, .min = INT64_MAX, .max = -1 };
	int64_t *all = xcalloc(d->trace.events * n + 1, sizeof *all), part;

	for (size_t k = 0; k < n; k++) {
		const struct track *t = &d->trace.tracks[tracks[k]];

		for (size_t i = 0; i < t->n; i++) {
			size_t parent;

			if (!part_of(t, i, t0, t1, &part))
				continue;
			parent = track_parent(t, i);
			if (parent < t->n && counts(tracks[k], parent) &&
			    d->trace.metas[track_meta(t, parent)].name == name)
				w.self -= part;
			if (!counts(tracks[k], i) || d->trace.metas[track_meta(t, i)].name != name)
				continue;
			all[w.count++] = part;
			w.cut += part != track_dur(t, i);
			w.total += part;
			w.self += part;
			w.min = part < w.min ? part : w.min;
			w.max = part > w.max ? part : w.max;
		}
	}
	qsort(all, w.count, sizeof *all, by_value);
	if (w.count) {
		w.p50 = all[(w.count + 1) / 2 - 1];
		w.p99 = all[(99 * w.count + 99) / 100 - 1];
	}
	free(all);
	return w;
}

/* Any of several equally long ones is right. */
static void is_longest(const struct dump *d, const struct window_name *w, int64_t t0, int64_t t1)
{
	const struct track *t = &d->trace.tracks[w->track];
	int64_t part = -1;

	assert_true(w->longest < t->n && part_of(t, w->longest, t0, t1, &part));
	assert_int_equal(part, w->max);
	assert_int_equal(d->trace.metas[track_meta(t, w->longest)].name, w->name);
}

static void check(const struct dump *d, const uint32_t *tracks, size_t n, int64_t t0, int64_t t1, bool ranks)
{
	struct window w;
	uint64_t events = 0;
	int64_t class_ps[CLASS_COUNT] = { 0 };
	int more = 0;

	window_begin(&w, d, tracks, n, t0, t1);
	w.ranks = ranks;
	if (odd_only)
		w.keys = (struct window_keys){ .of = odd_key, .ctx = d };
	while (window_step(&w, 0))
		more++;
	assert_null(w.work);
	for (size_t i = 0; i < w.nnames; i++) {
		struct window_name e = expect(d, tracks, n, t0, t1, w.names[i].name);

		assert_true(w.names[i].count > 0);
		assert_int_equal(w.names[i].count, e.count);
		assert_int_equal(w.names[i].cut, e.cut);
		assert_int_equal(w.names[i].total, e.total);
		assert_int_equal(w.names[i].self, e.self);
		assert_int_equal(w.names[i].min, e.min);
		assert_int_equal(w.names[i].max, e.max);
		is_longest(d, &w.names[i], t0, t1);
		assert_int_equal(w.names[i].p50, ranks ? e.p50 : 0);
		assert_int_equal(w.names[i].p99, ranks ? e.p99 : 0);
		assert_true(!i || w.names[i - 1].self >= w.names[i].self);
		events += w.names[i].count;
	}
	assert_int_equal(events, w.events);
	for (size_t k = 0; k < n; k++) {
		int64_t busy[CLASS_COUNT];

		if (!d->trace.tracks[tracks[k]].n)
			continue;
		if (d->trace.tracks[tracks[k]].lod) {
			lod_sum(&d->trace.tracks[tracks[k]], d->trace.meta_class, t0, t1, busy);
			for (int c = 0; c < CLASS_COUNT; c++)
				class_ps[c] += busy[c];
		}
	}
	if (odd_only) {
		memset(class_ps, 0, sizeof class_ps);
		for (size_t i = 0; i < w.nnames; i++)
			class_ps[w.names[i].class] += w.names[i].self;
	}
	if (d->trace.tracks[0].lod)
		assert_memory_equal(class_ps, w.class_ps, sizeof class_ps);
	for (strid name = 1; name < d->str.n; name++) { /* and no name is left out */
		bool there = false;

		for (size_t i = 0; i < w.nnames; i++)
			there |= w.names[i].name == name;
		assert_true(there == (expect(d, tracks, n, t0, t1, name).count > 0));
	}
	window_free(&w);
	window_free(&w);
}

static void random_windows(void **state)
{
	static const uint32_t tracks[] = { 2, 0, 1, 3 };

	(void)state;
	for (int overlaps = 0; overlaps < 2; overlaps++) {
		struct dump *d = make(overlaps, 60000);

		check(d, tracks, 4, d->trace.first, d->trace.last + 1, true);
		check(d, tracks, 4, INT64_MIN, INT64_MAX, false);
		check(d, tracks, 4, 500, 500, true);
		check(d, tracks, 4, 600, 500, true);
		check(d, tracks, 0, 0, 100, true);
		for (int i = 0; i < 40; i++) {
			int64_t t0 = (int64_t)rnd(60000);

			check(d, tracks + i % 2, 1 + rnd(3), t0, t0 + (int64_t)rnd(i % 4 ? 300 : 30000),
			    i % 3);
		}
		dump_close(d);
	}
}

/* Tracks that are processed in several pieces, by several threads. */
static void long_tracks(void **state)
{
	static const uint32_t tracks[] = { 2, 0, 1, 3 };
	struct dump *d = make(false, 3000000);

	(void)state;
	assert_true(d->trace.tracks[0].n > 60000);
	check(d, tracks, 4, d->trace.first, d->trace.last + 1, true);
	check(d, tracks + 1, 2, 100, 2900000, true);
	dump_close(d);
	d = make(true, 3000000);
	check(d, tracks, 4, 333, 2999000, true);
	dump_close(d);
}

/* What a filter leaves. */
static void some_count(void **state)
{
	odd_only = true;
	random_windows(state);
	long_tracks(state);
	odd_only = false;
}

/* Durations of a name that differ by more than 32 bits hold, and by less than that but lie above. */
static void ranks_of_long_events(void **state)
{
	static const uint32_t tracks[] = { 0 };
	static const struct {
		int64_t base;
		uint64_t range;
	} cases[] = {
		{ 0, 1 },
		{ 7, 3 },
		{ 5, UINT32_MAX },
		{ INT64_C(1) << 33, UINT64_C(1) << 31 },
		{ 1, UINT64_C(1) << 32 },
		{ 1, UINT64_C(1) << 44 },
	};

	(void)state;
	for (size_t i = 0; i < 6; i++)
		for (int n = 1; n < 20000; n = n * 3 + 1) {
			struct mktrace m = { 0 };
			struct dump *d;

			mk_plane(&m, "/device:TPU:0");
			mk_track(&m, "XLA Ops");
			for (int64_t k = 0; k < n; k++) {
				/* most of many durations are close together, including both percentiles */
				uint64_t range = cases[i].range, usual = 1 + (range >> (n % 2 ? 12 : 0)),
					 more = rnd(n % 2 ? 200 : 20) ? rnd(usual) : range;

				mk_event(&m, "dot.1", k << 46, cases[i].base + (int64_t)more);
			}
			d = mk_done(&m);
			check(d, tracks, 1, 0, (int64_t)n << 46, true);
			dump_close(d);
		}
}

/* A few samples of each kind are used to estimate the percentiles: here all of them are far too long, or far
 * too short. */
static void odd_ones_out(void **state)
{
	static const uint32_t tracks[] = { 0 };

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct mktrace m = { 0 };
		struct dump *d;

		mk_plane(&m, "/device:TPU:0");
		mk_track(&m, "XLA Ops");
		for (int64_t k = 0; k < 1024; k++) {
			bool odd = k / 16 % 2 == 0 && k % 16 == k / 32 * 5 % 16;

			mk_event(&m, "dot.1", k * 10000, odd == !turn ? 5000 + k : 10 + k % 7);
		}
		d = mk_done(&m);
		check(d, tracks, 1, 0, 1024 * 10000, true);
		dump_close(d);
	}
}

/* Without an index the result is the same, only slower. */
static void without_an_index(void **state)
{
	static const uint32_t tracks[] = { 0, 2 };
	struct dump *d = make(false, 60000);
	struct window with, without;

	(void)state;
	for (int i = 0; i < 20; i++) {
		int64_t t0 = (int64_t)rnd(60000), t1 = t0 + (int64_t)rnd(3000);

		for (size_t k = 0; k < d->trace.ntracks; k++)
			lod_build(&d->trace.tracks[k], d->trace.meta_class);
		window_begin(&with, d, tracks, 2, t0, t1);
		window_step(&with, -1);
		for (size_t k = 0; k < d->trace.ntracks; k++) {
			lod_free(d->trace.tracks[k].lod);
			d->trace.tracks[k].lod = NULL;
		}
		window_begin(&without, d, tracks, 2, t0, t1);
		window_step(&without, -1);
		assert_memory_equal(with.class_ps, without.class_ps, sizeof with.class_ps);
		same_names(&with, &without);
		window_free(&with);
		window_free(&without);
	}
	dump_close(d);
}

/* Event kinds of several cores with one name are one line; its class is that of the longest kind. */
static void names_are_merged(void **state)
{
	static const uint32_t tracks[] = { 0, 1, 2 };
	struct mktrace m = { 0 };
	struct dump *d;
	struct window w;

	(void)state;
	for (int core = 0; core < 3; core++) {
		mk_plane(&m, core == 2 ? "/host:CPU" : core ? "/device:TPU:1" : "/device:TPU:0");
		mk_track(&m, "XLA Ops");
		mk_event(&m, "dot.1", 0, 100 * (core + 1));
	}
	d = mk_done(&m);
	window_begin(&w, d, tracks, 3, 0, 1000);
	w.ranks = true;
	assert_int_equal(window_step(&w, -1), 0);
	assert_int_equal(w.nnames, 1);
	assert_int_equal(w.names[0].count, 3);
	assert_int_equal(w.names[0].self, 600);
	assert_int_equal(w.names[0].p50, 200);
	assert_int_equal(w.names[0].p99, 300);
	assert_int_equal(w.names[0].track, 2);
	assert_int_equal(w.names[0].class, CLASS_HOST);
	window_free(&w);
	dump_close(d);
}

/* p50 and p99 are sorted[ceil(p·n) - 1]; of equal longest ones the first track has it; the class is that of
 * most self time. */
static void ranks_and_ties(void **state)
{
	static const uint32_t tracks[] = { 1, 0, 1 };

	(void)state;
	for (int n = 1; n <= 500; n += n < 5 ? 1 : 99) {
		struct mktrace m = { 0 };
		struct dump *d;
		struct window w;

		mk_plane(&m, "/device:TPU:0");
		mk_track(&m, "XLA Ops");
		for (int i = 0; i < n; i++)
			mk_event(&m, "dot.1", i * 1000, (i * 7) % n + 1);
		mk_plane(&m, "/host:CPU");
		mk_track(&m, "main");
		mk_event(&m, "dot.1", 0, n);
		d = mk_done(&m);
		window_begin(&w, d, tracks + 1, 1, 0, 1000000);
		w.ranks = true;
		window_step(&w, -1);
		assert_int_equal(w.names[0].p50, n % 7 ? (n + 1) / 2 : w.names[0].p50);
		assert_int_equal(w.names[0].p99, n % 7 ? (99 * n + 99) / 100 : w.names[0].p99);
		window_free(&w);
		for (int order = 0; order < 2; order++) {
			window_begin(&w, d, tracks + order, 2, 0, 1000000);
			w.ranks = true;
			window_step(&w, -1);
			assert_int_equal(w.nnames, 1);
			assert_int_equal(w.names[0].track, n % 7 ? 0 : w.names[0].track);
			if (n > 1)
				assert_int_equal(w.names[0].class, CLASS_MATMUL);
			window_free(&w);
		}
		dump_close(d);
	}
}

/* Tracks and places in them as keys, two tracks to a row; every third event does not count. */
struct choice { /* which event may come next: of one track all in order, up to twice */
	uint32_t track;
	size_t next;
};

static uint32_t chosen_key(const void *ctx, uint32_t track, size_t i)
{
	struct choice *c = *(struct choice *const *)ctx;

	assert_true(track != c->track || i == c->next || i == 0);
	c->track = track;
	c->next = i + 1;
	return i % 3 ? 2 * track + i % 2 : WINDOW_OUT;
}

static void rows_of_the_caller(void **state)
{
	static const uint32_t tracks[] = { 0, 1, 2, 3 }, row[] = { 0, 2, 0, 2, 1, 1, 1, 1 };
	struct dump *d = make(true, 60000);
	struct choice choice = { .track = UINT32_MAX }, *ctx = &choice;
	int64_t count[3] = { 0 }, total[3] = { 0 }, max[3] = { 0 };
	struct window w;

	(void)state;
	for (size_t k = 0; k < d->trace.ntracks; k++) {
		const struct track *t = &d->trace.tracks[k];

		for (size_t i = 0; i < t->n; i++) {
			uint32_t r = row[2 * k + i % 2];

			if (i % 3 == 0)
				continue;
			count[r]++;
			total[r] += track_dur(t, i);
			max[r] = track_dur(t, i) > max[r] ? track_dur(t, i) : max[r];
		}
	}
	window_begin(&w, d, tracks, 4, INT64_MIN, INT64_MAX);
	w.ranks = true;
	w.keys = (struct window_keys){ .of = chosen_key,
		.ctx = &ctx,
		.row = row,
		.n = 8,
		.nrows = 3,
		.in_order = true };
	window_step(&w, -1);
	assert_int_equal(w.nnames, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(w.names[i].count, count[w.names[i].name]);
		assert_int_equal(w.names[i].total, total[w.names[i].name]);
		assert_int_equal(w.names[i].max, max[w.names[i].name]);
		assert_true(w.names[i].p50 <= w.names[i].p99 && w.names[i].p99 <= w.names[i].max);
	}
	window_free(&w);
	dump_close(d);
}

/* 150 days, as no capture has them, but a damaged file may. */
static void sums_stop_at_the_limit(void **state)
{
	static const uint32_t tracks[] = { 0, 1, 2 };
	struct mktrace m = { 0 };
	struct dump *d;
	struct window w;

	(void)state;
	for (int i = 0; i < 3; i++) {
		mk_plane(&m, "/host:CPU");
		mk_track(&m, "main");
		mk_event(&m, "x", 0, TRACE_TIME_MAX);
	}
	d = mk_done(&m);
	window_begin(&w, d, tracks, 3, INT64_MIN, INT64_MAX);
	w.ranks = true;
	window_step(&w, -1);
	assert_int_equal(w.names[0].total, INT64_MAX);
	assert_int_equal(w.names[0].self, INT64_MAX);
	assert_int_equal(w.names[0].p50, TRACE_TIME_MAX);
	window_free(&w);
	dump_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_windows),
		cmocka_unit_test(long_tracks),
		cmocka_unit_test(some_count),
		cmocka_unit_test(ranks_of_long_events),
		cmocka_unit_test(odd_ones_out),
		cmocka_unit_test(without_an_index),
		cmocka_unit_test(names_are_merged),
		cmocka_unit_test(ranks_and_ties),
		cmocka_unit_test(rows_of_the_caller),
		cmocka_unit_test(sums_stop_at_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
