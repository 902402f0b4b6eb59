#include "config.h"
#include "analyze/findings/findings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/rulecase.h"
#include "analyze/ptxla/ptxla.h"
#include "analyze/triage/triage.h"

/* What a text says, as PyTorch/XLA and as triage read it. */
struct scene {
	struct dump *d;
	struct ptxla x;
	struct triage t;
};

static struct scene *scene_of(const char *text)
{
	struct scene *s = xcalloc(1, sizeof *s);

	s->d = dump_new();
	ptxla_begin(&s->x);
	ptxla_file(&s->x, "dir/text");
	ptxla_text(&s->x, text, strlen(text));
	ptxla_end(&s->x);
	triage_begin(&s->t);
	triage_file(&s->t, "dir/text");
	triage_text(&s->t, text, strlen(text));
	triage_end(&s->t);
	return s;
}

static void scene_free(struct scene *s)
{
	ptxla_free(&s->x);
	triage_free(&s->t);
	dump_close(s->d);
	free(s);
}

static void build(struct scene *s, struct findings *f)
{
	struct finding_input in = { .dump = s->d, .ptxla = &s->x, .triage = &s->t };

	findings_build(&in, f);
}

#define METRIC(name, samples, sum, more) \
	"Metric: " name "\n  TotalSamples: " samples "\n  Accumulator: " sum "\n" more
#define COUNTER(name, value) "Counter: " name "\n  Value: " value "\n"
#define STEP(n) "[MetricsData; step=" n "]\n"

static struct scene *per_step(const char *metric, bool bad)
{
	struct scene *s;
	char *text =
	    xasprintf("Metric: %s\n  TotalSamples: %d\n  Accumulator: 01s000ms000.000us\n" COUNTER("MarkStep",
			  "20"),
		metric, bad ? 11 : 10);

	s = scene_of(text);
	free(text);
	return s;
}

static struct scene *compilations(bool bad)
{
	return per_step("CompileTime", bad);
}

static struct scene *transfers(bool bad)
{
	return per_step("TransferFromDeviceTime", bad);
}

static struct scene *slow_compile(bool bad)
{
	return scene_of(bad ? METRIC("CompileTime", "1", "05m01s", "  Percentiles: 50%=05m01s\n")
			    : METRIC("CompileTime", "1", "05m00s", "  Percentiles: 50%=05m00s\n"));
}

static struct scene *slow_run(bool bad)
{
	return scene_of(bad ? METRIC("ExecuteTime", "1", "31s", "  Percentiles: 50%=31s\n")
			    : METRIC("ExecuteTime", "1", "30s", "  Percentiles: 50%=30s\n"));
}

static struct scene *busy(bool bad)
{
	return scene_of(bad ? METRIC("CompileTime", "10", "05s", "  ValueRate: 500ms000.000us / second\n")
			    : METRIC("CompileTime", "10", "05s", "  ValueRate: 499ms000.000us / second\n"));
}

static struct scene *growth(bool bad)
{
	return scene_of(bad
		? STEP("1") COUNTER("UncachedCompile", "1") STEP("2") COUNTER("UncachedCompile", "2")
		      STEP("3") COUNTER("UncachedCompile", "3") STEP("4") COUNTER("UncachedCompile", "4")
			  STEP("5") COUNTER("UncachedCompile", "5") STEP("6") COUNTER("UncachedCompile", "6")
		: STEP("1") COUNTER("UncachedCompile", "1") STEP("2") COUNTER("UncachedCompile", "2") STEP(
		      "3") COUNTER("UncachedCompile", "3") STEP("4") COUNTER("UncachedCompile", "3") STEP("5")
		      COUNTER("UncachedCompile", "3") STEP("6") COUNTER("UncachedCompile", "3"));
}

static struct scene *not_lowered(bool bad)
{
	return scene_of(bad ? COUNTER("aten::median", "3") : COUNTER("aten::_local_scalar_dense", "3"));
}

static struct scene *scalars(bool bad)
{
	return scene_of(bad ? COUNTER("aten::_local_scalar_dense", "3") COUNTER("MarkStep", "5")
			    : COUNTER("xla::add", "3"));
}

static struct scene *shapes(bool bad)
{
	return scene_of(bad ? COUNTER("aten::masked_select", "3") : COUNTER("aten::median", "3"));
}

static struct scene *tensors(bool bad)
{
	return scene_of(bad
		? STEP("1") COUNTER("CreateXlaTensor", "5") COUNTER("DestroyXlaTensor", "1") STEP("2")
		      COUNTER("CreateXlaTensor", "9") COUNTER("DestroyXlaTensor", "4") STEP("3")
			  COUNTER("CreateXlaTensor", "15") COUNTER("DestroyXlaTensor", "9")
		: STEP("1") COUNTER("CreateXlaTensor", "5") COUNTER("DestroyXlaTensor", "1") STEP("2")
		      COUNTER("CreateXlaTensor", "9") COUNTER("DestroyXlaTensor", "4") STEP("3")
			  COUNTER("CreateXlaTensor", "15") COUNTER("DestroyXlaTensor", "10"));
}

static struct scene *cache(bool bad)
{
	return scene_of(bad ? COUNTER("PersistentCacheHit", "1") COUNTER("PersistentCacheMiss", "2")
			    : COUNTER("PersistentCacheHit", "2") COUNTER("PersistentCacheMiss", "2"));
}

static struct scene *tail(bool bad)
{
	return scene_of(bad ? METRIC("ExecuteTime", "20", "20s", "  Percentiles: 99%=10s\n")
			    : METRIC("ExecuteTime", "20", "20s", "  Percentiles: 99%=09s\n"));
}

#define RULED(kind) kind "================\n"
#define BLOCK(kind, title, cause, hash) \
	RULED(kind) \
	kind title " Cause\n" kind "  " cause "\n" kind "Graph Info:\n" kind "  Graph Hash: " hash "\n" kind \
		   "Python Frame Triggered Execution:\n" kind "  step (/home/u/train.py:7)\n" kind \
		   "----------------\n" RULED(kind)

static struct scene *unexpected(bool bad)
{
	return scene_of(bad
		? BLOCK("Unexpected Execution Analysis: ", "Execution", "user torch_xla.sync", "a1")
		: BLOCK("Execution Analysis: ", "Execution", "user torch_xla.sync", "a1"));
}

static struct scene *values(bool bad)
{
	return scene_of(bad
		? BLOCK("Execution Analysis: ", "Execution",
		      "most likely user code trying to access tensor value before torch_xla.sync", "a1")
		: BLOCK("Execution Analysis: ", "Execution", "user torch_xla.sync", "a1"));
}

static struct scene *again(bool bad)
{
	return scene_of(bad
		? BLOCK("Compilation Analysis: ", "Compilation", "user torch_xla.sync", "a1")
		      BLOCK("Compilation Analysis: ", "Compilation", "user torch_xla.sync", "a1")
		: BLOCK("Compilation Analysis: ", "Compilation", "user torch_xla.sync", "a1")
		      BLOCK("Compilation Analysis: ", "Compilation", "user torch_xla.sync", "a2"));
}

#define GRAPH(hash) \
	"[Sync]\nTensorsGraphInfo:\n  step (/home/u/train.py:7)\n\nRoot Hashes: (a)\n\n## BEGIN_GRAPH\nIR " \
	"{\n" \
	"  %0 = f32[] prim::Constant()\n}\n\nGraph Hash: " hash "\n\n## END_GRAPH\n\n"

static struct scene *graphs(bool bad)
{
	return scene_of(
	    bad ? GRAPH("a1") GRAPH("a2") GRAPH("a2") GRAPH("a3") : GRAPH("a1") GRAPH("a2") GRAPH("a2"));
}

static struct scene *errors(bool bad)
{
	return scene_of(bad ? "start\nThe TPU is already in use by process with pid 7\n"
			      "Slice health check failed\n"
			    : "start\nall is well\n");
}

static const struct rule_case scenes[] = {
	{ "compile_too_frequent", compilations, SEVERITY_HIGH, "CompileTime: 11 in 20 steps",
	    "ptxla:CompileTime" },
	{ "transfer_from_device_too_frequent", transfers, SEVERITY_HIGH,
	    "TransferFromDeviceTime: 11 in 20 steps", "ptxla:TransferFromDeviceTime" },
	{ "compile_too_slow", slow_compile, SEVERITY_HIGH, "CompileTime: up to 301 s", "ptxla:CompileTime" },
	{ "execute_too_slow", slow_run, SEVERITY_HIGH, "ExecuteTime: up to 31", "ptxla:ExecuteTime" },
	{ "compile_busy", busy, SEVERITY_HIGH, "0.50 s per second, 10 samples", "ptxla:CompileTime" },
	{ "uncached_growth", growth, SEVERITY_MEDIUM, "UncachedCompile: 4, then 6", "ptxla:UncachedCompile" },
	{ "not_lowered", not_lowered, SEVERITY_MEDIUM, "aten::median", "ptxla:aten::median" },
	{ "scalar_access", scalars, SEVERITY_MEDIUM, "3 times in 5 steps",
	    "ptxla:aten::_local_scalar_dense" },
	{ "dynamic_shape_ops", shapes, SEVERITY_MEDIUM, "aten::masked_select", "ptxla:aten::masked_select" },
	{ "tensor_growth", tensors, SEVERITY_MEDIUM, "4, then 6 after 3 reports", "ptxla:CreateXlaTensor" },
	{ "persistent_cache_misses", cache, SEVERITY_LOW, "2 misses, 1 hits", "ptxla:PersistentCacheMiss" },
	{ "long_tail", tail, SEVERITY_LOW, "ExecuteTime: mean 1", "ptxla:ExecuteTime" },
	{ "unexpected_execution", unexpected, SEVERITY_HIGH, "1 of 1 blocks of PT_XLA_DEBUG",
	    "ptxla:train.py:7" },
	{ "values_cut_graphs", values, SEVERITY_MEDIUM,
	    "executions: 1, compilations: 0; first at /home/u/train.py:7", "ptxla:train.py:7" },
	{ "compiled_again", again, SEVERITY_MEDIUM, "compilations of graphs that were compiled before: 1",
	    "ptxla:a1" },
	{ "graphs_change", graphs, SEVERITY_MEDIUM, "train.py:7: 3 different of 4 graphs, of 1 nodes",
	    "ptxla:train.py:7" },
	{ "log_errors", errors, SEVERITY_HIGH, "The TPU is already in use by process with pid 7",
	    "triage:text line 2" },
};

static const struct rule_case *case_at(size_t i)
{
	return i < sizeof scenes / sizeof *scenes ? &scenes[i] : NULL;
}

static struct rule_scenes rules = { case_at, build, scene_free, NULL, NULL, "\tptxla\t\ttexts\t" };

/* What two processes say is one finding, and so are two errors of a kind. */
static void equals_are_one(void **state)
{
	struct scene *s = scene_of("2020-01-01 00:00:00 10.0.0.1 [0] Counter: aten::median\n"
				   "2020-01-01 00:00:00 10.0.0.1 [0]   Value: 3\n"
				   "2020-01-01 00:00:00 10.0.0.2 [1] Counter: aten::median\n"
				   "2020-01-01 00:00:00 10.0.0.2 [1]   Value: 4\n"
				   "The TPU is already in use by process with pid 7\n"
				   "The TPU is already in use by process with pid 8\n");
	struct findings f;

	(void)state;
	build(s, &f);
	assert_string_equal(finding_of(&f, "not_lowered")->evidence, "aten::median; and in 1 more report");
	assert_non_null(finding_of(&f, "log_errors"));
	findings_free(&f);
	scene_free(s);
}

/* Sizes that are compiled once each are good practice: their rate says nothing of the steps after. */
static void compiled_once_for_each_size(void **state)
{
	static const char *const steps[] = { "6000", "50" };

	(void)state;
	for (int often = 0; often < 2; often++) {
		char text[400];
		struct scene *s;
		struct findings f;

		snprintf(text, sizeof text, "%sCounter: MarkStep\n  Value: %s\n",
		    METRIC("CompileTime", "12", "07s700ms", "  ValueRate: 01s091ms000.000us / second\n"),
		    steps[often]);
		s = scene_of(text);
		build(s, &f);
		assert_int_equal(finding_of(&f, "compile_busy") != NULL, often);
		findings_free(&f);
		scene_free(s);
	}
}

/* What torch_xla found itself counts where its metrics are not there. */
static void notices_alone_are_findings(void **state)
{
	static const char notices[] =
	    "pt-xla-profiler: CompileTime too frequent: 21 counts during 11 steps\n"
	    "pt-xla-profiler: CompileTime too frequent: 22 counts during 12 steps\n"
	    "pt-xla-profiler: Op(s) not lowered: aten::nonzero, aten::median,  Please open a GitHub issue\n";
	struct scene *s = scene_of(notices);
	struct findings f;
	char *text;

	(void)state;
	build(s, &f);
	assert_string_equal(finding_of(&f, "compile_too_frequent")->evidence,
	    "CompileTime: 22 in 12 steps, line 2");
	assert_string_equal(finding_of(&f, "not_lowered")->evidence, "aten::nonzero,aten::median");
	findings_free(&f);
	scene_free(s);
	s = scene_of("pt-xla-profiler: CompileTime too frequent: 22 counts during\n12 steps\n"
		     "pt-xla-profiler: TransferFromDeviceTime too frequent: 21 counts dur\n");
	build(s, &f);
	assert_string_equal(finding_of(&f, "compile_too_frequent")->evidence,
	    "CompileTime: 22 in 12 steps, line 1"); /* wrapped */
	assert_string_equal(finding_of(&f, "transfer_from_device_too_frequent")->evidence,
	    "TransferFromDeviceTime: 21 times, line 3"); /* cut off */
	findings_free(&f);
	scene_free(s);
	text = xasprintf("%s%s", notices, METRIC("CompileTime", "2", "01s", "") COUNTER("MarkStep", "20"));
	s = scene_of(text);
	build(s, &f);
	assert_null(finding_of(&f, "compile_too_frequent"));
	assert_null(finding_of(&f, "not_lowered"));
	findings_free(&f);
	scene_free(s);
	free(text);
}

/* What was measured where nothing is wrong is said. */
static void what_passed_has_its_numbers(void **state)
{
	struct scene *s = scene_of(METRIC("CompileTime", "2", "01s", "") COUNTER("MarkStep", "20"));
	struct findings f;

	(void)state;
	build(s, &f);
	assert_int_equal(f.n, 0);
	assert_int_equal(check_of(&f, "compile_too_frequent")->state, CHECK_PASSED);
	assert_string_equal(check_of(&f, "compile_too_frequent")->text, "CompileTime: 2 in 20 steps");
	assert_string_equal(check_of(&f, "not_lowered")->text, "no such counter");
	assert_string_equal(check_of(&f, "log_errors")->text, "no known error in 1 text");
	assert_null(check_of(&f, "execute_too_slow"));
	findings_free(&f);
	scene_free(s);
}

/* Where no graphs were saved, the compilations tell which line makes many; one graph alone differs from none. */
static void graphs_of_a_line_are_counted_where_they_are_compiled(void **state)
{
#define COMPILED(hash) BLOCK("Compilation Analysis: ", "Compilation", "user torch_xla.sync", hash)
	struct scene *s = scene_of(COMPILED("a1") COMPILED("a2") COMPILED("a2") COMPILED("a3"));
	struct findings f;

	(void)state;
	build(s, &f);
	assert_string_equal(finding_of(&f, "graphs_change")->evidence,
	    "train.py:7: 3 graphs in 4 compilations");
	findings_free(&f);
	scene_free(s);
	s = scene_of(COMPILED("a1") COMPILED("a2"));
	build(s, &f);
	assert_string_equal(check_of(&f, "graphs_change")->text, "train.py:7: 2 graphs in 2 compilations");
	findings_free(&f);
	scene_free(s);
	s = scene_of(GRAPH("a1"));
	build(s, &f);
	assert_null(check_of(&f, "graphs_change"));
	findings_free(&f);
	scene_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE_TESTS(&rules),
		cmocka_unit_test(equals_are_one),
		cmocka_unit_test(notices_alone_are_findings),
		cmocka_unit_test(compiled_once_for_each_size),
		cmocka_unit_test(what_passed_has_its_numbers),
		cmocka_unit_test(graphs_of_a_line_are_counted_where_they_are_compiled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
