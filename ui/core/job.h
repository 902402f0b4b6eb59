/* Long work on the loaded dump beside the screen, one job at a time in the order asked for, in a thread of
 * its own. run() only reads the dump and writes only what `ctx` points to; it looks at progress_cancelled()
 * at least every 5 ms and then returns.  It may be called again, also after it went through: each time it
 * begins afresh.  done() is called in the thread of the screen once run() went through; it takes the
 * results over, and may add jobs.  drop() frees what was not taken over: it is called once, after done(),
 * or when the job is dropped or the capture closed.
 *
 * 	static void build(void *ctx, struct progress *p)
 * 	{ struct mine *m = ctx; mine_free(m); mine_build(m, p); }
 * 	static void built(struct app *app, void *ctx) { … swap *ctx into the view, if it is still open … }
 * 	jobs_add(app, &(struct job){ "profiling ops", build, built, mine_drop, m });
 *
 * What writes to the dump (a derived track, another clock) calls jobs_pause() first: the job at work stops,
 * and begins again from the start when the loop comes round.  A view that closes drops its jobs
 * (jobs_drop()). Without a screen (snapshot, tests) jobs_finish() does those that are waited for in the
 * caller's thread; until then none begins. */
#ifndef CORE_JOB_H
#define CORE_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/progress.h"

struct app;

struct job {
	/* "finding arrows": for the status line, with a percentage of progress.total */
	const char *what;
	void (*run)(void *ctx, struct progress *);
	void (*done)(struct app *, void *ctx);
	void (*drop)(void *ctx); /* NULL = nothing to free */
	void *ctx;
};

void jobs_add(struct app *, const struct job *);
/* what nobody waits for yet: it comes after all others, and stops for them as in a pause */
void jobs_add_idle(struct app *, const struct job *);
void jobs_await(struct app *, const void *ctx); /* somebody waits for that one now */
void jobs_pause(struct app *);
bool jobs_busy(const struct app *, const void *ctx); /* asked for and not done; ctx NULL: any */
void jobs_drop(struct app *, const void *ctx);       /* stops it when it is at work; no done() */
bool jobs_awaited(const struct app *);               /* there are some that somebody waits for */
bool jobs_finish(struct app *);                      /* does those; false: there was nothing to do */
void jobs_close(struct app *);                       /* stops and drops all */

enum { JOB_QUIET_MS = 200 }; /* what takes no longer is not spoken of */
/* Of the one at work, NULL when there is none or it has begun only just now; percent -1 = not known. */
const char *jobs_what(const struct app *, int *percent);
void jobs_text(const struct app *, char *buf, size_t size); /* the two for the status line; "" = none */

/* the loop's side */
int jobs_fd(const struct app *); /* readable when a job went through; -1 = none at work */
bool jobs_turn(struct app *);    /* done() of what went through (then true); starts the next */

#endif
