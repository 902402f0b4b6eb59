#include "config.h"
#include "analyze/triage/internal.h"

#include <string.h>

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

/* "[rank3]:" */
static size_t rank_prefix(struct slice s)
{
	size_t at = 5;

	while (at < s.n && triage_digits(s.s + at, 1))
		at++;
	return at > 5 && triage_shape_is(s, at, "]:") ? at + 2 : 0;
}

size_t triage_prefix_length(struct slice s, size_t *date)
{
	const char *end;

	*date = 0;
	if (*s.s == '(' && (end = memchr(s.s, ')', s.n < 120 ? s.n : 120)) &&
	    memmem(s.s, (size_t)(end - s.s), "pid=", 4))
		return (size_t)(end - s.s) + 1;
	if (slice_begins(s, "[pod/") && (end = memmem(s.s, s.n < 200 ? s.n : 200, "] ", 2)))
		return (size_t)(end - s.s) + 1;
	if (slice_begins(s, "[rank"))
		return rank_prefix(s);
	if (triage_shape_is(s, 0, "0000-00-00 00:00:00 0"))
		return host_prefix(s, date);
	if (triage_shape_is(s, 0, "0000-00-00T00:00:00.0"))
		return container_prefix(s, date);
	return 0;
}
