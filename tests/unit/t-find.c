/* Search results compared with a sorted list of all hits. */
#include "config.h"

#include "analyze/events/find.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mktrace.h"

#define TRACKS 4
static const struct find_pos nowhere = { UINT32_MAX, 0 };
/* the order of the view differs from that of the file */
static const uint32_t tracks[TRACKS] = { 2, 0, 3, 1 };

struct hit {
	int64_t t;
	size_t order;
	struct find_pos pos;
};

struct hits {
	struct hit *v;
	size_t n;
};

static int in_time(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return (x->pos.i > y->pos.i) - (x->pos.i < y->pos.i);
}

/* All events whose name contains a text. */
static struct hits list(const struct dump *d, const char *text)
{
	struct hits h = { xcalloc(20000, sizeof *h.v), 0 };

	for (size_t k = 0; k < TRACKS; k++) {
		const struct track *t = &d->trace.tracks[tracks[k]];

		for (size_t i = 0; i < t->n; i++) {
			strid name = d->trace.metas[track_meta(t, i)].name;

			if (memmem(strtab_str(&d->str, name), strtab_len(&d->str, name), text, strlen(text)))
				h.v[h.n++] = (struct hit){ track_start(t, i), k, { tracks[k], i } };
		}
	}
	qsort(h.v, h.n, sizeof *h.v, in_time);
	return h;
}

static struct dump *make(size_t n, unsigned rare)
{
	static const char *const lines[TRACKS] = { "XLA Ops", "Async XLA Ops", "XLA TraceMe", "none" };
	struct mktrace m = { 0 };

	mk_plane(&m, "/device:TPU:0");
	for (size_t k = 0; k < TRACKS; k++) {
		mk_track(&m, lines[k]);
		for (size_t i = 0; k < 3 && i < n; i++)
			mk_event(&m,
			    rnd(rare) ? (rnd(2) ? "fusion.1" : "copy.2")
				      : (rnd(2) ? "all-reduce.1" : "all-reduce.2"),
			    (int64_t)rnd(n * 4), (int64_t)rnd(3));
	}
	mk_track(&m, "not searched");
	mk_event(&m, "all-reduce.9", 77, 1);
	return mk_done(&m);
}

static struct find *search(const struct dump *d, const char *pattern)
{
	struct err err = { .status = 0 };
	struct regex *re = regex_new(pattern, REGEX_SMART_CASE, &err);
	struct find *f;

	assert_non_null(re);
	f = find_new(d, re, tracks, TRACKS, NULL);
	assert_non_null(f);
	regex_free(re);
	return f;
}

static void same(struct find_pos a, struct find_pos b)
{
	assert_int_equal(a.track, b.track);
	assert_int_equal(a.i, b.i);
}

static void check_walk(const struct find *f, const struct dump *d, const struct hits *h)
{
	struct find_pos p = nowhere;

	for (size_t i = 0; i < h->n; i++) {
		p = find_step(f, d, INT64_MIN, p, 1);
		same(p, h->v[i].pos);
		assert_int_equal(find_rank(f, d, p), i + 1);
	}
	same(find_step(f, d, 0, p, 1), h->v[0].pos); /* wraps */
	for (size_t i = h->n; i-- > 0;) {
		same(p, h->v[i].pos);
		p = find_step(f, d, 0, p, -1);
	}
	same(p, h->v[h->n - 1].pos);
}

static void check_moments(const struct find *f, const struct dump *d, const struct hits *h, int64_t span)
{
	for (int k = 0; k < 200; k++) {
		int64_t t = (int64_t)rnd((uint64_t)span + 20) - 10;
		size_t i = 0;

		while (i < h->n && h->v[i].t < t)
			i++;
		same(find_step(f, d, t, nowhere, 1), h->v[i < h->n ? i : 0].pos);
		same(find_step(f, d, t, nowhere, -1), h->v[i ? i - 1 : h->n - 1].pos);
	}
	/* Starting from an event that is not a hit. */
	for (int k = 0; k < 100; k++) {
		uint32_t track = tracks[rnd(2)];
		struct find_pos p = { track, rnd(d->trace.tracks[track].n) };
		struct hit at = { track_start(&d->trace.tracks[track], p.i), track == tracks[1], p };
		size_t i = 0;

		while (i < h->n && in_time(&h->v[i], &at) < 0)
			i++;
		same(find_step(f, d, 0, p, -1), h->v[i ? i - 1 : h->n - 1].pos);
		if (i < h->n && !in_time(&h->v[i], &at))
			i++;
		same(find_step(f, d, 0, p, 1), h->v[i < h->n ? i : 0].pos);
	}
}

static void check_columns(const struct find *f, const struct dump *d, const struct hits *h, int64_t span)
{
	for (int k = 0; k < 50; k++) {
		int64_t t0 = (int64_t)rnd((uint64_t)span) - span / 4,
			step = 1 + (int64_t)rnd((uint64_t)(span >> rnd(10)) + 1);
		uint32_t counts[31], want[31] = { 0 };

		if (k == 0) {
			t0 = d->trace.first;
			step = INT64_MAX;
		}
		find_columns(f, d, t0, step, 31, counts);
		for (size_t i = 0; i < h->n; i++)
			if (h->v[i].t >= t0 && (h->v[i].t - t0) / step < 31)
				want[(h->v[i].t - t0) / step]++;
		assert_memory_equal(counts, want, sizeof want);
	}
}

static void random_hits(void **state)
{
	static const struct {
		size_t n;
		unsigned rare;
	} kinds[] = { { 30, 2 }, { 256, 3 }, { 5000, 2 }, { 5000, 400 }, { 2000, 1 } };

	(void)state;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		struct dump *d = make(kinds[k].n, kinds[k].rare);
		struct find *f = search(d, "all-red");
		struct hits h = list(d, "all-red");
		uint64_t sum = 0;

		assert_true(h.n > 0);
		assert_int_equal(f->hits, h.n);
		for (size_t i = 0; i < TRACKS; i++)
			sum += f->track_hits[i];
		assert_int_equal(sum, h.n);
		assert_int_equal(f->names, 2);
		check_walk(f, d, &h);
		check_moments(f, d, &h, (int64_t)kinds[k].n * 4);
		check_columns(f, d, &h, (int64_t)kinds[k].n * 4);
		/* A position on a track that was not searched is used as a moment. */
		same(find_step(f, d, 0, (struct find_pos){ 4, 0 }, 1), find_step(f, d, 77, nowhere, 1));
		assert_int_equal(find_rank(f, d, (struct find_pos){ 4, 0 }), 0);
		for (size_t i = 0; i < kinds[k].n; i++) /* no hits have no rank */
			if (!find_holds(f, &d->trace.tracks[0], 0, i))
				assert_int_equal(find_rank(f, d, (struct find_pos){ 0, i }), 0);
		free(h.v);
		find_free(f);
		dump_close(d);
	}
}

static void nothing(void **state)
{
	struct dump *d = make(300, 3);
	struct find *f = search(d, "no such thing");
	struct progress p = { .bytes = 0 };
	struct err err = { .status = 0 };
	struct regex *re = regex_new("fusion", REGEX_SMART_CASE, &err);
	uint32_t counts[3];

	(void)state;
	assert_int_equal(f->hits, 0);
	assert_int_equal(f->names, 0);
	same(find_step(f, d, 5, nowhere, 1), nowhere);
	same(find_step(f, d, 5, (struct find_pos){ 0, 2 }, -1), nowhere);
	find_columns(f, d, 0, 100, 3, counts);
	assert_int_equal(counts[0] + counts[1] + counts[2], 0);
	find_free(f);
	p.cancel = true;
	assert_null(find_new(d, re, tracks, TRACKS, &p));
	f = find_new(d, re, tracks, 0, NULL);
	assert_int_equal(f->hits, 0);
	same(find_step(f, d, 5, nowhere, 1), nowhere);
	find_free(f);
	find_free(NULL);
	regex_free(re);
	dump_close(d);
}

/* "all-reduce.9" is in the file, but not on a searched track. */
static void names_that_do_not_occur(void **state)
{
	struct dump *d = make(3000, 5);
	struct find *f = search(d, "\\.[19]$");

	(void)state;
	assert_int_equal(f->names, 2); /* fusion.1, all-reduce.1 */
	find_free(f);
	dump_close(d);
}

static void in_slices_as_at_once(void **state)
{
	struct dump *d = make(3000, 5);
	struct err err = { .status = 0 };
	struct regex *re = regex_new("fusion", REGEX_SMART_CASE, &err);
	struct find *a = search(d, "fusion"), *b = find_names(d, re, tracks, TRACKS);
	int slices = 0;

	(void)state;
	while (find_more(b, d, 0))
		slices++;
	assert_int_equal(slices, TRACKS - 1);
	assert_true(a->hits > 0);
	assert_int_equal(b->hits, a->hits);
	assert_int_equal(b->names, a->names);
	assert_int_equal(b->looked, b->total);
	for (int k = 0; k < TRACKS; k++)
		assert_int_equal(b->track_hits[k], a->track_hits[k]);
	same(find_step(b, d, 5, nowhere, 1), find_step(a, d, 5, nowhere, 1));
	assert_int_equal(find_more(b, d, 0), 0); /* calling it again does no harm */
	assert_int_equal(b->names, a->names);
	find_free(a);
	find_free(b);
	regex_free(re);
	dump_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_hits),
		cmocka_unit_test(in_slices_as_at_once),
		cmocka_unit_test(nothing),
		cmocka_unit_test(names_that_do_not_occur),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
