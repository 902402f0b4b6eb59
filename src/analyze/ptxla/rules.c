#include "config.h"
#include "analyze/ptxla/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"
#include "base/text/units.h"

#define NAMES_MAX 4000 /* bytes of evidence */

static const char *const severities[RULE_LEVELS] = { "high", "medium", "low" };

/* Raises it, or notes what was measured. */
static void judge(struct ptxla *x, const char *id, bool found, const struct ptxla_finding *at,
    const char *evidence)
{
	const struct rule *r = rule_named(id);
	struct ptxla_finding f = *at;

	if (!r)
		return;
	f.id = id;
	f.evidence = arena_strndup(&x->text, evidence, strlen(evidence));
	for (int i = RULE_LEVELS; i-- > 0;)
		f.severity = isnan(r->at[i]) ? f.severity : severities[i];
	f.title = r->title;
	f.advice = rule_advice(&x->text, r->advice, NULL, NULL, true);
	if (found)
		VEC_ADD(x->findings, x->nfindings, x->findings_cap, f);
	else
		VEC_ADD(x->passed, x->npassed, x->passed_cap, f);
}

static void judge_at(struct ptxla *x, const char *id, bool found, size_t report, const char *subject,
    const char *evidence)
{
	judge(x, id, found,
	    &(struct ptxla_finding){ .subject = subject,
		.step = x->reports[report].step,
		.file = x->reports[report].file },
	    evidence);
}

static void judge_file(struct ptxla *x, const char *id, bool found, uint32_t file, const char *subject,
    const char *evidence)
{
	judge(x, id, found, &(struct ptxla_finding){ .subject = subject, .step = -1, .file = file },
	    evidence);
}

/* --- of the last report --- */

static void rule_frequent(struct ptxla *x, size_t report, const char *id, const char *metric)
{
	const struct ptxla_metric *m = ptxla_metric(x, report, metric);
	int64_t steps = ptxla_counter(x, report, "MarkStep");
	char evidence[160];

	if (!m || m->samples < 0 || (double)steps <= rule_limit(rule_named(id), "steps"))
		return;
	snprintf(evidence, sizeof evidence, "%s: %lld in %lld steps", metric, (long long)m->samples,
	    (long long)steps);
	judge_at(x, id, (double)m->samples / (double)steps > rule_limit(rule_named(id), "ratio"), report,
	    metric, evidence);
}

static void rule_slow(struct ptxla *x, size_t report, const char *id, const char *metric)
{
	const struct ptxla_metric *m = ptxla_metric(x, report, metric);
	double most = -1;
	char evidence[160], text[40];

	if (!m || m->unit != PTXLA_PS)
		return;
	for (size_t i = m->percent; i < m->percent + m->npercents; i++)
		if (ptxla_known(x->values[i]) && (double)x->values[i].i > most)
			most = (double)x->values[i].i;
	if (most < 0)
		return;
	snprintf(evidence, sizeof evidence, "%s: up to %s", metric,
	    units_time_short(text, sizeof text, (int64_t)most, false));
	judge_at(x, id, most > 1e12 * rule_limit(rule_named(id), "seconds"), report, metric, evidence);
}

static int by_bytes(const void *a, const void *b)
{
	return slice_order(*(const struct slice *)a, *(const struct slice *)b);
}

static bool is_dynamic(struct slice name)
{
	return slice_is(name, "aten::nonzero") || slice_is(name, "aten::masked_select") ||
	    slice_is(name, "aten::_unique2");
}

/* Ops of the report that ran on the CPU: all but scalar access, or only those of dynamic shapes. */
static void rule_ops(struct ptxla *x, size_t report, const char *id, bool dynamic)
{
	const struct ptxla_report *r = &x->reports[report];
	struct slice *v = xcalloc(r->ncounters + 1, sizeof *v);
	size_t n = 0, len = 0;
	char *evidence = xmalloc(NAMES_MAX);

	for (size_t i = r->counter; i < r->counter + r->ncounters; i++) {
		struct slice name = strtab_text(&x->names, x->counters[i].name);

		if (dynamic ? is_dynamic(name)
			    : slice_begins(name, "aten::") && !slice_is(name, "aten::_local_scalar_dense"))
			v[n++] = name;
	}
	VEC_SORT(v, n, by_bytes);
	for (size_t i = 0; i < n && len + v[i].n + 2 < NAMES_MAX; i++) {
		if (i)
			evidence[len++] = ',';
		memcpy(evidence + len, v[i].s, v[i].n);
		len += v[i].n;
	}
	evidence[len] = 0;
	if (n || r->ncounters)
		judge_at(x, id, n > 0, report, n ? arena_strndup(&x->text, v[0].s, v[0].n) : NULL,
		    n ? evidence : "no such counter");
	free(evidence);
	free(v);
}

static void rule_scalars(struct ptxla *x, size_t report)
{
	int64_t n = ptxla_counter(x, report, "aten::_local_scalar_dense");
	int64_t steps = ptxla_counter(x, report, "MarkStep");
	char evidence[160];

	if (n == INT64_MIN && !x->reports[report].ncounters)
		return;
	n = n < 0 ? 0 : n;
	if (steps > 0)
		snprintf(evidence, sizeof evidence, "%lld times in %lld steps", (long long)n,
		    (long long)steps);
	else
		snprintf(evidence, sizeof evidence, "%lld times", (long long)n);
	judge_at(x, "scalar_access", n > 0, report, "aten::_local_scalar_dense", evidence);
}

static void rule_busy(struct ptxla *x, size_t report)
{
	const struct ptxla_metric *m = ptxla_metric(x, report, "CompileTime");
	double rate = m && m->unit == PTXLA_PS ? ptxla_double(m->unit, m->value_rate) / 1e12 : NAN;
	char evidence[160];

	/* the rate of a few samples is that of the start */
	if (isnan(rate) || (double)m->samples < rule_limit(rule_named("compile_busy"), "samples"))
		return;
	snprintf(evidence, sizeof evidence, "CompileTime: %.2f s per second, %lld samples", rate,
	    (long long)m->samples);
	judge(x, "compile_busy", rate >= rule_limit(rule_named("compile_busy"), "seconds"),
	    &(struct ptxla_finding){ .subject = "CompileTime",
		.cost = rate,
		.step = x->reports[report].step,
		.file = x->reports[report].file },
	    evidence);
}

static void rule_cache(struct ptxla *x, size_t report)
{
	int64_t hits = ptxla_counter(x, report, "PersistentCacheHit");
	int64_t misses = ptxla_counter(x, report, "PersistentCacheMiss");
	char evidence[160];

	if (hits < 0 && misses < 0)
		return;
	hits = hits < 0 ? 0 : hits;
	misses = misses < 0 ? 0 : misses;
	snprintf(evidence, sizeof evidence, "%lld misses, %lld hits", (long long)misses, (long long)hits);
	judge_at(x, "persistent_cache_misses", misses > hits, report, "PersistentCacheMiss", evidence);
}

static void rule_tail(struct ptxla *x, size_t report)
{
	const struct ptxla_report *r = &x->reports[report];
	char evidence[600] = "", one[200], mean_text[40], text[40];
	double times = rule_limit(rule_named("long_tail"), "times"),
	       samples = rule_limit(rule_named("long_tail"), "samples");
	const char *subject = NULL;
	size_t n = 0, looked = 0;

	for (size_t i = r->metric; i < r->metric + r->nmetrics; i++) {
		const struct ptxla_metric *m = &x->metrics[i];
		double mean = ptxla_mean(m), last = ptxla_percentile(x, m, 99);

		if (m->unit != PTXLA_PS || (double)m->samples < samples || !m->name || !(mean > 0))
			continue;
		looked++;
		if (!(last >= times * mean) || n > 2)
			continue;
		subject = n ? subject : strtab_str(&x->names, m->name);
		snprintf(one, sizeof one, "%s%.80s: mean %s, 99 %% %s", n++ ? "; " : "",
		    strtab_str(&x->names, m->name),
		    units_time_short(mean_text, sizeof mean_text, (int64_t)mean, false),
		    units_time_short(text, sizeof text, (int64_t)last, false));
		strcat(evidence, one);
	}
	if (!n)
		snprintf(evidence, sizeof evidence, "none of %zu times", looked);
	if (looked)
		judge_at(x, "long_tail", n > 0, report, subject, evidence);
}

/* --- of all reports of a file and host --- */

static bool is_same_source(const struct ptxla_report *a, const struct ptxla_report *b)
{
	return a->file == b->file && a->host == b->host;
}

/* Create − Destroy grows in each report. */
static void rule_tensors(struct ptxla *x, size_t last)
{
	int64_t before = INT64_MIN, first = 0, alive = 0, n = 0;
	bool grows = true;
	char evidence[160];

	for (size_t i = 0; i <= last; i++) {
		int64_t made, freed;

		if (!is_same_source(&x->reports[i], &x->reports[last]))
			continue;
		made = ptxla_counter(x, i, "CreateXlaTensor");
		freed = ptxla_counter(x, i, "DestroyXlaTensor");
		if (made < 0 || freed < 0)
			continue;
		alive = made - freed;
		first = n++ ? first : alive;
		grows &= alive > before;
		before = alive;
	}
	if ((double)n < rule_limit(rule_named("tensor_growth"), "reports"))
		return;
	snprintf(evidence, sizeof evidence,
	    "CreateXlaTensor - DestroyXlaTensor: %lld, then %lld after %lld reports", (long long)first,
	    (long long)alive, (long long)n);
	judge_at(x, "tensor_growth", grows, last, "CreateXlaTensor", evidence);
}

/* Of the later half of the reports, in how many UncachedCompile grew. */
static void rule_growth(struct ptxla *x, size_t last)
{
	int64_t *v = xcalloc(last + 1, sizeof *v), grew = 0;
	size_t n = 0;
	char evidence[160];

	for (size_t i = 0; i <= last; i++) {
		int64_t one = is_same_source(&x->reports[i], &x->reports[last])
		    ? ptxla_counter(x, i, "UncachedCompile")
		    : INT64_MIN;

		if (one != INT64_MIN)
			v[n++] = one;
	}
	for (size_t i = n / 2 + 1; i < n; i++)
		grew += v[i] > v[i - 1];
	if ((double)n >= rule_limit(rule_named("uncached_growth"), "reports")) {
		snprintf(evidence, sizeof evidence,
		    "UncachedCompile: %lld, then %lld; it grew in %lld of the last %zu steps",
		    (long long)v[n / 2], (long long)v[n - 1], (long long)grew, n - n / 2 - 1);
		judge_at(x, "uncached_growth", 2 * grew > (int64_t)(n - n / 2 - 1), last, "UncachedCompile",
		    evidence);
	}
	free(v);
}

/* --- of PT_XLA_DEBUG --- */

/* The line of code, as the tables show it. */
static const char *place_text(struct ptxla *x, const struct ptxla_frame *f)
{
	const char *slash = strrchr(f->file, '/');
	char *text = xasprintf("%s:%lld", slash && slash[1] ? slash + 1 : f->file, (long long)f->line), *kept;

	kept = arena_strndup(&x->text, text, strlen(text));
	free(text);
	return kept;
}

/* NULL: none is known. */
static const char *place_of(struct ptxla *x, const struct ptxla_analysis *a)
{
	return a && a->user ? place_text(x, a->user) : NULL;
}

static void rule_unexpected(struct ptxla *x)
{
	size_t n = 0, first = 0;
	char *evidence;

	for (size_t i = 0; i < x->nanalyses; i++)
		if (x->analyses[i].kind == PTXLA_UNEXPECTED && !n++)
			first = i;
	if (!x->nanalyses)
		return;
	evidence = xasprintf("%zu of %zu blocks of PT_XLA_DEBUG", n, x->nanalyses);
	judge_file(x, "unexpected_execution", n > 0, x->analyses[first].file,
	    place_of(x, &x->analyses[first]), evidence);
	free(evidence);
}

static void rule_values(struct ptxla *x)
{
	size_t n = 0, compiled = 0;
	const struct ptxla_analysis *first = NULL;
	char *evidence;

	for (size_t i = 0; i < x->nanalyses; i++) {
		const struct ptxla_analysis *a = &x->analyses[i];

		if (!a->cause || !strstr(a->cause, "trying to access tensor value") ||
		    a->kind == PTXLA_UNEXPECTED)
			continue;
		n += a->kind == PTXLA_EXECUTION;
		compiled += a->kind == PTXLA_COMPILATION;
		first = first ? first : a;
	}
	if (!x->nanalyses)
		return;
	evidence = first && first->user ? xasprintf("executions: %zu, compilations: %zu; first at %s:%lld", n,
					      compiled, first->user->file, (long long)first->user->line)
					: xasprintf("executions: %zu, compilations: %zu", n, compiled);
	judge_file(x, "values_cut_graphs", first != NULL, first ? first->file : x->analyses[0].file,
	    place_of(x, first), evidence);
	free(evidence);
}

/* A graph that one file says was compiled more than once. */
static void rule_again(struct ptxla *x)
{
	struct strtab seen;
	size_t again = 0;
	const char *hash = NULL;
	uint32_t file = 0, hashes;
	char *evidence;

	strtab_init(&seen);
	for (size_t i = 0; i < x->nanalyses; i++) {
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
	hashes = seen.n;
	strtab_free(&seen);
	if (hashes < 2) /* the first is the empty text */
		return;
	evidence = xasprintf("compilations of graphs that were compiled before: %zu", again);
	judge_file(x, "compiled_again", again > 0, file, hash, evidence);
	free(evidence);
}

/* The line of code, or what saved them, with most different graphs.  One graph alone can differ from none. */
static void rule_graphs(struct ptxla *x)
{
	size_t n;
	struct ptxla_saved *v = ptxla_saved(x, &n);
	const struct ptxla_graph *g = n ? v->first : NULL;
	const char *place = g && g->user.file ? place_text(x, &g->user)
	    : g && g->name                    ? g->name
					      : "one place";
	char to[32] = "", *evidence;

	if (x->ngraphs > 1) {
		if (v->most > v->least)
			snprintf(to, sizeof to, " to %lld", (long long)v->most);
		evidence = xasprintf("%s: %zu different of %zu graphs, of %lld%s nodes", place, v->distinct,
		    v->saved, (long long)v->least, to);
		judge_file(x, "graphs_change",
		    (double)v->distinct >= rule_limit(rule_named("graphs_change"), "graphs"), g->file, place,
		    evidence);
		free(evidence);
	}
	free(v);
}

/* A line of code, and how many graphs were compiled because of it. */
struct compiling_line {
	const struct ptxla_analysis *first;
	size_t graphs, compiled;
};

/* The line with most different graphs that were compiled, where no graph was saved that would show them. */
static void rule_compiling_lines(struct ptxla *x)
{
	struct compiling_line *v = NULL;
	struct strtab places, pairs;
	size_t n = 0, cap = 0, most = 0;

	strtab_init(&places);
	strtab_init(&pairs);
	for (size_t i = 0; i < x->nanalyses && !x->ngraphs; i++) {
		const struct ptxla_analysis *a = &x->analyses[i];
		uint32_t was = pairs.n, id;
		char *key;

		if (a->kind != PTXLA_COMPILATION || !a->graph_hash || !a->user)
			continue;
		key = xasprintf("%u %lld %s", a->file, (long long)a->user->line, a->user->file);
		id = strtab_addz(&places, key);
		free(key);
		if (id > n) /* the first number is that of the empty text */
			VEC_ADD(v, n, cap, (struct compiling_line){ a, 0, 0 });
		key = xasprintf("%u %s", id, a->graph_hash);
		strtab_addz(&pairs, key);
		free(key);
		v[id - 1].compiled++;
		v[id - 1].graphs += pairs.n > was;
	}
	for (size_t i = 1; i < n; i++)
		most = v[i].graphs > v[most].graphs ? i : most;
	if (n) {
		const char *place = place_text(x, v[most].first->user);
		char *evidence = xasprintf("%s: %zu graph%s in %zu compilation%s", place, v[most].graphs,
		    v[most].graphs == 1 ? "" : "s", v[most].compiled, v[most].compiled == 1 ? "" : "s");

		judge_file(x, "graphs_change",
		    (double)v[most].graphs >= rule_limit(rule_named("graphs_change"), "graphs"),
		    v[most].first->file, place, evidence);
		free(evidence);
	}
	strtab_free(&places);
	strtab_free(&pairs);
	free(v);
}

/* Calls of ops on the CPU, by the place that makes most of them. */
static void rule_calls(struct ptxla *x)
{
	const struct ptxla_unlowered *most = NULL;
	int64_t n = 0;
	char *evidence;

	for (size_t i = 0; i < x->nunlowered; i++) {
		const struct ptxla_unlowered *u = &x->unlowered[i];

		if (!u->op || strstr(u->op, "_local_scalar_dense"))
			continue;
		n = add_clamped(n, u->count > 0 ? u->count : 0);
		most = !most || u->count > most->count ? u : most;
	}
	if (!most)
		return;
	evidence = xasprintf("calls: %lld, most of %.80s%s%s", (long long)n, most->op,
	    most->user ? " at " : "", most->user ? place_text(x, most->user) : "");
	judge_file(x, "not_lowered", true, most->file, most->op, evidence);
	free(evidence);
}

/* The finding that a line of torch_xla's own profiler stands for; NULL: none. */
static const char *id_of_notice(const struct ptxla_notice *n)
{
	bool compile = n->metric && !strcmp(n->metric, "CompileTime");
	bool transfer = n->metric &&
	    (!strcmp(n->metric, "TransferFromDeviceTime") || !strcmp(n->metric, "TransferFromServerTime"));
	bool execute = n->metric && !strcmp(n->metric, "ExecuteTime");

	if (!strcmp(n->kind, "not_lowered"))
		return n->ops ? "not_lowered" : NULL;
	if (!strcmp(n->kind, "too_slow"))
		return compile ? "compile_too_slow" : execute ? "execute_too_slow" : NULL;
	return compile ? "compile_too_frequent" : transfer ? "transfer_from_device_too_frequent" : NULL;
}

static char *notice_text(const struct ptxla_notice *n)
{
	unsigned long long line = n->line;

	if (n->ops)
		return xasprintf("%.4000s", n->ops);
	if (!isnan(n->seconds))
		return xasprintf("%s: %.4g s, line %llu", n->metric, n->seconds, line);
	if (n->samples < 0)
		return xasprintf("%s, line %llu", n->metric, line);
	if (n->steps < 0)
		return xasprintf("%s: %lld times, line %llu", n->metric, (long long)n->samples, line);
	return xasprintf("%s: %lld in %lld steps, line %llu", n->metric, (long long)n->samples,
	    (long long)n->steps, line);
}

/* What torch_xla found itself, where its numbers are not here: the last line of each kind in each file. */
static void rule_notices(struct ptxla *x)
{
	for (size_t i = 0; i < x->nnotices && !ptxla_has_metrics(x); i++) {
		const struct ptxla_notice *n = &x->notices[i];
		const char *id = id_of_notice(n);
		bool last = id != NULL;
		char *evidence;

		for (size_t k = i + 1; last && k < x->nnotices && x->notices[k].file == n->file; k++)
			last = id_of_notice(&x->notices[k]) != id;
		if (!last)
			continue;
		evidence = notice_text(n);
		judge_file(x, id, true, n->file, n->metric, evidence);
		free(evidence);
	}
}

/* The worst first; those as bad stay in their order. */
static void worst_first(struct ptxla *x)
{
	struct ptxla_finding *v = xcalloc(x->nfindings + 1, sizeof *v);
	size_t n = 0;

	for (int level = 0; level < RULE_LEVELS; level++)
		for (size_t i = 0; i < x->nfindings; i++)
			if (x->findings[i].severity == severities[level])
				v[n++] = x->findings[i];
	free(x->findings);
	x->findings = v;
	x->findings_cap = x->nfindings + 1;
}

char *ptxla_evidence(const struct ptxla *x, size_t i)
{
	size_t more = 0;

	for (size_t k = 0; k < x->nfindings; k++)
		if (k != i && !strcmp(x->findings[k].id, x->findings[i].id)) {
			if (k < i)
				return NULL;
			more++;
		}
	return more
	    ? xasprintf("%s; and in %zu more report%s", x->findings[i].evidence, more, more > 1 ? "s" : "")
	    : xstrdup(x->findings[i].evidence);
}

void ptxla_find(struct ptxla *x)
{
	size_t n, *last = ptxla_last_reports(x, &n);

	for (size_t i = 0; i < n; i++) {
		rule_frequent(x, last[i], "compile_too_frequent", "CompileTime");
		rule_frequent(x, last[i], "transfer_from_device_too_frequent",
		    ptxla_metric(x, last[i], "TransferFromDeviceTime") ? "TransferFromDeviceTime"
								       : "TransferFromServerTime");
		rule_slow(x, last[i], "compile_too_slow", "CompileTime");
		rule_slow(x, last[i], "execute_too_slow", "ExecuteTime");
		rule_busy(x, last[i]);
		rule_ops(x, last[i], "not_lowered", false);
		rule_scalars(x, last[i]);
		rule_ops(x, last[i], "dynamic_shape_ops", true);
		rule_tensors(x, last[i]);
		rule_growth(x, last[i]);
		rule_cache(x, last[i]);
		rule_tail(x, last[i]);
	}
	free(last);
	rule_unexpected(x);
	rule_values(x);
	rule_again(x);
	rule_graphs(x);
	rule_compiling_lines(x);
	rule_calls(x);
	rule_notices(x);
	worst_first(x);
}
