/* Files with very many objects of one kind: four times as many take about four times as long, so lookups by
 * name do not scan all of them. */
#include "config.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "../lib/mkhlo.h"
#include "app/internal.h"
#include "../lib/mkreport.h"

enum { FEW = 15000, TIMES = 4 };

/* Ops that each belong to their own program, and the names of the programs. */
static struct pb programs(int n)
{
	struct pb ops = pb_plane(1, "/device:TPU:0"), names = pb_plane(2, "/host:metadata"),
		  line = pb_line(1, "XLA Ops", 0), space = { 0 };
	char name[32];

	pb_stat_name(&ops, 1, "program_id");
	pb_stat_name(&ops, 2, "hlo_category");
	for (int i = 1; i <= n; i++) {
		struct pb meta = { 0 }, e = pb_event(i, i * 1000, 900);

		snprintf(name, sizeof name, "fusion.%d", i);
		pb_u(&meta, 1, (uint64_t)i);
		pb_s(&meta, 2, name);
		pb_stat_u(&meta, 5, 1, 3, (uint64_t)i);
		pb_stat_s(&meta, 5, 2, "loop fusion");
		pb_entry(&ops, 4, i, &meta);
		pb_sub(&line, 4, &e);
		snprintf(name, sizeof name, "jit_f(%d)", i);
		pb_meta(&names, i, name, NULL);
	}
	pb_sub(&ops, 3, &line);
	pb_sub(&space, 1, &ops);
	pb_sub(&space, 1, &names);
	return space;
}

/* Transfers: an op that starts each, and one that waits for it. */
static struct pb transfers(int n)
{
	struct pb ops = pb_plane(1, "/device:TPU:0"), line = pb_line(1, "XLA Ops", 0),
		  steps = pb_line(2, "Steps", 0), step = pb_event(1, 0, n * 1000LL), space = { 0 };
	char text[160];

	pb_stat_name(&ops, 1, "program_id");
	pb_stat_name(&ops, 2, "hlo_category");
	for (int i = 1; i <= n; i++) {
		struct pb meta = { 0 }, e = pb_event(i, i * 1000LL, 900);

		snprintf(text, sizeof text, "send.%d", i);
		pb_u(&meta, 1, (uint64_t)i);
		pb_s(&meta, 4, text);
		snprintf(text, sizeof text,
		    i % 2 ? "%%send.%d = f32[8] send(f32[8] %%x), channel_id=%d"
			  : "%%send-done.%d = f32[8] send-done(f32[8] %%send.%d)",
		    i, i - 1);
		pb_s(&meta, 2, text);
		pb_stat_u(&meta, 5, 1, 3, 7);
		pb_stat_s(&meta, 5, 2, i % 2 ? "send" : "send-done");
		pb_entry(&ops, 4, i, &meta);
		pb_sub(&line, 4, &e);
	}
	pb_sub(&steps, 4, &step);
	pb_sub(&ops, 3, &line);
	pb_sub(&ops, 3, &steps);
	pb_sub(&space, 1, &ops);
	return space;
}

/* Programs, each with its HLO proto. */
static struct pb modules(int n)
{
	struct pb names = pb_plane(2, "/host:metadata"), space = { 0 };
	char name[32];

	pb_stat_name(&names, 1, "Hlo Proto");
	for (int i = 1; i <= n; i++) {
		struct pb body = hlo_computation("main", 1), module = { 0 }, meta = { 0 }, stat = pb_stat(1);
		struct pb proto;

		hlo_add(&body, hlo_new("p", "parameter", 1));
		pb_s(&module, 1, "jit_f");
		pb_sub(&module, 3, &body);
		proto = hlo_proto(&module);
		snprintf(name, sizeof name, "jit_f(%d)", i);
		pb_u(&meta, 1, (uint64_t)i);
		pb_s(&meta, 2, name);
		pb_sub(&stat, 6, &proto);
		pb_sub(&meta, 5, &stat);
		pb_entry(&names, 4, i, &meta);
	}
	pb_sub(&space, 1, &names);
	return space;
}

/* Events, each of its own allocator. */
static struct pb allocators(int n)
{
	struct pb host = pb_plane(1, "/host:CPU"), line = pb_line(1, "main", 0), space = { 0 };
	char name[32];

	pb_stat_name(&host, 1, "allocator_name");
	pb_stat_name(&host, 2, "bytes_allocated");
	pb_meta(&host, 1, "MemoryAllocation", NULL);
	for (int i = 1; i <= n; i++) {
		struct pb e = pb_event(1, i * 1000, 0);

		snprintf(name, sizeof name, "a%d", i);
		pb_stat_s(&e, 4, 1, name);
		pb_stat_u(&e, 4, 2, 3, (uint64_t)i);
		pb_sub(&line, 4, &e);
	}
	pb_sub(&host, 3, &line);
	pb_sub(&space, 1, &host);
	return space;
}

static struct pb json(int n, const char *form)
{
	struct pb text = { 0 };
	char one[160];

	pb_raw(&text, "{\"traceEvents\":[", 16);
	for (int i = 1; i <= n; i++) {
		const char *next = i < n ? "," : "]}";

		snprintf(one, sizeof one,
		    *form == 'C'
			? "{\"ph\":\"C\",\"pid\":1,\"ts\":%d,\"name\":\"c%d\",\"args\":{\"k\":%d}}%s"
			: "{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":1,\"dur\":%d,\"name\":\"e\"}%s",
		    i, i, i, next);
		pb_raw(&text, one, strlen(one));
	}
	return text;
}

static struct pb counters(int n)
{
	return json(n, "C");
}

static struct pb processes(int n)
{
	return json(n, "X");
}

static const struct large {
	const char *name, *file;
	struct pb (*make)(int);
	const char *report, *view;
} large[] = {
	{ "programs", "x.xplane.pb", programs, "op_profile", "timeline" },
	{ "transfers", "x.xplane.pb", transfers, "pod", "timeline" },
	{ "modules", "x.xplane.pb", modules, "memory", "memory" },
	{ "allocators", "x.xplane.pb", allocators, "info", "timeline" },
	{ "counters", "x.trace.json", counters, "info", "timeline" },
	{ "processes", "x.trace.json", processes, "info", "timeline" },
};

/* CPU seconds to load, report and draw it. */
static double seconds(const struct large *l, int n, FILE *null)
{
	struct pb file = l->make(n);
	const struct app_options o = { .sample = file.b,
		.sample_size = file.n,
		.sample_name = l->file,
		.load = { .threads = 1 },
		.colors = -1 };
	const struct report_options report = { .core = -1, .top = -1, .width = 100, .threads = 1 };
	struct err err = { .at = ERR_NOWHERE };
	clock_t from = clock();
	struct dump *d = load_memory(file.b, file.n, l->file, &o.load, &err);

	if (!d)
		fail_msg("%s: %s", l->name, err.msg);
	if (report_dump(d, l->report, &report, null, &err) != EXIT_OK)
		fail_msg("%s: report %s: %s", l->name, l->report, err.msg);
	dump_close(d);
	assert_int_equal(app_snapshot(&o, l->view, "jj", 24, 80, 0, SHOT_NONE, null, &err), EXIT_OK);
	pb_free(&file);
	return (double)(clock() - from) / CLOCKS_PER_SEC;
}

static void more_take_as_much_longer(void **state)
{
	FILE *null = fopen("/dev/null", "w");

	(void)state;
	assert_non_null(null);
	for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
		double few = seconds(&large[i], FEW, null), many = seconds(&large[i], FEW * TIMES, null);

		if (many > 0.3 && many > 2 * TIMES * few)
			fail_msg("%s: %d take %.2f s, %d take %.2f s", large[i].name, FEW, few, FEW * TIMES,
			    many);
	}
	fclose(null);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_take_as_much_longer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
