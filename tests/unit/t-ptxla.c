#include "config.h"
#include "analyze/findings/findings.h"
#include "analyze/ptxla/tables/tables.h"
#include "analyze/ptxla/ptxla.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "load/load.h"
#include "load/source/archive.h"

static struct ptxla read_text(const char *s)
{
	struct ptxla x;

	ptxla_begin(&x);
	ptxla_file(&x, "x.3");
	ptxla_text(&x, s, strlen(s));
	ptxla_end(&x);
	return x;
}

static void value_is(const char *text, enum ptxla_unit unit, double want)
{
	struct slice s = slice_of(text);
	enum ptxla_unit got;
	union ptxla_number v;

	assert_true(ptxla_value(&s, &got, &v));
	assert_int_equal(got, unit);
	assert_true(ptxla_double(got, v) == want);
	assert_int_equal(s.n, 0);
}

static void no_value(const char *text)
{
	struct slice s = slice_of(text);
	enum ptxla_unit unit;
	union ptxla_number v;

	assert_true(!ptxla_value(&s, &unit, &v) || s.n);
}

static void test_values(void **state)
{
	(void)state;
	value_is("06m09s401ms746.001us", PTXLA_PS, 369401746001000);
	value_is("07m60s991ms747.685us", PTXLA_PS, 480991747685000);
	value_is("191ms81.607us", PTXLA_PS, 191081607000);
	value_is("019.045us", PTXLA_PS, 19045000);
	value_is("2d03h", PTXLA_PS, 183600e12);
	value_is("3.44KB", PTXLA_BYTES, 3523);
	value_is("37.22B", PTXLA_BYTES, 37);
	value_is("4.09GB", PTXLA_BYTES, 4391604060);
	value_is("1195.11", PTXLA_COUNT, 1195.11);
	value_is("1e+06", PTXLA_COUNT, 1e6);
	value_is("99999999d", PTXLA_PS, (double)INT64_MAX);
	no_value("");
	no_value("us");
	no_value("5.5ms"); /* only microseconds have a fraction */
	no_value("3us2ms");
	no_value("nan");
}

static void test_wrapped_list(void **state)
{
	/* between percentiles, inside a name, inside a value, behind a value that goes on */
	struct ptxla x =
	    read_text("Metric: A\n  TotalSamples: 4\n  Accumulator: 8.00\n"
		      "  Percentiles: 1%=1.00; 5%=2.00;\n  10%=3.00; 2\n0%=4.00; 50%=5.\n00; 80%=6.0\n0\n"
		      "Counter: N\n  Value: 7\n");

	(void)state;
	assert_int_equal(x.nmetrics, 1);
	assert_int_equal(x.metrics[0].npercents, 6);
	assert_true(ptxla_percentile(&x, &x.metrics[0], 20) == 4);
	assert_true(ptxla_percentile(&x, &x.metrics[0], 80) == 6);
	assert_true(isnan(ptxla_percentile(&x, &x.metrics[0], 99)));
	assert_true(ptxla_mean(&x.metrics[0]) == 2);
	assert_int_equal(x.ncounters, 1);
	assert_int_equal(x.files[0].ordinal, 3);
	ptxla_free(&x);
}

/* A block that is read plainly is the same as one that goes through the reader. */
static void test_plain(void **state)
{
	static const char plain[] =
	    "[MetricsData; step=4]\nMetric: A\n  TotalSamples: 4\n  Accumulator: 8.00KB\n"
	    "  Rate: 2.5 / second\n  Percentiles: 1%=1.00B; 99%=2.00B\nCounter: N\n  Value: 7\n\n"
	    "[MetricsData; step=5]\nMetric: A\n  TotalSamples: 6\n  Accumulator: 9.00KB\nCounter: N\n"
	    "  Value: 8\n\n";
	char dressed[2 * sizeof plain], *o = dressed;

	(void)state;
	for (const char *s = plain; *s; s++) {
		if (*s == '\n')
			*o++ = '\r';
		*o++ = *s;
	}
	*o = 0;
	for (int i = 0; i < 2; i++) {
		struct ptxla x = read_text(i ? dressed : plain);

		assert_int_equal(x.files[0].reports, 2);
		assert_int_equal(x.nreports, 2);
		assert_int_equal(x.reports[1].line, 10);
		assert_int_equal(x.reports[1].step, 5);
		assert_int_equal(x.nmetrics, 2);
		assert_int_equal(x.metrics[0].accumulator.i, 8192);
		assert_int_equal(x.metrics[0].npercents, 2);
		assert_true(x.metrics[0].rate == 2.5);
		assert_int_equal(ptxla_counter(&x, 1, "N"), 8);
		assert_false(ptxla_is_partial(&x.metrics[1]));
		ptxla_free(&x);
	}
}

/* Processes that print in turns. */
static void test_turns(void **state)
{
	struct ptxla x = read_text(
	    "[rank0]: Metric: A\n[rank1]: Metric: B\n[rank0]:   TotalSamples: 1\n"
	    "[rank1]:   TotalSamples: 2\n[rank1]:   Accumulator: 2.00\n[rank0]:   Accumulator: 1.00\n");
	size_t n, *last = ptxla_last_reports(&x, &n);

	(void)state;
	assert_int_equal(x.nmetrics, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_false(ptxla_is_partial(&x.metrics[i]));
		assert_true(
		    ptxla_double(PTXLA_COUNT, x.metrics[i].accumulator) == (double)x.metrics[i].samples);
	}
	assert_int_equal(x.files[0].reports, 1);
	free(last);
	ptxla_free(&x);
}

#define RULE "===================="

static void test_blocks(void **state)
{
	/* the first has no end: the rule of the second begins that one */
	struct ptxla x = read_text("Execution Analysis: " RULE "\nExecution Analysis: Execution Cause\n"
				   "Execution Analysis:   user mark_step\nExecution Analysis: " RULE
				   "\nExecution Analysis: Execution Cause\nExecution Analysis:   other\n"
				   "Execution Analysis: ----------\nExecution Analysis: " RULE "\n"
				   "Post Compilation Analysis: Graph input size: 1.548000 GB\n");

	(void)state;
	assert_int_equal(x.nanalyses, 3);
	assert_true(x.analyses[0].partial);
	assert_string_equal(x.analyses[0].cause, "user mark_step");
	assert_false(x.analyses[1].partial);
	assert_int_equal(x.analyses[1].line, 4);
	assert_string_equal(x.analyses[1].cause, "other");
	assert_int_equal(x.analyses[2].kind, PTXLA_POST);
	assert_int_equal(x.analyses[2].size[PTXLA_INPUT], 1662152344);
	ptxla_free(&x);
}

static void test_findings(void **state)
{
	struct ptxla x = read_text(
	    "Metric: CompileTime\n  TotalSamples: 6\n  Accumulator: 01s\n"
	    "Counter: MarkStep\n  Value: 11\nCounter: aten::b\n  Value: 1\nCounter: aten::a\n  Value: 1\n");
	struct findings f;

	(void)state;
	findings_of_ptxla(&x, PTXLA_EACH_PLACE, &f);
	assert_int_equal(f.n, 2);
	assert_string_equal(f.v[0].id, "compile_too_frequent");
	assert_string_equal(f.v[1].id, "not_lowered");
	assert_string_equal(f.v[1].evidence, "aten::a,aten::b");
	findings_free(&f);
	ptxla_free(&x);
	x = read_text(
	    "Metric: CompileTime\n  TotalSamples: 5\n  Accumulator: 01s\nCounter: MarkStep\n  Value: 11\n");
	findings_of_ptxla(&x, PTXLA_EACH_PLACE, &f);
	assert_int_equal(f.n, 0);
	findings_free(&f);
	ptxla_free(&x);
}

/* What two hosts have is a finding of each report, or one that counts them. */
static void test_findings_of_places(void **state)
{
	static const char host[] =
	    "Metric: CompileTime\n  TotalSamples: 6\n  Accumulator: 01s\nCounter: MarkStep\n  Value: 11\n";
	struct findings f;
	struct ptxla x;

	(void)state;
	ptxla_begin(&x);
	ptxla_file(&x, "a");
	ptxla_text(&x, host, strlen(host));
	ptxla_file(&x, "b");
	ptxla_text(&x, host, strlen(host));
	ptxla_end(&x);
	findings_of_ptxla(&x, PTXLA_EACH_PLACE, &f);
	assert_int_equal(f.n, 2);
	assert_string_equal(f.v[0].file, "a");
	assert_string_equal(f.v[1].file, "b");
	findings_free(&f);
	findings_of_ptxla(&x, PTXLA_FIRST_PLACE, &f);
	assert_int_equal(f.n, 1);
	assert_string_equal(f.v[0].evidence, "CompileTime: 6 in 11 steps; and in 1 more report");
	findings_free(&f);
	ptxla_free(&x);
}

#define PRINTED(compilations, steps, more) \
	"Metric: CompileTime\n  TotalSamples: " compilations "\n  Accumulator: 01s\n" more \
	"Counter: MarkStep\n  Value: " steps "\n"

/* A program that prints its report at every step, with other lines between or none, and a metric that comes later. */
static void test_printed_each_step(void **state)
{
	struct ptxla x = read_text(PRINTED("4", "2", "") "loss 0.3\n" PRINTED("6", "3",
	    "") "Metric: Allocation\n  TotalSamples: 1\n  Accumulator: 1.00KB\n" PRINTED("8", "4",
	    "Metric: ExecuteTime\n  TotalSamples: 9\n  Accumulator: 01s\n"));
	struct findings f;

	(void)state;
	assert_int_equal(x.nreports, 3);
	assert_int_equal(x.files[0].reports, 3);
	assert_int_equal(x.reports[0].nmetrics, 1);
	assert_int_equal(x.reports[1].nmetrics, 1);
	assert_int_equal(x.reports[2].nmetrics, 3); /* the new one stands before the first that comes again */
	assert_int_equal(ptxla_counter(&x, 1, "MarkStep"), 3);
	assert_int_equal(ptxla_metric(&x, 2, "CompileTime")->samples, 8);
	assert_null(ptxla_metric(&x, 1, "Allocation"));
	findings_of_ptxla(&x, PTXLA_EACH_PLACE, &f);
	assert_int_equal(f.n, 1);
	assert_string_equal(f.v[0].id, "uncached_growth");
	assert_string_equal(f.v[0].evidence,
	    "CompileTime: 4, then 8; it grew in 2 of 2 reports after the first");
	findings_free(&f);
	ptxla_free(&x);
	x = read_text(PRINTED("4", "2", "") PRINTED("6", "3", "") PRINTED("6", "4", ""));
	assert_int_equal(x.nreports, 3);
	findings_of_ptxla(&x, PTXLA_EACH_PLACE, &f);
	assert_int_equal(f.n, 0);
	findings_free(&f);
	ptxla_free(&x);
}

/* A sum that is no number has its unit, and nothing of the metric is missing. */
static void test_nan_units(void **state)
{
	struct ptxla x = read_text("Metric: InboundData\n  TotalSamples: 0\n  Accumulator: nanB\n"
				   "  ValueRate: -nanB / second\n  Percentiles: 50%=nanB; 99%=nanB\n"
				   "Metric: CompileTime\n  TotalSamples: 0\n  Accumulator: nanus\n"
				   "Metric: Cut\n  TotalSamples: 2\n");
	struct facts f = { .v = NULL };

	(void)state;
	assert_int_equal(x.nmetrics, 3);
	assert_int_equal(x.metrics[0].unit, PTXLA_BYTES);
	assert_int_equal(x.metrics[0].npercents, 2);
	assert_false(ptxla_is_partial(&x.metrics[0]));
	assert_false(ptxla_known(x.metrics[0].accumulator));
	assert_int_equal(x.metrics[1].unit, PTXLA_PS);
	assert_true(ptxla_is_partial(&x.metrics[2]));
	ptxla_metrics_summary(&x, false, &f);
	assert_int_equal((int)facts_number(&f, "partial"), 1);
	facts_free(&f);
	ptxla_free(&x);
}

/* Lines of a log that name the graphs count, and a graph that XLA could not compile is one, however it begins. */
static void test_lines_of_logs(void **state)
{
	struct ptxla x =
	    read_text(">>> Dumping Computation 0\nHloModule m\n\nENTRY %e (p: f32[4]) -> f32[4] {\n"
		      "  ROOT %p = f32[4]{0} parameter(0)\n}\nStatus: INTERNAL: no\n"
		      "Compiling IR graph hash ab12 on device TPU:0 ...\n"
		      "Executing IR graph hash ab12 on device TPU:0 ...\n"
		      "Executing IR graph hash ab12 on device TPU:0 ...\n"
		      "Executing IR graph hash cd34 on device TPU:0 ...\n");
	struct facts f = { .v = NULL };

	(void)state;
	assert_int_equal(x.ngraphs, 1);
	assert_string_equal(x.graphs[0].format, "hlo");
	assert_int_equal(x.graphs[0].nodes, 1);
	ptxla_debug_summary(&x, false, &f);
	assert_int_equal((int)facts_number(&f, "compilations"), 1);
	assert_int_equal((int)facts_number(&f, "executions"), 3);
	assert_int_equal((int)facts_number(&f, "distinct_hashes"), 2);
	facts_free(&f);
	ptxla_free(&x);
}

/* PT_XLA_DEBUG_LEVEL=1 prints no executions: how often a graph ran is unknown. */
static void test_no_executions_printed(void **state)
{
	struct ptxla x =
	    read_text("Compilation Analysis: " RULE "\nCompilation Analysis: Compilation Cause\n"
		      "Compilation Analysis:   user mark_step\nCompilation Analysis: Graph Info:\n"
		      "Compilation Analysis:   Graph Hash: ab12\nCompilation Analysis: " RULE "\n");
	struct ptxla_group_row *v;
	size_t n;

	(void)state;
	assert_int_equal(x.nanalyses, 1);
	v = ptxla_groups(&x, GROUP_HASH, &n);
	assert_int_equal(n, 1);
	assert_int_equal(v[0].compiled, 1);
	assert_int_equal(v[0].executed, -1);
	free(v);
	for (int people = 0; people < 2; people++) {
		struct facts f = { .v = NULL };

		ptxla_debug_summary(&x, people, &f);
		assert_true(facts_number(&f, "compilations") == 1);
		assert_true(
		    people ? isnan(facts_number(&f, "executions")) : facts_number(&f, "executions") == 0);
		facts_free(&f);
	}
	ptxla_free(&x);
}

/* The host needs the size of what nonzero returns: that it runs on the CPU is not a missing lowering. */
static void test_nonzero(void **state)
{
	struct ptxla x = read_text("Counter: aten::nonzero\n  Value: 2\n");
	struct findings f;

	(void)state;
	findings_of_ptxla(&x, PTXLA_EACH_PLACE, &f);
	assert_int_equal(f.n, 2);
	assert_string_equal(f.v[0].id, "dynamic_shape_ops");
	assert_string_equal(f.v[1].id, "not_lowered");
	assert_int_equal(f.v[1].severity, SEVERITY_LOW);
	assert_non_null(strstr(f.v[1].title, "on purpose"));
	assert_null(strstr(f.v[1].advice, "lowered"));
	findings_free(&f);
	ptxla_free(&x);
	x = read_text("pt-xla-profiler: Op(s) not lowered: aten::nonzero, Please open a GitHub issue\n");
	findings_of_ptxla(&x, PTXLA_EACH_PLACE, &f);
	assert_int_equal(f.n, 0);
	findings_free(&f);
	ptxla_free(&x);
}

static void test_archive(void **state)
{
	uint8_t bytes[1536] = { 0 };
	struct archive a = { .bytes = bytes, .n = sizeof bytes };
	struct archive_member m;
	unsigned sum = 0;

	(void)state;
	assert_false(archive_is(bytes, sizeof bytes));
	memcpy(bytes, "../../a", 7);
	memcpy(bytes + 124, "00000000005", 11);
	memcpy(bytes + 257, "ustar\00000", 8);
	memcpy(bytes + 512, "hello", 5);
	for (int i = 0; i < 512; i++)
		sum += i >= 148 && i < 156 ? ' ' : bytes[i];
	snprintf((char *)bytes + 148, 8, "%06o", sum);
	assert_true(archive_is(bytes, sizeof bytes));
	assert_true(archive_next(&a, &m));
	assert_string_equal(m.name, "../../a");
	assert_int_equal(m.n, 5);
	assert_memory_equal(m.bytes, "hello", 5);
	assert_false(archive_next(&a, &m));
	assert_false(a.damaged);
	a = (struct archive){ .bytes = bytes, .n = 515 };
	assert_true(archive_next(&a, &m));
	assert_true(m.cut && a.damaged);
	assert_int_equal(m.n, 3);
	bytes[0] = 'x';
	a = (struct archive){ .bytes = bytes, .n = sizeof bytes };
	assert_false(archive_next(&a, &m));
	assert_true(a.damaged);
}

/* Lines that each begin a module, and one end for all: a copy of each would be quadratic. */
static void test_modules_in_modules(void **state)
{
	enum { MODULES = 3000 };
	char *text = NULL;
	size_t n, told = 0;
	FILE *f = open_memstream(&text, &n);
	struct err err;
	struct dump *d;

	(void)state;
	fputs(">>> Dumping Computation 0\n", f);
	for (int i = 0; i < MODULES; i++)
		fprintf(f, "x%d.cc:%d] HloModule m%d\n", i, i, i);
	fputs("ENTRY e {\n}\n", f);
	fclose(f);
	d = load_memory(text, n, "x.debug", NULL, &err);
	if (!d)
		fail_msg("%s", err.msg);
	assert_in_range(d->nmodules, 1, 200);
	for (size_t i = 0; i < d->problems->n; i++)
		told += strstr(d->problems->v[i].text, "within others") != NULL;
	assert_int_equal(told, 1);
	dump_close(d);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_wrapped_list),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_findings_of_places),
		cmocka_unit_test(test_printed_each_step),
		cmocka_unit_test(test_nan_units),
		cmocka_unit_test(test_nonzero),
		cmocka_unit_test(test_lines_of_logs),
		cmocka_unit_test(test_no_executions_printed),
		cmocka_unit_test(test_archive),
		cmocka_unit_test(test_modules_in_modules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
