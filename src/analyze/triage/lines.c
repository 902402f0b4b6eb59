#include "config.h"
#include "analyze/triage/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"

#define PAYLOAD "[type.googleapis.com/"

static char *room(char **buf, size_t *cap, size_t n)
{
	if (*cap < n) {
		*cap = n + n / 2 + 256;
		*buf = xrealloc(*buf, *cap, 1);
	}
	return *buf;
}

/* Removes codes of a terminal that were cut in two by a wrap, or at the end. */
static struct slice without_ansi(struct triage_work *w, struct slice s)
{
	char *out = room(&w->clean, &w->clean_cap, s.n + 1), *o = out;

	for (size_t i = 0, skip; i < s.n; i += skip) {
		skip = unwrap_code_length(s, i);
		if (!skip && s.s[i] == '\033')
			break;
		if (!skip) {
			*o++ = s.s[i];
			skip = 1;
		}
	}
	return (struct slice){ out, (size_t)(o - out) };
}

/* Drops the machine-readable payload of an error.  It repeats the message, which must not count twice. */
static struct slice without_payloads(struct triage_work *w, struct slice s)
{
	const char *at = slice_find(s, PAYLOAD), *end;
	char *out, *o;

	if (!at)
		return s;
	out = o = room(&w->repr, &w->repr_cap, 2 * s.n + 2);
	do {
		memcpy(o, s.s, (size_t)(at - s.s));
		o += at - s.s;
		s = (struct slice){ at, (size_t)(s.s + s.n - at) };
		end = slice_find(s, "']");
		s = end ? (struct slice){ end + 2, (size_t)(s.s + s.n - end - 2) }
			: (struct slice){ s.s + s.n, 0 };
	} while ((at = slice_find(s, PAYLOAD)));
	memcpy(o, s.s, s.n);
	return (struct slice){ out, (size_t)(o - out) + s.n };
}

static bool has_error(const struct triage_work *w, struct slice s, const struct triage_hit *hits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (hits[i].phrase->kind >= 0 &&
		    triage_is_error(w, hits[i].phrase->kind, s, hits, n, hits[i].at))
			return true;
	return false;
}

/* Hands a line to triage_message(), or to the other analysis that reads the text (reader.h). */
static void say(struct triage_work *w, struct slice s, const struct triage_hit *hits, size_t n)
{
	if (w->other)
		w->other(w, s);
	else
		triage_message(w, s, hits, n);
}

/* Undoes an escape of a repr() or of JSON at the beginning of the text, other than a line break.  Returns its length;
 * 0: it is none. */
static size_t undo_escape(struct slice s, char **out)
{
	size_t digits = s.n < 2 ? 0 : s.s[1] == 'u' ? 4 : s.s[1] == 'x' ? 2 : 0;
	char hex[8] = "", *end;
	unsigned long c;

	if (s.n < 2 || *s.s != '\\' || s.n < 2 + digits)
		return 0;
	if (digits) {
		memcpy(hex, s.s + 2, digits);
		c = strtoul(hex, &end, 16);
		if (end != hex + digits || !isxdigit((unsigned char)*hex))
			return 0;
		if (digits == 4)
			*out += utf8_put(*out, (uint32_t)c);
		else
			*(*out)++ = (char)c;
		return 2 + digits;
	}
	if (!strchr("t\\\"'", s.s[1]))
		return 0;
	*(*out)++ = s.s[1] == 't' ? ' ' : s.s[1];
	return 2;
}

/* Handles the text of a repr(): the text between written-out line breaks (\n) becomes separate lines,
 * with escapes undone. */
static void repr_lines(struct triage_work *w, struct slice s)
{
	char *copy = xmalloc(s.n + 1), *o = copy;
	struct triage_hit hits[TRIAGE_HITS];

	for (size_t i = 0, skip; i <= s.n; i += skip) {
		struct slice rest = { s.s + i, s.n - i };

		if (i == s.n || slice_begins(rest, "\\n")) {
			struct slice line = { copy, unwrap_undress(copy, (size_t)(o - copy), false) };

			say(w, line, hits, triage_filter_find(w->filter, line, hits));
			o = copy;
			skip = 2;
		} else if (!(skip = undo_escape(rest, &o))) {
			*o++ = *rest.s;
			skip = 1;
		}
	}
	free(copy);
}

static void take_line(struct triage_work *w, struct slice s)
{
	struct triage_hit hits[TRIAGE_HITS];
	struct slice whole;
	size_t n;

	if (memchr(s.s, '\033', s.n)) {
		s = without_ansi(w, s);
		w->unwrap.silent = false;
	}
	whole = s;
	s = triage_record_take(w, s);
	w->prefix = (struct slice){ whole.s, whole.n - s.n };
	n = w->unwrap.silent ? 0 : triage_filter_find(w->filter, s, hits);
	if (!w->other)
		triage_unknown_line(w, s, has_error(w, s, hits, n));
	if (!n && !w->nopen && s.n != 6 && !w->other)
		return;
	if (n && slice_find(s, PAYLOAD)) {
		s = without_payloads(w, s);
		n = triage_filter_find(w->filter, s, hits);
	}
	if (n && slice_find(s, "\\n") && !triage_is_block(slice_trim(s)))
		repr_lines(w, s);
	else
		say(w, s, hits, n);
}

void triage_line(struct triage_work *w, struct slice s)
{
	const char *cr;

	while ((cr = memchr(s.s, '\r', s.n))) {
		take_line(w, (struct slice){ s.s, (size_t)(cr - s.s) });
		s.n -= (size_t)(cr + 1 - s.s);
		s.s = cr + 1;
		if (!s.n)
			return;
	}
	take_line(w, s);
}
