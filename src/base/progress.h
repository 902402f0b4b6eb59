/* Progress and cancellation of long work, for loaders and analyses that know nothing of a screen.  Workers
 * add what they have done at most every 64 KiB or 10,000 items.  The owner reads the numbers from another
 * thread and sets `cancel`.  All members are atomic.  Functions accept a NULL progress. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	/* bytes of input, or whatever unit the work counts in; total 0 = not known */
	_Atomic uint64_t bytes, total;
	_Atomic uint64_t events;
	_Atomic bool cancel;
	_Atomic(const char *) what; /* static string such as "reading" or "indexing" */
};

static inline void progress_add(struct progress *p, uint64_t bytes, uint64_t events)
{
	if (p) {
		atomic_fetch_add_explicit(&p->bytes, bytes, memory_order_relaxed);
		atomic_fetch_add_explicit(&p->events, events, memory_order_relaxed);
	}
}

/* For work that counts in its own units: sets the total and starts at 0. */
static inline void progress_begin(struct progress *p, uint64_t total)
{
	if (p) {
		atomic_store_explicit(&p->bytes, 0, memory_order_relaxed);
		atomic_store_explicit(&p->total, total, memory_order_relaxed);
	}
}

static inline bool progress_canceled(const struct progress *p)
{
	return p && atomic_load_explicit(&p->cancel, memory_order_relaxed);
}

static inline void progress_what(struct progress *p, const char *what)
{
	if (p)
		atomic_store_explicit(&p->what, what, memory_order_relaxed);
}

#endif
