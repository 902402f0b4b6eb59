#include "config.h"
#include "core/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void *thread_main(void *arg)
{
	struct worker *w = arg;

	w->run(w->ctx);
	close(w->fd[1]);
	return NULL;
}

static int start_thread(struct worker *w)
{
	sigset_t all, old;
	int error;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	sigdelset(&all, SIGABRT);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&w->thread, NULL, thread_main, w);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return error;
}

int worker_start(struct worker *w, void (*run)(void *), void *ctx)
{
	int error;

	w->run = run;
	w->ctx = ctx;
	if (pipe2(w->fd, O_CLOEXEC | O_NONBLOCK))
		return errno;
	if ((error = start_thread(w))) {
		close(w->fd[0]);
		close(w->fd[1]);
	}
	return error;
}

void worker_wake(const struct worker *w)
{
	ssize_t unused = write(w->fd[1], "", 1); /* a pipe that is full wakes, too */

	(void)unused;
}

bool worker_ended(const struct worker *w)
{
	char woken[64];
	ssize_t n;

	do
		n = read(w->fd[0], woken, sizeof woken);
	while (n > 0 || (n < 0 && errno == EINTR));
	return !n;
}

void worker_join(struct worker *w)
{
	pthread_join(w->thread, NULL);
	close(w->fd[0]);
}

bool worker_join_within(struct worker *w, int ms)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += ms % 1000 * 1000000L;
	if (until.tv_nsec >= 1000000000L) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000L;
	}
	if (pthread_timedjoin_np(w->thread, NULL, &until)) {
		pthread_detach(w->thread);
		return false;
	}
	close(w->fd[0]);
	return true;
}
