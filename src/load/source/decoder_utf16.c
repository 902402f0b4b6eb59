#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "load/source/decoder.h"

/* Texts that Windows wrote (PowerShell's redirections), as UTF-8. */

enum { MARK = 0xfeff, PROBED = 64, LONGEST = 4 };

struct utf16 {
	bool little, begun;
	char rest[LONGEST]; /* of a character for which there was no room */
	size_t at, n;
};

static uint32_t unit_at(const uint8_t *p, bool little)
{
	return little ? (uint32_t)(p[0] | p[1] << 8) : (uint32_t)(p[0] << 8 | p[1]);
}

static bool is_little(const uint8_t *s)
{
	return unit_at(s, true) == MARK;
}

/* A mark, and characters of a text behind it.  Without a mark all that is looked at must be ASCII. */
static bool is_utf16(const uint8_t *s, size_t n)
{
	bool little = n >= 2 && (is_little(s) || (s[0] && !s[1]));
	bool marked = n >= 4 && unit_at(s, little) == MARK, letters = marked;

	if (!marked && n < PROBED)
		return false;
	for (size_t i = marked ? 2 : 0; i + 1 < n && i < PROBED; i += 2) {
		uint32_t c = unit_at(s + i, little);

		if (!c || (c < ' ' && !memchr("\t\n\v\f\r\033\b", (int)c, 7)) || (!marked && c > '~'))
			return false;
		letters |= c > ' ';
	}
	return letters; /* a protobuf of empty messages looks like blank lines */
}

static bool no_next(const uint8_t *s, size_t n)
{
	(void)s;
	(void)n;
	return false;
}

static void utf16_rewind(void *lib)
{
	*(struct utf16 *)lib = (struct utf16){ .little = false };
}

static void *utf16_open(void)
{
	return xcalloc(1, sizeof(struct utf16));
}

static void *utf16_copy(void *lib)
{
	struct utf16 *to = utf16_open();

	*to = *(const struct utf16 *)lib;
	return to;
}

static bool is_high(uint32_t c)
{
	return c >= 0xd800 && c < 0xdc00;
}

static bool is_low(uint32_t c)
{
	return c >= 0xdc00 && c < 0xe000;
}

/* Takes the next character, of one or two units. */
static uint32_t take_char(struct decoder *f, const struct utf16 *u)
{
	uint32_t c = unit_at(f->in + f->used, u->little), low;

	f->used += 2;
	if (is_high(c) && f->n - f->used >= 2 && is_low(low = unit_at(f->in + f->used, u->little))) {
		f->used += 2;
		return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	return is_high(c) || is_low(c) ? 0xfffd : c;
}

static size_t utf16_step(struct decoder *f, uint8_t *out, size_t size)
{
	struct utf16 *u = f->lib;
	size_t n = 0;

	if (!u->begun) {
		u->little = is_little(f->in) || !f->in[1];
		u->begun = true;
		f->used = unit_at(f->in, u->little) == MARK ? 2 : 0;
	}
	while (n < size && (u->at < u->n || f->n - f->used >= 2)) {
		if (u->at == u->n) {
			u->n = utf8_put(u->rest, take_char(f, u));
			u->at = 0;
		}
		out[n++] = (uint8_t)u->rest[u->at++];
	}
	if (u->at == u->n && f->n == f->used)
		f->state = DECODER_ENDED;
	else if (u->at == u->n && f->n - f->used == 1)
		decoder_damage(f, "it ends inside a character");
	return n;
}

const struct packing packing_utf16 = { .name = "UTF-16",
	.command = "iconv -f UTF-16 -t UTF-8",
	.is = is_utf16,
	.next = no_next,
	.open = utf16_open,
	.rewind = utf16_rewind,
	.close = free,
	.step = utf16_step,
	.copy = utf16_copy };
