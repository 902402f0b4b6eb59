#include "config.h"

#include "base/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#define POOL_THREADS_MAX 16

struct pool {
	size_t n;
	void (*fn)(void *ctx, size_t i);
	void *ctx;
	_Atomic size_t next;
};

int pool_default_threads(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > POOL_THREADS_MAX ? POOL_THREADS_MAX : (int)n;
}

static void *run_jobs(void *arg)
{
	struct pool *p = arg;
	size_t i;

	while ((i = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed)) < p->n)
		p->fn(p->ctx, i);
	return NULL;
}

/* Leaves signals such as resizes and interrupts to the thread that owns the screen; faults stay with the
 * thread that caused them. */
static void block_signals(sigset_t *old)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		sigdelset(&set, faults[i]);
	pthread_sigmask(SIG_BLOCK, &set, old);
}

void pool_run(int threads, size_t n, void (*fn)(void *ctx, size_t i), void *ctx)
{
	struct pool p = { .n = n, .fn = fn, .ctx = ctx };
	pthread_t helper[POOL_THREADS_MAX - 1];
	int started = 0, want = threads > POOL_THREADS_MAX ? POOL_THREADS_MAX : threads;
	sigset_t old;

	if (want > 1 && n > 1) {
		if ((size_t)want > n)
			want = (int)n;
		block_signals(&old);
		/* Failing to create a thread is not an error: the ones that run do all the jobs. */
		while (started < want - 1 && !pthread_create(&helper[started], NULL, run_jobs, &p))
			started++;
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	}
	run_jobs(&p);
	for (int i = 0; i < started; i++)
		pthread_join(helper[i], NULL);
}
