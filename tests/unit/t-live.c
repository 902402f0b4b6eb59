/* Numbers of running jobs: percentiles of buckets, rows of chips, what monitoring says. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "live/chips.h"
#include "live/sample.h"
#include "remote/metrics/internal.h"
#include "tests/lib/pbuild.h"

static void test_percentiles(void **state)
{
	const int64_t none[3] = { 0 }, one[] = { 0, 0, 10 }, two[] = { 0, 50, 50 };

	(void)state;
	assert_true(isnan(metrics_percentile(none, 3, 1, 2, .5)));
	assert_true(isnan(metrics_percentile(NULL, 0, 1, 2, .5)));
	/* bucket 2 goes from 2 to 4 */
	assert_float_equal(metrics_percentile(one, 3, 1, 2, .5), 3, 1e-9);
	assert_float_equal(metrics_percentile(one, 3, 1, 2, .9), 3.8, 1e-9);
	assert_float_equal(metrics_percentile(two, 3, 1, 2, .5), 2, 1e-9);
	assert_float_equal(metrics_percentile(two, 3, 10, 2, .9), 36, 1e-9);
}

/* A Metric with a distribution of one class of sizes: counts in buckets of scale 1 that double. */
static void add_latency(struct pb *all, const char *class, double mean, const int64_t *count, size_t n)
{
	struct pb metric = { 0 }, attribute = { 0 }, value = { 0 }, d = { 0 }, options = { 0 },
		  buckets = { 0 };
	int64_t sum = 0;

	pb_s(&value, 1, class);
	pb_s(&attribute, 1, "buffer_size");
	pb_sub(&attribute, 2, &value);
	pb_sub(&metric, 1, &attribute);
	for (size_t i = 0; i < n; i++)
		sum += count[i];
	pb_u(&d, 1, (uint64_t)sum);
	pb_double(&d, 2, mean);
	pb_double(&buckets, 2, 2);
	pb_double(&buckets, 3, 1);
	pb_sub(&options, 2, &buckets);
	pb_sub(&d, 6, &options);
	for (size_t i = 0; i < n; i++)
		pb_u(&d, 7, (uint64_t)count[i]);
	pb_sub(&metric, 5, &d);
	pb_sub(all, 3, &metric);
}

/* More classes than there are sizes, in more answers than there are metrics: the rest is left out. */
static void test_too_many_classes(void **state)
{
	struct pb tpu = { 0 }, answer = { 0 };
	struct readings r = { 0 };
	const int64_t one = 1;
	char class[20];

	(void)state;
	for (int i = 0; i < 2000; i++) {
		snprintf(class, sizeof class, "%dMB", i);
		add_latency(&tpu, class, 1, &one, 1);
	}
	pb_sub(&answer, 1, &tpu);
	readings_decode(&r, &(struct reading){ .metric = "m", .from = "h:1" }, answer.b, answer.n);
	assert_int_equal(r.n, 512);
	for (int i = 0; i < 40; i++)
		readings_decode(&r, &(struct reading){ .metric = "m", .from = "h:1" }, answer.b, answer.n);
	assert_int_equal(r.n, 16384);
	readings_free(&r);
	pb_free(&answer);
}

/* The buckets of a class are added up before its percentiles are taken. */
static void test_a_class_of_sizes_in_parts(void **state)
{
	const int64_t low[] = { 0, 50 }, high[] = { 0, 0, 50 };
	struct pb all = { 0 }, response = { 0 };
	struct readings r = { 0 };

	(void)state;
	add_latency(&all, "8MB+", 1, low, 2);
	add_latency(&all, "1KB", 1, low, 2);
	add_latency(&all, "8MB+", 3, high, 3);
	pb_sub(&response, 1, &all);
	readings_decode(&r, &(struct reading){ .metric = "latencies", .from = "localhost:1" }, response.b,
	    response.n);
	assert_int_equal(r.n, 2);
	assert_string_equal(r.v[0].label, "8MB+");
	assert_float_equal(r.v[0].count, 100, 0);
	assert_float_equal(r.v[0].value, 2, 1e-9);
	assert_float_equal(r.v[0].p50, 2, 1e-9);
	assert_float_equal(r.v[0].p90, 3.6, 1e-9);
	assert_string_equal(r.v[1].label, "1KB");
	assert_float_equal(r.v[1].p50, 1.5, 1e-9);
	readings_free(&r);
	pb_free(&response);
}

/* A server may name its metrics as it likes. */
static void test_csv_of_a_strange_metric(void **state)
{
	struct readings r = { 0 };
	char line[200];
	FILE *f = tmpfile();

	(void)state;
	VEC_ADD(r.v, r.n, r.cap,
	    (struct reading){ .metric = "a,\"b",
		.from = "localhost:1",
		.device = 1,
		.value = 2,
		.count = NAN,
		.p50 = NAN,
		.p90 = NAN,
		.p95 = NAN,
		.p999 = NAN });
	chips_write_csv(&r, 7, false, f);
	rewind(f);
	assert_non_null(fgets(line, sizeof line, f));
	assert_string_equal(line, "7,\"a,\"\"b\",1,\"\",2,,,,,,localhost:1\r\n");
	fclose(f);
	readings_free(&r);
}

static void add_reading_of(struct readings *r, int server, const char *metric, int device, double value)
{
	VEC_ADD(r->v, r->n, r->cap,
	    (struct reading){ .metric = metric,
		.from = server ? "localhost:2" : "localhost:1",
		.server = server,
		.device = device,
		.value = value,
		.p50 = NAN,
		.p999 = NAN });
}

static void add_reading(struct readings *r, const char *metric, int device, double value)
{
	add_reading_of(r, 0, metric, device, value);
}

static struct chips rows_of(int devices, int chips)
{
	struct readings r = { 0 };
	struct chips c;

	for (int i = devices - 1; i >= 0; i--)
		add_reading(&r, "tpu.runtime.hbm.memory.usage.bytes", i, 1000 + i);
	for (int i = 0; i < chips; i++)
		add_reading(&r, "tpu.runtime.tensorcore.dutycycle.percent", i, 10 * i);
	c = chips_of(&r);
	readings_free(&r);
	return c;
}

static void test_rows_of_chips(void **state)
{
	struct chips c = rows_of(4, 4);

	(void)state;
	assert_int_equal(c.n, 4);
	assert_int_equal(c.v[3].device, 3);
	assert_float_equal(c.v[3].used, 1003, 0);
	assert_float_equal(c.v[3].duty, 30, 0);
	assert_true(isnan(c.v[3].queue));
	chips_free(&c);
	c = rows_of(4, 2); /* two devices per chip */
	assert_float_equal(c.v[1].duty, 0, 0);
	assert_float_equal(c.v[2].duty, 10, 0);
	chips_free(&c);
	c = rows_of(4, 3); /* nobody knows which */
	assert_true(isnan(c.v[0].duty));
	chips_free(&c);
	c = rows_of(0, 2);
	assert_int_equal(c.n, 2);
	assert_float_equal(c.v[1].duty, 10, 0);
	chips_free(&c);
	c = rows_of(0, 0);
	assert_int_equal(c.n, 0);
	chips_free(&c);
}

/* Each process counts its devices from 0. */
static void test_devices_of_two_servers(void **state)
{
	struct readings r = { 0 };
	char text[600];
	struct chips c;
	FILE *f;

	(void)state;
	for (int server = 1; server >= 0; server--)
		for (int i = 0; i < 2; i++) {
			add_reading_of(&r, server, "tpu.runtime.hbm.memory.usage.bytes", i, 100 * server + i);
			if (server || !i) /* the first one has two devices on its chip */
				add_reading_of(&r, server, "tpu.runtime.tensorcore.dutycycle.percent", i,
				    50 * server + 10 * i + 5);
		}
	c = chips_of(&r);
	assert_int_equal(c.n, 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(c.v[i].server, i / 2);
		assert_string_equal(c.v[i].from, i < 2 ? "localhost:1" : "localhost:2");
		assert_int_equal(c.v[i].device, i % 2);
		assert_float_equal(c.v[i].used, 100 * (i / 2) + i % 2, 0);
	}
	assert_float_equal(c.v[1].duty, 5, 0);
	assert_float_equal(c.v[2].duty, 55, 0);
	assert_float_equal(c.v[3].duty, 65, 0);
	assert_ptr_equal(chips_find(&c, 1, 0), &c.v[2]);
	assert_null(chips_find(&c, 1, 2));
	assert_true(chips_share_number(&c, 1));
	assert_false(chips_share_number(&c, 2));
	chips_free(&c);
	f = fmemopen(text, sizeof text, "w");
	chips_write_text(&r, 0, f);
	fclose(f);
	assert_non_null(strstr(text, "  server\n"));
	assert_non_null(strstr(text, "  localhost:2\n"));
	readings_free(&r);
}

/* A server that says more devices than there are in the world takes neither long nor much. */
static void test_too_many_devices(void **state)
{
	struct readings r = { 0 };
	struct chips c;

	(void)state;
	for (int i = 0; i < 400000; i++)
		add_reading(&r, i % 2 ? "hlo.queue.size.gauge" : "tpu.runtime.tensorcore.dutycycle.percent",
		    i, 1);
	c = chips_of(&r);
	assert_int_equal(c.n, DEVICES_MAX);
	chips_free(&c);
	readings_free(&r);
}

static void written(const struct job_sample *s, int level, char *buf, size_t size)
{
	FILE *f = fmemopen(buf, size, "w");

	sample_write(s, level, f);
	fclose(f);
}

static void test_what_monitoring_says(void **state)
{
	struct job_sample s = { .tpu = true,
		.type = "TPU v3",
		.cores = 8,
		.idle = 17.94,
		.mxu = .0581,
		.step_avg = 70.61,
		.step_min = 9.876,
		.step_max = 1950,
		.infeed_avg = 0,
		.infeed_min = 0,
		.infeed_max = 100 };
	char text[2000] = "", *after;

	(void)state;
	written(&s, 1, text, sizeof text);
	after = strchr(text, '\n');
	assert_string_equal(after,
	    "\nTPU type: TPU v3\nUtilization of TPU Matrix Units (higher is better): 0.058%\n\n");
	written(&s, 2, text, sizeof text);
	after = strchr(text, '\n');
	assert_string_equal(after,
	    "\nTPU type: TPU v3\nNumber of TPU cores: 8\nTPU idle time (lower is better): 17.9%\n"
	    "Utilization of TPU Matrix Units (higher is better): 0.058%\n"
	    "Step time: 70.6ms (avg), 9.88ms (min), 1.95s (max)\n"
	    "Infeed percentage: 0.000% (avg), 0.000% (min), 100% (max)\n\n");
}

static void test_an_answer_to_monitor(void **state)
{
	struct pb m = { 0 }, result = { 0 };
	struct err err = { 0 };
	struct job_sample s;

	(void)state;
	pb_s(&m, 1, "TPU type: \033[31mTPU v2\nIdle: 3%\n");
	pb_u(&result, 1, 2);
	pb_double(&result, 2, 12.5);
	pb_double(&result, 3, 40);
	pb_sub(&m, 10, &result);
	assert_int_equal(sample_of_answer(m.b, m.n, &s, &err), 0);
	assert_string_equal(s.said, "TPU type: ␛[31mTPU v2\nIdle: 3%\n");
	assert_float_equal(s.idle, 12.5, 0);
	assert_float_equal(s.mxu, 40, 0);
	assert_true(isnan(s.step_avg));
	assert_int_equal(sample_of_answer("\x0a\x7f", 2, &s, &err), -1);
	pb_free(&m);
}

/* Numbers that no job has: none is longer than the room for it, and what is no number is not known. */
static void test_numbers_without_measure(void **state)
{
	static const double is[] = { 1e300, -1e300, -1e300, 1e308, NAN, INFINITY, -1e300, 1e300 };
	struct pb m = { 0 }, result = { 0 };
	struct err err = { 0 };
	struct job_sample s;
	char text[2000] = "";

	(void)state;
	pb_u(&result, 1, 3);
	for (unsigned i = 0; i < 8; i++)
		pb_double(&result, 2 + i, is[i]);
	pb_sub(&m, 10, &result);
	assert_int_equal(sample_of_answer(m.b, m.n, &s, &err), 0);
	assert_true(isnan(s.infeed_avg));
	s.infeed_avg = 0;
	written(&s, 2, text, sizeof text);
	assert_string_equal(strchr(text, '\n'),
	    "\nTPU type: unknown\nNumber of TPU cores: 0\nTPU idle time (lower is better): 1e+300%\n"
	    "Utilization of TPU Matrix Units (higher is better): -1e+300%\n"
	    "Step time: -1e+300ms (avg), 1e+305s (min), – (max)\n"
	    "Infeed percentage: 0.000% (avg), -1e+300% (min), 1e+300% (max)\n\n");
	pb_free(&m);
}

static void test_text_of_an_old_server(void **state)
{
	struct pb m = { 0 };
	struct err err = { 0 };
	struct job_sample s;

	(void)state;
	pb_s(&m, 1,
	    "Timestamp: 13:00:11\nTPU type: TPU v3\nNumber of TPU Cores: 8\nTPU idle time (lower is better): "
	    "17.9%\n"
	    "Utilization of TPU Matrix Units is (higher is better): 0.058%\n"
	    "Step time: 1.95 kms (avg), 70.6ms (min), 2.5s (max)\nInfeed percentage: 1.5% (avg)\nOthers, "
	    "7\nStep "
	    "time\n");
	assert_int_equal(sample_of_answer(m.b, m.n, &s, &err), 0);
	assert_true(s.tpu);
	assert_string_equal(s.type, "TPU v3");
	assert_int_equal(s.cores, 8);
	assert_float_equal(s.idle, 17.9, 1e-9);
	assert_float_equal(s.mxu, .058, 1e-9);
	assert_float_equal(s.step_avg, 1950, 1e-9);
	assert_float_equal(s.step_min, 70.6, 1e-9);
	assert_float_equal(s.step_max, 2500, 1e-9);
	assert_float_equal(s.infeed_avg, 1.5, 1e-9);
	assert_true(isnan(s.infeed_min));
	pb_free(&m);
	m = (struct pb){ 0 };
	pb_s(&m, 1, "Number of TPU cores: 99999999999\nStep time: 1e308s (avg), nan (min), 3ms (max)\n");
	assert_int_equal(sample_of_answer(m.b, m.n, &s, &err), 0);
	assert_int_equal(s.cores, 0);
	assert_true(isnan(s.step_avg) && isnan(s.step_min));
	assert_float_equal(s.step_max, 3, 1e-9);
	pb_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_a_class_of_sizes_in_parts),
		cmocka_unit_test(test_too_many_classes),
		cmocka_unit_test(test_csv_of_a_strange_metric),
		cmocka_unit_test(test_rows_of_chips),
		cmocka_unit_test(test_devices_of_two_servers),
		cmocka_unit_test(test_too_many_devices),
		cmocka_unit_test(test_what_monitoring_says),
		cmocka_unit_test(test_an_answer_to_monitor),
		cmocka_unit_test(test_numbers_without_measure),
		cmocka_unit_test(test_text_of_an_old_server),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
