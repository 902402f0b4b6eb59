#include "config.h"
#include "analyze/ops/opdb.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "analyze/tables/ops.h"

#define US 1000000LL

static void kind(struct mkspace *s, const char *name, const char *category, const char *provenance,
    int symbol)
{
	space_op(s, name, category, 7, symbol);
	if (*provenance)
		space_meta_str(s, name, "tf_op", provenance);
}

/* Two cores; on each: a while of 20 us around a fusion of 10 us, twice, and a copy whose kind has no
 * symbol. */
static struct dump *make(void)
{
	struct mkspace s = { 0 };
	struct pb access = { 0 };

	pb_access(&access, 1, 1, 2000);
	pb_access(&access, 2, 1, 1000);
	pb_access(&access, 1, 3, 500);
	for (int core = 0; core < 2; core++) {
		space_plane(&s, 1 + core, core ? "/device:TPU:1" : "/device:TPU:0");
		space_plane_str(&s, "device_type_string", "TPU v5e");
		kind(&s, "while.1", "while", "jit(f)/while:", 1);
		kind(&s, "fusion.1", "convolution fusion", "jit(f)/while/body/dot_general:", 2);
		kind(&s, "fusion.2", "loop fusion", "jit(f)/while/body/dot_general:", 3);
		space_meta_int(&s, "fusion.1", "flops", 300);
		space_meta_int(&s, "fusion.1", "bytes_accessed", 4000);
		space_meta_bytes(&s, "fusion.1", "memory_access_breakdown", access.b, access.n);
		space_meta_int(&s, "fusion.2", "bytes_accessed", 100);
		space_meta_str(&s, "copy.1", "hlo_category", "copy");
		space_line(&s, 1, "Steps");
		space_event(&s, "marker", 0, 100 * US);
		space_line(&s, 3, "XLA Ops");
		for (int i = 0; i < 2; i++) {
			space_event(&s, "while.1", 30 * i * US, 20 * US);
			space_event(&s, "fusion.1", 30 * i * US, 10 * US);
			space_event(&s, "copy.1", (30 * i + 10) * US, 5 * US);
		}
		space_event(&s, "fusion.2", 60 * US, 4 * US);
		/* 3 us by the device clock */
		space_pair(&s, 60 * US, 3 * US);
	}
	pb_free(&access);
	return space_load(&s, 1);
}

static struct opdb build(const struct dump *d, int core)
{
	struct opdb_options o = { .core = core, .threads = 2 };
	struct opdb db;

	opdb_build(d, &o, &db);
	return db;
}

static const struct op *ops_view_named(const struct dump *d, const struct opdb *db, const char *name)
{
	for (size_t i = 0; i < db->n; i++)
		if (slice_is(dump_text(d, db->v[i].name), name))
			return &db->v[i];
	fail_msg("no op %s", name);
	return NULL;
}

static void self_times_of_all_cores(void **state)
{
	struct dump *d = make();
	struct opdb db = build(d, -1);
	const struct op *o = ops_view_named(d, &db, "fusion.1");

	(void)state;
	assert_int_equal(db.n, 3);
	assert_int_equal(db.planes, 2);
	assert_int_equal(db.total, 200 * US);
	assert_int_equal(db.op_time, 2 * (2 * 15 + 3) * US);
	assert_int_equal(db.dropped, 4);
	assert_false(db.overlap);
	assert_ptr_equal(o, &db.v[0]);
	assert_int_equal(o->program, 7);
	assert_int_equal(o->sum.occurrences, 4);
	assert_int_equal(o->sum.self, 40 * US);
	assert_int_equal(o->sum.cores, 2);
	assert_true(slice_is(o->provenance, "jit(f)/while/body/dot_general:"));
	o = ops_view_named(d, &db, "while.1");
	assert_int_equal(o->sum.time, 80 * US);
	/* the copy that has no row still used its part of it */
	assert_int_equal(o->sum.self, 20 * US);
	o = ops_view_named(d, &db, "fusion.2");
	assert_int_equal(o->sum.time, 6 * US);
	assert_int_equal(o->sum.min_time, 3 * US);
	opdb_free(&db);
	space_close(d);
}

static void numbers_times_occurrences(void **state)
{
	struct dump *d = make();
	struct opdb db = build(d, 1);
	const struct opsum *s = &ops_view_named(d, &db, "fusion.1")->sum;

	(void)state;
	assert_int_equal(db.planes, 1);
	assert_int_equal(s->occurrences, 2);
	assert_true(s->flops == 600 && s->model_flops == 600 && s->bytes == 8000);
	assert_true(s->has_mem && opsum_hbm(s) == 6000);
	assert_true(s->mem[SPACE_VMEM][ACCESS_READ] == 1000);
	s = &ops_view_named(d, &db, "fusion.2")->sum;
	assert_true(!s->has_mem && opsum_hbm(s) == 100);
	assert_int_equal(db.no_mem, 2);
	assert_int_equal(db.no_flops, 2);
	opdb_free(&db);
	space_close(d);
}

static void peaks_of_a_known_chip_are_assumed(void **state)
{
	struct dump *d = make();
	struct op_peaks p;

	(void)state;
	op_peaks_of(d, &p);
	assert_true(p.assumed);
	assert_true(p.tflops == 197 && p.bw[PEAK_HBM] == 819);
	assert_true(p.bw[PEAK_VMEM_RD] == 0);
	space_close(d);
}

static void a_window_of_time(void **state)
{
	struct dump *d = make();
	struct op_window w = { .plane = d->trace.tracks[space_track(d, "XLA Ops", 0)].plane,
		.before = INT64_MIN,
		.from = 0,
		.to = 25 * US };
	struct opdb_options o = { .core = -1, .threads = 1, .windows = &w, .nwindows = 1, .no_texts = true };
	struct opdb db;

	(void)state;
	opdb_build(d, &o, &db);
	assert_int_equal(db.n, 2);
	assert_int_equal(db.total, 25 * US);
	assert_int_equal(ops_view_named(d, &db, "fusion.1")->sum.occurrences, 1);
	opdb_free(&db);
	w.before = w.from = 55 * US;
	w.to = 100 * US;
	opdb_build(d, &o, &db);
	assert_int_equal(db.n, 1);
	assert_int_equal(ops_view_named(d, &db, "fusion.2")->sum.self, 3 * US);
	opdb_free(&db);
	space_close(d);
}

static void names_of_framework_ops(void **state)
{
	static const struct {
		const char *full;
		enum framework_kind kind;
		const char *name, *type;
	} v[] = {
		{ "jit(f)/while/body/dot_general:", FRAMEWORK_JAX, "jit(f)/while/body/dot_general",
		    "dot_general" },
		{ "jit(f)/add_12:", FRAMEWORK_JAX, "jit(f)/add_12", "add" },
		{ "jit(f)/pjit:xla_call[name=f]", FRAMEWORK_JAX, "jit(f)/pjit", "xla_call" },
		{ "model/dense/MatMul:MatMul", FRAMEWORK_TF, "model/dense/MatMul", "MatMul" },
		{ "a b/MatMul_3:", FRAMEWORK_TF, "a b/MatMul_3", "MatMul" },
		{ "Iterator::Batch::Map", FRAMEWORK_DATA, "Iterator::Batch::Map", "Dataset" },
		{ "memcpyHtoD#x", FRAMEWORK_MEMCPY, "memcpyHtoD#x", "MemcpyHToD" },
		{ "main", FRAMEWORK_UNKNOWN, "main", "" },
		{ "$file.py:12 run", FRAMEWORK_UNKNOWN, "$file.py:12 run", "" },
		{ "", FRAMEWORK_UNKNOWN, "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct slice name, type, full = { v[i].full, strlen(v[i].full) };

		assert_int_equal(framework_parse(full, &name, &type), v[i].kind);
		assert_true(slice_is(name, v[i].name));
		assert_true(slice_is(type, v[i].type));
	}
}

static void hlo_ops_become_framework_ops(void **state)
{
	struct dump *d = make();
	struct opdb db = build(d, 0);
	struct framework f;

	(void)state;
	framework_ops(d, &db, &(struct framework_host_options){ .host = NULL }, &f);
	assert_int_equal(f.device.n, 3);
	assert_true(framework_is_idle(&f.device.v[0]));
	assert_int_equal(f.device.v[0].sum.self, (100 - 33) * US);
	assert_true(slice_is(f.device.v[1].name, "jit(f)/while/body/dot_general"));
	assert_int_equal(f.device.v[1].sum.self, 23 * US);
	assert_int_equal(f.device.v[1].sum.occurrences, 2); /* the most of its ops, not their sum */
	assert_int_equal(f.host.n, 0);
	framework_free(&f);
	opdb_free(&db);
	space_close(d);
}

static void ops_of_host_threads(void **state)
{
	struct mkspace s = { 0 };
	struct opdb db;
	struct framework f;

	(void)state;
	space_plane(&s, 1, "/host:CPU");
	space_line(&s, 1, "python");
	space_event(&s, "model/MatMul:MatMul", 10 * US, 20 * US);
	space_event(&s, "not an op", 12 * US, 10 * US);
	space_event(&s, "Iterator::Map", 15 * US, 5 * US);
	space_event(&s, "Iterator::Map", 40 * US, 10 * US);
	struct dump *d = space_load(&s, 1);

	db = build(d, -1);
	framework_ops(d, &db, &(struct framework_host_options){ .host = NULL }, &f);
	assert_int_equal(f.device.n, 0);
	assert_int_equal(f.host.n, 3);
	assert_int_equal(f.host.total, 40 * US);
	assert_int_equal(f.host.op_time, 30 * US);
	assert_true(slice_is(f.host.v[0].name, "Iterator::Map"));
	assert_int_equal(f.host.v[0].sum.self, 15 * US);
	assert_true(slice_is(f.host.v[1].name, "model/MatMul"));
	assert_int_equal(f.host.v[1].sum.self, 15 * US);
	assert_true(framework_is_idle(&f.host.v[2]));
	assert_int_equal(f.host.v[2].sum.self, 10 * US);
	framework_free(&f);
	opdb_free(&db);
	space_close(d);
}

static void kind_of(struct mkspace *s, const char *name, const char *category, int program, int symbol)
{
	space_meta_str(s, name, "hlo_category", category);
	space_meta_int(s, name, "program_id", program);
	space_meta_int(s, name, "symbol_id", symbol);
}

static void run_on(struct mkspace *s, const char *name, int64_t start, int64_t dur, int id)
{
	space_event(s, name, start, dur);
	space_int(s, "offload_core_id", 1);
	space_int(s, "tc_offload_start_id", id);
}

/* The TensorCore starts two runs on a SparseCore; a third one was started before the capture. */
static struct dump *make_sparse(void)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:TPU:0");
	kind_of(&s, "call-start.1", "custom-call", 7, 1);
	kind_of(&s, "call-start.2", "custom-call", 7, 2);
	space_line(&s, 3, "XLA Ops");
	run_on(&s, "call-start.1", 5 * US, US, 5);
	run_on(&s, "call-start.2", 35 * US, 2 * US, 6);
	space_plane(&s, 2, "/device:TPU:0 SparseCore 1");
	kind_of(&s, "gather.1", "gather", 8, 3);
	kind_of(&s, "scatter.1", "scatter", 8, 4);
	space_line(&s, 1, "Sparse Core Modules");
	run_on(&s, "sparse(8)", 10 * US, 10 * US, 5);
	run_on(&s, "sparse(8)", 40 * US, 10 * US, 6);
	run_on(&s, "sparse(8)", 60 * US, 10 * US, 9);
	space_line(&s, 2, "Sparse Core Ops");
	for (int i = 0; i < 3; i++) {
		static const int64_t start[] = { 11 * US, 41 * US, 61 * US };

		space_event(&s, "gather.1", start[i], 5 * US);
		space_event(&s, "scatter.1", start[i] + US, US + i * US);
	}
	return space_load(&s, 1);
}

static void ops_of_sparse_cores_are_below_their_calls(void **state)
{
	struct dump *d = make_sparse();
	struct opdb db = build(d, -1);
	struct table table;
	size_t found = 0;

	(void)state;
	assert_int_equal(db.n, 2 + 4);
	assert_int_equal(db.op_time, 3 * US);
	assert_int_equal(db.total, 32 * US);
	assert_int_equal(db.unlinked, 1);
	for (size_t i = 0; i < db.n; i++) {
		const struct op *o = &db.v[i], *parent;

		if (o->parent == OP_NONE) {
			assert_false(o->sparse);
			continue;
		}
		parent = &db.v[o->parent];
		assert_true(o->sparse && !parent->sparse);
		assert_int_equal(o->sum.occurrences, 1);
		if (!slice_is(dump_text(d, parent->name), "call-start.2"))
			continue;
		assert_int_equal(o->sum.self, slice_is(dump_text(d, o->name), "gather.1") ? 3 * US : 2 * US);
		found++;
	}
	assert_int_equal(found, 2);
	tables_hlo_stats(d, &db, 0, &table);
	for (size_t i = 0; i < db.n; i++) {
		const struct cell *c = table.cells + i * table.ncolumns;
		const struct cell *type = &c[table_column(&table, "core_type")];
		const struct cell *parent = &c[table_column(&table, "parent_op_name")];

		assert_int_equal(!memcmp(type->s, "SparseCore", 10), db.v[i].sparse);
		assert_int_equal(parent->n, db.v[i].sparse ? strlen("call-start.1") : 0);
	}
	table_free(&table);
	opdb_free(&db);
	db = build(d, 1);
	assert_int_equal(db.n, 0);
	opdb_free(&db);
	space_close(d);
}

/* Custom calls whose costs are only in their events. */
static void costs_of_events(void **state)
{
	struct mkspace s = { 0 };
	struct dump *d;
	struct opdb db;

	(void)state;
	space_plane(&s, 1, "/device:TPU:0");
	kind_of(&s, "kernel.1", "custom-call", 7, 1);
	kind_of(&s, "kernel.2", "custom-call", 7, 2);
	space_meta_int(&s, "kernel.2", "flops", 50);
	kind_of(&s, "fusion.1", "loop fusion", 7, 3);
	space_line(&s, 3, "XLA Ops");
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = { "kernel.1", "kernel.1", "kernel.2" };

		space_event(&s, names[i], 10 * i * US, US);
		space_int(&s, "flops", 1000 + i);
		space_int(&s, "bytes_accessed", 8);
	}
	space_event(&s, "fusion.1", 40 * US, US);
	space_int(&s, "flops", 1000);
	d = space_load(&s, 1);
	db = build(d, -1);
	assert_true(ops_view_named(d, &db, "kernel.1")->event_flops == 2001);
	assert_true(ops_view_named(d, &db, "kernel.1")->event_bytes == 16);
	assert_true(ops_view_named(d, &db, "kernel.1")->sum.flops == 0);
	assert_true(ops_view_named(d, &db, "kernel.2")->event_flops == 0);
	assert_true(ops_view_named(d, &db, "kernel.2")->event_bytes == 8);
	assert_true(ops_view_named(d, &db, "fusion.1")->event_flops == 0);
	opdb_free(&db);
	space_close(d);
}

/* Invalid device times, overlapping ops, counts near the end of the range. */
static void damaged_numbers(void **state)
{
	struct mkspace s = { 0 };
	struct table table;
	struct dump *d;
	struct opdb db;
	int column;

	(void)state;
	space_plane(&s, 1, "/device:TPU:0");
	kind_of(&s, "fusion.1", "loop fusion", 7, 1);
	kind_of(&s, "fusion.2", "loop fusion", 7, 2);
	kind_of(&s, "fusion.3", "loop fusion", 7, 3);
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", 0, 2 * US);
	space_pair(&s, 0, -5);
	space_event(&s, "fusion.2", US, 2 * US);
	space_pair(&s, INT64_MAX, INT64_MAX);
	space_event(&s, "fusion.3", 0, 5);
	pb_u(&s.event, 5, (uint64_t)INT64_MAX);
	d = space_load(&s, 1);
	db = build(d, -1);
	assert_int_equal(db.absurd, 2);
	assert_true(db.overlap);
	assert_int_equal(db.total, 3 * US);
	assert_int_equal(ops_view_named(d, &db, "fusion.1")->sum.self, 2 * US);
	assert_int_equal(ops_view_named(d, &db, "fusion.2")->sum.self, 2 * US);
	assert_true(ops_view_named(d, &db, "fusion.3")->sum.occurrences == INT64_MAX);
	tables_hlo_stats(d, &db, 0, &table);
	column = table_column(&table, "occurrences");
	assert_int_equal(table.nrows, 3);
	assert_int_equal(table.cells[column].type, CELL_INT);
	assert_int_equal(table.cells[2 * table.ncolumns + (size_t)column].type, CELL_STR);
	table_free(&table);
	opdb_free(&db);
	space_close(d);
}

/* A stat that is there twice: the first counts, whether or not all stats are decoded. */
static void first_of_two_pairs(void **state)
{
	(void)state;
	for (int all = 0; all < 2; all++) {
		struct mkspace s = { 0 };
		struct opdb db;
		struct dump *d;

		space_plane(&s, 1, "/device:TPU:0");
		kind_of(&s, "fusion.1", "loop fusion", 7, 1);
		space_line(&s, 3, "XLA Ops");
		space_event(&s, "fusion.1", 0, 5 * US);
		space_pair(&s, 0, 4 * US);
		space_pair(&s, US, 2 * US);
		space_int(&s, "dma_stall_duration_ps", US);
		if (all)
			space_int(&s, "Time Scale Multiplier", 3);
		d = space_load(&s, 1);
		db = build(d, -1);
		assert_int_equal(db.n, 1);
		assert_int_equal(db.v[0].sum.self, 4 * US);
		assert_int_equal(db.v[0].sum.dma, US);
		assert_int_equal(db.v[0].sum.normalized, (all ? 12 : 4) * US);
		assert_int_equal(db.total, 4 * US);
		opdb_free(&db);
		space_close(d);
	}
}

static void ops_of_one_module(void **state)
{
	static const char *const names[] = { "jit_f", "jit_f(7)", "7" };
	struct mkspace s = { 0 };
	struct dump *d;
	uint64_t *ids;
	size_t n;

	(void)state;
	space_plane(&s, 1, "/device:TPU:0");
	kind_of(&s, "fusion.1", "loop fusion", 7, 1);
	kind_of(&s, "fusion.2", "loop fusion", 8, 1);
	space_line(&s, 1, "XLA Modules");
	space_event(&s, "jit_f(7)", 0, 10 * US);
	space_event(&s, "jit_g(8)", 10 * US, 10 * US);
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", 0, 3 * US);
	space_event(&s, "fusion.2", 10 * US, 4 * US);
	d = space_load(&s, 1);
	for (size_t i = 0; i < 3; i++) {
		struct opdb_options o = { .core = -1, .threads = 1 };
		struct opdb db;

		ids = op_programs(d, names[i], &n);
		assert_int_equal(n, 1);
		assert_int_equal(ids[0], 7);
		o.programs = ids;
		o.nprograms = n;
		opdb_build(d, &o, &db);
		assert_int_equal(db.n, 1);
		assert_int_equal(db.op_time, 3 * US);
		assert_int_equal(db.other, 4 * US);
		assert_int_equal(db.total, 14 * US);
		opdb_free(&db);
		free(ids);
	}
	assert_null(op_programs(d, "jit", &n));
	assert_int_equal(n, 0);
	space_close(d);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(self_times_of_all_cores),
		cmocka_unit_test(numbers_times_occurrences),
		cmocka_unit_test(peaks_of_a_known_chip_are_assumed),
		cmocka_unit_test(a_window_of_time),
		cmocka_unit_test(ops_of_sparse_cores_are_below_their_calls),
		cmocka_unit_test(costs_of_events),
		cmocka_unit_test(damaged_numbers),
		cmocka_unit_test(first_of_two_pairs),
		cmocka_unit_test(ops_of_one_module),
		cmocka_unit_test(names_of_framework_ops),
		cmocka_unit_test(hlo_ops_become_framework_ops),
		cmocka_unit_test(ops_of_host_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
