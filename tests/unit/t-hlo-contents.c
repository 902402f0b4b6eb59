#include "config.h"
#include "analyze/hlo/contents.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkhlo.h"
#include "../lib/mkspace.h"

static const struct slice fusion1 = { "fusion.1", 8 }, fusion2 = { "fusion.2", 8 },
			  fusion3 = { "fusion.3", 8 }, fusion4 = { "fusion.4", 8 }, none = { "fusion", 6 };

/* The entry has fusion.1, which contains add.5 and fusion.2, which contains multiply.6; fusion.3, which
 * contains itself; fusion.4, whose computation is missing. */
static struct pb module_of(void)
{
	struct pb m = { 0 }, entry = hlo_computation("entry", 1), outer = hlo_computation("outer", 2),
		  inner = hlo_computation("inner", 3), own = hlo_computation("own", 4);

	hlo_add(&inner, hlo_new("param.9", "parameter", 9));
	hlo_add(&inner, hlo_new("multiply.6", "multiply", 6));
	hlo_add(&outer, hlo_new("param.8", "parameter", 8));
	hlo_add(&outer, hlo_new("add.5", "add", 5));
	hlo_add(&outer, hlo_fusion("fusion.2", 2, 3));
	hlo_add(&own, hlo_fusion("fusion.5", 15, 4));
	hlo_add(&own, hlo_fusion("fusion.6", 16, 4));
	hlo_add(&entry, hlo_fusion("fusion.1", 1, 2));
	hlo_add(&entry, hlo_fusion("fusion.3", 3, 4));
	hlo_add(&entry, hlo_fusion("fusion.4", 4, 77));
	pb_sub(&m, 3, &outer);
	pb_sub(&m, 3, &own);
	pb_sub(&m, 3, &entry);
	pb_sub(&m, 3, &inner);
	return hlo_proto(&m);
}

static struct dump *make(size_t cut)
{
	struct mkspace s = { 0 };
	struct pb module = { 0 }, proto;

	module = module_of();
	proto = module;
	space_plane(&s, 1, "/device:TPU:0");
	space_meta_int(&s, "fusion.1", "program_id", 7);
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", 0, 10);
	space_plane(&s, 2, "/host:metadata");
	space_meta_bytes(&s, "jit_f(7)", "Hlo Proto", proto.b, proto.n - cut);
	pb_free(&proto);
	return space_load(&s, 1);
}

static void bodies_of_fusions(void **state)
{
	struct dump *d = make(0);
	struct hlo_contents *h = contents_new(d);
	const Pb__HloInstructionProto *i = contents_instruction(h, 7, fusion1);
	const Pb__HloComputationProto *body = contents_body(h, 7, i);

	(void)state;
	assert_non_null(body);
	assert_string_equal(body->name, "outer");
	assert_false(contents_is(body->instructions[0]));
	assert_true(contents_is(body->instructions[1]));
	assert_null(contents_body(h, 7, body->instructions[1]));
	body = contents_body(h, 7, contents_instruction(h, 7, fusion2));
	assert_non_null(body);
	assert_string_equal(body->instructions[1]->name, "multiply.6");
	assert_null(contents_instruction(h, 7, none));
	assert_null(contents_body(h, 7, NULL));
	assert_null(contents_body(h, 7, contents_instruction(h, 7, fusion4)));
	assert_int_equal(contents_missing(h), 0);
	contents_free(h);
	space_close(d);
}

static void fusions_that_hold_themselves_are_closed(void **state)
{
	struct dump *d = make(0);
	struct hlo_contents *h = contents_new(d);

	(void)state;
	assert_non_null(contents_instruction(h, 7, fusion3));
	assert_null(contents_body(h, 7, contents_instruction(h, 7, fusion3)));
	assert_int_equal(contents_endless(h), 3);
	contents_free(h);
	space_close(d);
}

static void missing_and_damaged_protos_are_counted(void **state)
{
	struct dump *d = make(1);
	struct hlo_contents *h = contents_new(d);

	(void)state;
	assert_int_equal(contents_missing(h), 0);
	assert_null(contents_instruction(h, 7, fusion1));
	assert_int_equal(contents_missing(h), 1);
	assert_null(contents_instruction(h, 8, fusion1));
	assert_null(contents_instruction(h, 8, fusion2));
	assert_int_equal(contents_missing(h), 2);
	contents_free(h);
	space_close(d);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_of_fusions),
		cmocka_unit_test(fusions_that_hold_themselves_are_closed),
		cmocka_unit_test(missing_and_damaged_protos_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
