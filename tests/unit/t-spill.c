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
#include "model/dump.h"
#include "model/lod.h"
#include "model/trace.h"

/* Events, of 14 bytes and more; the cap is 64 MiB.  What is made in memory takes up to 21 of them, and 8 stay there. */
#define LOTS 4000000
#define SOME 400000

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

static struct track some_events(void)
{
	struct track t = { 0 };

	assert_true(track_grow(&t, SOME));
	while (t.n < SOME)
		put_event(&t, t.n);
	assert_null(t.spill);
	return t;
}

static void test_no_folder(void **state)
{
	struct track t = some_events(), other = some_events();

	(void)state;
	setenv("TMPDIR", "/nowhere/at/all", 1);
	assert_null(spill_new(1 << 20));
	assert_null(spill_copy("x", 1));
	assert_string_equal(spill_refusal(), "/nowhere/at/all: No such file or directory");
	assert_int_equal(track_nest(&t), 0);
	assert_null(t.spill); /* what cannot move stays */
	check_events(&t, SOME);
	track_free(&t);
	track_free(&other);
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

static void test_whole_columns_move(void **state)
{
	struct track t = some_events(), other = some_events(), few = { 0 };

	(void)state;
	setenv("TMPDIR", ".", 1);
	assert_int_equal(track_nest(&t), 0); /* both together take more than 8 MiB */
	assert_non_null(t.spill);
	check_events(&t, SOME);
	assert_int_equal(track_nest(&other), 0); /* now there is only one */
	assert_null(other.spill);
	track_set_meta(&t, 1, UINT32_MAX); /* which needs another width */
	assert_int_equal(track_meta(&t, 1), UINT32_MAX);
	track_set_meta(&t, 1, 1);
	check_events(&t, SOME);
	assert_true(track_grow(&few, 10));
	put_event(&few, 0);
	assert_int_equal(track_nest(&few), 0);
	assert_null(few.spill);
	track_free(&few);
	track_free(&other);
	track_free(&t);
}

static void compare_sums(const struct track *a, const struct track *b, const uint8_t *class)
{
	for (int64_t from = -5; from < 3 * SOME; from += 997) {
		int64_t x[CLASS_COUNT], y[CLASS_COUNT];

		lod_sum(a, class, from, from + 5000, x);
		lod_sum(b, class, from, from + 5000, y);
		assert_memory_equal(x, y, sizeof x);
	}
}

static void test_whole_index_moves(void **state)
{
	static const uint8_t class[7] = { 0, 1, 2, 3, 0, 1, 2 };
	struct track t = some_events(), moved = some_events();

	(void)state;
	assert_int_equal(track_nest(&t), 0); /* goes to the file, and the other one stays */
	assert_int_equal(track_nest(&moved), 0);
	assert_int_equal(lod_build(&t, class), 0);
	assert_null(t.lod->spill);
	spill_counts((size_t)8 << 20, 0);
	assert_int_equal(lod_build(&moved, class), 0);
	spill_counts(0, (size_t)8 << 20);
	assert_non_null(moved.lod->spill);
	compare_sums(&t, &moved, class);
	track_free(&moved);
	track_free(&t);
}

static struct spill *filled(size_t n, int with)
{
	struct spill *s = spill_room(n);

	memset(spill_bytes(s), with, n);
	return s;
}

static int first_of(const struct spill *s)
{
	return *(const uint8_t *)spill_bytes(s);
}

/* Arrays that are gone leave their room to others, joined with what is free beside it. */
static void test_room_is_used_again(void **state)
{
	const size_t n = 1 << 16;
	struct spill *s[6], *large;

	(void)state;
	for (int i = 0; i < 6; i++)
		s[i] = filled(n, i + 1);
	spill_free(s[1]);
	spill_free(s[3]);
	spill_free(s[2]);
	large = spill_room(3 * n);
	assert_int_equal(first_of(large), 2);
	spill_free(large);
	s[1] = spill_room(n);
	assert_int_equal(first_of(s[1]), 2);
	s[2] = spill_room(2 * n);
	assert_int_equal(first_of(s[2]), 3);
	s[3] = spill_room(n);
	assert_int_equal(first_of(s[3]), 0);
	for (int i = 0; i < 6; i++)
		if (i == 0 || i > 3)
			assert_int_equal(first_of(s[i]), i + 1);
	for (int i = 0; i < 6; i++)
		spill_free(s[i]);
	s[0] = spill_room(n);
	assert_int_equal(first_of(s[0]), 0);
	spill_free(s[0]);
}

/* In memory as long as there is some. */
static void test_made_somewhere(void **state)
{
	const size_t small = (size_t)9 << 20, large = (size_t)22 << 20;
	struct spill *a, *b, *c;
	uint64_t before = mem_refusals();
	uint8_t *p = spill_make(small, small, &a), *q = spill_make(large, large, &b), *r;

	(void)state;
	assert_null(a);
	assert_non_null(b);
	p[small - 1] = q[large - 1] = 1;
	r = spill_make(large, 0, &c); /* takes the place of others */
#ifndef ENABLE_SANITIZE               /* the memory of the machine is not limited */
	assert_non_null(c);
#endif
	r[large - 1] = 1;
	spill_drop(p, small, a);
	spill_drop(q, large, b);
	spill_drop(r, large, c);
	spill_drop(NULL, 0, NULL);
	assert_int_equal(mem_refusals(), before);
}

static void test_copy(void **state)
{
	enum { N = 3000001 }; /* more than is written at once */
	uint8_t *bytes = malloc(N);
	struct spill *s;

	(void)state;
	for (size_t i = 0; i < N; i++)
		bytes[i] = (uint8_t)(i * 7 ^ i >> 12);
	s = spill_copy(bytes, N);
	assert_memory_equal(spill_bytes(s), bytes, N);
	spill_free(s);
	s = spill_room(N);
	memset(spill_bytes(s), 1, N); /* what was there before is gone */
	assert_true(spill_write(s, 1234567, bytes + 1234567, N - 1234567, SPILL_PICKED));
	assert_true(spill_write(s, 0, bytes, 1234567, SPILL_SCANNED));
	assert_memory_equal(spill_bytes(s), bytes, N);
	spill_free(s);
	free(bytes);
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
	*(char *)spill_bytes(s) = 1;
	spill_free(s);
	spill_free(NULL);
	assert_false(spill_wanted(1000));
	assert_true(spill_wanted((size_t)9 << 20));
	assert_false(spill_due((size_t)64 << 20)); /* nothing is in memory */
}

/* Without --memory, by the bytes of what is loaded.  The first test: the others have little memory. */
static void test_usual_room(void **state)
{
	const bool enough = memcap_bytes() >= (uint64_t)2 << 30;

	(void)state;
	spill_expect((uint64_t)511 << 20);
	assert_false(spill_large());
	assert_false(enough && spill_wanted((size_t)140 << 20));
	spill_expect((uint64_t)512 << 20);
	assert_true(spill_large());
	assert_false(enough && spill_wanted((size_t)120 << 20));
	assert_true(spill_wanted((size_t)140 << 20));
	memcap_set((uint64_t)16 << 30); /* the user wants it so */
	assert_false(spill_wanted((size_t)140 << 20));
	spill_expect(0);
	memcap_set(MEMCAP_LEAST);
}

static uint64_t gone_from, gone_to;

static void note_gone(struct source *s, uint64_t from, uint64_t to)
{
	assert_null(s);
	gone_from = from;
	gone_to = to;
}

static void test_large_captures_are_let_go(void **state)
{
	struct track t = some_events();
	struct file f = { .forget = note_gone };
	const struct dump d = { .files = &f, .nfiles = 1, .trace = { .tracks = &t, .ntracks = 1 } };

	(void)state;
	dump_let_go(&d, 0);
	assert_int_equal(gone_to, 0);
	spill_expect((uint64_t)1 << 30);
	dump_let_go(&d, 1); /* has no events */
	assert_int_equal(gone_to, 0);
	dump_let_go(&d, 0);
	assert_int_equal(gone_from, args_of(0));
	assert_int_equal(gone_to, args_of(SOME - 1));
	spill_expect(0);
	track_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usual_room),
		cmocka_unit_test(test_large_captures_are_let_go),
		cmocka_unit_test(test_no_folder),
		cmocka_unit_test(test_columns_move_and_stay),
		cmocka_unit_test(test_whole_columns_move),
		cmocka_unit_test(test_whole_index_moves),
		cmocka_unit_test(test_room_is_used_again),
		cmocka_unit_test(test_made_somewhere),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_nothing_is_lost_by_what_was_kept),
	};

	return cmocka_run_group_tests_name("spill", tests, NULL, NULL);
}
