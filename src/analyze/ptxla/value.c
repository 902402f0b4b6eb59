#include "config.h"
#include "analyze/ptxla/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/digit.h"

#define DIGITS 18 /* that an int64 holds for sure */

double ptxla_double(enum ptxla_unit unit, union ptxla_number v)
{
	if (!ptxla_known(v) || unit == PTXLA_UNKNOWN)
		return NAN;
	return unit == PTXLA_COUNT ? v.d : (double)v.i;
}

/* Digits, and a fraction where it is allowed, as a number of millionths. */
static bool millionths(struct slice *s, bool fraction, int64_t *whole, int64_t *part)
{
	size_t i = 0, n = 0;
	int64_t unit = 100000;

	*whole = *part = 0;
	for (; i < s->n && is_digit(s->s[i]); i++, n++)
		if (n < DIGITS)
			*whole = *whole * 10 + (s->s[i] - '0');
	if (fraction && i < s->n && s->s[i] == '.')
		for (i++; i < s->n && is_digit(s->s[i]); i++, n++, unit /= 10)
			*part += (s->s[i] - '0') * unit;
	if (!n)
		return false;
	*s = (struct slice){ s->s + i, s->n - i };
	return true;
}

/* The unit that follows a number, and its place in their order; -1: none. */
static int unit_of(struct slice s, size_t *n)
{
	char c = s.n ? s.s[0] : 0, next = s.n > 1 ? s.s[1] : 0;

	*n = 2;
	if (c == 'u' && next == 's')
		return 5;
	if (c == 'm' && next == 's')
		return 4;
	*n = 1;
	return c == 's' ? 3 : c == 'm' ? 2 : c == 'h' ? 1 : c == 'd' ? 0 : -1;
}

bool ptxla_duration(struct slice *s, int64_t *ps)
{
	static const int64_t factor[] = { 86400000000000000, 3600000000000000, 60000000000000, 1000000000000,
		1000000000, 1000000 };
	struct slice rest = *s;
	int last = -1;

	*ps = 0;
	while (rest.n && is_digit(*rest.s)) {
		struct slice at = rest;
		int64_t whole, part, sum;
		size_t n;
		int unit;

		if (!millionths(&at, true, &whole, &part) || (unit = unit_of(at, &n)) <= last ||
		    (part && unit != 5))
			break;
		if (__builtin_mul_overflow(whole, factor[unit], &sum))
			sum = INT64_MAX;
		*ps = add_clamped(*ps, sum);
		*ps = add_clamped(*ps, part);
		last = unit;
		rest = (struct slice){ at.s + n, at.n - n };
	}
	if (last < 0)
		return false;
	*s = rest;
	return true;
}

bool ptxla_integer(struct slice *s, int64_t *v)
{
	struct slice rest = *s;
	bool minus = rest.n && *rest.s == '-';
	int64_t part;

	rest.s += minus;
	rest.n -= minus;
	if (!millionths(&rest, false, v, &part))
		return false;
	*v = minus ? -*v : *v;
	*s = rest;
	return true;
}

bool ptxla_decimal(struct slice *s, double *v)
{
	struct slice rest = *s;
	char buf[64], *end;
	size_t n = 0;

	while (n < s->n && n + 1 < sizeof buf && memchr("0123456789.+-e", s->s[n], 14))
		n++;
	if (!n || !(is_digit(*rest.s) || *rest.s == '-' || *rest.s == '.'))
		return false;
	memcpy(buf, rest.s, n);
	buf[n] = 0;
	*v = strtod(buf, &end);
	if (end == buf || !isfinite(*v))
		return false;
	*s = (struct slice){ rest.s + (end - buf), rest.n - (size_t)(end - buf) };
	return true;
}

/* A number with few digits is exact without strtod(), which takes most of the time otherwise. */
static bool plain_decimal(struct slice *s, double *v)
{
	struct slice rest = *s;
	int64_t whole, part;
	const char *point;

	if (!rest.n || !is_digit(*rest.s) || !millionths(&rest, true, &whole, &part))
		return ptxla_decimal(s, v);
	point = memchr(s->s, '.', (size_t)(rest.s - s->s));
	if ((rest.n && *rest.s == 'e') || whole > INT64_C(1000000000) || (point && rest.s - point > 7))
		return ptxla_decimal(s, v);
	*v = (double)(whole * 1000000 + part) / 1e6;
	*s = rest;
	return true;
}

/* "KB" and so on: the power of 1024 */
static int size_unit(struct slice s, size_t *n)
{
	static const char letters[] = "KMGTP";
	const char *at = s.n > 1 && s.s[1] == 'B' ? strchr(letters, s.s[0]) : NULL;

	*n = at && *at ? 2 : 1;
	if (at && *at)
		return (int)(at - letters) + 1;
	return s.n && *s.s == 'B' ? 0 : -1;
}

bool ptxla_value(struct slice *s, enum ptxla_unit *unit, union ptxla_number *v)
{
	double number;
	struct slice rest = *s;
	size_t n;
	int power;

	if (ptxla_duration(s, &v->i)) {
		*unit = PTXLA_PS;
		return true;
	}
	if (!plain_decimal(&rest, &number))
		return false;
	power = size_unit(rest, &n);
	*unit = power < 0 ? PTXLA_COUNT : PTXLA_BYTES;
	if (power < 0)
		v->d = number;
	else
		v->i = from_double(round(ldexp(number, 10 * power)));
	*s = power < 0 ? rest : (struct slice){ rest.s + n, rest.n - n };
	return true;
}

bool ptxla_gigabytes(struct slice s, int64_t *bytes)
{
	double v;

	s = slice_trim(s);
	if (!plain_decimal(&s, &v) || v < 0)
		return false;
	s = slice_trim(s);
	if (!slice_is(s, "GB"))
		return false;
	*bytes = from_double(round(ldexp(v, 30)));
	return true;
}
