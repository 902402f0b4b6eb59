#include "config.h"
#include "core/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/findings.h"
#include "analyze/legacy_framework_ops.h"
#include "analyze/memory_profile.h"
#include "analyze/opdb.h"
#include "analyze/pod.h"
#include "analyze/triage.h"
#include "base/mem.h"
#include "base/pool.h"
#include "core/app_private.h"
#include "core/job.h"
#include "report/warnings.h"

struct kind {
	const char *what;
	unsigned needs; /* bits: results that it is made from */
	void *(*make)(const struct result_env *);
	void (*free)(void *);
};

struct slot {
	struct app *app;
	enum result kind;
	struct result_env env;
	void *made, *value;
	/* forgotten; kept until there is another, so that the two have different addresses */
	void *old;
	unsigned long serial;
	bool asked;
};

struct results {
	struct slot slot[RESULT_COUNT];
	unsigned long serial;
};

static void *make_ops(const struct result_env *e)
{
	struct opdb_options o = { .host = e->host,
		.core = -1,
		.threads = e->threads,
		.steps = e->steps,
		.progress = e->progress };
	struct opdb *db = xcalloc(1, sizeof *db);

	opdb_build(e->dump, &o, db);
	return db;
}

static void free_ops(void *p)
{
	opdb_free(p);
	free(p);
}

static void *make_table_ops(const struct result_env *e)
{
	struct opdb_options o = { .host = e->host,
		.core = e->core,
		.threads = e->threads,
		.progress = e->progress,
		.programs = e->program ? &e->program : NULL,
		.nprograms = e->program != 0 };
	struct op_set *s = xcalloc(1, sizeof *s);
	bool part = e->core >= 0 || e->program;

	s->db = part ? &s->own : e->of[RESULT_OPS];
	if (part)
		opdb_build(e->dump, &o, &s->own);
	return s;
}

static void free_table_ops(void *p)
{
	opdb_free(&((struct op_set *)p)->own);
	free(p);
}

static void *make_hlo_table(const struct result_env *e)
{
	const struct op_set *ops = e->of[RESULT_TABLE_OPS];
	struct table *t = xcalloc(1, sizeof *t);

	ops_hlo_stats(e->dump, ops->db, OPS_UNKNOWN_NULL, t);
	return t;
}

static void free_hlo_table(void *p)
{
	table_free(p);
	free(p);
}

static void *make_framework(const struct result_env *e)
{
	const struct op_set *ops = e->of[RESULT_TABLE_OPS];
	struct framework_set *s = xcalloc(1, sizeof *s);

	if ((s->file = toolfile_alone(e->dump, FILE_FRAMEWORK_OPS, e->host, NULL))) {
		legacy_framework_ops(s->file, OPS_UNKNOWN_NULL, &s->table[0]);
		legacy_framework_ops(s->file, OPS_UNKNOWN_NULL | OPS_WITH_IDLE, &s->table[1]);
		return s;
	}
	framework_ops(e->dump, ops->db, &(struct framework_host_options){ .host = e->host }, &s->f);
	ops_framework(&s->f, &ops->db->peaks, OPS_UNKNOWN_NULL, &s->table[0]);
	ops_framework(&s->f, &ops->db->peaks, OPS_UNKNOWN_NULL | OPS_WITH_IDLE, &s->table[1]);
	return s;
}

static void free_framework(void *p)
{
	struct framework_set *s = p;

	table_free(&s->table[0]);
	table_free(&s->table[1]);
	framework_free(&s->f);
	free(s);
}

static struct overview_options overview_of(const struct result_env *e)
{
	return (struct overview_options){ .host = e->host,
		.core = -1,
		.threads = e->threads,
		.progress = e->progress };
}

static void *make_overview(const struct result_env *e)
{
	struct overview_options o = overview_of(e);
	struct overview *v = xcalloc(1, sizeof *v);

	overview_make(e->dump, e->steps, e->of[RESULT_OPS], &o, v);
	return v;
}

static void free_overview(void *p)
{
	overview_free(p);
	free(p);
}

static void *make_input(const struct result_env *e)
{
	struct overview_options o = overview_of(e);
	struct input_pipeline *in = xcalloc(1, sizeof *in);

	input_pipeline_make(e->dump, e->steps, e->of[RESULT_OVERVIEW], &o, in);
	return in;
}

static void free_input(void *p)
{
	input_pipeline_free(p);
	free(p);
}

static void *make_findings(const struct result_env *e)
{
	struct finding_input in = { .dump = e->dump,
		.steps = e->steps,
		.ops = e->of[RESULT_OPS],
		.overview = e->of[RESULT_OVERVIEW],
		.input = e->of[RESULT_INPUT],
		.profile = e->of[RESULT_MEMORY_PROFILE],
		.pod = e->of[RESULT_POD],
		.progress = e->progress };
	struct finding_scope scope = { .host = e->host,
		.core = -1,
		.module = e->module ? hlo_module_find(e->dump, e->module) : -1 };
	struct findings *f = xcalloc(1, sizeof *f);
	struct err err;

	/* the table of rules compiled in is right */
	findings_make(&in, &scope, f, &err);
	return f;
}

static void free_findings(void *p)
{
	findings_free(p);
	free(p);
}

static void *make_modules(const struct result_env *e)
{
	struct memory_ranks *r = xcalloc(1, sizeof *r);

	memory_rank(e->dump, e->progress, r);
	return r;
}

static void free_modules(void *p)
{
	memory_ranks_free(p);
	free(p);
}

/* A wrong mesh is said among the warnings, and the pod is shown without it. */
static void *make_pod(const struct result_env *e)
{
	struct pod_options o = { .topology = e->topology,
		.host = e->host,
		.threads = e->threads,
		.progress = e->progress };
	const struct overview *overview = e->of[RESULT_OVERVIEW];
	struct pod *p = xcalloc(1, sizeof *p);
	struct err err = { 0 };

	if (overview && overview->cores.ncores)
		o.cores = &overview->cores;
	while (pod_make(e->dump, e->steps, &o, p, &err)) {
		pod_free(p);
		o.topology = NULL;
	}
	if (err.status)
		*table_row(&p->warnings) =
		    cell_str(table_copy(&p->warnings, err.msg, strlen(err.msg)), strlen(err.msg));
	return p;
}

static void free_pod(void *p)
{
	pod_free(p);
	free(p);
}

static void *make_triage(const struct result_env *e)
{
	struct triage *t = xcalloc(1, sizeof *t);

	triage_of_dump(e->dump, e->progress, t);
	return t;
}

static void free_triage(void *p)
{
	triage_free(p);
	free(p);
}

static void *make_memory_profile(const struct result_env *e)
{
	struct memory_profile *p = xcalloc(1, sizeof *p);

	memory_profile_build(e->dump, e->steps->groups, e->host, e->progress, p);
	return p;
}

static void free_memory_profile(void *p)
{
	memory_profile_free(p);
	free(p);
}

/* What one is made from stands before it. */
static const struct kind kinds[RESULT_COUNT] = {
	[RESULT_OPS] = { "adding up ops", 0, make_ops, free_ops },
	[RESULT_TABLE_OPS] = { "adding up ops", 1u << RESULT_OPS, make_table_ops, free_table_ops },
	[RESULT_HLO_TABLE] = { "making the table", 1u << RESULT_TABLE_OPS, make_hlo_table, free_hlo_table },
	[RESULT_FRAMEWORK] = { "adding up framework ops", 1u << RESULT_TABLE_OPS, make_framework,
	    free_framework },
	[RESULT_OVERVIEW] = { "adding up steps", 1u << RESULT_OPS, make_overview, free_overview },
	[RESULT_INPUT] = { "looking at the input", 1u << RESULT_OVERVIEW, make_input, free_input },
	[RESULT_FINDINGS] = { "looking for what is wrong",
	    1u << RESULT_OPS | 1u << RESULT_OVERVIEW | 1u << RESULT_INPUT | 1u << RESULT_MEMORY_PROFILE |
		1u << RESULT_POD,
	    make_findings, free_findings },
	[RESULT_MODULES] = { "reading modules", 0, make_modules, free_modules },
	[RESULT_MEMORY_PROFILE] = { "reading memory events", 0, make_memory_profile, free_memory_profile },
	[RESULT_TRIAGE] = { "reading the logs", 0, make_triage, free_triage },
	[RESULT_POD] = { "adding up the pod", 1u << RESULT_OVERVIEW, make_pod, free_pod },
};

static void drop(void *ctx)
{
	struct slot *s = ctx;

	if (s->made)
		kinds[s->kind].free(s->made);
	s->made = NULL;
}

static void run(void *ctx, struct progress *p)
{
	struct slot *s = ctx;

	drop(s); /* of a run that was stopped too late */
	for (int i = 0; i < RESULT_COUNT; i++)
		s->env.of[i] = s->app->p->results->slot[i].value;
	s->env.progress = p;
	s->made = kinds[s->kind].make(&s->env);
	if (s->made && progress_cancelled(p)) { /* half of it is nothing */
		kinds[s->kind].free(s->made);
		s->made = NULL;
	}
}

static void done(struct app *app, void *ctx)
{
	struct slot *s = ctx;

	s->value = s->made;
	s->made = NULL;
	if (s->old)
		kinds[s->kind].free(s->old);
	s->old = NULL;
	s->serial = ++app->p->results->serial;
	app->p->dirty = app->p->working = true;
}

static struct results *results_of(struct app *app)
{
	if (!app->p->results)
		app->p->results = xcalloc(1, sizeof *app->p->results);
	return app->p->results;
}

/* Those of `of` were asked for first, and jobs are done in order: they are there when this one runs. */
static void ask(struct app *app, enum result k)
{
	struct results *r = results_of(app);
	struct slot *s = &r->slot[k];
	const struct dump *d = app->dump;

	for (int i = 0; i < RESULT_COUNT; i++)
		if (kinds[k].needs & 1u << i)
			result_get(app, (enum result)i);
	*s = (struct slot){ .app = app,
		.kind = k,
		.asked = true,
		.old = s->old,
		.env = { .dump = d,
		    .steps = &app->steps,
		    .host = app->host >= 0 ? strtab_str(&d->str, d->hosts[app->host].name) : NULL,
		    .core = app->core,
		    .program = app->program,
		    .topology = *app->topology ? app->topology : app->opt->topology,
		    .module = app->opt->module,
		    .threads = app->p->load.threads > 0 ? app->p->load.threads : pool_default_threads() } };
	jobs_add(app, &(struct job){ kinds[k].what, run, done, drop, s });
}

const void *result_get(struct app *app, enum result k)
{
	if (!app->dump)
		return NULL;
	if (!results_of(app)->slot[k].asked)
		ask(app, k);
	return app->p->results->slot[k].value;
}

unsigned long result_serial(const struct app *app, enum result k)
{
	return app->p->results ? app->p->results->slot[k].serial : 0;
}

/* Numbers are given in the order in which results are made: the largest is another when any of them is. */
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

char *result_what(const struct app *app, enum result k, char *buf, size_t size)
{
	int percent;
	const char *what = jobs_what(app, &percent);

	snprintf(buf, size, "%s", what ? what : kinds[k].what);
	if (what && percent >= 0)
		snprintf(buf + strlen(buf), size - strlen(buf), " %d %%", percent);
	return buf;
}

void result_draw_what(const struct app *app, enum result k, struct canvas *c, struct rect r)
{
	char text[256];

	canvas_str(c, r.y, r.x + 1, r.w - 2, ROLE_DIM, 0, result_what(app, k, text, sizeof text));
}

void results_draw_what(const struct app *app, unsigned which, struct canvas *c, struct rect r)
{
	int last = RESULT_COUNT - 1;

	while (last > 0 && !(which & 1u << last))
		last--;
	result_draw_what(app, (enum result)last, c, r);
}

char *result_of_file(const struct app *app, enum file_kind kind, char *buf, size_t size)
{
	const struct dump *d = app->dump;
	const char *host = d && app->host >= 0 ? strtab_str(&d->str, d->hosts[app->host].name) : NULL;
	size_t more = 0;

	*buf = 0;
	if (!d || !toolfile_alone(d, kind, host, &more))
		return buf;
	if (more)
		snprintf(buf, size, "the profiler's own numbers, file 1 of %zu", more + 1);
	else
		snprintf(buf, size, "the profiler's own numbers");
	return buf;
}

void result_warnings(const struct app *app, struct report *r, enum file_kind kind)
{
	const struct dump *d = app->dump;
	const char *host = app->host >= 0 ? strtab_str(&d->str, d->hosts[app->host].name) : NULL;
	size_t more = 0;
	const struct toolfile *t = toolfile_alone(d, kind, host, &more);

	if (t)
		report_tool_warnings(r, d, t, more);
	else
		report_dump_warnings(r, d);
}

/* First no job looks at any of them, then they go. */
static void forget(struct app *app, unsigned which)
{
	struct results *r = app->p->results;

	for (int i = 0; r && i < RESULT_COUNT; i++)
		if (which & 1u << i && r->slot[i].asked)
			jobs_drop(app, &r->slot[i]);
	for (int i = 0; r && i < RESULT_COUNT; i++) {
		if (!(which & 1u << i))
			continue;
		struct slot *s = &r->slot[i];

		if (s->value && s->old)
			kinds[i].free(s->old);
		*s = (struct slot){ .kind = s->kind, .old = s->value ? s->value : s->old };
	}
}

void results_renew(struct app *app, enum result k)
{
	unsigned which = 1u << k;

	for (int i = k + 1; i < RESULT_COUNT; i++)
		if (kinds[i].needs & which)
			which |= 1u << i;
	forget(app, which);
}

void results_forget(struct app *app)
{
	forget(app, (1u << RESULT_COUNT) - 1);
}

void results_close(struct app *app)
{
	struct results *r = app->p->results;

	results_forget(app);
	for (int i = 0; r && i < RESULT_COUNT; i++)
		if (r->slot[i].old)
			kinds[i].free(r->slot[i].old);
	free(r);
	app->p->results = NULL;
}
