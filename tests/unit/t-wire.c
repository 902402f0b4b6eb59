#include "config.h"
#include "base/codec/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/pbuild.h"
#include "load/build/idmap.h"

static void varints_of_all_lengths(void **state)
{
	(void)state;
	for (int bits = 0; bits <= 64; bits++) {
		uint64_t want = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, got = 7;
		struct pb p = { 0 };

		pb_varint(&p, want);
		assert_ptr_equal(wire_varint(p.b, p.b + p.n, &got), p.b + p.n);
		assert_true(got == want);
		for (size_t n = 0; n < p.n; n++)
			assert_null(wire_varint(p.b, p.b + n, &got));
		pb_free(&p);
	}
}

/* Up to eight bytes are read at once, whatever follows them, with and without the instruction for that. */
static void varints_read_at_once(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t want = i * UINT64_C(0x9e3779b97f4a7c15) >> i % 64, got;
		uint8_t b[32];
		struct pb p = { 0 };

		pb_varint(&p, want);
		memset(b, i % 2 ? 0xff : 0, sizeof b);
		memcpy(b, p.b, p.n);
		for (int pext = 0; pext <= wire_has_pext(); pext++) {
			got = 7;
			assert_ptr_equal(pext ? wire_varint_quick(b, &got, true)
					      : wire_varint_quick(b, &got, false),
			    p.n <= 8 ? b + p.n : NULL);
			assert_true(got == (p.n <= 8 ? want : 7));
		}
		pb_free(&p);
	}
}

static void varint_of_eleven_bytes_is_refused(void **state)
{
	uint8_t b[11];
	uint64_t v;

	(void)state;
	memset(b, 0x80, sizeof b);
	b[10] = 1;
	assert_null(wire_varint(b, b + sizeof b, &v));
	b[9] = 0; /* ten bytes are allowed */
	assert_ptr_equal(wire_varint(b, b + sizeof b, &v), b + 10);
}

static void fields_of_all_types(void **state)
{
	const uint8_t fixed32[] = { 5 << 3 | 5, 0x78, 0x56, 0x34, 0x12 };
	struct pb p = { 0 };
	struct wire w;

	(void)state;
	pb_u(&p, 1, 300);
	pb_double(&p, 2, -1.5);
	pb_s(&p, 1000, "text");
	pb_raw(&p, fixed32, sizeof fixed32);
	w = wire_open(p.b, p.n);
	assert_true(wire_next(&w));
	assert_int_equal(w.field, 1);
	assert_int_equal(w.type, 0);
	assert_int_equal(w.u, 300);
	assert_true(wire_next(&w));
	assert_int_equal(w.type, 1);
	assert_true(wire_double(&w) == -1.5);
	assert_true(wire_next(&w));
	assert_int_equal(w.field, 1000);
	assert_int_equal(w.n, 4);
	assert_memory_equal(w.s, "text", 4);
	assert_true(wire_next(&w));
	assert_int_equal(w.type, 5);
	assert_int_equal(w.u, 0x12345678);
	assert_false(wire_next(&w));
	assert_false(w.bad);
	pb_free(&p);
}

static void damage_stops_at_its_byte(void **state)
{
	static const struct {
		uint8_t b[12];
		size_t n, at;
		bool cut;
	} cases[] = {
		{ { 8, 1, 3 << 3 | 3, 8, 1, 2 << 3 | 4 }, 6, 2, false },    /* group, the end of another */
		{ { 8, 1, 3 << 3 | 3, 8, 1 }, 5, 2, true },                 /* group without an end */
		{ { 8, 1, 3 << 3 | 4 }, 3, 2, false },                      /* its end */
		{ { 8, 1, 0, 1 }, 4, 2, false },                            /* field 0 */
		{ { 8, 1, 3 << 3 | 6, 1 }, 4, 2, false },                   /* no such type */
		{ { 8, 0x80 }, 2, 0, true },                                /* cut number */
		{ { 8, 1, 0x80 }, 3, 2, true },                             /* cut key */
		{ { 8, 1, 2 << 3 | 1, 1, 2, 3, 4, 5, 6, 7 }, 10, 2, true }, /* 7 of 8 bytes */
		{ { 2 << 3 | 5, 1, 2, 3 }, 4, 0, true },                    /* 3 of 4 bytes */
		{ { 8, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1 }, 12, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wire w = wire_open(cases[i].b, cases[i].n);

		while (wire_next(&w))
			;
		assert_true(w.bad);
		assert_int_equal(w.cut, cases[i].cut);
		assert_null(w.s);
		assert_ptr_equal(w.p, cases[i].b + cases[i].at);
		assert_false(wire_next(&w));
	}
}

/* A group is reported as present, without contents. */
static void groups_are_skipped(void **state)
{
	static const uint8_t b[] = { 9 << 3 | 3, 1 << 3 | 2, 2, 'a', 'b', 2 << 3 | 3, 8, 1, 2 << 3 | 4,
		9 << 3 | 4, 1 << 3, 5 };
	uint8_t deep[200];
	struct wire w = wire_open(b, sizeof b);

	(void)state;
	assert_true(wire_next(&w));
	assert_int_equal(w.field, 9);
	assert_int_equal(w.type, 3);
	assert_null(w.s);
	assert_ptr_equal(w.p, b + 10);
	assert_true(wire_next(&w));
	assert_int_equal(w.field, 1);
	assert_int_equal(w.u, 5);
	assert_false(wire_next(&w));
	assert_false(w.bad);
	memset(deep, 1 << 3 | 3, sizeof deep);
	w = wire_open(deep, sizeof deep);
	assert_false(wire_next(&w));
	assert_true(w.bad);
}

static void an_end_of_no_group_can_be_skipped(void **state)
{
	static const uint8_t b[] = { 9 << 3 | 4, 1 << 3, 5, 0, 0 };
	struct wire w = wire_open(b, sizeof b);

	(void)state;
	assert_false(wire_skip_end(&w));
	assert_false(wire_next(&w));
	assert_true(w.bad);
	assert_true(wire_skip_end(&w));
	assert_true(wire_next(&w));
	assert_int_equal(w.u, 5);
	assert_false(wire_next(&w));
	assert_false(wire_skip_end(&w));
	assert_true(w.bad);
	assert_ptr_equal(w.p, b + 3);
}

static void what_runs_past_the_end_is_cut(void **state)
{
	const uint8_t b[] = { 1 << 3 | 2, 5, 'a', 'b' };
	struct wire w = wire_open(b, sizeof b);

	(void)state;
	assert_false(wire_next(&w));
	assert_true(w.bad);
	assert_true(w.cut);
	assert_int_equal(w.field, 1);
	assert_int_equal(w.n, 2);
	assert_ptr_equal(w.s, b + 2);
}

static void ids_small_sparse_and_negative(void **state)
{
	static const int64_t keys[] = { 0, 1, 5, -1, INT64_MIN, INT64_MAX, 77, 1 << 20, INT64_C(1) << 40 };
	const size_t n = sizeof keys / sizeof *keys;

	(void)state;
	for (int planned = 0; planned < 2; planned++) {
		struct idmap m = { 0 };

		assert_int_equal(idmap_get(&m, 0), IDMAP_NONE);
		if (planned)
			idmap_plan(&m, 77, n);
		for (uint32_t i = 0; i < n; i++) {
			assert_int_equal(idmap_get(&m, keys[i]), IDMAP_NONE);
			idmap_put(&m, keys[i], i);
		}
		idmap_put(&m, 5, 1000);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(idmap_get(&m, keys[i]), keys[i] == 5 ? 1000 : i);
		idmap_free(&m);
	}
}

static void many_ids(void **state)
{
	struct idmap m = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 100000; i++)
		idmap_put(&m, (int64_t)i << 32, i);
	for (uint32_t i = 0; i < 100000; i++)
		assert_int_equal(idmap_get(&m, (int64_t)i << 32), i);
	assert_int_equal(idmap_get(&m, 1), IDMAP_NONE);
	idmap_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(varints_of_all_lengths),
		cmocka_unit_test(varints_read_at_once),
		cmocka_unit_test(varint_of_eleven_bytes_is_refused),
		cmocka_unit_test(fields_of_all_types),
		cmocka_unit_test(damage_stops_at_its_byte),
		cmocka_unit_test(groups_are_skipped),
		cmocka_unit_test(an_end_of_no_group_can_be_skipped),
		cmocka_unit_test(what_runs_past_the_end_is_cut),
		cmocka_unit_test(ids_small_sparse_and_negative),
		cmocka_unit_test(many_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
