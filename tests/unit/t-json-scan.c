#include "config.h"
#include "load/build/json_scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void check_time(const char *text, int64_t us, int32_t ps)
{
	char padded[2000];
	struct scan_time t = { 0 };
	size_t n = (size_t)snprintf(padded, sizeof padded, "%s,%40s", text, "");

	/* long enough for the fast path, then as short as possible */
	for (size_t end = n; end; end = end == n ? strlen(text) + 1 : 0) {
		const char *q = scan_time(padded, padded + end, &t);

		if (q != padded + strlen(text) || t.us != us || t.ps != ps || t.range)
			fail_msg("%s: %lld us %d ps, %d bytes, range %d", text, (long long)t.us, t.ps,
			    (int)(q - padded), t.range);
	}
}

static void times_are_exact(void **state)
{
	(void)state;
	check_time("0", 0, 0);
	check_time("17", 17, 0);
	check_time("28087.522000000001", 28087, 522000);
	check_time("732.88300000000004", 732, 883000);
	check_time("1.0000004", 1, 0);
	check_time("1.0000005", 1, 1);
	check_time("1.9999995", 1, 1000000);
	check_time("0.5", 0, 500000);
	check_time("0.123", 0, 123000);
	check_time("0.1234567", 0, 123457);
	check_time("0.12345678", 0, 123457);
	check_time("0.1234564999999999999999999999999999", 0, 123456);
	check_time("-3.25", -3, -250000);
	check_time("9.9999999999999995e-07", 0, 1);
	check_time("1e-6", 0, 1);
	check_time("4e-7", 0, 0);
	check_time("1.5E+3", 1500, 0);
	check_time("1732100000000000.1234", INT64_C(1732100000000000), 123400);
	check_time("12345678901234567890e-3", INT64_C(12345678901234567), 890000);
	check_time("\"12.5\"", 12, 500000);
	check_time("\"-1e1\"", -10, 0);
	check_time("0e99999999999999999999", 0, 0);
	check_time("000000000000000000000000000007", 7, 0);
	check_time("1.", 1, 0);
}

static void what_is_no_time(void **state)
{
	static const char *const none[] = { "NaN,", "Infinity,", "-,", "\"\",", "\"1x\",", "x,", "null,",
		"true,", "-Infinity,", ".," };
	static const char *const cut[] = { "1", "1.", "1.5", "1e", "-", "\"1", "\"", "1.55555555555555" };
	static const char *const large[] = { "1e999,", "99999999999999999999,", "-1e30," };
	struct scan_time t;

	(void)state;
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_ptr_equal(scan_time(none[i], none[i] + strlen(none[i]), &t), none[i]);
	for (size_t i = 0; i < sizeof cut / sizeof *cut; i++)
		assert_null(scan_time(cut[i], cut[i] + strlen(cut[i]), &t));
	for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
		assert_non_null(scan_time(large[i], large[i] + strlen(large[i]), &t));
		assert_true(t.range);
	}
}

static const char *slow_end(const char *p)
{
	int depth = 0;
	bool string = false;

	for (;; p++) {
		if (string) {
			if (*p == '\\')
				p++;
			else if (*p == '"')
				string = false;
		} else if (*p == '"') {
			string = true;
		} else if (strchr("{[", *p)) {
			depth++;
		} else if (strchr("}]", *p) && !--depth) {
			return p + 1;
		}
	}
}

/* Compared with a byte-by-byte scanner: quotes, escapes and brackets at every position of a block. */
static void nested_values_end_where_they_end(void **state)
{
	static const char *const pieces[] = { "\"", "\\\\", "\\\"", "{", "}", "[", "]", "a", ",", "\\\\\\\"",
		"xxxxxxxxxxxxxxxxx", " " };
	uint32_t random = 12345;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char text[600] = "{";
		int depth = 1;
		bool string = false;
		const char *end, *got;

		while (strlen(text) < 300 + (size_t)round % 100) {
			const char *piece =
			    pieces[(random = random * 1103515245 + 12345) >> 16 & 15 ? random >> 20 & 7
										     : random >> 24 & 3];

			if (!string && *piece == '\\')
				continue;
			if (!string && (*piece == '}' || *piece == ']') && depth == 1)
				continue;
			if (!string)
				depth += *piece == '{' || *piece == '[' ? 1
				    : *piece == '}' || *piece == ']'    ? -1
									: 0;
			string ^= *piece == '"';
			strcat(text, piece);
		}
		if (string)
			strcat(text, "\"");
		while (depth--)
			strcat(text, "}");
		end = slow_end(text);
		strcat(text, ",\"rest\"");
		got = scan_nested(text, text + strlen(text));
		if (got != end)
			fail_msg("%s: ends at %d, not %d", text, (int)(end - text), (int)(got - text));
		for (const char *cut = text + 1; cut < end; cut += 7)
			assert_null(scan_nested(text, cut));
	}
}

static void strings_are_unescaped(void **state)
{
	static const struct {
		const char *from, *to;
	} t[] = {
		{ "plain", "plain" },
		{ "a\\\"b\\\\c\\/d", "a\"b\\c/d" },
		{ "\\b\\f\\n\\r\\t", "\b\f\n\r\t" },
		{ "\\u0041\\u00e9\\u20ac", "Aé€" },
		{ "\\ud83d\\ude00", "😀" },
		{ "\\ud83d", "\xef\xbf\xbd" },
		{ "\\ude00x", "\xef\xbf\xbdx" },
		{ "\\u12", "\\u12" },
		{ "\\q\\", "\\q\\" },
		{ "=\\u003e", "=>" },
	};
	char out[100];

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		size_t n = scan_unescape(out, t[i].from, strlen(t[i].from));

		assert_int_equal(n, strlen(t[i].to));
		assert_memory_equal(out, t[i].to, n);
	}
}

static void values_longer_than_a_piece(void **state)
{
	static const char text[] = " {\"a\":[1,\"]}\\\"\",{}],\"b\":2} ,";

	(void)state;
	for (size_t piece = 1; piece < sizeof text; piece++) {
		struct scan_skip skip = { 0 };
		const char *end = text + sizeof text - 1, *p = text, *q = NULL;

		while (!q && p < end) {
			const char *to = (size_t)(end - p) > piece ? p + piece : end;

			q = scan_skip(&skip, p, to);
			p = to;
		}
		assert_ptr_equal(q, end - 2);
	}
}

static void numbers(void **state)
{
	static const struct {
		const char *text;
		double d;
	} good[] = {
		{ "1", 1 },
		{ "-2.5e3", -2500 },
		{ "\"0.1\"", 0.1 },
		{ "1e308", 1e308 },
	};
	static const char *const bad[] = { "NaN", "\"x\"", "\"\"", "1e999", "{}", "true", "0x10", "1,5", "-",
		"1-2", "2026-01-15", "\"1.2.3\"", "1e" };
	double d;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_true(scan_number((struct slice){ good[i].text, strlen(good[i].text) }, &d));
		assert_true(d == good[i].d);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (scan_number((struct slice){ bad[i], strlen(bad[i]) }, &d))
			fail_msg("%s", bad[i]);
	assert_false(scan_number((struct slice){ "1\0002", 3 }, &d));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_exact),
		cmocka_unit_test(what_is_no_time),
		cmocka_unit_test(nested_values_end_where_they_end),
		cmocka_unit_test(strings_are_unescaped),
		cmocka_unit_test(values_longer_than_a_piece),
		cmocka_unit_test(numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
