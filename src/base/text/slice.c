#include "config.h"
#include "base/text/slice.h"

#include <string.h>

struct slice slice_of(const char *s)
{
	return (struct slice){ s, s ? strlen(s) : 0 };
}

static bool matches(const char *at, const char *what, size_t n)
{
	return n == 0 || !memcmp(at, what, n);
}

bool slice_is(struct slice t, const char *s)
{
	return t.n == strlen(s) && matches(t.s, s, t.n);
}

bool slice_begins(struct slice t, const char *s)
{
	size_t n = strlen(s);

	return t.n >= n && matches(t.s, s, n);
}

bool slice_ends(struct slice t, const char *s)
{
	size_t n = strlen(s);

	return t.n >= n && matches(t.s + t.n - n, s, n);
}

const char *slice_find(struct slice t, const char *what)
{
	return t.n ? memmem(t.s, t.n, what, strlen(what)) : NULL;
}

struct slice slice_trim(struct slice t)
{
	while (t.n && (*t.s == ' ' || *t.s == '\t'))
		t.s++, t.n--;
	while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\t'))
		t.n--;
	return t;
}
