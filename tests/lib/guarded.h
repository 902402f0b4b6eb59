/* Texts of a dump as a mapped file may have them: each ends where its page does, and the next page cannot be read.
 * What takes one for a terminated string crashes.  Names of hosts are terminated, as dump_host() promises. */
#ifndef TESTS_GUARDED_H
#define TESTS_GUARDED_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/dump.h"

static inline const char *guarded(const char *s, size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (n + page - 1) / page * page;
	char *p = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + room, page, PROT_NONE))
		abort();
	return memcpy(p + room - n, s, n);
}

enum { GUARDED_MOST = 10000 }; /* the kernel has a limit of mappings */

/* The pages are left to the end of the test. */
static inline void guard_texts(struct dump *d)
{
	for (uint32_t i = 1; i < d->str.n && i < GUARDED_MOST; i++) {
		bool host = false;

		for (size_t k = 0; k < d->nhosts; k++)
			host |= i == d->hosts[k].name || i == d->hosts[k].machine || i == d->hosts[k].label;
		if (!host)
			d->str.v[i].s = guarded(d->str.v[i].s, d->str.v[i].len);
	}
}

#endif
