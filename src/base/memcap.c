#include "config.h"

#include "base/memcap.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cgroup.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t given, cap; /* by --memory, and the one in force; 0: none */
static bool spent;
static unsigned loads; /* memcap_begin() without its end */
static struct rlimit before = { RLIM_INFINITY, RLIM_INFINITY };

/* Returns the memory that is available without swapping, in bytes. */
static uint64_t machine_free(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	uint64_t kib = 0;
	char line[128];

	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, "MemAvailable:", 13))
			kib = strtoull(line + 13, NULL, 10);
	if (f)
		fclose(f);
	return kib ? kib << 10 : (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t memcap_free(void)
{
	uint64_t machine = machine_free(), group = cgroup_memory(CGROUP_LIST, CGROUP_MOUNT);

	return group < machine ? group : machine;
}

static void limit_data(uint64_t bytes)
{
#ifdef ENABLE_SANITIZE
	(void)bytes;
#else
	struct rlimit r = { bytes < before.rlim_cur ? bytes : before.rlim_cur, before.rlim_max };

	setrlimit(RLIMIT_DATA, &r);
#endif
}

static void put_in_force(uint64_t bytes)
{
	getrlimit(RLIMIT_DATA, &before);
	cap = bytes;
	spent = false;
	limit_data(given ? bytes / 2 : bytes);
}

void memcap_set(uint64_t bytes)
{
	pthread_mutex_lock(&lock);
	given = bytes;
	put_in_force(bytes);
	pthread_mutex_unlock(&lock);
}

bool memcap_is_set(void)
{
	return given;
}

static uint64_t half_of_free(void)
{
	uint64_t half = memcap_free() / 2;

	return half < MEMCAP_LEAST ? MEMCAP_LEAST : half > PTRDIFF_MAX ? PTRDIFF_MAX : half;
}

uint64_t memcap_bytes(void)
{
	uint64_t bytes;

	pthread_mutex_lock(&lock);
	bytes = cap;
	pthread_mutex_unlock(&lock);
	return bytes ? bytes : half_of_free();
}

void memcap_begin(void)
{
	pthread_mutex_lock(&lock);
	if (!loads++ && !given)
		put_in_force(half_of_free());
	pthread_mutex_unlock(&lock);
}

void memcap_end(void)
{
	pthread_mutex_lock(&lock);
	if (!--loads && !given) {
		cap = 0;
		limit_data(before.rlim_cur);
	}
	pthread_mutex_unlock(&lock);
}

bool memcap_spend(void)
{
	bool more;

	pthread_mutex_lock(&lock);
	more = cap && !spent;
	spent = true;
	if (more)
		limit_data(given ? given : before.rlim_cur);
	pthread_mutex_unlock(&lock);
	return more;
}
