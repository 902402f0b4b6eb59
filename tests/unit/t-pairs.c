/* Marks that are joined as they come give the same durations as marks that are all sorted first. */
#include "config.h"

#include "load/build/builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"

enum { MARKS = 60, TIMES = 25, END = 1000 };

static unsigned state = 1;

static unsigned random_of(unsigned n)
{
	state = state * 1103515245 + 12345;
	return (state >> 16) % n;
}

struct pair_case {
	struct build_track joined, sorted;
	struct build_paired said, said_sorted;
};

static void add(struct pair_case *c, int64_t ts, bool begins, bool instant)
{
	uint32_t event = (uint32_t)c->joined.t.n;
	struct build_track *k = &c->sorted;

	if (begins || instant) {
		assert_true(track_add(&c->joined.t, ts, 0, 0, 1));
		assert_true(track_add(&c->sorted.t, ts, 0, 0, 1));
	}
	if (instant)
		return;
	build_mark(&c->joined, ts, begins ? event : UINT32_MAX);
	VEC_PUSH(k->marks, k->nmarks, k->marks_cap);
	k->marks[k->nmarks] = (struct build_mark){
		.ts = ts,
		.event = begins ? event : UINT32_MAX,
		.seq = (uint32_t)k->nmarks,
	};
	k->nmarks++;
}

/* Times go on, many are equal, and now and then one goes back. */
static void make(struct pair_case *c, unsigned back)
{
	int64_t ts = 100;

	*c = (struct pair_case){ .said = { 0 } };
	assert_true(track_reserve(&c->joined.t, MARKS) && track_reserve(&c->sorted.t, MARKS));
	for (int i = 0; i < MARKS; i++) {
		ts += random_of(3);
		if (back && !random_of(back))
			ts -= random_of(TIMES);
		add(c, ts, random_of(2), !random_of(8));
	}
}

static void drop(struct pair_case *c)
{
	free(c->joined.marks);
	free(c->sorted.marks);
	track_free(&c->joined.t);
	track_free(&c->sorted.t);
}

static void check(struct pair_case *c)
{
	build_pair(&c->joined, END, &c->said);
	build_pair(&c->sorted, END, &c->said_sorted);
	assert_int_equal(c->said.unopened, c->said_sorted.unopened);
	assert_int_equal(c->said.unclosed, c->said_sorted.unclosed);
	for (size_t i = 0; i < c->joined.t.n; i++) {
		assert_int_equal(track_start(&c->joined.t, i), track_start(&c->sorted.t, i));
		assert_int_equal(track_dur(&c->joined.t, i), track_dur(&c->sorted.t, i));
	}
}

static void in_any_order(void **unused)
{
	struct pair_case c;

	(void)unused;
	for (int i = 0; i < 20000; i++) {
		make(&c, (unsigned)i % 4 * 10);
		check(&c);
		drop(&c);
	}
}

/* In the order of time only what is open takes memory. */
static void in_order(void **unused)
{
	struct pair_case c = { .said = { 0 } };

	(void)unused;
	assert_true(track_reserve(&c.joined.t, 3000) && track_reserve(&c.sorted.t, 3000));
	for (int i = 0; i < 1000; i++) {
		add(&c, 10 * i, true, false);
		add(&c, 10 * i, false, true);
		add(&c, 10 * i + 5, false, false);
	}
	assert_int_equal(c.joined.nmarks, 0);
	check(&c);
	drop(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_any_order),
		cmocka_unit_test(in_order),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
