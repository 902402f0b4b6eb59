#include "config.h"
#include "analyze/triage/triage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

/* The text in pieces of `step` bytes: the result must not depend on where blocks end. */
static void feed(struct triage *t, const char *name, const char *s, size_t step)
{
	size_t n = strlen(s);

	triage_file(t, name);
	for (size_t i = 0; i < n; i += step)
		triage_text(t, s + i, n - i < step ? n - i : step);
}

static struct triage one(const char *s)
{
	struct triage t;

	triage_begin(&t);
	feed(&t, "x", s, 1u << 20);
	triage_end(&t);
	return t;
}

static const struct cell *at(const struct table *t, size_t row, const char *id)
{
	int c = table_column(t, id);

	assert_true(row < t->nrows);
	assert_true(c >= 0);
	return &t->cells[row * t->ncolumns + (size_t)c];
}

static void is_int(const struct table *t, size_t row, const char *id, int64_t want)
{
	assert_int_equal(at(t, row, id)->type, CELL_INT);
	assert_int_equal(at(t, row, id)->u.i, want);
}

static void is_str(const struct table *t, size_t row, const char *id, const char *want)
{
	assert_int_equal(at(t, row, id)->type, CELL_STR);
	assert_string_equal(at(t, row, id)->s, want);
}

static void is_null(const struct table *t, size_t row, const char *id)
{
	assert_int_equal(at(t, row, id)->type, CELL_NULL);
}
static void is_bool(const struct table *t, size_t row, const char *id, bool want)
{
	assert_int_equal(at(t, row, id)->u.b, want);
}

static bool has_finding(const struct triage *t, const char *id)
{
	for (size_t i = 0; i < t->findings.nrows; i++)
		if (!strcmp(at(&t->findings, i, "id")->s, id))
			return true;
	return false;
}

#define GIB (INT64_C(1) << 30)

#define LIST \
	"E: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 24.50G of 16.00G hbm. Exceeded " \
	"hbm capacity by 8.50G.\n\n" \
	"Total hbm usage >= 25.00G:\n    reserved        512.00M\n    program          24.50G\n    " \
	"arguments            0B\n\n" \
	"Output size 1.00G; shares 0B with arguments.\n\n" \
	"Program hbm requirement 24.50G:\n    global            20.0K\n" \
	"    HLO temp         24.00G (50.0% utilization: Unpadded (12.00G) Padded (24.00G), 12.5% " \
	"fragmentation (3.00G))\n\n" \
	"  Largest program allocations in hbm:\n\n" \
	"  1. Size: 16.00G\n     Operator: op_type=\"add\" op_name=\"jit(f)/a\\\"b\" " \
	"source_file=\"/p/f.py\" source_line=7\n" \
	"     Shape: f32[8,8]{1,0:T(8,128)}\n     Unpadded size: 8.00G\n     Extra memory due to padding: " \
	"8.00G (2.0x expansion)\n" \
	"     XLA label: fusion.1 = fusion(a),\nkind=kLoop\n     Allocation type: HLO temp\n     " \
	"==========================\n\n" \
	"  2. Size: 512B\n     XLA label: b\n     Allocation type: scoped\n     " \
	"==========================\n\n"

static void test_list(void **state)
{
	struct triage t = one(LIST);

	(void)state;
	assert_int_equal(t.errors.nrows, 1);
	is_str(&t.errors, 0, "kind", "hbm_compile_oom");
	is_int(&t.errors, 0, "line", 1);
	is_int(&t.errors, 0, "needed_bytes", 49 * GIB / 2);
	is_int(&t.errors, 0, "limit_bytes", 16 * GIB);
	is_int(&t.errors, 0, "exceeded_bytes", 17 * GIB / 2);
	is_int(&t.errors, 0, "reserved_bytes", GIB / 2);
	is_int(&t.errors, 0, "arguments_bytes", 0);
	is_null(&t.errors, 0, "code");
	is_bool(&t.errors, 0, "truncated", false);
	assert_int_equal(t.buffers.nrows, 2);
	is_str(&t.buffers, 0, "op_name", "jit(f)/a\"b");
	is_str(&t.buffers, 0, "source", "/p/f.py:7");
	is_str(&t.buffers, 0, "xla_label", "fusion.1 = fusion(a), kind=kLoop");
	is_int(&t.buffers, 0, "padding_bytes", 8 * GIB);
	is_null(&t.buffers, 1, "shape");
	is_int(&t.buffers, 1, "size_bytes", 512);
	assert_int_equal(t.requirement.nrows, 2);
	is_int(&t.requirement, 1, "fragmentation_bytes", 3 * GIB);
	assert_true(has_finding(&t, "fragmentation"));
	assert_true(has_finding(&t, "padding_waste"));
	assert_true(has_finding(&t, "output_not_shared"));
	assert_true(has_finding(&t, "hbm_too_small"));
	assert_false(has_finding(&t, "arguments_exceed_limit"));
	triage_free(&t);
}

/* The same list in libtpu's log, one record per line with lines of another thread in between, and as one line
 * of Python. */
static char *as_log(const char *s)
{
	char *out = xcalloc(strlen(s) + 1, 80), *o = out;

	while (*s) {
		size_t n = strcspn(s, "\n");

		o += sprintf(o,
		    "E1121 08:00:00.000001   77 a.cc:5] %.*s\nI1121 08:00:00.000002   78 b.cc:6] between\n",
		    (int)n, s);
		s += n + (s[n] == '\n');
	}
	return out;
}

static char *as_repr(const char *s)
{
	char *out = xcalloc(strlen(s) + 1, 4), *o = out;

	o += sprintf(o, "err=JaxRuntimeError('");
	for (; *s; s++)
		o += sprintf(o, *s == '\n' ? "\\n" : *s == '\\' ? "\\\\" : "%c", *s);
	strcpy(o, "')\n");
	return out;
}

static void same_list(const char *text, size_t step)
{
	struct triage t, whole = one(LIST);

	triage_begin(&t);
	feed(&t, "x", text, step);
	triage_end(&t);
	assert_int_equal(t.errors.nrows, 1);
	assert_int_equal(t.buffers.nrows, 2);
	is_int(&t.errors, 0, "needed_bytes", 49 * GIB / 2);
	is_bool(&t.errors, 0, "truncated", false);
	for (size_t i = 0; i < t.buffers.nrows * t.buffers.ncolumns; i++) {
		assert_int_equal(t.buffers.cells[i].type, whole.buffers.cells[i].type);
		if (t.buffers.cells[i].type == CELL_STR)
			assert_string_equal(t.buffers.cells[i].s, whole.buffers.cells[i].s);
	}
	triage_free(&t);
	triage_free(&whole);
}

static void test_forms(void **state)
{
	char *log = as_log(LIST), *repr = as_repr(LIST);
	static const size_t steps[] = { 1, 7, 4096, 1 << 20 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		same_list(LIST, steps[i]);
		same_list(log, steps[i]);
		same_list(repr, steps[i]);
	}
	free(log);
	free(repr);
}

static void test_cut(void **state)
{
	static const struct {
		const char *text;
		size_t buffers;
	} v[] = {
		{ "Ran out of memory in memory space vmem. Used 2.00M of 1.00M vmem.\n Exceeded vmem "
		  "capacity by 1.00M.\n\nTotal vmem usage >= 2.00M:\n    program 2.00M\n",
		    0 },
		{ "Ran out of memory in memory space vmem. Used 2.00M of 1.00M vmem. Exceeded vmem capacity "
		  "by 1.00M.\n  Largest program allocations in vmem:\n",
		    0 },
		{ "Ran out of memory in memory space vmem. Used 2.00M of 1.00M vmem. Exceeded vmem capacity "
		  "by 1.00M.\n  Largest program allocations in vmem:\n  1. Size: 1.00M\n  XLA label: x\n",
		    1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct triage t = one(v[i].text);

		assert_int_equal(t.errors.nrows, 1);
		is_str(&t.errors, 0, "kind", "vmem_oom");
		is_int(&t.errors, 0, "exceeded_bytes", 1 << 20);
		is_bool(&t.errors, 0, "truncated", true);
		assert_int_equal(t.buffers.nrows, v[i].buffers);
		triage_free(&t);
	}
}

static void test_kinds(void **state)
{
	static const struct {
		const char *text, *kind, *code, *op, *module;
		int64_t needed, limit;
	} v[] = {
		{ "E1000: CompileTimeHbmOom: Ran out of memory on HBM, the total memory required for HLO "
		  "temporaries (2.00G) exceeds available HBM (1.00G). HLO module: jit_f.",
		    "hbm_compile_oom", "E1000", NULL, "jit_f", 2 * GIB, GIB },
		{ "ValueError: Allocation (size=300) would exceed memory (size=200) :: #allocation3 [shape = "
		  "'u8[300]{0}', space=smem, size = 0x12c, tag = 'x'] :: k.1",
		    "smem_oom", NULL, "k.1", NULL, 300, 200 },
		{ "E1001: CompileTimeScopedVmemOom:\nRan out of memory in memory space vmem while allocating "
		  "on stack for %k.2 = f32[8] ... Scoped allocation with size\n3.00K and limit 2.00K "
		  "exceeded scoped vmem limit by 1.00K.",
		    "scoped_vmem_oom", "E1001", "k.2", NULL, 3072, 2048 },
		{ "E3000: CompileTimeSparseCoreAllocationFailure:\nRan out of memory in memory space 201. "
		  "Used 3.00K of 2.00K 201.",
		    "sparsecore_oom", "E3000", NULL, NULL, 3072, 2048 },
		{ "Compilation failure: Aborting compilation early because it's unlikely to have enough "
		  "device memory. Requires 3.00G, has 2.00G available. If more",
		    "compile_abort_oom", NULL, NULL, NULL, 3 * GIB, 2 * GIB },
		{ "TPU TensorCore Hbm usage: 1.00G, SparseCore Hbm usage 2.00G, exceeding available bytes: "
		  "2.50G",
		    "hbm_compile_oom", NULL, NULL, NULL, 3 * GIB, 5 * GIB / 2 },
		{ "Ran out of memory in memory space hbm; used: YYY; limit: 7.50G.", "hbm_compile_oom", NULL,
		    NULL, NULL, INT64_MIN, 15 * GIB / 2 },
		/* cut off within a number */
		{ "Ran out of memory in memory space hbm. Used 3.00G of 2.5", "hbm_compile_oom", NULL, NULL,
		    NULL, 3 * GIB, INT64_MIN },
		{ "Allocation (size=300) would exceed memory (size=20", "memory_oom", NULL, NULL, NULL, 300,
		    INT64_MIN },
		{ "Attempting to allocate 18", "runtime_alloc", NULL, NULL, NULL, INT64_MIN, INT64_MIN },
		{ "E0102: RuntimeProgramInputMismatch: Executable(f) expected parameter 3 of size 96 "
		  "(bf16[4,8]{1,0}) but got buffer with incompatible size 64 (bf16[4,8]{1,0})",
		    "input_mismatch", "E0102", NULL, "f", 96, INT64_MIN },
		{ "W1 Can't reduce memory use below 1.00KiB (1000 bytes) by rematerialization; only reduced "
		  "to 2.00KiB (2000 bytes), down from 3.0KiB (3000 bytes) originally",
		    "remat_limit", NULL, NULL, NULL, 2000, 1000 },
		{ "INVALID_ARGUMENT: 900 bytes of scoped Vmem requested (via x), but the max valid bytes is "
		  "800. See",
		    "invalid_vmem_limit", NULL, NULL, NULL, 900, 800 },
		{ "No registered 'Foo' OpKernel for XLA_TPU_JIT devices compatible with node",
		    "op_unavailable", NULL, "Foo", NULL, INT64_MIN, INT64_MIN },
		{ "F1121 08:00:00.000001 1 a.cc:5] Check failed: a == b (1 vs. 2) so", "fatal_check", NULL,
		    "a == b", NULL, INT64_MIN, INT64_MIN },
		{ "RuntimeError: Unable to initialize backend 'tpu': ABORTED: The TPU is already in use by "
		  "process with pid 7.",
		    "tpu_in_use", NULL, NULL, NULL, INT64_MIN, INT64_MIN },
		{ "Killed", "host_oom", NULL, NULL, NULL, INT64_MIN, INT64_MIN },
		{ "ssh: connect to host 1.2.3.4 port 22: Connection timed out", "ssh_unreachable", NULL, NULL,
		    NULL, INT64_MIN, INT64_MIN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct triage t = one(v[i].text);

		assert_int_equal(t.errors.nrows, 1);
		is_str(&t.errors, 0, "kind", v[i].kind);
		v[i].code ? is_str(&t.errors, 0, "code", v[i].code) : is_null(&t.errors, 0, "code");
		v[i].op ? is_str(&t.errors, 0, "op", v[i].op) : is_null(&t.errors, 0, "op");
		v[i].module ? is_str(&t.errors, 0, "module", v[i].module) : is_null(&t.errors, 0, "module");
		v[i].needed >= 0 ? is_int(&t.errors, 0, "needed_bytes", v[i].needed)
				 : is_null(&t.errors, 0, "needed_bytes");
		v[i].limit >= 0 ? is_int(&t.errors, 0, "limit_bytes", v[i].limit)
				: is_null(&t.errors, 0, "limit_bytes");
		triage_free(&t);
	}
}

static void test_runtime(void **state)
{
	struct triage t =
	    one("\033[1;36m(Engine pid=3)\033[0;0m ERROR 11-14 16:38:29 [core.py:855] Error allocating "
		"device buffer: Attempting to allocate 2.00M. That was not possible. "
		"There are 3.00M free. The largest contiguous region of free memory is 1.00M due to "
		"fragmentation.; (0x0x1_HBM0)\n"
		"(Engine pid=3) ERROR 11-14 16:38:30 [core.py:856] Attempting to allocate 2.00M. That was "
		"not possible. There are 3.00M free.; (0x0x1_HBM0)\n"
		"(Engine pid=4) Could not allocate 4374528 bytes in memory 0x0x0_HBM0; 100 bytes "
		"allocatable, 200 bytes available\n");

	(void)state;
	assert_int_equal(t.errors.nrows, 2);
	is_str(&t.errors, 0, "kind", "runtime_alloc");
	is_int(&t.errors, 0, "count", 2);
	is_str(&t.errors, 0, "time", "--11-14T16:38:29");
	is_str(&t.errors, 0, "device", "0x0x1_HBM0");
	is_int(&t.errors, 0, "largest_free_bytes", 1 << 20);
	is_int(&t.errors, 1, "needed_bytes", 4374528);
	is_int(&t.errors, 1, "largest_free_bytes", 100);
	is_int(&t.errors, 1, "free_bytes", 200);
	is_str(&t.logs, 0, "format", "python");
	is_int(&t.logs, 0, "records", 2);
	assert_true(has_finding(&t, "runtime_fragmentation"));
	triage_free(&t);
}

static void test_logs(void **state)
{
	struct triage t = one("Log file created at: 2025/12/31 23:59:59\nRunning on machine: vm\nI1231 "
			      "23:59:59.000001   12 a.cc:1] Build label: lts_1\n"
			      " 50%|## |\rW0101 00:00:01.000002   12 a.cc:1] x\r\nI0101 00:00:02.000002   12 "
			      "a.cc:1] Process id 44\nE0101 00:00:03.0000");

	(void)state;
	is_int(&t.logs, 0, "lines", 6);
	is_int(&t.logs, 0, "records", 3);
	is_int(&t.logs, 0, "warning", 1);
	is_str(&t.logs, 0, "first_time", "2025-12-31T23:59:59.000001");
	is_str(&t.logs, 0, "last_time", "2026-01-01T00:00:02.000002");
	is_str(&t.logs, 0, "host", "vm");
	is_str(&t.logs, 0, "build_label", "lts_1");
	is_int(&t.logs, 0, "pid", 44);
	triage_free(&t);
	t = one("E0000 00:00:1700000000.250000   12 a.cc:1] x\n2023-03-23 02:02:25.057202: E f.cc:90] y\n");
	is_int(&t.logs, 0, "error", 2);
	is_str(&t.logs, 0, "first_time", "2023-11-14T22:13:20.250000");
	is_str(&t.logs, 0, "last_time", "2023-03-23T02:02:25.057202");
	triage_free(&t);
}

#define REPORT \
	"E1121 08:00:00.000001   77 a.cc:5] Ran out of memory in memory space hbm. Used 3.00K of 2.00K " \
	"hbm. Exceeded hbm capacity by 1.00K. HLO module: jit_g. Memory usage report: \n\n" \
	"Memory Space: default (color=0)\nTotal bytes: 3072 (3.0KiB)\n  cumulative_size;       size;       " \
	"offset; used_by_n_values; shapes_list\n  -----\n" \
	"     2.0KiB( 66%);     2.0KiB;            0;                3; f32[8], 2\303\227s32[4]\n"

static void test_report(void **state)
{
	struct triage t =
	    one(REPORT "     3.0KiB(100%);     1.0KiB;         2048;                1; f32[8]\n");

	(void)state;
	assert_int_equal(t.report.nrows, 2);
	is_int(&t.report, 1, "rank", 2);
	is_int(&t.report, 1, "offset", 2048);
	is_int(&t.spaces, 0, "total_bytes", 3072);
	is_bool(&t.errors, 0, "truncated", false);
	triage_free(&t);
	t = one(REPORT "     3.0KiB(100%);     1.0KiB;         2048;                1; f32[\n");
	assert_int_equal(t.report.nrows, 1);
	is_bool(&t.errors, 0, "truncated", true);
	triage_free(&t);
}

static void test_join(void **state)
{
	struct triage t;

	(void)state;
	triage_begin(&t);
	feed(&t, "a.log", REPORT, 100);
	feed(&t, "b.log", REPORT, 100); /* the same record in another log file of the process */
	feed(&t, "out",
	    "X: E1000: Ran out of memory in memory space hbm. Used 3.00K of 2.00K hbm. "
	    "[type.googleapis.com/x='Ran out of memory in memory space hbm. Used 9.00K of 2.00K hbm.']\n",
	    100);
	triage_dump(&t, "d/module_0001.jit_g2.after_optimizations.txt");
	triage_dump(&t, "d/module_0002.jit_g.after_optimizations.txt");
	triage_dump(&t, "d/jit_g(7).hlo_proto.pb");
	triage_end(&t);
	assert_int_equal(t.errors.nrows, 1);
	is_int(&t.errors, 0, "count", 2);
	is_str(&t.errors, 0, "code", "E1000");
	is_str(&t.errors, 0, "dump", "d/jit_g(7).hlo_proto.pb");
	triage_free(&t);
}

static void test_headless(void **state)
{
	static const char block[] =
	    "Program hbm requirement 2.00G:\n    HLO temp   2.00G (100.0% utilization: Unpadded (2.00G) "
	    "Padded (2.00G), 0.0% fragmentation (0B))\n";
	struct triage t = one(block);
	char text[1000];

	(void)state;
	assert_int_equal(t.errors.nrows, 1);
	is_int(&t.errors, 0, "program_bytes", 2 * GIB);
	is_null(&t.errors, 0, "needed_bytes");
	/* a program that only its arguments make too large needs nothing itself */
	is_str(&t.findings, 0, "evidence",
	    "the program needs 2.0 GiB beside its arguments; not fragmentation (0.0 %); not padding");
	triage_free(&t);
	/* in a log it only counts as an error at severity E or F */
	snprintf(text, sizeof text, "%sI1121 08:00:00.000001   77 a.cc:5] %s", block, block);
	t = one(text);
	assert_int_equal(t.errors.nrows, 0);
	triage_free(&t);
	snprintf(text, sizeof text, "E1121 08:00:00.000001   77 a.cc:5] %s", block);
	t = one(text);
	assert_int_equal(t.errors.nrows, 1);
	triage_free(&t);
	/* a complete report of the same program includes it */
	snprintf(text, sizeof text,
	    "E1121 08:00:00.000001   77 a.cc:5] %sE1121 08:00:01.000001   77 b.cc:5] Ran out of memory in "
	    "memory space hbm. Used 3.00G of 1.00G hbm.\n%s",
	    block, block);
	t = one(text);
	assert_int_equal(t.errors.nrows, 1);
	is_int(&t.errors, 0, "count", 2);
	triage_free(&t);
	t = one(
	    "     4. Size: 3.00K\n     Shape: f32[768]\n     Allocation type: HLO temp\n     ==========\n");
	assert_int_equal(t.errors.nrows, 1);
	is_str(&t.errors, 0, "kind", "oom_fragment");
	triage_free(&t);
	t = one("Shape: (3, 4)\nnothing is wrong here: 1. Size: of it\nRan out of memory\n");
	assert_int_equal(t.errors.nrows, 0);
	triage_free(&t);
}

static void test_bounds(void **state)
{
	size_t n = 9u << 20;
	char *line = xmalloc(n + 1);
	struct triage t;

	(void)state;
	memset(line, 'x', n); /* one line far beyond what is kept */
	line[n] = 0;
	triage_begin(&t);
	feed(&t, "x", line, 65536);
	triage_text(&t, "\nKilled\n", 8);
	triage_end(&t);
	is_int(&t.logs, 0, "lines", 2);
	is_int(&t.errors, 0, "line", 2);
	triage_free(&t);
	free(line);
	/* a list that starts much later than its sentence does not belong to it */
	triage_begin(&t);
	feed(&t, "x", "Ran out of memory in memory space hbm. Used 3.00G of 1.00G hbm.\n", 100);
	for (size_t i = 0; i < (3u << 20) / 100; i++)
		triage_text(&t,
		    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
		    "8901234567\n\n",
		    100);
	triage_text(&t, "  1. Size: 3.00K\n     XLA label: x\n     ==========\n", 49);
	triage_end(&t);
	assert_int_equal(t.errors.nrows, 2);
	is_int(&t.errors, 0, "listed_buffers", 0);
	triage_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_runtime),
		cmocka_unit_test(test_logs),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_headless),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
