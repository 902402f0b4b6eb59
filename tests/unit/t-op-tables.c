/* The flat tables of ops: what is not known, what counts where. */
#include "config.h"
#include "analyze/tables/ops.h"
#include "analyze/tables/roofline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define TEXT(s) \
	{ \
		s, sizeof s - 1 \
	}
#define US 1000000LL

static struct dump *d;
static struct op ops[4];
static struct opdb db;

static strid intern(const char *s)
{
	return strtab_add(&d->str, s, strlen(s));
}

static int begin(void **state)
{
	static const struct slice none = { "", 0 };

	(void)state;
	d = dump_new();
	for (int i = 0; i < 4; i++)
		ops[i] = (struct op){ .program = 7,
			.parent = OP_NONE,
			.category = TEXT("loop fusion"),
			.expression = none,
			.provenance = none,
			.dedup = none,
			.source = none,
			.stack = none,
			.shape = none,
			.sum = { .occurrences = 2, .time = 20 * US, .self = 10 * US, .cores = 1 } };
	ops[0].name = intern("%fusion.1 = f32[8] fusion(...)");
	ops[0].expression = (struct slice)TEXT("%fusion.1.remat = f32[8] fusion(...)");
	ops[0].sum.flops = ops[0].sum.model_flops = 4e9;
	ops[0].sum.bytes = 2e6;
	ops[1].name = intern("call.2");
	ops[1].category = (struct slice)TEXT("custom-call");
	ops[2].name = intern("send-done.3");
	ops[2].expression = (struct slice)TEXT("%send-done.3 = send-done(x), is_host_transfer=true");
	ops[3].name = intern("sparse.4");
	ops[3].sparse = true;
	ops[3].parent = 1;
	db = (struct opdb){ .v = ops,
		.n = 4,
		.total = 40 * US,
		.op_time = 30 * US,
		.planes = 1,
		.peaks = { .tflops = 100, .bw = { [PEAK_HBM] = 1000 } } };
	return 0;
}

static int end(void **state)
{
	(void)state;
	dump_close(d);
	return 0;
}

static const struct cell *at(const struct table *t, size_t row, const char *column)
{
	int i = table_column(t, column);

	assert_true(i >= 0 && row < t->nrows);
	return &t->cells[row * t->ncolumns + (size_t)i];
}

static void says(const struct table *t, size_t row, const char *column, const char *want)
{
	const struct cell *c = at(t, row, column);

	assert_int_equal(c->type, CELL_STR);
	assert_int_equal(c->n, strlen(want));
	assert_memory_equal(c->s, want, c->n);
}

static void test_hlo_stats(void **state)
{
	struct table t;

	(void)state;
	tables_hlo_stats(d, &db, 0, &t);
	assert_int_equal(t.nrows, 4);
	says(&t, 0, "hlo_op_name", "fusion.1");
	says(&t, 0, "program_id", "7");
	assert_true(at(&t, 0, "total_self_time")->u.d == 10);
	assert_true(at(&t, 0, "avg_time")->u.d == 10);
	assert_true(at(&t, 0, "total_self_time_percent")->u.d == 25);
	assert_true(at(&t, 2, "cumulative_total_self_time_percent")->u.d == 75);
	assert_true(at(&t, 3, "cumulative_total_self_time_percent")->u.d == 75); /* runs beside them */
	assert_true(at(&t, 0, "normalized_flop_rate")->u.d == 4e9 / 20e3);
	says(&t, 0, "hlo_rematerialization", "Yes");
	says(&t, 1, "hlo_rematerialization", "No");
	says(&t, 2, "outside_compilation", "Yes");
	says(&t, 3, "core_type", "SparseCore");
	says(&t, 3, "parent_op_name", "call.2");
	table_free(&t);
}

/* One op, one value: the tables of ops, the roofline and what is on cards agree, and bytes that no chip moves in
 * such a time make no rate. */
static void test_rates(void **state)
{
	struct roof_part part = { .db = &db, .total = 40 * US, .steps = 1 };
	struct opsum *s[3] = { &ops[0].sum, &ops[1].sum, &ops[2].sum };
	struct table hlo, roof;

	(void)state;
	db.peaks.bw[PEAK_VMEM_RD] = db.peaks.bw[PEAK_VMEM_WR] = 20000;
	for (int i = 0; i < 3; i++) {
		*s[i] = (struct opsum){ .occurrences = 2, .time = 20 * US, .flops = 4e9, .has_mem = true };
		s[i]->mem[SPACE_HBM][ACCESS_READ] = i == 0 ? 1e7
		    : i == 1                               ? 0
							   : 1e12; /* 0.5 GB/s, –, 50 TB/s */
		s[i]->mem[SPACE_VMEM][ACCESS_WRITE] = 1e7;
		s[i]->bytes = s[i]->mem[SPACE_HBM][ACCESS_READ] + 1e7;
	}
	tables_hlo_stats(d, &db, OPS_FOR_PEOPLE, &hlo);
	roof_table_init(&roof, false);
	part.t = &roof;
	for (int i = 0; i < 3; i++)
		roof_row(&part, d, "Total", &ops[i], &ops[i].sum);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(at(&hlo, i, "hbm_bw")->type, CELL_NUM);
		assert_true(at(&hlo, i, "hbm_bw")->u.d == at(&roof, i, "hbm_bw")->u.d);
		assert_int_equal(at(&hlo, i, "hbm_bw")->beyond, i == 2);
		assert_int_equal(at(&roof, i, "hbm_bw")->beyond, i == 2);
		assert_int_equal(at(&hlo, i, "measured_memory_bw")->beyond, i == 2);
		assert_int_equal(at(&roof, i, "roofline_efficiency")->beyond, i == 2);
		assert_int_equal(at(&hlo, i, "hbm_operational_intensity")->type,
		    i == 1 ? CELL_NULL : CELL_NUM);
		assert_int_equal(at(&roof, i, "hbm_operational_intensity")->type,
		    i == 1 ? CELL_NULL : CELL_NUM);
	}
	assert_true(at(&hlo, 1, "hbm_bw")->u.d == 0); /* none, and that is known */
	assert_true(at(&hlo, 0, "hbm_operational_intensity")->u.d == 400);
	assert_true(at(&hlo, 0, "operational_intensity")->u.d == 200);
	table_free(&hlo);
	table_free(&roof);
}

static void test_not_known(void **state)
{
	static const char *const rates[] = { "normalized_flop_rate", "model_flop_rate", "measured_memory_bw",
		"hbm_bw", "cmem_read_bw", "operational_intensity", "bound_by", "dma_stall_percent",
		"vdd_energy" };
	struct table t;

	(void)state;
	tables_hlo_stats(d, &db, OPS_FOR_PEOPLE, &t);
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
		assert_int_equal(at(&t, 1, rates[i])->type, CELL_NULL);
	assert_int_equal(at(&t, 0, "normalized_flop_rate")->type, CELL_NUM);
	assert_int_equal(at(&t, 1, "total_self_time")->type, CELL_NUM); /* times are known always */
	table_free(&t);
	tables_hlo_stats(d, &db, 0, &t);
	assert_int_equal(at(&t, 1, "normalized_flop_rate")->type, CELL_NULL);
	says(&t, 1, "bound_by", "Unknown"); /* XProf's word, in documents */
	table_free(&t);
}

static void test_framework(void **state)
{
	static const struct opsum half = { .occurrences = 1, .time = 20 * US, .self = 20 * US };
	struct framework_row device[] = { { TEXT("jit(f)/add"), TEXT("add"), half, NULL },
		{ TEXT("IDLE"), TEXT("IDLE"), half, NULL } };
	struct framework_row host[] = { { TEXT("dummy"), TEXT("Unknown"), half, NULL } };
	struct framework f = { .device = { .v = device, .n = 2, .total = 40 * US, .op_time = 20 * US },
		.host = { .v = host, .n = 1, .total = 20 * US, .op_time = 20 * US } };
	struct table t;

	(void)state;
	tables_framework(&f, &db.peaks, OPS_FOR_PEOPLE, &t);
	assert_int_equal(t.nrows, 2);
	assert_true(at(&t, 0, "device_total_self_time_percent")->u.d == 1);
	assert_int_equal(at(&t, 0, "host_total_self_time_percent")->type, CELL_NULL);
	says(&t, 1, "host_or_device", "Host");
	assert_int_equal(at(&t, 1, "device_total_self_time_percent")->type, CELL_NULL);
	assert_int_equal(at(&t, 1, "rank")->u.i, 2); /* goes on */
	table_free(&t);
	tables_framework(&f, &db.peaks, OPS_WITH_IDLE, &t);
	assert_int_equal(t.nrows, 3);
	assert_true(at(&t, 0, "device_total_self_time_percent")->u.d == .5);
	says(&t, 1, "operation", "IDLE");
	assert_true(at(&t, 1, "device_cumulative_total_self_time_percent")->u.d == 1);
	assert_int_equal(at(&t, 1, "host_total_self_time_percent")->type, CELL_NULL);
	table_free(&t);
}

static void test_custom_calls(void **state)
{
	(void)state;
	assert_true(tables_custom_calls(&db) > 33.3 && tables_custom_calls(&db) < 33.4);
	db.op_time = 0;
	assert_true(tables_custom_calls(&db) == 0);
}

#define T(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = { T(test_hlo_stats), T(test_rates), T(test_not_known),
		T(test_framework), T(test_custom_calls) };

	return cmocka_run_group_tests_name("op-tables", tests, NULL, NULL);
}
