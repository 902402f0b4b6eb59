#include "config.h"
#include "analyze/triage/internal.h"

#include <ctype.h>
#include <string.h>

#include "base/text/digit.h"

#define LABEL 64   /* longest name */
#define SAMPLE 300 /* lines that tell whether a text has labels */

/* "2026-11-22T10:00:01.123456789Z stderr F ": the length of the time, and of what follows it */
static size_t container_prefix(struct slice s, size_t *date)
{
	static const char *const streams[] = { " stdout F", " stderr F", " stdout P", " stderr P" };
	size_t at = 20;

	while (at < s.n && triage_digits(s.s + at, 1))
		at++;
	if (at < 23 || at == s.n)
		return 0;
	at += s.s[at] == 'Z' ? 1 : triage_shape_is(s, at + 1, "00:00") ? 6 : 0;
	*date = at;
	for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
		if (triage_shape_is(s, at, streams[i]))
			at += strlen(streams[i]);
	return at < s.n && s.s[at] == ' ' ? at : 0;
}

/* "2026-11-22 10:00:01 10.164.0.12 [3]" */
static size_t host_prefix(struct slice s, size_t *date)
{
	size_t at = *date = 20;

	while (at < s.n && (triage_digits(s.s + at, 1) || s.s[at] == '.'))
		at++;
	if (at < 27 || !triage_shape_is(s, at, " [0"))
		return 0;
	for (at += 2; at < s.n && triage_digits(s.s + at, 1); at++)
		;
	return triage_shape_is(s, at, "]") && (at + 1 == s.n || s.s[at + 1] == ' ') ? at + 1 : 0;
}

/* Returns the end of the digits from `at` on. */
static size_t digits_end(struct slice s, size_t at)
{
	while (at < s.n && is_digit(s.s[at]))
		at++;
	return at;
}

/* "[rank3]:" of torchrun, "[default0]:" of its agents, "[rank: 3]" of Lightning, "[1,3]<stderr>:" of mpirun */
static size_t bracket_prefix(struct slice s)
{
	static const char *const tags[] = { "]<stdout>:", "]<stderr>:" };
	size_t at = slice_begins(s, "[rank: ") ? 7 : 1, from, end;

	while (at < s.n && at < LABEL && s.s[at] >= 'a' && s.s[at] <= 'z')
		at++;
	end = digits_end(s, from = at);
	if (end == from)
		return 0;
	if (from > 1)
		return triage_shape_is(s, end, from == 7 && s.s[5] == ':' ? "] " : "]:")
		    ? end + (s.s[5] == ':' ? 1 : 2)
		    : 0;
	if (end < s.n && s.s[end] == ',')
		for (size_t i = 0, to = digits_end(s, end + 1); i < 2; i++)
			if (triage_shape_is(s, to, tags[i]))
				return to + strlen(tags[i]);
	return 0;
}

/* "3:" of srun, "HOST-3:" of pdsh, "NAME-3  |" of docker compose: labels of processes where lines begin with
 * them, but anything elsewhere */
static size_t label_length(struct slice s)
{
	size_t at = 0, number, end;

	while (at < s.n && at < LABEL && (isalnum((unsigned char)s.s[at]) || strchr("-_.", s.s[at])))
		at++;
	for (number = end = at; number && is_digit(s.s[number - 1]); number--)
		;
	if (number == end || (number && !strchr("-_", s.s[number - 1])))
		return 0;
	while (number && at < s.n && s.s[at] == ' ')
		at++;
	if (at == s.n || s.s[at] != (at == end ? ':' : '|'))
		return 0;
	return at + 1 == s.n || s.s[at + 1] == ' ' ? at + 1 : 0;
}

bool triage_has_labels(const char *s, size_t n)
{
	const char *end = s + n, *next;
	size_t lines = 0, labels = 0;

	for (; s < end && lines < SAMPLE; s = next + 1) {
		if (!(next = memchr(s, '\n', (size_t)(end - s))))
			next = end;
		if (s == next)
			continue;
		lines++;
		labels += label_length((struct slice){ s, (size_t)(next - s) }) > 0;
		if (!labels)
			return false;
	}
	return labels > 2 && 4 * labels >= lines; /* the others are rests of lines that were wrapped */
}

size_t triage_prefix_length(struct slice s, bool labels, size_t *date)
{
	const char *end;

	*date = 0;
	if (*s.s == '(' && (end = memchr(s.s, ')', s.n < 120 ? s.n : 120)) &&
	    memmem(s.s, (size_t)(end - s.s), "pid=", 4))
		return (size_t)(end - s.s) + 1;
	if (slice_begins(s, "[pod/") && (end = memmem(s.s, s.n < 200 ? s.n : 200, "] ", 2)))
		return (size_t)(end - s.s) + 1;
	if (*s.s == '[')
		return bracket_prefix(s);
	if (triage_shape_is(s, 0, "0000-00-00 00:00:00 0"))
		return host_prefix(s, date);
	if (triage_shape_is(s, 0, "0000-00-00T00:00:00.0"))
		return container_prefix(s, date);
	return labels ? label_length(s) : 0;
}
