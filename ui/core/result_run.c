#include "config.h"
#include "core/results.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/pool.h"
#include "core/app.h"
#include "core/job.h"

/* A result that was asked for, and what its job has made.  The job of the first of a row of slots makes all of them. */
struct slot {
	struct app *app;
	enum result kind;
	void *made;
	bool asked, idle; /* idle: nobody waits for it */
	struct slot *first, *next;
};

/* row: the last slot of a row that may still grow, NULL: none; asking: depth of for_needs() */
struct results {
	struct slot slot[RESULT_COUNT], *row;
	int asking;
};

static void free_made(struct slot *s)
{
	result_free(s->kind, s->made);
	s->made = NULL;
}

/* Those that were not made are asked for again when somebody needs them. */
static void drop_row(void *ctx)
{
	for (struct slot *s = ctx, *next; s; s = next) {
		free_made(s);
		s->asked = s->asked && !s->first;
		next = s->next;
		s->first = s->next = NULL;
	}
}

struct making {
	struct slot *first;
	struct progress *progress;
};

static void make_one(void *ctx, size_t i)
{
	const struct making *m = ctx;
	struct slot *s = m->first;
	struct err err; /* what a view can ask for can be made */

	while (i--)
		s = s->next;
	free_made(s); /* left over from a run that had finished when it was stopped */
	s->made = capture_make(s->app->cap, s->kind, m->progress, &err);
}

static void make_row(void *ctx, struct progress *p)
{
	struct making m = { ctx, p };
	size_t n = 0;

	for (const struct slot *s = m.first; s; s = s->next)
		n++;
	pool_run((int)n, n, make_one, &m);
}

static void keep_row(struct app *app, void *ctx)
{
	for (struct slot *s = ctx; s; s = s->next) {
		capture_keep(app->cap, s->kind, s->made);
		s->made = NULL;
		s->idle = false;
		s->first = NULL;
	}
}

static struct results *results_of(struct app *app)
{
	if (!app->results)
		app->results = xcalloc(1, sizeof *app->results);
	return app->results;
}

/* Calls ask() for all results that this one is made from. */
static void for_needs(struct app *app, enum result k, const void *(*ask)(struct app *, enum result))
{
	struct results *r = results_of(app);

	r->asking++;
	for (int i = 0; i < RESULT_COUNT; i++)
		if (capture_needs(app->cap, k) & 1u << i)
			ask(app, (enum result)i);
	r->row = --r->asking ? r->row : NULL;
}

/* Results that one thread makes are made side by side if a third needs them and none needs another. */
static bool join_row(struct app *app, struct slot *s)
{
	struct results *r = app->results;
	struct slot *last = r->row;

	if (s->idle || !r->asking || !result_is_single(s->kind)) {
		r->row = NULL;
		return false;
	}
	r->row = s;
	for (const struct slot *o = last ? last->first : NULL; o; o = o->next)
		if (capture_needs(app->cap, s->kind) & 1u << o->kind)
			return false;
	if (!last)
		return false;
	s->first = last->first;
	last->next = s;
	return true;
}

/* What this result is made from is asked for first; jobs run in order, so it is ready when this one runs. */
static void ask_for(struct app *app, enum result k, bool idle)
{
	struct slot *s = &results_of(app)->slot[k];

	*s = (struct slot){ .app = app, .kind = k, .asked = true, .idle = idle };
	if (capture_has(app->cap, k)) /* it was made before the views were closed */
		return;
	for_needs(app, k, idle ? result_when_idle : result_get);
	if (join_row(app, s))
		return;
	s->first = s;
	(idle ? jobs_add_idle : jobs_add)(app,
	    &(struct job){ result_name(k), make_row, keep_row, drop_row, s });
}

/* Somebody waits for it from now on, and for what it is made from. */
static void await_result(struct app *app, enum result k)
{
	struct slot *s = &app->results->slot[k];

	for_needs(app, k, result_get);
	s->idle = false;
	jobs_await(app, s);
}

const void *result_get(struct app *app, enum result k)
{
	if (!app->cap->dump)
		return NULL;
	if (!results_of(app)->slot[k].asked)
		ask_for(app, k, false);
	else if (app->results->slot[k].idle)
		await_result(app, k);
	return capture_has(app->cap, k);
}

const void *result_when_idle(struct app *app, enum result k)
{
	if (app->cap->dump && !results_of(app)->slot[k].asked)
		ask_for(app, k, true);
	return app->cap->dump ? capture_has(app->cap, k) : NULL;
}

/* Each is asked for once those before it are there. */
enum result result_findings_kind(struct app *app)
{
	static const enum result better
	    [RESULT_COUNT] = { [RESULT_FIRST_FINDINGS] = RESULT_FINDINGS, [RESULT_FINDINGS] = RESULT_MENDED };
	enum result k =
	    capture_has(app->cap, RESULT_FINDINGS) ? RESULT_FINDINGS : capture_soon_findings(app->cap);

	while (result_get(app, k) && better[k] && result_get(app, better[k]))
		k = better[k];
	return k;
}

const struct findings *result_findings(struct app *app)
{
	return result_get(app, result_findings_kind(app));
}

unsigned long result_serial(const struct app *app, enum result k)
{
	return capture_serial(app->cap, k);
}

/* Serials increase with every result made: the largest changes when any of them changes. */
unsigned long results_serial(struct app *app, unsigned which)
{
	unsigned long last = 0;
	bool all = true;

	for (int i = 0; i < RESULT_COUNT; i++) {
		if (!(which & 1u << i))
			continue;
		all &= result_get(app, (enum result)i) != NULL;
		last = result_serial(app, (enum result)i) > last ? result_serial(app, (enum result)i) : last;
	}
	return all ? last : 0;
}

/* These results, those that are made in one row with them, and what is made from those. */
static unsigned stopped_with(const struct results *r, unsigned which)
{
	unsigned all = which, before;

	do {
		before = all;
		for (int i = 0; i < RESULT_COUNT; i++)
			if (all & 1u << i && r->slot[i].first)
				for (const struct slot *s = r->slot[i].first; s; s = s->next)
					all |= result_users(s->kind);
	} while (all != before);
	return all;
}

/* Stops all jobs that use these results, then has them made again. */
static void forget_results(struct app *app, unsigned which)
{
	struct results *r = app->results;
	unsigned stopped = r ? stopped_with(r, which) : 0;

	for (int i = 0; i < RESULT_COUNT; i++)
		if (stopped & 1u << i && r->slot[i].first)
			jobs_drop(app, r->slot[i].first);
	for (int i = 0; r && i < RESULT_COUNT; i++)
		if (which & 1u << i)
			r->slot[i].asked = r->slot[i].idle = false;
	capture_forget(app->cap, which);
}

void results_renew(struct app *app, enum result k)
{
	forget_results(app, result_users(k));
}

void results_forget(struct app *app)
{
	forget_results(app, ~0u);
}

void results_close(struct app *app)
{
	for (int i = 0; app->results && i < RESULT_COUNT; i++)
		jobs_drop(app, &app->results->slot[i]);
	free(app->results);
	app->results = NULL;
}
