#include "config.h"
#include "core/results.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/pool.h"
#include "core/app.h"
#include "core/job.h"
#include "core/result_kind.h"

struct slot {
	struct app *app;
	enum result kind;
	struct result_env env;
	void *made, *value;
	/* the result before it was forgotten; freed after the new one is made, so that their addresses
	 * differ */
	void *old;
	unsigned long serial;
	bool asked, idle; /* idle: nobody waits for it */
};

struct results {
	struct slot slot[RESULT_COUNT];
	unsigned long serial;
};

static void drop_made(void *ctx)
{
	struct slot *s = ctx;

	if (s->made)
		result_kinds[s->kind].free(s->made);
	s->made = NULL;
}

static void make_result(void *ctx, struct progress *p)
{
	struct slot *s = ctx;

	drop_made(s); /* left over from a run that had finished when it was stopped */
	for (int i = 0; i < RESULT_COUNT; i++)
		s->env.of[i] = s->app->results->slot[i].value;
	s->env.progress = p;
	s->made = result_kinds[s->kind].make(&s->env);
	if (s->made && progress_canceled(p)) { /* a partial result is useless */
		result_kinds[s->kind].free(s->made);
		s->made = NULL;
	}
}

static void keep_result(struct app *app, void *ctx)
{
	struct slot *s = ctx;

	s->value = s->made;
	s->made = NULL;
	s->idle = false;
	if (s->old)
		result_kinds[s->kind].free(s->old);
	s->old = NULL;
	s->serial = ++app->results->serial;
}

static struct results *results_of(struct app *app)
{
	if (!app->results)
		app->results = xcalloc(1, sizeof *app->results);
	return app->results;
}

/* What this result is made from is asked for first; jobs run in order, so it is ready when this one runs. */
static void ask_for(struct app *app, enum result k, bool idle)
{
	struct results *r = results_of(app);
	struct slot *s = &r->slot[k];
	const struct capture_scope *scope = &app->cap->scope;

	for (int i = 0; i < RESULT_COUNT; i++)
		if (result_kinds[k].needs & 1u << i)
			(idle ? result_when_idle : result_get)(app, (enum result)i);
	*s = (struct slot){ .app = app,
		.kind = k,
		.asked = true,
		.idle = idle,
		.old = s->old,
		.env = { .dump = app->cap->dump,
		    .steps = &app->cap->steps,
		    .host = capture_host(app->cap),
		    .core = scope->op_core,
		    .program = scope->program,
		    .topology = *scope->topology ? scope->topology : app->opt->topology,
		    .module = app->opt->module,
		    .tf_graph = scope->tf_graph,
		    .tf_series = !scope->tf_plain,
		    .threads =
			app->opt->load.threads > 0 ? app->opt->load.threads : pool_default_threads() } };
	(idle ? jobs_add_idle : jobs_add)(app,
	    &(struct job){ result_kinds[k].what, make_result, keep_result, drop_made, s });
}

/* Somebody waits for it from now on, and for what it is made from. */
static void await_result(struct app *app, enum result k)
{
	struct slot *s = &app->results->slot[k];

	for (int i = 0; i < RESULT_COUNT; i++)
		if (result_kinds[k].needs & 1u << i)
			result_get(app, (enum result)i);
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
	return app->results->slot[k].value;
}

const void *result_when_idle(struct app *app, enum result k)
{
	if (app->cap->dump && !results_of(app)->slot[k].asked)
		ask_for(app, k, true);
	return app->cap->dump ? app->results->slot[k].value : NULL;
}

unsigned long result_serial(const struct app *app, enum result k)
{
	return app->results ? app->results->slot[k].serial : 0;
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

/* Stops all jobs that use these results, then frees them. */
static void forget_results(struct app *app, unsigned which)
{
	struct results *r = app->results;

	for (int i = 0; r && i < RESULT_COUNT; i++)
		if (which & 1u << i && r->slot[i].asked)
			jobs_drop(app, &r->slot[i]);
	for (int i = 0; r && i < RESULT_COUNT; i++) {
		if (!(which & 1u << i))
			continue;
		struct slot *s = &r->slot[i];

		if (s->value && s->old)
			result_kinds[i].free(s->old);
		*s = (struct slot){ .kind = s->kind, .old = s->value ? s->value : s->old };
	}
}

void results_renew(struct app *app, enum result k)
{
	unsigned which = 1u << k;

	for (int i = k + 1; i < RESULT_COUNT; i++)
		if (result_kinds[i].needs & which)
			which |= 1u << i;
	forget_results(app, which);
}

void results_forget(struct app *app)
{
	forget_results(app, (1u << RESULT_COUNT) - 1);
}

void results_close(struct app *app)
{
	struct results *r = app->results;

	results_forget(app);
	for (int i = 0; r && i < RESULT_COUNT; i++)
		if (r->slot[i].old)
			result_kinds[i].free(r->slot[i].old);
	free(r);
	app->results = NULL;
}
