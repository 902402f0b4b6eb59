#include "config.h"
#include "../lib/mkreport.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mkconverted.h"
#include "../lib/mkspace.h"
#include "analyze/trace/prepare.h"
#include "base/file/embedded.h"

#define SAMPLE "simulated-v5e-4chip.xplane.pb.gz"

/* Reports of a converted trace must equal those of the XSpace, or have null. */
struct comparing {
	const char *what; /* tool and form */
	/* columns and members that may be null, and those that may differ; NULL-terminated */
	const char *const *lost, *const *flops, *const *others;
	size_t compared, null;
	char where[300];
};

static bool is_among(const char *const *ids, const char *id)
{
	for (; *ids; ids++)
		if (!strcmp(*ids, id))
			return true;
	return false;
}

/* Values for which XProf writes 0 or "Unknown" where nothing is known. */
static bool says_nothing(const struct json *j)
{
	return j->type == JSON_NULL || (j->type == JSON_NUMBER && json_num(j, 1) == 0) ||
	    (j->type == JSON_STRING && (!j->len || !strcmp(j->s, "Unknown")));
}

static bool same_value(const struct json *a, const struct json *b)
{
	double x, y;

	if (a->type != b->type)
		return false;
	if (a->type == JSON_STRING)
		return a->len == b->len && !memcmp(a->s, b->s, a->len);
	if (a->type != JSON_NUMBER)
		return true;
	x = json_num(a, 0);
	y = json_num(b, 0);
	return fabs(x - y) <= 1e-12 * fmax(fabs(x), fabs(y));
}

static void compare_cell(struct comparing *c, const char *id, const struct json *a, const struct json *b)
{
	c->compared++;
	if (same_value(a, b) || is_among(c->others, id))
		return;
	if (b->type == JSON_NULL && (is_among(c->lost, id) || is_among(c->flops, id) || says_nothing(a))) {
		c->null++;
		return;
	}
	fail_msg("%s: %s%s is %.*s, in the XSpace %.*s", c->what, c->where, id,
	    b->type == JSON_NULL ? 4 : (int)b->len, b->type == JSON_NULL ? "null" : b->s,
	    a->type == JSON_NULL ? 4 : (int)a->len, a->type == JSON_NULL ? "null" : a->s);
}

static void compare_rows(struct comparing *c, const struct json *columns, const struct json *a,
    const struct json *b)
{
	size_t row = 0;

	if (a->n != b->n)
		fail_msg("%s: %s%zu rows, in the XSpace %zu", c->what, c->where, b->n, a->n);
	for (a = a->child, b = b->child; a; a = a->next, b = b->next, row++) {
		const struct json *x = a->child, *y = b->child;

		snprintf(c->where, sizeof c->where, "row %zu (%.60s), ", row, x->s ? x->s : "");
		for (const struct json *id = columns->child; id; id = id->next, x = x->next, y = y->next)
			compare_cell(c, json_get(id, "id")->s, x, y);
	}
	*c->where = 0;
}

static void compare(struct comparing *c, const struct json *a, const struct json *b);

/* Members that a converted trace cannot have: contents of fusions, and what is derived from the HLO. */
static bool is_skipped(const struct json *a, const char *key)
{
	static const char *const skipped[] = { "capture", "layout", "label" };

	if (json_get(a, "xla") && (!strcmp(key, "children") || !strcmp(key, "numChildren")))
		return true;
	for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
		if (!strcmp(skipped[i], key))
			return true;
	return false;
}

static void compare_objects(struct comparing *c, const struct json *a, const struct json *b)
{
	const struct json *columns = json_get(a, "columns");

	for (const struct json *x = a->child; x; x = x->next) {
		const struct json *y = json_get(b, x->key);

		if (is_skipped(a, x->key) || is_among(c->others, x->key))
			continue;
		if (!y)
			fail_msg("%s: no %s", c->what, x->key);
		if (columns && !strcmp(x->key, "rows"))
			compare_rows(c, columns, x, y);
		else if (x->child || y->child)
			compare(c, x, y);
		else
			compare_cell(c, x->key, x, y);
	}
}

static void compare(struct comparing *c, const struct json *a, const struct json *b)
{
	if (a->type == JSON_OBJECT) {
		compare_objects(c, a, b);
		return;
	}
	if (a->n != b->n)
		fail_msg("%s: %zu of %s, in the XSpace %zu", c->what, b->n, b->key ? b->key : "a list", a->n);
	for (a = a->child, b = b->child; a; a = a->next, b = b->next)
		if (a->child || b->child)
			compare(c, a, b);
		else
			compare_cell(c, "element", a, b);
}

static struct json *report(struct dump *d, const struct report_tool *tool, struct arena *arena)
{
	struct report_options o = { .format = REPORT_JSON, .core = -1, .top = -1, .threads = 1 };
	struct err err = { 0 };
	struct json *json;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (report_dump(d, tool->name, &o, f, &err))
		fail_msg("%s: %s", tool->name, err.msg);
	fclose(f);
	json = json_parse(arena, text, n, &err);
	if (!json)
		fail_msg("%s: %s", tool->name, err.msg);
	free(text);
	return json;
}

static const struct report_tool *tool_named(const char *name)
{
	const struct report_tool *t = report_named(name);

	assert_non_null(t);
	return t;
}

static void prepare_dump(struct dump *d)
{
	struct clocks clocks = { 0 };

	prepare(d, &clocks, CLOCK_PLAIN, 1, NULL);
	clock_free(&clocks);
}

/* A capture, and the traces that tools convert it to. */
struct forms {
	struct dump *xspace, *other[CONVERT_COUNT];
	struct pb file[CONVERT_COUNT];
};

static void make_forms(struct forms *f, struct dump *xspace, enum convert_with with,
    const struct load_options *options)
{
	*f = (struct forms){ .xspace = xspace };
	prepare_dump(xspace);
	for (int to = 0; to < CONVERT_COUNT; to++) {
		char path[200];
		struct err err = { 0 };

		convert_path(xspace, (enum convert_to)to, path, sizeof path);
		f->file[to] = convert(xspace, (enum convert_to)to, with);
		f->other[to] = load_memory(f->file[to].b, f->file[to].n, path, options, &err);
		if (!f->other[to])
			fail_msg("%s: %s", path, err.msg);
		assert_int_equal(dump_status(f->other[to]), 0);
		prepare_dump(f->other[to]);
	}
}

static void free_forms(struct forms *f)
{
	for (int to = 0; to < CONVERT_COUNT; to++) {
		dump_close(f->other[to]);
		pb_free(&f->file[to]);
	}
}

static void compare_tool(struct forms *f, const char *name, const char *const *lost, const char *const *flops,
    const char *const *others)
{
	static const char *const forms[] = { "trace JSON", "old trace", "trace table" };
	const struct report_tool *tool = tool_named(name);
	struct arena arena = { 0 };
	const struct json *want = report(f->xspace, tool, &arena);

	for (int to = 0; to < CONVERT_COUNT; to++) {
		char what[100];
		struct comparing c = { .what = what, .lost = lost, .flops = flops, .others = others };

		snprintf(what, sizeof what, "%s of the %s", name, forms[to]);
		compare(&c, want, report(f->other[to], tool, &arena));
		assert_true(c.compared > c.null);
		print_message("%s: %zu values, %zu of them null\n", what, c.compared, c.null);
	}
	arena_free(&arena);
}

static struct dump *sample(const struct load_options *options)
{
	const struct embedded *e = embedded_find(SAMPLE);
	struct err err = { 0 };
	struct dump *d;

	assert_non_null(e);
	d = load_memory(e->bytes, e->size, e->name, options, &err);
	assert_non_null(d);
	return d;
}

/* peaks belong to planes, which converted traces lack: they are given by the user */
static const struct load_options stated = { .threads = 1, .peak_flops = 197e12, .peak_hbm = 819e9 };

/* XProf does not write the FLOPs. */
static const char *const of_flops[] = { "normalized_flop_rate", "measured_flop_rate", "operational_intensity",
	"flopRate", "hbm_operational_intensity", "compute_efficiency", "bf16Flops", "flops", "uncappedFlops",
	"utilization", "flops_utilization_percent", "bound_by", NULL },
			 *const nothing[] = { NULL };

static const struct {
	const char *tool, *lost[24], *others[8];
} tools[] = {
	{ "steps", { "step_name" }, { NULL } },
	{ "hlo_stats",
	    { "cmem_read_bw", "cmem_write_bw", "bound_by", "hlo_rematerialization", "outside_compilation" },
	    { "hbm_bw", "hbm_operational_intensity" } },
	{ "framework_ops", { NULL }, { NULL } },
	{ "op_profile", { "element", "wasted" }, { NULL } }, /* element: bytes and bandwidths */
	{ "overview",
	    { "mxu_utilization_percent", "hbm_utilization_percent", "hbm_bandwidth_utilization_percent",
		"roofline_efficiency_percent", "step_name", "device_tf_op_percent" },
	    { "environment", "recommendations", "device_type" } },
	{ "roofline",
	    {
		"device_type",
		"bound_by",
		"bottleneck_operational_intensity",
		"optimal_flop_rate",
		"roofline_efficiency",
		"max_mem_bw_utilization",
		"vmem_read_bw",
		"vmem_write_bw",
		"vmem_read_operational_intensity",
		"vmem_write_operational_intensity",
		"megacore",
		"has_cmem",
		"has_merged_vmem",
		"peak_vmem_read_bw",
		"peak_vmem_write_bw",
		"vmem_read_ridge_point",
		"vmem_write_ridge_point",
	    },
	    { "diagnostics", "hbm_bw", "hbm_operational_intensity" } },
	{ "pod", { "device_type", "topology", "chips", "chip", "core_on_chip", "x", "y", "z", "step_name" },
	    { NULL } },
	{ "input_pipeline", { "step_name" }, { NULL } },
};

static void compare_all(struct dump *d, enum convert_with with)
{
	struct forms f;

	make_forms(&f, d, with, &stated);
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		compare_tool(&f, tools[i].tool, tools[i].lost, with == CONVERT_ALL ? nothing : of_flops,
		    tools[i].others);
	free_forms(&f);
}

static void sample_with_ids_and_flops(void **state)
{
	struct dump *d = sample(&stated);

	(void)state;
	compare_all(d, CONVERT_ALL);
	dump_close(d);
}

static void sample_as_xprof_writes_it(void **state)
{
	struct dump *d = sample(&stated);

	(void)state;
	compare_all(d, CONVERT_STATED);
	dump_close(d);
}

/* Kinds of time are told by the opcodes that ops are named after; what fusions are is not known. */
static void ops_without_a_category(void **state)
{
	static const char *const lost[] = { "category", "high_flops_us", "low_flops_us", "matmul_ps",
		"other_compute_ps", "bottleneck", "step_name", "device_type", "topology", "chips", "chip",
		"core_on_chip", "x", "y", "z", "cmem_read_bw", "cmem_write_bw", "bound_by",
		"hlo_rematerialization", "outside_compilation", NULL },
				 *const others[] = { "hbm_bw", "other_compute_ps", "any_compute_ps",
					 "copy_ps", "why", NULL };
	struct dump *d = sample(&stated);
	struct forms f;

	(void)state;
	make_forms(&f, d, CONVERT_BARE, &stated);
	compare_tool(&f, "steps", lost, of_flops, others);
	compare_tool(&f, "pod", lost, of_flops, others);
	compare_tool(&f, "input_pipeline", lost, of_flops, others);
	compare_tool(&f, "hlo_stats", lost, of_flops, others);
	free_forms(&f);
	dump_close(d);
}

static const struct json *cell_of(const struct json *table, size_t row, const char *column)
{
	const struct json *id = json_get(table, "columns")->child, *r = json_get(table, "rows")->child, *x;

	while (row-- && r)
		r = r->next;
	assert_non_null(r);
	for (x = r->child; id && strcmp(json_get(id, "id")->s, column); id = id->next)
		x = x->next;
	assert_non_null(id);
	return x;
}

/* Bytes that nothing tells the memory of count as HBM. */
static void all_bytes_count_as_hbm(void **state)
{
	struct dump *d = sample(&stated);
	const struct report_tool *tool = tool_named("hlo_stats");
	struct arena arena = { 0 };
	struct forms f;

	(void)state;
	make_forms(&f, d, CONVERT_STATED, &stated);
	for (int to = 0; to < CONVERT_COUNT; to++) {
		const struct json *t = report(f.other[to], tool, &arena);
		size_t known = 0;

		for (size_t row = 0; row < json_get(t, "rows")->n; row++) {
			const struct json *all = cell_of(t, row, "measured_memory_bw"),
					  *hbm = cell_of(t, row, "hbm_bw");

			assert_true(same_value(all, hbm));
			known += all->type == JSON_NUMBER;
		}
		assert_true(known > 100);
	}
	free_forms(&f);
	arena_free(&arena);
	dump_close(d);
}

/* A kind of op whose shown name is used by others, too. */
static void add_kind(struct mkspace *s, const char *kind, const char *shown, const char *category,
    int program, int symbol, int flops)
{
	char *text = xasprintf("%%%s = f32[%d] fusion()", shown, symbol);

	space_op(s, kind, category, program, symbol);
	space_meta_int(s, kind, "flops", flops);
	space_meta_int(s, kind, "model_flops", 2 * flops);
	space_meta_int(s, kind, "bytes_accessed", 100 * flops);
	space_meta_str(s, kind, "tf_op", kind);
	pb_s(&s->meta_pb[space_kind(s, kind) - 1], 4, shown);
	free(text);
}

static void run(struct mkspace *s, const char *module, int id, int64_t at)
{
	space_event(s, module, at + 3, 900);
	space_int(s, "run_id", id);
	space_pair(s, at, 1000);
}

static void op(struct mkspace *s, const char *kind, int64_t at, int64_t dur, int64_t late)
{
	space_event(s, kind, at + late, dur - 1);
	space_pair(s, at, dur);
}

/* Two programs with ops of the same names, run alternately; times on the host's clock are late by more than a
 * run, so that neither order nor containment tells the programs apart. */
static struct dump *two_programs(bool markers)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:TPU:0");
	add_kind(&s, "train/a", "fusion.1", "loop fusion", 11, 1, 10);
	add_kind(&s, "train/while", "while.1", "while", 11, 2, 0);
	add_kind(&s, "eval/a", "fusion.1", "convolution fusion", 22, 1, 1000);
	add_kind(&s, "eval/infeed", "infeed.1", "infeed", 22, 3, 0);
	if (markers) {
		space_line(&s, 1, "Steps");
		space_event(&s, "5", 3, 1900);
		space_event(&s, "6", 2503, 900);
	}
	space_line(&s, 2, "XLA Modules");
	run(&s, "train(11)", 1, 0);
	run(&s, "eval(22)", 2, 1000);
	run(&s, "train(11)", 3, 2500);
	space_line(&s, 3, "XLA Ops");
	op(&s, "train/a", 10, 100, 0);
	op(&s, "train/while", 200, 600, 0);
	op(&s, "train/a", 300, 200, 0);
	op(&s, "eval/a", 1000, 400, 1700);
	op(&s, "eval/infeed", 1400, 300, 1500);
	op(&s, "train/a", 2500, 100, 0);
	space_plane(&s, 5, "/host:metadata");
	space_kind(&s, "train(11)");
	space_kind(&s, "eval(22)");
	return space_load(&s, 1);
}

static void programs_with_the_same_names(void **state)
{
	struct dump *d = two_programs(true);

	(void)state;
	/* ops of one name are of different kinds, in the steps, too */
	d->peak_flops = stated.peak_flops;
	d->peak_hbm = stated.peak_hbm;
	compare_all(d, CONVERT_ALL);
	compare_all(d, CONVERT_STATED);
	space_close(d);
}

/* Colors go by the category that an op states, not by that of another program's op of its name. */
static void each_program_has_its_kinds(void **state)
{
	struct dump *d = two_programs(true);
	struct forms f;

	(void)state;
	make_forms(&f, d, CONVERT_STATED, &stated);
	for (int to = 0; to < CONVERT_COUNT; to++) {
		const struct trace *t = &f.other[to]->trace;
		size_t of[CLASS_COUNT] = { 0 };

		for (size_t k = 0; k < t->ntracks; k++)
			for (size_t i = 0; t->tracks[k].role == TRACK_OPS && i < t->tracks[k].n; i++)
				of[META_CLASS(t->meta_class[track_meta(&t->tracks[k], i)])]++;
		assert_int_equal(of[CLASS_COMPUTE], 3);
		assert_int_equal(of[CLASS_MATMUL], 1);
		assert_int_equal(of[CLASS_IO], 1);
		assert_int_equal(of[CLASS_OTHER], 1);
		for (size_t k = 0; k < t->ntracks; k++) /* what it says of itself is its own */
			for (size_t i = 0; t->tracks[k].role == TRACK_OPS && i < t->tracks[k].n; i++) {
				const struct evmeta *m = &t->metas[track_meta(&t->tracks[k], i)];

				if (slice_is(dump_text(f.other[to], m->category), "convolution fusion"))
					assert_true(
					    slice_is((struct slice){ m->full, m->full_len }, "eval/a"));
			}
	}
	free_forms(&f);
	space_close(d);
}

static size_t rows_of(const struct json *report, const char *table)
{
	return json_get(json_get(json_get(report, "tables"), table), "rows")->n;
}

/* What XProf does not know of an XSpace is known under ids of our own, and of a converted trace under all. */
static void steps_without_markers(void **state)
{
	static const char *const same[] = { "step_ms_average", "step_ms_maximum", "step_idle_percent",
		"step_input_percent", "step_source" };
	struct dump *d = two_programs(false);
	struct arena arena = { 0 };
	const struct json *want, *got, *all;
	struct forms f;
	size_t runs;

	(void)state;
	make_forms(&f, d, CONVERT_ALL, &stated);
	for (int k = 0; k < 2; k++) {
		const struct report_tool *tool = tool_named(k ? "input_pipeline" : "overview");

		all = report(f.xspace, tool, &arena);
		want = json_get(all, "summary");
		runs = rows_of(all, "program_runs");
		assert_true(runs > 0);
		assert_int_equal(json_get(want, "steptime_ms_average")->type, JSON_NULL);
		assert_true(json_num(json_get(want, "step_ms_average"), 0) > 0);
		for (int to = 0; to < CONVERT_COUNT; to++) {
			all = report(f.other[to], tool, &arena);
			assert_int_equal(rows_of(all, "program_runs"), runs);
			got = json_get(all, "summary");
			for (size_t i = 0; i < sizeof same / sizeof *same; i++)
				assert_true(same_value(json_get(want, same[i]), json_get(got, same[i])));
			assert_true(same_value(json_get(want, "step_ms_average"),
			    json_get(got, "steptime_ms_average")));
		}
	}
	free_forms(&f);
	arena_free(&arena);
	space_close(d);
}

static struct dump *load_json(const char *text, const char *name)
{
	struct err err = { 0 };
	struct dump *d = load_memory(text, strlen(text), name, NULL, &err);

	assert_non_null(d);
	prepare_dump(d);
	return d;
}

#define PROCESS "{\"ph\":\"M\",\"pid\":3,\"name\":\"process_name\",\"args\":{\"name\":\"/device:TPU:0\"}},"
#define THREAD(tid, name) \
	"{\"ph\":\"M\",\"pid\":3,\"tid\":" tid ",\"name\":\"thread_name\",\"args\":{\"name\":\"" name "\"}}" \
	","
#define EVENT(tid, ts, dur, name, args) \
	"{\"ph\":\"X\",\"pid\":3,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur ",\"name\":\"" name \
	"\",\"args\":{" args "}}"

/* Their program is unknown, but they still count as work of the core. */
static void ops_outside_of_modules(void **state)
{
	static const char text[] = "{\"traceEvents\":[" PROCESS THREAD("2", "XLA Modules")
	    THREAD("3", "XLA Ops") EVENT("2", "10", "5", "nameless", "") "," EVENT("3", "0", "4", "fusion.1",
		"\"hlo_category\":\"loop fusion\"") "," EVENT("3", "10", "4", "fusion.1",
		"\"hlo_category\":\"loop fusion\"") "]}";
	struct dump *d = load_json(text, "h.trace.json");
	struct arena arena = { 0 };
	const struct json *t = report(d, tool_named("hlo_stats"), &arena), *summary;

	(void)state;
	assert_int_equal(json_get(t, "rows")->n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(cell_of(t, i, "program_id")->type, JSON_NULL);
		assert_float_equal(json_num(cell_of(t, i, "total_self_time"), 0), 4, 0);
		assert_int_equal(cell_of(t, i, "normalized_flop_rate")->type, JSON_NULL);
		assert_int_equal(cell_of(t, i, "hbm_bw")->type, JSON_NULL);
	}
	summary = json_get(report(d, tool_named("overview"), &arena), "summary");
	assert_float_equal(json_num(json_get(summary, "device_idle_time_percent"), 0), 100 * 6. / 14, 1e-9);
	assert_float_equal(json_num(json_get(summary, "steptime_ms_average"), 0), 0.005, 1e-12); /* the run */
	arena_free(&arena);
	dump_close(d);
}

/* Traced runs without ops are not idle time. */
static void idle_is_not_known_without_ops(void **state)
{
	static const char text[] =
	    "{\"traceEvents\":[" PROCESS THREAD("1", "Steps") THREAD("2", "XLA Modules")
		EVENT("1", "0", "9", "1", "") "," EVENT("2", "0", "9", "jit_f(7)", "\"run_id\":\"1\"") "]}";
	struct dump *d = load_json(text, "h.trace.json");
	struct arena arena = { 0 };
	const struct json *t = report(d, tool_named("overview"), &arena);

	(void)state;
	assert_int_equal(json_get(json_get(t, "summary"), "device_idle_time_percent")->type, JSON_NULL);
	assert_int_equal(cell_of(json_get(json_get(t, "tables"), "hosts"), 0, "device_idle_time_percent")
			     ->type,
	    JSON_NULL);
	t = report(d, tool_named("steps"), &arena);
	assert_int_equal(cell_of(t, 0, "idle_ps")->type, JSON_NULL);
	assert_int_equal(cell_of(t, 0, "compute_ps")->type, JSON_NULL);
	arena_free(&arena);
	dump_close(d);
}

static bool says(const struct json *j, const char *text)
{
	return slice_is((struct slice){ j->s, j->len }, text);
}

/* Where there are few kinds of host events, the one that the file has first is one of them. */
static void the_first_step_has_a_name(void **state)
{
	static const char text[] = "{\"traceEvents\":[{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\","
				   "\"args\":{\"name\":\"/host:CPU\"}}," PROCESS THREAD("1",
				       "Steps") "{\"ph\":\"X\",\"pid\":1,\"tid\":7,\"ts\":0,\"dur\":5,"
						"\"name\":\"train 100\",\"args\":{"
						"\"group_id\":\"0\",\"step_num\":\"100\"}},"
						"{\"ph\":\"X\",\"pid\":1,\"tid\":7,\"ts\":9,\"dur\":5,"
						"\"name\":\"train 101\",\"args\":{"
						"\"group_id\":\"1\",\"step_num\":\"101\"}}," EVENT("1", "2",
						    "9", "100", "\"group_id\":\"0\"") "," EVENT("1", "11",
						    "9", "101", "\"group_id\":\"1\"") "]}";
	struct dump *d = load_json(text, "h.trace.json");
	struct arena arena = { 0 };
	const struct json *t = report(d, tool_named("steps"), &arena);

	(void)state;
	assert_int_equal(json_get(t, "rows")->n, 2);
	assert_true(says(cell_of(t, 0, "step_name"), "train 100"));
	assert_true(says(cell_of(t, 1, "step_name"), "train 101"));
	arena_free(&arena);
	dump_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sample_with_ids_and_flops),
		cmocka_unit_test(sample_as_xprof_writes_it),
		cmocka_unit_test(ops_without_a_category),
		cmocka_unit_test(all_bytes_count_as_hbm),
		cmocka_unit_test(programs_with_the_same_names),
		cmocka_unit_test(each_program_has_its_kinds),
		cmocka_unit_test(steps_without_markers),
		cmocka_unit_test(ops_outside_of_modules),
		cmocka_unit_test(idle_is_not_known_without_ops),
		cmocka_unit_test(the_first_step_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
