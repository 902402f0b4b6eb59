#include "config.h"
#include "analyze/step_cores.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"

#define US 1000000LL

static void kind(struct mkspace *s, const char *name, const char *category, int symbol)
{
	space_meta_str(s, name, "hlo_category", category);
	space_meta_int(s, name, "program_id", 7);
	if (symbol)
		space_meta_int(s, name, "symbol_id", symbol);
}

static void core(struct mkspace *s, int n, int steps)
{
	space_plane(s, 2 + n, n ? "/device:TPU:1" : "/device:TPU:0");
	kind(s, "conv", "convolution fusion", 1);
	kind(s, "infeed.1", "infeed", 2);
	kind(s, "ar.1", "all-reduce", 3);
	kind(s, "while.1", "while", 4);
	kind(s, "add.1", "loop fusion", 5);
	kind(s, "wait.1", "async-done", 6);
	kind(s, "copy.1", "copy", 0);
	space_line(s, 1, "Steps");
	for (int i = 0; i < steps; i++)
		space_event(s, "marker", 110 * i * US, 100 * US);
	space_line(s, 3, "XLA Ops");
}

/* Core 0: 30 conv, 20 infeed, 10 all-reduce, a while of 20 with 12 in it; core 1: 40 infeed, 4 all-reduce (the last to come), 5 of an op without a symbol. */
static void first_step(struct mkspace *s)
{
	core(s, 0, 2);
	space_event(s, "conv", 0, 30 * US);
	space_event(s, "infeed.1", 30 * US, 20 * US);
	space_event(s, "ar.1", 50 * US, 10 * US);
	space_int(s, "all_reduce_unique_id", 7);
	space_event(s, "while.1", 70 * US, 20 * US);
	space_event(s, "add.1", 70 * US, 9 * US);
	space_event(s, "wait.1", 80 * US, 3 * US);
	space_event(s, "conv", 110 * US, 50 * US);
}

static struct dump *two_cores(int steps)
{
	struct mkspace s = { 0 };

	first_step(&s);
	core(&s, 1, steps);
	space_event(&s, "infeed.1", 0, 40 * US);
	space_event(&s, "ar.1", 40 * US, 4 * US);
	space_int(&s, "all_reduce_unique_id", 7);
	space_event(&s, "copy.1", 60 * US, 5 * US);
	return space_load(&s, 1);
}

static void build(
    const struct dump *d, int core, struct progress *progress, struct steps *steps, struct step_cores *s)
{
	steps_find(d, steps, false);
	step_cores_build(d, steps, NULL, core, 2, progress, s);
}

static void self_times_by_metric(void **state)
{
	struct dump *d = two_cores(2);
	const struct step_core *c;
	struct step_cores s;
	struct steps steps;

	(void)state;
	build(d, -1, NULL, &steps, &s);
	assert_int_equal(s.ncores, 2);
	assert_int_equal(s.nsteps, 2);
	assert_string_equal(s.step[0].number, "0");
	assert_true(s.step[0].everywhere && s.step[1].everywhere);
	assert_int_equal(s.core[1].core, 1);
	assert_int_equal(s.core[1].chip, -1);
	c = step_core_at(&s, 0, 0);
	assert_int_equal(c->total, 100 * US);
	assert_int_equal(c->ps[METRIC_HIGH_FLOPS], 30 * US);
	assert_int_equal(c->ps[METRIC_INFEED], 20 * US);
	assert_int_equal(c->ps[METRIC_COLLECTIVES], 10 * US);
	assert_int_equal(c->crs, 10 * US);
	assert_int_equal(c->ps[METRIC_LOW_FLOPS], 20 * US);
	assert_int_equal(c->async_done, 3 * US);
	assert_int_equal(c->ps[METRIC_IDLE], 20 * US);
	assert_int_equal(c->nameless, 0);
	c = step_core_at(&s, 1, 0);
	assert_int_equal(c->ps[METRIC_INFEED], 40 * US);
	assert_int_equal(c->nameless, 5 * US);
	assert_int_equal(c->ps[METRIC_IDLE], 51 * US);
	assert_int_equal(step_core_bottleneck(c), METRIC_IDLE);
	c = step_core_at(&s, 0, 1);
	assert_int_equal(c->ps[METRIC_HIGH_FLOPS], 50 * US);
	assert_int_equal(step_core_bottleneck(c), METRIC_IDLE);
	c = step_core_at(&s, 1, 1);
	assert_int_equal(c->ps[METRIC_IDLE], 100 * US);
	step_cores_free(&s);
	steps_free(&steps);
	space_close(d);
}

static void the_last_to_come_waits_for_nobody(void **state)
{
	struct dump *d = two_cores(2);
	struct step_cores s;
	struct steps steps;

	(void)state;
	build(d, -1, NULL, &steps, &s);
	assert_int_equal(step_core_at(&s, 0, 0)->sync, 6 * US);
	assert_int_equal(step_core_at(&s, 0, 0)->sync_compute, 4 * US);
	assert_int_equal(step_core_at(&s, 1, 0)->sync, 0);
	assert_int_equal(step_core_at(&s, 1, 0)->sync_compute, 4 * US);
	assert_int_equal(step_core_at(&s, 0, 1)->sync, -1);
	step_cores_free(&s);
	steps_free(&steps);
	space_close(d);
}

static void a_step_that_a_core_lacks(void **state)
{
	struct dump *d = two_cores(1);
	struct step_cores s;
	struct steps steps;
	size_t slowest = 9;

	(void)state;
	build(d, -1, NULL, &steps, &s);
	assert_int_equal(s.nsteps, 2);
	assert_int_equal(s.incomplete, 1);
	assert_true(s.step[0].everywhere && !s.step[1].everywhere);
	assert_int_equal(step_core_at(&s, 1, 1)->total, -1);
	assert_int_equal(step_core_at(&s, 1, 1)->ps[METRIC_IDLE], 0);
	assert_true(step_core_slowest(&s, 1, &slowest));
	assert_int_equal(slowest, 0);
	step_cores_free(&s);
	step_cores_build(d, &steps, NULL, 1, 1, NULL, &s);
	assert_int_equal(s.ncores, 1);
	assert_int_equal(s.nsteps, 1);
	assert_int_equal(s.incomplete, 0);
	step_cores_free(&s);
	step_cores_build(d, &steps, "elsewhere", -1, 1, NULL, &s);
	assert_int_equal(s.ncores, 0);
	assert_false(step_core_slowest(&s, 0, &slowest) && s.nsteps);
	step_cores_free(&s);
	steps_free(&steps);
	space_close(d);
}

/* Where an op is says the plain clock, how long it takes the device's. */
static void durations_of_the_device(void **state)
{
	struct mkspace m = { 0 };
	struct step_cores s;
	struct steps steps;
	struct dump *d;

	(void)state;
	core(&m, 0, 2);
	space_event(&m, "conv", 0, 30 * US);
	space_pair(&m, 500 * US, 25 * US);
	space_event(&m, "infeed.1", 115 * US, 30 * US);
	space_pair(&m, 600 * US, 20 * US);
	d = space_load(&m, 1);
	build(d, -1, NULL, &steps, &s);
	assert_int_equal(step_core_at(&s, 0, 0)->ps[METRIC_HIGH_FLOPS], 25 * US);
	assert_int_equal(step_core_at(&s, 0, 1)->ps[METRIC_INFEED], 20 * US);
	assert_int_equal(step_core_at(&s, 0, 1)->ps[METRIC_IDLE], 80 * US);
	step_cores_free(&s);
	steps_free(&steps);
	space_close(d);
}

/* The device's clock has another order than the file: the while is around the infeed. */
static void ops_out_of_order(void **state)
{
	struct mkspace m = { 0 };
	const struct step_core *c;
	struct step_cores s;
	struct steps steps;
	struct dump *d;

	(void)state;
	core(&m, 0, 1);
	space_event(&m, "conv", 0, 30 * US);
	space_pair(&m, 600 * US, 25 * US);
	space_event(&m, "infeed.1", 40 * US, 10 * US);
	space_pair(&m, 500 * US, 12 * US);
	space_event(&m, "while.1", 60 * US, 10 * US);
	space_pair(&m, 490 * US, 40 * US);
	space_event(&m, "ar.1", 80 * US, 10 * US);
	space_pair(&m, 700 * US, 9 * US);
	space_int(&m, "all_reduce_unique_id", 5);
	d = space_load(&m, 1);
	build(d, -1, NULL, &steps, &s);
	c = step_core_at(&s, 0, 0);
	assert_int_equal(c->ps[METRIC_HIGH_FLOPS], 25 * US);
	assert_int_equal(c->ps[METRIC_INFEED], 12 * US);
	assert_int_equal(c->ps[METRIC_LOW_FLOPS], 28 * US);
	assert_int_equal(c->ps[METRIC_COLLECTIVES], 9 * US);
	assert_int_equal(c->sync_compute, 9 * US);
	assert_int_equal(s.core[0].nruns, 1);
	assert_int_equal(s.core[0].run[0].id, 5);
	step_cores_free(&s);
	steps_free(&steps);
	space_close(d);
}

/* Collectives and transfers are kept for the pod, where they stand on the plain clock. */
static void runs_are_kept(void **state)
{
	struct dump *d = two_cores(2);
	struct step_cores s, copy;
	struct steps steps;

	(void)state;
	build(d, -1, NULL, &steps, &s);
	assert_int_equal(s.core[0].nruns, 1);
	assert_int_equal(s.core[0].run[0].start, 50 * US);
	assert_int_equal(s.core[0].run[0].end, 60 * US);
	assert_int_equal(s.core[0].run[0].dur, 10 * US);
	assert_int_equal(s.core[0].run[0].id, 7);
	assert_int_equal(s.core[0].run[0].step, 0);
	assert_int_equal(s.core[1].nruns, 1);
	step_cores_copy(&copy, &s);
	assert_null(copy.core[0].run);
	step_cores_drop_runs(&s);
	assert_int_equal(s.core[1].nruns, 0);
	step_cores_free(&copy);
	step_cores_free(&s);
	steps_free(&steps);
	space_close(d);
}

static void stopping_is_safe(void **state)
{
	struct dump *d = two_cores(2);
	struct progress progress = { 0 };
	struct step_cores s;
	struct steps steps;

	(void)state;
	atomic_store(&progress.cancel, true);
	build(d, -1, &progress, &steps, &s);
	assert_int_equal(atomic_load(&progress.total), 10);
	step_cores_free(&s);
	steps_free(&steps);
	space_close(d);
}

static void categories(void **state)
{
	static const struct {
		const char *category;
		enum step_metric metric;
	} v[] = {
		{ "convolution", METRIC_HIGH_FLOPS },
		{ "convolution base-dilated", METRIC_HIGH_FLOPS },
		{ "convolution window-dilated", METRIC_HIGH_FLOPS },
		{ "convolution fusion", METRIC_HIGH_FLOPS },
		{ "output fusion", METRIC_HIGH_FLOPS },
		{ "infeed", METRIC_INFEED },
		{ "outfeed", METRIC_OUTFEED },
		{ "all-reduce", METRIC_COLLECTIVES },
		{ "all-reduce-scatter fusion", METRIC_COLLECTIVES },
		{ "all-gather-start", METRIC_COLLECTIVES },
		{ "all-to-all", METRIC_COLLECTIVES },
		{ "reduce-scatter", METRIC_COLLECTIVES },
		{ "collective-permute-done", METRIC_COLLECTIVES },
		{ "collective-broadcast", METRIC_COLLECTIVES },
		{ "ragged-all-to-all", METRIC_COLLECTIVES },
		{ "send", METRIC_SEND },
		{ "send-done", METRIC_SEND },
		{ "recv-done", METRIC_RECV },
		{ "host send-done", METRIC_HOST_TRANSFER },
		{ "host recv", METRIC_HOST_TRANSFER },
		{ "megacore fusion", METRIC_MEGACORE_WAIT },
		{ "sparsecorev0 infeed wait", METRIC_SPARSECORE_WAIT },
		{ "async-done", METRIC_LOW_FLOPS },
		{ "loop fusion", METRIC_LOW_FLOPS },
		{ "", METRIC_LOW_FLOPS },
		{ "infeed-done", METRIC_LOW_FLOPS },
		{ "sendx", METRIC_LOW_FLOPS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		if (step_metric_of(v[i].category, strlen(v[i].category)) != v[i].metric)
			fail_msg("%s", v[i].category);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(categories),
		cmocka_unit_test(self_times_by_metric),
		cmocka_unit_test(the_last_to_come_waits_for_nobody),
		cmocka_unit_test(a_step_that_a_core_lacks),
		cmocka_unit_test(durations_of_the_device),
		cmocka_unit_test(ops_out_of_order),
		cmocka_unit_test(runs_are_kept),
		cmocka_unit_test(stopping_is_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
