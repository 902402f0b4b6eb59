/* What a window of a large table shows is read while the rest is loaded. */
#include "config.h"

#include "core/load/scout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../lib/dumpcheck.h"
#include "../lib/mklevels.h"
#include "load/load.h"
#include "load/source/source.h"

#define EVENTS 900000         /* more than are shown of the whole run */
#define STEP INT64_C(5000000) /* ps between two of them */

static struct pb file;
static struct dump *whole;

/* What came last, and how often something came. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t came;
	int n;
	struct dump *dump;
	struct tracetable_window window;
} answer = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, NULL, { 0 } };

static void take_answer(void *ctx, const void *bytes, size_t n, const char *name,
    const struct tracetable_window *w)
{
	void *copy = malloc(n);
	struct dump *d;

	(void)ctx;
	if (!copy)
		abort();
	memcpy(copy, bytes, n);
	d = load_memory(copy, n, name, NULL, NULL);
	if (!d)
		abort();
	source_own(d->files[0].source);
	pthread_mutex_lock(&answer.lock);
	dump_close(answer.dump);
	answer.dump = d;
	answer.window = *w;
	answer.n++;
	pthread_cond_signal(&answer.came);
	pthread_mutex_unlock(&answer.lock);
}

static struct scout scout;

static void begin(void)
{
	answer.n = 0;
	scout = SCOUT_INIT;
	scout.show = take_answer;
	scout_table(&scout, "h.SSTABLE", file.b, file.n);
}

static void end(void)
{
	scout_end(&scout);
	dump_close(answer.dump);
	answer.dump = NULL;
}

/* also after a test that failed, whose thread would go on */
static int tear_down(void **state)
{
	(void)state;
	end();
	return 0;
}

/* Waits for the answer to the last question; one to an earlier one may come before. */
static void until_answered(int64_t t0, int64_t t1)
{
	struct timespec late;
	int refused = 0;

	clock_gettime(CLOCK_REALTIME, &late);
	late.tv_sec += 60;
	pthread_mutex_lock(&answer.lock);
	while (!refused &&
	    !(answer.n && answer.window.t0 <= (uint64_t)t0 && answer.window.t1 >= (uint64_t)t1 &&
		answer.window.t1 - answer.window.t0 <= 3 * (uint64_t)(t1 - t0)))
		refused = pthread_cond_timedwait(&answer.came, &answer.lock, &late);
	pthread_mutex_unlock(&answer.lock);
	assert_int_equal(refused, 0);
}

static void check_window(int64_t t0, int64_t t1, bool all)
{
	uint64_t sum, expected, n;

	scout_want(&scout, t0, t1);
	until_answered(t0, t1);
	assert_null(dump_check(answer.dump));
	assert_int_equal(answer.window.all, all);
	n = events_in(whole, t0, t1, all ? 0 : INT64_C(1000000000), &expected);
	assert_int_equal(events_in(answer.dump, t0, t1, all ? 0 : INT64_C(1000000000), &sum), n);
	assert_int_equal(sum, expected);
	assert_true(answer.dump->trace.events < EVENTS);
}

static void all_of_a_window(void **state)
{
	(void)state;
	begin();
	check_window(5000 * STEP, 6000 * STEP, true);
	assert_true(answer.window.t0 <= (uint64_t)4000 * STEP); /* as much on either side */
	assert_true(answer.window.t1 >= (uint64_t)7000 * STEP);
	check_window(0, 10 * STEP, true);
	check_window(200000 * STEP, 200000 * STEP + 1, true);
	check_window(100000 * STEP, 290000 * STEP, true); /* three times that is too much */
	assert_int_equal(answer.window.t1 - answer.window.t0, (uint64_t)190000 * STEP);
	check_window(10000 * STEP, 730000 * STEP, false);
	end();
}

static void last_question_counts(void **state)
{
	(void)state;
	begin();
	for (int64_t i = 0; i < 1000; i++)
		scout_want(&scout, i * 100 * STEP, (i * 100 + 50) * STEP);
	until_answered(99900 * STEP, 99950 * STEP);
	assert_true(answer.n < 1000);
	end();
}

/* The bytes may go while they are read: that waits. */
static void table_goes(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		uint8_t *copy = malloc(file.n);

		assert_non_null(copy);
		memcpy(copy, file.b, file.n);
		begin();
		scout_table(&scout, "h.SSTABLE", copy, file.n);
		scout_want(&scout, i * 1000 * STEP, (i * 1000 + 500) * STEP);
		if (i % 2)
			nanosleep(&(struct timespec){ .tv_nsec = i * 1000000 }, NULL);
		scout_gone(&scout);
		free(copy);
		scout_want(&scout, 0, STEP);
		end();
		scout_want(&scout, 0, STEP);
	}
}

static void nothing_to_do(void **state)
{
	(void)state;
	scout = SCOUT_INIT;
	scout_want(&scout, 5, 5);
	scout_want(&scout, 5, 10);
	scout_gone(&scout);
	scout_end(&scout);
	scout = SCOUT_INIT;
	scout_end(&scout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(all_of_a_window, tear_down),
		cmocka_unit_test_teardown(last_question_counts, tear_down),
		cmocka_unit_test_teardown(table_goes, tear_down),
		cmocka_unit_test_teardown(nothing_to_do, tear_down),
	};
	int failed;

	file = levels_table(true, EVENTS, 40);
	whole = load_memory(file.b, file.n, "h.SSTABLE", NULL, NULL);
	if (!whole)
		return 99;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	dump_close(whole);
	pb_free(&file);
	return failed;
}
