/* Charts beside the tables of ops: their bars add up to what the rows shown take, and follow the filter. */
#include "config.h"

#include "view/ops/charts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "analyze/device/classify.h"
#include "analyze/tables/ops.h"
#include "view/ops/tables.h"

#define US 1000000LL

static struct dump *d;
static struct opdb db;
static struct table rows;
static struct op_table t;

/* 1 TFLOP/s: dot.1 has 90 % of it, fusion.1 10 %, the others have no FLOPs. */
static int setup(void **state)
{
	static const struct {
		const char *name, *category;
		int program, us;
		int64_t flops;
	} op[] = {
		{ "dot.1", "convolution", 7, 40, 36000000 },
		{ "fusion.1", "loop fusion", 7, 20, 2000000 },
		{ "fusion.2", "loop fusion", 8, 10, 0 },
		{ "all-reduce.1", "all-reduce", 8, 30, 0 },
	};
	struct mkspace s = { 0 };
	int64_t at = 0;

	(void)state;
	space_plane(&s, 1, "/device:TPU:0");
	space_plane_double(&s, "peak_teraflops_per_second", 1);
	space_plane_double(&s, "peak_hbm_bw_gigabytes_per_second", 100);
	for (int i = 0; i < 4; i++) {
		space_op(&s, op[i].name, op[i].category, op[i].program, i + 1);
		if (op[i].flops)
			space_meta_int(&s, op[i].name, "flops", op[i].flops);
	}
	space_line(&s, 3, "XLA Ops");
	for (int i = 0; i < 4; i++) {
		space_event(&s, op[i].name, at, op[i].us * US);
		at += op[i].us * US;
	}
	space_plane(&s, 2, "/host:metadata");
	space_kind(&s, "jit_f(7)");
	space_kind(&s, "jit_g(8)");
	d = space_load(&s, 1);
	classify(d);
	opdb_build(d, &(struct opdb_options){ .core = -1, .threads = 1 }, &db);
	tables_hlo_stats(d, &db, 0, &rows);
	ops_view_table_init(&t, &op_form_hlo, "total_self_time", false);
	t.db = &db;
	sheet_set_rows(&t.sheet, &(struct sheet_rows){ .table = &rows, .of = db.v, .size = sizeof *db.v });
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	ops_charts_free(&t.charts);
	sheet_free(&t.sheet);
	table_free(&rows);
	opdb_free(&db);
	space_close(d);
	return 0;
}

/* "convolution 40, loop fusion 30": the bars with time */
static const char *bars(size_t chart)
{
	static char out[512];
	const struct ops_chart *c = &t.charts.v[chart];
	size_t n = 0;

	ops_charts_make(&t.charts, &t, d);
	*out = 0;
	for (size_t i = 0; c->what && i < c->n; i++)
		if (c->bar[i].us > 0)
			n += (size_t)snprintf(out + n, sizeof out - n, "%s%.*s %g", n ? ", " : "",
			    (int)c->bar[i].label.n, c->bar[i].label.s, round(c->bar[i].us));
	return out;
}

static void bars_are_sums_of_the_rows(void **state)
{
	(void)state;
	assert_string_equal(bars(0), "convolution 40, all-reduce 30, loop fusion 30");
	assert_string_equal(bars(1), "80 % and more 40, below 20 % 20, no FLOPs 40");
	assert_string_equal(bars(2), "jit_f(7) 60, jit_g(8) 40");
	for (size_t i = 0; i < OPS_CHARTS; i++)
		assert_float_equal(t.charts.v[i].us, 100, 1e-6);
}

static void a_bar_has_the_kinds_of_its_rows(void **state)
{
	(void)state;
	bars(2);
	assert_float_equal(t.charts.v[2].bar[0].kind[KIND_MATMUL], 40, 1e-6);
	assert_float_equal(t.charts.v[2].bar[1].kind[KIND_COLLECTIVE], 30, 1e-6);
}

static void they_follow_the_filter(void **state)
{
	(void)state;
	bars(0);
	assert_int_equal(sheet_filter(&t.sheet, "fusion", NULL), 2);
	assert_string_equal(bars(0), "loop fusion 30");
	assert_float_equal(t.charts.v[0].us, 30, 1e-6);
	assert_int_equal(sheet_filter(&t.sheet, "dot", NULL), 1);
	assert_string_equal(bars(2), ""); /* of one program there is nothing to compare */
	sheet_filter(&t.sheet, "nothing", NULL);
	assert_string_equal(bars(0), "");
}

static void what_there_is_no_room_for_is_summed(void **state)
{
	struct canvas c;
	char *text;
	size_t n;

	(void)state;
	ops_charts_make(&t.charts, &t, d);
	canvas_init(&c, 4, 60, &glyphs_ascii, true);
	ops_charts_draw(&t.charts, &t, &c, (struct rect){ 0, 0, 3, 60 }, false); /* too low for any */
	text = canvas_dump(&c, 0, &n);
	assert_null(strstr(text, "TIME"));
	free(text);
	ops_charts_draw(&t.charts, &t, &c, (struct rect){ 0, 0, 4, 60 }, false);
	text = canvas_dump(&c, 0, &n);
	assert_non_null(strstr(text, "> convolution"));
	free(text);
	canvas_clear(&c);
	ops_charts_draw(&t.charts, &t, &c, (struct rect){ 0, 0, 3, 60 }, true);
	text = canvas_dump(&c, 0, &n);
	assert_null(strstr(text, "more"));
	free(text);
	canvas_free(&c);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(bars_are_sums_of_the_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(a_bar_has_the_kinds_of_its_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(they_follow_the_filter, setup, teardown),
		cmocka_unit_test_setup_teardown(what_there_is_no_room_for_is_summed, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
