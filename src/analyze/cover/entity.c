#include "config.h"
#include "analyze/cover/internal.h"

#include <string.h>

#include "base/text/digit.h"
#include "base/text/utf8.h"

#define LONGEST 10 /* bytes of an entity */

static const struct {
	const char *name, *text;
} entities[] = {
	{ "amp", "&" },
	{ "apos", "'" },
	{ "gt", ">" },
	{ "hellip", "..." },
	{ "ldquo", "\"" },
	{ "lsquo", "'" },
	{ "lt", "<" },
	{ "mdash", "--" },
	{ "nbsp", " " },
	{ "ndash", "-" },
	{ "quot", "\"" },
	{ "rdquo", "\"" },
	{ "rsquo", "'" },
	{ "times", "\xc3\x97" },
};

/* "#39", "#x27" */
static uint32_t number_of(struct slice s)
{
	uint32_t v = 0, base = 10;

	if (!slice_cut(&s, "#"))
		return 0;
	if (s.n && (*s.s | 32) == 'x') {
		base = 16;
		s.s++, s.n--;
	}
	for (size_t i = 0; i < s.n; i++) {
		char c = s.s[i];
		uint32_t digit = is_digit(c) ? (uint32_t)(c - '0') : (uint32_t)((c | 32) - 'a') + 10;

		if (digit >= base || v > 0x10ffff)
			return 0;
		v = v * base + digit;
	}
	return v <= 0x10ffff ? v : 0;
}

/* Writes what the entity means; 0: it is none. */
static size_t entity_text(struct slice name, char *out)
{
	uint32_t v = number_of(name);

	if (v)
		return (size_t)utf8_put(out, v == 0xa0 ? ' ' : v);
	for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
		if (slice_is(name, entities[i].name)) {
			memcpy(out, entities[i].text, strlen(entities[i].text));
			return strlen(entities[i].text);
		}
	return 0;
}

size_t cover_entities_undo(char *s, size_t n)
{
	char *out = s;

	for (size_t i = 0, skip; i < n; i += skip) {
		const char *end = NULL;
		size_t len = 0;

		if (s[i] == '&')
			end = memchr(s + i, ';', n - i < LONGEST ? n - i : LONGEST);
		if (end)
			len = entity_text((struct slice){ s + i + 1, (size_t)(end - s) - i - 1 }, out);
		skip = len ? (size_t)(end + 1 - s) - i : 1;
		if (!len)
			*out = s[i];
		out += len ? len : 1;
	}
	return (size_t)(out - s);
}
