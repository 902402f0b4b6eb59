/* Statistics of an interval compared with an array that has one cell per ps. */
#include "config.h"

#include "analyze/interval/interval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mktrace.h"
#include "../lib/samenames.h"

#define SHORT 20000
#define LONG 4000000 /* tracks of this length are processed in several pieces */

static struct dump *make(int64_t length)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	struct mktrace m = { 0 };

	for (int k = 0; k < 7; k++) {
		if (!(k % 3))
			mk_plane(&m, k ? "/host:CPU" : "/device:TPU:0");
		mk_track(&m, k == 1 ? "Async XLA Ops" : "XLA Ops");
		for (int64_t at = (int64_t)rnd(500); k != 5 && at < length;) {
			int64_t d = (int64_t)rnd(k == 2 ? 20 : 300);

			mk_event(&m, names[rnd(4)], at, d);
			if (d > 40) {
				mk_event(&m, names[rnd(4)], at + 10, d - 20);
				mk_event(&m, names[rnd(4)], at + 12, 0);
			}
			for (int i = k == 6 && !rnd(9) ? 40 : 0; i; i--)
				mk_event(&m, "a", at + d + i, 0);
			at += k == 1 ? (int64_t)rnd(250) : d + (int64_t)rnd(k == 6 ? 4000 : 60);
		}
	}
	return mk_done(&m);
}

struct expected {
	uint64_t events, cut, gaps;
	int64_t busy, longest, at;
};

static struct expected expect(const struct track *t, int64_t t0, int64_t t1, uint8_t *all)
{
	size_t span = (size_t)(t1 - t0);
	struct expected e = { .at = t0 };
	uint8_t *busy = xcalloc(span + 1, 1);
	int64_t gap = 0;

	for (size_t i = 0; i < t->n; i++) {
		int64_t from = track_start(t, i), to = from + track_dur(t, i);

		if (t1 <= t0 || from >= t1 || (to <= t0 && from < t0))
			continue;
		e.events++;
		e.cut += from < t0 || to > t1;
		for (int64_t at = from < t0 ? t0 : from; at < to && at < t1; at++)
			busy[at - t0] = all[at - t0] = 1;
	}
	for (size_t i = 0; i <= span; i++) {
		e.busy += busy[i];
		if (i < span && !busy[i]) {
			gap++;
		} else if (gap) {
			e.gaps++;
			if (gap > e.longest) {
				e.longest = gap;
				e.at = t0 + (int64_t)i - gap;
			}
			gap = 0;
		}
	}
	free(busy);
	return e;
}

static void check(const struct dump *d, const uint32_t *tracks, size_t n, int64_t t0, int64_t t1,
    const int64_t *shift, int budget)
{
	struct interval v;
	struct window w;
	uint8_t *all = xcalloc((size_t)(t1 > t0 ? t1 - t0 : 0) + 1, 1);
	int64_t occupied = 0;
	uint64_t cut = 0;

	interval_begin(&v, d, tracks, n, t0, t1);
	v.window.shift = shift;
	while (interval_step(&v, budget))
		assert_true(v.has_tracks || !v.has_ranks);
	assert_true(v.has_tracks && v.has_ranks && v.has_union);
	assert_int_equal(v.ntracks, n);
	for (size_t k = 0; k < n; k++) {
		const struct track *t = &d->trace.tracks[tracks[k]];
		int64_t by = shift ? shift[t->plane] : 0;
		struct expected e = expect(t, t0 - by, (t1 > t0 ? t1 : t0) - by, all);
		const struct interval_track *r = &v.tracks[k];

		assert_int_equal(r->track, tracks[k]);
		assert_int_equal(r->events, e.events);
		assert_int_equal(r->busy, e.busy);
		assert_int_equal(r->gaps, e.gaps);
		assert_int_equal(r->longest, e.longest);
		assert_int_equal(r->at, e.at + by);
		cut += e.cut;
	}
	for (int64_t i = 0; i < t1 - t0; i++)
		occupied += all[i];
	assert_int_equal(v.occupied, occupied);
	assert_int_equal(v.cut, cut);
	window_begin(&w, d, tracks, n, t0, t1);
	w.ranks = true;
	w.shift = shift;
	window_step(&w, -1);
	same_names(&w, &v.window);
	window_free(&w);
	interval_free(&v);
	interval_free(&v);
	free(all);
}

static void random_pieces(void **state)
{
	static const uint32_t tracks[] = { 6, 2, 0, 1, 3, 5, 4, 2, 6 };

	(void)state;
	for (int again = 0; again < 3; again++) {
		struct dump *d = make(SHORT);

		for (int i = 0; i < 60; i++) {
			int64_t t0 = (int64_t)rnd(SHORT + 1000) - 500, shift[3];

			for (int k = 0; k < 3; k++)
				shift[k] = (int64_t)rnd(1000) - 500;
			check(d, tracks + rnd(3), rnd(7), t0, t0 + (int64_t)rnd(i % 3 ? 200 : SHORT),
			    i % 2 ? shift : NULL, i % 5 ? 0 : -1);
			if (i == 40)
				for (size_t k = 0; k < d->trace.ntracks; k++) {
					lod_free(d->trace.tracks[k].lod);
					d->trace.tracks[k].lod = NULL;
				}
		}
		check(d, tracks, 7, 500, 500, NULL, 0);
		check(d, tracks, 7, 600, 500, NULL, 0);
		check(d, tracks, 0, 0, 100, NULL, 0);
		dump_close(d);
	}
}

static void long_tracks(void **state)
{
	static const uint32_t tracks[] = { 6, 2, 0, 1, 3, 5, 4 };
	static const int64_t shift[] = { 0, 12345, -777 };
	struct dump *d = make(LONG);

	(void)state;
	assert_true(d->trace.tracks[2].n > 100000 && d->trace.tracks[0].n > 50000);
	for (int i = 0; i < 6; i++) {
		int64_t t0 = i ? (int64_t)rnd(LONG / 2) : -500;

		check(d, tracks + i % 3, 7 - rnd(3) - (size_t)(i % 3), t0,
		    i ? t0 + (int64_t)rnd(LONG) : LONG + 500, i % 2 ? shift : NULL, i % 3 - 1);
	}
	dump_close(d);
}

/* Pieces of a track that contain only instants, and busy times that end long before them. */
static void long_instants(void **state)
{
	static const uint32_t tracks[] = { 0 };
	struct mktrace m = { 0 };
	struct dump *d;

	(void)state;
	mk_plane(&m, "/host:CPU");
	mk_track(&m, "thread");
	mk_event(&m, "a", 5, 10);
	for (int64_t at = 0; at < 200000; at++) {
		mk_event(&m, "b", at + 20, 0);
		if (at == 70000 || at == 170000)
			mk_event(&m, "a", at + 20, 300);
	}
	d = mk_done(&m);
	check(d, tracks, 1, 0, 300000, NULL, 0);
	check(d, tracks, 1, 8, 180000, NULL, -1);
	check(d, tracks, 1, 70100, 170100, NULL, 0);
	dump_close(d);
}

/* More tracks than a power of two, and gaps that only some of them have. */
static void union_of_many(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	struct interval v;
	uint32_t tracks[100];

	(void)state;
	mk_plane(&m, "/host:CPU");
	for (uint32_t k = 0; k < 100; k++) {
		tracks[k] = mk_track(&m, "thread");
		mk_event(&m, "a", 10 * k, k == 57 ? 5 : 10);
		mk_event(&m, "a", 2000, 1);
	}
	d = mk_done(&m);
	interval_begin(&v, d, tracks, 100, 0, 3000);
	assert_int_equal(interval_step(&v, -1), 0);
	assert_int_equal(v.occupied, 996);
	assert_int_equal(v.tracks[57].busy, 6);
	assert_int_equal(v.tracks[57].longest, 1425);
	assert_int_equal(v.tracks[57].at, 575);
	interval_free(&v);
	interval_begin(&v, d, tracks, 100, 0, 3000); /* stopped in the middle */
	interval_step(&v, 0);
	interval_free(&v);
	dump_close(d);
}

/* Each track leaves one gap more than the one before: lists of gaps of equal length must not pile up. */
static void union_of_one_event_each(void **state)
{
	enum { TRACKS = 1200 };
	struct mktrace m = { 0 };
	struct dump *d;
	struct interval v;
	uint32_t *tracks = xcalloc(TRACKS, sizeof *tracks);

	(void)state;
	mk_plane(&m, "/host:CPU");
	for (uint32_t k = 0; k < TRACKS; k++) {
		tracks[k] = mk_track(&m, "thread");
		mk_event(&m, "a", 10 * (int64_t)(k * 7 % TRACKS), 3);
	}
	d = mk_done(&m);
	interval_begin(&v, d, tracks, TRACKS, 0, 10 * TRACKS);
	assert_int_equal(interval_step(&v, -1), 0);
	assert_int_equal(v.occupied, 3 * TRACKS);
	interval_free(&v);
	dump_close(d);
	free(tracks);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(union_of_one_event_each),
		cmocka_unit_test(random_pieces), cmocka_unit_test(long_tracks),
		cmocka_unit_test(long_instants), cmocka_unit_test(union_of_many) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
