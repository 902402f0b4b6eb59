#include "config.h"

#include "base/codec/json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text/utf8.h"

static void expect_text(struct json_out *o, const char *want)
{
	char *text;
	size_t len;

	assert_int_equal(json_out_end(o, &text, &len), 0);
	assert_int_equal(strlen(text), len);
	assert_string_equal(text, want);
	free(text);
}

static void test_layout(void **state)
{
	struct json_out *o = json_out_mem();

	(void)state;
	json_obj(o);
	json_key(o, "a");
	json_arr(o);
	json_newline(o);
	json_int(o, -1);
	json_newline(o);
	json_uint(o, UINT64_MAX);
	json_obj(o);
	json_end(o);
	json_arr(o);
	json_end(o);
	json_newline(o);
	json_end(o);
	json_key(o, "b");
	json_bool(o, true);
	json_key(o, "c");
	json_null(o);
	json_end(o);
	json_newline(o);
	expect_text(o, "{\"a\":[\n-1,\n18446744073709551615,{},[]\n],\"b\":true,\"c\":null}\n");
}

static void test_stopped_half_way_is_valid(void **state)
{
	struct json_out *o = json_out_mem();

	(void)state;
	json_obj(o);
	json_key(o, "rows");
	json_arr(o);
	json_obj(o);
	json_key(o, "x");
	expect_text(o, "{\"rows\":[{\"x\":null}]}");
}

static void test_strings_are_safe(void **state)
{
	static const struct {
		const char *s;
		size_t len;
		const char *want;
	} cases[] = {
		{ "", 0, "\"\"" },
		{ "a\"b\\c/", 6, "\"a\\\"b\\\\c/\"" },
		{ "\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\"" },
		{ "\0\x1b\x7f", 3, "\"\\u0000\\u001b\\u007f\"" },
		{ "\xc2\x80\xc2\x9b", 4, "\"\\u0080\\u009b\"" },
		{ "\xc2\xa0\xc3\xa9", 4, "\"\xc2\xa0\xc3\xa9\"" },
		{ "\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8", 9, "\"\\u202e\\u2066\\u2028\"" },
		{ "\xff"
		  "a\xe2\x82",
		    4,
		    "\"\xef\xbf\xbd"
		    "a\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\xf0\x9f\x98\x80", 4, "\"\xf0\x9f\x98\x80\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct json_out *o = json_out_mem();
		json_str(o, cases[i].s, cases[i].len);
		expect_text(o, cases[i].want);
	}
}

/* Long strings are written in pieces; no character may be split between them. */
static void test_long_strings(void **state)
{
	enum { N = 100000 };
	char *s = xmalloc(N * 3 + 1);
	struct arena a = { 0 };

	(void)state;
	for (size_t shift = 0; shift < 4; shift++) {
		struct json_out *o = json_out_mem();
		struct json *root;
		size_t len = shift, text_len;
		char *text;
		memset(s, '\x01', shift);
		for (size_t i = 0; i < N - 2; i++, len += 3)
			memcpy(s + len, "\xe2\x82\xac", 3);
		json_str(o, s, len);
		json_out_end(o, &text, &text_len);
		root = json_parse(&a, text, text_len, NULL);
		assert_non_null(root);
		assert_int_equal(root->len, len);
		assert_memory_equal(root->s, s, len);
		free(text);
	}
	arena_free(&a);
	free(s);
}

static void expect_double(double v, const char *want)
{
	struct json_out *o = json_out_mem();

	json_double(o, v);
	expect_text(o, want);
}

static void test_doubles(void **state)
{
	(void)state;
	expect_double(0, "0");
	expect_double(-0.0, "-0");
	expect_double(1, "1");
	expect_double(-1e14, "-100000000000000");
	expect_double(0.1, "0.10000000000000001");
	expect_double(69.387096774193552, "69.387096774193552");
	expect_double(0.5, "0.5");
	expect_double(1e300, "1.0000000000000001e+300");
	expect_double(5e-324, "4.9406564584124654e-324");
	expect_double(NAN, "null");
	expect_double(INFINITY, "null");
	expect_double(-INFINITY, "null");
}

static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Our own conversion equals that of printf, digit for digit. */
static void test_doubles_as_printf(void **state)
{
	uint64_t x = 0x9e3779b97f4a7c15u;
	struct json_out *o = json_out_mem();
	char *text, *p, want[64];
	size_t len;
	double *v = xmalloc(60000 * sizeof *v);

	(void)state;
	for (int i = 0; i < 60000; i++) {
		uint64_t bits = next_random(&x);
		switch (i % 4) {
		case 0: /* any exponent */
			memcpy(&v[i], &bits, sizeof v[i]);
			break;
		case 1: /* usual sizes */
			v[i] = ldexp((double)(bits >> 11), (int)(bits % 70) - 70);
			break;
		case 2: /* few decimals */
			v[i] = (double)(bits >> 40) / 1000;
			break;
		default: /* powers of ten and their neighbors */
			v[i] = nextafter(pow(10, (int)(bits % 24) - 6), (bits & 256) ? INFINITY : 0);
			break;
		}
		if (!isfinite(v[i]))
			v[i] = 0.25;
		json_double(o, v[i]);
	}
	json_out_end(o, &text, &len);
	p = text;
	for (int i = 0; i < 60000; i++) {
		size_t n = strcspn(p, "\n");
		snprintf(want, sizeof want, "%.17g", v[i]);
		if (n != strlen(want) || memcmp(p, want, n))
			fail_msg("%.*s is not %s", (int)n, p, want);
		p += n + 1;
	}
	free(text);
	free(v);
}

static void test_file(void **state)
{
	FILE *f = tmpfile(), *full;
	struct json_out *o = json_out_file(f);
	struct arena a = { 0 };
	struct json *root;
	size_t len = 2000000;
	char *text = xmalloc(len);
	double sum = 0;

	(void)state;
	json_arr(o);
	for (int i = 0; i < 200000; i++)
		json_int(o, i);
	json_end(o);
	assert_int_equal(json_out_end(o, NULL, NULL), 0);
	rewind(f);
	len = fread(text, 1, len, f);
	fclose(f);
	root = json_parse(&a, text, len, NULL);
	assert_non_null(root);
	assert_int_equal(root->n, 200000);
	for (const struct json *c = root->child; c; c = c->next)
		sum += json_num(c, NAN);
	assert_true(sum == 200000.0 * 199999 / 2);
	arena_free(&a);
	free(text);
	full = fopen("/dev/full", "w");
	if (full) {
		o = json_out_file(full);
		json_bool(o, true);
		assert_int_equal(json_out_end(o, NULL, NULL), -1);
		fclose(full);
	}
}

static struct json *parse(struct arena *a, const char *text, struct err *e)
{
	return json_parse(a, text, strlen(text), e);
}

static void test_parse(void **state)
{
	struct arena a = { 0 };
	const struct json *root, *v;

	(void)state;
	root = parse(&a,
	    "\xef\xbb\xbf { \"a\" : [1, -2.5e1 , \"x\\u00e9\\ud83d\\ude00\\ud800y\\n\"], "
	    "\"b\":{\"c\":true,\"d\":false},\n\"e\":null, \"f\":[] } ",
	    NULL);
	assert_non_null(root);
	assert_int_equal(root->type, JSON_OBJECT);
	assert_int_equal(root->n, 4);
	v = json_get(root, "a");
	assert_int_equal(v->n, 3);
	assert_true(json_num(v->child, 0) == 1);
	assert_string_equal(v->child->next->s, "-2.5e1");
	assert_true(json_num(v->child->next, 0) == -25);
	v = v->child->next->next;
	assert_string_equal(v->s, "x\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbdy\n");
	assert_int_equal(v->len, strlen(v->s));
	assert_true(json_num(v, 3.5) == 3.5);
	assert_int_equal(json_get(json_get(root, "b"), "d")->type, JSON_FALSE);
	assert_int_equal(json_get(root, "f")->n, 0);
	assert_null(json_get(root, "zz"));
	assert_null(json_get(NULL, "a"));
	assert_true(json_num(NULL, 7) == 7);
	root = parse(&a, "\"a\\u0000b\"", NULL);
	assert_int_equal(root->len, 3);
	assert_memory_equal(root->s, "a\0b", 4);
	arena_free(&a);
}

static void test_parse_errors(void **state)
{
	static const struct {
		const char *text;
		uint64_t at;
	} bad[] = {
		{ "", 0 },
		{ "  ", 2 },
		{ "{", 1 },
		{ "[1,]", 3 },
		{ "[1 2]", 3 },
		{ "{\"a\"}", 4 },
		{ "{\"a\":}", 5 },
		{ "{a:1}", 1 },
		{ "{\"a\":1,}", 7 },
		{ "[1}", 2 },
		{ "1 2", 2 },
		{ "tru", 0 },
		{ "NaN", 0 },
		{ "-", 0 },
		{ "01", 1 },
		{ "1.", 0 },
		{ ".5", 0 },
		{ "1e", 0 },
		{ "+1", 0 },
		{ "\"abc", 0 },
		{ "\"a\\\"", 0 },
		{ "\"\\x\"", 1 },
		{ "\"\\u12g4\"", 1 },
		{ "\"\\ud800\\u12\"", 7 },
		{ "\"\\ud800\\u12gg\"", 1 },
		{ "\"a\nb\"", 2 },
		{ "]", 0 },
		{ "[1]]", 3 },
		{ "{\"a\":1]", 6 },
		{ "'a'", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct arena a = { 0 };
		struct err e = { 0 };
		size_t len = strlen(bad[i].text);
		char *exact = xmalloc(len + 1); /* a read beyond the end is caught by the sanitizer */
		memcpy(exact + 1, bad[i].text, len);
		if (json_parse(&a, exact + 1, len, &e))
			fail_msg("'%s' was taken", bad[i].text);
		assert_int_equal(e.status, EXIT_NOTHING);
		if (e.at != bad[i].at)
			fail_msg("'%s': error at %d, not %d", bad[i].text, (int)e.at, (int)bad[i].at);
		free(exact);
		arena_free(&a);
	}
}

static void test_parse_depth(void **state)
{
	char text[2 * JSON_DEPTH + 2];
	struct arena a = { 0 };
	struct err e = { 0 };

	(void)state;
	memset(text, '[', JSON_DEPTH);
	memset(text + JSON_DEPTH, ']', JSON_DEPTH);
	assert_non_null(json_parse(&a, text, 2 * JSON_DEPTH, &e));
	memset(text, '[', JSON_DEPTH + 1);
	memset(text + JSON_DEPTH + 1, ']', JSON_DEPTH + 1);
	assert_null(json_parse(&a, text, 2 * JSON_DEPTH + 2, &e));
	assert_int_equal(e.at, JSON_DEPTH);
	arena_free(&a);
}

/* For any bytes, what we write is UTF-8 that we can read back. */
static void test_any_bytes_round(void **state)
{
	uint64_t x = 42;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct json_out *o = json_out_mem();
		struct arena a = { 0 };
		struct json *root;
		char bytes[40], *text;
		size_t len;
		for (size_t k = 0; k < sizeof bytes; k++)
			bytes[k] = (char)(next_random(&x) >> 20 | (i & 1 ? 0x80 : 0));
		json_str(o, bytes, sizeof bytes);
		json_out_end(o, &text, &len);
		for (const char *p = text; p < text + len;) {
			const char *from = p;
			uint32_t c = utf8_next(&p, text + len);
			assert_true(c >= 0x20 && (c < 0x7f || c >= 0xa0));
			assert_true(c != 0xfffd || p - from == 3);
		}
		root = json_parse(&a, text, len, NULL);
		assert_non_null(root);
		arena_free(&a);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_stopped_half_way_is_valid),
		cmocka_unit_test(test_strings_are_safe),
		cmocka_unit_test(test_long_strings),
		cmocka_unit_test(test_doubles),
		cmocka_unit_test(test_doubles_as_printf),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_errors),
		cmocka_unit_test(test_parse_depth),
		cmocka_unit_test(test_any_bytes_round),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
