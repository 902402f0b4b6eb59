#include "config.h"
#include "load/probe/run_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

/* Seconds since 1970; -1: none. */
static int64_t at(const char *name, bool exact)
{
	int64_t t;

	return run_time(name, exact, &t) ? t : -1;
}

static void names_with_times(void **state)
{
	const int64_t day = 1777593600; /* 2026-05-01 */

	(void)state;
	assert_int_equal(at("2026_05_01_10_00_07", true), day + 36007);
	assert_int_equal(at("train/2026_05_01_10_00_07", true), day + 36007);
	assert_int_equal(at("20260501-100007", true), day + 36007);
	assert_int_equal(at("exp-3-2026-05-01T10:00:07Z.profile", true), day + 36007);
	assert_int_equal(at("2026_05_01", false), day);
	assert_int_equal(at("2026_05_01_10", false), day + 36000);
	assert_int_equal(at("2026_05_01_99", false), day);
	assert_int_equal(at("2026_05_01", true), -1);
}

static void names_without(void **state)
{
	static const char *const names[] = { "", "run_9", "2026_05_01/run", "2026", "2026_13_01",
		"2026_05_45", "12026_05_01", "202605011", "2048_12_10", "step_20480", "2026-05-",
		"x/2026_05_01/" };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(at(names[i], false), -1);
	assert_int_equal(run_began("run_9", 77), 77);
	assert_int_equal(run_began("2026_05_01", 77), 1777593600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_with_times),
		cmocka_unit_test(names_without),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
