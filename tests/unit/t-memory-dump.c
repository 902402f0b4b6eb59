#include "config.h"
#include "analyze/memory/dump.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/pbuild.h"
#include "load/load.h"

static struct dump *load(const char *name, struct memory_dump *m)
{
	char *full = xasprintf("%s/tests/fuzz/corpus/xla-dump/%s", getenv("top_srcdir"), name);
	const char *const paths[] = { full };
	struct err e;
	struct dump *d = load_paths(paths, 1, NULL, NULL, &e);
	const uint8_t *s;
	size_t n;

	free(full);
	assert_non_null(d);
	assert_int_equal(d->files[0].kind, FILE_XLA_DUMP);
	s = d->files[0].content(d->files[0].source, &n, &e);
	assert_non_null(s);
	assert_int_equal(memory_dump_parse((const char *)s, n, m, &e), 0);
	return d;
}

static void done(struct dump *d, struct memory_dump *m)
{
	memory_dump_free(m);
	dump_close(d);
}

static const struct cell *at(const struct table *t, size_t row, const char *column)
{
	assert_true(row < t->nrows);
	return t->cells + row * t->ncolumns + table_column(t, column);
}

static void int_is(const struct table *t, size_t row, const char *column, int64_t want)
{
	assert_int_equal(at(t, row, column)->type, CELL_INT);
	assert_int_equal(at(t, row, column)->u.i, want);
}

static void text_is(const struct table *t, size_t row, const char *column, const char *want)
{
	const struct cell *c = at(t, row, column);

	assert_int_equal(c->type, CELL_STR);
	assert_int_equal(c->n, strlen(want));
	assert_memory_equal(c->s, want, c->n);
}

static void assignments_are_read(void **state)
{
	static const char *const classes[] = { "thread_local", "parameter", "output", "constant", "temp" };
	struct memory_dump m;
	struct dump *d = load("buffer-assignment.txt", &m);
	const struct table *a = &m.table[DUMP_ALLOCATIONS], *v = &m.table[DUMP_VALUES];

	(void)state;
	assert_string_equal(facts_text(&m.summary, "kind"), "buffer_assignment");
	assert_int_equal(a->nrows, 5);
	for (size_t i = 0; i < 5; i++)
		text_is(a, i, "class", classes[i]);
	int_is(a, 1, "parameter", 0);
	int_is(a, 1, "values", 2);
	text_is(a, 1, "shape", "f32[8,128]");
	text_is(a, 1, "shape_index", "{1}");
	text_is(a, 2, "shape", "bf16[32,128]");
	int_is(a, 2, "color", 0);
	int_is(a, 4, "color", 1);
	assert_int_equal(at(a, 2, "page")->type, CELL_NULL);
	assert_int_equal(v->nrows, 5);
	text_is(v, 2, "name", "copy-start.2");
	text_is(v, 2, "shape_index", "{0}");
	assert_int_equal(at(v, 1, "shape_index")->type, CELL_NULL);
	int_is(v, 4, "offset", 1024);
	int_is(v, 4, "color", 1);
	text_is(v, 0, "shape", "f32[]{:T(128)}");
	assert_int_equal(facts_number(&m.summary, "total_bytes"), 12304);
	assert_int_equal(facts_number(&m.summary, "peak_at"), 2);
	assert_int_equal(facts_number(&m.summary, "peak_bytes"), 12288);
	done(d, &m);
}

static void live_ranges_are_read(void **state)
{
	struct memory_dump m;
	struct dump *d = load("live-range.txt", &m);

	(void)state;
	assert_string_equal(facts_text(&m.summary, "kind"), "live_range");
	assert_int_equal(m.table[DUMP_INSTRUCTIONS].nrows, 2);
	text_is(&m.table[DUMP_LIVE_RANGES], 1, "shape_index", "{2}");
	int_is(&m.table[DUMP_LIVE_RANGES], 1, "end", 4);
	assert_int_equal(at(&m.table[DUMP_PEAK], 0, "cumulative_bytes")->type, CELL_NULL);
	assert_int_equal(facts_number(&m.summary, "peak_bytes"), INT64_C(6442451268));
	assert_int_equal(facts_number(&m.summary, "live_range_max"), 21);
	done(d, &m);
}

static void reports_of_tpu_have_spaces(void **state)
{
	struct memory_dump m;
	struct dump *d = load("memory-usage-tpu.txt", &m);
	const struct table *s = &m.table[DUMP_SPACES], *r = &m.table[DUMP_REPORT];

	(void)state;
	assert_string_equal(facts_text(&m.summary, "kind"), "memory_usage_report");
	assert_int_equal(s->nrows, 2);
	text_is(s, 1, "label", "vmem");
	int_is(s, 1, "total_bytes", 65536);
	assert_int_equal(r->nrows, 3);
	int_is(r, 1, "size_bytes", 12 << 20);
	int_is(r, 2, "section", 1);
	int_is(r, 2, "rank", 1);
	assert_int_equal(facts_number(&m.summary, "total_bytes"), 139865088);
	done(d, &m);
}

static void reports_of_cpu_have_allocations(void **state)
{
	struct memory_dump m;
	struct dump *d = load("memory-usage-cpu.txt", &m);
	const struct table *s = &m.table[DUMP_SPACES], *r = &m.table[DUMP_REPORT];

	(void)state;
	assert_string_equal(facts_text(&m.summary, "kind"), "memory_usage_report");
	assert_int_equal(m.table[DUMP_ALLOCATIONS].nrows, 2);
	int_is(&m.table[DUMP_ALLOCATIONS], 0, "size_bytes", 964);
	assert_int_equal(at(&m.table[DUMP_ALLOCATIONS], 0, "color")->type, CELL_NULL);
	assert_int_equal(s->nrows, 1);
	assert_int_equal(at(s, 0, "label")->type, CELL_NULL);
	assert_int_equal(r->nrows, 3);
	int_is(r, 0, "section", 7);
	int_is(r, 2, "section", 1);
	int_is(r, 2, "rank", 1);
	assert_int_equal(facts_number(&m.summary, "total_bytes"), 1032);
	done(d, &m);
}

/* MemoryUsageReportProto has the same rows as the text. */
static void reports_as_messages_are_read(void **state)
{
	static const char rows[] = "cumulative_size; size; offset; used_by_n_values; shapes_list\n"
				   "----\n  64.0KiB(100%);  64.0KiB;  0;  2; 2×f32[128,128]\n";
	struct pb report = { 0 }, space = { 0 }, entry = { 0 };
	struct memory_dump m;
	char *bytes;

	(void)state;
	pb_u(&entry, 1, 3);
	pb_u(&entry, 2, 65536);
	pb_s(&entry, 5, "mul.4");
	pb_s(&entry, 6, rows);
	pb_u(&space, 1, 65536);
	pb_u(&space, 2, 1);
	pb_sub(&space, 3, &entry);
	pb_sub(&report, 1, &space);
	bytes = xstrndup((const char *)report.b, report.n);
	assert_int_equal(memory_dump_parse(bytes, report.n, &m, NULL), 0);
	assert_string_equal(facts_text(&m.summary, "kind"), "memory_usage_report");
	assert_int_equal(at(&m.table[DUMP_SPACES], 0, "label")->type, CELL_NULL);
	int_is(&m.table[DUMP_SPACES], 0, "color", 1);
	int_is(&m.table[DUMP_SPACES], 0, "total_bytes", 65536);
	assert_int_equal(m.table[DUMP_REPORT].nrows, 1);
	text_is(&m.table[DUMP_REPORT], 0, "shapes", "2×f32[128,128]");
	memory_dump_free(&m);
	for (size_t n = report.n; n--;) { /* cut at every byte */
		memory_dump_parse(bytes, n, &m, NULL);
		memory_dump_free(&m);
	}
	free(bytes);
	free(report.b);
}

/* A message may say anything: what a buffer assignment has is read from it, too, and stays. */
static void texts_of_messages_stay(void **state)
{
	static const char rows[] = "\nBufferAssignment:\nallocation 0: size 64, preallocated-temp:\n"
				   " value: <1 mul.4 @0> (size=64,offset=0): f32[16]\n";
	char text[3000]; /* so large that it is overwritten when it is freed */
	struct pb report = { 0 }, space = { 0 }, entry = { 0 };
	struct memory_dump m;

	(void)state;
	mallopt(M_PERTURB, 'x');
	snprintf(text, sizeof text, "%1900s%s", "", rows);
	pb_s(&entry, 6, text);
	pb_u(&space, 1, 64);
	pb_sub(&space, 3, &entry);
	pb_sub(&report, 1, &space);
	assert_int_equal(memory_dump_parse((const char *)report.b, report.n, &m, NULL), 0);
	pb_free(&report);
	text_is(&m.table[DUMP_VALUES], 0, "name", "mul.4");
	memory_dump_free(&m);
	mallopt(M_PERTURB, 0);
}

static void other_texts_are_refused(void **state)
{
	static const char *const texts[] = { "", "HloModule jit_f\n", "BufferAssignment:\n",
		"Live ranges at 3 (peak):\n" };
	struct memory_dump m;
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_int_equal(memory_dump_parse(texts[i], strlen(texts[i]), &m, &e), -1);
		assert_int_equal(e.status, EXIT_NOTHING);
		memory_dump_free(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(assignments_are_read),
		cmocka_unit_test(live_ranges_are_read),
		cmocka_unit_test(reports_of_tpu_have_spaces),
		cmocka_unit_test(reports_of_cpu_have_allocations),
		cmocka_unit_test(reports_as_messages_are_read),
		cmocka_unit_test(texts_of_messages_stay),
		cmocka_unit_test(other_texts_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
