/* The input pipeline of captures that can be counted by hand: ops of the host, the five parts, busy threads,
 * and the verdict. */
#include "config.h"
#include "analyze/overview/internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "model/toolfile.h"
#include "overview.pb-c.h"

#include "../lib/mkspace.h"

#define NS 1000LL

static const struct overview_options all = { .core = -1, .threads = 1 };

static const struct overview no_overview;
static const struct steps no_steps;

/* Ends with end(). */
static struct dump *build(struct mkspace *s, const struct steps *steps, const struct overview *v,
    struct input_pipeline *p)
{
	struct dump *d = space_load(s, 1);

	input_pipeline_build(d, steps, v, &all, p);
	return d;
}

static void end(struct dump *d, struct input_pipeline *p)
{
	input_pipeline_free(p);
	space_close(d);
}

static void stage(struct mkspace *s, const char *name, const char *category, int64_t start, int64_t dur)
{
	space_event(s, name, start, dur);
	space_int(s, "_ipl_stage_id", 1);
	pb_stat_s(&s->event, 4, space_name(s->stat, &s->nstats, "_ipl_stage_cat"), category);
}

static void host_lines(struct mkspace *s)
{
	space_plane(s, 1, "/host:CPU");
	space_line(s, 1, "pool");
	space_event(s, "Iterator::Batch", 0, 100 * NS);
	space_event(s, "Iterator::Batch::TFRecord", 20 * NS, 40 * NS);
	space_event(s, "Iterator::Batch::Prefetch::TFRecord", 100 * NS, 30 * NS);
	space_line(s, 2, "infeed");
	space_event(s, "q/enqueue:InfeedEnqueueTuple", 0, 10 * NS);
	space_event(s, "q/enqueue:InfeedEnqueueTuple", 100 * NS, 20 * NS);
	space_event(s, "q/enqueue:InfeedEnqueueTuple", 300 * NS, 30 * NS);
	space_line(s, 3, "main");
	space_event(s, "IteratorGetNext:IteratorGetNext", 0, 200 * NS);
	space_line(s, 4, "other");
	space_event(s, "MatMul:MatMul", 0, 400 * NS);
	space_line(s, 5, "moment");
	space_event(s, "Iterator::Batch", 50 * NS, 0);
}

static double cell(const struct table *t, size_t row, const char *column)
{
	int c = table_column(t, column);

	assert_true(c >= 0 && row < t->nrows);
	const struct cell *v = &t->cells[row * t->ncolumns + (size_t)c];
	assert_true(v->type == CELL_NUM || v->type == CELL_INT);
	return v->type == CELL_NUM ? v->u.d : (double)v->u.i;
}

static const char *word(const struct table *t, size_t row, const char *column)
{
	static char buf[200];
	int c = table_column(t, column);

	assert_true(c >= 0 && row < t->nrows);
	const struct cell *v = &t->cells[row * t->ncolumns + (size_t)c];
	snprintf(buf, sizeof buf, "%.*s", v->type == CELL_STR ? (int)v->n : 1,
	    v->type == CELL_STR ? v->s : "-");
	return buf;
}

static struct steps one_step(struct step *v, int64_t from, int64_t to)
{
	*v = (struct step){ .number = "0", .host = 0, .core = -1, .start = from, .dur = to - from };
	return (struct steps){ .v = v, .n = 1, .distinct = 1, .source = STEPS_HOST };
}

static void test_host(void **state)
{
	struct mkspace s = { 0 };
	struct input_pipeline p;
	struct step step;
	struct steps steps = one_step(&step, 0, 400 * NS);
	struct dump *d;

	(void)state;
	host_lines(&s);
	d = build(&s, &steps, &no_overview, &p);

	/* enqueue 60, Batch 60 (a second one of no length), both readers 40 and 30: 190 ns by self time */
	assert_int_equal(p.host_ops.nrows, 4);
	assert_string_equal(word(&p.host_ops, 0, "opName"), "Iterator::Batch");
	assert_int_equal((int)cell(&p.host_ops, 0, "count"), 2);
	assert_float_equal(cell(&p.host_ops, 0, "timeInMs"), 100e-6, 1e-12);
	assert_float_equal(cell(&p.host_ops, 0, "timeInPercent"), 100.0 / 190, 1e-9);
	assert_float_equal(cell(&p.host_ops, 0, "selfTimeInPercent"), 60.0 / 190, 1e-9);
	assert_string_equal(word(&p.host_ops, 0, "category"), "Preprocessing");
	assert_string_equal(word(&p.host_ops, 1, "category"), "Enqueue");
	assert_string_equal(word(&p.host_ops, 2, "category"), "Demanded file read");
	assert_string_equal(word(&p.host_ops, 3, "category"), "Advanced file read");

	/* of 300 ns from first to last enqueue 30 enqueue: the rest of the host's work is 60 × 9 = 540 ns */
	assert_int_equal(p.breakdown.nrows, INPUT_CATEGORIES);
	assert_float_equal(cell(&p.breakdown, INPUT_ENQUEUE, "time_us"), 0.06, 1e-9);
	assert_float_equal(cell(&p.breakdown, INPUT_PREPROCESSING, "time_us"), 0.54 * 60 / 130, 1e-9);
	assert_float_equal(cell(&p.breakdown, INPUT_ADVANCED_READ, "time_us"), 0.54 * 30 / 130, 1e-9);
	assert_float_equal(cell(&p.breakdown, INPUT_DEMANDED_READ, "time_us"), 0.54 * 40 / 130, 1e-9);
	assert_float_equal(cell(&p.breakdown, INPUT_ENQUEUE, "share"), 0.1, 1e-9);
	assert_float_equal(cell(&p.breakdown, INPUT_OTHER, "time_us"), 0, 1e-9);

	/* no step of a device: nothing is said of it */
	assert_string_equal(facts_text(&p.summary, "input_class"), "unknown");
	assert_int_equal(facts_get(&p.summary, "input_percent")->type, CELL_NULL);
	assert_string_equal(facts_text(&p.summary, "hardware_type"), "CPU_ONLY");
	assert_int_equal(p.recommendations.nrows, 0);
	end(d, &p);
}

static void test_threads(void **state)
{
	struct mkspace s = { 0 };
	struct input_pipeline p;
	struct step step;
	struct steps steps = one_step(&step, 0, 400 * NS);
	struct dump *d;

	(void)state;
	host_lines(&s);
	d = build(&s, &steps, &no_overview, &p);
	assert_int_equal(p.nthreads, 3); /* "other" has no input, "moment" no length */
	assert_int_equal(p.threads[0].track, space_track(d, "main", 0));
	assert_float_equal(p.threads[0].busy, 0.5, 1e-9);
	assert_int_equal(p.threads[1].track, space_track(d, "pool", 0));
	assert_float_equal(p.threads[1].busy, 130.0 / 400, 1e-9);
	for (int k = 0; k < INPUT_PIECES; k++)
		assert_float_equal(p.threads[1].piece[k], k < 13 ? 1 : 0, 1e-9);
	assert_float_equal(p.threads[2].busy, 60.0 / 400, 1e-9);
	assert_float_equal(p.threads[2].piece[32], 1, 1e-9);
	assert_float_equal(p.threads[2].piece[33], 0, 1e-9);
	assert_int_equal(p.warnings.nrows, 1);
	assert_non_null(strstr(word(&p.warnings, 0, "text"), "of zero length"));
	input_pipeline_free(&p);

	/* a step that begins in the middle of an event: 195 … 235 ns, pieces of 1 ns */
	steps = one_step(&step, 195 * NS, 235 * NS);
	input_pipeline_build(d, &steps, &no_overview, &all, &p);
	assert_float_equal(p.threads[0].busy, 5.0 / 40, 1e-9);
	assert_float_equal(p.threads[0].piece[4], 1, 1e-9);
	assert_float_equal(p.threads[0].piece[5], 0, 1e-9);
	assert_float_equal(p.threads[1].busy, 0, 1e-9);
	end(d, &p);
}

/* An overview was made of fewer tracks than there are now: those behind are not looked at. */
static void test_later_tracks(void **state)
{
	uint8_t marks[16];
	struct framework none = { 0 };
	struct mkspace s = { 0 };
	struct overview v = { .host_ops = &none, .input_tracks = marks, .ninput_tracks = 1 };
	struct input_pipeline p;
	struct step step;
	struct steps steps = one_step(&step, 0, 400 * NS);
	struct dump *d;

	(void)state;
	memset(marks, 1, sizeof marks);
	host_lines(&s);
	d = space_load(&s, 1);
	assert_true(d->trace.ntracks > 1 && d->trace.ntracks < sizeof marks);
	input_pipeline_build(d, &steps, &v, &all, &p);
	assert_int_equal(p.nthreads, 1);
	assert_int_equal(p.threads[0].track, 0);
	end(d, &p);
}

static void test_stages(void **state)
{
	struct mkspace s = { 0 };
	struct input_pipeline p;
	struct dump *d;

	(void)state;
	space_plane(&s, 1, "/host:CPU");
	space_line(&s, 1, "loader");
	stage(&s, "load", "Read", 0, 30 * NS);
	stage(&s, "decode", "PREPROCESSING", 30 * NS, 60 * NS);
	stage(&s, "push", "enqueue", 90 * NS, 5 * NS);
	stage(&s, "wait", "unknown", 95 * NS, 5 * NS);
	stage(&s, "postprocess", "something else", 100 * NS, 90 * NS);
	d = build(&s, &no_steps, &no_overview, &p);
	assert_int_equal(p.host_ops.nrows, 4);
	assert_string_equal(word(&p.host_ops, 0, "opName"), "decode");
	assert_string_equal(word(&p.host_ops, 0, "category"), "Preprocessing");
	assert_string_equal(word(&p.host_ops, 1, "category"), "Demanded file read");
	assert_string_equal(word(&p.host_ops, 2, "category"), "Enqueue");
	assert_string_equal(word(&p.host_ops, 3, "category"), "Unknown");
	/* no enqueue follows another: their share is not known, and the parts stay as they are */
	assert_float_equal(cell(&p.breakdown, INPUT_DEMANDED_READ, "time_us"), 0.03, 1e-9);
	assert_int_equal(p.nthreads, 1); /* without steps over all of its own time */
	assert_float_equal(p.threads[0].busy, 1, 1e-9);
	end(d, &p);
}

/* No infeed: copies to the device stand for it, 0.25 of 10 ms in a step. */
static void test_copies(void **state)
{
	struct mkspace s = { 0 };
	struct overview v = { .host_to_device_ms = 0.25 };
	struct input_pipeline p;
	struct dump *d;

	(void)state;
	space_plane(&s, 1, "/host:CPU");
	space_line(&s, 1, "loader");
	space_event(&s, "Iterator::Map", 0, 30 * NS);
	space_event(&s, "MemcpyHToD", 30 * NS, 10 * NS);
	d = space_load(&s, 1);
	facts_num(&v.summary, "steptime_ms_average", 10);
	input_pipeline_build(d, &no_steps, &v, &all, &p);
	assert_string_equal(word(&p.host_ops, 1, "opName"), "MemcpyHToD");
	assert_string_equal(word(&p.host_ops, 1, "category"), "Enqueue");
	assert_float_equal(cell(&p.breakdown, INPUT_ENQUEUE, "share"), 0.025, 1e-9);
	assert_float_equal(cell(&p.breakdown, INPUT_PREPROCESSING, "time_us"), 0.01 * 39, 1e-9);
	input_pipeline_free(&p);
	facts_free(&v.summary);
	space_close(d);
}

static void test_no_host(void **state)
{
	struct mkspace s = { 0 };
	struct input_pipeline p;
	struct dump *d;

	(void)state;
	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 1, "XLA Ops");
	space_event(&s, "fusion.1", 0, 10);
	d = build(&s, &no_steps, &no_overview, &p);
	assert_int_equal(p.host_ops.nrows, 0);
	assert_int_equal(p.nthreads, 0);
	assert_int_equal(p.warnings.nrows, 1);
	assert_non_null(strstr(word(&p.warnings, 0, "text"), "no host plane"));
	assert_string_equal(facts_text(&p.summary, "hardware_type"), "TPU");
	end(d, &p);
}

static const struct column step_columns[] = {
	{ .id = "stepnum", .label = "", .unit = "", .type = COL_STRING },
	{ .id = "tcComputeTimeMs", .label = "", .unit = "ms", .type = COL_NUMBER },
	{ .id = "tcInfeedTimeMs", .label = "", .unit = "ms", .type = COL_NUMBER },
	{ .id = "tcOutfeedTimeMs", .label = "", .unit = "ms", .type = COL_NUMBER },
	{ .id = "tcIdleTimeMs", .label = "", .unit = "ms", .type = COL_NUMBER },
	{ .id = "stepTimeMs", .label = "", .unit = "ms", .type = COL_NUMBER }
};
static const struct schema step_columns_schema = { SCHEMA_COLUMNS(step_columns) };

static void add_step(struct overview *v, const char *number, double compute, double infeed, double idle,
    double step)
{
	struct cell *c = table_row(&v->steps);

	c[0] = cell_str(number, strlen(number));
	c[1] = cell_num(compute);
	c[2] = cell_num(infeed);
	c[3] = cell_num(0);
	c[4] = cell_num(idle);
	c[5] = cell_num(step);
}

/* Two cores, two steps of 1 ms: "4" waits on core 1, "5" nowhere. */
static void device(struct overview *v, struct step_core_info *core, struct overview_step *step)
{
	*v = (struct overview){ .tpu = true, .step = step, .nsteps = 2 };
	table_begin(&v->steps, &step_columns_schema);
	add_step(v, "4", 0.6, 0.3, 0.1, 1);
	add_step(v, "5", 0.9, 0, 0.1, 1);
	v->cores.ncores = v->cores.nsteps = 2;
	v->cores.core = core;
	v->cores.step = xcalloc(2, sizeof *v->cores.step);
	for (int i = 0; i < 2; i++) {
		core[i] = (struct step_core_info){ .host = 0, .core = i, .chip = -1, .core_on_chip = -1 };
		snprintf(v->cores.step[i].number, sizeof v->cores.step[i].number, "%d", 4 + i);
	}
	step[0] = (struct overview_step){ .step = 0, .all_reduce = 0.3, .infeed_core = 1 };
	step[1] = (struct overview_step){ .step = 1, .infeed_core = SIZE_MAX };
}

static void test_device(void **state)
{
	struct mkspace s = { 0 };
	struct step_core_info core[2];
	struct overview_step step[2];
	struct input_pipeline p;
	struct overview v;
	char want[100];
	struct dump *d;

	(void)state;
	host_lines(&s);
	d = space_load(&s, 1);
	device(&v, core, step);
	facts_num(&v.summary, "steptime_ms_average", 1);
	facts_num(&v.summary, "device_core_count", 2);
	input_pipeline_build(d, &no_steps, &v, &all, &p);

	/* 0.3 of 2 ms; by XProf of 2.3 ms, as all-reduce counts twice */
	assert_float_equal(facts_number(&p.summary, "input_percent"), 100 * 0.3 / 2, 1e-9);
	assert_float_equal(facts_number(&p.summary, "input_conclusion_percent"), 100 * 0.3 / 2.3, 1e-9);
	assert_string_equal(facts_text(&p.summary, "input_class"), "moderate");
	assert_float_equal(facts_number(&p.summary, "steptime_ms_average"), 1, 0);
	assert_null(facts_get(&p.summary, "device_core_count"));
	assert_int_equal(p.max_infeed_core.nrows, 2);
	snprintf(want, sizeof want, "%.*s:1", (int)strtab_len(&d->str, d->hosts[0].name),
	    strtab_str(&d->str, d->hosts[0].name));
	assert_string_equal(word(&p.max_infeed_core, 0, "coreName"), want);
	assert_string_equal(word(&p.max_infeed_core, 1, "coreName"), "-");

	/* the largest part first, as measured: the enqueue, then preprocessing, then the two readers */
	assert_int_equal(p.recommendations.nrows, 4);
	assert_string_equal(word(&p.recommendations, 0, "id"), "input_enqueue");
	assert_string_equal(word(&p.recommendations, 0, "severity"), "medium");
	assert_string_equal(word(&p.recommendations, 1, "id"), "input_preprocessing");
	assert_string_equal(word(&p.recommendations, 2, "id"), "input_demanded_file_read");
	/* the paragraphs of the table of findings */
	assert_int_equal(strncmp(word(&p.recommendations, 1, "advice"), "Give preprocessing more threads",
			     31),
	    0);
	assert_int_equal(strncmp(word(&p.recommendations, 0, "advice"), "Transfer fewer, larger arrays", 29),
	    0);
	input_pipeline_free(&p);

	facts_free(&v.summary);
	table_free(&v.steps);
	free(v.cores.step);
	space_close(d);
}

/* The advice is as urgent as the verdict of findings and view, not as XProf's class. */
static void test_verdict(void **state)
{
	struct mkspace s = { 0 };
	struct step_core_info core[2];
	struct overview_step step[2];
	struct input_pipeline p;
	struct overview v;
	struct dump *d;

	(void)state;
	host_lines(&s);
	d = space_load(&s, 1);
	device(&v, core, step);
	*(struct cell *)table_get(&v.steps, 0, "tcInfeedTimeMs") = cell_num(0.45);
	*(struct cell *)table_get(&v.steps, 0, "tcComputeTimeMs") = cell_num(0.45);
	input_pipeline_build(d, &no_steps, &v, &all, &p);
	assert_string_equal(facts_text(&p.summary, "input_class"), "moderate"); /* 0.45 of 2.3 ms */
	assert_float_equal(input_share(&p), 100 * 0.45 / 2, 1e-9);
	assert_string_equal(input_verdict(&p), "high");
	assert_string_equal(word(&p.recommendations, 0, "severity"), "high");
	p.file = &(struct toolfile){ 0 };
	assert_string_equal(input_verdict(&p), "moderate");
	input_pipeline_free(&p);
	table_free(&v.steps);
	facts_free(&v.summary);
	free(v.cores.step);
	space_close(d);
}

static void test_generic(void **state)
{
	static const struct column columns[] = {
		{ .id = "stepnum", .label = "", .unit = "", .type = COL_STRING },
		{ .id = "infeedTimeMs", .label = "", .unit = "ms", .type = COL_NUMBER },
		{ .id = "otherTimeMs", .label = "", .unit = "ms", .type = COL_NUMBER },
		{ .id = "stepTimeMs", .label = "", .unit = "ms", .type = COL_NUMBER }
	};
	static const struct schema columns_schema = { SCHEMA_COLUMNS(columns) };
	static const struct {
		double infeed, other, percent;
		const char *class;
	} v[] = {
		{ 2, 5, 20, "high" }, { 1.9, 5, 19, "moderate" }, { 0.5, 9, 5, "moderate" },
		{ 0.4, 0.3, 3, "potential" }, { 0.4, 0.2, 4, "none" },
		{ 0, 5, 50, "potential" }, /* for all that is known */
	};

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct overview o = { 0 };
		struct facts f = { 0 };
		struct cell *c;

		table_begin(&o.steps, &columns_schema);
		c = table_row(&o.steps);
		c[1] = cell_num(v[i].infeed);
		c[2] = cell_num(v[i].other);
		c[3] = cell_num(10);
		input_conclude(&o, &f);
		assert_string_equal(facts_text(&f, "input_class"), v[i].class);
		assert_float_equal(facts_number(&f, "input_conclusion_percent"), v[i].percent, 1e-9);
		assert_float_equal(facts_number(&f, "input_percent"), v[i].infeed * 10, 1e-9);
		assert_int_equal(facts_get(&f, "input_known")->u.b, v[i].infeed > 0);
		facts_free(&f);
		table_free(&o.steps);
	}
}

static void test_parts(void **state)
{
	const double self[INPUT_CATEGORIES] = { 10, 0, 0, 0, 7 };
	double us[INPUT_CATEGORIES];

	(void)state;
	input_host_parts(self, 0.25, us); /* nothing is known of the other 30 */
	assert_float_equal(us[INPUT_ENQUEUE], 10, 0);
	assert_float_equal(us[INPUT_PREPROCESSING], 0, 0);
	assert_float_equal(us[INPUT_OTHER], 30, 1e-9);
	input_host_parts(self, 1, us);
	assert_float_equal(us[INPUT_OTHER], 0, 0);
}

static void test_canceled(void **state)
{
	struct progress progress = { .cancel = true };
	struct overview_options options = { .core = -1, .threads = 1, .progress = &progress };
	struct mkspace s = { 0 };
	struct input_pipeline p;
	struct dump *d;

	(void)state;
	host_lines(&s);
	d = space_load(&s, 1);
	input_pipeline_build(d, &no_steps, &no_overview, &options, &p);
	assert_int_equal(p.nthreads, 0);
	end(d, &p);
}

static struct cell *cell_at(const struct table *t, size_t row, const char *column)
{
	return &t->cells[row * t->ncolumns + (size_t)table_column(t, column)];
}

static void test_old_file(void **state)
{
	static const char text[] =
	    "[{\"cols\":[{\"id\":\"opName\"},{\"id\":\"count\"},{\"id\":\"selfTimeInMs\"}],"
	    "\"rows\":[{\"c\":[{\"v\":\"Iterator::Batch\"},{\"v\":7},{\"v\":2.5}]}],"
	    "\"p\":{\"enqueue_us\":\"10.5\",\"preprocessing_us\":\"31.5\"}},{},"
	    "{\"cols\":[{\"id\":\"index\"},{\"id\":\"0\"},{\"id\":\"1\"}],"
	    "\"rows\":[{\"c\":[{\"v\":\"Step number\"},{\"v\":\"8\"},{\"v\":\"9\"}]},"
	    "{\"c\":[{\"v\":\"Core name\"},{\"v\":\"unknown\"},{\"v\":\"h:3\"}]}]},"
	    "{\"cols\":[{\"id\":\"severity\"},{\"id\":\"message\"}],"
	    "\"rows\":[{\"c\":[{\"v\":\"WARNING\"},{\"v\":\"steps <b>dropped</b>\"}]}]},"
	    "{\"cols\":[{\"id\":\"stepnum\"},{\"id\":\"noninfeedTimeMs\"},{\"id\":\"infeedTimeMs\"},{\"id\":"
	    "\"infeedPercentMax\"}],"
	    "\"rows\":[{\"c\":[{\"v\":\"8\"},{\"v\":9},{\"v\":1},{\"v\":2.2250738585072014e-308}]},"
	    "{\"c\":[{\"v\":\"9\"},{\"v\":7},{\"v\":3}]}],"
	    "\"p\":{\"steptime_ms_average\":\"10.00\",\"summary_conclusion\":\"(1) It is HIGHLY input-bound "
	    "because 20.0% of\"}}]";
	struct toolfile file = { 0 };
	struct input_pipeline p;
	struct err e;

	(void)state;
	file.json = json_parse(&file.arena, text, sizeof text - 1, &e);
	assert_non_null(file.json);
	input_from_toolfile(&file, &p);
	assert_int_equal(p.device.nrows, 2);
	assert_float_equal(cell(&p.device, 0, "tcComputeTimeMs"), 9, 0);
	assert_float_equal(cell(&p.device, 1, "tcInfeedTimeMs"), 3, 0);
	assert_float_equal(cell(&p.device, 1, "stepTimeMs"), 10, 0);
	assert_float_equal(cell(&p.device, 0, "infeedPercentMax"), 0, 0);
	assert_int_equal(cell_at(&p.device, 1, "infeedPercentMax")->type, CELL_NULL);
	assert_int_equal(cell_at(&p.device, 0, "tcIdleTimeMs")->type, CELL_NULL);
	assert_string_equal(facts_text(&p.summary, "input_class"), "high");
	assert_float_equal(facts_number(&p.summary, "input_conclusion_percent"), 20, 0);
	assert_float_equal(facts_number(&p.summary, "input_percent"), 20, 1e-9);
	assert_float_equal(facts_number(&p.summary, "steptime_ms_average"), 10, 0);
	assert_int_equal(facts_get(&p.summary, "tc_idle_ms_average")->type, CELL_NULL);
	assert_int_equal(facts_get(&p.summary, "hardware_type")->type, CELL_NULL);
	assert_string_equal(word(&p.max_infeed_core, 0, "stepnum"), "8");
	assert_string_equal(word(&p.max_infeed_core, 0, "coreName"), "-");
	assert_string_equal(word(&p.max_infeed_core, 1, "coreName"), "h:3");
	assert_int_equal(p.host_ops.nrows, 1);
	assert_float_equal(cell(&p.host_ops, 0, "count"), 7, 0);
	assert_int_equal(cell_at(&p.host_ops, 0, "timeInMs")->type, CELL_NULL);
	assert_float_equal(cell(&p.breakdown, INPUT_PREPROCESSING, "share"), 0.75, 1e-9);
	assert_int_equal(cell_at(&p.breakdown, INPUT_OTHER, "time_us")->type, CELL_NULL);
	assert_string_equal(word(&p.recommendations, 0, "id"), "input_preprocessing");
	assert_int_equal(p.warnings.nrows, 1);
	assert_string_equal(word(&p.warnings, 0, "text"), "steps dropped");
	input_pipeline_free(&p);
	arena_free(&file.arena);
}

/* Without steps the averages and the sentence of a result are what it says, and its verdict holds. */
static void test_file_without_steps(void **state)
{
	static const struct {
		const char *text, *class;
		double percent;
	} files[] = {
		{ "[{\"cols\":[{\"id\":\"stepnum\"}],\"rows\":[],\"p\":{\"infeed_percent_average\":\"12.5\","
		  "\"summary_conclusion\":\"Your program is HIGHLY input-bound because 29.6% of it\"}}]",
		    "high", 12.5 },
		{ "[{\"cols\":[{\"id\":\"stepnum\"}],\"rows\":[],\"p\":{"
		  "\"summary_conclusion\":\"Your program is MODERATELY input-bound because 9.5% of it\"}}]",
		    "moderate", 9.5 },
		{ "[{\"cols\":[{\"id\":\"tip_type\"}],\"p\":{\"statement\":\"Your program is HIGHLY "
		  "input-bound\"}}]",
		    "high", NAN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct toolfile file = { 0 };
		struct input_pipeline p;
		struct err e;
		double percent;

		file.json = json_parse(&file.arena, files[i].text, strlen(files[i].text), &e);
		assert_non_null(file.json);
		input_from_toolfile(&file, &p);
		assert_non_null(p.file);
		assert_string_equal(facts_text(&p.summary, "input_class"), files[i].class);
		percent = facts_number(&p.summary, "input_percent");
		assert_true(isnan(files[i].percent) ? isnan(percent) : percent == files[i].percent);
		input_pipeline_free(&p);
		arena_free(&file.arena);
	}
}

/* A message without a breakdown does not say that the host did nothing. */
static void test_message_without_breakdown(void **state)
{
	Pb__InputPipelineAnalysisResult r = PB__INPUT_PIPELINE_ANALYSIS_RESULT__INIT;
	Pb__InputTimeBreakdown b = PB__INPUT_TIME_BREAKDOWN__INIT;
	struct toolfile file = { .message = &r.base };
	struct input_pipeline p;

	(void)state;
	input_from_toolfile(&file, &p);
	assert_int_equal(p.breakdown.nrows, INPUT_CATEGORIES);
	for (int i = 0; i < INPUT_CATEGORIES; i++)
		assert_int_equal(cell_at(&p.breakdown, (size_t)i, "time_us")->type, CELL_NULL);
	input_pipeline_free(&p);
	r.input_time_breakdown = &b;
	input_from_toolfile(&file, &p);
	assert_float_equal(cell(&p.breakdown, INPUT_OTHER, "time_us"), 0, 0);
	input_pipeline_free(&p);
}

static void test_empty_file(void **state)
{
	static const char *const texts[] = { "[]", "{}", "[{},{\"cols\":[{\"id\":\"stepnum\"}]}]", "3",
		("[{\"cols\":[{\"id\":\"index\"}],\"rows\":[{\"c\":[]},3,{\"c\":4}]},{\"cols\":[{\"id\":"
		 "\"stepnum\"}],\"rows\":[{},null]}]") };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct toolfile file = { 0 };
		struct input_pipeline p;
		struct err e;

		file.json = json_parse(&file.arena, texts[i], strlen(texts[i]), &e);
		assert_non_null(file.json);
		input_from_toolfile(&file, &p);
		assert_string_equal(facts_text(&p.summary, "input_class"), "unknown");
		assert_int_equal(p.breakdown.nrows, INPUT_CATEGORIES);
		assert_int_equal(cell_at(&p.breakdown, 0, "time_us")->type, CELL_NULL);
		input_pipeline_free(&p);
		arena_free(&file.arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_later_tracks),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_no_host),
		cmocka_unit_test(test_device),
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_generic),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_canceled),
		cmocka_unit_test(test_old_file),
		cmocka_unit_test(test_file_without_steps),
		cmocka_unit_test(test_empty_file),
		cmocka_unit_test(test_message_without_breakdown),
	};

	return cmocka_run_group_tests_name("input pipeline", tests, NULL, NULL);
}
