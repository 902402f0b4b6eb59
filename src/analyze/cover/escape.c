#include "config.h"
#include "analyze/cover/internal.h"

#include <string.h>

#include "base/text/utf8.h"

/* Escapes of one letter, and what they mean. */
static const char letters[] = "nrtbfav0\\/\"'`", means[] = "\n\r\t\b\f\a\v\0\\/\"'`";

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void cover_escape_begin(struct cover_escape *e)
{
	e->left = -1;
	e->value = 0;
}

static void put_value(struct cover *c, struct cover_escape *e, uint32_t v)
{
	char out[4] = { (char)v };

	if (e->byte) {
		cover_put(c, v == 0xa0 ? " " : out, 1);
		return;
	}
	if (v >= 0xd800 && v < 0xdc00) { /* the first of two halves */
		e->high = v;
		return;
	}
	if (e->high && v >= 0xdc00 && v < 0xe000)
		v = 0x10000 + ((e->high - 0xd800) << 10) + (v - 0xdc00);
	e->high = 0;
	cover_put(c, out, (size_t)utf8_put(out, v));
}

bool cover_escape_byte(struct cover *c, struct cover_escape *e, char byte)
{
	const char *at;
	int v;

	if (e->left < 0) {
		e->byte = byte == 'x';
		e->left = byte == 'u' ? 4 : byte == 'U' ? 8 : byte == 'x' ? 2 : 0;
		if (e->left)
			return true;
		at = byte ? strchr(letters, byte) : NULL;
		cover_put(c, at ? means + (at - letters) : &byte, 1);
		return false;
	}
	v = hex_digit(byte);
	if (v < 0) {
		e->left = 0;
		return false;
	}
	e->value = e->value << 4 | (uint32_t)v;
	if (--e->left)
		return true;
	put_value(c, e, e->value);
	return false;
}

/* --- the literal of a string, as repr() and print() of a list show it --- */

static size_t quote_at(struct slice s)
{
	size_t at = s.n > 1 && memchr("bfru", *s.s, 4);

	return at < s.n && (s.s[at] == '"' || s.s[at] == '\'') ? at : s.n;
}

/* Nothing but one line, which begins and ends with the quote; of a long one, only the beginning is here. */
static bool is_literal(struct slice s)
{
	size_t at = quote_at(s);

	if (s.n >= COVER_HEAD)
		return at < s.n && !memchr(s.s, '\n', s.n) && slice_find(s, "\\n");
	while (s.n && memchr("\n\r \t", s.s[s.n - 1], 4))
		s.n--;
	return at + 1 < s.n && s.s[s.n - 1] == s.s[at] && !memchr(s.s, '\n', s.n) && slice_find(s, "\\n");
}

static void read_literal(struct cover *c, struct slice s)
{
	struct cover_escape *e = &c->json.escape;
	size_t i = 0;

	if (!c->quote) { /* the quote that ends it */
		i = quote_at(s) + 1;
		c->quote = s.s[i - 1];
	}
	for (; i < s.n; i++) {
		if (e->left) {
			if (!cover_escape_byte(c, e, s.s[i]))
				e->left = 0;
		} else if (s.s[i] == '\\') {
			cover_escape_begin(e);
		} else if (s.s[i] != c->quote) {
			cover_put(c, &s.s[i], 1);
		}
	}
}

const struct cover_kind cover_literal = { is_literal, read_literal };
