#include "config.h"

#include "base/text/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void test_every_code_point_round_trips(void **state)
{
	(void)state;
	for (uint32_t c = 0; c <= 0x10ffff; c++) {
		char buf[4];
		const char *p = buf;
		int n = utf8_put(buf, c);
		uint32_t back = utf8_next(&p, buf + n);
		if (back != (c >= 0xd800 && c <= 0xdfff ? 0xfffd : c) || p != buf + n)
			fail_msg("U+%04X came back as U+%04X", c, back);
	}
}

static void test_broken_bytes_one_at_a_time(void **state)
{
	static const struct {
		const char *s;
		size_t len;
		int replaced;
	} bad[] = {
		{ "\x80", 1, 1 },
		{ "\xff\xfe", 2, 2 },
		{ "\xc0\x80", 2, 2 },
		{ "\xc1\xbf", 2, 2 },
		{ "\xe0\x80\x80", 3, 3 },
		{ "\xf0\x80\x80\x80", 4, 4 },
		{ "\xed\xa0\x80", 3, 3 },
		{ "\xf4\x90\x80\x80", 4, 4 },
		{ "\xf5\x80\x80\x80", 4, 4 },
		{ "\xe2\x82", 2, 2 },
		{ "\xf0\x9f\x98", 3, 3 },
		{ "\xe2\x82"
		  "A",
		    3, 2 },
		{ "\xc3\xc3\xa9", 3, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *p = bad[i].s, *end = p + bad[i].len;
		int replaced = 0;
		while (p < end) {
			const char *from = p;
			if (utf8_next(&p, end) == 0xfffd) {
				replaced++;
				assert_int_equal(p - from, 1);
			}
		}
		assert_ptr_equal(p, end);
		assert_int_equal(replaced, bad[i].replaced);
	}
}

static void test_safe(void **state)
{
	static const uint32_t kept[] = {
		' ',
		'A',
		'~',
		0xa0,
		0xb5,
		0xe9,
		0x2502,
		0x2588,
		0x2026,
		0x4e2d,
		0x1f600,
		0xe000,
		0x20000,
	};
	static const uint32_t replaced[] = {
		0x80,
		0x85,
		0x9b,
		0x9f,
		0xad,
		0x61c,
		0x300,
		0x36f,
		0x200b,
		0x200c,
		0x200d,
		0x200e,
		0x200f,
		0x2028,
		0x2029,
		0x202a,
		0x202e,
		0x2060,
		0x2066,
		0x2069,
		0x20d0,
		0xd800,
		0xdfff,
		0xfe0f,
		0xfeff,
		0xfff9,
		0xfffd,
		0xfdd0,
		0xfffe,
		0xffff,
		0x1fffe,
		0x10ffff,
		0x378,
		0xe0001,
		0x1160,
		0x3164,
		0x1f3fb,
		0x1f1e6,
		0x110000,
		0xffffffff,
	};

	(void)state;
	for (uint32_t c = 0; c < 0x20; c++)
		assert_int_equal(utf8_safe(c), 0x2400 + c);
	assert_int_equal(utf8_safe(0x7f), 0x2421);
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		assert_int_equal(utf8_safe(kept[i]), kept[i]);
	for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
		if (utf8_safe(replaced[i]) != 0x2426)
			fail_msg("U+%04X is let through", replaced[i]);
	}
	for (uint32_t c = 0; c < 0x110400; c++)
		assert_int_equal(utf8_safe(utf8_safe(c)), utf8_safe(c));
}

static void test_width(void **state)
{
	static const uint32_t wide[] = {
		0x1100,
		0x231a,
		0x2705,
		0x3000,
		0x4e2d,
		0xac00,
		0xff21,
		0x1f600,
		0x1f680,
		0x1faf6,
		0x20000,
		0x3134a,
	};
	static const uint32_t narrow[] = {
		'a',
		0xe9,
		0x2500,
		0x2588,
		0x2713,
		0xff61,
		0xfffd,
		0x303f,
		0x1f321,
		0x10000,
		0xe000,
		0x2400,
	};

	(void)state;
	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
		assert_int_equal(utf8_width(wide[i]), 2);
	for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
		assert_int_equal(utf8_width(narrow[i]), 1);
}

static void test_columns(void **state)
{
	/* a, wide, b, broken, newline, combining */
	static const char text[] = "a\xe4\xb8\xad"
				   "b\xff\n\xcc\x81";
	size_t len = sizeof text - 1;
	static const size_t fits[] = { 0, 1, 1, 4, 5, 6, 7, 9, 9 };

	(void)state;
	assert_int_equal(utf8_cols(text, len), 7);
	assert_int_equal(utf8_cols("", 0), 0);
	assert_int_equal(utf8_cols(NULL, 0), 0); /* no text is a text of no columns, for sanitizers too */
	assert_int_equal(utf8_fit(NULL, 0, 4), 0);
	for (int cols = 0; cols < 9; cols++)
		assert_int_equal(utf8_fit(text, len, cols), fits[cols]);
	assert_int_equal(utf8_fit(text, len, -3), 0);
}

static void test_head(void **state)
{
	static const char text[] = "a\xe4\xb8\xad\xc3\xa9";
	size_t len = sizeof text - 1;
	static const size_t heads[] = { 0, 1, 1, 1, 4, 4, 6, 6 };

	(void)state;
	for (size_t most = 0; most < sizeof heads / sizeof *heads; most++)
		assert_int_equal(utf8_head(text, len, most), heads[most]);
	assert_int_equal(utf8_head("\x80\x80\x80", 3, 2), 0);
	assert_int_equal(utf8_head("", 0, 3), 0);
}

static void test_clean(void **state)
{
	char buf[64];
	static const char evil[] = "\x1b]0;x\x07\xc2\x9b"
				   "31m\xe2\x80\xae"
				   "ok\t\xc3\xa9\xf0\x9f\x98\x80";

	(void)state;
	assert_string_equal(utf8_clean(buf, sizeof buf, evil, sizeof evil - 1, false),
	    "␛]0;x␇␦31m␦ok␉é\xf0\x9f\x98\x80");
	assert_string_equal(utf8_clean(buf, sizeof buf, evil, sizeof evil - 1, true), "?]0;x??31m?ok???");
	assert_string_equal(utf8_clean(buf, 5, "abcdefg", 7, false), "abcd");
	assert_string_equal(utf8_clean(buf, 4, "ab\xc3\xa9", 4, false), "ab"); /* never half a character */
	assert_string_equal(utf8_clean(buf, 5, "ab\xc3\xa9", 4, false), "ab\xc3\xa9");
	assert_string_equal(utf8_clean(buf, 1, "abc", 3, false), "");
	buf[0] = '#';
	utf8_clean(buf, 0, "abc", 3, false);
	assert_int_equal(buf[0], '#');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_code_point_round_trips),
		cmocka_unit_test(test_broken_bytes_one_at_a_time),
		cmocka_unit_test(test_safe),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_clean),
	};

	return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
