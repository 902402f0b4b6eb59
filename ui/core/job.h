/* Long computations on the loaded dump, in the background: one job at a time, in the order asked for, in a
 * thread of its own.  run() only reads the dump and writes only what `ctx` points to; it checks
 * progress_canceled() at least every 5 ms and then returns.  It may be called again, even after it
 * finished, and must start from scratch each time.  done() is called in the thread of the screen after
 * run() finished; it takes over the results and may add jobs.  drop() frees what was not taken over: it is
 * called once, after done(), or when the job is dropped or the capture closed. Example: jobs_add(app,
 * &(struct job){ "profiling ops", build, built, drop, m }), where build() frees and builds *m, and built()
 * swaps it into the view if that is still open.  A job reads the version of the dump (analyze/trace/overlay.h)
 * that was the newest when it was added: ctx holds it, because the view may derive tracks meanwhile.  A view that
 * closes drops its jobs (jobs_drop()).  Without a screen (snapshot, tests) jobs run only in jobs_finish(), in the
 * caller's thread. */
#ifndef CORE_JOB_H
#define CORE_JOB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/progress.h"

struct app;

struct job {
	/* "finding arrows": shown in the status line, with a percentage of progress.total */
	const char *what;
	void (*run)(void *ctx, struct progress *);
	void (*done)(struct app *, void *ctx);
	void (*drop)(void *ctx); /* NULL = nothing to free */
	void *ctx;
};

void jobs_add(struct app *, const struct job *);
/* adds a low-priority job: it runs after all others and is interrupted when another is added */
void jobs_add_idle(struct app *, const struct job *);
void jobs_await(struct app *, const void *ctx);      /* gives an idle job normal priority */
bool jobs_busy(const struct app *, const void *ctx); /* queued or running; ctx NULL: any job */
void jobs_drop(struct app *, const void *ctx);       /* stops it if it is running; no done() */
bool jobs_awaited(const struct app *);               /* some job is not idle */
bool jobs_finish(struct app *);                      /* runs those now; false: there were none */
void jobs_close(struct app *);                       /* stops and drops all */

enum { JOB_QUIET_MS = 200 }; /* jobs that take less are not shown */
/* The running job's name; NULL when there is none or it has just started.  percent -1 = not known. */
const char *jobs_what(const struct app *, int *percent);
/* name and percentage for the status line; "" = none */
void jobs_text(const struct app *, char *buf, size_t size);

/* used by the event loop */
int jobs_fd(const struct app *); /* readable when a job has finished; -1 = none running */
bool jobs_turn(struct app *);    /* calls done() of a finished job (then true); starts the next */

#endif
