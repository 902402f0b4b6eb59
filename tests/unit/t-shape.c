#include "config.h"
#include "analyze/hlo/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/pbuild.h"

static struct shape parse(struct arena *a, const char *text)
{
	struct shape s;

	if (shape_parse(a, text, strlen(text), &s) != strlen(text))
		fail_msg("not read to its end: %s", text);
	return s;
}

static void texts_come_back(void **state)
{
	static const char *const texts[] = {
		"f32[]",
		"u32[]{:S(2)}",
		"bf16[]{:T(256)}",
		"token[]",
		"opaque[]",
		"type77[3]{0}",
		"f32[<=5,?]{1,0}",
		"s4[4096,4096]{1,0:T(64,128)(8,1)E(4)S(1)}",
		"bf16[7,129,65]{2,1,0:T(8,128)(2,1)}",
		"f32[16]{0:T(*,128)L(1024)#(u32)*(u64)SC(1:3,5)SC(0:2)M(8)}",
		"f8e4m3b11fnuz[2]{0}",
		"()",
		"(f32[2]{0}, (s32[], token[]), b(f32[8]{0}))",
		"(s8[], s8[], s8[], s8[], s8[], /*index=5*/s8[], s8[])",
		"b((f32[2]{0}, s32[]))",
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct shape s = parse(&a, texts[i]);

		if (strncmp(texts[i], "b((", 3))
			assert_string_equal(shape_text(&a, &s), texts[i]);
	}
	arena_free(&a);
}

static void damaged_texts_are_no_shapes(void **state)
{
	static const char *const texts[] = { "", "f32", "f32[", "f32[1", "f32[1,]", "f32[-1]", "f99[1]",
		"f32[99999999999999999999]", "f32[2]{0", "f32[2]{0:", "f32[2]{0:X(1)}", "f32[2]{0:T}",
		"f32[2]{0:T(}", "f32[2]{0:T(8)T(8)}", "(f32[2]", "(f32[2],", "(,)", "b()", "b(f32[1]",
		"type12[1]" };
	struct arena a = { 0 };
	char deep[400] = "";
	struct shape s;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (shape_parse(&a, texts[i], strlen(texts[i]), &s))
			fail_msg("taken for a shape: %s", texts[i]);
	memset(deep, '(', sizeof deep - 1);
	assert_int_equal(shape_parse(&a, deep, sizeof deep - 1, &s), 0);
	assert_int_equal(shape_parse(&a, "f32[2]{0} %x", 12, &s), 9);
	arena_free(&a);
}

static void sizes_follow_tiles(void **state)
{
	static const struct {
		const char *text;
		int64_t unpadded, padded;
	} v[] = {
		{ "bf16[7,129,65]{2,1,0:T(8,128)(2,1)}", 117390, 243712 },
		{ "f32[100]{0}", 400, 400 },
		{ "f32[100]{0:T(128)}", 400, 512 },
		{ "f32[2,100]{0,1:T(2,128)}", 800, 100 * 128 * 4 },
		{ "s4[4096,4096]{1,0:T(64,128)(8,1)E(4)}", 8388608, 8388608 },
		{ "s4[3]{0}", 3, 3 },
		{ "pred[5]{0:T(512)L(1024)}", 5, 1024 },
		{ "f32[3,5,100]{2,1,0:T(*,8,128)}", 6000, 2 * 1024 * 4 },
		{ "s8[<=5]{0:M(32)}", 5, 37 },
		{ "s32[?]{0}", -1, -1 },
		{ "f32[4611686018427387904]{0}", -1, -1 },
		{ "f32[0,8]{1,0:T(8,128)}", 0, 0 },
		{ "f32[2,2]{1,1}", 16, 16 },
		{ "f32[2,2]{7,0}", 16, -1 },
		{ "f32[8]{0:T(0)}", 32, -1 },
		{ "(f32[8], s8[])", 16, 16 },
		{ "b(f32[8]{0:T(128)})", 32, 512 },
		{ "token[]", 0, 0 },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct shape s = parse(&a, v[i].text);

		if (shape_unpadded(&s) != v[i].unpadded || shape_padded(&s) != v[i].padded)
			fail_msg("%s: %lld, %lld", v[i].text, (long long)shape_unpadded(&s),
			    (long long)shape_padded(&s));
	}
	arena_free(&a);
}

/* Batch 16 in the lanes, feature 3 in the sublanes. */
static void dimensions_against_tiles(void **state)
{
	struct arena a = { 0 };
	struct shape s = parse(&a, "f32[16,224,224,3]{0,3,2,1:T(8,128)}");
	struct shape_dim v[8];
	double part;

	(void)state;
	assert_int_equal(shape_fit(&s, v, 8), 4);
	assert_true(v[0].size == 16 && v[0].alignment == 128 && v[0].padded == 128 && v[0].index == 0);
	assert_true(v[1].size == 3 && v[1].alignment == 8 && v[1].padded == 8 && v[1].index == 3);
	assert_true(v[2].size == 224 && v[2].alignment == 1 && v[2].padded == 224 && v[2].index == 2);
	part = shape_efficiency(v, 4);
	assert_true(part > 0.046874 && part < 0.046876);
	assert_int_equal(shape_fit(&s, v, 2), 2);
	s = parse(&a, "f32[16,3]");
	assert_int_equal(shape_fit(&s, v, 8), 2);
	assert_true(v[0].size == 3 && !v[0].alignment && v[0].padded == 3);
	part = shape_efficiency(v, 2);
	assert_true(part != part);
	s = parse(&a, "(f32[16,3])");
	assert_int_equal(shape_fit(&s, v, 8), 0);
	arena_free(&a);
}

static void put_dims(struct pb *p, unsigned field, const int64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pb_u(p, field, (uint64_t)v[i]);
}

static struct pb array(void)
{
	struct pb s = { 0 }, layout = { 0 }, tile = { 0 };

	pb_u(&s, 2, 16);
	put_dims(&s, 3, (const int64_t[]){ 5, INT64_MIN }, 2);
	put_dims(&layout, 1, (const int64_t[]){ 1, 0 }, 2);
	put_dims(&tile, 1, (const int64_t[]){ 8, 128 }, 2);
	pb_sub(&layout, 6, &tile);
	put_dims(&tile, 1, (const int64_t[]){ 2, 1 }, 2);
	pb_sub(&layout, 6, &tile);
	pb_u(&layout, 8, 1);
	pb_sub(&s, 5, &layout);
	put_dims(&s, 6, (const int64_t[]){ 1, 1 }, 2);
	return s;
}

static bool from_bytes(struct arena *a, const struct pb *bytes, struct shape *s)
{
	Pb__ShapeProto *p = pb__shape_proto__unpack(NULL, bytes->n, bytes->b);
	bool good;

	assert_non_null(p);
	good = shape_of_proto(a, p, s);
	pb__shape_proto__free_unpacked(p, NULL);
	return good;
}

static void protos_are_the_same_shapes(void **state)
{
	struct pb tuple = { 0 }, part = array(), token = { 0 };
	struct arena a = { 0 };
	struct shape s;

	(void)state;
	pb_u(&tuple, 2, SHAPE_TUPLE);
	pb_sub(&tuple, 4, &part);
	pb_u(&token, 2, SHAPE_TOKEN);
	pb_sub(&tuple, 4, &token);
	assert_true(from_bytes(&a, &tuple, &s));
	assert_string_equal(shape_text(&a, &s), "(bf16[<=5,?]{1,0:T(8,128)(2,1)S(1)}, token[])");
	assert_int_equal(shape_padded(&s.sub[0]), -1);
	for (int i = 0; i < 100; i++) {
		part = tuple;
		memset(&tuple, 0, sizeof tuple);
		pb_u(&tuple, 2, SHAPE_TUPLE);
		pb_sub(&tuple, 4, &part);
	}
	assert_false(from_bytes(&a, &tuple, &s));
	pb_free(&tuple);
	arena_free(&a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_come_back),
		cmocka_unit_test(damaged_texts_are_no_shapes),
		cmocka_unit_test(sizes_follow_tiles),
		cmocka_unit_test(dimensions_against_tiles),
		cmocka_unit_test(protos_are_the_same_shapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
