#include "config.h"
#include "analyze/hlo/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/digit.h"

static bool digit(const char *s, const char *end)
{
	return s < end && is_digit(*s);
}

static bool is_word(const char *s, const char *end, const char *what)
{
	size_t n = strlen(what);

	return (size_t)(end - s) >= n && !strncasecmp(s, what, n);
}

bool size_read(struct slice *at, int64_t *out)
{
	static const char suffixes[] = "KMGTP";
	const char *s = at->s, *end = s + at->n, *suffix;
	char number[64];
	size_t n = 0, point = 0;
	long double v;

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	*out = SIZE_NONE;
	if (is_word(s, end, "unknown") || is_word(s, end, "nan") || is_word(s, end, "0xffffffffffffffff")) {
		while (s < end && *s != ' ' && *s != ';' && *s != ',')
			s++;
		*at = (struct slice){ s, (size_t)(end - s) };
		return true;
	}
	for (; n < sizeof number - 1 &&
	     (digit(s, end) || (n && !point && s < end && (*s == '.' || *s == ',') && digit(s + 1, end)));
	     s++) {
		if (*s == ',')
			continue;
		if (*s == '.')
			point = n;
		number[n++] = *s;
	}
	if (!n)
		return false;
	number[n] = 0;
	v = strtold(number, NULL);
	if (end - s > 3 && *s == ' ' && strchr(suffixes, s[1]) && s[2] == 'i' && s[3] == 'B')
		s++; /* "2.00 GiB" */
	if (s < end && *s && (suffix = strchr(suffixes, *s))) {
		v = ldexpl(v, 10 * (int)(suffix - suffixes + 1));
		s++;
		if (s < end && *s == 'i')
			s++;
	}
	if (s < end && *s == 'B')
		s++;
	v = roundl(v);
	if (v < 9.2e18L)
		*out = (int64_t)v;
	*at = (struct slice){ s, (size_t)(end - s) };
	return true;
}

bool size_read_after(struct slice s, const char *phrase, int64_t *out)
{
	const char *at = slice_find(s, phrase);

	if (!at)
		return false;
	at += strlen(phrase);
	s = (struct slice){ at, s.n - (size_t)(at - s.s) };
	return size_read(&s, out);
}
