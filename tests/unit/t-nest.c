#include "config.h"
#include "model/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/dumpcheck.h"

struct ev {
	int64_t start, dur;
};

static struct track make(const struct ev *e, size_t n)
{
	struct track t = { .last = -1 };

	assert_true(track_grow(&t, n));
	for (size_t i = 0; i < n; i++)
		assert_true(track_add(&t, e[i].start, e[i].dur, 0, i + 1));
	return t;
}

#define MAKE(...) \
	make((const struct ev[]){ __VA_ARGS__ }, \
	    sizeof((const struct ev[]){ __VA_ARGS__ }) / sizeof(struct ev))

/* Checks the promises of trace.h for a single track. */
static void check(struct track *t)
{
	struct evmeta meta = { .len = 0 };
	struct dump d = { .trace = { .metas = &meta, .nmetas = 1 } };
	const char *wrong = dump_check_order(&d, t);

	if (!wrong)
		wrong = dump_check_rows(t);
	if (wrong)
		fail_msg("%s", wrong);
}

static void nothing(void **state)
{
	struct track t = { .n = 0 };

	(void)state;
	assert_int_equal(track_nest(&t), 0);
	assert_int_equal(t.rows, 0);
	assert_int_equal(t.open_max, 0);
	assert_true(t.first == 0 && t.last == -1);
	track_free(&t);
}

static void containment_is_depth(void **state)
{
	struct track t = MAKE({ 0, 100 }, { 0, 50 }, { 0, 10 }, { 10, 40 }, { 50, 50 }, { 100, 1 });
	const uint8_t depth[] = { 0, 1, 2, 2, 1, 0 };

	(void)state;
	assert_int_equal(track_nest(&t), 0);
	assert_memory_equal(t.depth, depth, sizeof depth);
	assert_null(t.lane);
	assert_int_equal(t.rows, 3);
	assert_int_equal(t.open_max, 3);
	assert_true(t.first == 0 && t.last == 101);
	check(&t);
	assert_int_equal(track_parent(&t, 3), 1);
	assert_int_equal(track_parent(&t, 4), 0);
	assert_int_equal(track_parent(&t, 5), t.n);
	assert_int_equal(track_self(&t, 0), 0);
	assert_int_equal(track_self(&t, 1), 0);
	assert_int_equal(track_self(&t, 2), 10);
	track_free(&t);
}

static void instants(void **state)
{
	struct track t = MAKE({ 0, 10 }, { 5, 0 }, { 5, 0 }, { 10, 0 }, { 10, 5 }, { 15, 0 });

	(void)state;
	track_nest(&t);
	check(&t);
	assert_int_equal(t.depth[1], 1);
	assert_int_equal(t.depth[2], 1); /* the previous one has ended */
	assert_int_equal(t.depth[3], 0); /* longer first */
	assert_int_equal(track_dur(&t, 3), 5);
	assert_int_equal(t.depth[4], 1);
	assert_int_equal(t.depth[5], 0);
	track_free(&t);
}

static void sorts_stably(void **state)
{
	struct track t = MAKE({ 50, 5 }, { 0, 10 }, { 0, 20 }, { 50, 5 }, { 0, 20 });
	const uint32_t order[] = { 3, 5, 2, 1, 4 }; /* args: places before, from 1 */

	(void)state;
	for (size_t i = 0; i < t.n; i++) /* beyond 4 GiB */
		track_set_args(&t, i, (uint64_t)(i + 101) << 32 | (i + 1));
	track_nest(&t);
	check(&t);
	for (size_t i = 0; i < t.n; i++)
		assert_true(track_args(&t, i) == ((uint64_t)(order[i] + 100) << 32 | order[i]));
	track_free(&t);
}

static void overlap_makes_lanes(void **state)
{
	struct track t = MAKE({ 0, 10 }, { 5, 10 }, { 8, 20 }, { 12, 2 }, { 30, 5 });

	(void)state;
	track_nest(&t);
	check(&t);
	assert_non_null(t.lane);
	assert_int_equal(t.nlanes, 3);
	assert_int_equal(t.open_max, 3);
	assert_int_equal(t.lane[0], 0);
	assert_int_equal(t.lane[1], 1);
	assert_int_equal(t.lane[2], 2);
	assert_int_equal(t.lane[3], 0); /* the first lane is free again */
	assert_int_equal(t.lane[4], 0);
	assert_int_equal(t.rows, 3);
	track_free(&t);
}

/* A lane gets deeper after later lanes were opened: rows are counted at the end. */
static void rows_of_lanes_do_not_mix(void **state)
{
	struct track t = MAKE({ 0, 100 }, { 50, 100 }, { 60, 10 }, { 61, 2 }, { 120, 10 });

	(void)state;
	track_nest(&t);
	check(&t);
	assert_int_equal(t.nlanes, 2);
	assert_int_equal(t.rows, 4);
	assert_int_equal(track_row(&t, 1), 3); /* lane 0 needs three rows */
	assert_int_equal(track_row(&t, 3), 2);
	assert_int_equal(track_row(&t, 4), 0);
	track_free(&t);
}

static void more_than_fits_shares_the_last_row(void **state)
{
	const size_t n = 600;
	struct ev *e = malloc(2 * n * sizeof *e);

	(void)state;
	for (int overlap = 0; overlap < 2; overlap++) {
		struct track t;

		for (size_t i = 0; i < n; i++)
			e[i] = (struct ev){ (int64_t)i, overlap ? 10000 : 10000 - 2 * (int64_t)i };
		e[n] = (struct ev){ 20000, 1 };
		t = make(e, n + 1);
		track_nest(&t);
		check(&t);
		assert_int_equal(t.rows, TRACK_ROWS_MAX);
		assert_int_equal(t.open_max, n);
		assert_int_equal(track_row(&t, n - 1), TRACK_ROWS_MAX - 1);
		assert_int_equal(track_row(&t, n), 0);
		track_free(&t);
	}
	free(e);
}

static void absurd_times_are_clipped(void **state)
{
	struct track t = MAKE({ INT64_MIN, 5 }, { 0, -3 }, { 10, INT64_MAX }, { INT64_MAX, 10 }, { 20, 1 });

	(void)state;
	assert_int_equal(track_nest(&t), 4);
	check(&t);
	assert_true(t.first == -TRACE_TIME_MAX && t.last == TRACE_TIME_MAX);
	assert_true(t.last - t.first > 0);
	assert_int_equal(track_nest(&t), 0);
	track_free(&t);
}

static uint64_t next(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

/* Random tracks of all shapes keep every promise, and open_max is exact. */
static void random_tracks(void **state)
{
	uint64_t s = 88172645463325252u;

	(void)state;
	for (int round = 0; round < 600; round++) {
		size_t n = next(&s) % 200;
		int64_t span = (int64_t)(next(&s) % 400) + 1, longest = (int64_t)(next(&s) % 60) + 1;
		struct ev *e = calloc(n + 1, sizeof *e);
		struct track t;
		int most = 0;

		for (size_t i = 0; i < n; i++)
			e[i] = (struct ev){ (int64_t)(next(&s) % (uint64_t)span),
				(int64_t)(next(&s) % (uint64_t)longest) + 1 };
		t = make(e, n);
		track_nest(&t);
		check(&t);
		for (size_t i = 0; i < n; i++) {
			int open = 0;

			for (size_t k = 0; k < n; k++)
				open += e[k].start <= e[i].start && e[k].start + e[k].dur > e[i].start;
			most = open > most ? open : most;
		}
		assert_int_equal(t.open_max, most);
		track_free(&t);
		free(e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing),
		cmocka_unit_test(containment_is_depth),
		cmocka_unit_test(instants),
		cmocka_unit_test(sorts_stably),
		cmocka_unit_test(overlap_makes_lanes),
		cmocka_unit_test(rows_of_lanes_do_not_mix),
		cmocka_unit_test(more_than_fits_shares_the_last_row),
		cmocka_unit_test(absurd_times_are_clipped),
		cmocka_unit_test(random_tracks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
