#include "config.h"

#include "base/text/utf8.h"

#include <string.h>

#include "base/bisect.h"
#include "base/text/slice.h"
#include "base/text/utf8_ranges.h"

#define REPLACEMENT 0xfffd
#define UNSHOWN 0x2426 /* U+FFFD is often drawn two columns wide and looks like a fault of the program */
#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool in_ranges(const struct utf8_range *table, size_t n, uint32_t c)
{
	size_t low;

	BISECT(low, n, c > table[low].last);
	return low < n && c >= table[low].first;
}

uint32_t utf8_next(const char **p, const char *end)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)*p;
	uint32_t c = *s;
	int n;

	(*p)++;
	if (c < 0x80)
		return c;
	n = c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
	if (!n || end - (const char *)s < n)
		return REPLACEMENT;
	c &= 0x7fu >> n;
	for (int i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return REPLACEMENT;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < smallest[n] || (c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff)
		return REPLACEMENT;
	*p += n - 1;
	return c;
}

int utf8_put(char *out, uint32_t c)
{
	if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		c = REPLACEMENT;
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

uint32_t utf8_safe(uint32_t c)
{
	if (c >= 0x20 && c < 0x7f)
		return c;
	if (c < 0x20)
		return 0x2400 + c;
	if (c == 0x7f)
		return 0x2421;
	if (c < 0xa0 || c == REPLACEMENT || c > 0x10ffff || in_ranges(utf8_unsafe, COUNT(utf8_unsafe), c))
		return UNSHOWN;
	return c;
}

int utf8_width(uint32_t c)
{
	return c >= 0x1100 && in_ranges(utf8_wide, COUNT(utf8_wide), c) ? 2 : 1;
}

size_t utf8_bom(const char *s, size_t len)
{
	static const char mark[] = "\xef\xbb\xbf";

	return slice_begins((struct slice){ s, len }, mark) ? strlen(mark) : 0;
}

int utf8_cols(const char *s, size_t len)
{
	const char *end = utf8_end(s, len);
	int cols = 0;

	while (s < end) {
		if ((unsigned char)*s < 0x80) {
			s++;
			cols++;
		} else {
			cols += utf8_width(utf8_safe(utf8_next(&s, end)));
		}
	}
	return cols;
}

size_t utf8_fit(const char *s, size_t len, int cols)
{
	const char *p = s, *end = utf8_end(s, len), *next;

	while (p < end) {
		next = p;
		cols -= utf8_width(utf8_safe(utf8_next(&next, end)));
		if (cols < 0)
			break;
		p = next;
	}
	return (size_t)(p - s);
}

size_t utf8_head(const char *s, size_t len, size_t most)
{
	if (len <= most)
		return len;
	while (most && ((unsigned char)s[most] & 0xc0) == 0x80)
		most--;
	return most;
}

/* Symbols that our own messages use, with replacements that read well in ASCII. */
static uint32_t ascii_of(uint32_t c)
{
	static const struct {
		uint32_t from, to;
	} signs[] = { { 0x2014, '-' }, { 0x2013, '-' }, { 0x2026, '~' }, { 0xb5, 'u' }, { 0xd7, 'x' },
		{ 0xb7, '-' } };

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (signs[i].from == c)
			return signs[i].to;
	return c < 0x80 ? c : '?';
}

char *utf8_clean(char *out, size_t size, const char *s, size_t len, bool ascii)
{
	const char *end = utf8_end(s, len);
	size_t used = 0;
	char text[4];

	while (s < end) {
		uint32_t c = utf8_safe(utf8_next(&s, end));
		size_t n;
		if (ascii)
			c = ascii_of(c);
		n = (size_t)utf8_put(text, c);
		if (used + n >= size)
			break;
		memcpy(out + used, text, n);
		used += n;
	}
	if (size)
		out[used] = '\0';
	return out;
}

char *utf8_clean_text(char *out, size_t size, const char *s)
{
	return utf8_clean(out, size, s, strlen(s), false);
}
