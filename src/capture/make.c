#include "config.h"
#include "capture/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/findings/findings.h"
#include "analyze/kernels/kernels.h"
#include "analyze/memprof/profile.h"
#include "analyze/ops/opdb.h"
#include "analyze/pod/pod.h"
#include "analyze/ptxla/ptxla.h"
#include "analyze/tables/legacy_framework.h"
#include "analyze/tf/shown.h"
#include "analyze/triage/triage.h"
#include "base/mem.h"

void *result_make_ops(const struct result_env *e)
{
	struct opdb_options o = { .host = capture_host(e->c),
		.core = -1,
		.threads = e->c->threads,
		.steps = &e->c->steps,
		.progress = e->progress };
	struct opdb *db = xcalloc(1, sizeof *db);

	opdb_build(e->c->dump, &o, db);
	return db;
}

void *result_make_table_ops(const struct result_env *e)
{
	struct opdb_options o = { .host = capture_host(e->c),
		.core = e->c->scope.op_core,
		.threads = e->c->threads,
		.progress = e->progress,
		.programs = e->c->scope.program ? &e->c->scope.program : NULL,
		.nprograms = e->c->scope.program != 0 };
	struct op_set *s = xcalloc(1, sizeof *s);
	bool part = e->c->scope.op_core >= 0 || e->c->scope.program;

	s->db = part ? &s->own : capture_has(e->c, RESULT_OPS);
	if (part)
		opdb_build(e->c->dump, &o, &s->own);
	return s;
}

void result_free_table_ops(void *p)
{
	opdb_free(&((struct op_set *)p)->own);
	free(p);
}

void *result_make_hlo_table(const struct result_env *e)
{
	const struct op_set *ops = capture_has(e->c, RESULT_TABLE_OPS);
	struct table *t = xcalloc(1, sizeof *t);

	tables_hlo_stats(e->c->dump, ops->db, tables_flags(ops->db, true), t);
	return t;
}

void *result_make_framework(const struct result_env *e)
{
	const struct op_set *ops = capture_has(e->c, RESULT_TABLE_OPS);
	struct framework_set *s = xcalloc(1, sizeof *s);
	unsigned flags;

	if ((s->file = toolfile_alone(e->c->dump, FILE_FRAMEWORK_OPS, capture_host(e->c), NULL))) {
		legacy_framework_ops(s->file, OPS_UNKNOWN_NULL, &s->table[0]);
		legacy_framework_ops(s->file, OPS_UNKNOWN_NULL | OPS_WITH_IDLE, &s->table[1]);
		return s;
	}
	framework_ops(e->c->dump, ops->db, &(struct framework_host_options){ .host = capture_host(e->c) },
	    &s->f);
	flags = tables_flags(ops->db, true);
	tables_framework(&s->f, &ops->db->peaks, flags, &s->table[0]);
	tables_framework(&s->f, &ops->db->peaks, flags | OPS_WITH_IDLE, &s->table[1]);
	return s;
}

void result_free_framework(void *p)
{
	struct framework_set *s = p;

	table_free(&s->table[0]);
	table_free(&s->table[1]);
	framework_free(&s->f);
	free(s);
}

static struct overview_options overview_of(const struct result_env *e)
{
	return (struct overview_options){ .host = capture_host(e->c),
		.core = -1,
		.threads = e->c->threads,
		.progress = e->progress };
}

void *result_make_overview(const struct result_env *e)
{
	struct overview_options o = overview_of(e);
	struct overview *v = xcalloc(1, sizeof *v);

	overview_make(e->c->dump, &e->c->steps, capture_has(e->c, RESULT_OPS), &o, v);
	return v;
}

void *result_make_input(const struct result_env *e)
{
	struct overview_options o = overview_of(e);
	struct input_pipeline *in = xcalloc(1, sizeof *in);

	input_pipeline_make(e->c->dump, &e->c->steps, capture_has(e->c, RESULT_OVERVIEW), &o, in);
	return in;
}

void *result_make_findings(const struct result_env *e)
{
	struct finding_input in = { .dump = e->c->dump,
		.steps = &e->c->steps,
		.ops = capture_has(e->c, RESULT_OPS),
		.overview = capture_has(e->c, RESULT_OVERVIEW),
		.input = capture_has(e->c, RESULT_INPUT),
		.profile = capture_has(e->c, RESULT_MEMORY_PROFILE),
		.pod = capture_has(e->c, RESULT_POD),
		.ptxla = capture_has(e->c, RESULT_PTXLA),
		.triage = capture_has(e->c, RESULT_TRIAGE),
		.progress = e->progress };
	struct finding_scope scope = { .host = capture_host(e->c),
		.core = -1,
		.module = e->c->scope.module ? hlo_module_find(e->c->dump, e->c->scope.module) : -1 };
	struct findings *f = xcalloc(1, sizeof *f);
	struct err err;

	/* cannot fail: the rules are compiled in and tested */
	findings_make(&in, &scope, f, &err);
	return f;
}

void *result_make_modules(const struct result_env *e)
{
	struct memory_ranks *r = xcalloc(1, sizeof *r);

	memory_rank(e->c->dump, e->progress, r);
	return r;
}

/* A mesh that is not one becomes a warning, and the pod is shown without it. */
void *result_make_pod(const struct result_env *e)
{
	struct pod_options o = { .topology = *e->c->scope.topology ? e->c->scope.topology : NULL,
		.host = capture_host(e->c),
		.threads = e->c->threads,
		.progress = e->progress };
	const struct overview *overview = capture_has(e->c, RESULT_OVERVIEW);
	struct pod *p = xcalloc(1, sizeof *p);
	struct err err = { 0 };

	if (overview && overview->cores.ncores)
		o.cores = &overview->cores;
	while (pod_make(e->c->dump, &e->c->steps, &o, p, &err)) {
		pod_free(p);
		o.topology = NULL;
	}
	if (err.status)
		*table_row(&p->warnings) =
		    cell_str(table_copy(&p->warnings, err.msg, strlen(err.msg)), strlen(err.msg));
	return p;
}

void *result_make_triage(const struct result_env *e)
{
	struct triage *t = xcalloc(1, sizeof *t);

	triage_of_dump(e->c->dump, e->progress, t);
	return t;
}

void *result_make_tf_graph(const struct result_env *e)
{
	struct tf_shown *s = xcalloc(1, sizeof *s);

	tf_shown_make(e->c->dump, e->c->scope.tf_graph, s);
	return s;
}

void *result_make_tf_lines(const struct result_env *e)
{
	struct tf_lines *l = xcalloc(1, sizeof *l);

	tf_lines_make(capture_has(e->c, RESULT_TF_GRAPH), !e->c->scope.tf_plain, l);
	return l;
}

void *result_make_ptxla(const struct result_env *e)
{
	struct ptxla *x = xcalloc(1, sizeof *x);

	if (ptxla_any(e->c->dump))
		ptxla_of_dump(e->c->dump, e->progress, x);
	else
		ptxla_begin(x);
	return x;
}

void *result_make_kernels(const struct result_env *e)
{
	struct kernels_options o = { .host = capture_host(e->c), .core = -1, .progress = e->progress };
	struct kernels *k = xcalloc(1, sizeof *k);

	kernels_make(e->c->dump, &o, k);
	return k;
}

void *result_make_memory_profile(const struct result_env *e)
{
	struct memory_profile *p = xcalloc(1, sizeof *p);

	memprof_build(e->c->dump, e->c->steps.groups, capture_host(e->c), e->progress, p);
	return p;
}

/* Results that are one struct, with the function that frees what it holds. */
#define FREE_RESULT(result, free_parts) \
	void result_free_##result(void *p) \
	{ \
		free_parts(p); \
		free(p); \
	}

FREE_RESULT(ops, opdb_free)
FREE_RESULT(hlo_table, table_free)
FREE_RESULT(overview, overview_free)
FREE_RESULT(input, input_pipeline_free)
FREE_RESULT(findings, findings_free)
FREE_RESULT(modules, memory_ranks_free)
FREE_RESULT(pod, pod_free)
FREE_RESULT(tf_graph, tf_shown_free)
FREE_RESULT(tf_lines, tf_lines_free)
FREE_RESULT(triage, triage_free)
FREE_RESULT(ptxla, ptxla_free)
FREE_RESULT(kernels, kernels_free)
FREE_RESULT(memory_profile, memprof_free)
