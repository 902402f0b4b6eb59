#include "config.h"
#include "analyze/ops/roofline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "analyze/device/peaks.h"

#define US 1000000LL

static const struct op_peaks peaks = { .tflops = 100, .bw = { [PEAK_HBM] = 1000, [PEAK_VMEM_RD] = 5000 } };

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static void what_bounds_an_op(void **state)
{
	struct opsum s = { .occurrences = 1,
		.time = 10 * US,
		.flops = 5e8,
		.model_flops = 4e8,
		.bytes = 2e6 };
	struct roof r;
	struct roof_use u;

	(void)state;
	roof_of(&s, &peaks, &r);
	roof_use(&r, &peaks, &u);
	assert_true(near(r.flop_rate, 5e4) && near(r.model_rate, 4e4));
	assert_string_equal(r.bound_by, "Compute");
	assert_true(near(r.bottleneck, 250) && near(r.bw[ROOF_HBM], 200 / GIB_PER_GB));
	assert_true(near(u.compute, 0.5) && near(u.memory, 0.2) && near(u.optimal_rate, 1e5));
	s.has_mem = true;
	s.mem[SPACE_HBM][ACCESS_READ] = 8e6;
	s.mem[SPACE_VMEM][ACCESS_READ] = 45e6;
	roof_of(&s, &peaks, &r);
	assert_string_equal(r.bound_by, "VMEM Read");
	assert_true(near(r.bottleneck, 5e8 / 45e6));
	roof_use(&r, &peaks, &u);
	assert_true(near(u.efficiency, 0.8)); /* VMEM only counts where it is merged */
}

/* Peaks given by the user override those of the planes. */
static void stated_peaks(void **state)
{
	static const char *const wrong[] = { "", "file", "459", "459,", ",2765", "459,2765x", "0,1", "1,-1",
		"nan,1", "1e30,1", "1,inf" };
	struct mkspace s = { 0 };
	struct op_peaks p;
	struct dump *d;
	double flops, hbm;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(peaks_parse(wrong[i], &flops, &hbm), -1);
	assert_int_equal(peaks_parse("459.5,2765", &flops, &hbm), 0);
	assert_true(near(flops, 459.5e12) && near(hbm, 2765e9));
	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", 1000, 500);
	d = space_load(&s, 1);
	op_peaks_of(d, &p);
	assert_true(!p.stated && p.tflops == 0 && p.bw[PEAK_HBM] == 0);
	d->peak_flops = flops;
	d->peak_hbm = hbm;
	op_peaks_of(d, &p);
	assert_true(p.stated && !p.assumed && near(p.tflops, 459.5) && near(p.bw[PEAK_HBM], 2765));
	space_close(d);
}

static void without_peaks_nothing_bounds(void **state)
{
	struct opsum s = { .occurrences = 1, .time = 10 * US, .flops = 5e8, .bytes = 2e6 };
	struct op_peaks none = { 0 };
	struct roof_use u;
	struct roof r;

	(void)state;
	roof_of(&s, &none, &r);
	roof_use(&r, &none, &u);
	assert_string_equal(r.bound_by, "Unknown");
	assert_true(near(r.flop_rate, 5e4) && u.efficiency == 0 && u.optimal_rate == 0);
	s.time = 0;
	roof_of(&s, &peaks, &r);
	assert_true(r.flop_rate == 0 && r.all_bw == 0);
}

static void kind(struct mkspace *s, const char *name, const char *category, int symbol, int64_t flops)
{
	space_op(s, name, category, 7, symbol);
	space_meta_int(s, name, "flops", flops);
}

/* Two cores, two steps: 50 and 40 us on core 0, always 40 on core 1; the second core has a third step that
 * the first lacks. */
static struct dump *make(void)
{
	struct mkspace s = { 0 };

	for (int core = 0; core < 2; core++) {
		space_plane(&s, 1 + core, core ? "/device:TPU:1" : "/device:TPU:0");
		kind(&s, "while.1", "while", 1, 1000);
		kind(&s, "fusion.1", "loop fusion", 2, 10);
		kind(&s, "infeed.1", "infeed", 3, 0);
		space_line(&s, 1, "Steps");
		for (int i = 0; i < 2 + core; i++)
			space_event(&s, "marker", 100 * i * US, (core || i ? 40 : 50) * US);
		space_line(&s, 3, "XLA Ops");
		for (int i = 0; i < 2 + core; i++) {
			space_event(&s, "while.1", 100 * i * US, 20 * US);
			space_event(&s, "fusion.1", (100 * i + 5) * US, 10 * US);
			space_event(&s, "infeed.1", (100 * i + 20) * US, (i + 1) * US);
		}
	}
	return space_load(&s, 1);
}

static void programs_and_steps(void **state)
{
	struct dump *d = make();
	struct opdb_options o = { .core = -1, .threads = 1 };
	struct op_step *v;
	struct opsum p;
	struct opdb db;
	size_t n;

	(void)state;
	opdb_build(d, &o, &db);
	roof_program(&db, true, &p);
	assert_int_equal(p.time, (140 + 240) * US);
	assert_true(p.flops == 50); /* not those of the while, which contains the others */
	roof_program(&db, false, &p);
	assert_int_equal(p.time, (140 + 240 - 1 - 2 - 1 - 2 - 3) * US);
	opdb_free(&db);
	v = roof_steps(d, &o, NULL, &n);
	assert_int_equal(n, 2); /* the third is not on all cores */
	assert_string_equal(v[0].number, "0");
	assert_string_equal(v[1].number, "1");
	assert_int_equal(v[0].db.total, 100 * US); /* the longest marker, on each core */
	assert_int_equal(v[1].db.total, 80 * US);
	roof_program(&v[1].db, false, &p);
	assert_int_equal(p.time, (80 - 4) * US);
	assert_true(p.flops == 20);
	roof_steps_free(v, n);
	space_close(d);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_bounds_an_op),
		cmocka_unit_test(stated_peaks),
		cmocka_unit_test(without_peaks_nothing_bounds),
		cmocka_unit_test(programs_and_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
