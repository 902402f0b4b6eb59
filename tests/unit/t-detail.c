#include "config.h"
#include "analyze/events/detail.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "analyze/device/peaks.h"
#include "analyze/ops/roofline.h"
#include "base/mem.h"

#define US 1000000LL

/* fusion.1: 2 GFLOP, 3 MB of HBM and 1 MB of VMEM in 10 us; copy.1 without a breakdown. */
static struct dump *make(bool peaks, const char *device)
{
	struct mkspace s = { 0 };
	struct pb access = { 0 };

	pb_access(&access, 1, 1, 2000000);
	pb_access(&access, 2, 1, 1000000);
	pb_access(&access, 1, 3, 1000000);
	for (int core = 0; core < 2; core++) {
		space_plane(&s, 1 + core, core ? "/device:TPU:1" : "/device:TPU:0");
		space_plane_str(&s, "device_type_string", device);
		if (peaks) {
			space_plane_double(&s, "peak_teraflops_per_second", 400);
			space_plane_double(&s, "peak_hbm_bw_gigabytes_per_second", 1000);
		}
		space_meta_str(&s, "fusion.1", "hlo_category", "convolution fusion");
		space_meta_str(&s, "fusion.1", "tf_op", "jit(f)/dot_general:");
		space_meta_str(&s, "fusion.1", "source", "model.py:42");
		space_meta_int(&s, "fusion.1", "flops", 2000000000);
		space_meta_int(&s, "fusion.1", "bytes_accessed", 4000000);
		space_meta_int(&s, "fusion.1", "program_id", 7);
		space_meta_bytes(&s, "fusion.1", "memory_access_breakdown", access.b, access.n);
		space_meta_int(&s, "copy.1", "bytes_accessed", 5000000);
		space_meta_int(&s, "copy.1", "model_flops", 10);
		space_line(&s, 1, "Steps");
		space_event(&s, "marker", 0, 100 * US);
		space_line(&s, 3, "XLA Ops");
		for (int i = 0; i < 3; i++) {
			space_event(&s, "while", 30 * i * US, 20 * US);
			space_event(&s, "fusion.1", 30 * i * US, (10 + core) * US);
			space_int(&s, "run", 1000 + i);
			space_event(&s, "copy.1", (30 * i + 15) * US, 5 * US);
		}
	}
	pb_free(&access);
	return space_load(&s, 1);
}

static const char *stat_of(const struct detail *x, const char *name)
{
	for (size_t i = 0; i < x->nstats; i++)
		if (!strcmp(x->stats[i].name, name))
			return x->stats[i].value;
	return NULL;
}

static void everything_about_an_op(void **state)
{
	struct dump *d = make(true, "TPU v9");
	uint32_t ops = space_track(d, "XLA Ops", 0);
	struct steps steps;
	struct detail x;

	(void)state;
	steps_find(d, &steps);
	detail_of(d, &steps, ops, 4, &x);
	assert_string_equal(x.name, "fusion.1");
	assert_string_equal(x.category, "convolution fusion");
	assert_string_equal(x.op_path, "jit(f)/dot_general:");
	assert_string_equal(x.source, "model.py:42");
	assert_null(x.source_stack);
	assert_string_equal(x.plane_name, "/device:TPU:0");
	assert_int_equal(x.start, 30 * US);
	assert_int_equal(x.self, 10 * US);
	assert_int_equal(x.nth, 2);
	assert_int_equal(x.occurrences, 3);
	assert_string_equal(x.after, "copy.1");
	assert_string_equal(x.before, "copy.1");
	assert_float_equal(x.flop_rate, 2e14, 1);
	assert_float_equal(x.hbm_bytes, 3e6, 0);
	assert_float_equal(x.vmem_bytes, 1e6, 0);
	assert_false(x.hbm_estimated);
	assert_float_equal(x.hbm_rate, 3e11, 1);
	assert_float_equal(x.intensity, 2e9 / 3e6, 1e-9);
	assert_float_equal(x.peak_flops, 4e14, 1);
	assert_float_equal(x.ridge, 400, 1e-9);
	assert_false(x.peak_assumed);
	assert_ptr_equal(x.step, &steps.v[0]);
	assert_string_equal(stat_of(&x, "run"), "1001");
	assert_non_null(strstr(stat_of(&x, "memory_access_breakdown"), "HBM write"));
	assert_int_equal(x.all_count, 0);
	detail_all(d, &x);
	assert_int_equal(x.all_count, 6);
	assert_int_equal(x.all_min, 10 * US);
	assert_int_equal(x.all_max, 11 * US);
	assert_int_equal(x.all_mean, 10500000);
	detail_free(&x);
	steps_free(&steps);
	space_close(d);
}

static void bytes_without_a_breakdown_are_an_estimate(void **state)
{
	struct dump *d = make(true, "TPU v9");
	struct detail x;

	(void)state;
	detail_of(d, NULL, space_track(d, "XLA Ops", 0), 2, &x);
	assert_string_equal(x.name, "copy.1");
	assert_null(x.category);
	assert_null(x.step);
	assert_true(x.hbm_estimated);
	assert_float_equal(x.hbm_bytes, 5e6, 0);
	assert_float_equal(x.flops, 10, 0); /* model_flops if there is no flops */
	assert_true(x.flops_of_model);
	detail_free(&x);
	detail_of(d, NULL, space_track(d, "XLA Ops", 0), 0, &x);
	assert_string_equal(x.name, "while");
	assert_int_equal(x.self, 5 * US);
	assert_true(isnan(x.flop_rate));
	assert_string_equal(x.after, "while");
	assert_null(x.before);
	detail_free(&x);
	space_close(d);
}

static void peaks_that_are_not_stated_are_assumed_per_plane(void **state)
{
	static const struct {
		const char *device;
		double flops, hbm;
	} known[] = {
		{ "TPU v5 Lite", 197e12, 819e9 },
		{ "tpu v6 lite", 918e12, 1638e9 },
		{ "TPU v3", 61.5e12, 450e9 },
		{ "TPU7x", 1153.5e12, 3686e9 },
	};
	struct peaks p;

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct dump *d = make(false, known[i].device);

		assert_true(peaks_of_plane(d, d->trace.tracks[space_track(d, "XLA Ops", 0)].plane, &p));
		assert_true(p.assumed);
		assert_float_equal(p.flops, known[i].flops, 1e3);
		assert_float_equal(p.hbm, known[i].hbm, 1);
		assert_string_equal(p.device, known[i].device);
		space_close(d);
	}
	struct dump *d = make(false, "Abacus");

	assert_false(peaks_of_plane(d, d->trace.tracks[space_track(d, "XLA Ops", 0)].plane, &p));
	space_close(d);
}

/* An op that only uses VMEM has 0 bytes of HBM, not all of its bytes. */
static void no_hbm_is_an_answer(void **state)
{
	struct pb access = { 0 };
	struct mkspace s = { 0 };
	struct dump *d;
	struct detail x;

	(void)state;
	pb_access(&access, 1, 3, 1000000);
	space_plane(&s, 1, "/device:TPU:0");
	space_meta_int(&s, "fusion.1", "bytes_accessed", 1000000);
	space_meta_bytes(&s, "fusion.1", "memory_access_breakdown", access.b, access.n);
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", 0, 10 * US);
	d = space_load(&s, 1);
	detail_of(d, NULL, space_track(d, "XLA Ops", 0), 0, &x);
	assert_float_equal(x.hbm_bytes, 0, 0);
	assert_float_equal(x.hbm_rate, 0, 0);
	assert_float_equal(x.vmem_bytes, 1e6, 0);
	assert_false(x.hbm_estimated);
	assert_true(isnan(x.intensity));
	detail_free(&x);
	space_close(d);
	pb_free(&access);
}

/* The card of an event, the op profile and HLO stats take the same bytes of an op for the same memory. */
static void bytes_of_an_op_are_the_same_everywhere(void **state)
{
	static const uint64_t bytes[][3] = { /* by space; none: no breakdown */
		{ 1000000, 0, 0 }, { 0, 0, 16777216 }, { 500000, 0, 700000 }, { 0, 300000, 700000 },
		{ 0, 0, 0 }
	};
	const size_t n = sizeof bytes / sizeof *bytes;
	struct opdb_options all = { .core = -1, .threads = 1 };
	char names[sizeof bytes / sizeof *bytes][24]; /* mkspace keeps the pointers */
	struct mkspace s = { 0 };
	struct dump *d;
	struct opdb db;

	(void)state;
	space_plane(&s, 1, "/device:TPU:0");
	space_plane_double(&s, "peak_hbm_bw_gigabytes_per_second", 1000);
	space_line(&s, 3, "XLA Ops");
	for (size_t i = 0; i < n; i++) {
		char *name = names[i];
		struct pb access = { 0 };
		uint64_t sum = 0;

		snprintf(name, sizeof names[i], "op.%zu", i);
		for (unsigned space = 1; space <= 3; space++) {
			if (bytes[i][space - 1])
				pb_access(&access, 1 + space % 2, space, bytes[i][space - 1]);
			sum += bytes[i][space - 1];
		}
		space_meta_int(&s, name, "program_id", 7);
		space_meta_int(&s, name, "symbol_id", (int64_t)i + 1);
		space_meta_int(&s, name, "bytes_accessed", (int64_t)(sum ? sum : 4000000));
		if (access.n)
			space_meta_bytes(&s, name, "memory_access_breakdown", access.b, access.n);
		space_event(&s, name, (int64_t)i * 30 * US, 20 * US);
		pb_free(&access);
	}
	d = space_load(&s, 1);
	opdb_build(d, &all, &db);
	assert_int_equal(db.n, n);
	for (size_t i = 0; i < n; i++) {
		const struct op *o = &db.v[i]; /* of equal time: by name */
		struct detail x;
		struct roof roof;

		detail_of(d, NULL, space_track(d, "XLA Ops", 0), i, &x);
		roof_of(&o->sum, &db.peaks, &roof);
		assert_true(opsum_hbm(&o->sum) == x.hbm_bytes);
		assert_float_equal(roof.bw[ROOF_HBM] * GIB_PER_GB * 1e9, x.hbm_rate, x.hbm_rate * 1e-12);
		assert_int_equal(o->sum.has_mem, !x.hbm_estimated);
		if (o->sum.has_mem)
			assert_true(
			    o->sum.mem[SPACE_VMEM][ACCESS_READ] + o->sum.mem[SPACE_VMEM][ACCESS_WRITE] ==
			    x.vmem_bytes);
		assert_true(x.hbm_bytes == (i == n - 1 ? 4000000 : (double)bytes[i][0]));
		detail_free(&x);
	}
	opdb_free(&db);
	space_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_about_an_op),
		cmocka_unit_test(bytes_without_a_breakdown_are_an_estimate),
		cmocka_unit_test(no_hbm_is_an_answer),
		cmocka_unit_test(bytes_of_an_op_are_the_same_everywhere),
		cmocka_unit_test(peaks_that_are_not_stated_are_assumed_per_plane),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
