#include "config.h"
#include "analyze/ptxla/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/units.h"

/* The limits of the first four are those of torch_xla. */
#define WARMUP_STEPS 10
#define PER_STEP .5
#define SLOW_COMPILE 300e12
#define SLOW_EXECUTE 30e12
#define BUSY_COMPILING .5 /* seconds of compiling per second */
#define STEPS_LEAST 3     /* from which a growth is one */
#define TAIL_TIMES 10     /* how much longer than the mean the slowest are, for what has a tail */
#define TAIL_SAMPLES 20
#define NAMES_MAX 4000 /* bytes of evidence */

static const struct rule {
	const char *id, *severity, *title, *advice;
} rules[] = {
	{ "compile_too_frequent", "high", "graphs are compiled in more than every other step",
	    "Shapes or constants change from step to step. Pad batches to a fixed size, drop the last one "
	    "(drop_last=True), and keep Python numbers that change out of the graph.\n"
	    "PT_XLA_DEBUG_LEVEL=2 says for each compilation which line of the program made it." },
	{ "transfer_from_device_too_frequent", "high",
	    "values come from the device in more than every other step",
	    "Each makes the host wait for the device. Look for .item(), .cpu(), print, an if on a tensor, "
	    "and "
	    "metrics of the loss in every step; take them every 100 steps, in xm.add_step_closure().\n"
	    "Ops that are not lowered transfer, too." },
	{ "compile_too_slow", "high", "a compilation took more than 5 minutes",
	    "Large unrolled loops make large graphs: use scan, or a compilation cache on disk "
	    "(xr.initialize_cache())." },
	{ "execute_too_slow", "high", "one run of a graph took more than 30 s",
	    "Take a capture of that step and look at its ops; the graph may hold many steps because nothing "
	    "cut "
	    "it: call torch_xla.sync() once per step." },
	{ "compile_busy", "high", "compiling takes more than half of the time",
	    "The last samples say so: the program compiles all the time, not only at its start." },
	{ "uncached_growth", "medium", "new graphs are still being compiled after the first steps",
	    "Compare the shapes of the inputs of these steps; PT_XLA_DEBUG_LEVEL=2 says which line made each "
	    "graph." },
	{ "not_lowered", "medium", "ops run on the CPU because torch_xla cannot lower them",
	    "Each cuts the graph, and copies its inputs from the device and its results back. Replace them "
	    "by ops "
	    "that are lowered, or do them on the host before the step." },
	{ "scalar_access", "medium", "the program takes values of single tensors",
	    "aten::_local_scalar_dense is .item(), float(), bool(), print or an if on a tensor: all that is "
	    "pending is compiled and run first. Do it after the step, and not in every one." },
	{ "dynamic_shape_ops", "medium", "the shapes of results depend on the data",
	    "nonzero, masked_select and unique have results of another size each time, and each size "
	    "compiles "
	    "the graph again. Use torch.where or a mask, which keep the shape." },
	{ "tensor_growth", "medium", "there are more tensors after each step",
	    "Something keeps tensors: a list of losses (take their values, or detach them), a cache, a graph "
	    "that "
	    "is never cut." },
	{ "persistent_cache_misses", "low", "programs are not found in the cache on disk",
	    "Initialize the cache before the first graph, in each process; graphs must be the same from run "
	    "to "
	    "run, and so must the versions of libtpu and torch_xla." },
	{ "long_tail", "low", "the slowest of these take much longer than the mean",
	    "A mean hides them: the bar of percentiles shows how many they are. The first ones may be among "
	    "them, "
	    "since percentiles are over the last 1024 samples." },
	{ "unexpected_execution", "high", "graphs ran where the program did not mean to",
	    "The lines below made them; torch_xla.compile(full_graph=True) allows one graph only." },
	{ "compiled_again", "medium", "the same graph was compiled more than once",
	    "One process compiles a graph once, unless its memory of graphs is too small "
	    "(XLA_COMPILATION_CACHE_"
	    "SIZE) or several processes wrote to one file." },
	{ "values_cut_graphs", "medium", "the program takes values of tensors in the middle of steps",
	    "Each cuts the graph in two: the line that does it is below. Move it behind torch_xla.sync(), or "
	    "use "
	    "torch.where in place of an if." },
};

static void raise_finding(struct ptxla *x, const char *id, uint32_t file, int64_t step, const char *evidence)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (!strcmp(rules[i].id, id))
			VEC_ADD(x->findings, x->nfindings, x->findings_cap,
			    (struct ptxla_finding){ .id = id,
				.severity = rules[i].severity,
				.title = rules[i].title,
				.evidence = arena_strndup(&x->text, evidence, strlen(evidence)),
				.advice = rules[i].advice,
				.step = step,
				.file = file });
}

static void raise_at(struct ptxla *x, const char *id, size_t report, const char *evidence)
{
	raise_finding(x, id, x->reports[report].file, x->reports[report].step, evidence);
}

/* --- of the last report --- */

static void rule_frequent(struct ptxla *x, size_t report, const char *id, const char *metric)
{
	const struct ptxla_metric *m = ptxla_metric(x, report, metric);
	int64_t steps = ptxla_counter(x, report, "MarkStep");
	char evidence[160];

	if (!m || m->samples < 0 || steps <= WARMUP_STEPS || (double)m->samples / (double)steps <= PER_STEP)
		return;
	snprintf(evidence, sizeof evidence, "%s: %lld in %lld steps", metric, (long long)m->samples,
	    (long long)steps);
	raise_at(x, id, report, evidence);
}

static void rule_slow(struct ptxla *x, size_t report, const char *id, const char *metric, double limit)
{
	const struct ptxla_metric *m = ptxla_metric(x, report, metric);
	double most = -1;
	char evidence[160], text[40];

	if (!m || m->unit != PTXLA_PS)
		return;
	for (size_t i = m->percent; i < m->percent + m->npercents; i++)
		if (ptxla_known(x->values[i]) && (double)x->values[i].i > most)
			most = (double)x->values[i].i;
	if (most <= limit)
		return;
	snprintf(evidence, sizeof evidence, "%s: up to %s", metric,
	    units_time_short(text, sizeof text, (int64_t)most, false));
	raise_at(x, id, report, evidence);
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
	if (n)
		raise_at(x, id, report, evidence);
	free(evidence);
	free(v);
}

static void rule_scalars(struct ptxla *x, size_t report)
{
	int64_t n = ptxla_counter(x, report, "aten::_local_scalar_dense");
	int64_t steps = ptxla_counter(x, report, "MarkStep");
	char evidence[160];

	if (n == INT64_MIN)
		return;
	if (steps > 0)
		snprintf(evidence, sizeof evidence, "%lld times in %lld steps", (long long)n,
		    (long long)steps);
	else
		snprintf(evidence, sizeof evidence, "%lld times", (long long)n);
	raise_at(x, "scalar_access", report, evidence);
}

static void rule_busy(struct ptxla *x, size_t report)
{
	const struct ptxla_metric *m = ptxla_metric(x, report, "CompileTime");
	double rate = m && m->unit == PTXLA_PS ? ptxla_double(m->unit, m->value_rate) / 1e12 : NAN;
	char evidence[160];

	/* the rate of a few samples is that of the start */
	if (!(rate >= BUSY_COMPILING) || m->samples < WARMUP_STEPS)
		return;
	snprintf(evidence, sizeof evidence, "CompileTime: %.2f s per second, %lld samples", rate,
	    (long long)m->samples);
	raise_at(x, "compile_busy", report, evidence);
}

static void rule_cache(struct ptxla *x, size_t report)
{
	int64_t hits = ptxla_counter(x, report, "PersistentCacheHit");
	int64_t misses = ptxla_counter(x, report, "PersistentCacheMiss");
	char evidence[160];

	hits = hits < 0 ? 0 : hits;
	if (misses <= hits)
		return;
	snprintf(evidence, sizeof evidence, "%lld misses, %lld hits", (long long)misses, (long long)hits);
	raise_at(x, "persistent_cache_misses", report, evidence);
}

static void rule_tail(struct ptxla *x, size_t report)
{
	const struct ptxla_report *r = &x->reports[report];
	char evidence[600] = "", one[200], mean_text[40], text[40];
	size_t n = 0;

	for (size_t i = r->metric; i < r->metric + r->nmetrics; i++) {
		const struct ptxla_metric *m = &x->metrics[i];
		double mean = ptxla_mean(m), last = ptxla_percentile(x, m, 99);

		if (m->unit != PTXLA_PS || m->samples < TAIL_SAMPLES || !m->name || !(mean > 0) ||
		    !(last >= TAIL_TIMES * mean) || n > 2)
			continue;
		snprintf(one, sizeof one, "%s%.80s: mean %s, 99 %% %s", n++ ? "; " : "",
		    strtab_str(&x->names, m->name),
		    units_time_short(mean_text, sizeof mean_text, (int64_t)mean, false),
		    units_time_short(text, sizeof text, (int64_t)last, false));
		strcat(evidence, one);
	}
	if (n)
		raise_at(x, "long_tail", report, evidence);
}

/* --- of all reports of a file and host --- */

static bool is_same_source(const struct ptxla_report *a, const struct ptxla_report *b)
{
	return a->file == b->file && a->host == b->host;
}

/* Create − Destroy grows in each of at least STEPS_LEAST reports. */
static void rule_tensors(struct ptxla *x, size_t last)
{
	int64_t before = INT64_MIN, first = 0, alive = 0, n = 0;
	bool grows = true;
	char evidence[160];

	for (size_t i = 0; i <= last && grows; i++) {
		int64_t made, freed;

		if (!is_same_source(&x->reports[i], &x->reports[last]))
			continue;
		made = ptxla_counter(x, i, "CreateXlaTensor");
		freed = ptxla_counter(x, i, "DestroyXlaTensor");
		if (made < 0 || freed < 0)
			continue;
		alive = made - freed;
		first = n++ ? first : alive;
		grows = alive > before;
		before = alive;
	}
	if (!grows || n < STEPS_LEAST)
		return;
	snprintf(evidence, sizeof evidence,
	    "CreateXlaTensor - DestroyXlaTensor: %lld, then %lld after %lld reports", (long long)first,
	    (long long)alive, (long long)n);
	raise_at(x, "tensor_growth", last, evidence);
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
	if (n >= 2 * STEPS_LEAST && 2 * grew > (int64_t)(n - n / 2 - 1)) {
		snprintf(evidence, sizeof evidence,
		    "UncachedCompile: %lld, then %lld; it grew in %lld of the last %zu steps",
		    (long long)v[n / 2], (long long)v[n - 1], (long long)grew, n - n / 2 - 1);
		raise_at(x, "uncached_growth", last, evidence);
	}
	free(v);
}

/* --- of PT_XLA_DEBUG --- */

static void rule_unexpected(struct ptxla *x)
{
	size_t n = 0, first = 0;
	char *evidence;

	for (size_t i = 0; i < x->nanalyses; i++)
		if (x->analyses[i].kind == PTXLA_UNEXPECTED && !n++)
			first = i;
	if (!n)
		return;
	evidence = xasprintf("blocks: %zu", n);
	raise_finding(x, "unexpected_execution", x->analyses[first].file, -1, evidence);
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
	if (!first)
		return;
	evidence = first->user ? xasprintf("executions: %zu, compilations: %zu; first at %s:%lld", n,
				     compiled, first->user->file, (long long)first->user->line)
			       : xasprintf("executions: %zu, compilations: %zu", n, compiled);
	raise_finding(x, "values_cut_graphs", first->file, -1, evidence);
	free(evidence);
}

/* A graph that one file says was compiled more than once. */
static void rule_again(struct ptxla *x)
{
	struct strtab seen;
	size_t again = 0;
	uint32_t file = 0;
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
		if (seen.n == was && !again++)
			file = a->file;
	}
	strtab_free(&seen);
	if (!again)
		return;
	evidence = xasprintf("compilations of graphs that were compiled before: %zu", again);
	raise_finding(x, "compiled_again", file, -1, evidence);
	free(evidence);
}

static size_t place_of(const char *severity)
{
	return !strcmp(severity, "high") ? 0 : !strcmp(severity, "medium") ? 1 : 2;
}

/* The worst first; those as bad stay in their order. */
static void worst_first(struct ptxla *x)
{
	struct ptxla_finding *v = xcalloc(x->nfindings + 1, sizeof *v);
	size_t n = 0;

	for (size_t place = 0; place < 3; place++)
		for (size_t i = 0; i < x->nfindings; i++)
			if (place_of(x->findings[i].severity) == place)
				v[n++] = x->findings[i];
	free(x->findings);
	x->findings = v;
	x->findings_cap = x->nfindings + 1;
}

void ptxla_find(struct ptxla *x)
{
	size_t n, *last = ptxla_last_reports(x, &n);

	for (size_t i = 0; i < n; i++) {
		rule_frequent(x, last[i], "compile_too_frequent", "CompileTime");
		rule_frequent(x, last[i], "transfer_from_device_too_frequent",
		    ptxla_metric(x, last[i], "TransferFromDeviceTime") ? "TransferFromDeviceTime"
								       : "TransferFromServerTime");
		rule_slow(x, last[i], "compile_too_slow", "CompileTime", SLOW_COMPILE);
		rule_slow(x, last[i], "execute_too_slow", "ExecuteTime", SLOW_EXECUTE);
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
	worst_first(x);
}
