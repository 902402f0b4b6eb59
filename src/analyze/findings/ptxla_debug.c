#include "config.h"
#include "analyze/findings/ptxla.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"

/* The line of code, as the tables show it. */
static const char *place_text(struct rule_work *w, const struct ptxla_frame *f)
{
	const char *slash = strrchr(f->file, '/');

	return rule_say(w, "%s:%lld", slash && slash[1] ? slash + 1 : f->file, (long long)f->line);
}

/* Returns NULL if no line of code is known. */
static const char *place_of(struct rule_work *w, const struct ptxla_analysis *a)
{
	return a && a->user ? place_text(w, a->user) : NULL;
}

void rule_unexpected_execution(struct rule_work *w)
{
	const struct ptxla *x = w->in->ptxla;
	size_t n = 0, first = 0;

	for (size_t i = 0; x && i < x->nanalyses; i++)
		if (x->analyses[i].kind == PTXLA_UNEXPECTED && !n++)
			first = i;
	if (x && x->nanalyses)
		rule_judge_file(w, n > 0, x->analyses[first].file, place_of(w, &x->analyses[first]),
		    rule_say(w, "%zu of %zu blocks of PT_XLA_DEBUG", n, x->nanalyses));
}

void rule_values_cut_graphs(struct rule_work *w)
{
	const struct ptxla *x = w->in->ptxla;
	size_t n = 0, compiled = 0;
	const struct ptxla_analysis *first = NULL;
	const char *evidence;

	for (size_t i = 0; x && i < x->nanalyses; i++) {
		const struct ptxla_analysis *a = &x->analyses[i];

		if (!a->cause || !strstr(a->cause, "trying to access tensor value") ||
		    a->kind == PTXLA_UNEXPECTED)
			continue;
		n += a->kind == PTXLA_EXECUTION;
		compiled += a->kind == PTXLA_COMPILATION;
		first = first ? first : a;
	}
	if (!x || !x->nanalyses)
		return;
	evidence = !n && !ptxla_tells_executions(x)
	    ? rule_say(w, "compilations: %zu", compiled)
	    : rule_say(w, "executions: %zu, compilations: %zu", n, compiled);
	if (first && first->user)
		evidence = rule_say(w, "%s; first at %s:%lld", evidence, first->user->file,
		    (long long)first->user->line);
	rule_judge_file(w, first != NULL, first ? first->file : x->analyses[0].file, place_of(w, first),
	    evidence);
}

/* A graph that one file says was compiled more than once. */
void rule_compiled_again(struct rule_work *w)
{
	const struct ptxla *x = w->in->ptxla;
	struct strtab seen;
	size_t again = 0;
	const char *hash = NULL;
	uint32_t file = 0;

	strtab_init(&seen);
	for (size_t i = 0; x && i < x->nanalyses; i++) {
		const struct ptxla_analysis *a = &x->analyses[i];
		uint32_t was = seen.n;
		char *key;

		if (a->kind != PTXLA_COMPILATION || !a->graph_hash)
			continue;
		key = xasprintf("%u %s", a->file, a->graph_hash);
		strtab_addz(&seen, key);
		free(key);
		if (seen.n == was && !again++) {
			file = a->file;
			hash = a->graph_hash;
		}
	}
	if (seen.n > 1) /* the first is the empty text */
		rule_judge_file(w, again > 0, file, hash,
		    rule_say(w, "compilations of graphs that were compiled before: %zu", again));
	strtab_free(&seen);
}

/* The line of code, or what saved them, with most different graphs.  One graph alone can differ from none. */
static void check_saved(struct rule_work *w)
{
	const struct ptxla *x = w->in->ptxla;
	size_t n;
	struct ptxla_saved *v = ptxla_saved(x, &n);
	const struct ptxla_graph *g = n ? v->first : NULL;
	const char *place = g && g->user.file ? place_text(w, &g->user)
	    : g && g->name                    ? g->name
					      : "one place";

	if (x->ngraphs > 1) {
		const char *to = v->most > v->least ? rule_say(w, " to %lld", (long long)v->most) : "";

		rule_judge_file(w, (double)v->distinct >= rule_limit(w->rule, "graphs"), g->file, place,
		    rule_say(w, "%s: %zu different of %zu graphs, of %lld%s nodes", place, v->distinct,
			v->saved, (long long)v->least, to));
	}
	free(v);
}

/* A line of code, and how many graphs were compiled because of it. */
struct compiling_line {
	const struct ptxla_analysis *first;
	size_t graphs, compiled;
};

static struct compiling_line *compiling_lines(const struct ptxla *x, size_t *n)
{
	struct compiling_line *v = NULL;
	struct strtab places, pairs;
	size_t cap = 0;

	*n = 0;
	strtab_init(&places);
	strtab_init(&pairs);
	for (size_t i = 0; i < x->nanalyses; i++) {
		const struct ptxla_analysis *a = &x->analyses[i];
		uint32_t was = pairs.n, id;
		char *key;

		if (a->kind != PTXLA_COMPILATION || !a->graph_hash || !a->user)
			continue;
		key = xasprintf("%u %lld %s", a->file, (long long)a->user->line, a->user->file);
		id = strtab_addz(&places, key);
		free(key);
		if (id > *n) /* the first number is that of the empty text */
			VEC_ADD(v, *n, cap, (struct compiling_line){ a, 0, 0 });
		key = xasprintf("%u %s", id, a->graph_hash);
		strtab_addz(&pairs, key);
		free(key);
		v[id - 1].compiled++;
		v[id - 1].graphs += pairs.n > was;
	}
	strtab_free(&places);
	strtab_free(&pairs);
	return v;
}

/* The line with most different graphs that were compiled. */
static void check_compiled(struct rule_work *w)
{
	size_t n, most = 0;
	struct compiling_line *v = compiling_lines(w->in->ptxla, &n);

	for (size_t i = 1; i < n; i++)
		most = v[i].graphs > v[most].graphs ? i : most;
	if (n) {
		const char *place = place_text(w, v[most].first->user);

		rule_judge_file(w, (double)v[most].graphs >= rule_limit(w->rule, "graphs"),
		    v[most].first->file, place,
		    rule_say(w, "%s: %zu graph%s in %zu compilation%s", place, v[most].graphs,
			v[most].graphs == 1 ? "" : "s", v[most].compiled, v[most].compiled == 1 ? "" : "s"));
	}
	free(v);
}

/* Graphs that were saved show more than what is said of compilations. */
void rule_graphs_change(struct rule_work *w)
{
	if (w->in->ptxla)
		(w->in->ptxla->ngraphs ? check_saved : check_compiled)(w);
}

/* Does PyTorch/XLA run the op on the CPU on purpose?  The host needs its result, to go on or to know a shape. */
static bool is_of_host(struct slice op)
{
	static const char *const ops[] = { "_local_scalar_dense", "item", "nonzero" };
	size_t n = 0;
	bool found = false;

	slice_cut(&op, "aten::");
	while (n < op.n && op.s[n] != '.') /* "nonzero.out" */
		n++;
	op.n = n;
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		found |= slice_is(op, ops[i]);
	return found;
}

bool rule_all_of_host(const char *ops)
{
	bool all = true;

	for (size_t n; all && *ops; ops += n + (ops[n] == ',')) {
		n = strcspn(ops, ",");
		all = is_of_host(slice_trim((struct slice){ ops, n }));
	}
	return all;
}

void rule_calls(struct rule_work *w)
{
	const struct ptxla *x = w->in->ptxla;
	const struct ptxla_unlowered *most = NULL;
	int64_t n = 0;

	for (size_t i = 0; x && i < x->nunlowered; i++) {
		const struct ptxla_unlowered *u = &x->unlowered[i];

		if (!u->op || is_of_host(slice_of(u->op)))
			continue;
		n = add_clamped(n, u->count > 0 ? u->count : 0);
		most = !most || u->count > most->count ? u : most;
	}
	if (most)
		rule_judge_file(w, true, most->file, most->op,
		    rule_say(w, "calls: %lld, most of %.80s%s%s", (long long)n, most->op,
			most->user ? " at " : "", most->user ? place_text(w, most->user) : ""));
}

/* --- torch_xla's own profiler --- */

/* The rule that the line stands for; NULL: none. */
static const char *id_of_notice(const struct ptxla_notice *n)
{
	bool compile = n->metric && !strcmp(n->metric, "CompileTime");
	bool transfer = n->metric &&
	    (!strcmp(n->metric, "TransferFromDeviceTime") || !strcmp(n->metric, "TransferFromServerTime"));
	bool execute = n->metric && !strcmp(n->metric, "ExecuteTime");

	if (!strcmp(n->kind, "not_lowered"))
		return n->ops && !rule_all_of_host(n->ops) ? "not_lowered" : NULL;
	if (!strcmp(n->kind, "too_slow"))
		return compile ? "compile_too_slow" : execute ? "execute_too_slow" : NULL;
	return compile ? "compile_too_frequent" : transfer ? "transfer_from_device_too_frequent" : NULL;
}

static bool is_of_rule(const struct ptxla_notice *n, const struct rule *rule)
{
	const char *id = id_of_notice(n);

	return id && !strcmp(id, rule->id);
}

static const char *notice_text(struct rule_work *w, const struct ptxla_notice *n)
{
	unsigned long long line = n->line;

	if (n->ops)
		return arena_strndup(&w->out->text, n->ops, strnlen(n->ops, 4000));
	if (!isnan(n->seconds))
		return rule_say(w, "%s: %.4g s, line %llu", n->metric, n->seconds, line);
	if (n->samples < 0)
		return rule_say(w, "%s, line %llu", n->metric, line);
	if (n->steps < 0)
		return rule_say(w, "%s: %lld times, line %llu", n->metric, (long long)n->samples, line);
	return rule_say(w, "%s: %lld in %lld steps, line %llu", n->metric, (long long)n->samples,
	    (long long)n->steps, line);
}

/* Raises the last line of the rule's kind in each file; not where the numbers themselves are there. */
void rule_notices(struct rule_work *w)
{
	const struct ptxla *x = w->in->ptxla;
	const struct ptxla_notice *last = NULL;

	for (size_t i = 0; x && !ptxla_has_metrics(x) && i < x->nnotices; i++) {
		const struct ptxla_notice *n = &x->notices[i];

		last = is_of_rule(n, w->rule) ? n : last;
		if (last && (i + 1 == x->nnotices || n[1].file != n->file)) {
			rule_judge_file(w, true, last->file, last->metric, notice_text(w, last));
			last = NULL;
		}
	}
}
