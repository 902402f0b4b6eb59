/* Loading in a thread of its own: reading, steps (on the plain clock), preparing, memory counters.
 * loader_start() returns at once; loader_fd() becomes readable when loader_early() has something, and when
 * loading is over (loader_ended()): then loader_finish() hands over the result and frees the loader.
 * loader_cancel() keeps what was read so far.  loader_abandon() is for leaving the program: it does not wait
 * for a read that never returns; the thread then ends with the process.  load_now() does the same work in the caller's
 * thread. */
#ifndef CORE_LOADER_H
#define CORE_LOADER_H

#include "core/app.h"

struct loader;

/* The part that is there already while the rest is read: a capture of its own. */
struct loader_early {
	struct capture *cap;
	bool windowed;  /* it has more of a window that was asked for */
	int64_t t0, t1; /* the window, perhaps wider than asked for */
	bool all;       /* it has all events there */
	bool alone;     /* it is of one trace table, and there are more */
};

/* NULL: err says why */
struct capture *load_now(const struct app_options *, const struct load_options *, struct progress *,
    struct err *);
struct loader *loader_start(const struct app_options *, const struct load_options *, struct err *);
int loader_fd(const struct loader *);
bool loader_ended(const struct loader *);
const struct progress *loader_progress(const struct loader *);
int64_t loader_elapsed_ms(const struct loader *);
void loader_cancel(struct loader *);
bool loader_canceled(const struct loader *);
/* Hands over what came since it was asked last, which the caller frees; NULL: nothing. */
struct loader_early *loader_early(struct loader *);
/* Asks for more of what a window shows, of a kind of file that can be read so: it comes as the above. */
void loader_want(struct loader *, int64_t t0, int64_t t1);
void loader_early_free(struct loader_early *);                /* NULL allowed */
struct capture *loader_finish(struct loader *, struct err *); /* NULL: err says why */
void loader_abandon(struct loader *);

#endif
