#include "config.h"
#include "analyze/overview/overview.h"
#include "result/advice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"
#include "model/toolfile.h"

#define US 1000000LL

struct made {
	struct dump *dump;
	struct steps steps;
	struct opdb ops;
	struct overview v;
};

static void build(struct made *m, struct dump *d, int core)
{
	struct opdb_options ops = { .core = core, .threads = 1 };
	struct overview_options o = { .core = core, .threads = 1 };

	m->dump = d;
	steps_find(d, &m->steps);
	opdb_build(d, &ops, &m->ops);
	overview_build(d, &m->steps, &m->ops, &o, &m->v);
}

static void end(struct made *m)
{
	overview_free(&m->v);
	opdb_free(&m->ops);
	steps_free(&m->steps);
	space_close(m->dump);
}

static void is_fact(const struct made *m, const char *id, double want)
{
	double got = facts_number(&m->v.summary, id);

	if (!(fabs(got - want) < 2e-9))
		fail_msg("%s is %.12g, should be %.12g", id, got, want);
}

static bool is_known(const struct made *m, const char *id)
{
	return !isnan(facts_number(&m->v.summary, id));
}

static bool warns(const struct made *m, const char *part)
{
	for (size_t i = 0; i < m->v.warnings.nrows; i++)
		if (strstr(m->v.warnings.cells[i].s, part))
			return true;
	return false;
}

static double number(const struct table *t, size_t row, const char *id)
{
	return t->cells[row * t->ncolumns + (size_t)table_column(t, id)].u.d;
}

static void core(struct mkspace *s, int n, int64_t step_us, int steps)
{
	space_plane(s, 2 + n, n ? "/device:TPU:1" : "/device:TPU:0");
	space_plane_str(s, "device_type_string", "TPU test");
	space_plane_double(s, "peak_teraflops_per_second", 1);
	space_op(s, "conv", "convolution fusion", 7, 1);
	space_op(s, "infeed.1", "infeed", 7, 2);
	space_op(s, "while.1", "while", 7, 4);
	space_op(s, "out.1", "outfeed", 7, 5);
	space_meta_int(s, "conv", "flops", 20000000);
	if (steps)
		space_line(s, 1, "Steps");
	for (int i = 0; i < steps; i++)
		space_event(s, "marker", 110 * i * US, step_us * US);
	space_line(s, 3, "XLA Ops");
}

/* Core 0, step of 100: conv 30, infeed 20, a while of 30 with infeed 5 in it; core 1, step of 90: conv 40,
 * infeed 10, outfeed 10. */
static struct dump *tpu(int steps_of_second)
{
	struct mkspace s = { 0 };

	core(&s, 0, 100, 1);
	space_event(&s, "conv", 0, 30 * US);
	space_event(&s, "infeed.1", 30 * US, 20 * US);
	space_event(&s, "while.1", 60 * US, 30 * US);
	space_event(&s, "infeed.1", 70 * US, 5 * US);
	core(&s, 1, 90, steps_of_second);
	space_event(&s, "conv", 0, 40 * US);
	space_event(&s, "infeed.1", 40 * US, 10 * US);
	space_event(&s, "out.1", 50 * US, 10 * US);
	return space_load(&s, 1);
}

static void numbers_of_a_step(void **state)
{
	struct made m;

	(void)state;
	build(&m, tpu(1), -1);
	assert_true(m.v.tpu);
	assert_int_equal(m.v.steps.nrows, 1);
	/* the step lasts 100 on both; what is not infeed, outfeed or idle: 55 and 40 */
	is_fact(&m, "steptime_ms_average", 0.1);
	is_fact(&m, "tc_compute_ms_average", 0.04);
	is_fact(&m, "tc_infeed_ms_average", 0.025);
	is_fact(&m, "tc_outfeed_ms_average", 0.005);
	is_fact(&m, "tc_idle_ms_average", 0.03);
	is_fact(&m, "tc_active_ms_average", 0.0475);
	is_fact(&m, "infeed_percent_average", 25);
	assert_float_equal(number(&m.v.steps, 0, "infeedPercentMin"), 10, 1e-9);
	assert_float_equal(number(&m.v.steps, 0, "infeedPercentAverage"), 17.5, 1e-9);
	assert_int_equal(m.v.step[0].infeed_core, 0);
	/* ops 80 of 100, 60 of 90 */
	is_fact(&m, "device_idle_time_percent", 100.0 * 50 / 190);
	/* each core a chip: 30 + 10 + 15 of 90, 40 of 60 */
	is_fact(&m, "device_duty_cycle_percent", 100.0 * 95 / 150);
	/* 2 × 20 MFLOP in 190 us at 1 TFLOP/s */
	is_fact(&m, "flops_utilization_percent", 100.0 * 40 / 190);
	is_fact(&m, "device_core_count", 2);
	assert_string_equal(facts_text(&m.v.summary, "device_type"), "TPU test");
	end(&m);
}

static void what_is_not_known(void **state)
{
	struct made m;

	(void)state;
	build(&m, tpu(1), -1);
	assert_false(is_known(&m, "mxu_utilization_percent"));
	assert_false(is_known(&m, "host_idle_time_percent"));
	assert_true(is_known(&m, "steptime_ms_average"));
	assert_false(facts_get(&m.v.summary, "host_idle_known")->u.b);
	assert_int_equal(facts_get(&m.v.summary, "hbm_bandwidth_utilization_percent")->type, CELL_NULL);
	assert_true(warns(&m, "no host plane"));
	assert_true(warns(&m, "peaks of the chip are unknown"));
	end(&m);
}

static void choice_of_a_core(void **state)
{
	struct made m;

	(void)state;
	build(&m, tpu(1), 1);
	is_fact(&m, "device_core_count", 1);
	is_fact(&m, "steptime_ms_average", 0.09);
	is_fact(&m, "infeed_percent_average", 100.0 * 10 / 90);
	is_fact(&m, "device_duty_cycle_percent", 100.0 * 40 / 60);
	assert_int_equal(m.v.hosts.nrows, 1);
	assert_float_equal(number(&m.v.hosts, 0, "device_idle_time_percent"), 100.0 * 30 / 90, 1e-9);
	end(&m);
}

static void steps_that_cores_lack(void **state)
{
	struct made m;

	(void)state;
	build(&m, tpu(0), -1);
	assert_int_equal(m.v.steps.nrows, 1);
	assert_true(warns(&m, "1 of 2 cores (core 1) has no steps"));
	is_fact(&m, "steptime_ms_average", 0.1);
	end(&m);
	build(&m, tpu(2), -1);
	assert_int_equal(m.v.steps.nrows, 1);
	assert_true(warns(&m, "1 of 2 steps is not on all cores"));
	end(&m);
}

static void ops_longer_than_their_step(void **state)
{
	struct mkspace s = { 0 };
	struct made m;

	(void)state;
	core(&s, 0, 100, 1);
	space_event(&s, "conv", 0, 30 * US);
	space_pair(&s, 0, 300 * US);
	build(&m, space_load(&s, 1), -1);
	assert_true(warns(&m, "the clock jumps"));
	is_fact(&m, "steptime_ms_average", 0.1);
	end(&m);
}

/* Two runs of jit_f, which XProf does not treat as steps. */
static void without_markers_steps_are_runs(void **state)
{
	struct mkspace s = { 0 };
	struct table runs;
	struct made m;

	(void)state;
	core(&s, 0, 100, 0);
	space_event(&s, "conv", 0, 30 * US);
	space_line(&s, 2, "XLA Modules");
	space_event(&s, "jit_f", 0, 20 * US);
	space_event(&s, "jit_f", 50 * US, 10 * US);
	build(&m, space_load(&s, 1), -1);
	assert_int_equal(m.v.steps.nrows, 1); /* the second has no end */
	assert_int_equal(m.v.cores.nsteps, 1);
	is_fact(&m, "steptime_ms_average", 0.05);
	is_fact(&m, "steptime_ms_maximum", 0.05);
	is_fact(&m, "step_idle_percent", 40);
	assert_true(is_known(&m, "steptime_ms_average"));
	assert_true(warns(&m, "steps from program runs"));
	is_fact(&m, "device_duty_cycle_percent", 50);
	overview_program_runs(&m.v, &m.v.steps, &runs);
	assert_int_equal(runs.nrows, 1);
	table_free(&runs);
	assert_int_equal(m.v.programs.nrows, 1);
	assert_true(table_number(&m.v.programs, 0, "runs") == 2);
	assert_true(fabs(table_number(&m.v.programs, 0, "mean_us") - 15) < 1e-6);
	assert_true(fabs(table_number(&m.v.programs, 0, "p90_us") - 20) < 1e-6);
	assert_true(fabs(table_number(&m.v.programs, 0, "gap_us") - 30) < 1e-6);
	overview_xprof_facts(&m.v, &m.v.summary);
	assert_false(is_known(&m, "steptime_ms_average"));
	assert_false(is_known(&m, "tc_idle_ms_average"));
	is_fact(&m, "step_ms_average", 0.05);
	assert_false(is_known(&m, "step_input_percent")); /* no op waits for input */
	end(&m);
}

/* No op waits for input: of the idle time, as much as the host spent feeding the step counts as input
 * wait. */
static void idle_time_charged_to_the_host(void **state)
{
	struct mkspace s = { 0 };
	struct made m;

	(void)state;
	core(&s, 0, 100, 1);
	space_event(&s, "conv", 10 * US, 60 * US);
	space_line(&s, 2, "XLA Modules");
	space_event(&s, "jit_f", 5 * US, 80 * US);
	space_takes(&s, 12, 50);
	space_host(&s);
	space_step(&s, 3, 0, 90 * US);
	space_event(&s, "IteratorGetNext:IteratorGetNext", 1 * US, 20 * US);
	space_event(&s, "Execute", 30 * US, 2 * US);
	space_gives(&s, 12, 50);
	build(&m, space_load(&s, 1), -1);
	is_fact(&m, "tc_infeed_ms_average", 0.02);
	is_fact(&m, "tc_idle_ms_average", 0.02);
	is_fact(&m, "tc_compute_ms_average", 0.06);
	end(&m);
}

/* Two steps on a CPU: input wait 20, compute 30 + 10, of which 10 overlap the wait; the rest is
 * unexplained. */
static void without_a_device(void **state)
{
	struct mkspace s = { 0 };
	struct made m;

	(void)state;
	space_host(&s);
	for (int i = 0; i < 2; i++) {
		space_step(&s, i, 200 * i * US, 100 * US);
		space_event(&s, "IteratorGetNext:IteratorGetNext", (200 * i + 5) * US, 20 * US);
		space_event(&s, "work", (200 * i + 10) * US, 10 * US);
		space_event(&s, "FunctionRun", (200 * i + 30) * US, 60 * US);
		space_event(&s, "MatMul:MatMul", (200 * i + 40) * US, 30 * US);
	}
	build(&m, space_load(&s, 1), -1);
	assert_false(m.v.tpu);
	assert_int_equal(m.v.steps.nrows, 2);
	is_fact(&m, "infeed_time_ms_avg", 0.02);
	is_fact(&m, "host_compute_time_ms_avg", 0.03);
	is_fact(&m, "other_time_ms_avg", 0.05);
	is_fact(&m, "steptime_ms_average", 0.1);
	assert_string_equal(facts_text(&m.v.summary, "device_type"), "CPU");
	assert_null(facts_get(&m.v.summary, "tc_idle_ms_average"));
	/* no GPU was traced, and no profiler tells compiling from other work of the host */
	assert_false(is_known(&m, "kernel_launch_time_ms_sdv"));
	assert_int_equal(table_get(&m.v.steps, 0, "deviceComputeTimeMs")->type, CELL_NULL);
	assert_int_equal(table_get(&m.v.steps, 0, "compileTimeMs")->type, CELL_NULL);
	assert_int_equal(table_get(&m.v.steps, 0, "hostComputeTimeMs")->type, CELL_NUM);
	assert_int_equal(table_get(&m.v.steps, 0, "infeedTimeMs")->type, CELL_NUM);
	for (size_t i = 0; i < m.v.summary.n; i++)
		if (!*fact_meaning(m.v.summary.v[i].id))
			fail_msg("%s", m.v.summary.v[i].id);
	end(&m);
}

/* Kernels are no ops: that no op ran on the GPU does not mean that all ran on the host. */
static void kernels_are_no_ops(void **state)
{
	struct mkspace s = { 0 };
	struct made m;

	(void)state;
	space_plane(&s, 1, "/device:GPU:0");
	space_line(&s, 7, "Stream #7(Kernel)");
	space_event(&s, "loop_add_fusion", 20 * US, 10 * US);
	space_host(&s);
	space_event(&s, "MatMul:MatMul", 5 * US, 10 * US);
	build(&m, space_load(&s, 1), -1);
	assert_string_equal(facts_text(&m.v.summary, "device_type"), "GPU");
	assert_false(is_known(&m, "device_tf_op_percent"));
	assert_false(is_known(&m, "host_tf_op_percent"));
	end(&m);
}

/* The step hands work to a thread pool: [30, 80) is a region there, two instants in the file, with work
 * inside that is handed on.  XProf counts none of it; the first instant, which belongs to the group, takes
 * the gap around it up to the next end of work. */
static void a_region_of_a_thread_pool_is_an_instant(void **state)
{
	struct mkspace s = { 0 };
	struct made m;

	(void)state;
	space_host(&s);
	space_step(&s, 0, 0, 100 * US);
	space_event(&s, "work", 10 * US, 10 * US);
	space_event(&s, "hand over", 15 * US, 0);
	space_gives(&s, 15, 7);
	space_event(&s, "work", 50 * US, 10 * US);
	space_line(&s, 2, "pool");
	space_event(&s, "ThreadpoolListener::StartRegion", 30 * US, 0);
	space_takes(&s, 15, 7);
	space_event(&s, "InfeedEnqueue:InfeedEnqueueTuple", 35 * US, 20 * US);
	space_event(&s, "hand over", 60 * US, 1 * US);
	space_gives(&s, 0, 8);
	space_event(&s, "ThreadpoolListener::StopRegion", 80 * US, 0);
	space_line(&s, 3, "handed on");
	space_event(&s, "InfeedEnqueue:InfeedEnqueueTuple", 62 * US, 10 * US);
	space_takes(&s, 0, 8);
	build(&m, space_load(&s, 1), -1);
	assert_int_equal(m.v.steps.nrows, 1);
	is_fact(&m, "host_compute_time_ms_avg", 0.04);    /* 10…20, 30…60 */
	assert_false(is_known(&m, "infeed_time_ms_avg")); /* a wait would be other time */
	is_fact(&m, "other_time_ms_avg", 0.06);
	end(&m);
}

/* An instant inside other work changes nothing, and a single instant is not work. */
static void instants_are_no_work(void **state)
{
	struct mkspace s = { 0 };
	struct made m;

	(void)state;
	space_host(&s);
	for (int i = 0; i < 2; i++) {
		space_step(&s, i, 200 * i * US, 100 * US);
		if (!i)
			space_event(&s, "work", 10 * US, 30 * US);
		space_event(&s, "instant", (200 * i + 20) * US, 0);
	}
	build(&m, space_load(&s, 1), -1);
	assert_int_equal(m.v.steps.nrows, 1);
	is_fact(&m, "host_compute_time_ms_avg", 0.03);
	assert_true(warns(&m, "1 step without work"));
	end(&m);
}

static void host_of_steps(struct mkspace *s, int first, int64_t step_us)
{
	space_host(s);
	for (int i = first; i < 3; i++) {
		space_step(s, i, 1000 * i * US, step_us * US);
		space_event(s, "work", 1000 * i * US, 10 * (i + 1) * US);
	}
}

/* The second host lacks step 0 and is slower: rows and parts are of the first host, the step time is of the
 * slower one. */
static void steps_of_several_hosts(void **state)
{
	struct mkspace s[2] = { 0 };
	struct made m;
	const struct cell *c;

	(void)state;
	host_of_steps(&s[0], 0, 100);
	host_of_steps(&s[1], 1, 150);
	build(&m, space_load(s, 2), -1);
	assert_int_equal(m.v.steps.nrows, 2);
	c = m.v.steps.cells;
	assert_int_equal(c->n, strlen("train 1"));
	assert_memory_equal(c->s, "train 1", c->n);
	assert_float_equal(number(&m.v.steps, 0, "stepTimeMs"), 0.1, 1e-9);
	assert_float_equal(number(&m.v.steps, 1, "hostComputeTimeMs"), 0.03, 1e-9);
	is_fact(&m, "host_compute_time_ms_avg", 0.025);
	is_fact(&m, "steptime_ms_average", 0.15);
	assert_true(warns(&m, "several hosts"));
	assert_true(warns(&m, "1 of its 3 steps is not on all hosts"));
	end(&m);
}

/* Of more than five steps with work the first and the last may be cut off. */
static void the_outermost_of_many_steps_are_left_out(void **state)
{
	struct made m;

	(void)state;
	for (int n = 5; n <= 6; n++) {
		struct mkspace s = { 0 };

		space_host(&s);
		for (int i = 0; i < 7; i++) {
			space_step(&s, i, 1000 * i * US, 100 * US);
			if (i < n)
				space_event(&s, "work", 1000 * i * US, 50 * US);
		}
		build(&m, space_load(&s, 1), -1);
		assert_int_equal(m.v.steps.nrows, n == 5 ? 5 : 4);
		assert_memory_equal(m.v.steps.cells->s, n == 5 ? "train 0" : "train 1", 7);
		assert_int_equal(warns(&m, "the first and the last step may be cut off"), n == 6);
		end(&m);
	}
}

static void every_number_has_a_formula(void **state)
{
	struct made m;

	(void)state;
	build(&m, tpu(1), -1);
	for (size_t i = 0; i < m.v.summary.n; i++)
		if (!*fact_meaning(m.v.summary.v[i].id))
			fail_msg("%s", m.v.summary.v[i].id);
	assert_string_equal(fact_meaning("nothing"), "");
	assert_int_equal(m.v.recommendations.nrows, 0);
	advice_add(&m.v.recommendations, "a", "high", "b", "c", "d");
	assert_int_equal(m.v.recommendations.nrows, 1);
	end(&m);
}

static void nothing_at_all(void **state)
{
	struct mkspace s = { 0 };
	struct made m;

	(void)state;
	space_plane(&s, 1, "/host:other");
	build(&m, space_load(&s, 1), -1);
	assert_true(warns(&m, "no steps"));
	assert_false(is_known(&m, "device_duty_cycle_percent"));
	end(&m);
}

/* As old profilers wrote it: numbers as text, other ids, no duty cycle. */
static void what_a_profiler_left(void **state)
{
	static const char text[] =
	    "[{\"cols\":[{\"id\":\"selfTimePercent\"},{\"id\":\"cumulativeTimePercent\"},"
	    "{\"id\":\"category\"},{\"id\":\"operation\"},{\"id\":\"flopRate\"}],"
	    "\"rows\":[{\"c\":[{\"v\":0.25},{\"v\":0.25},{\"v\":\"Conv2D\"},{\"v\":\"a/b\"},{\"v\":12.5}]}],"
	    "\"p\":{\"device_idle_time_percent\":\"1.5%\",\"host_idle_time_percent\":\"100.0%\"}},"
	    "{\"cols\":[{\"id\":\"stepnum\"},{\"id\":\"computeTimeMs\"},{\"id\":\"inputTimeMs\"},{\"id\":"
	    "\"idleTimeMs\"}],"
	    "\"rows\":[{\"c\":[{\"v\":\"0\"},{\"v\":3},{\"v\":0.5},{\"v\":0.25}]}],"
	    "\"p\":{\"steptime_ms_average\":\"3.8\",\"compute_ms_average\":\"3.00\"}},"
	    "{\"cols\":[{\"id\":\"host_id\"}],\"rows\":[],"
	    "\"p\":{\"device_core_count\":\"8 (Replica count = 8)\",\"device_type\":\"TPU "
	    "v2\",\"host_count\":\"1\"}},"
	    "{\"cols\":[{\"id\":\"tip_type\"}],\"rows\":[],\"p\":{\"statement\":\"Feed <b>faster</b>\","
	    "\"bc_statement\":\"\"}}]";
	static const char *const path = "t-overview.overview_page.json";
	struct made m = { 0 };
	struct err e = { 0 };
	FILE *f = fopen(path, "wb");

	(void)state;
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, sizeof text - 1, f), sizeof text - 1);
	assert_int_equal(fclose(f), 0);
	m.dump = load_paths(&path, 1, NULL, NULL, &e);
	assert_non_null(m.dump);
	assert_int_equal(m.dump->ntools, 1);
	overview_from_toolfile(&m.dump->tools[0], &m.v);
	assert_true(m.v.tpu);
	assert_ptr_equal(m.v.file, &m.dump->tools[0]);
	assert_int_equal(m.v.recommendations.nrows, 1);
	assert_string_equal(m.v.recommendations.cells[table_column(&m.v.recommendations, "title")].s,
	    "Feed faster");
	is_fact(&m, "device_idle_time_percent", 1.5);
	is_fact(&m, "steptime_ms_average", 3.8);
	is_fact(&m, "tc_compute_ms_average", 3);
	is_fact(&m, "device_core_count", 8);
	assert_string_equal(facts_text(&m.v.summary, "device_type"), "TPU v2");
	assert_false(facts_get(&m.v.summary, "host_idle_known")->u.b);
	assert_int_equal(facts_get(&m.v.summary, "device_duty_cycle_percent")->type, CELL_NULL);
	assert_int_equal(m.v.steps.nrows, 1);
	assert_float_equal(number(&m.v.steps, 0, "tcInfeedTimeMs"), 0.5, 1e-12);
	assert_float_equal(number(&m.v.top_ops, 0, "flopRate"), 12.5, 1e-12);
	assert_int_equal(m.v.top[0].kind, KIND_COUNT); /* the file has no kinds of time */
	overview_free(&m.v);
	dump_close(m.dump);
	unlink(path);
}

/* A profiler's page has 0 for what was not measured: a duty cycle of 0 % beside 0 % of idle time. */
static void what_a_profiler_did_not_fill_in(void **state)
{
	static const char text[] =
	    "[{\"cols\":[{\"id\":\"selfTimePercent\"}],\"rows\":[],"
	    "\"p\":{\"device_duty_cycle_percent\":\"0.0%\",\"device_idle_time_percent\":\"0.0%\","
	    "\"host_idle_time_percent\":\"100.0%\",\"device_tf_op_percent\":\"92.0%\","
	    "\"host_tf_op_percent\":\"8.0%\",\"mxu_utilization_percent\":\"0.0%\"}},"
	    "{\"cols\":[{\"id\":\"stepnum\"},{\"id\":\"tcComputeTimeMs\"}],\"rows\":[],"
	    "\"p\":{\"steptime_ms_average\":\"0.0\",\"infeed_percent_average\":\"0.0\"}}]";
	static const char *const path = "t-overview.overview_page.json";
	static const char *const unknown[] = { "device_duty_cycle_percent", "device_idle_time_percent",
		"host_idle_time_percent", "mxu_utilization_percent", "steptime_ms_average",
		"infeed_percent_average" };
	struct made m = { 0 };
	struct err e = { 0 };
	FILE *f = fopen(path, "wb");

	(void)state;
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, sizeof text - 1, f), sizeof text - 1);
	assert_int_equal(fclose(f), 0);
	m.dump = load_paths(&path, 1, NULL, NULL, &e);
	assert_non_null(m.dump);
	overview_from_toolfile(&m.dump->tools[0], &m.v);
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
		if (is_known(&m, unknown[i]))
			fail_msg("%s is taken for measured", unknown[i]);
	assert_true(is_known(&m, "device_tf_op_percent"));
	assert_true(is_known(&m, "host_tf_op_percent"));
	overview_free(&m.v);
	dump_close(m.dump);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_a_step),
		cmocka_unit_test(what_is_not_known),
		cmocka_unit_test(choice_of_a_core),
		cmocka_unit_test(steps_that_cores_lack),
		cmocka_unit_test(ops_longer_than_their_step),
		cmocka_unit_test(without_markers_steps_are_runs),
		cmocka_unit_test(idle_time_charged_to_the_host),
		cmocka_unit_test(without_a_device),
		cmocka_unit_test(kernels_are_no_ops),
		cmocka_unit_test(a_region_of_a_thread_pool_is_an_instant),
		cmocka_unit_test(instants_are_no_work),
		cmocka_unit_test(steps_of_several_hosts),
		cmocka_unit_test(the_outermost_of_many_steps_are_left_out),
		cmocka_unit_test(every_number_has_a_formula),
		cmocka_unit_test(nothing_at_all),
		cmocka_unit_test(what_a_profiler_left),
		cmocka_unit_test(what_a_profiler_did_not_fill_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
