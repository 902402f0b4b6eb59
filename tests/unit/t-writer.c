#include "config.h"
#include "report/write/writer.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "base/codec/json.h"
#include "../lib/mkreport.h"

static const struct column columns[] = {
	{ .id = "name", .label = "name", .unit = "", .type = COL_STRING },
	{ .id = "total_ps", .label = "total", .unit = "ps", .type = COL_INTEGER },
	{ .id = "share", .label = "share", .unit = "fraction", .type = COL_NUMBER },
	{ .id = "outlier", .label = "outlier", .unit = "", .type = COL_BOOLEAN },
};
static const struct schema columns_schema = { SCHEMA_COLUMNS(columns) };

static struct dump *small_capture(void)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/host:CPU");
	space_line(&s, 1, "main");
	space_event(&s, "a", 1000, 500);
	space_int(&s, "big", INT64_C(1) << 60);
	space_int(&s, "twice", 1);
	space_int(&s, "twice", 2);
	space_event(&s, "b", 1000, 2000000);
	return space_load(&s, 1);
}

static void row(struct report *r, const char *name, struct cell ps, struct cell share, struct cell outlier)
{
	struct cell c[] = { cell_str(name, strlen(name)), ps, share, outlier };

	report_row(r, c);
}

static char *write_table(struct dump *d, enum report_format format, int width, const char *name)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	struct report *r = report_begin(f, format, width, "test", d);
	struct table table;

	table_begin(&table, &columns_schema);
	report_warning(r, "mind the %s", "gap");
	report_sum_int(r, "span_ps", 1500000);
	report_sum_num(r, "steptime_ms_average", 1.0 / 3);
	report_sum_str(r, "source", NULL);
	report_table_like(r, name, &table);
	row(r, "plain", cell_int(1500000), cell_num(0.25), cell_bool(true));
	row(r, "a \"quoted\", long name with \033[31m and no end.123", cell_int(7), cell_num(NAN),
	    cell_bool(false));
	row(r, "", cell_null(), cell_null(), cell_null());
	report_table_end(r);
	assert_int_equal(report_end(r, NULL), 0);
	fclose(f);
	return text;
}

static void json_is_the_envelope(void **state)
{
	struct dump *d = small_capture();
	struct arena a = { 0 };

	(void)state;
	for (int named = 0; named < 2; named++) {
		char *text = write_table(d, REPORT_JSON, 0, named ? "ops" : NULL);
		const struct json *j = json_parse(&a, text, strlen(text), NULL), *capture, *table, *rows;

		assert_non_null(j);
		assert_string_equal(json_get(j, "tool")->s, "test");
		assert_non_null(json_get(j, "version"));
		capture = json_get(j, "capture");
		assert_int_equal(json_get(capture, "files")->n, 1);
		assert_string_equal(json_get(json_get(capture, "files")->child, "kind")->s, "xspace");
		assert_string_equal(json_get(capture, "warnings")->child->s, "mind the gap");
		assert_int_equal(json_get(capture, "hosts")->n, 1);
		assert_float_equal(json_num(json_get(json_get(j, "summary"), "steptime_ms_average"), 0),
		    1.0 / 3, 0);
		assert_int_equal(json_get(json_get(j, "summary"), "source")->type, JSON_NULL);
		table = named ? json_get(json_get(j, "tables"), "ops") : j;
		assert_int_equal(json_get(table, "columns")->n, 4);
		assert_string_equal(json_get(json_get(table, "columns")->child->next, "unit")->s, "ps");
		rows = json_get(table, "rows");
		assert_int_equal(rows->n, 3);
		assert_float_equal(json_num(rows->child->child->next, 0), 1500000, 0);
		assert_int_equal(rows->child->child->next->next->next->type, JSON_TRUE);
		assert_int_equal(rows->child->next->child->next->next->type, JSON_NULL); /* not a number */
		assert_int_equal(rows->child->next->next->child->next->type, JSON_NULL);
		free(text);
	}
	arena_free(&a);
	space_close(d);
}

static void csv_is_one_table(void **state)
{
	struct dump *d = small_capture();
	char *text = write_table(d, REPORT_CSV, 0, NULL);

	(void)state;
	assert_string_equal(text,
	    "name,total_ps,share,outlier\r\nplain,1500000,0.25,true\r\n"
	    "\"a \"\"quoted\"\", long name with \xe2\x90\x9b[31m and no end.123\",7,,false\r\n,,,\r\n");
	free(text);
	space_close(d);
}

static void csv_is_the_table_wanted(void **state)
{
	static const struct schema one = { .columns = columns, .n = 1 },
				   other = { .columns = columns + 1, .n = 1 };
	struct dump *d = small_capture();
	struct table first, second;

	(void)state;
	table_begin(&first, &one);
	table_begin(&second, &other);
	for (int i = 0; i < 3; i++) {
		char *text = NULL;
		size_t n;
		FILE *f = open_memstream(&text, &n);
		struct report *r = report_begin(f, REPORT_CSV, 0, "test", d);

		report_csv_table(r, i == 0 ? "second" : i == 1 ? "none" : NULL);
		report_table_like(r, "first", &first);
		report_row(r, (struct cell[]){ cell_int(1) });
		report_table_end(r);
		report_table_like(r, "second", &second);
		report_row(r, (struct cell[]){ cell_int(2) });
		report_table_end(r);
		assert_int_equal(report_end(r, NULL), 0);
		fclose(f);
		assert_string_equal(text, i == 0 ? "total_ps\r\n2\r\n" : i == 1 ? "" : "name\r\n1\r\n");
		free(text);
	}
	space_close(d);
}

static const char *line_with(const char *text, const char *word, char *line, size_t size)
{
	const char *at = strstr(text, word), *from;

	assert_non_null(at);
	for (from = at; from > text && from[-1] != '\n'; from--)
		;
	snprintf(line, size, "%.*s", (int)strcspn(from, "\n"), from);
	return line;
}

static void text_is_aligned_and_fits(void **state)
{
	struct dump *d = small_capture();
	char *text = write_table(d, REPORT_TEXT, 0, NULL), line[200];
	size_t right;

	(void)state;
	assert_non_null(strstr(text, "! mind the gap\n"));
	assert_non_null(strstr(line_with(text, "span", line, sizeof line), "1.500 us"));
	assert_non_null(strstr(line_with(text, "steptime average", line, sizeof line), "0.333 ms"));
	line_with(text, "total us", line, sizeof line); /* the unit stands in the header … */
	right = (size_t)(strstr(line, "total us") - line) + strlen("total us");
	line_with(text, "plain", line, sizeof line);
	assert_memory_equal(line + right - 5, "1.500", 5); /* … and numbers end below it */
	assert_memory_equal(line + right + 2, "  25.00", 7);
	assert_null(strchr(text, '\033'));
	free(text);

	text = write_table(d, REPORT_TEXT, 48, NULL);
	for (char *s = strstr(text, "name"); s && *s; s += strcspn(s, "\n") + 1)
		assert_true(strcspn(s, "\n") <= 48);
	line_with(text, "~", line, sizeof line); /* cut in the middle: both ends stay */
	assert_memory_equal(line, "a \"quo", 6);
	assert_non_null(strstr(line, "nd.123"));
	free(text);
	space_close(d);
}

/* A table of two rows as text of that width. */
static char *write_rows(struct dump *d, int width, const struct schema *s, const struct cell *rows)
{
	struct table t;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct report *r = report_begin(f, REPORT_TEXT, width, "test", d);

	table_begin(&t, s);
	report_table_like(r, NULL, &t);
	report_row(r, rows);
	report_row(r, rows + s->n);
	report_table_end(r);
	assert_int_equal(report_end(r, NULL), 0);
	fclose(f);
	for (char *c = text; width && *c; c += strcspn(c, "\n") + (c[strcspn(c, "\n")] == '\n'))
		assert_true(strcspn(c, "\n") <= (size_t)width);
	return text;
}

static struct cell word(const char *s)
{
	return cell_str(s, strlen(s));
}

/* For people in GB/s, and what no chip can do is no number; the unit of an id never changes. */
static void rates_are_those_of_cards(void **state)
{
	static const struct column c[] = {
		{ .id = "op", .label = "op", .unit = "", .type = COL_STRING },
		{ .id = "hbm_bw", .label = "HBM BW", .unit = "GiB/s", .type = COL_NUMBER },
	};
	static const struct schema c_schema = { SCHEMA_COLUMNS(c) };
	struct cell rows[] = { word("a"), cell_rate(100, false), word("b"), cell_rate(1e7, true) };
	struct dump *d = small_capture();
	char *text = write_rows(d, 80, &c_schema, rows), line[200];

	(void)state;
	assert_non_null(strstr(text, "HBM BW GB/s"));
	assert_non_null(strstr(line_with(text, "a  ", line, sizeof line), "107.374"));
	assert_non_null(strstr(line_with(text, "b  ", line, sizeof line), "> peak"));
	free(text);
	space_close(d);
}

static void what_does_not_fit_is_said(void **state)
{
	static const struct column c[] = {
		{ .id = "host", .label = "host", .unit = "", .type = COL_STRING },
		{ .id = "z", .label = "z of the chip", .unit = "", .type = COL_INTEGER, .drop = 1 },
		{ .id = "total_us", .label = "total of all time", .unit = "us", .type = COL_NUMBER },
		{ .id = "operation", .label = "operation", .unit = "", .type = COL_STRING },
	};
	static const struct schema c_schema = { SCHEMA_COLUMNS(c) };
	struct cell rows[] = {
		word("worker"),
		cell_int(1),
		cell_num(1.5),
		word("jit(step)/transpose/closed_call/mlp/dot_general"),
		word("worker"),
		cell_int(2),
		cell_num(2.5),
		word("jit(step)/transpose/closed_call/attn/dot_general"),
	};
	struct dump *d = small_capture();
	char *text = write_rows(d, 100, &c_schema, rows);

	(void)state;
	assert_null(strstr(text, "all rows"));
	assert_null(strstr(text, "not shown"));
	assert_non_null(strstr(text, "worker              1                1.5000  jit(step)/transpose/"));
	free(text);
	text = write_rows(d, 60, &c_schema, rows); /* said once; the head takes more lines */
	assert_non_null(strstr(text, "all rows: host worker\n"));
	assert_null(strstr(text, "not shown"));
	assert_non_null(strstr(text, "/mlp/dot_general\n"));
	assert_non_null(strstr(text, "/attn/dot_general\n"));
	free(text);
	text = write_rows(d, 44, &c_schema, rows); /* the least valuable column goes */
	assert_non_null(strstr(text, "not shown: z of the chip\n"));
	assert_non_null(strstr(text, "/attn/dot_general\n"));
	free(text);
	free(write_rows(d, 20, &c_schema, rows));
	space_close(d);
}

static void sentences_and_trees(void **state)
{
	static const struct column lines[] = {
		{ .id = "severity", .label = "", .unit = "", .type = COL_STRING },
		{ .id = "text", .label = "what", .unit = "", .type = COL_STRING, .show = SHOW_PROSE },
	};
	static const struct schema lines_schema = { SCHEMA_COLUMNS(lines) };
	static const struct column tree[] = {
		{ .id = "level", .label = "level", .unit = "", .type = COL_INTEGER, .show = SHOW_LEVEL },
		{ .id = "name", .label = "name", .unit = "", .type = COL_STRING },
	};
	static const struct schema tree_schema = { SCHEMA_COLUMNS(tree) };
	struct cell said[] = {
		word("high"),
		word("one line that is too long"),
		word(""),
		word("- a paragraph of advice"),
	};
	struct cell nodes[] = { cell_int(0), word("root"), cell_int(2), word("leaf") };
	struct dump *d = small_capture();
	char *text = write_rows(d, 20, &lines_schema, said);

	(void)state;
	assert_non_null(strstr(text,
	    "\nhigh  one line that\n      is too long\n"
	    "      - a paragraph\n        of advice\n"));
	free(text);
	text = write_rows(d, 0, &tree_schema, nodes);
	assert_non_null(strstr(text, "\n    0  root\n    2      leaf\n"));
	free(text);
	space_close(d);
}

static void no_rows_at_all(void **state)
{
	struct dump *d = small_capture();

	(void)state;
	for (int format = REPORT_TEXT; format <= REPORT_CSV; format++) {
		char *text = NULL;
		size_t n;
		FILE *f = open_memstream(&text, &n);
		struct report *r = report_begin(f, (enum report_format)format, 80, "test", d);
		struct table t;

		table_begin(&t, &columns_schema);
		report_table_like(r, NULL, &t);
		report_table_end(r);
		assert_int_equal(report_end(r, NULL), 0);
		fclose(f);
		assert_non_null(strstr(text, format == REPORT_TEXT ? "test" : "total_ps"));
		free(text);
	}
	dump_close(d);
}

static void more_rows_than_are_kept(void **state)
{
	struct dump *d = small_capture();
	char *text = NULL;
	size_t n, lines = 0;
	FILE *f = open_memstream(&text, &n);
	struct report *r = report_begin(f, REPORT_TEXT, 80, "test", d);
	const size_t rows = 30000;
	struct table t;

	(void)state;
	table_begin(&t, &columns_schema);
	report_table_like(r, NULL, &t);
	for (size_t i = 0; i < rows; i++) {
		char name[24]; /* the writer keeps no pointer */

		snprintf(name, sizeof name, "op.%zu", i);
		row(r, name, cell_int((int64_t)i), cell_num(0), cell_bool(false));
	}
	report_table_end(r);
	report_end(r, NULL);
	fclose(f);
	for (const char *s = strstr(text, "op."); s; s = strstr(s + 1, "op.")) {
		char want[24];

		snprintf(want, sizeof want, "op.%zu ", lines++);
		assert_memory_equal(s, want, strlen(want));
	}
	assert_int_equal(lines, rows);
	free(text);
	space_close(d);
}

static void a_full_disk_is_an_error(void **state)
{
	struct dump *d = small_capture();
	FILE *f = fopen("/dev/full", "w");
	struct err e = { 0 };
	struct table t;

	(void)state;
	if (!f) {
		space_close(d);
		skip();
	}
	struct report *r = report_begin(f, REPORT_JSON, 0, "test", d);

	table_begin(&t, &columns_schema);
	report_table_like(r, NULL, &t);
	report_table_end(r);
	assert_int_equal(report_end(r, &e), -1);
	assert_int_equal(e.status, EXIT_NOTHING);
	assert_non_null(strstr(e.msg, "cannot write"));
	fclose(f);
	space_close(d);
}

static char *run(struct dump *d, const char *tool, struct report_options *o)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	struct err e = { 0 };

	assert_int_equal(report_dump(d, tool, o, f, &e), EXIT_OK);
	fclose(f);
	return text;
}

static void tools_print_their_rows(void **state)
{
	struct dump *d = small_capture();
	struct report_options o = { .format = REPORT_CSV, .core = -1, .top = -1, .args = true };
	char *text = run(d, "trace", &o);

	(void)state;
	assert_non_null(strstr(text, "/host:CPU,main,b,1000,2000000,0,,{}\r\n")); /* the longer one first */
	assert_non_null(strstr(text,
	    ",main,a,1000,500,1,,\"{\"\"big\"\":\"\"1152921504606846976\"\","
	    "\"\"twice\"\":1,\"\"twice#2\"\":2}\"\r\n"));
	assert_true(strstr(text, ",b,") < strstr(text, ",a,"));
	free(text);
	o.sort = "name:asc";
	o.args = false;
	o.top = 1;
	text = run(d, "trace", &o);
	assert_non_null(strstr(text, ",a,"));
	assert_null(strstr(text, ",b,"));
	free(text);
	o = (struct report_options){ .format = REPORT_CSV, .core = -1, .top = -1 };
	text = run(d, "info", &o);
	assert_non_null(strstr(text, ",/host:CPU,main,1,2,1000,2001000,2\r\n"));
	free(text);
	text = run(d, "steps", &o);
	assert_string_equal(strchr(text, '\n'), "\n");
	free(text);
	space_close(d);
}

static void wrong_options_write_nothing(void **state)
{
	static const struct report_options wrong[] = {
		{ .core = -1, .top = -1, .sort = "nothing" },
		{ .core = -1, .top = -1, .name = "([" },
		{ .core = -1, .top = -1, .from = "soon" },
		{ .core = -1, .top = -1, .by = "name", .args = true },
	};
	struct dump *d = small_capture();

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char *text = NULL;
		size_t n;
		FILE *f = open_memstream(&text, &n);
		struct err e = { 0 };

		assert_int_equal(report_dump(d, "trace", &wrong[i], f, &e), -1);
		assert_int_equal(e.status, EXIT_USAGE);
		assert_true(*e.msg);
		fclose(f);
		assert_int_equal(n, 0);
		free(text);
	}
	space_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_is_the_envelope),
		cmocka_unit_test(csv_is_one_table),
		cmocka_unit_test(csv_is_the_table_wanted),
		cmocka_unit_test(text_is_aligned_and_fits),
		cmocka_unit_test(rates_are_those_of_cards),
		cmocka_unit_test(what_does_not_fit_is_said),
		cmocka_unit_test(sentences_and_trees),
		cmocka_unit_test(no_rows_at_all),
		cmocka_unit_test(more_rows_than_are_kept),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(tools_print_their_rows),
		cmocka_unit_test(wrong_options_write_nothing),
	};

	setlocale(LC_ALL, "C");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
