/* Fuzz target of a loader: the bytes are opened as FUZZ_NAME, prepared for drawing, and every event is
 * reported with its statistics, as text, JSON or CSV.  Built once per kind of input, for libFuzzer (--enable-fuzzing)
 * and for replay.c. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/device/digest.h"
#include "analyze/trace/prepare.h"
#include "load/load.h"
#include "mutate.h"
#include "../lib/mkreport.h"

#define MEMORY_LIMIT (256u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

const int mutate_head_lines = 0;

/* Each format has its own code; the sum of the bytes chooses one. */
static enum report_format format_of(const uint8_t *bytes, size_t size)
{
	static const enum report_format formats[] = { REPORT_JSON, REPORT_TEXT, REPORT_CSV };
	unsigned sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += bytes[i];
	return formats[sum % 3];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static FILE *null;
	const struct load_options load = { .threads = 1, .max_memory = MEMORY_LIMIT };
	const struct report_options report = { .format = format_of(bytes, size),
		.core = -1,
		.top = -1,
		.args = true,
		.radius = 2,
		.width = 100,
		.threads = 1 };
	struct report_options vmem = report;
	struct err err = { 0 };
	struct clocks clocks = { 0 };
	struct dump *dump = load_memory(bytes, size, FUZZ_NAME, &load, &err);

	vmem.space = 1;
	if (!null && !(null = fopen("/dev/null", "w")))
		abort();
	if (!dump)
		return 0;
	report_dump(dump, "info", &report, null, &err);
	report_dump(dump, "trace", &report, null, &err);
	report_dump(dump, "steps", &report, null, &err);
	report_dump(dump, "findings", &report, null, &err);
	report_dump(dump, "overview", &report, null, &err);
	report_dump(dump, "op_profile", &report, null, &err);
	report_dump(dump, "hlo_stats", &report, null, &err);
	report_dump(dump, "llo", &report, null, &err);
	report_dump(dump, "roofline", &report, null, &err);
	report_dump(dump, "framework_ops", &report, null, &err);
	report_dump(dump, "input_pipeline", &report, null, &err);
	report_dump(dump, "memory_profile", &report, null, &err);
	report_dump(dump, "hlo_graph", &report, null, &err);
	report_dump(dump, "pod", &report, null, &err);
	report_dump(dump, "memory", &report, null, &err);
	report_dump(dump, "memory", &vmem, null, &err);
	report_dump(dump, "compat", &report, null, &err);
	report_dump(dump, "graph", &report, null, &err);
	report_dump(dump, "metrics", &report, null, &err);
	report_dump(dump, "ptxla_debug", &report, null, &err);
	prepare(dump, &clocks, CLOCK_DEVICE, 1, NULL);
	digest_counters(dump);
	clock_free(&clocks);
	dump_close(dump);
	return 0;
}
