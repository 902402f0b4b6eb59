#include "config.h"

#include "base/text/digit.h"
#include "base/text/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SECONDS_DIGITS 12

const int64_t unit_ps[UNIT_COUNT] = { 1, PS_PER_NS, PS_PER_US, PS_PER_MS, PS_PER_S };

static const int unit_digits[UNIT_COUNT] = { 0, 3, 6, 9, SECONDS_DIGITS }; /* decimals down to the ps */

static const uint64_t power10[] = {
	1,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	10000000000,
	100000000000,
	1000000000000,
};

const char *unit_name(enum time_unit unit, bool ascii)
{
	static const char *const names[UNIT_COUNT] = { "ps", "ns", "µs", "ms", "s" };

	return unit == UNIT_US && ascii ? "us" : names[unit];
}

static uint64_t magnitude(int64_t ps)
{
	return ps < 0 ? 0 - (uint64_t)ps : (uint64_t)ps;
}

/* With `rounded`, a number that would show as 1000.000 becomes 1.000 of the next unit. */
static enum time_unit unit_of(uint64_t size, bool rounded)
{
	enum time_unit unit = UNIT_PS;

	while (unit < UNIT_S && size >= (uint64_t)(unit_ps[unit + 1] - (rounded ? unit_ps[unit] / 2000 : 0)))
		unit++;
	return unit;
}

enum time_unit unit_for(int64_t ps)
{
	return unit_of(magnitude(ps), true);
}

char *units_time_in(char *buf, size_t size, int64_t ps, enum time_unit unit, int decimals)
{
	int have, pad;
	uint64_t divisor, q;
	const char *sign;

	decimals = decimals < 0 ? 0 : decimals > SECONDS_DIGITS ? SECONDS_DIGITS : decimals;
	have = decimals < unit_digits[unit] ? decimals : unit_digits[unit];
	pad = decimals - have;
	divisor = power10[unit_digits[unit] - have];
	q = magnitude(ps);
	q = q / divisor + (q % divisor >= divisor - divisor / 2);
	sign = ps < 0 && q ? "-" : "";
	if (have)
		snprintf(buf, size, "%s%" PRIu64 ".%0*" PRIu64 "%.*s", sign, q / power10[have], have,
		    q % power10[have], pad, "000000000000");
	else
		snprintf(buf, size, "%s%" PRIu64 "%s%.*s", sign, q, pad ? "." : "", pad, "000000000000");
	return buf;
}

static char *time_with_unit(char *buf, size_t size, int64_t ps, enum time_unit unit, int decimals, bool ascii)
{
	char number[48];

	units_time_in(number, sizeof number, ps, unit, decimals);
	snprintf(buf, size, "%s %s", number, unit_name(unit, ascii));
	return buf;
}

char *units_time(char *buf, size_t size, int64_t ps, bool ascii)
{
	enum time_unit unit = unit_for(ps);

	return time_with_unit(buf, size, ps, unit, unit == UNIT_PS ? 0 : 3, ascii);
}

char *units_time_exact(char *buf, size_t size, int64_t ps, bool ascii)
{
	enum time_unit unit = unit_of(magnitude(ps), false);

	return time_with_unit(buf, size, ps, unit, unit_digits[unit], ascii);
}

/* Four significant digits, without trailing zeros. */
char *units_time_short(char *buf, size_t size, int64_t ps, bool ascii)
{
	enum time_unit unit = unit_for(ps);
	int64_t whole = ps / unit_ps[unit];
	int decimals = unit == UNIT_PS ? 0 : 3;
	char number[40];
	size_t n;

	for (; decimals > 0 && whole >= 10; whole /= 10)
		decimals--;
	units_time_in(number, sizeof number, ps, unit, decimals);
	n = strlen(number);
	if (strchr(number, '.'))
		while (number[n - 1] == '0' || number[n - 1] == '.')
			if (number[--n] == '.')
				break;
	snprintf(buf, size, "%.*s %s", (int)n, number, unit_name(unit, ascii));
	return buf;
}

int units_decimals(double v)
{
	int most = unit_digits[UNIT_MS], decimals = 3;
	double a = fabs(v);

	if (!(a > 0) || a * (double)power10[decimals] >= 9.5)
		return decimals;
	while (decimals < most && a * (double)power10[decimals] < 99.5)
		decimals++;
	return decimals;
}

/* With three decimals, a tenth of a unit still has three digits. */
static bool too_small(int64_t ps, enum time_unit unit)
{
	return ps && (ps < 0 ? -ps : ps) < unit_ps[unit] / 10;
}

char *units_time_cell(char *buf, size_t size, int64_t ps, enum time_unit unit, bool ascii)
{
	return too_small(ps, unit) ? units_time(buf, size, ps, ascii)
				   : units_time_in(buf, size, ps, unit, unit == UNIT_PS ? 0 : 3);
}

/* printf("%.*f") would follow the locale.  Beyond 15 digits, decimals are not worth showing. */
static char *put_fixed(char *buf, size_t size, double v, int decimals)
{
	double scaled = fabs(v) * (double)power10[decimals];
	const char *sign;
	uint64_t q;

	if (!isfinite(v)) {
		snprintf(buf, size, "-");
	} else if (scaled >= 1e15) {
		snprintf(buf, size, "%.0f", v);
	} else {
		q = (uint64_t)llround(scaled);
		sign = v < 0 && q ? "-" : "";
		if (decimals)
			snprintf(buf, size, "%s%" PRIu64 ".%0*" PRIu64, sign, q / power10[decimals], decimals,
			    q % power10[decimals]);
		else
			snprintf(buf, size, "%s%" PRIu64, sign, q);
	}
	return buf;
}

char *units_bytes(char *buf, size_t size, double bytes)
{
	static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	size_t i = 0, last = sizeof names / sizeof *names - 1;
	char number[400];

	for (; i < last && fabs(bytes) >= (i ? 1023.95 : 1023.5) && isfinite(bytes); i++)
		bytes /= 1024;
	snprintf(buf, size, "%s %s", put_fixed(number, sizeof number, bytes, i ? 1 : 0), names[i]);
	return buf;
}

char *units_count(char *buf, size_t size, uint64_t n)
{
	char text[32];
	size_t i = sizeof text - 1, digits = 0;

	text[i] = '\0';
	do {
		if (digits && digits % 3 == 0)
			text[--i] = ',';
		text[--i] = (char)('0' + n % 10);
		n /= 10;
		digits++;
	} while (n);
	snprintf(buf, size, "%s", text + i);
	return buf;
}

char *units_si(char *buf, size_t size, double v, const char *unit)
{
	static const char *const prefix[] = { "", "k", "M", "G", "T", "P", "E" };
	static const double below[] = { 0.99995, 9.9995, 99.995, 999.95 }; /* 4, 3, 2, 1 decimals */
	size_t i = 0, last = sizeof prefix / sizeof *prefix - 1;
	int decimals = 4;
	char number[400];

	for (; i < last && fabs(v) >= 999.95 && isfinite(v); i++)
		v /= 1000;
	while (decimals && (v == 0 || fabs(v) >= below[4 - decimals]))
		decimals--;
	put_fixed(number, sizeof number, v, decimals);
	snprintf(buf, size, "%s%s%s%s", number, *prefix[i] || *unit ? " " : "", prefix[i], unit);
	return buf;
}

char *units_percent(char *buf, size_t size, double fraction)
{
	double percent = fraction * 100;

	return put_fixed(buf, size, percent, fabs(percent) >= 99.95 ? 0 : 1);
}

char *units_date(char *buf, size_t size, int64_t ns)
{
	time_t t = (time_t)(ns / 1000000000);
	struct tm tm = { 0 };

	gmtime_r(&t, &tm);
	if (!strftime(buf, size, "%Y-%m-%d %H:%M:%S", &tm) && size)
		*buf = 0;
	return buf;
}

int64_t units_step_125(int64_t ps)
{
	int64_t unit = 1;

	for (;;) {
		if (ps <= unit)
			return unit;
		if (ps <= 2 * unit)
			return 2 * unit;
		if (ps <= 5 * unit)
			return 5 * unit;
		if (unit > INT64_MAX / 50) /* the next one, 5e18, is the last that an int64 can hold */
			return INT64_MAX;
		unit *= 10;
	}
}

/* Parses what follows the number; returns 0 when it is not a unit. */
static int64_t parse_unit(const char *text)
{
	static const struct {
		const char *name;
		int64_t ps;
	} names[] = {
		{ "", 1 },
		{ "ps", 1 },
		{ "ns", PS_PER_NS },
		{ "us", PS_PER_US },
		{ "\xc2\xb5s", PS_PER_US },
		{ "\xce\xbcs", PS_PER_US },
		{ "ms", PS_PER_MS },
		{ "s", PS_PER_S },
		{ "m", 60 * PS_PER_S },
		{ "min", 60 * PS_PER_S },
	};
	size_t len = strlen(text);

	while (len && text[len - 1] == ' ')
		len--;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (len == strlen(names[i].name) && !memcmp(text, names[i].name, len))
			return names[i].ps;
	}
	return 0;
}

static const char *skip_spaces(const char *s)
{
	while (*s == ' ')
		s++;
	return s;
}

int units_parse_time(const char *text, int64_t *ps)
{
	int64_t unit, value = 0, digit;
	const char *p, *whole, *fraction = NULL;
	size_t digits;
	bool negative;

	whole = skip_spaces(text);
	negative = *whole == '-';
	if (*whole == '-' || *whole == '+')
		whole++;
	p = whole + strspn(whole, "0123456789");
	digits = (size_t)(p - whole);
	if (*p == '.') {
		fraction = p + 1;
		p = fraction + strspn(fraction, "0123456789");
		digits += (size_t)(p - fraction);
	}
	unit = parse_unit(skip_spaces(p));
	if (!digits || !unit)
		return -1;
	for (; is_digit(*whole); whole++) {
		digit = *whole - '0';
		if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value))
			return -1;
	}
	if (__builtin_mul_overflow(value, unit, &value))
		return -1;
	for (; fraction && is_digit(*fraction); fraction++) {
		digit = *fraction - '0';
		/* All units are powers of ten except the minute, 6 * 10^13, which is exact down to the ps,
		 * too. */
		if (unit % 10) {
			if (__builtin_add_overflow(value, (digit * unit + 5) / 10, &value))
				return -1;
			break;
		}
		unit /= 10;
		if (__builtin_add_overflow(value, digit * unit, &value))
			return -1;
	}
	*ps = negative ? -value : value;
	return 0;
}
