#include "config.h"
#include "analyze/memory/tables.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "../lib/mkhlo.h"
#include "../lib/mkspace.h"
#include "analyze/memory/beside.h"
#include "load/load.h"

#define KIB(n) ((int64_t)(n) << 10)

/* Instructions 1 … 9, f32 of 32 KiB each but the last, which is small. */
static struct pb module_of(void)
{
	struct pb m = { 0 }, entry = hlo_computation("entry", 1);
	char name[16];

	pb_s(&m, 1, "jit_f");
	pb_s(&m, 2, "entry");
	for (int i = 1; i <= 9; i++) {
		struct pb v, meta = { 0 };

		snprintf(name, sizeof name, "op.%d", i);
		v = hlo_value(name, i == 1 ? "parameter" : "add", i, i == 9 ? 100 : KIB(8));
		pb_s(&meta, 2, i < 5 ? "jit(f)/a/add" : "jit(f)/b");
		pb_s(&meta, 3, "model.py");
		pb_u(&meta, 4, (uint64_t)(40 + i));
		pb_sub(&v, 7, &meta);
		hlo_add(&entry, v);
	}
	pb_sub(&m, 3, &entry);
	return m;
}

struct made {
	struct dump *dump;
	struct memory m;
};

/* A parameter of 40 KiB (32 unpadded) and an output; temporaries of one allocation as in `trace`: buffers 3
 * and 4 next to each other, 5 in the memory of 3, the small 9 after them. */
static struct pb proto_of(struct pb *trace, int64_t temporaries)
{
	struct pb module = module_of(), b = { 0 }, a, proto;

	hlo_buffer(&b, 1, 1, KIB(40), 0);
	hlo_buffer(&b, 2, 2, KIB(32), 0);
	for (int i = 3; i <= 5; i++)
		hlo_buffer(&b, i, i, KIB(32), 0);
	hlo_buffer(&b, 9, 9, KIB(1), 0);
	a = hlo_allocation(0, KIB(40), 0, 5);
	hlo_assign(&a, 1, 0, KIB(40));
	pb_sub(&b, 3, &a);
	a = hlo_allocation(1, KIB(32), 0, 7);
	hlo_assign(&a, 2, 0, KIB(32));
	pb_sub(&b, 3, &a);
	a = hlo_allocation(2, temporaries, 0, 0);
	hlo_assign(&a, 3, 0, KIB(32));
	hlo_assign(&a, 4, KIB(32), KIB(32));
	hlo_assign(&a, 5, 0, KIB(32));
	hlo_assign(&a, 9, KIB(64), KIB(1));
	pb_sub(&b, 3, &a);
	if (trace)
		pb_sub(&b, 4, trace);
	proto = hlo_proto(&module);
	pb_sub(&proto, 3, &b);
	return proto;
}

static struct made make(struct pb proto, size_t cut, int space)
{
	struct made x = { 0 };
	struct err err = { 0 };
	const Pb__HloProto *p;

	x.dump = load_memory(proto.b, proto.n - cut, "jit_f(7).hlo_proto.pb", NULL, &err);
	assert_non_null(x.dump);
	assert_int_equal(x.dump->nmodules, 1);
	p = hlo_module_proto(x.dump, 0, &err);
	memory_build(&x.dump->modules[0], p, space, -1, &x.m);
	return x;
}

static void done(struct made *x, struct pb *proto)
{
	memory_free(&x->m);
	dump_close(x->dump);
	pb_free(proto);
}

static struct pb usual_trace(void)
{
	struct pb t = { 0 };

	hlo_event(&t, 0, 3, "op.3", 0);
	hlo_event(&t, 0, 4, "op.4", 0);
	hlo_event(&t, 0, 9, "op.9", 0);
	hlo_event(&t, 1, 3, "op.4", 0);
	hlo_event(&t, 0, 5, "op.5", 0);
	hlo_event(&t, 1, 4, "op.5", 0);
	return t;
}

static void heap_of_a_program(void **state)
{
	static const int64_t want[] = { 72, 104, 136, 137, 105, 137, 105 };
	struct pb t = usual_trace(), p = proto_of(&t, KIB(80));
	struct made x = make(p, 0, 0);

	(void)state;
	assert_null(x.m.problem);
	assert_int_equal(x.m.npoints, 7);
	for (size_t i = 0; i < 7; i++) {
		assert_int_equal(x.m.heap[i], KIB(want[i]));
		assert_int_equal(x.m.address[i], KIB(want[i]));
	}
	assert_string_equal(x.m.instruction[2], "op.9");
	assert_string_equal(x.m.instruction[6], "");
	assert_int_equal(x.m.peak_at, 2);
	assert_int_equal(x.m.peak_bytes, KIB(137));
	assert_int_equal(x.m.allocated, KIB(152));
	assert_int_equal(x.m.fragmentation, KIB(15));
	assert_float_equal(facts_number(&x.m.summary, "parameterPaddingMib"), 8 / 1024.0, 1e-12);
	assert_int_equal(x.m.fixed_padding, KIB(8));
	assert_float_equal(facts_number(&x.m.summary, "fragmentation_percent"), 100 * 15 / 80.0, 1e-9);
	assert_true(isnan(facts_number(&x.m.summary, "limitMib")));
	done(&x, &p);
}

static void buffers_at_the_peak(void **state)
{
	struct pb t = usual_trace(), p = proto_of(&t, KIB(80));
	struct made x = make(p, 0, 0);

	(void)state;
	assert_int_equal(x.m.npeak, 5);
	assert_string_equal(x.m.peak[0].label, "op.1: f32[8192] # jit(f)/a/add");
	assert_string_equal(x.m.peak[0].source, "model.py:41");
	assert_int_equal(x.m.peak[0].category, MEMORY_PARAMETER);
	assert_int_equal(x.m.peak[0].start, -1);
	assert_int_equal(x.m.peak[1].category, MEMORY_OUTPUT);
	assert_int_equal(x.m.peak[2].id, 3);
	assert_int_equal(x.m.peak[2].end, 3);
	assert_int_equal(x.m.peak[3].id, 4);
	assert_int_equal(x.m.peak[4].id, -1);
	assert_int_equal(x.m.peak[4].size, KIB(1));
	assert_int_equal(x.m.category[MEMORY_TEMPORARY], KIB(65));
	assert_int_equal(x.m.nall, 4);
	assert_int_equal(x.m.all[3].id, 5);
	assert_int_equal(x.m.all[3].nlives, 1);
	assert_int_equal(x.m.all[3].life[0].end, 5);
	done(&x, &p);
}

/* 5 uses the memory of 3 while that is alive: XProf counts it twice, the peak by address only once. */
static void addresses_count_once(void **state)
{
	struct pb t = { 0 }, p;
	struct made x;

	(void)state;
	hlo_event(&t, 0, 3, "op.3", 0);
	hlo_event(&t, 0, 5, "op.5", 0);
	hlo_event(&t, 1, 3, "op.5", 0);
	hlo_event(&t, 1, 5, "op.5", 0);
	hlo_event(&t, 0, 3, "op.6", 0);
	p = proto_of(&t, KIB(64));
	x = make(p, 0, 0);
	assert_int_equal(x.m.heap[2], KIB(136));
	assert_int_equal(x.m.address[2], KIB(104));
	assert_int_equal(x.m.address[3], KIB(104));
	assert_int_equal(x.m.address[4], KIB(72));
	assert_int_equal(x.m.address[5], KIB(104));
	assert_int_equal(x.m.nall, 2);
	assert_int_equal(x.m.all[1].id, 3);
	assert_int_equal(x.m.all[1].start, 4);
	assert_int_equal(x.m.all[1].nlives, 2);
	assert_int_equal(x.m.all[1].life[0].start, 0);
	assert_int_equal(x.m.all[1].life[0].end, 2);
	done(&x, &p);
}

/* 5 uses the memory of 3 after that is freed, and replaces it in the list. */
static void sharing_shows_the_later_buffer(void **state)
{
	struct pb t = { 0 }, p;
	struct made x;

	(void)state;
	hlo_event(&t, 0, 3, "op.3", 0);
	hlo_event(&t, 1, 3, "op.3", 0);
	hlo_event(&t, 0, 4, "op.4", 0);
	hlo_event(&t, 2, 5, "op.5", 3);
	hlo_event(&t, 1, 5, "op.6", 0);
	p = proto_of(&t, KIB(64));
	x = make(p, 0, 0);
	assert_null(x.m.problem);
	assert_int_equal(x.m.peak_at, 3);
	assert_int_equal(x.m.npeak, 4);
	assert_int_equal(x.m.peak[3].id, 5);
	assert_true(x.m.peak[3].shares);
	assert_int_equal(x.m.peak[3].end, 4);
	assert_int_equal(x.m.heap[5], KIB(104));
	done(&x, &p);
}

static void traces_may_leave_buffers_out(void **state)
{
	struct pb t = usual_trace(), p = proto_of(&t, KIB(80));
	struct made x = make(p, 0, 0);

	(void)state;
	assert_int_equal(x.m.untraced, 0);
	assert_null(x.m.lacks);
	done(&x, &p);

	memset(&t, 0, sizeof t);
	hlo_event(&t, 0, 3, "op.3", 0);
	hlo_event(&t, 1, 3, "op.4", 0);
	p = proto_of(&t, KIB(80));
	x = make(p, 0, 0);
	assert_int_equal(x.m.peak_bytes, KIB(104)); /* as the trace says */
	assert_int_equal(x.m.untraced, KIB(65));
	assert_string_equal(x.m.lacks,
	    "the heap trace leaves out 3 of 4 temporaries (65.0 KiB): more may be in use than it shows");
	done(&x, &p);
}

static void traces_of_a_few_bytes_leave_nothing_out(void **state)
{
	struct pb m = module_of(), b = { 0 }, t = { 0 }, a, p;
	struct made x;

	(void)state;
	a = hlo_allocation(0, 2, 0, 0);
	for (int i = 3; i <= 4; i++) {
		hlo_buffer(&b, i, i, 1, 0);
		hlo_assign(&a, i, i - 3, 1);
		hlo_event(&t, 0, i, "op.3", 0);
	}
	pb_sub(&b, 3, &a);
	pb_sub(&b, 4, &t);
	p = hlo_proto(&m);
	pb_sub(&p, 3, &b);
	x = make(p, 0, 0);
	assert_int_equal(x.m.peak_bytes, 2);
	assert_null(x.m.lacks);
	done(&x, &p);
}

static void damaged_traces_keep_what_stands_before(void **state)
{
	struct pb t = { 0 }, p;
	struct made x;

	(void)state;
	hlo_event(&t, 0, 77, "unknown", 0);
	hlo_event(&t, 0, 3, "op.3", 0);
	hlo_event(&t, 1, 4, "op.4", 0);
	hlo_event(&t, 0, 4, "op.4", 0);
	p = proto_of(&t, KIB(64));
	x = make(p, 0, 0);
	assert_non_null(strstr(x.m.problem, "event 2 (buffer 4)"));
	assert_int_equal(x.m.npoints, 4);
	assert_int_equal(x.m.peak_bytes, KIB(104));
	done(&x, &p);

	memset(&t, 0, sizeof t);
	hlo_event(&t, 0, 3, "op.3", 0);
	hlo_event(&t, 2, 3, "op.3", 3);
	p = proto_of(&t, KIB(64));
	x = make(p, 0, 0);
	assert_non_null(strstr(x.m.problem, "shares memory with itself"));
	done(&x, &p);
}

static void cut_files_and_missing_assignments(void **state)
{
	struct pb t = usual_trace(), p = proto_of(&t, KIB(80)), m = module_of();
	struct made x = make(p, 30, 0);

	(void)state;
	assert_true(x.dump->modules[0].damaged);
	assert_non_null(strstr(x.m.problem, "byte"));
	assert_int_equal(x.m.peak_bytes, KIB(137));
	assert_true(x.m.npoints < 7);
	done(&x, &p);
	p = hlo_proto(&m);
	x = make(p, 0, 0);
	assert_non_null(strstr(x.m.problem, "no buffer assignment"));
	assert_string_equal(facts_text(&x.m.summary, "moduleName"), "jit_f");
	assert_true(isnan(facts_number(&x.m.summary, "peakHeapMib")));
	assert_int_equal(x.m.npeak, 0);
	done(&x, &p);
}

static void other_spaces_are_empty(void **state)
{
	struct pb t = usual_trace(), p = proto_of(&t, KIB(80));
	struct made x = make(p, 0, 1);
	struct memory_space_info v[4];

	(void)state;
	assert_int_equal(x.m.npoints, 0);
	assert_int_equal(x.m.peak_bytes, 0);
	assert_float_equal(facts_number(&x.m.summary, "peakHeapMib"), 0, 0);
	assert_string_equal(facts_text(&x.m.summary, "space_name"), "VMEM");
	assert_int_equal(memory_spaces(x.dump->modules[0].proto, v, 4), 1);
	assert_int_equal(v[0].space, 0);
	assert_int_equal(v[0].bytes, KIB(152));
	done(&x, &p);
}

static void donations_and_ops(void **state)
{
	struct pb m = module_of(), b = { 0 }, a, p;
	struct table t;
	struct made x;

	(void)state;
	hlo_buffer(&b, 1, 1, KIB(32), 0);
	hlo_buffer(&b, 5, 5, KIB(32), 0);
	a = hlo_allocation(0, KIB(32), 0, 5);
	hlo_assign(&a, 1, 0, KIB(32));
	pb_sub(&b, 3, &a);
	a = hlo_allocation(1, KIB(32), 0, 7);
	hlo_assign(&a, 5, 0, KIB(32));
	pb_sub(&b, 3, &a);
	p = hlo_proto(&m);
	pb_sub(&p, 3, &b);
	x = make(p, 0, 0);
	assert_int_equal(x.m.ndonations, 1);
	assert_string_equal(x.m.donation[0].parameter->name, "op.1");
	assert_string_equal(x.m.donation[0].output->name, "op.5");
	memory_by_op_table(&x.m, &t);
	assert_int_equal(t.nrows, 4);
	assert_int_equal(table_get(&t, 0, "op_prefix")->n, 6); /* jit(f) */
	assert_int_equal(table_get(&t, 0, "buffers")->u.i, 2);
	assert_float_equal(table_number(&t, 0, "share"), 1, 1e-12);
	assert_int_equal(table_get(&t, 0, "instruction")->n, 0); /* it has two */
	assert_float_equal(table_number(&t, 1, "share"), 0.5, 1e-12);
	assert_memory_equal(table_get(&t, 1, "instruction")->s, "op.", 3);
	table_free(&t);
	done(&x, &p);
}

static void on(struct pb *instruction, int64_t a, int64_t b)
{
	pb_u(instruction, 36, (uint64_t)a);
	if (b)
		pb_u(instruction, 36, (uint64_t)b);
}

/* A loop over layers: it slices the weights out of the stack that it hands through, and gathers them; it also gathers
 * what it computes.  The entry gathers a parameter beside it, behind a cast. */
static struct pb fsdp(void)
{
	struct pb m = { 0 }, entry = hlo_computation("entry", 1), body = hlo_computation("body", 2), i;

	pb_s(&m, 1, "jit_f");
	pb_u(&m, 6, 1);
	pb_u(&body, 6, 19);
	hlo_add(&body, hlo_new("state", "parameter", 10));
	for (int k = 0; k < 3; k++) { /* counter, weights, activations */
		i = hlo_value("part", "get-tuple-element", 11 + k, k ? KIB(8) : 1);
		pb_u(&i, 13, (uint64_t)k);
		on(&i, 10, 0);
		hlo_add(&body, i);
	}
	i = hlo_new("index", "parameter", 14);
	pb_sub(&i, 3, &(struct pb){ 0 });
	hlo_add(&body, i);
	i = hlo_value("layer", "dynamic-slice", 15, KIB(8));
	on(&i, 12, 14);
	hlo_add(&body, i);
	i = hlo_value("weights", "all-gather", 16, KIB(8));
	on(&i, 15, 0);
	hlo_add(&body, i);
	i = hlo_value("sum", "add", 17, KIB(8));
	on(&i, 13, 16);
	hlo_add(&body, i);
	i = hlo_value("activations", "all-gather", 18, KIB(8));
	on(&i, 17, 0);
	hlo_add(&body, i);
	i = hlo_new("next", "tuple", 19);
	on(&i, 11, 12);
	on(&i, 18, 0);
	hlo_add(&body, i);
	pb_sub(&m, 3, &body);
	hlo_add(&entry, hlo_value("stack", "parameter", 1, KIB(8)));
	hlo_add(&entry, hlo_value("x", "parameter", 2, KIB(8)));
	hlo_add(&entry, hlo_value("zero", "constant", 3, 1));
	i = hlo_new("begin", "tuple", 4);
	on(&i, 3, 1);
	on(&i, 2, 0);
	hlo_add(&entry, i);
	i = hlo_new("while", "while", 5);
	on(&i, 4, 0);
	pb_u(&i, 38, 2);
	hlo_add(&entry, i);
	i = hlo_value("cast", "convert", 6, KIB(8));
	on(&i, 2, 0);
	hlo_add(&entry, i);
	i = hlo_value("all", "all-gather", 7, KIB(8));
	on(&i, 6, 0);
	hlo_add(&entry, i);
	pb_sub(&m, 3, &entry);
	return m;
}

static void gathered_weights(void **state)
{
	static const int64_t buffers[] = { 16, 17, 18, 7 };
	struct pb m = fsdp(), b = { 0 }, trace = { 0 }, a = hlo_allocation(0, KIB(128), 0, 0), p;
	struct made x;

	(void)state;
	for (int i = 0; i < 4; i++) {
		hlo_buffer(&b, buffers[i], buffers[i], KIB(32), 0);
		hlo_assign(&a, buffers[i], KIB(32) * i, KIB(32));
		hlo_event(&trace, 0, buffers[i], "x", 0);
	}
	pb_sub(&b, 3, &a);
	pb_sub(&b, 4, &trace);
	p = hlo_proto(&m);
	pb_sub(&p, 3, &b);
	x = make(p, 0, 0);
	assert_int_equal(x.m.npeak, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(x.m.peak[i].gathered, buffers[i] == 16 || buffers[i] == 7);
	assert_int_equal(x.m.gathered, KIB(64));
	assert_int_equal(x.m.category[MEMORY_TEMPORARY], KIB(128));
	assert_float_equal(facts_number(&x.m.summary, "gatheredWeightsMib"), 1. / 16, 1e-12);
	done(&x, &p);
}

/* The program that ran at the moment, or ran next, or last; another core's is none. */
static void beside_the_allocator(void **state)
{
	struct pb trace = usual_trace(), proto = proto_of(&trace, KIB(80));
	struct mkspace s = { 0 };
	struct memory_beside b, next;
	struct dump *d;

	(void)state;
	space_plane(&s, 2, "/device:TPU:3");
	space_line(&s, 2, "XLA Modules");
	space_event(&s, "jit_f(7)", 1000, 500);
	space_event(&s, "jit_g(8)", 3000, 500);
	space_plane(&s, 9, "/host:metadata");
	space_meta_bytes(&s, "jit_f(7)", "Hlo Proto", proto.b, proto.n);
	d = space_load(&s, 1);
	memory_beside_make(d, 0, 3, 1200, NULL, &b);
	assert_string_equal(memory_when_name(b.when), "running");
	assert_true(slice_is(b.program, "jit_f(7)"));
	assert_int_equal(b.peak, KIB(40 + 32 + 65));
	assert_int_equal(b.parameters, KIB(40));
	assert_int_equal(b.outputs, KIB(32));
	assert_int_equal(b.temporaries, KIB(65));
	assert_int_equal(b.gathered, 0);
	memory_beside_make(d, 0, 3, 600, &b, &next); /* the same program */
	assert_int_equal(next.when, WHEN_NEXT);
	assert_int_equal(next.peak, b.peak);
	memory_beside_make(d, 0, 3, 2000, &next, &b); /* another */
	assert_int_equal(b.when, WHEN_NEXT);
	assert_true(slice_is(b.program, "jit_g(8)"));
	assert_int_equal(b.peak, -1);
	memory_beside_make(d, 0, 3, 9000, NULL, &b);
	assert_int_equal(b.when, WHEN_LAST);
	assert_true(slice_is(b.program, "jit_g(8)"));
	memory_beside_make(d, 0, 2, 1200, NULL, &b);
	assert_int_equal(b.when, WHEN_NONE);
	space_close(d);
	pb_free(&proto);
}

/* Sizes near 2^62: they are named, and count as what their shapes say. */
static void sums_of_impossible_sizes(void **state)
{
	const int64_t huge = INT64_C(1) << 62;
	struct pb m = module_of(), b = { 0 }, t = { 0 }, a, p;
	struct made x;

	(void)state;
	for (int i = 1; i <= 5; i++)
		hlo_buffer(&b, i, i, huge, 0);
	a = hlo_allocation(0, huge, 0, 5);
	hlo_assign(&a, 1, -huge, huge);
	pb_sub(&b, 3, &a);
	a = hlo_allocation(1, huge, 0, 5);
	hlo_assign(&a, 2, 0, huge);
	pb_sub(&b, 3, &a);
	for (int i = 3; i <= 5; i++) { /* outputs, for donations */
		a = hlo_allocation(i - 1, huge, 0, i == 3 ? 0 : 7);
		hlo_assign(&a, i, -huge, huge);
		hlo_assign(&a, i, huge, huge);
		pb_sub(&b, 3, &a);
	}
	hlo_event(&t, 0, 3, "op.3", 0);
	hlo_event(&t, 0, 4, "op.4", 0);
	hlo_event(&t, 0, 5, "op.5", 0);
	pb_sub(&b, 4, &t);
	p = hlo_proto(&m);
	pb_sub(&p, 3, &b);
	x = make(p, 0, 0);
	assert_true(x.m.category[MEMORY_PARAMETER] == 0);
	assert_true(x.m.peak_bytes < 1 << 20);
	assert_non_null(strstr(x.m.problem, "impossible (4611686018427387904 bytes)"));
	for (size_t i = 0; i < x.m.npoints; i++)
		assert_true(x.m.heap[i] >= 0 && x.m.address[i] >= 0);
	done(&x, &p);
}

static struct made make_json(const char *text, int space)
{
	struct made x = { 0 };
	struct err err = { 0 };

	x.dump = load_memory(text, strlen(text), "h.jit_f(7).memory_viewer.json", NULL, &err);
	assert_non_null(x.dump);
	assert_int_equal(x.dump->nmodules, 1);
	assert_int_equal(x.dump->modules[0].origin, HLO_JSON);
	assert_int_equal(x.dump->modules[0].program, 7);
	memory_build(&x.dump->modules[0], x.dump->modules[0].proto, space, -1, &x.m);
	return x;
}

/* Old files name the instruction; everything is thread-local, in two allocations. */
static void modules_as_json(void **state)
{
	static const char text[] =
	    "{\"hloModule\":{\"name\":\"old\",\"computations\":[{\"instructions\":["
	    "{\"name\":\"foo\",\"opcode\":\"fusion\",\"shape\":{\"elementType\":\"F32\",\"dimensions\":["
	    "\"4\"]}},"
	    "{\"name\":\"bar\",\"opcode\":\"fusion\",\"shape\":{\"elementType\":\"F32\",\"dimensions\":["
	    "\"8\"]}}]}]},"
	    "\"bufferAssignment\":{\"logicalBuffers\":["
	    "{\"id\":\"0\",\"size\":\"1048576\",\"definedAt\":{\"instructionName\":\"foo\"}},"
	    "{\"id\":\"1\",\"size\":\"2097152\",\"definedAt\":{\"instructionName\":\"bar\"}}],"
	    "\"bufferAllocations\":["
	    "{\"index\":\"0\",\"size\":\"1048576\",\"isThreadLocal\":true,\"assigned\":[{\"logicalBufferId\":"
	    "\"0\"}]},"
	    "{\"index\":\"1\",\"size\":\"2097152\",\"isThreadLocal\":true,\"assigned\":[{\"logicalBufferId\":"
	    "\"1\"}]}],"
	    "\"heapSimulatorTraces\":[{\"events\":[{\"kind\":\"ALLOC\",\"bufferId\":\"0\"},{\"kind\":"
	    "\"ALLOC\",\"bufferId\":\"1\"},"
	    "{\"kind\":\"FREE\",\"bufferId\":\"1\"},{\"kind\":\"FREE\",\"bufferId\":\"0\"}]}]}}";
	struct made x = make_json(text, 0);

	(void)state;
	assert_null(x.m.problem);
	assert_int_equal(x.m.peak_bytes, 3 << 20);
	assert_int_equal(x.m.peak_at, 1);
	assert_int_equal(x.m.npeak, 2);
	assert_string_equal(x.m.peak[1].name, "bar");
	assert_int_equal(x.m.peak[1].unpadded, 32);
	memory_free(&x.m);
	dump_close(x.dump);
}

static void results_of_profilers(void **state)
{
	static const char text[] =
	    "{\"heapSizes\":[1,3,1],\"unpaddedHeapSizes\":[1,2,1],\"hloInstructionNames\":[\"a\",\"b\",\"\"],"
	    "\"maxHeap\":[{\"label\":\"x: f32[4] # "
	    "op\",\"logicalBufferId\":3,\"logicalBufferSizeMib\":2,\"unpaddedShapeMib\":1,"
	    "\"instructionName\":\"x\",\"groupName\":\"Temporary\",\"sourceInfo\":{\"fileName\":\"m.py\","
	    "\"lineNumber\":4}}],"
	    "\"logicalBufferSpans\":{\"3\":{\"limit\":1},\"2\":{\"start\":1,\"limit\":2}},\"moduleName\":"
	    "\"new\","
	    "\"peakHeapMib\":3,\"peakHeapSizePosition\":1}";
	struct made x = make_json(text, 0);

	(void)state;
	assert_int_equal(x.m.npoints, 3);
	assert_int_equal(x.m.heap[1], 3 << 20);
	assert_int_equal(x.m.peak_bytes, 3 << 20);
	assert_int_equal(x.m.npeak, 1);
	assert_string_equal(x.m.peak[0].source, "m.py:4");
	assert_int_equal(x.m.peak[0].start, 0);
	assert_int_equal(x.m.peak[0].end, 1);
	assert_int_equal(x.m.category[MEMORY_TEMPORARY], 2 << 20);
	assert_int_equal(x.m.nall, 2);
	assert_int_equal(x.m.all[1].id, 2);
	assert_int_equal(x.m.all[1].size, -1);
	assert_true(isnan(facts_number(&x.m.summary, "addressPeakMib")));
	memory_free(&x.m);
	dump_close(x.dump);
}

static void limits_of_chips(void **state)
{
	(void)state;
	assert_int_equal(memory_limit("TPU v5 lite"), KIB(1 << 10) * 16128);
	assert_int_equal(memory_limit("TPU v5p"), KIB(1 << 20) * 95);
	assert_int_equal(memory_limit("abacus"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heap_of_a_program),
		cmocka_unit_test(buffers_at_the_peak),
		cmocka_unit_test(addresses_count_once),
		cmocka_unit_test(sharing_shows_the_later_buffer),
		cmocka_unit_test(traces_may_leave_buffers_out),
		cmocka_unit_test(traces_of_a_few_bytes_leave_nothing_out),
		cmocka_unit_test(damaged_traces_keep_what_stands_before),
		cmocka_unit_test(cut_files_and_missing_assignments),
		cmocka_unit_test(other_spaces_are_empty),
		cmocka_unit_test(donations_and_ops),
		cmocka_unit_test(sums_of_impossible_sizes),
		cmocka_unit_test(modules_as_json),
		cmocka_unit_test(results_of_profilers),
		cmocka_unit_test(gathered_weights),
		cmocka_unit_test(beside_the_allocator),
		cmocka_unit_test(limits_of_chips),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
