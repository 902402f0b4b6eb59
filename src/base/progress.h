/* Progress and cancel of long work, known to loaders and analyses without any idea of a screen.  Workers add
 * what they did, at most every 64 KiB or 10,000 items; the owner reads the numbers from another thread and
 * sets `cancel`.  All members are atomics; a NULL progress is allowed. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	/* of input, or of whatever the work counts in; total 0 = not known */
	_Atomic uint64_t bytes, total;
	_Atomic uint64_t events;
	_Atomic bool cancel;
	_Atomic(const char *) what; /* static string: "reading", "indexing" */
};

static inline void progress_add(struct progress *p, uint64_t bytes, uint64_t events)
{
	if (p) {
		atomic_fetch_add_explicit(&p->bytes, bytes, memory_order_relaxed);
		atomic_fetch_add_explicit(&p->events, events, memory_order_relaxed);
	}
}

/* Work that counts in units of its own: so many of them, none done yet. */
static inline void progress_begin(struct progress *p, uint64_t total)
{
	if (p) {
		atomic_store_explicit(&p->bytes, 0, memory_order_relaxed);
		atomic_store_explicit(&p->total, total, memory_order_relaxed);
	}
}

static inline bool progress_cancelled(const struct progress *p)
{
	return p && atomic_load_explicit(&p->cancel, memory_order_relaxed);
}

static inline void progress_what(struct progress *p, const char *what)
{
	if (p)
		atomic_store_explicit(&p->what, what, memory_order_relaxed);
}

#endif
