#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "widget/text.h"

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
		char *s = text_short_hlo(cases[i][0]);

		assert_string_equal(s, cases[i][1]);
		free(s);
	}
}

/* Unclosed parentheses do not take longer than closed ones. */
static void hostile(void **state)
{
	size_t n = 1000000;
	char *s = malloc(n + 16), *out;

	(void)state;
	assert_non_null(s);
	strcpy(s, "%a = ");
	memset(s + 5, '(', n);
	s[n + 5] = '\0';
	out = text_short_hlo(s);
	assert_int_equal(strlen(out), n);
	free(out);
	free(s);
}

static void paths(void **state)
{
	(void)state;
	assert_string_equal(text_short_path("/model/a.py:100"), "/model/a.py:100");
	assert_string_equal(text_short_path("experimental/users/somebody/model/a.py:100"), "a.py:100");
	assert_string_equal(text_short_path("no_folder_but_a_long_name.py:1"),
	    "no_folder_but_a_long_name.py:1");
}

static void wrapping(void **state)
{
	(void)state;
	assert_int_equal(text_wrap("one two three", 13, 20), 13);
	assert_int_equal(text_wrap("one two three", 13, 9), 7);
	assert_int_equal(text_wrap("abcdefghijkl", 12, 5), 5);
	assert_int_equal(text_wrap("abc", 3, 0), 1);
}

static void a_match_is_shown_with_what_is_around_it(void **state)
{
	static const char hlo[] = "fusion(f32[8,512]{1,0:T(8,128)} %param.1), kind=kLoop, calls=%fused_1";
	struct regex *re = regex_literal("%param");
	char buf[64];

	(void)state;
	assert_string_equal(text_match(buf, sizeof buf, re, hlo, strlen(hlo)),
	    "…]{1,0:T(8,128)} %param.1), kind=kLoop,…");
	assert_string_equal(text_match(buf, sizeof buf, re, "%param.1", 8), "%param.1");
	assert_string_equal(text_match(buf, sizeof buf, re, "ééééééééééé%param", 28), "…éééééééé%param");
	assert_string_equal(text_match(buf, sizeof buf, re, "add", 3), "");
	regex_free(re);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_hlo),
		cmocka_unit_test(hostile),
		cmocka_unit_test(paths),
		cmocka_unit_test(wrapping),
		cmocka_unit_test(a_match_is_shown_with_what_is_around_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
