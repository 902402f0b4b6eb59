#include "config.h"

#include "base/text/units.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static char buf[128];

/* So many decimals never hide a number. */
static void test_decimals(void **state)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = { { 0, "0.000" }, { 0.5, "0.500" }, { 0.02159, "0.022" }, { 0.00216, "0.00216" },
		{ -0.000421, "-0.000421" }, { 0.000000001, "0.000000001" }, { 1e-30, "0.000000000" },
		{ 12.5, "12.500" } };
	char text[40];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, "%.*f", units_decimals(cases[i].v), cases[i].v);
		assert_string_equal(text, cases[i].text);
	}
}

static void test_time(void **state)
{
	static const struct {
		int64_t ps;
		const char *shown, *exact;
	} cases[] = {
		{ 0, "0 ps", "0 ps" },
		{ 750, "750 ps", "750 ps" },
		{ 999, "999 ps", "999 ps" },
		{ 1000, "1.000 ns", "1.000 ns" },
		{ 46250, "46.250 ns", "46.250 ns" },
		{ 999999, "999.999 ns", "999.999 ns" },
		{ 1000000, "1.000 µs", "1.000000 µs" },
		{ 967039000, "967.039 µs", "967.039000 µs" },
		{ 999999499, "999.999 µs", "999.999499 µs" },
		{ 999999500, "1.000 ms", "999.999500 µs" }, /* never 1000.000 µs */
		{ 8911940647, "8.912 ms", "8.911940647 ms" },
		{ 999999500000, "1.000 s", "999.999500000 ms" },
		{ 1568000000000, "1.568 s", "1.568000000000 s" },
		{ 19500538689510, "19.501 s", "19.500538689510 s" },
		{ 3600 * PS_PER_S, "3600.000 s", "3600.000000000000 s" },
		{ -967039500, "-967.040 µs", "-967.039500 µs" },
		{ INT64_MAX, "9223372.037 s", "9223372.036854775807 s" },
		{ INT64_MIN, "-9223372.037 s", "-9223372.036854775808 s" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_string_equal(units_time(buf, sizeof buf, cases[i].ps, false), cases[i].shown);
		assert_string_equal(units_time_exact(buf, sizeof buf, cases[i].ps, false), cases[i].exact);
	}
	assert_string_equal(units_time(buf, sizeof buf, 1500000, true), "1.500 us");
	assert_string_equal(units_time(buf, 5, 1500000, true), "1.50");
}

static void test_time_in(void **state)
{
	static const struct {
		int64_t ps;
		enum time_unit unit;
		int decimals;
		const char *text;
	} cases[] = {
		{ 1500000, UNIT_US, 3, "1.500" },
		{ 1500000, UNIT_US, 0, "2" },
		{ -1500000, UNIT_US, 0, "-2" },
		{ 1499999, UNIT_US, 0, "1" },
		{ 1500000, UNIT_MS, 3, "0.002" },
		{ 1499999, UNIT_MS, 3, "0.001" },
		{ -400, UNIT_US, 3, "0.000" },
		{ -500, UNIT_US, 3, "-0.001" },
		{ 7, UNIT_PS, 0, "7" },
		{ 7, UNIT_PS, 2, "7.00" },
		{ 7123, UNIT_NS, 5, "7.12300" },
		{ 1, UNIT_S, 12, "0.000000000001" },
		{ 1, UNIT_S, 99, "0.000000000001" },
		{ 83120000000000, UNIT_S, 1, "83.1" },
		{ INT64_MIN, UNIT_PS, 0, "-9223372036854775808" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		units_time_in(buf, sizeof buf, cases[i].ps, cases[i].unit, cases[i].decimals);
		assert_string_equal(buf, cases[i].text);
	}
}

static void test_unit_for(void **state)
{
	(void)state;
	assert_int_equal(unit_for(0), UNIT_PS);
	assert_int_equal(unit_for(999), UNIT_PS);
	assert_int_equal(unit_for(-1000), UNIT_NS);
	assert_int_equal(unit_for(PS_PER_US), UNIT_US);
	assert_int_equal(unit_for(PS_PER_MS), UNIT_MS);
	assert_int_equal(unit_for(PS_PER_S), UNIT_S);
	assert_int_equal(unit_for(INT64_MIN), UNIT_S);
	assert_string_equal(unit_name(UNIT_US, false), "µs");
	assert_string_equal(unit_name(UNIT_US, true), "us");
	assert_string_equal(unit_name(UNIT_S, true), "s");
}

static void test_bytes(void **state)
{
	static const struct {
		double v;
		const char *text;
	} cases[] = {
		{ 0, "0 B" },
		{ 1, "1 B" },
		{ 1023, "1023 B" },
		{ 1024, "1.0 KiB" },
		{ 1536, "1.5 KiB" },
		{ 130862285, "124.8 MiB" },
		{ 1048575, "1.0 MiB" },
		{ 16.0 * (1ull << 30), "16.0 GiB" },
		{ -2048, "-2.0 KiB" },
		{ 0x1p70, "1024.0 EiB" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(units_bytes(buf, sizeof buf, cases[i].v), cases[i].text);
	units_bytes(buf, sizeof buf, 1e300); /* absurd, but no overflow */
	units_bytes(buf, sizeof buf, INFINITY);
	assert_int_equal(buf[0], '-');
}

static void test_count(void **state)
{
	(void)state;
	assert_string_equal(units_count(buf, sizeof buf, 0), "0");
	assert_string_equal(units_count(buf, sizeof buf, 999), "999");
	assert_string_equal(units_count(buf, sizeof buf, 1000), "1,000");
	assert_string_equal(units_count(buf, sizeof buf, 26723), "26,723");
	assert_string_equal(units_count(buf, sizeof buf, UINT64_MAX), "18,446,744,073,709,551,615");
	assert_string_equal(units_count(buf, 4, 26723), "26,");
}

static void test_si(void **state)
{
	static const struct {
		double v;
		const char *unit, *text;
	} cases[] = {
		{ 104.12e12, "FLOP/s", "104.1 TFLOP/s" },
		{ 135.3e9, "B/s", "135.3 GB/s" },
		{ 1.2345e3, "B/s", "1.235 kB/s" },
		{ 12.345e6, "", "12.35 M" },
		{ 5, "", "5.000" },
		{ 0, "B/s", "0 B/s" },
		{ 0.12345, "FLOP/B", "0.1235 FLOP/B" },
		{ 999.96e6, "B/s", "1.000 GB/s" },
		{ 9.99996, "", "10.00" },
		{ -2e9, "B/s", "-2.000 GB/s" },
		{ 99.996, "", "100.0" },
		{ 1e22, "FLOP/s", "10000 EFLOP/s" },
		{ NAN, "B/s", "- B/s" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(units_si(buf, sizeof buf, cases[i].v, cases[i].unit), cases[i].text);
}

static void test_percent(void **state)
{
	(void)state;
	assert_string_equal(units_percent(buf, sizeof buf, 0.799), "79.9");
	assert_string_equal(units_percent(buf, sizeof buf, 1), "100");
	assert_string_equal(units_percent(buf, sizeof buf, 0), "0.0");
	assert_string_equal(units_percent(buf, sizeof buf, -0.0001), "0.0");
	assert_string_equal(units_percent(buf, sizeof buf, 0.99949), "99.9");
	assert_string_equal(units_percent(buf, sizeof buf, 0.9996), "100");
	assert_string_equal(units_percent(buf, sizeof buf, 2.5), "250");
	assert_string_equal(units_percent(buf, sizeof buf, NAN), "-");
}

static void test_step(void **state)
{
	static const struct {
		int64_t ps, step;
	} cases[] = {
		{ INT64_MIN, 1 },
		{ 0, 1 },
		{ 1, 1 },
		{ 2, 2 },
		{ 3, 5 },
		{ 6, 10 },
		{ 10, 10 },
		{ 11, 20 },
		{ 4999999, 5000000 },
		{ 2000000000000000000, 2000000000000000000 },
		{ 5000000000000000000, 5000000000000000000 },
		{ INT64_MAX, INT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_true(units_step_125(cases[i].ps) == cases[i].step);
}

static void test_parse(void **state)
{
	static const struct {
		const char *text;
		int64_t ps;
	} good[] = {
		{ "1.5ms", 1500000000 },
		{ "20 us", 20000000 },
		{ "20µs", 20000000 },
		{ "20 \xce\xbcs", 20000000 },
		{ "300ns", 300000 },
		{ "2s", 2000000000000 },
		{ "1234ps", 1234 },
		{ "1234", 1234 },
		{ "5m", 300 * PS_PER_S },
		{ "1.5 min", 90 * PS_PER_S },
		{ " 7 ns ", 7000 },
		{ "-3us", -3000000 },
		{ "+3us", 3000000 },
		{ ".5s", 500000000000 },
		{ "5.s", 5000000000000 },
		{ "0", 0 },
		{ "19.500538689510 s", 19500538689510 },
		{ "19.5005386895104999s", 19500538689510 },
		{ "1.6ps", 2 },
		{ "0.0004ns", 0 },
		{ "0.0005ns", 1 },
		{ "9223372036854775807", INT64_MAX },
		{ "0.00000000000001m", 1 },
	};
	static const char *const bad[] = {
		"",
		" ",
		"ms",
		".",
		".s",
		"1.2.3s",
		"1,5ms",
		"1e3",
		"5x",
		"5msx",
		"5 m s",
		"--5",
		"9223372036854775808",
		"9223372037s",
		"0x10",
		"inf",
		"nan",
		"999999999999999999999999999s",
	};
	int64_t ps;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		ps = -77;
		if (units_parse_time(good[i].text, &ps) || ps != good[i].ps)
			fail_msg("'%s' gave %lld", good[i].text, (long long)ps);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (!units_parse_time(bad[i], &ps))
			fail_msg("'%s' was taken as %lld", bad[i], (long long)ps);
	}
}

/* Exact texts are read back as the same value. */
static void test_exact_reads_back(void **state)
{
	uint64_t x = 88172645463325252u;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t ps, back;
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		ps = (int64_t)(x >> (x % 63 + 1));
		units_time_exact(buf, sizeof buf, ps, i & 1);
		assert_int_equal(units_parse_time(buf, &back), 0);
		assert_true(back == ps);
	}
}

static void test_date(void **state)
{
	(void)state;
	assert_string_equal(units_date(buf, sizeof buf, INT64_C(1741722099081044120)), "2025-03-11 19:41:39");
	assert_string_equal(units_date(buf, sizeof buf, 0), "1970-01-01 00:00:00");
	assert_string_equal(units_date(buf, sizeof buf, INT64_MAX), "2262-04-11 23:47:16");
}

static void test_no_locale(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8" };
	int64_t ps;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (setlocale(LC_ALL, names[i])) {
			assert_string_equal(units_time(buf, sizeof buf, 1500, false), "1.500 ns");
			assert_string_equal(units_bytes(buf, sizeof buf, 1536), "1.5 KiB");
			assert_int_equal(units_parse_time("1.5ns", &ps), 0);
			setlocale(LC_ALL, "C");
			return;
		}
	}
	print_message("no locale with a decimal comma is installed\n");
	skip();
}

#define MS PS_PER_MS

static void is_cell(int64_t ps, enum time_unit unit, const char *want)
{
	assert_string_equal(units_time_cell(buf, sizeof buf, ps, unit, true), want);
}

/* A value other than 0 is never shown as 0.000. */
static void test_column_cells(void **state)
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
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_decimals),
		cmocka_unit_test(test_time_in),
		cmocka_unit_test(test_unit_for),
		cmocka_unit_test(test_column_cells),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_si),
		cmocka_unit_test(test_percent),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_exact_reads_back),
		cmocka_unit_test(test_date),
		cmocka_unit_test(test_no_locale),
	};

	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
