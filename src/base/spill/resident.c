#include "config.h"

#include "base/spill/resident.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/memcap.h"

/* A scan touches a few MiB in a millisecond, a program that waits for a key none.  One that computes may touch
 * more at any time, so a pause is only a part of the time that passed without anything new.  The longest is short
 * enough that a key which scans all tracks does not fill the memory before the first look. */
enum { LOOK_MS = 3, IDLE_MS = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct region {
	void *base;
	size_t n;
} * regions;
static size_t nregions, cap;
static bool watched;

/* Returns the bytes that are in memory now; 0: the kernel does not say. */
static uint64_t bytes_resident(int statm)
{
	char text[128];
	ssize_t n = pread(statm, text, sizeof text - 1, 0);
	char *second;

	if (n <= 0)
		return 0;
	text[n] = 0;
	strtoull(text, &second, 10);
	return strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void let_go(void)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < nregions; i++)
		madvise(regions[i].base, regions[i].n, MADV_DONTNEED);
	pthread_mutex_unlock(&lock);
}

static void *watch(void *unused)
{
	int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	uint64_t last = 0;
	int ms = 0, quiet = 0;

	while (statm >= 0) { /* NOLINT(bugprone-infinite-loop): to the end of the program */
		uint64_t now = bytes_resident(statm);
		struct timespec pause;

		quiet = now != last ? 0 : quiet < INT_MAX / 2 ? quiet + ms : quiet;
		ms = quiet / 4 < LOOK_MS ? LOOK_MS : quiet / 4 < IDLE_MS ? quiet / 4 : IDLE_MS;
		pause = (struct timespec){ .tv_nsec = ms * 1000000L };
		if (now > memcap_bytes() / 2)
			let_go();
		last = now;
		nanosleep(&pause, NULL);
	}
	return unused;
}

static void start_watching(void)
{
	sigset_t all, before;
	pthread_t thread;

	if (watched || !memcap_is_set())
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	watched = !pthread_create(&thread, NULL, watch, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (watched)
		pthread_detach(thread);
}

void resident_add(void *base, size_t n)
{
	pthread_mutex_lock(&lock);
	VEC_ADD(regions, nregions, cap, (struct region){ base, n });
	start_watching();
	pthread_mutex_unlock(&lock);
}

void resident_remove(void *base)
{
	size_t i = 0;

	pthread_mutex_lock(&lock);
	while (i < nregions && regions[i].base != base)
		i++;
	if (i < nregions)
		regions[i] = regions[--nregions];
	if (!nregions) {
		free(regions);
		regions = NULL;
		cap = 0;
	}
	pthread_mutex_unlock(&lock);
}
