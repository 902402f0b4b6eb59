/* Several logs as one: order of time, years that are not printed, records that several files of a process hold. */
#include "config.h"

#include "analyze/logs/logs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

static struct logs read_logs(const char *const *text, size_t n)
{
	static const char *const paths[] = { "a.log", "tpu_driver.h.u.log.INFO.20261231-235950.7", "c.log" };
	struct log_text *t = xcalloc(n, sizeof *t);
	struct logs l;

	for (size_t i = 0; i < n; i++)
		t[i] = (struct log_text){ .path = paths[i], .bytes = text[i], .n = strlen(text[i]) };
	logs_take(&l, t, n);
	logs_read(&l, NULL);
	return l;
}

/* All lines, each with the number of its text in front. */
static const char *shown(const struct logs *l)
{
	static char all[4096];
	size_t n = 0;

	all[0] = 0;
	for (size_t i = 0; i < l->n; i++) {
		struct log_line at = logs_line(l, i);
		struct slice s = logs_bytes(l, at);
		size_t skip = l->texts[at.text].lines.prefix[at.line];

		n += (size_t)snprintf(all + n, sizeof all - n, "%u:%.*s%s\n", at.text, (int)(s.n - skip),
		    s.s + skip, at.copies ? " (also)" : "");
	}
	return all;
}

static void in_order_of_time(void **state)
{
	static const char *const text[] = {
		("header\nI1121 07:59:39.100000 1 a.cc:1] one\n more of one\n"
		 "I1121 07:59:41.000000 1 a.cc:1] four"),
		"I1121 07:59:39.200000 1 b.cc:1] two\r\n",
		"2026-11-21 07:59:40.000000: I c.cc:1] three\nno time\n",
	};
	struct logs l = read_logs(text, 3);

	(void)state;
	assert_string_equal(shown(&l),
	    "0:header\n0:one\n0: more of one\n1:two\n2:three\n2:no time\n0:four\n");
	logs_free(&l);
	l = read_logs(text, 1);
	assert_null(l.order);
	assert_int_equal(l.n, 4);
	logs_free(&l);
	l = read_logs(NULL, 0);
	assert_int_equal(l.n, 0);
	logs_free(&l);
}

/* The name of the second file tells the year; its last record is of the next. */
static void over_new_year(void **state)
{
	static const char *const text[] = {
		"I0101 00:00:00.000000 1 a.cc:1] first of the year\n",
		"I1231 23:59:59.000000 1 b.cc:1] last of the year\nI0101 00:00:01.000000 1 b.cc:1] second\n",
	};
	struct logs l = read_logs(text, 2);

	(void)state;
	assert_string_equal(shown(&l), "1:last of the year\n0:first of the year\n1:second\n");
	logs_free(&l);
}

static void copies_once(void **state)
{
	static const char *const text[] = {
		"E1121 07:59:39.100000 1 a.cc:1] broken\n more\n",
		("I1121 07:59:39.000000 1 a.cc:1] fine\nE1121 07:59:39.100000 1 a.cc:1] broken\n more\n"
		 "E1121 07:59:39.100000 2 a.cc:1] broken\n"),
		"(p pid=1) E1121 07:59:39.100000 1 a.cc:1] broken\n more\n",
	};
	struct logs l = read_logs(text, 3);

	(void)state;
	assert_string_equal(shown(&l),
	    "1:fine\n0:broken (also)\n0: more (also)\n1:broken\n2:broken\n2: more\n");
	logs_free(&l);
}

static void known_lines(void **state)
{
	static const char line[] =
	    "E1121 07:59:39.1 1 a.cc:1] The TPU is already in use by process with pid 42.";
	struct arena a = { 0 };
	struct triage_known k;

	(void)state;
	assert_true(triage_explain(&a, (struct slice){ line, sizeof line - 1 }, &k));
	assert_string_equal(k.kind, "tpu_in_use");
	assert_true(strlen(k.title) > 5 && strlen(k.advice) > 20);
	assert_false(
	    triage_explain(&a, (struct slice){ "Check failed: x", 15 }, &k)); /* fatal only in a record F */
	assert_false(triage_explain(&a, (struct slice){ "", 0 }, &k));
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order_of_time),
		cmocka_unit_test(over_new_year),
		cmocka_unit_test(copies_once),
		cmocka_unit_test(known_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
