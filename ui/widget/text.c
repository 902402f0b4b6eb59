#include "config.h"
#include "widget/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/slice.h"
#include "base/text/utf8.h"
#include "result/cell_text.h"

#define PATH 24 /* a path up to this many columns is shown whole */
#define DEPTH 8 /* of nested tuples */

enum { MATCH = 60, AROUND = 16 }; /* bytes of a match that are shown, and before and after it */

/* Returns HLO text without the layouts after shapes: "bf16[8,512]{1,0:T(8,128)}" → "bf16[8,512]". */
static char *without_layouts(const char *s)
{
	char *out = xmalloc(strlen(s) + 1);
	size_t n = 0;

	while (*s) {
		if (*s == '{' && n && out[n - 1] == ']') {
			int depth = 0;

			do {
				depth += (*s == '{') - (*s == '}');
				s++;
			} while (*s && depth > 0);
			continue;
		}
		out[n++] = *s++;
	}
	out[n] = '\0';
	return out;
}

/* Finds the end of the tuple that starts here; NULL: none, or nested too deeply. */
static const char *tuple_end(const char *s)
{
	int depth = 0;

	for (; *s && depth <= DEPTH; s++) {
		depth += (*s == '(') - (*s == ')');
		if (!depth)
			return s;
	}
	return NULL;
}

/* Drops tuple types from a list of operands, "copy-done((f32[8], f32[8], u32[]) %copy-start)": the named op
 * has the type anyway. */
static void drop_tuples(char *s)
{
	char *out = s, last = 0;

	while (*s) {
		if (*s == '(' && (last == '(' || last == ' ')) {
			const char *p = tuple_end(s);

			if (p && p[1] == ' ' && p[2] == '%') {
				s += p + 2 - s;
				continue;
			}
		}
		last = *out++ = *s++;
	}
	*out = '\0';
}

/* Skips the result type of an asynchronous start, a tuple of what it reads and writes. */
static const char *skip_start_type(const char *hlo)
{
	const char *op = *hlo == '(' ? strstr(hlo, ") ") : NULL;
	size_t n = op ? strcspn(op + 2, "(") : 0;

	return op && slice_ends((struct slice){ op + 2, n }, "-start") ? op + 2 : hlo;
}

/* Skips the op's name, which is shown elsewhere, and cuts the names of called computations, which mean
 * nothing without their text. */
static const char *skip_name(char *hlo)
{
	static const char *const calls[] = { ", kind=", ", calls=", ", to_apply=" };
	char *equals = *hlo == '%' ? strstr(hlo, " = ") : NULL, *end;

	if (!equals)
		return hlo;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if ((end = strstr(equals, calls[i])))
			*end = '\0';
	drop_tuples(equals + 3);
	return skip_start_type(equals + 3);
}

char *text_short_hlo(const char *full)
{
	char *hlo = without_layouts(full);
	const char *from = skip_name(hlo);

	memmove(hlo, from, strlen(from) + 1);
	return hlo;
}

const char *text_short_path(const char *path)
{
	const char *file = strrchr(path, '/');

	return strlen(path) > PATH && file ? file + 1 : path;
}

size_t text_wrap(const char *s, size_t len, int w)
{
	size_t fit = utf8_fit(s, len, w), at = fit;

	if (fit >= len)
		return len;
	while (at > fit / 2 && s[at] != ' ' && s[at - 1] != ',')
		at--;
	if (at > fit / 2)
		return at;
	return fit ? fit : 1;
}

char *text_match(char *buf, size_t size, const struct regex *re, const char *s, size_t len)
{
	struct regex_scratch *scratch = regex_scratch_new(re);
	size_t from = 0, to = 0, end;

	*buf = 0;
	if (regex_match(re, scratch, s, len, &from, &to)) {
		end = to - from < MATCH ? to : from + MATCH;
		end = end + AROUND < len ? end + AROUND : len;
		from = from > AROUND ? from - AROUND : 0;
		while (from && ((unsigned char)s[from] & 0xc0) == 0x80)
			from--;
		while (end < len && ((unsigned char)s[end] & 0xc0) == 0x80)
			end++;
		snprintf(buf, size, "%s%.*s%s", from ? "…" : "", (int)(end - from), s + from,
		    end < len ? "…" : "");
	}
	regex_scratch_free(scratch);
	return buf;
}

void text_ms(char *buf, size_t size, double ms)
{
	number_text(buf, size, ms, "ms", false, NUMBER_SHORT);
}

void text_percent(char *buf, size_t size, double fraction)
{
	number_text(buf, size, fraction, "fraction", false, NUMBER_SHORT);
}

char *text_bytes(char *buf, size_t size, double bytes)
{
	return number_text(buf, size, bytes, "B", false, NUMBER_SHORT);
}
