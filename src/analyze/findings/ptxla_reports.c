#include "config.h"
#include "analyze/findings/ptxla.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

#define NAMES_MAX 4000 /* bytes of evidence */

/* --- judging --- */

/* What a rule measured at a report or in a file.  EXPECTED: PyTorch/XLA does so on purpose. */
struct judgment {
	enum { FINE, EXPECTED, WRONG } verdict;
	double cost;
	const char *subject, *evidence;
	uint32_t file;
	int64_t step;
};

static struct finding *judge(struct rule_work *w, const struct judgment *j)
{
	const char *advice = j->verdict == EXPECTED ? "expected" : "wrong";
	struct finding *f = j->verdict ? rule_raise(w, j->verdict, j->cost, advice) : NULL;

	if (!j->verdict)
		rule_checked_once(w, j->evidence);
	if (!f)
		return NULL;
	f->evidence = j->evidence;
	f->step = j->step;
	f->file = rule_say(w, "%s", w->in->ptxla->files[j->file].path);
	if (j->subject) {
		f->proof.kind = REF_NODE;
		f->proof.text = rule_say(w, "%s", j->subject);
	}
	return f;
}

static struct judgment at_report(const struct ptxla *x, size_t report)
{
	return (
	    struct judgment){ .cost = NAN, .file = x->reports[report].file, .step = x->reports[report].step };
}

static void judge_report(struct rule_work *w, bool found, size_t report, const char *subject,
    const char *evidence)
{
	struct judgment j = at_report(w->in->ptxla, report);

	j.verdict = found ? WRONG : FINE;
	j.subject = subject;
	j.evidence = evidence;
	judge(w, &j);
}

void rule_judge_file(struct rule_work *w, bool found, uint32_t file, const char *subject,
    const char *evidence)
{
	judge(w, &(struct judgment){ found ? WRONG : FINE, NAN, subject, evidence, file, -1 });
}

/* --- the last report of each process --- */

typedef void report_check(struct rule_work *, size_t report);

static void each_last(struct rule_work *w, report_check *check)
{
	size_t n = 0, *last = w->in->ptxla ? ptxla_last_reports(w->in->ptxla, &n) : NULL;

	for (size_t i = 0; i < n; i++)
		check(w, last[i]);
	free(last);
}

static void check_frequent(struct rule_work *w, size_t report, const char *metric)
{
	const struct ptxla_metric *m = ptxla_metric(w->in->ptxla, report, metric);
	int64_t steps = ptxla_counter(w->in->ptxla, report, "MarkStep");

	if (!m || m->samples < 0 || (double)steps <= rule_limit(w->rule, "steps"))
		return;
	judge_report(w, (double)m->samples / (double)steps > rule_limit(w->rule, "ratio"), report, metric,
	    rule_say(w, "%s: %lld in %lld steps", metric, (long long)m->samples, (long long)steps));
}

static void compilations_of(struct rule_work *w, size_t report)
{
	check_frequent(w, report, "CompileTime");
}

void rule_compile_too_frequent(struct rule_work *w)
{
	each_last(w, compilations_of);
	rule_notices(w);
}

static void transfers_of(struct rule_work *w, size_t report)
{
	bool device = ptxla_metric(w->in->ptxla, report, "TransferFromDeviceTime");

	check_frequent(w, report, device ? "TransferFromDeviceTime" : "TransferFromServerTime");
}

void rule_transfer_from_device_too_frequent(struct rule_work *w)
{
	each_last(w, transfers_of);
	rule_notices(w);
}

static void check_slow(struct rule_work *w, size_t report, const char *metric)
{
	const struct ptxla *x = w->in->ptxla;
	const struct ptxla_metric *m = ptxla_metric(x, report, metric);
	double most = -1;
	char text[40];

	if (!m || m->unit != PTXLA_PS)
		return;
	for (size_t i = m->percent; i < m->percent + m->npercents; i++)
		if (ptxla_known(x->values[i]) && (double)x->values[i].i > most)
			most = (double)x->values[i].i;
	if (most < 0)
		return;
	units_time_short(text, sizeof text, (int64_t)most, false);
	judge_report(w, most > 1e12 * rule_limit(w->rule, "seconds"), report, metric,
	    rule_say(w, "%s: up to %s", metric, text));
}

static void slow_compilations_of(struct rule_work *w, size_t report)
{
	check_slow(w, report, "CompileTime");
}

void rule_compile_too_slow(struct rule_work *w)
{
	each_last(w, slow_compilations_of);
	rule_notices(w);
}

static void slow_runs_of(struct rule_work *w, size_t report)
{
	check_slow(w, report, "ExecuteTime");
}

void rule_execute_too_slow(struct rule_work *w)
{
	each_last(w, slow_runs_of);
	rule_notices(w);
}

/* How many steps, or runs of programs, the report counts; 0: not known. */
static double runs_of(const struct ptxla *x, size_t report)
{
	const struct ptxla_metric *m = ptxla_metric(x, report, "ExecuteTime");
	int64_t steps = ptxla_counter(x, report, "MarkStep");

	return steps > 0 ? (double)steps : m ? (double)m->samples : 0;
}

static void compiling_of(struct rule_work *w, size_t report)
{
	const struct ptxla_metric *m = ptxla_metric(w->in->ptxla, report, "CompileTime");
	double rate = m && m->unit == PTXLA_PS ? ptxla_double(m->unit, m->value_rate) / 1e12 : NAN;
	struct judgment j = at_report(w->in->ptxla, report);
	bool seldom;

	/* the rate of a few samples is that of the start */
	if (isnan(rate) || (double)m->samples < rule_limit(w->rule, "samples"))
		return;
	/* torch_xla's rate lasts from the first sample to the last, so it says nothing of what came after */
	seldom = runs_of(w->in->ptxla, report) >= rule_limit(w->rule, "runs") * (double)m->samples;
	j.verdict = rate >= rule_limit(w->rule, "seconds") && !seldom ? WRONG : FINE;
	j.cost = rate > 0 && !seldom ? rate : NAN;
	j.subject = "CompileTime";
	if (seldom)
		j.evidence = rule_say(w, "%lld compilations in %.0f steps or runs", (long long)m->samples,
		    runs_of(w->in->ptxla, report));
	else
		j.evidence =
		    rule_say(w, "CompileTime: %.2f s per second, %lld samples", rate, (long long)m->samples);
	judge(w, &j);
}

void rule_compile_busy(struct rule_work *w)
{
	each_last(w, compiling_of);
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

static bool is_not_lowered(struct slice name)
{
	return slice_begins(name, "aten::") && !slice_is(name, "aten::_local_scalar_dense");
}

/* Names of the counters of that kind in the report, which ran on the CPU; *first: NULL: there is none. */
static const char *counted_ops(struct rule_work *w, size_t report, bool (*is_such)(struct slice name),
    const char **first)
{
	const struct ptxla *x = w->in->ptxla;
	const struct ptxla_report *r = &x->reports[report];
	struct slice *v = xcalloc(r->ncounters + 1, sizeof *v);
	size_t n = 0, len = 0;
	char *names = xmalloc(NAMES_MAX);
	const char *all;

	for (size_t i = r->counter; i < r->counter + r->ncounters; i++) {
		struct slice name = strtab_text(&x->names, x->counters[i].name);

		if (is_such(name))
			v[n++] = name;
	}
	VEC_SORT(v, n, by_bytes);
	for (size_t i = 0; i < n && len + v[i].n + 2 < NAMES_MAX; i++) {
		if (i)
			names[len++] = ',';
		memcpy(names + len, v[i].s, v[i].n);
		len += v[i].n;
	}
	*first = n ? arena_strndup(&w->out->text, v[0].s, v[0].n) : NULL;
	all = n ? arena_strndup(&w->out->text, names, len) : "no such counter";
	free(names);
	free(v);
	return all;
}

static void ops_on_cpu_of(struct rule_work *w, size_t report)
{
	struct judgment j = at_report(w->in->ptxla, report);
	struct finding *f;
	bool all_of_host;

	j.evidence = counted_ops(w, report, is_not_lowered, &j.subject);
	all_of_host = j.subject && rule_all_of_host(j.evidence);
	j.verdict = !j.subject ? FINE : all_of_host ? EXPECTED : WRONG;
	f = j.subject || w->in->ptxla->reports[report].ncounters ? judge(w, &j) : NULL;
	if (f && all_of_host)
		f->title = "PyTorch/XLA runs these ops on the CPU on purpose";
}

void rule_not_lowered(struct rule_work *w)
{
	each_last(w, ops_on_cpu_of);
	rule_calls(w);
	rule_notices(w);
}

static void dynamic_shapes_of(struct rule_work *w, size_t report)
{
	const char *first, *names = counted_ops(w, report, is_dynamic, &first);

	if (first || w->in->ptxla->reports[report].ncounters)
		judge_report(w, first != NULL, report, first, names);
}

void rule_dynamic_shape_ops(struct rule_work *w)
{
	each_last(w, dynamic_shapes_of);
}

static void scalars_of(struct rule_work *w, size_t report)
{
	int64_t n = ptxla_counter(w->in->ptxla, report, "aten::_local_scalar_dense");
	int64_t steps = ptxla_counter(w->in->ptxla, report, "MarkStep");

	if (n == INT64_MIN && !w->in->ptxla->reports[report].ncounters)
		return;
	n = n < 0 ? 0 : n;
	judge_report(w, n > 0, report, "aten::_local_scalar_dense",
	    steps > 0 ? rule_say(w, "%lld times in %lld steps", (long long)n, (long long)steps)
		      : rule_say(w, "%lld times", (long long)n));
}

void rule_scalar_access(struct rule_work *w)
{
	each_last(w, scalars_of);
}

static void cache_of(struct rule_work *w, size_t report)
{
	int64_t hits = ptxla_counter(w->in->ptxla, report, "PersistentCacheHit");
	int64_t misses = ptxla_counter(w->in->ptxla, report, "PersistentCacheMiss");

	if (hits < 0 && misses < 0)
		return;
	hits = hits < 0 ? 0 : hits;
	misses = misses < 0 ? 0 : misses;
	judge_report(w, misses > hits, report, "PersistentCacheMiss",
	    rule_say(w, "%lld misses, %lld hits", (long long)misses, (long long)hits));
}

void rule_persistent_cache_misses(struct rule_work *w)
{
	each_last(w, cache_of);
}

static void tail_of(struct rule_work *w, size_t report)
{
	const struct ptxla *x = w->in->ptxla;
	const struct ptxla_report *r = &x->reports[report];
	double times = rule_limit(w->rule, "times"), samples = rule_limit(w->rule, "samples");
	const char *subject = NULL, *evidence = "";
	char mean_text[40], text[40];
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
		evidence = rule_say(w, "%s%s%.80s: mean %s, 99 %% %s", evidence, n++ ? "; " : "",
		    strtab_str(&x->names, m->name),
		    units_time_short(mean_text, sizeof mean_text, (int64_t)mean, false),
		    units_time_short(text, sizeof text, (int64_t)last, false));
	}
	if (looked)
		judge_report(w, n > 0, report, subject,
		    n ? evidence : rule_say(w, "none of %zu times", looked));
}

void rule_long_tail(struct rule_work *w)
{
	each_last(w, tail_of);
}

/* --- all reports of a process --- */

static bool is_same_source(const struct ptxla_report *a, const struct ptxla_report *b)
{
	return a->file == b->file && a->host == b->host;
}

/* Create − Destroy grows in each report. */
static void tensors_until(struct rule_work *w, size_t last)
{
	const struct ptxla *x = w->in->ptxla;
	int64_t before = INT64_MIN, first = 0, alive = 0, n = 0;
	bool grows = true;

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
	if ((double)n < rule_limit(w->rule, "reports"))
		return;
	judge_report(w, grows, last, "CreateXlaTensor",
	    rule_say(w, "CreateXlaTensor - DestroyXlaTensor: %lld, then %lld after %lld reports",
		(long long)first, (long long)alive, (long long)n));
}

void rule_tensor_growth(struct rule_work *w)
{
	each_last(w, tensors_until);
}

static int64_t compilations_in(const struct ptxla *x, size_t report, const char *name)
{
	const struct ptxla_metric *m = ptxla_metric(x, report, name);

	return m && m->samples >= 0 ? m->samples : ptxla_counter(x, report, name);
}

/* How many graphs were compiled up to each report of a process; the caller frees. */
static int64_t *compilations_until(const struct ptxla *x, size_t last, const char *name, size_t *n)
{
	int64_t *v = xcalloc(last + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0; i <= last; i++) {
		int64_t one = is_same_source(&x->reports[i], &x->reports[last]) ? compilations_in(x, i, name)
										: INT64_MIN;

		if (one != INT64_MIN)
			v[(*n)++] = one;
	}
	return v;
}

/* Few reports have to show more compilations each time; of many the later half tells, where most have to. */
static void graphs_until(struct rule_work *w, size_t last)
{
	const char *name = "UncachedCompile";
	size_t n, after;
	int64_t *v = compilations_until(w->in->ptxla, last, name, &n), grew = 0;
	bool many;

	if (!n) {
		free(v);
		v = compilations_until(w->in->ptxla, last, name = "CompileTime", &n);
	}
	many = (double)n >= rule_limit(w->rule, "reports");
	after = many ? n / 2 : 0;
	for (size_t i = after + 1; i < n; i++)
		grew += v[i] > v[i - 1];
	if (many)
		judge_report(w, 2 * grew > (int64_t)(n - after - 1), last, name,
		    rule_say(w, "%s: %lld, then %lld; it grew in %lld of the last %zu steps", name,
			(long long)v[after], (long long)v[n - 1], (long long)grew, n - after - 1));
	else if ((double)n >= rule_limit(w->rule, "each"))
		judge_report(w, grew == (int64_t)n - 1, last, name,
		    rule_say(w, "%s: %lld, then %lld; it grew in %lld of %zu reports after the first", name,
			(long long)v[0], (long long)v[n - 1], (long long)grew, n - 1));
	free(v);
}

void rule_uncached_growth(struct rule_work *w)
{
	each_last(w, graphs_until);
}
