/* The overview on the screen: signs that tell the parts of a step apart without colors, numbers that are
 * whole or not there; steps by what they are called. */
#include "config.h"

#include "view/overview/overview.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../lib/mkcanvas.h"
#include "../lib/mkpod.h"
#include "app/internal.h"
#include "model/toolfile.h"

/* Each of its layers has its own sign, in ASCII, too. */
static void expect_signs(const struct overview *o, size_t n)
{
	static const struct glyphs *const sets[] = { &glyphs_blocks, &glyphs_ascii };
	static struct dump dump;
	struct capture cap = { .scope = { .host = -1, .op_core = -1 }, .dump = &dump };
	struct app app = { .cap = &cap };
	struct overview_view v = { 0 };
	struct account a;

	overview_account(o, -1, &a);
	overview_view_model(&v, &app, o, &a);
	assert_int_equal(a.nkinds, n);
	for (size_t g = 0; g < 2; g++) {
		fresh_as(1, (int)n, sets[g], true);
		for (size_t i = 0; i < n; i++) {
			canvas_put(&c, 0, (int)i, v.layer[i].sign, v.layer[i].role, 0);
			assert_int_not_equal(c.cells[i].ch, '?');
			for (size_t k = 0; k < i; k++)
				assert_int_not_equal(c.cells[i].ch, c.cells[k].ch);
		}
	}
	overview_view_model_free(&v);
	account_free(&a);
}

static void test_signs_of_cores(void **state)
{
	struct step_core one = { .total = KIND_OPS + 1 };
	struct step_core_info info = { .host = -1 };
	struct overview o = { .tpu = true };

	(void)state;
	for (int k = 0; k < KIND_OPS; k++)
		one.kind[k] = 1;
	one.ps[METRIC_IDLE] = 1;
	o.cores = (struct step_cores){ .v = &one, .core = &info, .ncores = 1, .nsteps = 1 };
	o.cores.step = xcalloc(1, sizeof *o.cores.step);
	o.cores.step->everywhere = true;
	expect_signs(&o, KIND_OPS + 1);
	free(o.cores.step);
}

static void test_signs_of_tables(void **state)
{
	struct overview o = { .tpu = false };
	struct cell *row;

	(void)state;
	table_begin(&o.steps, &overview_generic_schema);
	row = table_row(&o.steps);
	for (size_t i = GENERIC_deviceComputeTimeMs; i <= GENERIC_stepTimeMs; i++)
		row[i] = cell_num(1);
	expect_signs(&o, 8);
	table_free(&o.steps);
}

/* Steps as on the timeline's ruler; the table keeps XProf's numbers. */
static void test_names_of_steps(void **state)
{
	static const struct column columns[] = {
		{ .id = "stepnum", .label = "", .unit = "", .type = COL_STRING }
	};
	static const struct schema columns_schema = { SCHEMA_COLUMNS(columns) };
	static struct dump dump;
	struct capture cap = { .scope = { .host = -1, .op_core = -1 }, .dump = &dump };
	struct app app = { .cap = &cap };
	struct step step[2] = { { .number = "0", .label = "7", .taken = true },
		{ .number = "1", .label = "0" } };
	struct step_core cell[2] = { { .total = 1 }, { .total = 1 } };
	struct step_core_info core = { .host = -1 };
	struct overview_step row[2] = { { .step = 0 }, { .step = 1 } };
	struct overview o = { .tpu = true, .step = row, .nsteps = 2 };
	struct overview_view v = { .wanted = "0" };
	struct account a;

	(void)state;
	o.cores = (struct step_cores){ .v = cell, .core = &core, .ncores = 1, .nsteps = 2 };
	o.cores.step = xcalloc(2, sizeof *o.cores.step);
	table_begin(&o.steps, &columns_schema);
	for (int i = 0; i < 2; i++) {
		o.cores.step[i].of = &step[i];
		o.cores.step[i].everywhere = true;
		memcpy(o.cores.step[i].number, step[i].number, sizeof step[i].number);
		*table_row(&o.steps) = cell_strz(step[i].number);
	}
	overview_account(&o, -1, &a);
	overview_view_model(&v, &app, &o, &a);
	assert_string_equal(a.step_of[0].number, "7");
	assert_string_equal(a.step_of[1].number, "0");
	assert_int_equal(v.here, 1);
	for (int several = 0; several < 2; several++) { /* runs of several programs have no mean, but a sum */
		overview_view_model_free(&v);
		a.several = several;
		a.core[0].busy = 1.5;
		overview_view_model(&v, &app, &o, &a);
		assert_true(v.core[0].busy == (several ? 3 : 1.5));
	}
	/* a name that is not the number of another step */
	assert_int_equal(overview_step_named(&o, &o.steps, "0"), 1);
	assert_int_equal(overview_step_named(&o, &o.steps, "1"), 1);
	assert_int_equal(overview_step_named(&o, &o.steps, "8"), SIZE_MAX);
	assert_string_equal(o.steps.cells[0].s, "0");
	overview_label_steps(&o, &o.steps);
	assert_string_equal(o.steps.cells[0].s, "7");
	overview_view_model_free(&v);
	account_free(&a);
	table_free(&o.steps);
	free(o.cores.step);
}

/* Steps of a host: XProf may give them all the same name. */
static void test_names_of_host_steps(void **state)
{
	static const struct column columns[] = {
		{ .id = "stepnum", .label = "", .unit = "", .type = COL_STRING },
		{ .id = "step_name", .label = "", .unit = "", .type = COL_STRING },
	};
	static const struct schema columns_schema = { SCHEMA_COLUMNS(columns) };
	struct overview o = { .tpu = false };
	struct toolfile file = { .file = 0 };
	char number[64];

	(void)state;
	table_begin(&o.steps, &columns_schema);
	for (int i = 0; i < 2; i++) {
		struct cell *row = table_row(&o.steps);

		row[0] = cell_strz("train 0");
		row[1] = cell_strz(i ? "train 4" : "train 3");
	}
	assert_string_equal(overview_step_label(&o, &o.steps, 1, number), "train 4");
	assert_int_equal(overview_step_named(&o, &o.steps, "train 4"), 1);
	assert_int_equal(overview_step_named(&o, &o.steps, "train 0"), SIZE_MAX);
	o.file = &file; /* says what it says */
	assert_string_equal(overview_step_label(&o, &o.steps, 1, number), "train 0");
	table_free(&o.steps);
}

static void test_spread(void **state)
{
	static const struct {
		double least, most, sd;
		int w;
		const char *text;
	} spreads[] = {
		{ 4.15, 4.78, .204, 40, "4.15–4.78 sd .20" },
		{ 31.9, 32.2, .182, 16, "31.9–32.2 sd .18" },
		/* numbers are never cut: one of the two is shown, or none */
		{ 31.9, 32.2, .182, 15, "31.9–32.2" },
		{ 31.9, 32.2, .182, 8, "sd .18" },
		{ 31.9, 32.2, .182, 6, "sd .18" },
		{ 31.9, 32.2, .182, 5, "" },
		{ 31.9, 32.2, .182, -3, "" },
		/* two digits, rounded */
		{ 4, 4.1, .0153, 40, "4.00–4.10 sd .015" },
		{ 4, 4.1, .0996, 40, "4.00–4.10 sd .10" },
		{ 4, 9, 1.96, 40, "4.00–9.00 sd 2.0" },
		{ 4, 90, 12.7, 40, "4.00–90.0 sd 13" },
		{ 4, 4, 0, 40, "4.00–4.00 sd 0" },
		{ 4, 4, NAN, 40, "4.00–4.00 sd –" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++) {
		struct overview o = { .number = { [OVERVIEW_STEP_MIN] = spreads[i].least,
					  [OVERVIEW_STEP_MAX] = spreads[i].most,
					  [OVERVIEW_STEP_SD] = spreads[i].sd } };
		char text[80];

		overview_view_spread(text, sizeof text, &o, spreads[i].w);
		assert_string_equal(text, spreads[i].text);
	}
}

/* Without an infeed op a wait is hidden in the idle time, on each host as on the gauge. */
static void test_wait_of_hosts(void **state)
{
	struct capture cap = { .scope = { .host = -1, .op_core = -1 } };
	struct app app = { .cap = &cap };
	struct overview_options options = { .core = -1, .threads = 1 };
	struct opdb_options ops_options = { .core = -1, .threads = 1 };
	struct dump *d = pod_load(2);
	struct overview_view v = { 0 };
	struct overview o;
	struct account a;
	struct steps steps;
	struct opdb ops;

	(void)state;
	steps_find(d, &steps);
	opdb_build(d, &ops_options, &ops);
	overview_build(d, &steps, &ops, &options, &o);
	app.cap->dump = d;
	overview_account(&o, -1, &a);
	overview_view_model(&v, &app, &o, &a);
	assert_true(v.hosts);
	assert_int_equal(v.ncores, 2);
	assert_true(isnan(v.gauge[1].value));
	for (size_t i = 0; i < v.ncores; i++) {
		assert_true(isnan(v.core[i].wait));
		assert_true(v.core[i].busy > 0);
	}
	overview_view_model_free(&v);
	account_free(&a);
	overview_free(&o);
	opdb_free(&ops);
	steps_free(&steps);
	space_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_signs_of_cores),
		cmocka_unit_test(test_signs_of_tables), cmocka_unit_test(test_names_of_steps),
		cmocka_unit_test(test_names_of_host_steps), cmocka_unit_test(test_wait_of_hosts),
		cmocka_unit_test(test_spread) };

	return cmocka_run_group_tests_name("overview_view", tests, NULL, canvas_end);
}
