#include "config.h"

#include "base/spill/spill.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/memcap.h"
#include "model/trace.h"

#define LOTS 2000000 /* events: 52 MB of columns, of a cap of 64 MiB */

/* in the second half beyond 4 GiB */
static uint64_t args_of(size_t i)
{
	return (i < LOTS / 2 ? 0 : (uint64_t)(i % 5) << 32) | (i + 1);
}

static void put_event(struct track *t, size_t i)
{
	assert_true(track_add(t, (int64_t)i * 3, 2, (uint32_t)(i % 7), args_of(i)));
}

static void check_events(const struct track *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (track_start(t, i) != (int64_t)i * 3 || track_dur(t, i) != 2 ||
		    track_meta(t, i) != i % 7 || track_args(t, i) != args_of(i))
			fail_msg("event %zu is another one", i);
}

static void test_no_folder(void **state)
{
	(void)state;
	setenv("TMPDIR", "/nowhere/at/all", 1);
	assert_null(spill_new(1 << 20));
	assert_string_equal(spill_refusal(), "/nowhere/at/all: No such file or directory");
}

static void test_columns_move_and_stay(void **state)
{
	struct track t = { 0 };

	(void)state;
	setenv("TMPDIR", ".", 1);
	assert_true(track_grow(&t, 1000));
	assert_null(t.spill); /* few events stay in memory */
	while (t.n < 1000)
		put_event(&t, t.n);
	assert_true(track_grow(&t, LOTS / 2));
	assert_non_null(t.spill);
	while (t.n < LOTS / 2)
		put_event(&t, t.n);
	assert_true(track_grow(&t, LOTS));
	while (t.n < LOTS)
		put_event(&t, t.n);
	check_events(&t, LOTS);
	t.n = LOTS / 4;
	track_trim(&t);
	assert_true(t.cap < LOTS / 2);
	check_events(&t, LOTS / 4);
	assert_int_equal(track_nest(&t), 0);
	assert_int_equal(t.rows, 1);
	track_free(&t);
	assert_null(t.spill);
}

/* What is kept for things that cannot be refused is no loss when they take it. */
static void test_nothing_is_lost_by_what_was_kept(void **state)
{
#ifndef ENABLE_SANITIZE
	uint64_t before = mem_refusals();
	void *p = xmalloc((size_t)40 << 20);

	memset(p, 1, (size_t)40 << 20);
	assert_int_equal(mem_refusals(), before);
	free(p);
#endif
	(void)state;
}

static void test_empty(void **state)
{
	struct spill *s = spill_new(1);

	(void)state;
	assert_int_equal(*(char *)spill_bytes(s), 0);
	spill_free(s);
	spill_free(NULL);
	assert_false(spill_wanted(1000));
	assert_true(spill_wanted((size_t)64 << 20));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_folder),
		cmocka_unit_test(test_columns_move_and_stay),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_nothing_is_lost_by_what_was_kept),
	};

	memcap_set(MEMCAP_LEAST);
	return cmocka_run_group_tests_name("spill", tests, NULL, NULL);
}
