#include "config.h"
#include "capture/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/account/account.h"
#include "analyze/communication/communication.h"
#include "analyze/account/differ.h"
#include "analyze/findings/findings.h"
#include "analyze/idle/idle.h"
#include "analyze/kernels/kernels.h"
#include "analyze/llo/llo.h"
#include "analyze/memory/pick.h"
#include "analyze/memprof/profile.h"
#include "analyze/ops/opdb.h"
#include "analyze/ops/roofline.h"
#include "analyze/pod/beside.h"
#include "analyze/pod/pod.h"
#include "analyze/ptxla/ptxla.h"
#include "model/llo.h"
#include "analyze/replay/replay.h"
#include "analyze/tables/legacy_framework.h"
#include "analyze/tf/shown.h"
#include "analyze/scopes/scopes.h"
#include "analyze/triage/triage.h"
#include "base/mem.h"

void *result_make_ops(const struct result_env *e)
{
	struct opdb_options o = { .host = capture_host(e->c),
		.core = e->c->scope.core,
		.threads = e->c->threads,
		.steps = e->c->scope.ops_alone ? NULL : &e->c->steps,
		.progress = e->progress };
	struct opdb *db = xcalloc(1, sizeof *db);

	opdb_build(e->c->base, &o, db);
	return db;
}

void *result_make_table_ops(const struct result_env *e)
{
	const struct capture_scope *scope = &e->c->scope;
	struct op_set *s = xcalloc(1, sizeof *s);
	bool part = scope->op_core != scope->core || scope->program || scope->op_module || scope->op_step;

	s->db = part ? &s->own : capture_has(e->c, RESULT_OPS);
	if (part && ops_of_scope(e, &s->own)) {
		free(s);
		return NULL;
	}
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

	tables_hlo_stats(e->c->base, ops->db, tables_flags(ops->db, true), t);
	return t;
}

void *result_make_framework(const struct result_env *e)
{
	const struct op_set *ops = capture_has(e->c, RESULT_TABLE_OPS);
	struct framework_set *s = xcalloc(1, sizeof *s);
	unsigned flags;

	if ((s->file = capture_file(e->c, FILE_FRAMEWORK_OPS, NULL))) {
		for (int i = 0; i < 2; i++)
			s->lacks[i] = !legacy_framework_ops(s->file, i, &s->table[i]);
		return s;
	}
	framework_ops(e->c->base, ops->db, &(struct framework_host_options){ .host = capture_host(e->c) },
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
		.core = e->c->scope.core,
		.threads = e->c->threads,
		.progress = e->progress };
}

void *result_make_overview(const struct result_env *e)
{
	struct overview_options o = overview_of(e);
	struct overview *v = xcalloc(1, sizeof *v);

	overview_make(e->c->base, &e->c->steps, capture_has(e->c, RESULT_OPS), &o, v);
	return v;
}

void *result_make_account(const struct result_env *e)
{
	struct account *a = xcalloc(1, sizeof *a);

	overview_account(capture_has(e->c, RESULT_OVERVIEW), e->c->scope.op_core, a);
	return a;
}

void *result_make_input(const struct result_env *e)
{
	struct overview_options o = overview_of(e);
	struct input_pipeline *in = xcalloc(1, sizeof *in);

	input_pipeline_make(e->c->base, &e->c->steps, capture_has(e->c, RESULT_OVERVIEW), &o, in);
	return in;
}

/* Rules about texts have nothing to say where there are none.  pieces: with what needs the pieces of time */
static struct findings *check(const struct result_env *e, bool pieces)
{
	const struct capture *c = e->c;
	const struct picked_memory *memory = capture_has(c, RESULT_MEMORY);
	const struct core_times *times = pieces ? capture_has(c, RESULT_CORE_TIMES) : NULL;
	struct scopes scopes; /* by the program's own names, whichever tree is shown */
	struct finding_input in = { .dump = c->base,
		.steps = &c->steps,
		.ops = capture_has(c, RESULT_OPS),
		.overview = capture_has(c, RESULT_OVERVIEW),
		.input = capture_has(c, RESULT_INPUT),
		.profile = capture_has(c, RESULT_MEMORY_PROFILE),
		.communication = pieces ? capture_has(c, RESULT_COMMUNICATION) : NULL,
		.idle = pieces ? capture_has(c, RESULT_IDLE) : NULL,
		.scopes = times ? &scopes : NULL,
		.pod = c->scope.host < 0 && c->scope.core < 0 ? capture_has(c, RESULT_POD) : NULL,
		.ptxla = ptxla_any(c->base) ? capture_has(c, RESULT_PTXLA) : NULL,
		.llo = llo_any(c->base) ? capture_has(c, RESULT_LLO) : NULL,
		.triage = triage_has_texts(c->base) ? capture_has(c, RESULT_TRIAGE) : NULL,
		.module = memory->module,
		.memory = memory->module ? &memory->memory : NULL,
		.progress = e->progress };
	struct findings *f = xcalloc(1, sizeof *f);

	if (times)
		scopes_make(times, &(struct scopes_options){ .core = c->scope.core }, &scopes);
	findings_build(&in, f);
	f->pieces = pieces;
	if (times)
		scopes_free(&scopes);
	return f;
}

void *result_make_first_findings(const struct result_env *e)
{
	return check(e, false);
}

void *result_make_findings(const struct result_env *e)
{
	return check(e, !capture_is_huge(e->c));
}

void *result_make_mended(const struct result_env *e)
{
	struct findings *f = xcalloc(1, sizeof *f);

	findings_mend(capture_has(e->c, RESULT_FINDINGS), capture_has(e->c, RESULT_REPLAY), f);
	return f;
}

/* A program that a message is about is looked at first, if none ran. */
void *result_make_memory(const struct result_env *e)
{
	const struct dump *d = e->c->base;
	const struct opdb *ops = capture_has(e->c, RESULT_OPS);
	const struct triage *said = triage_has_texts(d) ? capture_has(e->c, RESULT_TRIAGE) : NULL;
	int asked = e->c->scope.module ? hlo_module_find(d, e->c->scope.module) : -1;
	int64_t *limits = said ? triage_limits(said, d) : NULL;
	struct picked_memory *m = xcalloc(1, sizeof *m);

	if (asked < 0 && said && !(ops->op_time > 0))
		asked = triage_module(said, d);
	m->module = memory_pick(d, ops, asked, limits, e->progress, &m->memory);
	free(limits);
	return m;
}

void result_free_memory(void *p)
{
	struct picked_memory *m = p;

	if (m->module)
		memory_free(&m->memory);
	free(m);
}

/* Always of all cores: how long one waited in a collective is known only beside the others. */
void *result_make_steps(const struct result_env *e)
{
	const struct dump *d = e->c->base;
	struct step_parts *p = xcalloc(1, sizeof *p);
	struct step_cores cores;

	p->steps = e->c->steps;
	p->steps.v = xmalloc((p->steps.n + 1) * sizeof *p->steps.v);
	for (size_t i = 0; i < p->steps.n; i++)
		p->steps.v[i] = e->c->steps.v[i];
	p->median = account_row_medians(&p->steps);
	p->why =
	    step_why_build(d, &p->steps, p->median, capture_host(e->c), e->c->threads, e->progress, &cores);
	p->row = account_of_rows(d, &cores, &p->steps);
	step_cores_free(&cores);
	return p;
}

void result_free_steps(void *p)
{
	struct step_parts *s = p;

	free(s->steps.v);
	free(s->row);
	free(s->median);
	free(s->why);
	free(s);
}

/* Always of all cores, like the steps. */
void *result_make_core_times(const struct result_env *e)
{
	struct core_times *t = xcalloc(1, sizeof *t);

	core_times_make(e->c->base, &e->c->steps, capture_host(e->c), e->c->threads, e->progress, t);
	return t;
}

void *result_make_scopes(const struct result_env *e)
{
	const struct scopes_options o = { .tree = (enum scope_tree)e->c->scope.scope_tree,
		.core = e->c->scope.core,
		.step = e->c->scope.op_step,
		.mixed = true };
	const struct core_times *times = capture_has(e->c, RESULT_CORE_TIMES);
	struct scopes *s = xcalloc(1, sizeof *s);

	scopes_make(times, &o, s);
	scopes_spread(times, &o, s);
	return s;
}

void *result_make_communication(const struct result_env *e)
{
	const struct comm_options o = { .host = capture_host(e->c),
		.core = e->c->scope.core,
		.step = e->c->scope.op_step,
		.topology = e->c->scope.topology };
	struct communication *c = xcalloc(1, sizeof *c);

	communication_make(capture_has(e->c, RESULT_CORE_TIMES), &o, c);
	return c;
}

void *result_make_idle(const struct result_env *e)
{
	const struct idle_options o = { .host = capture_host(e->c),
		.core = e->c->scope.core,
		.step = e->c->scope.op_step };
	struct idle *v = xcalloc(1, sizeof *v);

	idle_make(capture_has(e->c, RESULT_CORE_TIMES), &o, v);
	return v;
}

/* Always of all cores, as they wait for each other. */
void *result_make_replay(const struct result_env *e)
{
	struct replay *r = xcalloc(1, sizeof *r);

	replay_make(e->c->base, capture_host(e->c), e->c->threads, e->progress, r);
	return r;
}

void *result_make_levers(const struct result_env *e)
{
	struct levers *l = xcalloc(1, sizeof *l);

	levers_standard(capture_has(e->c, RESULT_REPLAY), l);
	levers_predict(capture_has(e->c, RESULT_REPLAY), e->c->threads, l);
	return l;
}

void *result_make_op_steps(const struct result_env *e)
{
	struct op_steps *s = xcalloc(1, sizeof *s);
	struct ops_pick p;

	if (ops_pick(e, &p)) {
		free(s);
		return NULL;
	}
	p.options.windows = NULL;
	s->v = roof_steps(e->c->base, &p.options, e->c->scope.op_step, &s->n);
	ops_pick_free(&p);
	return s;
}

void result_free_op_steps(void *p)
{
	struct op_steps *s = p;

	roof_steps_free(s->v, s->n);
	free(s);
}

void *result_make_modules(const struct result_env *e)
{
	struct memory_ranks *r = xcalloc(1, sizeof *r);

	memory_rank(e->c->base, e->progress, r);
	return r;
}

void *result_make_pod_beside(const struct result_env *e)
{
	const struct pod *pod = capture_has(e->c, RESULT_POD);
	const struct capture_scope *scope = &e->c->scope;
	struct pod_beside *b = xcalloc(1, sizeof *b);
	size_t core = SIZE_MAX;

	for (size_t i = 0; i < pod->cores.ncores && scope->beside_core >= 0; i++)
		if (pod->cores.core[i].core == scope->beside_core &&
		    (scope->beside_host < 0 || pod->cores.core[i].host == scope->beside_host)) {
			core = i;
			break;
		}
	pod_beside_make(e->c->base, &e->c->steps, &pod->cores, core, e->progress, b);
	return b;
}

void result_free_pod_beside(void *p)
{
	pod_beside_free(p);
	free(p);
}

/* Takes the cores of the overview where that is there, but does not ask for it, which takes half as long again.  A mesh
 * that is not one becomes a warning, and the pod is shown without it. */
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
	while (pod_make(e->c->base, &e->c->steps, &o, p, &err)) {
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

	triage_of_dump(e->c->base, e->progress, t);
	return t;
}

void *result_make_tf_graph(const struct result_env *e)
{
	struct tf_shown *s = xcalloc(1, sizeof *s);

	tf_shown_make(e->c->base, e->c->scope.tf_graph, s);
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

	if (ptxla_any(e->c->base))
		ptxla_of_dump(e->c->base, e->progress, x);
	else
		ptxla_begin(x);
	return x;
}

void *result_make_kernels(const struct result_env *e)
{
	struct kernels_options o = { .host = capture_host(e->c),
		.core = e->c->scope.core,
		.progress = e->progress };
	struct kernels *k = xcalloc(1, sizeof *k);

	kernels_make(e->c->base, &o, k);
	return k;
}

/* The kernels of a dump that ran in the capture beside it. */
static void measure_kernels(const struct dump *d, const struct opdb *ops, struct llo *l)
{
	struct op_program_names names = op_program_names(d);

	for (size_t i = 0; i < ops->n; i++) {
		const struct op *o = &ops->v[i];

		if (o->sum.occurrences > 0)
			llo_measured(l, op_short_name(d, o), op_program_named(&names, o->program),
			    o->expression, (double)o->sum.time / (double)o->sum.occurrences / 1e6);
	}
	free(names.v);
}

void *result_make_llo(const struct result_env *e)
{
	const struct capture_scope *scope = &e->c->scope;
	struct llo *l = xcalloc(1, sizeof *l);

	llo_make(e->c->base, scope->chip ? scope->chip : e->c->base->device, e->progress, l);
	if (l->n)
		measure_kernels(e->c->base, capture_has(e->c, RESULT_OPS), l);
	return l;
}

void *result_make_memory_profile(const struct result_env *e)
{
	struct memory_profile *p = xcalloc(1, sizeof *p);

	memprof_build(e->c->base, e->c->steps.groups, capture_host(e->c), e->progress, p);
	return p;
}

void *result_make_memory_beside(const struct result_env *e)
{
	const struct memory_profile *p = capture_has(e->c, RESULT_MEMORY_PROFILE);
	struct memory_besides *b = xcalloc(1, sizeof *b);

	b->v = xcalloc(p->ndevices + 1, sizeof *b->v);
	for (; b->n < p->ndevices; b->n++) {
		const struct memory_device *m = &p->device[b->n];
		const bool number = *m->name && !m->name[strspn(m->name, "0123456789")];

		memory_beside_make(e->c->base, p->host, number ? (int)strtol(m->name, NULL, 10) : -1,
		    m->v[m->peak].t, b->n ? &b->v[b->n - 1] : NULL, &b->v[b->n]);
	}
	return b;
}

void result_free_memory_beside(void *p)
{
	free(((struct memory_besides *)p)->v);
	free(p);
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
FREE_RESULT(account, account_free)
FREE_RESULT(input, input_pipeline_free)
FREE_RESULT(findings, findings_free)
FREE_RESULT(modules, memory_ranks_free)
FREE_RESULT(pod, pod_free)
FREE_RESULT(tf_graph, tf_shown_free)
FREE_RESULT(tf_lines, tf_lines_free)
FREE_RESULT(triage, triage_free)
FREE_RESULT(ptxla, ptxla_free)
FREE_RESULT(kernels, kernels_free)
FREE_RESULT(llo, llo_free)
FREE_RESULT(core_times, core_times_free)
FREE_RESULT(communication, communication_free)
FREE_RESULT(scopes, scopes_free)
FREE_RESULT(idle, idle_free)
FREE_RESULT(replay, replay_free)
FREE_RESULT(levers, levers_free)
FREE_RESULT(memory_profile, memprof_free)
