#include "config.h"
#include "analyze/cover/internal.h"

#include <string.h>

#include "base/text/digit.h"

/* --- mails: "=3D" is a byte, and "=" ends a line that goes on --- */

static int hex_value(char c)
{
	return is_digit(c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Does each "=" of a line stand for a byte, or end the line? */
static bool is_encoded(struct slice line)
{
	for (size_t i = 0; i < line.n; i++)
		if (line.s[i] == '=' && i + 1 < line.n &&
		    (i + 2 == line.n || hex_value(line.s[i + 1]) < 0 || hex_value(line.s[i + 2]) < 0))
			return false;
	return true;
}

/* All lines are as short as in mails, and those that go on are full. */
static bool is_printable(struct slice s)
{
	enum { LONGEST = 76, FULL = 70 };
	size_t soft = 0, whole = 0;

	for (const char *end; (end = memchr(s.s, '\n', s.n)); s.n -= (size_t)(end + 1 - s.s), s.s = end + 1) {
		size_t n = (size_t)(end - s.s);

		n -= n && s.s[n - 1] == '\r';
		if (n > LONGEST || !is_encoded((struct slice){ s.s, n }))
			return false;
		whole += n >= FULL && s.s[n - 1] != '=';
		soft += n >= FULL && s.s[n - 1] == '=';
	}
	return soft > whole;
}

static void read_printable(struct cover *c, struct slice s)
{
	for (size_t i = 0; i < s.n; i++) {
		char byte = s.s[i];

		if (!c->soft && byte == '=') {
			c->soft = true;
			c->hex = 0;
		} else if (!c->soft) {
			cover_put(c, &byte, 1);
		} else if (byte == '\n') {
			c->soft = false;
		} else if (hex_value(byte) >= 0 && !c->hex) {
			c->hex = byte;
		} else if (hex_value(byte) >= 0) {
			byte = (char)(hex_value(c->hex) << 4 | hex_value(byte));
			cover_put(c, &byte, 1);
			c->soft = false;
		} else if (byte != '\r') {
			cover_put(c, "=", 1);
			cover_put(c, &byte, 1);
			c->soft = false;
		}
		c->line += s.s[i] == '\n';
	}
}

const struct cover_kind cover_printable = { is_printable, read_printable, NULL };

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

	if (!c->hex) { /* the quote that ends it */
		i = quote_at(s) + 1;
		c->hex = s.s[i - 1];
	}
	for (; i < s.n; i++) {
		if (e->left) {
			if (!cover_escape_byte(c, e, s.s[i]))
				e->left = 0;
		} else if (s.s[i] == '\\') {
			cover_escape_begin(e);
		} else if (s.s[i] != c->hex) {
			cover_put(c, &s.s[i], 1);
		}
	}
}

const struct cover_kind cover_literal = { is_literal, read_literal, NULL };
