/* The metrics of the chips of fake-job: its devices, a queue, times of executions, one metric that is listed and
 * missing. What else it may be (--metrics-are):
 *
 *     slices   a part of a multislice job, with latencies between slices by the size of what was sent
 *     strange  numbers, devices, names and buckets that nobody expects
 *     junk     bytes that are no message      silent   never answers       large   17 MiB
 *     heavy    4 MiB for each metric
 *     old      cannot list its metrics        refuses  status 7 */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "base/codec/wire.h"
#include "tests/lib/fakejob.h"

enum kind { BYTES, PERCENT, QUEUE, TIMES, MISSING };

static const struct {
	const char *name;
	enum kind kind;
	double first, more; /* of device 0, and of each further one */
} metrics[] = {
	{ "tpu.runtime.hbm.memory.total.bytes", BYTES, 17179869184.0, 0 },
	{ "tpu.runtime.hbm.memory.usage.bytes", BYTES, 4294967296.0, 1073741824.0 },
	{ "tpu.runtime.tensorcore.dutycycle.percent", PERCENT, 97.5, -10 },
	{ "hlo.queue.size.gauge", QUEUE, 2, 1 },
	{ "hlo.execution.timing.distribution.microseconds", TIMES, 100, 20 },
	{ "tpu.runtime.uptime.seconds.gauge", MISSING, 0, 0 },
};
#define NMETRICS (sizeof metrics / sizeof *metrics)

#define LATENCIES "megascale.dcn_transfer_latencies.microsecond.cumulative.distribution"
#define DELIVERY "megascale.grpc_tcp_delivery_rate.Mbps.cumulative.distribution"

static void add_name(struct pb *m, const char *name)
{
	struct pb one = { 0 };

	pb_s(&one, 1, name);
	pb_sub(m, 1, &one);
}

static void list(struct reply *r, const char *are)
{
	struct pb m = { 0 };
	char name[40];

	for (size_t i = 0; i < NMETRICS; i++)
		add_name(&m, metrics[i].name);
	if (!strcmp(are, "slices")) {
		add_name(&m, LATENCIES);
		add_name(&m, DELIVERY);
	}
	if (!strcmp(are, "strange")) {
		add_name(&m, "");
		add_name(&m, "name,with \"quotes\"\x1b[2J");
		for (int i = 0; i < 500; i++) {
			snprintf(name, sizeof name, "one.of.many.%d", i);
			add_name(&m, name);
		}
	}
	fake_message(r, &m);
}

/* Attribute{1 key, 2 AttrValue{3 int64}}, or the ordinal and the type of a core in a list of them. */
static struct pb attribute(int device, bool list)
{
	struct pb a = { 0 }, value = { 0 }, kv = { 0 }, inner = { 0 }, number = { 0 };

	pb_s(&a, 1, "device");
	if (!list) {
		pb_u(&value, 3, (uint64_t)device);
		pb_sub(&a, 2, &value);
		return a;
	}
	pb_s(&inner, 1, "device_ordinal");
	pb_u(&number, 3, (uint64_t)device);
	pb_sub(&inner, 2, &number);
	pb_sub(&kv, 1, &inner);
	pb_sub(&value, 6, &kv);
	pb_sub(&a, 2, &value);
	return a;
}

static void add_distribution(struct pb *m, double n)
{
	struct pb d = { 0 }, options = { 0 }, exponential = { 0 };

	pb_u(&exponential, 1, 20);
	pb_double(&exponential, 2, 2);
	pb_double(&exponential, 3, 1);
	pb_sub(&options, 2, &exponential);
	pb_u(&d, 1, (uint64_t)n);
	pb_double(&d, 2, 700);
	pb_sub(&d, 6, &options);
	for (int i = 0; i < 12; i++)
		pb_u(&d, 7, i == 10 ? (uint64_t)n - 2 : i == 11 ? 2 : 0);
	pb_sub(m, 5, &d);
}

static void gauge_of(struct pb *tpu, size_t i, int device)
{
	struct pb m = { 0 }, gauge = { 0 }, a = attribute(device, metrics[i].kind >= QUEUE);
	double v = metrics[i].first + device % 8 * metrics[i].more;

	pb_sub(&m, 1, &a);
	if (metrics[i].kind == TIMES) {
		add_distribution(&m, v);
	} else {
		if (metrics[i].kind == PERCENT)
			pb_double(&gauge, 1, v);
		else
			pb_u(&gauge, 2, (uint64_t)v);
		pb_sub(&m, 3, &gauge);
	}
	pb_sub(tpu, 3, &m);
}

/* Latencies of two sizes; of the larger one in two parts. */
static void add_slices(struct pb *tpu)
{
	static const char *const sizes[] = { "8MB+", "1KB", "8MB+" };

	for (int i = 0; i < 3; i++) {
		struct pb m = { 0 }, a = { 0 }, value = { 0 };

		pb_s(&value, 1, sizes[i]);
		pb_s(&a, 1, "buffer-size");
		pb_sub(&a, 2, &value);
		pb_sub(&m, 1, &a);
		add_distribution(&m, 100 + i);
		pb_sub(tpu, 3, &m);
	}
}

/* An attribute in lists in lists. */
static struct pb deep_attribute(void)
{
	struct pb a = { 0 };

	pb_s(&a, 1, "device");
	for (int i = 0; i < 4; i++) {
		struct pb value = { 0 }, kv = { 0 }, outer = { 0 };

		pb_sub(&kv, 1, &a);
		pb_sub(&value, 6, &kv);
		pb_s(&outer, 1, "device");
		pb_sub(&outer, 2, &value);
		a = outer;
	}
	return a;
}

static void add_strange(struct pb *tpu)
{
	static const int64_t of[] = { -1, 0, 0, 1, 1 << 19, 1 << 20, INT64_MAX, INT64_MIN };
	static const double is[] = { -5, NAN, INFINITY, -INFINITY, 1e308, 0, -0.0, 1e-320 };

	for (size_t i = 0; i < 8; i++) {
		struct pb m = { 0 }, a = { 0 }, value = { 0 }, gauge = { 0 };

		pb_s(&a, 1, "device");
		pb_u(&value, 3, (uint64_t)of[i]);
		pb_sub(&a, 2, &value);
		pb_sub(&m, 1, &a);
		pb_double(&gauge, 1, is[i]);
		pb_sub(&m, 3, &gauge);
		pb_sub(tpu, 3, &m);
	}
	for (int i = 0; i < 4; i++) { /* nothing in it, no attribute, too deep, counts without buckets */
		struct pb m = { 0 }, d = { 0 }, a = i == 2 ? deep_attribute() : (struct pb){ 0 };

		if (a.n)
			pb_sub(&m, 1, &a);
		if (i == 3) {
			pb_u(&d, 1, UINT64_MAX);
			pb_double(&d, 2, NAN);
			for (int k = 0; k < 40; k++)
				pb_u(&d, 7, (uint64_t)INT64_MAX);
			pb_sub(&m, 5, &d);
		}
		pb_sub(tpu, 3, &m);
	}
}

static void get(struct reply *r, struct slice name, int devices, const char *are)
{
	struct pb m = { 0 }, tpu = { 0 };
	size_t i = 0;

	if ((!strcmp(are, "slices") && slice_begins(name, "megascale.")) || !strcmp(are, "strange")) {
		pb_s(&tpu, 1, "x");
		strcmp(are, "strange") ? add_slices(&tpu) : add_strange(&tpu);
		pb_sub(&m, 1, &tpu);
		fake_message(r, &m);
		return;
	}
	while (i < NMETRICS && !slice_is(name, metrics[i].name))
		i++;
	if (i == NMETRICS || metrics[i].kind == MISSING) {
		r->status = 5;
		r->message = "no such metric";
		r->trailers_only = true;
		return;
	}
	pb_s(&tpu, 1, metrics[i].name);
	for (int device = devices - 1; device >= 0; device--)
		gauge_of(&tpu, i, device);
	pb_sub(&m, 1, &tpu);
	fake_message(r, &m);
}

/* Map entry {1 id, 2 CoreState{1 core{1,2,3}, 2 sequencer{1 type 2 index 3 pc 8 location}}} */
static void core_of(struct pb *m, int i)
{
	struct pb entry = { 0 }, state = { 0 }, core = { 0 }, type = { 0 }, seq = { 0 };

	pb_u(&type, 1, 1);
	pb_u(&core, 1, (uint64_t)i);
	pb_u(&core, 2, (uint64_t)i);
	pb_sub(&core, 3, &type);
	pb_u(&seq, 1, 1);
	pb_u(&seq, 3, 4660);
	pb_s(&seq, 8,
	    i ? "HLO: fusion.12; HLO computation: main" : "HLO: all-reduce.3; HLO computation: main\x1b[31m");
	pb_sub(&state, 1, &core);
	pb_sub(&state, 2, &seq);
	pb_u(&entry, 1, (uint64_t)i);
	pb_sub(&entry, 2, &state);
	pb_sub(m, 2, &entry);
}

/* What is no answer to any question; false: there is an answer. */
static bool no_answer(struct reply *r, const char *method, const char *are)
{
	struct pb m = { 0 };

	if (!strcmp(are, "silent")) {
		r->never = true;
	} else if (!strcmp(are, "refuses") ||
	    (!strcmp(are, "old") && !strcmp(method, "ListSupportedMetrics"))) {
		r->status = strcmp(are, "old") ? 7 : 12;
		r->message = strcmp(are, "old") ? "not you" : "";
		r->trailers_only = true;
	} else if (!strcmp(are, "junk")) {
		for (int i = 0; i < 1000; i++)
			pb_raw(&m, (const uint8_t *)"\xff", 1);
		fake_message(r, &m);
	} else if (!strcmp(are, "large")) {
		r->zeros = 17 << 20;
		pb_raw(&r->body, (const uint8_t[]){ 0, 1, 0x10, 0, 0 }, 5);
	} else if (!strcmp(are, "heavy") && !strcmp(method, "GetRuntimeMetric")) {
		r->zeros = 4 << 20;
		pb_raw(&r->body, (const uint8_t[]){ 0, 0, 0x40, 0, 0 }, 5);
	} else {
		return false;
	}
	return true;
}

void fake_metrics(struct reply *r, const struct fake *f, const char *method, const uint8_t *message, size_t n)
{
	struct wire w = wire_open(message, n);
	struct slice name = { "", 0 };
	struct pb m = { 0 };

	while (wire_next(&w))
		if (w.field == 1 && w.type == 2)
			name = wire_text(&w);
	if (no_answer(r, method, f->metrics_are)) {
		return;
	} else if (!strcmp(method, "ListSupportedMetrics")) {
		list(r, f->metrics_are);
	} else if (!strcmp(method, "GetTpuRuntimeStatus")) {
		pb_s(&m, 1, "t1v-n-fake");
		for (int i = 0; i < f->devices; i++)
			core_of(&m, i);
		fake_message(r, &m);
	} else {
		get(r, name, f->devices, f->metrics_are);
	}
}
