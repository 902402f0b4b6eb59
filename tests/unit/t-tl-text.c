#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/timeline/text.h"

static void short_hlo(void **state)
{
	static const char *const cases[][2] = {
		{ "%f.1 = bf16[8,512]{1,0:T(8,128)} fusion(bf16[8,64]{1,0} %a), kind=kLoop, calls=%c.1",
		    "bf16[8,512] fusion(bf16[8,64] %a)" },
		{ "%d = f32[8] copy-done((f32[8], f32[8], u32[]) %s)", "f32[8] copy-done(%s)" },
		{ "%s = (f32[8], (f32[8], u32[])) copy-start(f32[8] %x)", "copy-start(f32[8] %x)" },
		{ "%m = (f32[8], f32[4]) fusion(f32[8] %x)", "(f32[8], f32[4]) fusion(f32[8] %x)" },
		{ "%r = f32[8] all-reduce(f32[8] %x), replica_groups={{0,1}}, to_apply=%add",
		    "f32[8] all-reduce(f32[8] %x), replica_groups={{0,1}}" },
		{ "%b = f32[8] g(((", "f32[8] g(((" },
		{ "%b = f32[8]{1", "f32[8]" },
		{ "no HLO, kind=here", "no HLO, kind=here" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *s = tl_short_hlo(cases[i][0]);

		assert_string_equal(s, cases[i][1]);
		free(s);
	}
}

/* Parentheses that never close take no longer than those that do. */
static void hostile(void **state)
{
	size_t n = 1000000;
	char *s = malloc(n + 16), *out;

	(void)state;
	assert_non_null(s);
	strcpy(s, "%a = ");
	memset(s + 5, '(', n);
	s[n + 5] = '\0';
	out = tl_short_hlo(s);
	assert_int_equal(strlen(out), n);
	free(out);
	free(s);
}

static void paths(void **state)
{
	(void)state;
	assert_string_equal(tl_short_path("/model/a.py:100"), "/model/a.py:100");
	assert_string_equal(tl_short_path("experimental/users/somebody/model/a.py:100"), "a.py:100");
	assert_string_equal(tl_short_path("no_folder_but_a_long_name.py:1"),
	    "no_folder_but_a_long_name.py:1");
}

static void wrapping(void **state)
{
	(void)state;
	assert_int_equal(tl_wrap("one two three", 13, 20), 13);
	assert_int_equal(tl_wrap("one two three", 13, 9), 7);
	assert_int_equal(tl_wrap("abcdefghijkl", 12, 5), 5);
	assert_int_equal(tl_wrap("abc", 3, 0), 1);
}

#define MS PS_PER_MS

static void column_units(void **state)
{
	(void)state;
	assert_int_equal(tl_column_unit(194 * MS, 200 * MS), UNIT_MS);
	assert_int_equal(tl_column_unit(8 * MS, 77773 * MS), UNIT_MS);
	assert_int_equal(tl_column_unit(100 * MS, 77773 * MS), UNIT_S);
	assert_int_equal(tl_column_unit(0, 77773 * MS), UNIT_S);
	assert_int_equal(tl_column_unit(5830 * PS_PER_NS, 94 * MS), UNIT_US);
	assert_int_equal(tl_column_unit(5830 * PS_PER_NS, 77773 * MS), UNIT_S); /* too far apart */
	assert_int_equal(tl_column_unit(3, 500), UNIT_PS);
}

static void is_cell(int64_t ps, enum time_unit unit, const char *want)
{
	char buf[48];

	assert_string_equal(tl_cell_time(buf, sizeof buf, ps, unit, true), want);
}

/* No cell reads 0.000 for what is there. */
static void cells(void **state)
{
	(void)state;
	is_cell(194 * MS, UNIT_S, "0.194");
	is_cell(100 * MS, UNIT_S, "0.100");
	is_cell(5830 * PS_PER_NS, UNIT_S, "5.830 us");
	is_cell(5830 * PS_PER_NS, UNIT_US, "5.830");
	is_cell(0, UNIT_S, "0.000");
	is_cell(7, UNIT_PS, "7");
	is_cell(-3, UNIT_NS, "-3 ps");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_hlo),
		cmocka_unit_test(hostile),
		cmocka_unit_test(paths),
		cmocka_unit_test(wrapping),
		cmocka_unit_test(column_units),
		cmocka_unit_test(cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
