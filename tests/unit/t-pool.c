#include "config.h"

#include "base/pool.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define JOBS 5000

struct jobs {
	_Atomic int runs[JOBS];
	_Atomic size_t begun;
	size_t begin_order[JOBS];
	pthread_t caller;
	_Atomic bool other_thread, signal_open;
};

static void job(void *ctx, size_t i)
{
	struct jobs *j = ctx;
	sigset_t set;

	j->begin_order[atomic_fetch_add(&j->begun, 1)] = i;
	atomic_fetch_add(&j->runs[i], 1);
	if (!pthread_equal(pthread_self(), j->caller)) {
		j->other_thread = true;
		pthread_sigmask(SIG_BLOCK, NULL, &set);
		if (!sigismember(&set, SIGINT) || !sigismember(&set, SIGWINCH) || sigismember(&set, SIGSEGV))
			j->signal_open = true;
	}
}

static void check_each_once(int threads, size_t n)
{
	static struct jobs j;

	memset(&j, 0, sizeof j);
	j.caller = pthread_self();
	pool_run(threads, n, job, &j);
	assert_int_equal(j.begun, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(j.runs[i], 1);
	if (threads <= 1) {
		assert_false(j.other_thread);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(j.begin_order[i], i);
	}
	assert_false(j.signal_open);
}

static void test_each_job_once(void **state)
{
	static const int threads[] = { -1, 0, 1, 2, 3, 16, 1000 };

	(void)state;
	for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
		check_each_once(threads[i], 0);
		check_each_once(threads[i], 1);
		check_each_once(threads[i], 2);
		check_each_once(threads[i], JOBS);
	}
}

struct pair {
	pthread_barrier_t meet;
};

static void meet(void *ctx, size_t i)
{
	struct pair *p = ctx;

	(void)i;
	pthread_barrier_wait(&p->meet);
}

/* Only finishes if two jobs run at the same time. */
static void test_jobs_run_side_by_side(void **state)
{
	struct pair p;

	(void)state;
	pthread_barrier_init(&p.meet, NULL, 2);
	pool_run(2, 2, meet, &p);
	pthread_barrier_destroy(&p.meet);
}

static void test_callers_signals_are_kept(void **state)
{
	sigset_t before, after;

	(void)state;
	pthread_sigmask(SIG_BLOCK, NULL, &before);
	check_each_once(4, 100);
	pthread_sigmask(SIG_BLOCK, NULL, &after);
	for (int s = 1; s < 32; s++)
		assert_int_equal(sigismember(&before, s), sigismember(&after, s));
}

static void test_default(void **state)
{
	(void)state;
	assert_in_range(pool_default_threads(), 1, 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_job_once),
		cmocka_unit_test(test_jobs_run_side_by_side),
		cmocka_unit_test(test_callers_signals_are_kept),
		cmocka_unit_test(test_default),
	};

	return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
