#include "config.h"

#include "base/text/regex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/pool.h"

static bool match_len(const char *pattern, bool smart, const char *s, size_t len, size_t *from, size_t *to)
{
	struct err e = { 0 };
	struct regex *r = regex_new(pattern, smart ? REGEX_SMART_CASE : REGEX_AS_WRITTEN, &e);
	struct regex_scratch *scratch;
	bool found;

	assert_non_null(r);
	assert_string_equal(regex_pattern(r), pattern);
	scratch = regex_scratch_new(r);
	assert_non_null(scratch);
	found = regex_match(r, scratch, s, len, from, to);
	regex_scratch_free(scratch);
	regex_free(r);
	return found;
}

static bool match(const char *pattern, const char *s)
{
	return match_len(pattern, true, s, strlen(s), NULL, NULL);
}

static void test_place(void **state)
{
	size_t from = 99, to = 99;

	(void)state;
	assert_true(match_len("fus.on", true, "my fusion.7", 11, &from, &to));
	assert_int_equal(from, 3);
	assert_int_equal(to, 9);
	assert_true(match_len("a\\Kb", true, "xab", 3, &from, &to));
	assert_int_equal(from, 2);
	assert_int_equal(to, 3);
	assert_false(match_len("7$", true, "my fusion.7", 10, NULL, NULL)); /* the length counts, not a NUL */
	assert_true(match_len("^$", true, NULL, 0, &from, &to));
	assert_true(match_len("", true, "x", 1, &from, &to));
	assert_int_equal(to, 0);
	assert_true(match_len("b", true, "a\0b", 3, &from, NULL));
	assert_int_equal(from, 2);
}

static void test_smart_case(void **state)
{
	(void)state;
	assert_true(match("copy", "COPY-done"));
	assert_false(match("Copy", "COPY-done"));
	assert_true(match("Copy", "Copy-done"));
	assert_false(match_len("copy", false, "COPY", 4, NULL, NULL));
	assert_true(match("\\Stpu\\D", "xTPUx")); /* escapes do not count as upper case */
	assert_true(match(" é", "x \xc3\x89"));   /* UTF-8 folds too */
}

static void test_bytes(void **state)
{
	size_t from;

	(void)state;
	assert_true(match("a.c",
	    "a\xc3\xa9"
	    "c")); /* . is a character */
	assert_true(match_len("c$", true, "\xff\xfe\x80 abc", 7, &from, NULL));
	assert_int_equal(from, 6);
	assert_true(match_len("abc", true,
	    "\xe2\x82"
	    "abc\xe2",
	    6, &from, NULL));
	assert_int_equal(from, 2);
	assert_true(match_len("\xff", true, "ab\xff", 3, &from, NULL)); /* invalid UTF-8: matched as bytes */
	assert_int_equal(from, 2);
}

static void test_errors_say_where(void **state)
{
	static const struct {
		const char *pattern;
		uint64_t at;
		const char *says;
	} bad[] = {
		{ "ab(c", 4, "at character 5" },
		{ "[a", 2, "at character 3" },
		{ "*x", 0, "at character 1" },
		{ "\xc3\xa9(", 3, "at character 3" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct err e = { 0 };
		assert_null(regex_new(bad[i].pattern, REGEX_SMART_CASE, &e));
		assert_int_equal(e.status, EXIT_USAGE);
		assert_int_equal(e.at, bad[i].at);
		if (!strstr(e.msg, bad[i].says))
			fail_msg("'%s' lacks '%s'", e.msg, bad[i].says);
	}
	assert_null(regex_new("(", REGEX_SMART_CASE, NULL));
	regex_free(NULL);
	regex_scratch_free(NULL);
}

/* A pattern with catastrophic backtracking ends early, as "no match". */
static void test_catastrophes_end(void **state)
{
	static const char *const patterns[] = {
		"(a+)+$",
		"(a|aa)+$",
		"^(([a-z])+.)+[A-Z]([a-z])+$",
		"(\\w+\\s?)+$",
		"a*a*a*a*a*a*[bc]",
		"(a.*)(a.*)(a.*)[bc]",
		"(a?){40}a{40}[bc]",
	};
	static const size_t lengths[] = { 30, 1000, 20000 };
	char *s = xmalloc(20000);

	(void)state;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
			struct timespec from, to;
			double ms;
			memset(s, 'a', lengths[k]);
			s[lengths[k] - 1] = '!';
			clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
			assert_false(match_len(patterns[i], true, s, lengths[k], NULL, NULL));
			clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
			ms = (double)(to.tv_sec - from.tv_sec) * 1e3;
			ms += (double)(to.tv_nsec - from.tv_nsec) / 1e6;
			if (ms > 50)
				fail_msg("%s took %.1f ms", patterns[i], ms);
		}
	}
	free(s);
}

struct shared {
	const struct regex *r;
	struct regex_scratch *scratch[4];
	int hits[4];
};

static void match_many(void *ctx, size_t i)
{
	struct shared *s = ctx;

	for (int k = 0; k < 1000; k++) {
		s->hits[i] += regex_match(s->r, s->scratch[i], "all-reduce.5", 12, NULL, NULL);
		s->hits[i] += regex_match(s->r, s->scratch[i], "copy.1", 6, NULL, NULL);
	}
}

static void test_one_pattern_many_threads(void **state)
{
	struct regex *r = regex_new("^all-(reduce|gather)", REGEX_SMART_CASE, NULL);
	struct shared s = { .r = r };

	(void)state;
	for (int i = 0; i < 4; i++)
		s.scratch[i] = regex_scratch_new(r);
	pool_run(4, 4, match_many, &s);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(s.hits[i], 1000);
		regex_scratch_free(s.scratch[i]);
	}
	regex_free(r);
}

/* "No match" at a limit is not the same as none. */
static void test_too_expensive(void **state)
{
	struct err e = { 0 };
	struct regex *r = regex_new("^(a+)+$", REGEX_AS_WRITTEN, &e);
	struct regex_scratch *scratch = regex_scratch_new(r);
	char text[64];

	(void)state;
	memset(text, 'a', sizeof text);
	assert_true(regex_match(r, scratch, text, sizeof text, NULL, NULL));
	assert_false(regex_match(r, scratch, "b", 1, NULL, NULL));
	assert_false(regex_too_expensive(r, &e));
	text[sizeof text - 1] = 'b';
	assert_false(regex_match(r, scratch, text, sizeof text, NULL, NULL));
	assert_true(regex_too_expensive(r, &e));
	assert_int_equal(e.status, EXIT_USAGE);
	assert_non_null(strstr(e.msg, "pattern too expensive: ^(a+)+$"));
	regex_scratch_free(scratch);
	regex_free(r);
	assert_false(regex_too_expensive(NULL, &e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_smart_case),
		cmocka_unit_test(test_too_expensive),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_errors_say_where),
		cmocka_unit_test(test_catastrophes_end),
		cmocka_unit_test(test_one_pattern_many_threads),
	};

	return cmocka_run_group_tests_name("regex", tests, NULL, NULL);
}
