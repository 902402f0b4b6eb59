#include "config.h"
#include "analyze/steps/steps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "analyze/account/account.h"
#include "analyze/ops/step_cores.h"

#define US 1000000LL

static void tpu(struct mkspace *s, int core)
{
	const char *name = core ? "/device:TPU:1" : "/device:TPU:0";

	space_plane(s, 2 + core, name);
}

static void expect_numbers(const struct steps *s, const char *want)
{
	char got[400] = "";

	for (size_t i = 0; i < s->n; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%d:%s", i ? " " : "", s->v[i].core,
		    s->v[i].number);
	assert_string_equal(got, want);
}

static void two_roots(struct mkspace *s)
{
	space_host(s);
	for (int i = 0; i < 2; i++) {
		space_step(s, 100 + i, 1000 * US * i, 900 * US);
	}
}

/* By what the file calls them; by XProf's number only where nobody is called so. */
static void steps_have_names_of_their_own(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	tpu(&s, 0);
	space_line(&s, 1, "Steps");
	space_event(&s, "1", 0, 900 * US);
	space_event(&s, "2", 1000 * US, 900 * US);
	space_event(&s, "7", 2000 * US, 900 * US);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	expect_numbers(&steps, "0:0 0:1 0:2");
	assert_string_equal(steps.v[2].label, "7");
	assert_int_equal(steps.v[2].shown, 7);
	assert_true(steps_is(&steps.v[0], "0"));
	assert_true(steps_is(&steps.v[0], "1"));
	assert_false(steps_is(&steps.v[1], "1"));
	assert_true(steps_is(&steps.v[1], "2"));
	assert_false(steps_is(&steps.v[2], "2"));
	assert_true(steps_is(&steps.v[2], "7"));
	steps_free(&steps);
	dump_close(d);
}

static void unlinked_markers_count_on_from_the_host_steps(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	for (int core = 0; core < 2; core++) {
		tpu(&s, core);
		space_line(&s, 1, "Steps");
		for (int i = 0; i < 3; i++)
			space_event(&s, "marker", (1000 * i + 7 * core) * US, 900 * US);
	}
	two_roots(&s);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	assert_int_equal(steps.source, STEPS_LINE);
	expect_numbers(&steps, "0:2 0:3 0:4 1:2 1:3 1:4");
	assert_null(steps.v[0].name);
	assert_int_equal(steps.distinct, 3);
	assert_int_equal(steps.v[0].interval, 1000 * US);
	for (size_t i = 0; i < steps.n; i++) /* nothing follows the last ones */
		assert_int_equal(steps.v[i].open, i % 3 == 2);
	assert_int_equal(steps.v[2].interval, -1);
	assert_false(steps.v[0].has_ops);
	assert_float_equal(steps.avg_ms, 0.9, 1e-12);
	assert_float_equal(steps.sd_ms, 0, 1e-12);
	steps_free(&steps);
	space_close(d);
}

/* main: a root hands work to a pool thread, which launches the module of each core there; the modules lie
 * in the markers. */
static void linked_space(struct mkspace *s, int markers, int linked_from)
{
	for (int core = 0; core < 2; core++) {
		tpu(s, core);
		space_line(s, 1, "Steps");
		for (int i = 0; i < markers; i++)
			space_event(s, "marker", (2000 + 1000 * i) * US, 900 * US);
		space_line(s, 2, "XLA Modules");
		for (int i = 0; i < markers; i++) {
			space_event(s, "jit_step(1)", (2010 + 1000 * i) * US, 800 * US);
			space_takes(s, 12, 100 * core + i);
		}
	}
	space_host(s);
	for (int i = linked_from; i < markers; i++) {
		space_step(s, 500 + i, 1000 * US * i, 900 * US);
		space_event(s, "hand over", 1000 * US * i + 10, 1);
		space_gives(s, 15, i);
	}
	space_line(s, 2, "pool");
	for (int i = linked_from; i < markers; i++) {
		space_event(s, "ThreadpoolListener::StartRegion", 1000 * US * i + 20, 0);
		space_takes(s, 15, i);
		for (int core = 0; core < 2; core++) {
			space_event(s, "DoEnqueueProgram", 1000 * US * i + 30 + core, 1);
			space_gives(s, 12, 100 * core + i);
		}
		space_event(s, "ThreadpoolListener::StopRegion", 1000 * US * i + 40, 0);
	}
}

static void linked_markers_have_the_number_and_name_of_their_root(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	linked_space(&s, 3, 0);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	expect_numbers(&steps, "0:0 0:1 0:2 1:0 1:1 1:2");
	assert_int_equal(steps.v[4].name_len, strlen("train 501"));
	assert_memory_equal(steps.v[4].name, "train 501", 9);
	assert_int_equal(steps.unlinked, 0);
	steps_free(&steps);
	space_close(d);
}

static void markers_without_a_root_are_left_out_when_others_have_one(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	linked_space(&s, 3, 1);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	expect_numbers(&steps, "0:0 0:1 1:0 1:1");
	assert_int_equal(steps.unlinked, 2);
	assert_int_equal(steps.v[0].start, 3000 * US);
	steps_free(&steps);
	space_close(d);
}

static void markers_of_one_number_are_one_step(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;
	int64_t from, to;

	(void)state;
	tpu(&s, 0);
	space_line(&s, 1, "Steps");
	for (int i = 0; i < 4; i++) {
		space_event(&s, "marker", 1000 * i * US, 900 * US);
		space_int(&s, "group_id", 7 + i / 2);
	}
	d = space_load(&s, 1);
	steps_find(d, &steps);
	expect_numbers(&steps, "0:7 0:8");
	assert_int_equal(steps.v[0].dur, 1900 * US);
	assert_int_equal(steps.v[1].start, 2000 * US);
	steps_span(&steps.v[1], d, &from, &to);
	assert_int_equal(from, 2000 * US);
	assert_int_equal(to, 3900 * US);
	steps_free(&steps);
	space_close(d);
}

/* An id of a hand-over that is used again ties each run to its own launch: two runs are not one step. */
static void an_id_used_again_merges_no_steps(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	for (int core = 0; core < 2; core++) {
		tpu(&s, core);
		space_line(&s, 1, "Steps");
		for (int i = 0; i < 3; i++)
			space_event(&s, "marker", (2000 + 1000 * i) * US, 900 * US);
		space_line(&s, 2, "XLA Modules");
		for (int i = 0; i < 3; i++) {
			space_event(&s, "jit_step(1)", (2010 + 1000 * i) * US, 800 * US);
			space_takes(&s, 12, 77);
		}
	}
	space_host(&s);
	for (int i = 0; i < 3; i++) { /* dispatched long before they run */
		space_step(&s, 500 + i, 100 * US * i, 90 * US);
		space_event(&s, "launch", 100 * US * i + 10, 1);
		space_gives(&s, 12, 77);
	}
	d = space_load(&s, 1);
	steps_find(d, &steps);
	expect_numbers(&steps, "0:0 0:1 0:2 1:0 1:1 1:2");
	for (size_t i = 0; i < steps.n; i++)
		assert_int_equal(steps.v[i].dur, 900 * US);
	assert_memory_equal(steps.v[4].name, "train 501", 9);
	steps_free(&steps);
	space_close(d);
}

/* An id with which threads of the host hand work over, as of two programs that count alike. */
static void an_id_of_threads_used_again(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	tpu(&s, 0);
	space_line(&s, 1, "Steps");
	for (int i = 0; i < 2; i++)
		space_event(&s, "marker", (50 + 1000 * i) * US, 900 * US);
	space_line(&s, 2, "XLA Modules");
	for (int i = 0; i < 2; i++) {
		space_event(&s, "jit_step(1)", (60 + 1000 * i) * US, 800 * US);
		space_takes(&s, 12, 500 + i);
	}
	space_host(&s);
	for (int i = 0; i < 2; i++) {
		space_step(&s, 100 + i, 1000 * US * i, 90 * US);
		space_event(&s, "execute", 1000 * US * i + 10, 1);
		space_gives(&s, 7, 77);
	}
	space_line(&s, 2, "worker");
	for (int i = 0; i < 2; i++) {
		space_event(&s, "run", 1000 * US * i + 20, 9);
		space_takes(&s, 7, 77);
		space_event(&s, "enqueue", 1000 * US * i + 22, 1);
		space_gives(&s, 12, 500 + i);
	}
	d = space_load(&s, 1);
	steps_find(d, &steps);
	expect_numbers(&steps, "0:0 0:1");
	assert_memory_equal(steps.v[1].name, "train 101", 9);
	steps_free(&steps);
	space_close(d);
}

/* More runs than launches that were traced: each is of the last launch before it. */
static void an_id_used_again_before_the_capture(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	tpu(&s, 0);
	space_line(&s, 1, "Steps");
	for (int i = 0; i < 3; i++)
		space_event(&s, "marker", (100 + 1000 * i) * US, 900 * US);
	space_line(&s, 2, "XLA Modules");
	for (int i = 0; i < 3; i++) {
		space_event(&s, "jit_step(1)", (110 + 1000 * i) * US, 800 * US);
		space_takes(&s, 12, 77);
	}
	space_host(&s);
	for (int i = 1; i < 3; i++) {
		space_step(&s, 500 + i, 1000 * US * i, 900 * US);
		space_event(&s, "launch", 1000 * US * i + 10, 1);
		space_gives(&s, 12, 77);
	}
	d = space_load(&s, 1);
	steps_find(d, &steps);
	expect_numbers(&steps, "0:0 0:1");
	assert_int_equal(steps.unlinked, 1);
	for (size_t i = 0; i < steps.n; i++)
		assert_int_equal(steps.v[i].dur, 900 * US);
	steps_free(&steps);
	space_close(d);
}

static void without_markers_the_runs_of_the_longest_module_are_steps(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;
	int64_t from, to;

	(void)state;
	tpu(&s, 0);
	space_line(&s, 2, "XLA Modules");
	for (int i = 0; i < 8; i++)
		space_event(&s, "jit_small(1)", (1000 * i + 950) * US, 10 * US);
	for (int i = 0; i < 3; i++)
		space_event(&s, "jit_big(2)", 1000 * i * US, 900 * US);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	assert_int_equal(steps.source, STEPS_MODULES);
	assert_string_equal(steps.module, "jit_big(2)");
	assert_string_equal(steps_source_name(steps.source), "XLA Modules");
	expect_numbers(&steps, "0:0 0:1"); /* when the last one would have ended is not known */
	assert_true(fabs(steps.min_ms - 1) < 1e-9);
	for (size_t i = 0; i < 2; i++) { /* to the next run, jit_small in between belongs to it */
		assert_int_equal(steps.v[i].dur, 1000 * US);
		assert_int_equal(steps.v[i].interval, 1000 * US);
		assert_false(steps.v[i].open);
		steps_span(&steps.v[i], d, &from, &to);
		assert_int_equal(from, 1000 * (int64_t)i * US);
		assert_int_equal(to, from + steps.v[i].dur);
	}
	assert_ptr_equal(steps_at(&steps, d, 0, 1955 * US), &steps.v[1]);
	assert_null(steps_at(&steps, d, 0, 2100 * US));
	steps_free(&steps);
	space_close(d);
}

/* Prefill and decode: each run is shown by itself, and compared with those of its program; no mean of both. */
static void runs_of_programs_that_alternate_are_steps_of_their_own(void **state)
{
	/* how long a decoding takes, and whether it is enough time to be a step */
	static const struct {
		int64_t dur;
		bool several;
	} cases[] = { { 100, true }, { 5, false } };

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct mkspace s = { 0 };
		struct steps steps;
		struct dump *d;

		for (int core = 0; core < 2; core++) {
			tpu(&s, core);
			space_line(&s, 2, "XLA Modules");
			for (int i = 0; i < 3; i++) {
				space_event(&s, "jit_prefill(1)", 3000 * i * US, 1000 * US);
				for (int n = 0; n < 4; n++)
					space_event(&s, "jit_decode(2)", (3000 * i + 1100 + 200 * n) * US,
					    (cases[k].dur + (i == 1 && n == 2) * 80) * US);
			}
		}
		d = space_load(&s, 1);
		steps_find(d, &steps);
		assert_int_equal(steps.source, STEPS_MODULES);
		assert_int_equal(steps.n, cases[k].several ? 28 : 4);
		assert_int_equal(isnan(steps.avg_ms), cases[k].several);
		if (cases[k].several) {
			assert_string_equal(steps.module, "2 programs");
			assert_memory_equal(steps.v[0].name, "jit_prefill", steps.v[0].name_len);
			assert_memory_equal(steps.v[1].name, "jit_decode", steps.v[1].name_len);
			assert_int_equal(steps.v[0].dur, 1100 * US);
			assert_int_equal(steps.v[1].dur, 200 * US);
			assert_false(steps.v[0].slow); /* of its own kind */
			assert_true(steps.v[4].slow);  /* until the next prefill */
		}
		steps_free(&steps);
		space_close(d);
	}
}

/* What ran once is the step only if nothing else that matters ran again and again. */
static void steps_are_runs_of_what_repeats(void **state)
{
	static const struct {
		int64_t once, again;
		const char *program;
	} cases[] = { { 5000, 900, "jit_again(2)" }, { 90000, 900, "jit_once(1)" } };

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct mkspace s = { 0 };
		struct steps steps;
		struct dump *d;

		tpu(&s, 0);
		space_line(&s, 2, "XLA Modules");
		space_event(&s, "jit_once(1)", 0, cases[k].once * US);
		for (int i = 0; i < 3; i++)
			space_event(&s, "jit_again(2)", (100000 + 1000 * i) * US, cases[k].again * US);
		d = space_load(&s, 1);
		steps_find(d, &steps);
		assert_string_equal(steps.module, cases[k].program);
		assert_int_equal(steps.n, k ? 1 : 2);
		steps_free(&steps);
		space_close(d);
	}
}

static void times_of_rows(const struct dump *d, struct steps *steps)
{
	struct step_cores cores;

	step_cores_build(d, steps, NULL, -1, 1, NULL, &cores);
	free(account_of_rows(d, &cores, steps));
	step_cores_free(&cores);
}

/* A run lasts from its first op to that of the next run where the device's clock is another. */
static void runs_last_by_the_clock_of_the_device(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	tpu(&s, 0);
	space_line(&s, 2, "XLA Modules");
	for (int i = 0; i < 4; i++)
		space_event(&s, "jit_f(1)", 1000 * i * US + i % 2 * 90 * US, 700 * US);
	space_line(&s, 3, "XLA Ops");
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 7; k++) {
			int64_t t = 1000 * i * US + 100 * k * US;

			space_event(&s, "fusion.1", t + i % 2 * 90 * US, 100 * US);
			space_pair(&s, t, 100 * US);
		}
	d = space_load(&s, 1);
	steps_find(d, &steps);
	times_of_rows(d, &steps);
	assert_int_equal(steps.n, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(steps.v[i].dur, 1000 * US);
		assert_int_equal(steps.v[i].idle, 300 * US);
		assert_int_equal(steps.v[i].compute, 700 * US);
	}
	steps_free(&steps);
	space_close(d);
}

static void without_a_device_the_host_says_what_a_step_is(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	two_roots(&s);
	space_event(&s, "nested", 1100 * US, 10 * US);
	space_int(&s, "_r", 1);
	space_int(&s, "step_num", 5);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	times_of_rows(d, &steps);
	assert_int_equal(steps.source, STEPS_HOST);
	expect_numbers(&steps, "-1:train 100 -1:train 101");
	assert_memory_equal(steps.v[1].name, "train 101", 9);
	assert_false(steps.v[0].has_ops);
	steps_free(&steps);
	space_close(d);

	space_host(&s);
	space_event(&s, "train 3", 100, 900);
	space_event(&s, "trainer", 1100, 900);
	space_event(&s, "train/4", 2100, 900);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	expect_numbers(&steps, "-1:train 3");
	steps_free(&steps);
	space_close(d);

	space_host(&s); /* of PyTorch, which repeats them beside the kernels */
	for (int i = 0; i < 2; i++)
		space_event(&s, i ? "ProfilerStep#16" : "ProfilerStep#15", i * 1000, 900);
	space_event(&s, "ProfilerStep#", 3000, 900);
	space_plane(&s, 2, "/device:GPU:0");
	space_line(&s, 1, "stream 0");
	space_event(&s, "ProfilerStep#15", 500, 900);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	expect_numbers(&steps, "-1:ProfilerStep#15 -1:ProfilerStep#16");
	steps_free(&steps);
	space_close(d);
}

static void hosts_are_aligned_by_the_overlap_of_their_steps(void **state)
{
	struct mkspace s[2] = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	for (int host = 0; host < 2; host++) { /* host 1 saw one step more, before the first of host 0 */
		tpu(&s[host], 0);
		space_line(&s[host], 1, "Steps");
		for (int i = 0; i < 3 + host; i++)
			space_event(&s[host], "marker", (5000 + 1000 * (i - host) + 3 * host) * US, 900 * US);
	}
	d = space_load(s, 2);
	steps_find(d, &steps);
	expect_numbers(&steps, "0:0 0:1 0:2 0:-1 0:0 0:1 0:2");
	assert_int_equal(steps.distinct, 4);
	steps_free(&steps);
	space_close(d);
}

/* A step of 1000 us: infeed 100, a while of 500 with two ops inside, an outfeed, the rest idle.  The
 * device's clock says 2 us more for one op. */
static void times_of_a_step(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	tpu(&s, 0);
	space_meta_str(&s, "infeed.1", "hlo_category", "infeed");
	space_meta_str(&s, "outfeed.1", "hlo_category", "outfeed");
	space_meta_str(&s, "while.1", "hlo_category", "while");
	space_meta_str(&s, "fusion.1", "hlo_category", "loop fusion");
	space_line(&s, 1, "Steps");
	for (int i = 0; i < 4; i++) {
		space_event(&s, "marker", 1000 * i * US + 5, 900 * US);
		space_pair(&s, 1000 * i * US, (i == 3 ? 990 : 900) * US);
	}
	space_line(&s, 3, "XLA Ops");
	for (int i = 0; i < 4; i++) {
		int64_t t = 1000 * i * US + 5;

		space_event(&s, "infeed.1", t, 100 * US);
		space_event(&s, "while.1", t + 100 * US, 500 * US);
		space_event(&s, "fusion.1", t + 100 * US, 200 * US);
		space_event(&s, "fusion.1", t + 400 * US, 150 * US);
		space_pair(&s, t - 5 + 400 * US, 152 * US);
		space_event(&s, "outfeed.1", t + 700 * US, 20 * US);
		space_event(&s, "fusion.1", t + 899 * US, 90 * US); /* begins in the step: counts for it */
	}
	d = space_load(&s, 1);
	steps_find(d, &steps);
	times_of_rows(d, &steps);
	assert_int_equal(steps.n, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_true(steps.v[i].has_ops);
		assert_int_equal(steps.v[i].start, 1000 * (int64_t)i * US + 5);
		assert_int_equal(steps.v[i].dur, (i == 3 ? 990 : 900) * US);
		assert_int_equal(steps.v[i].infeed, 100 * US);
		assert_int_equal(steps.v[i].compute, 590 * US);
		assert_int_equal(steps.v[i].idle, steps.v[i].dur - 710 * US);
		assert_int_equal(steps.v[i].outlier, i == 3);
	}
	assert_float_equal(steps.max_ms, 0.99, 1e-12);
	assert_float_equal(steps.avg_ms, 0.9225, 1e-12);
	assert_float_equal(steps.sd_ms, 0.045, 1e-12);
	steps_free(&steps);
	space_close(d);
}

/* What makes a step slow is both: far from the others, and by a share that matters. */
static void jitter_is_not_slow(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	tpu(&s, 0);
	space_line(&s, 1, "Steps");
	for (int i = 0; i < 20; i++)
		space_event(&s, "marker", 2000 * i * US,
		    (i == 7           ? 1015
			    : i == 9  ? 1025
			    : i == 11 ? 700
				      : 1000) *
			    US +
			i % 3 * 1000);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	assert_int_equal(steps.n, 20);
	for (size_t i = 0; i < 20; i++)
		assert_int_equal(steps.v[i].slow, i == 9);
	for (size_t i = 0; i < 20; i++)
		assert_int_equal(steps.v[i].outlier, i == 9); /* 1.5 % is nothing */
	steps_free(&steps);
	space_close(d);
}

static void wide_spread_is_not_slow(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	tpu(&s, 0);
	space_line(&s, 1, "Steps");
	for (int i = 0; i < 20; i++)
		space_event(&s, "marker", 2000 * i * US, (900 + 10 * i) * US);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	for (size_t i = 0; i < 20; i++)
		assert_false(steps.v[i].slow);
	steps_free(&steps);
	space_close(d);
}

static void a_moment_finds_its_step(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;
	const struct step *first;
	uint32_t host, plane;

	(void)state;
	tpu(&s, 1);
	space_line(&s, 1, "Steps");
	for (int i = 0; i < 3; i++)
		space_event(&s, "marker", 1000 * i * US, 900 * US);
	space_host(&s);
	space_event(&s, "x", 0, 10);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	plane = d->trace.tracks[space_track(d, "Steps", 0)].plane;
	host = d->trace.tracks[space_track(d, "main", 0)].plane;
	assert_int_equal(steps_of_plane(&steps, d, plane, &first), 3);
	assert_ptr_equal(first, steps.v);
	assert_int_equal(steps_of_core(&steps, 0, 1, &first), 3);
	assert_ptr_equal(first, steps.v);
	assert_int_equal(steps_of_core(&steps, 0, 0, &first), 0);
	assert_null(steps_at(&steps, d, plane, -1));
	assert_ptr_equal(steps_at(&steps, d, plane, 0), &steps.v[0]);
	assert_ptr_equal(steps_at(&steps, d, plane, 900 * US - 1), &steps.v[0]);
	assert_null(steps_at(&steps, d, plane, 900 * US));
	assert_ptr_equal(steps_at(&steps, d, host, 2500 * US), &steps.v[2]);
	assert_null(steps_at(&steps, d, host, 5000 * US));
	steps_free(&steps);
	space_close(d);
}

static void a_capture_without_steps(void **state)
{
	struct mkspace s = { 0 };
	struct steps steps;
	struct dump *d;

	(void)state;
	space_host(&s);
	space_event(&s, "x", 0, 10);
	d = space_load(&s, 1);
	steps_find(d, &steps);
	assert_int_equal(steps.source, STEPS_NONE);
	assert_null(steps_source_name(steps.source));
	assert_int_equal(steps.n, 0);
	assert_null(steps_at(&steps, d, 0, 5));
	steps_free(&steps);
	space_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_have_names_of_their_own),
		cmocka_unit_test(unlinked_markers_count_on_from_the_host_steps),
		cmocka_unit_test(linked_markers_have_the_number_and_name_of_their_root),
		cmocka_unit_test(markers_without_a_root_are_left_out_when_others_have_one),
		cmocka_unit_test(markers_of_one_number_are_one_step),
		cmocka_unit_test(an_id_used_again_merges_no_steps),
		cmocka_unit_test(an_id_of_threads_used_again),
		cmocka_unit_test(an_id_used_again_before_the_capture),
		cmocka_unit_test(without_markers_the_runs_of_the_longest_module_are_steps),
		cmocka_unit_test(runs_of_programs_that_alternate_are_steps_of_their_own),
		cmocka_unit_test(steps_are_runs_of_what_repeats),
		cmocka_unit_test(runs_last_by_the_clock_of_the_device),
		cmocka_unit_test(without_a_device_the_host_says_what_a_step_is),
		cmocka_unit_test(hosts_are_aligned_by_the_overlap_of_their_steps),
		cmocka_unit_test(times_of_a_step),
		cmocka_unit_test(jitter_is_not_slow),
		cmocka_unit_test(wide_spread_is_not_slow),
		cmocka_unit_test(a_moment_finds_its_step),
		cmocka_unit_test(a_capture_without_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
