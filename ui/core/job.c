#include "config.h"
#include "core/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/now.h"
#include "core/app.h"
#include "core/worker.h"

struct jobs {
	/* in the order asked for, then the idle ones; the first is running */
	struct entry {
		struct job job;
		bool idle;
	} * v;
	size_t n, cap;
	bool working;
	struct job now; /* a copy of the first, for its thread */
	struct worker worker;
	struct progress progress;
	int64_t began; /* ms: when the first was first started, 0 = not yet */
};

static void run_job(void *arg)
{
	struct jobs *j = arg;

	j->now.run(j->now.ctx, &j->progress);
}

static void make_ready(struct jobs *j)
{
	j->now = j->v[0].job;
	progress_begin(&j->progress, 0);
	atomic_store(&j->progress.cancel, false);
}

/* Removes a job from the queue; it must not be running. */
static struct job take_job(struct jobs *j, size_t i)
{
	struct job job = j->v[i].job;

	memmove(j->v + i, j->v + i + 1, (--j->n - i) * sizeof *j->v);
	if (!i)
		j->began = 0;
	return job;
}

static void drop_job(const struct job *job)
{
	if (job->drop)
		job->drop(job->ctx);
}

/* Finishes the first job.  It leaves the queue before done() is called, because done() may add others, or
 * this one again. */
static void finish_job(struct app *app)
{
	struct job job = take_job(app->jobs, 0);

	job.done(app, job.ctx);
	drop_job(&job);
}

static void run_here(struct app *app)
{
	make_ready(app->jobs);
	run_job(app->jobs);
	finish_job(app);
}

/* Stops the running job, which starts over at the next turn of the loop. */
static void pause_jobs(struct app *app)
{
	struct jobs *j = app->jobs;

	if (!j || !j->working)
		return;
	atomic_store(&j->progress.cancel, true);
	worker_join(&j->worker);
	j->working = false;
}

static void add_job(struct app *app, const struct job *job, bool idle)
{
	struct jobs *j = app->jobs;
	size_t at;

	if (!j)
		j = app->jobs = xcalloc(1, sizeof *j);
	VEC_PUSH(j->v, j->n, j->cap);
	for (at = j->n; at > 0 && !idle && j->v[at - 1].idle; at--)
		;
	if (!at) {
		pause_jobs(app);
		j->began = 0;
	}
	memmove(j->v + at + 1, j->v + at, (j->n++ - at) * sizeof *j->v);
	j->v[at] = (struct entry){ *job, idle };
}

void jobs_add(struct app *app, const struct job *job)
{
	add_job(app, job, false);
}

void jobs_add_idle(struct app *app, const struct job *job)
{
	add_job(app, job, true);
}

void jobs_await(struct app *app, const void *ctx)
{
	struct jobs *j = app->jobs;
	size_t i = 0, to = 0;

	while (j && to < j->n && !j->v[to].idle)
		to++;
	for (i = to; j && i < j->n && j->v[i].job.ctx != ctx; i++)
		;
	if (!j || i == j->n)
		return;
	if (i && !to) { /* it replaces the running job */
		pause_jobs(app);
		j->began = 0;
	}
	struct entry one = j->v[i];

	one.idle = false;
	memmove(j->v + to + 1, j->v + to, (i - to) * sizeof *j->v);
	j->v[to] = one;
}

bool jobs_busy(const struct app *app, const void *ctx)
{
	const struct jobs *j = app->jobs;

	for (size_t i = 0; j && i < j->n; i++)
		if (!ctx || j->v[i].job.ctx == ctx)
			return true;
	return false;
}

void jobs_drop(struct app *app, const void *ctx)
{
	struct jobs *j = app->jobs;

	for (size_t i = 0; j && i < j->n;) {
		struct job job;

		if (j->v[i].job.ctx != ctx) {
			i++;
			continue;
		}
		if (!i)
			pause_jobs(app);
		job = take_job(j, i);
		drop_job(&job);
	}
	if (j && !j->n)
		jobs_close(app);
}

bool jobs_awaited(const struct app *app)
{
	return app->jobs && app->jobs->n && !app->jobs->v[0].idle;
}

bool jobs_finish(struct app *app)
{
	bool any = jobs_awaited(app);

	pause_jobs(app);
	while (jobs_awaited(app))
		run_here(app);
	return any;
}

void jobs_close(struct app *app)
{
	struct jobs *j = app->jobs;

	if (!j)
		return;
	pause_jobs(app);
	while (j->n) {
		struct job job = take_job(j, 0);

		drop_job(&job);
	}
	free(j->v);
	free(j);
	app->jobs = NULL;
}

const char *jobs_what(const struct app *app, int *percent)
{
	const struct jobs *j = app->jobs;
	uint64_t total, done;

	if (!j || !j->working || now_ms() - j->began < JOB_QUIET_MS)
		return NULL;
	total = atomic_load(&j->progress.total);
	done = atomic_load(&j->progress.bytes);
	*percent = !total ? -1 : done >= total ? 99 : (int)((double)done * 100 / (double)total);
	return j->v[0].job.what;
}

void jobs_text(const struct app *app, char *buf, size_t size)
{
	int percent;
	const char *what = jobs_what(app, &percent);

	if (what && percent >= 0)
		snprintf(buf, size, "%s %2d %%", what, percent);
	else
		snprintf(buf, size, "%s", what ? what : "");
}

int jobs_fd(const struct app *app)
{
	return app->jobs && app->jobs->working ? worker_fd(&app->jobs->worker) : -1;
}

bool jobs_turn(struct app *app)
{
	struct jobs *j = app->jobs;
	bool any = false;

	if (j && j->working) {
		if (!worker_ended(&j->worker))
			return false;
		worker_join(&j->worker);
		j->working = false;
		finish_job(app);
		any = true;
		j = app->jobs; /* done() may have dropped all jobs */
	}
	if (!j || !j->n)
		return any;
	make_ready(j);
	if (!j->began)
		j->began = now_ms();
	j->working = !worker_start(&j->worker, run_job, j);
	if (j->working)
		return any;
	run_here(app); /* no thread available: run it here, the screen waits */
	return true;
}
