/* Fuzz target of a loader: the bytes are opened as FUZZ_NAME, prepared for drawing, and reported as text, JSON or CSV:
 * in replay.c by all of these reports, for libFuzzer (--enable-fuzzing) by one, which the bytes choose, because it is
 * the loader that must see many inputs; fuzz-report.c writes them all.  Built once per kind of input. */
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
#ifndef FUZZ_ONE_REPORT
#define FUZZ_ONE_REPORT 0
#endif

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

const int mutate_head_lines = 0;

static const char *const tools[] = { "info", "trace", "steps", "findings", "overview", "op_profile",
	"hlo_stats", "llo", "roofline", "framework_ops", "input_pipeline", "memory_profile", "hlo_graph",
	"pod", "memory", "compat", "graph", "metrics", "ptxla_debug", "communication", "scopes", "idle",
	"account" };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const enum report_format formats[] = { REPORT_JSON, REPORT_TEXT, REPORT_CSV };
	enum { TOOLS = sizeof tools / sizeof *tools };
	static FILE *null;
	const struct load_options load = { .threads = 1, .max_memory = MEMORY_LIMIT };
	struct report_options report = { .core = -1,
		.top = -1,
		.args = true,
		.radius = 2,
		.width = 100,
		.threads = 1 };
	struct err err = { 0 };
	struct clocks clocks = { 0 };
	struct dump *dump = load_memory(bytes, size, FUZZ_NAME, &load, &err);
	unsigned sum = 0;

	if (!null && !(null = fopen("/dev/null", "w")))
		abort();
	if (!dump)
		return 0;
	for (size_t i = 0; i < size; i++)
		sum += bytes[i];
	report.format = formats[sum % 3];
	report.space = sum / 3 % 2;
	for (unsigned i = 0; i < TOOLS; i++)
		if (!FUZZ_ONE_REPORT || sum % TOOLS == i)
			report_dump(dump, tools[i], &report, null, &err);
	prepare(dump, &clocks, CLOCK_DEVICE, 1, NULL);
	digest_counters(dump);
	clock_free(&clocks);
	dump_close(dump);
	return 0;
}
