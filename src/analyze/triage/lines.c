#include "config.h"
#include "analyze/triage/internal.h"

#include <stdlib.h>
#include <string.h>

#define PAYLOAD "[type.googleapis.com/"

static char *room(char **buf, size_t *cap, size_t n)
{
	if (*cap < n) {
		*cap = n + n / 2 + 256;
		*buf = xrealloc(*buf, *cap, 1);
	}
	return *buf;
}

/* Removes ANSI sequences: ESC [ ... letter. */
static struct slice without_ansi(struct triage_work *w, struct slice s)
{
	char *out = room(&w->clean, &w->clean_cap, s.n + 1), *o = out;

	for (size_t i = 0; i < s.n;) {
		size_t k = i + 2;

		if (s.s[i] != '\033' || i + 1 >= s.n || s.s[i + 1] != '[') {
			*o++ = s.s[i++];
			continue;
		}
		while (k < s.n && !((s.s[k] | 32) >= 'a' && (s.s[k] | 32) <= 'z'))
			k++;
		i = k < s.n ? k + 1 : s.n;
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

/* What a line says is for triage_message(), or for who reads the text for something else (reader.h). */
static void say(struct triage_work *w, struct slice s, const struct triage_hit *hits, size_t n)
{
	if (w->other)
		w->other(w, s);
	else
		triage_message(w, s, hits, n);
}

/* Handles the text of a repr(): the text between written-out line breaks (\n) becomes separate lines,
 * with escapes undone. */
static void repr_lines(struct triage_work *w, struct slice s)
{
	char *copy = xmalloc(s.n + 1), *o = copy;
	struct triage_hit hits[TRIAGE_HITS];

	for (size_t i = 0; i <= s.n; i++) {
		bool escape = i + 1 < s.n && s.s[i] == '\\';
		char c = i < s.n ? s.s[i] : 0, next = escape ? s.s[i + 1] : 0;

		if (i == s.n || next == 'n') {
			struct slice line = { copy, (size_t)(o - copy) };

			say(w, line, hits, triage_filter_find(w->filter, line, hits));
			o = copy;
			i++;
			continue;
		}
		if (next == 't' || next == '\\' || next == '"' || next == '\'') {
			*o++ = next == 't' ? ' ' : next;
			i++;
		} else {
			*o++ = c;
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
