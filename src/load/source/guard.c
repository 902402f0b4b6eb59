#include "config.h"

#include "load/source/guard.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAPPINGS 4096

struct mapping {
	_Atomic uintptr_t from, to; /* to 0: free, or not filled in yet */
	_Atomic(_Atomic bool *) shrunk;
};

static struct mapping mappings[MAPPINGS];
static struct sigaction before;
static uintptr_t page_size;

static struct mapping *mapping_at(uintptr_t addr)
{
	for (size_t i = 0; i < MAPPINGS; i++)
		if (addr >= mappings[i].from && addr < mappings[i].to)
			return &mappings[i];
	return NULL;
}

static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t)info->si_addr & ~(page_size - 1);
	struct mapping *m = info->si_code > 0 ? mapping_at(page) : NULL;
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;

	(void)context;
	/* a bare system call: this runs in a signal handler */
	if (m && mmap((void *)page, page_size, PROT_READ, flags, -1, 0) != MAP_FAILED) {
		atomic_store(m->shrunk, true);
		return;
	}
	sigaction(sig, &before, NULL);
	raise(sig); /* delivered when we return; a real fault would happen again anyway */
}

void guard_install(void)
{
	struct sigaction sa, now;

	if (!sigaction(SIGBUS, NULL, &now) && now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_sigbus)
		return;
	memset(&sa, 0, sizeof sa);
	sa.sa_sigaction = on_sigbus;
	sa.sa_flags = SA_SIGINFO;
	sigemptyset(&sa.sa_mask);
	page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	sigaction(SIGBUS, &sa, &before);
}

void *guard_add(const void *base, size_t n, _Atomic bool *shrunk)
{
	for (size_t i = 0; i < MAPPINGS; i++) {
		uintptr_t unused = 0;

		if (!atomic_compare_exchange_strong(&mappings[i].from, &unused, (uintptr_t)base))
			continue;
		mappings[i].shrunk = shrunk;
		mappings[i].to = (uintptr_t)base + n;
		return &mappings[i];
	}
	return NULL;
}

void guard_remove(void *handle)
{
	struct mapping *m = handle;

	if (!m)
		return;
	m->to = 0;
	m->from = 0;
}
