#include "config.h"
#include "analyze/ops/step_cores.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "analyze/ops/opdb.h"
#include "base/spill/spill.h"

#define US 1000000LL

static void core(struct mkspace *s, int n, int steps)
{
	space_plane(s, 2 + n, n ? "/device:TPU:1" : "/device:TPU:0");
	space_op(s, "conv", "convolution fusion", 7, 1);
	space_op(s, "infeed.1", "infeed", 7, 2);
	space_op(s, "ar.1", "all-reduce", 7, 3);
	space_op(s, "while.1", "while", 7, 4);
	space_op(s, "add.1", "loop fusion", 7, 5);
	space_op(s, "wait.1", "async-done", 7, 6);
	space_op(s, "copy.1", "copy", 7, 0);
	space_line(s, 1, "Steps");
	for (int i = 0; i < steps; i++)
		space_event(s, "marker", 110 * i * US, 100 * US);
	space_line(s, 3, "XLA Ops");
}

/* Core 0: 30 conv, 20 infeed, 10 all-reduce, a while of 20 with 12 in it; core 1: 40 infeed, 4 all-reduce
 * (the last to come), 5 of an op without a symbol. */
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

static void build(const struct dump *d, int core, struct progress *progress, struct steps *steps,
    struct step_cores *s)
{
	steps_find(d, steps);
	step_cores_build(d, steps, NULL, core, 2, progress, s);
}

/* XLA wraps collectives into fusions of its own: they are in no list of categories, but communication all the same. */
static void asynchronous_collectives_have_another_category(void **state)
{
	struct mkspace s = { 0 };
	struct step_cores cores;
	struct steps steps;
	struct dump *d;

	(void)state;
	core(&s, 0, 1);
	space_op(&s, "async-collective-start.1", "custom fusion", 7, 8);
	space_op(&s, "async-collective-done.1", "custom fusion", 7, 9);
	space_event(&s, "async-collective-start.1", 0, 5 * US);
	space_event(&s, "conv", 5 * US, 20 * US);
	space_event(&s, "async-collective-done.1", 25 * US, 30 * US);
	space_event(&s, "copy.1", 60 * US, 10 * US);
	d = space_load(&s, 1);
	build(d, -1, NULL, &steps, &cores);
	assert_int_equal(cores.v[0].ps[METRIC_LOW_FLOPS], 45 * US);
	assert_int_equal(step_core_async(&cores.v[0]), 35 * US);
	assert_int_equal(step_core_bottleneck(&cores.v[0]), METRIC_COLLECTIVES);
	assert_int_equal(cores.core[0].nruns, 2); /* for the lists of the pod */
	step_cores_free(&cores);
	steps_free(&steps);
	space_close(d);
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
	assert_string_equal(step_cores_label(&s, 1), steps.v[1].label);
	assert_int_equal(step_cores_named(&s, steps.v[1].label), 1);
	assert_int_equal(step_cores_named(&s, "none"), SIZE_MAX);
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

/* By what an op does, as its color on the timeline: copies are no compute, and of an asynchronous wrapper it
 * counts what it carries. */
static void self_times_by_kind(void **state)
{
	struct mkspace m = { 0 };
	const struct step_core *c;
	struct step_cores s;
	struct steps steps;
	struct dump *d;
	int64_t sum = 0;

	(void)state;
	core(&m, 0, 1);
	space_op(&m, "all-gather.2", "async-done", 7, 7);
	space_op(&m, "copy.3", "copy-done", 7, 8);
	space_op(&m, "outfeed.1", "outfeed", 7, 9);
	space_event(&m, "conv", 0, 30 * US);
	space_event(&m, "infeed.1", 30 * US, 10 * US);
	space_event(&m, "while.1", 40 * US, 10 * US);
	space_event(&m, "add.1", 42 * US, 5 * US);
	space_event(&m, "all-gather.2", 50 * US, 7 * US);
	space_event(&m, "copy.3", 60 * US, 8 * US);
	space_event(&m, "outfeed.1", 70 * US, 2 * US);
	d = space_load(&m, 1);
	build(d, -1, NULL, &steps, &s);
	c = step_core_at(&s, 0, 0);
	assert_int_equal(c->kind[KIND_MATMUL], 30 * US);
	assert_int_equal(c->kind[KIND_COMPUTE], 10 * US); /* with the loop itself */
	assert_int_equal(c->kind[KIND_COLLECTIVE], 7 * US);
	assert_int_equal(c->kind[KIND_COPY], 8 * US);
	assert_int_equal(c->kind[KIND_IO], 12 * US);
	for (int k = 0; k < KIND_OPS; k++)
		sum += c->kind[k];
	assert_int_equal(sum + c->ps[METRIC_IDLE], c->total);
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

	(void)state;
	build(d, -1, NULL, &steps, &s);
	assert_int_equal(s.nsteps, 2);
	assert_int_equal(s.incomplete, 1);
	assert_true(s.step[0].everywhere && !s.step[1].everywhere);
	assert_int_equal(step_core_at(&s, 1, 1)->total, -1);
	assert_int_equal(step_core_at(&s, 1, 1)->ps[METRIC_IDLE], 0);
	assert_true(step_core_at(&s, 0, 1)->total > 0);
	step_cores_free(&s);
	step_cores_build(d, &steps, NULL, 1, 1, NULL, &s);
	assert_int_equal(s.ncores, 1);
	assert_int_equal(s.nsteps, 1);
	assert_int_equal(s.incomplete, 0);
	step_cores_free(&s);
	step_cores_build(d, &steps, "elsewhere", -1, 1, NULL, &s);
	assert_int_equal(s.ncores, 0);
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

static struct dump *out_of_order(void)
{
	struct mkspace m = { 0 };

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
	return space_load(&m, 1);
}

/* The device's clock has another order than the file: the while is around the infeed. */
static void ops_out_of_order(void **state)
{
	struct dump *d = out_of_order();
	const struct step_core *c;
	struct step_cores s;
	struct steps steps;

	(void)state;
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

/* Pairs that are whole, half, twice there (the first counts), and no time at all. */
static struct dump *odd_pairs(void)
{
	struct mkspace m = { 0 };

	core(&m, 0, 2);
	space_event(&m, "conv", 0, 30 * US);
	space_pair(&m, 5 * US, 25 * US);
	space_event(&m, "while.1", 40 * US, 40 * US);
	space_pair(&m, 45 * US, 30 * US);
	space_event(&m, "ar.1", 50 * US, 10 * US);
	space_pair(&m, 50 * US, 9 * US);
	space_pair(&m, 52 * US, 4 * US);
	space_int(&m, "all_reduce_unique_id", 5);
	space_int(&m, "all_reduce_unique_id", 6);
	space_event(&m, "add.1", 85 * US, 5 * US);
	space_int(&m, "device_offset_ps", 7 * US);
	space_event(&m, "infeed.1", 115 * US, 30 * US);
	space_pair(&m, 115 * US, -1);
	space_event(&m, "ar.1", 150 * US, 20 * US);
	space_int(&m, "all_reduce_unique_id", 7);
	return space_load(&m, 1);
}

/* All stats of events are looked at where there is this one. */
static struct dump *stretched(void)
{
	struct mkspace m = { 0 };

	first_step(&m);
	space_int(&m, "Time Scale Multiplier", 2);
	space_event(&m, "ar.1", 165 * US, 5 * US);
	space_pair(&m, 165 * US, 4 * US);
	space_pair(&m, 165 * US, 3 * US);
	space_int(&m, "all_reduce_unique_id", 5);
	return space_load(&m, 1);
}

/* The file has the ops in another order than that of time. */
static struct dump *written_backwards(void)
{
	struct mkspace m = { 0 };

	core(&m, 0, 2);
	space_event(&m, "ar.1", 40 * US, 30 * US);
	space_int(&m, "all_reduce_unique_id", 5);
	space_event(&m, "conv", 0, 30 * US);
	space_event(&m, "while.1", 75 * US, 20 * US);
	space_event(&m, "add.1", 80 * US, 10 * US);
	return space_load(&m, 1);
}

static void same_cores(const struct step_cores *a, const struct step_cores *b)
{
	assert_int_equal(a->ncores, b->ncores);
	assert_int_equal(a->nsteps, b->nsteps);
	assert_int_equal(a->incomplete, b->incomplete);
	assert_memory_equal(a->v, b->v, a->ncores * a->nsteps * sizeof *a->v);
	for (size_t i = 0; i < a->ncores; i++) {
		assert_int_equal(a->core[i].nruns, b->core[i].nruns);
		assert_memory_equal(a->core[i].run, b->core[i].run,
		    a->core[i].nruns * sizeof *a->core[i].run);
	}
}

static struct dump *whole_capture(void)
{
	return two_cores(2);
}

/* In the walk of the op database come the same numbers as alone. */
static void beside_the_op_database(void **state)
{
	static struct dump *(*const samples[])(
	    void) = { whole_capture, out_of_order, odd_pairs, stretched, written_backwards };

	(void)state;
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
		for (int core = -1; core < 2; core++) {
			struct dump *d = samples[i]();
			struct step_cores s;
			struct steps steps;
			struct opdb_options o = { .core = core, .threads = 2, .steps = &steps };
			struct opdb db;

			build(d, core, NULL, &steps, &s);
			opdb_build(d, &o, &db);
			assert_non_null(db.cores);
			same_cores(&s, db.cores);
			opdb_free(&db);
			o.steps = NULL;
			opdb_build(d, &o, &db);
			assert_null(db.cores);
			opdb_free(&db);
			step_cores_free(&s);
			steps_free(&steps);
			space_close(d);
		}
}

/* Where memory has enough, they go to a file. */
static void many_runs(void **state)
{
	const size_t full = SIZE_MAX / 2;
	struct mkspace m = { 0 };
	struct step_cores s, spilled;
	struct steps steps, again;
	struct opdb_options o = { .core = -1, .threads = 2, .steps = &steps };
	struct opdb db;
	struct dump *d;

	(void)state;
	core(&m, 0, 2);
	for (int64_t i = 0; i < 8000; i++) {
		space_event(&m, "ar.1", i * US / 100, US / 200);
		space_int(&m, "all_reduce_unique_id", i);
	}
	d = space_load(&m, 1);
	build(d, -1, NULL, &steps, &s);
	assert_int_equal(s.core[0].nruns, 8000);
	assert_null(s.core[0].spill);
	spill_counts(full, 0);
	build(d, -1, NULL, &again, &spilled);
	opdb_build(d, &o, &db);
	spill_counts(0, full);
	assert_non_null(spilled.core[0].spill);
	same_cores(&s, &spilled);
	assert_non_null(db.cores->core[0].spill);
	same_cores(&s, db.cores);
	opdb_free(&db);
	step_cores_free(&spilled);
	step_cores_free(&s);
	steps_free(&again);
	steps_free(&steps);
	space_close(d);
}

static void pairs_of_all_kinds(void **state)
{
	struct dump *d = odd_pairs();
	struct step_cores s;
	struct steps steps;
	const struct step_core *c;

	(void)state;
	build(d, -1, NULL, &steps, &s);
	c = step_core_at(&s, 0, 0);
	assert_int_equal(c->ps[METRIC_HIGH_FLOPS], 25 * US);
	assert_int_equal(c->ps[METRIC_COLLECTIVES], 9 * US);
	assert_int_equal(c->ps[METRIC_LOW_FLOPS], (30 - 9 + 5) * US);
	assert_int_equal(step_core_at(&s, 0, 1)->ps[METRIC_INFEED], 30 * US);
	assert_int_equal(s.core[0].nruns, 2);
	assert_int_equal(s.core[0].run[0].id, 5);
	assert_int_equal(s.core[0].run[1].id, 7);
	step_cores_free(&s);
	steps_free(&steps);
	space_close(d);
}

static void runs_step_by_step(void **state)
{
	struct step_run a[] = { { .step = 0 }, { .step = 0 }, { .step = 2 } };
	struct step_run b[] = { { .step = 1 }, { .step = 2 } };
	struct step_core_info core[] = { { .run = a, .nruns = 3 }, { .run = b, .nruns = 2 } };
	struct step_cores s = { .core = core, .ncores = 2, .nsteps = 3 };
	static const size_t ends[][2] = { { 2, 0 }, { 2, 1 }, { 3, 2 } };
	size_t from[2] = { 0 }, to[2] = { 0 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_true(step_cores_next(&s, from, to));
		assert_int_equal(from[0], i ? ends[i - 1][0] : 0);
		assert_int_equal(from[1], i ? ends[i - 1][1] : 0);
		assert_int_equal(to[0], ends[i][0]);
		assert_int_equal(to[1], ends[i][1]);
	}
	assert_false(step_cores_next(&s, from, to));
	core[1].mixed = true;
	memset(to, 0, sizeof to);
	assert_true(step_cores_next(&s, from, to));
	assert_int_equal(from[0] + from[1], 0);
	assert_int_equal(to[0], 3);
	assert_int_equal(to[1], 2);
	assert_false(step_cores_next(&s, from, to));
}

static void stopping_is_safe(void **state)
{
	struct dump *d = two_cores(2);
	struct progress progress = { 0 };
	struct step_cores s;
	struct steps steps;
	struct opdb db;

	(void)state;
	atomic_store(&progress.cancel, true);
	build(d, -1, &progress, &steps, &s);
	assert_int_equal(atomic_load(&progress.total), 10);
	step_cores_free(&s);
	opdb_build(d,
	    &(struct opdb_options){ .core = -1, .threads = 2, .steps = &steps, .progress = &progress }, &db);
	opdb_free(&db);
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
		cmocka_unit_test(asynchronous_collectives_have_another_category),
		cmocka_unit_test(self_times_by_kind),
		cmocka_unit_test(the_last_to_come_waits_for_nobody),
		cmocka_unit_test(a_step_that_a_core_lacks),
		cmocka_unit_test(durations_of_the_device),
		cmocka_unit_test(ops_out_of_order),
		cmocka_unit_test(pairs_of_all_kinds),
		cmocka_unit_test(beside_the_op_database),
		cmocka_unit_test(runs_are_kept),
		cmocka_unit_test(many_runs),
		cmocka_unit_test(runs_step_by_step),
		cmocka_unit_test(stopping_is_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
