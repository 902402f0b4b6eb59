/* The index compared with sums over the raw events: random tracks of every shape, random windows, every row
 * and the innermost one. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "model/lod.h"
#include "../lib/mktrace.h"

#define METAS 40
#define COLUMNS 37

static uint8_t meta_class[METAS];

static void put(struct track *t, int64_t start, int64_t dur)
{
	assert_true(track_grow(t, t->n + 1) && track_add(t, start, dur, (uint32_t)rnd(METAS), 0));
}

/* Children inside [from, to), nested to `depth`. */
static void nest(struct track *t, int64_t from, int64_t to, int depth, size_t want)
{
	int64_t at = from;

	while (at < to && t->n < want) {
		int64_t d = rnd(9) ? (int64_t)rnd((uint64_t)(to - at) / (1 + rnd(12)) + 1) : 0;

		put(t, at, d);
		if (depth && d > 3 && rnd(3))
			nest(t, at + (int64_t)rnd(2), at + d - (int64_t)rnd(2), depth - 1, want);
		at += d + (rnd(3) ? 0 : (int64_t)rnd(40));
	}
}

static struct track *make(int kind, size_t n)
{
	struct track *t = xcalloc(1, sizeof *t);
	int64_t at = -(int64_t)rnd(1000);

	while (t->n < n) {
		int64_t len = 1 + (int64_t)rnd(rnd(20) ? 300 : 30000);

		if (kind == 0) /* flat */
			put(t, at, rnd(5) ? len : 0);
		else if (kind == 1) /* nested */
			nest(t, at, at + len, (int)rnd(6), n);
		else if (kind == 2) /* overlapping */
			put(t, at - (int64_t)rnd(500), len);
		else if (kind == 3) /* overlapping nests */
			nest(t, at - (int64_t)rnd(200), at + len, (int)rnd(3), n);
		else if (kind == 4) /* one long event around many small ones, then a gap */
			nest(t, at, at + len * 50, 1, n);
		else { /* the same, but regular: many equal lengths, long ones of all lengths */
			size_t inside = rnd(4) ? rnd(5) : rnd(150);

			put(t, at, len = 10 * (int64_t)inside + (int64_t)rnd(10));
			for (size_t i = 0; i < inside && t->n < n; i++)
				put(t, at + 10 * (int64_t)i, rnd(300) ? 1 + (int64_t)rnd(4) : 8);
			len += 10 - len % 10;
		}
		at += len + (rnd(4) ? 0 : (int64_t)rnd(rnd(30) ? 50 : 1000000000));
	}
	track_nest(t);
	assert_int_equal(lod_build(t, meta_class), 0);
	return t;
}

static int64_t inside(const struct track *t, size_t i, int64_t a, int64_t b)
{
	int64_t s = track_start(t, i) > a ? track_start(t, i) : a,
		e = track_end(t, i) < b ? track_end(t, i) : b;

	return e > s ? e - s : 0;
}

static bool begins(const struct track *t, size_t i, int64_t a, int64_t b)
{
	return track_start(t, i) >= a && track_start(t, i) < b;
}

static void check_row(const struct track *t, int row, int64_t a, int64_t b, const struct lod_cell *c,
    bool alone)
{
	int64_t busy[CLASS_COUNT] = { 0 }, total = 0, best = -1, best_dur = -1;
	uint32_t big = 0, count = 0, long_ones = 0;

	for (size_t i = 0; i < t->n; i++) {
		int64_t d = inside(t, i, a, b);

		if (track_row(t, i) != row || (!d && !begins(t, i, a, b)))
			continue;
		busy[META_CLASS(meta_class[track_meta(t, i)])] += d;
		total += d;
		count += begins(t, i, a, b);
		long_ones += begins(t, i, a, b) && track_dur(t, i);
		if (d > best || (d == best && track_dur(t, i) > best_dur)) {
			best = d;
			best_dur = track_dur(t, i);
			big = (uint32_t)i + 1;
		}
	}
	assert_memory_equal(busy, c->busy, sizeof busy);
	assert_int_equal(total, c->total);
	if (!alone && (b - a) / 4 > t->lod->longest)
		big = 0, best = 0;
	assert_int_equal(big, c->big);
	assert_int_equal(best < 0 ? 0 : best, c->big_len);
	assert_int_equal(count > 0, c->begins > 0);
	if (long_ones > 1)
		assert_int_equal(c->begins, 2);
	if (count == 1)
		assert_int_equal(c->begins, 1);
}

/* Every moment belongs to the open event that began last: paints the events over all moments where anything
 * changes. */
static void check_inner(const struct track *t, int64_t a, int64_t b, const int64_t *busy, int64_t total,
    uint64_t count)
{
	int64_t want[CLASS_COUNT] = { 0 }, sum = 0, at = a;
	uint64_t n = 0;

	while (at < b) {
		int64_t next = b;
		size_t top = t->n;

		for (size_t i = 0; i < t->n && track_start(t, i) < next; i++) {
			if (track_start(t, i) > at && track_start(t, i) < next)
				next = track_start(t, i);
			if (track_start(t, i) <= at && track_end(t, i) > at)
				top = i;
		}
		if (top < t->n) {
			if (track_end(t, top) < next)
				next = track_end(t, top);
			want[META_CLASS(meta_class[track_meta(t, top)])] += next - at;
			sum += next - at;
		}
		at = next;
	}
	for (size_t i = 0; i < t->n; i++)
		n += begins(t, i, a, b);
	assert_memory_equal(want, busy, sizeof want);
	assert_int_equal(sum, total);
	assert_int_equal(n, count);
}

static void check_window(const struct track *t, int64_t t0, int64_t step, bool inner)
{
	int rows = t->rows + 1, row0 = (int)rnd((uint64_t)rows), some = 1 + (int)rnd((uint64_t)(rows - row0));
	struct lod_cell *all = xcalloc((size_t)rows * COLUMNS, sizeof *all),
			*part = xcalloc((size_t)some * COLUMNS, sizeof *part);

	lod_columns(t, meta_class, t0, step, COLUMNS, 0, rows, all);
	for (int r = 0; r < t->rows; r++)
		for (int k = 0; k < COLUMNS; k++)
			check_row(t, r, t0 + k * step, t0 + (k + 1) * step, &all[r * COLUMNS + k], false);
	for (int k = 0; inner && k < COLUMNS; k++) {
		const struct lod_cell *c = &all[t->rows * COLUMNS + k];

		check_inner(t, t0 + k * step, t0 + (k + 1) * step, c->busy, c->total, c->begins);
		assert_int_equal(c->big, 0);
	}
	lod_columns(t, meta_class, t0, step, COLUMNS, row0, some, part);
	for (int r = 0; r < t->rows; r++) {
		lod_columns(t, meta_class, t0, step, 1, r, 1, &all[r]);
		check_row(t, r, t0, t0 + step, &all[r], true);
	}
	lod_columns(t, meta_class, t0, step, COLUMNS, 0, rows, all);
	assert_memory_equal(part, all + row0 * COLUMNS, (size_t)some * COLUMNS * sizeof *part);
	free(all);
	free(part);
}

static void check_sum(const struct track *t, int64_t a, int64_t b)
{
	int64_t busy[CLASS_COUNT], total = 0;
	uint64_t n = 0;

	lod_sum(t, meta_class, a, b, busy);
	for (int c = 0; c < CLASS_COUNT; c++)
		total += busy[c];
	for (size_t i = 0; i < t->n; i++)
		n += begins(t, i, a, b);
	check_inner(t, a, b, busy, total, n);
}

static void check_open(const struct track *t, int64_t at)
{
	for (int r = 0; r < t->rows; r++) {
		uint32_t want = 0;

		for (size_t i = 0; i < t->n; i++)
			if (track_row(t, i) == r && track_start(t, i) <= at && track_end(t, i) > at)
				want = (uint32_t)i + 1;
		assert_int_equal(lod_open(t, r, at), want);
	}
	assert_int_equal(lod_open(t, t->rows, at), 0);
}

static void random_tracks(void **state)
{
	static const size_t sizes[] = { 1, 2, 31, 32, 33, 500, 2500 };

	(void)state;
	for (int m = 0; m < METAS; m++)
		meta_class[m] = (uint8_t)(rnd(CLASS_COUNT) | (rnd(5) ? 0 : META_CONTAINER));
	for (int kind = 0; kind < 6; kind++)
		for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
			struct track *t = make(kind, sizes[s]);
			int64_t span = t->last - t->first;

			for (int w = 0; w < 20; w++) {
				int64_t step = 1 + (int64_t)rnd((uint64_t)(span >> rnd(20)) / 2 + 1);
				int64_t t0 = rnd(2) ? t->first - 50 + (int64_t)rnd((uint64_t)span + 100)
						    : track_start(t, rnd(t->n)) - step * (int64_t)rnd(5);

				check_window(t, w < 2 ? t->first : t0, w < 2 ? span / COLUMNS + 1 : step,
				    w < 4);
				check_sum(t, t0, t0 + step * (int64_t)rnd(COLUMNS));
				check_open(t, t0);
			}
			check_open(t, track_start(t, t->n / 2));
			track_free(t);
			free(t);
		}
}

/* A column does not depend on the columns left of it. */
static void columns_do_not_depend_on_the_view(void **state)
{
	struct track *t = make(1, 4000);
	int64_t step = (t->last - t->first) / 100 + 1;
	struct lod_cell *a = xcalloc((size_t)t->rows * 100, sizeof *a),
			*b = xcalloc((size_t)t->rows * 60, sizeof *b);

	(void)state;
	lod_columns(t, meta_class, t->first, step, 100, 0, t->rows, a);
	lod_columns(t, meta_class, t->first + 40 * step, step, 60, 0, t->rows, b);
	for (int r = 0; r < t->rows; r++)
		assert_memory_equal(a + r * 100 + 40, b + r * 60, 60 * sizeof *a);
	free(a);
	free(b);
	track_free(t);
	free(t);
}

static void extremes(void **state)
{
	struct track *t = xcalloc(1, sizeof *t);
	struct lod_cell c[4];
	int64_t busy[CLASS_COUNT];

	(void)state;
	assert_int_equal(lod_build(t, meta_class), 0);
	lod_columns(t, meta_class, 0, 1, 4, 0, 1, c);
	for (int k = 0; k < 4; k++)
		assert_int_equal(c[k].total + c[k].big + c[k].begins, 0);
	lod_sum(t, meta_class, INT64_MIN, INT64_MAX, busy);
	assert_int_equal(busy[0], 0);
	assert_int_equal(lod_open(t, 0, 0), 0);

	put(t, 10, 5);
	track_nest(t);
	assert_int_equal(lod_build(t, meta_class), 0);
	lod_columns(t, meta_class, 0, INT64_MAX / 2, 4, 0, 2, (struct lod_cell[8]){ 0 });
	lod_columns(t, meta_class, INT64_MAX - 2, INT64_MAX, 4, 0, 1, c);
	assert_int_equal(c[0].total, 0);
	lod_sum(t, meta_class, INT64_MIN, INT64_MAX, busy);
	assert_int_equal(busy[META_CLASS(meta_class[track_meta(t, 0)])], 5);
	lod_sum(t, meta_class, 12, 12, busy);
	assert_int_equal(busy[META_CLASS(meta_class[track_meta(t, 0)])], 0);
	assert_int_equal(lod_open(t, 0, INT64_MAX), 0);
	assert_int_equal(lod_open(t, 0, 14), 1);
	assert_int_equal(lod_open(t, 0, 15), 0);
	track_free(t);
	free(t);
}

/* Events without a free row share the last one: its values are approximate, all others are exact. */
static void more_rows_than_there_are(void **state)
{
	(void)state;
	for (int kind = 0; kind < 2; kind++) {
		struct track *t = xcalloc(1, sizeof *t);
		struct lod_cell *c;

		for (int i = 0; i < 400; i++)
			put(t, i, kind ? 1000 : 2000 - 2 * i);
		track_nest(t);
		assert_int_equal(t->rows, TRACK_ROWS_MAX);
		assert_int_equal(lod_build(t, meta_class), 0);
		c = xcalloc((size_t)(t->rows + 1) * COLUMNS, sizeof *c);
		lod_columns(t, meta_class, -10, 60, COLUMNS, 0, t->rows + 1, c);
		for (int r = 0; r < t->rows - 1; r++)
			for (int k = 0; k < COLUMNS; k++)
				check_row(t, r, -10 + k * 60, 50 + k * 60, &c[r * COLUMNS + k], false);
		for (int k = 0; k < 2 * COLUMNS; k++) {
			const struct lod_cell *cell = &c[(t->rows - 1) * COLUMNS + k];

			assert_true(cell->total >= 0 && cell->big_len <= 60);
			for (int i = 0; i < CLASS_COUNT; i++)
				assert_true(cell->busy[i] >= 0);
		}
		free(c);
		track_free(t);
		free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_tracks),
		cmocka_unit_test(columns_do_not_depend_on_the_view),
		cmocka_unit_test(extremes),
		cmocka_unit_test(more_rows_than_there_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
