#include "config.h"
#include "core/loader.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyze/derive.h"
#include "analyze/prepare.h"
#include "base/mem.h"

#define ABANDON_MS 200

struct loader {
	pthread_t thread;
	int fd[2];			/* closed at the writing end when the work is over */
	struct app_options opt;		/* a copy: an abandoned thread outlives the app */
	struct load_options load;
	char *run;
	struct progress progress;
	/* by the user; progress.cancel is taken back for the parts that must be whole */
	_Atomic bool cancelled;
	struct timespec began;
	struct loaded out;
};

void loader_prepare(const struct app_options *o, const struct load_options *load, struct progress *p,
    struct loaded *out)
{
	progress_what(p, "finding steps");
	steps_find(out->dump, &out->steps, false);
	do {			/* a cancelled load is shown, so what was read must get its index */
		if (p)
			atomic_store(&p->cancel, false);
		progress_what(p, "indexing");
		prepare(out->dump, &out->clocks, o->clock, load->threads, p);
	} while (progress_cancelled(p));
	derive_memory_counters(out->dump);
}

void load_now(const struct app_options *o, const struct load_options *load, struct progress *p,
    struct loaded *out)
{
	*out = (struct loaded){ .err = { .at = ERR_NOWHERE } };
	if (o->sample)
		out->dump = load_memory(o->sample, o->sample_size, o->sample_name, load, &out->err);
	else
		out->dump = load_paths(o->paths, o->npaths, load, p, &out->err);
	if (out->dump)
		loader_prepare(o, load, p, out);
}

void loaded_free(struct loaded *l)
{
	if (!l->dump)
		return;
	steps_free(&l->steps);
	clock_free(&l->clocks);
	dump_close(l->dump);
	*l = (struct loaded){ .err = l->err };
}

static void *work(void *arg)
{
	struct loader *l = arg;

	load_now(&l->opt, &l->load, &l->progress, &l->out);
	close(l->fd[1]);
	return NULL;
}

/* Signals are the business of the thread of the screen; those that a fault raises come where the fault is,
 * blocked or not. */
static int start_thread(struct loader *l)
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
	error = pthread_create(&l->thread, NULL, work, l);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return error;
}

static void loader_free(struct loader *l)
{
	close(l->fd[0]);
	free(l->run);
	free(l);
}

struct loader *loader_start(const struct app_options *o, const struct load_options *load, struct err *err)
{
	struct loader *l = xcalloc(1, sizeof *l);
	int error = 0;

	l->opt = *o;
	l->load = *load;
	if (load->run)
		l->load.run = l->run = xstrdup(load->run);
	clock_gettime(CLOCK_MONOTONIC, &l->began);
	if (pipe2(l->fd, O_CLOEXEC) || (error = start_thread(l))) {
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "cannot start loading: %s",
		    strerror(error ? error : errno));
		if (error) {
			close(l->fd[0]);
			close(l->fd[1]);
		}
		free(l->run);
		free(l);
		return NULL;
	}
	return l;
}

int loader_fd(const struct loader *l) { return l->fd[0]; }
const struct progress *loader_progress(const struct loader *l) { return &l->progress; }
bool loader_cancelled(const struct loader *l) { return l->cancelled; }

int64_t loader_elapsed_ms(const struct loader *l)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - l->began.tv_sec) * 1000 + (now.tv_nsec - l->began.tv_nsec) / 1000000;
}

void loader_cancel(struct loader *l)
{
	l->cancelled = true;
	atomic_store(&l->progress.cancel, true);
}

void loader_finish(struct loader *l, struct loaded *out)
{
	pthread_join(l->thread, NULL);
	*out = l->out;
	loader_free(l);
}

void loader_abandon(struct loader *l)
{
	struct timespec until;

	loader_cancel(l);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += ABANDON_MS * 1000000L;
	if (until.tv_nsec >= 1000000000L) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000L;
	}
	if (pthread_timedjoin_np(l->thread, NULL, &until)) {
		/* it may sit in a read that never ends; nothing of its own is freed */
		pthread_detach(l->thread);
		return;
	}
	loaded_free(&l->out);
	loader_free(l);
}
