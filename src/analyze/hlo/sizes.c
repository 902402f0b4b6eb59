#include "config.h"
#include "analyze/hlo/sizes.h"

#include <string.h>

#include "base/text/digit.h"

#define DIGITS_READ 63 /* of longer numbers the rest is not read */

static bool digit(const char *s, const char *end)
{
	return s < end && is_digit(*s);
}

/* A number as printed: digits ÷ scale.  More digits than fit are left out behind the point. */
struct decimal {
	uint64_t digits, scale;
	bool beyond; /* it is too large */
};

#define BYTES_MOST UINT64_C(9200000000000000000)
#define DIGITS_MOST UINT64_C(100000000000000000)

static void digit_add(struct decimal *d, char c, bool behind)
{
	if (d->digits >= DIGITS_MOST) {
		d->beyond |= !behind;
		return;
	}
	d->digits = 10 * d->digits + (uint64_t)(c - '0');
	d->scale *= behind ? 10 : 1;
}

__extension__ typedef unsigned __int128 u128;

/* The number times 2^bits, rounded half up. */
static int64_t decimal_bytes(const struct decimal *d, int bits)
{
	u128 v = (((u128)d->digits << bits) + d->scale / 2) / d->scale;

	return d->beyond || v > BYTES_MOST ? SIZE_NONE : (int64_t)v;
}

static bool is_word(const char *s, const char *end, const char *what)
{
	size_t n = strlen(what);

	return (size_t)(end - s) >= n && !strncasecmp(s, what, n);
}

static bool is_unknown(const char *s, const char *end)
{
	return is_word(s, end, "unknown") || is_word(s, end, "nan") || is_word(s, end, "0xffffffffffffffff");
}

bool size_read(struct slice *at, int64_t *out)
{
	static const char suffixes[] = "KMGTP";
	const char *s = at->s, *end = s + at->n, *suffix;
	struct decimal number = { .scale = 1 };
	size_t n = 0, point = 0;
	int bits = 0;

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	*out = SIZE_NONE;
	if (s < end && !(*s > '0' && *s <= '9') && is_unknown(s, end)) {
		while (s < end && *s != ' ' && *s != ';' && *s != ',')
			s++;
		*at = (struct slice){ s, (size_t)(end - s) };
		return true;
	}
	for (; n < DIGITS_READ &&
	     (digit(s, end) || (n && !point && s < end && (*s == '.' || *s == ',') && digit(s + 1, end)));
	     s++) {
		if (*s == ',')
			continue;
		if (*s == '.')
			point = n;
		else
			digit_add(&number, *s, point > 0);
		n++;
	}
	if (!n)
		return false;
	if (end - s > 3 && *s == ' ' && strchr(suffixes, s[1]) && s[2] == 'i' && s[3] == 'B')
		s++; /* "2.00 GiB" */
	if (s < end && *s && (suffix = strchr(suffixes, *s))) {
		bits = 10 * (int)(suffix - suffixes + 1);
		s++;
		if (s < end && *s == 'i')
			s++;
	}
	if (s < end && *s == 'B')
		s++;
	*out = decimal_bytes(&number, bits);
	*at = (struct slice){ s, (size_t)(end - s) };
	return true;
}

bool size_read_unit(struct slice *at, int64_t *out)
{
	if (!size_read(at, out))
		return false;
	if ((!at->n || (at->n == 1 && *at->s == '.')) && is_digit(at->s[-1]))
		*out = SIZE_NONE;
	return true;
}

bool size_read_after(struct slice s, const char *phrase, int64_t *out)
{
	const char *at = slice_find(s, phrase);

	if (!at)
		return false;
	at += strlen(phrase);
	s = (struct slice){ at, s.n - (size_t)(at - s.s) };
	return size_read_unit(&s, out);
}
