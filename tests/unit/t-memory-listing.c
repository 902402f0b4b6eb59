/* The memory of a program of which only the compiler's text files exist. */
#include "config.h"

#include "analyze/memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KIB(n) ((int64_t)(n) << 10)

static const char assigned[] =
    "BufferAssignment:\n"
    "allocation 0: size 32768, page 0, parameter 0, shape |f32[64,128]| at ShapeIndex {}:\n"
    " value: <1 param.1 @0> (size=32768,offset=0): f32[64,128]{1,0:T(8,128)}\n"
    "allocation 1: size 98304, page 0, preallocated-temp:\n"
    " value: <2 add.2 @0> (size=32768,offset=0): f32[60,128]{1,0:T(8,128)}\n"
    " value: <3 loop.3{1} @0> (size=32768,offset=0): f32[64,128]{1,0:T(8,128)}\n"
    " value: <4 mul.4 @0> (size=65536,offset=32768): f32[128,128]{1,0:T(8,128)}\n"
    "allocation 2: size 32768, color 1, page 0, preallocated-temp:\n"
    " value: <5 copy.5 @1> (size=32768,offset=0): f32[64,128]{1,0:T(8,128)S(1)}\n"
    "\n"
    "Total bytes used: 131072 (128.0KiB)\n";
static const char ranges[] =
    "HloLiveRange (max 6):\n"
    "  InstructionSequence:\n"
    "    0:param.1\n    1:add.2\n    2:loop.3\n    3:mul.4\n    4:copy.5\n    5:root.6\n"
    "  BufferLiveRange:\n"
    "    param.1{}:0-6\n    add.2{}:1-4\n    loop.3{1}:2-3\n    mul.4{}:3-5\n    copy.5{}:4-5\n"
    "  Live ranges at 3 (peak):\n"
    "    param.1{}: 32768 bytes (cumulative: 32768 bytes)\n"
    "    mul.4{}: 65536 bytes (cumulative: 98304 bytes)\n";

static struct hlo_module module(const char *first, const char *second)
{
	struct hlo_module m = { .name = "jit_f", .origin = HLO_TEXT, .scoped = -1 };

	m.text[0].s = first;
	m.text[0].n = strlen(first);
	m.text[1].s = second;
	m.text[1].n = second ? strlen(second) : 0;
	m.ntexts = 1 + (second != NULL);
	return m;
}

static const struct memory_buffer *named(const struct memory *m, const char *name)
{
	for (size_t i = 0; i < m->npeak; i++)
		if (!strcmp(m->peak[i].name, name))
			return &m->peak[i];
	return NULL;
}

static void both_texts_give_a_timeline(void **state)
{
	struct hlo_module h = module(assigned, ranges);
	struct memory m;

	(void)state;
	memory_build(&h, NULL, 0, -1, &m);
	assert_null(m.problem);
	assert_non_null(m.lacks);
	assert_int_equal(m.npoints, 7);           /* three values are allocated and freed */
	assert_int_equal(m.peak_bytes, KIB(128)); /* loop.3 reuses the memory of add.2 */
	assert_int_equal(m.allocated, KIB(128));
	assert_int_equal(m.category[MEMORY_PARAMETER], KIB(32));
	assert_int_equal(m.category[MEMORY_TEMPORARY], KIB(96));
	assert_string_equal(m.instruction[m.peak_at], "mul.4");
	assert_non_null(named(&m, "param.1"));
	assert_int_equal(named(&m, "mul.4")->offset, KIB(32));
	assert_string_equal(named(&m, "mul.4")->shape, "f32[128,128]{1,0:T(8,128)}");
	assert_int_equal(named(&m, "loop.3{1}") ? named(&m, "loop.3{1}")->unpadded
						: named(&m, "add.2")->unpadded + KIB(2),
	    KIB(32));
	memory_free(&m);
	memory_build(&h, NULL, 1, -1, &m);
	assert_int_equal(m.peak_bytes, KIB(32));
	assert_int_equal(m.npoints, 3);
	memory_free(&m);
}

static void ranges_that_never_end(void **state)
{
	static const char endless[] =
	    "HloLiveRange (max 6):\n"
	    "  InstructionSequence:\n"
	    "    0:param.1\n    1:add.2\n    2:loop.3\n    3:mul.4\n"
	    "  BufferLiveRange:\n"
	    "    param.1{}:0-6\n    add.2{}:1-1\n    loop.3{1}:2-3\n    mul.4{}:3-9223372036854775807\n";
	struct hlo_module h = module(assigned, endless);
	struct memory m;

	(void)state;
	memory_build(&h, NULL, 0, -1, &m);
	assert_null(m.problem);
	assert_int_equal(m.npoints, 7);
	assert_int_equal(m.peak_bytes, KIB(128));
	memory_free(&m);
}

/* A tuple takes a pointer for each of its elements, also one that is an element of another. */
static void tuples_have_a_size(void **state)
{
	static const char tuples[] =
	    "BufferAssignment:\n"
	    "allocation 0: size 512, page 0, maybe-live-out:\n"
	    " value: <1 out.1{} @0> (size=512,offset=0): (f32[64,128]{1,0:T(8,128)}, (u32[], "
	    "/*index=1*/s32[2]))\n"
	    "allocation 1: size 512, page 0, maybe-live-out:\n"
	    " value: <2 start.2{1} @0> (size=512,offset=0): (f32[8], f32[8], f32[8])\n"
	    "\nTotal bytes used: 1024 (1.0KiB)\n";
	static const char pair[] =
	    "HloLiveRange (max 1):\n  InstructionSequence:\n    0:start.2\n    1:out.1\n"
	    "  BufferLiveRange:\n    start.2{1}:0-1\n    out.1{}:1-1\n";
	struct hlo_module h = module(tuples, pair);
	struct memory m;

	(void)state;
	memory_build(&h, NULL, 0, -1, &m);
	assert_null(m.problem);
	assert_false(m.no_shapes);
	assert_float_equal(facts_number(&m.summary, "parameterPaddingMib") * (1 << 20), 1024 - 2 * 8 - 3 * 8,
	    1);
	memory_free(&m);
}

static void an_assignment_alone_has_no_time(void **state)
{
	struct hlo_module h = module(assigned, NULL);
	struct memory m;

	(void)state;
	memory_build(&h, NULL, 0, -1, &m);
	assert_non_null(strstr(m.lacks, "program points"));
	assert_int_equal(m.npeak, 4);             /* the parameter and each value */
	assert_int_equal(m.peak_bytes, KIB(128)); /* all that is allocated */
	assert_int_equal(named(&m, "add.2")->unpadded, 60 * 128 * 4);
	memory_free(&m);
}

/* Temporaries are added to the peak last, which moves the list: pointers into it must be updated. */
static void donations_of_an_assignment_alone(void **state)
{
	static const char text[] =
	    "BufferAssignment:\n"
	    "allocation 0: size 32768, page 0, output shape is |f32[64,128]|, maybe-live-out:\n"
	    " value: <1 f.1 @0> (size=32768,offset=0): f32[64,128]{1,0:T(8,128)}\n"
	    "allocation 1: size 32768, page 0, parameter 0, shape |f32[64,128]| at ShapeIndex {}:\n"
	    " value: <0 x.1 @0> (size=32768,offset=0): f32[64,128]{1,0:T(8,128)}\n"
	    "allocation 2: size 98304, page 0, preallocated-temp:\n"
	    " value: <2 add.2 @0> (size=32768,offset=0): f32[60,128]{1,0:T(8,128)}\n";
	struct hlo_module h = module(text, NULL);
	struct memory m;

	(void)state;
	memory_build(&h, NULL, 0, -1, &m);
	assert_int_equal(m.npeak, 3);
	assert_int_equal(m.ndonations, 1);
	assert_true(m.donation[0].parameter >= m.peak && m.donation[0].parameter < m.peak + m.npeak);
	assert_true(m.donation[0].output >= m.peak && m.donation[0].output < m.peak + m.npeak);
	assert_string_equal(m.donation[0].parameter->name, "x.1");
	memory_free(&m);
}

static void live_ranges_alone_have_sizes_at_the_peak(void **state)
{
	struct hlo_module h = module(ranges, NULL);
	struct memory m;

	(void)state;
	memory_build(&h, NULL, 0, -1, &m);
	assert_int_equal(m.peak_bytes, KIB(96));
	assert_int_equal(named(&m, "mul.4")->size, KIB(64));
	assert_int_equal(m.npoints, 5);
	memory_free(&m);
}

static void reports_have_rows(void **state)
{
	struct hlo_module h = module("Memory Space: default (color=0)\n"
				     "Total bytes: 98304 (96.0KiB)\n"
				     "cumulative_size; size; offset; used_by_n_values; shapes_list\n"
				     "  64.0KiB( 66%);   64.0KiB;   32768;  2; 2×f32[128,128]\n"
				     "  96.0KiB(100%);   32.0KiB;       0;  1; 1×f32[60,128]\n",
	    NULL);
	struct memory m;

	(void)state;
	memory_build(&h, NULL, 0, -1, &m);
	assert_int_equal(m.npeak, 2);
	assert_int_equal(m.peak[0].size, KIB(64));
	assert_string_equal(m.peak[1].shape, "f32[60,128]");
	assert_int_equal(m.peak_bytes, KIB(96));
	memory_free(&m);
	h = module("Memory Space: default (color=0)\n" /* lists only some of it */
		   "Total bytes: 131072 (128.0KiB)\n"
		   "cumulative_size; size; offset; used_by_n_values; shapes_list\n"
		   "  64.0KiB(100%);   64.0KiB;       0;  1; f32[128,128]\n"
		   "Memory Space: vmem (color=1)\n"
		   "Total bytes: 32768 (32.0KiB)\n"
		   "cumulative_size; size; offset; used_by_n_values; shapes_list\n"
		   "  32.0KiB(100%);   32.0KiB;       0;  1; f32[64,128]\n",
	    NULL);
	memory_build(&h, NULL, 0, -1, &m);
	assert_int_equal(m.peak_bytes, KIB(128));
	assert_int_equal(m.allocated, KIB(128));
	assert_int_equal(m.npeak, 2);
	assert_string_equal(m.peak[1].name, "not listed");
	assert_int_equal(m.peak[1].size, KIB(64));
	memory_free(&m);
	memory_build(&h, NULL, 1, -1, &m);
	assert_int_equal(m.peak_bytes, KIB(32));
	memory_free(&m);
	h = module("nothing", NULL);
	memory_build(&h, NULL, 0, -1, &m);
	assert_non_null(m.problem);
	assert_int_equal(m.npeak, 0);
	memory_free(&m);
}

/* An error message of the compiler without a list of buffers. */
static void a_message_beside_gives_ops_and_sources(void **state)
{
	struct hlo_module h = module(assigned, ranges);
	Pb__OpMetadata meta = PB__OP_METADATA__INIT;
	Pb__HloInstructionProto op = PB__HLO_INSTRUCTION_PROTO__INIT, *ops[] = { &op };
	Pb__HloComputationProto body = PB__HLO_COMPUTATION_PROTO__INIT, *bodies[] = { &body };
	Pb__HloModuleProto hlo = PB__HLO_MODULE_PROTO__INIT;
	Pb__HloProto proto = PB__HLO_PROTO__INIT;
	struct memory m;

	(void)state;
	meta.op_name = (char[]){ "jit(f)/mul" };
	meta.source_file = (char[]){ "model.py" };
	meta.source_line = 7;
	op.name = (char[]){ "mul.4" };
	op.opcode = (char[]){ "multiply" };
	op.metadata = &meta;
	body.instructions = ops;
	body.n_instructions = 1;
	hlo.computations = bodies;
	hlo.n_computations = 1;
	hlo.entry_computation_name = (char[]){ "main" };
	proto.hlo_module = &hlo;
	memory_build(&h, &proto, 0, -1, &m);
	assert_null(m.problem);
	assert_non_null(strstr(m.lacks, "texts beside it"));
	assert_int_equal(m.peak_bytes, KIB(128));
	assert_string_equal(named(&m, "mul.4")->op_name, "jit(f)/mul");
	assert_string_equal(named(&m, "mul.4")->opcode, "multiply");
	assert_string_equal(named(&m, "mul.4")->source, "model.py:7");
	assert_string_equal(named(&m, "mul.4")->shape, "f32[128,128]{1,0:T(8,128)}");
	assert_string_equal(named(&m, "param.1")->op_name, "");
	memory_free(&m);
	h = module("nothing", NULL);
	memory_build(&h, &proto, 0, -1, &m);
	assert_non_null(m.problem);
	assert_ptr_equal(m.proto, &proto);
	memory_free(&m);
}

/* A text cut at every byte. */
static void cut_texts_do_no_harm(void **state)
{
	char *one = strdup(assigned), *two = strdup(ranges);

	(void)state;
	for (size_t i = strlen(one); i; i -= i > 3 ? 3 : i) {
		struct hlo_module h;
		struct memory m;

		one[i] = 0;
		two[i % strlen(ranges)] = 0;
		h = module(one, two);
		memory_build(&h, NULL, 0, -1, &m);
		memory_free(&m);
	}
	free(one);
	free(two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_texts_give_a_timeline),
		cmocka_unit_test(ranges_that_never_end),
		cmocka_unit_test(tuples_have_a_size),
		cmocka_unit_test(an_assignment_alone_has_no_time),
		cmocka_unit_test(donations_of_an_assignment_alone),
		cmocka_unit_test(live_ranges_alone_have_sizes_at_the_peak),
		cmocka_unit_test(reports_have_rows),
		cmocka_unit_test(a_message_beside_gives_ops_and_sources),
		cmocka_unit_test(cut_texts_do_no_harm),
	};

	return cmocka_run_group_tests_name("memory-listing", tests, NULL, NULL);
}
