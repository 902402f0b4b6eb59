#include "config.h"
#include "base/text/slice.h"

#include <string.h>
#include <strings.h>

struct slice slice_of(const char *s)
{
	return (struct slice){ s, s ? strlen(s) : 0 };
}

static bool begins_at(const char *at, const char *what, size_t n)
{
	return n == 0 || !memcmp(at, what, n);
}

bool slice_same(struct slice a, struct slice b)
{
	return a.n == b.n && begins_at(a.s, b.s, b.n);
}

int slice_order(struct slice a, struct slice b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.s, b.s, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

bool slice_ends(struct slice t, const char *s)
{
	size_t n = strlen(s);

	return !n || (t.n >= n && begins_at(t.s + t.n - n, s, n));
}

bool slice_ends_nocase(struct slice t, const char *s)
{
	size_t n = strlen(s);

	return t.n >= n && (n == 0 || !strncasecmp(t.s + t.n - n, s, n));
}

struct slice slice_before(struct slice t, const char *what)
{
	const char *at = slice_find(t, what);

	return (struct slice){ t.s, at ? (size_t)(at - t.s) : t.n };
}

bool slice_has_nocase(struct slice t, const char *what)
{
	size_t n = strlen(what);

	for (; t.n >= n; t.s++, t.n--)
		if (!n || !strncasecmp(t.s, what, n))
			return true;
	return false;
}

bool slice_cut_end(struct slice *t, const char *what)
{
	if (!slice_ends(*t, what))
		return false;
	t->n -= strlen(what);
	return true;
}

/* memmem() first makes a table of what it looks for, which takes longer than to read a line. */
#define SHORT 1000

const char *slice_find(struct slice t, const char *what)
{
	size_t n = strlen(what);
	const char *at = t.s, *last;

	if (n < 2 || t.n > SHORT)
		return t.n ? memmem(t.s, t.n, what, n) : NULL;
	if (t.n < n)
		return NULL;
	for (last = t.s + t.n - n; at <= last; at++) {
		if (!(at = memchr(at, *what, (size_t)(last - at) + 1)))
			return NULL;
		if (!memcmp(at, what, n))
			return at;
	}
	return NULL;
}

struct slice slice_trim(struct slice t)
{
	while (t.n && (*t.s == ' ' || *t.s == '\t'))
		t.s++, t.n--;
	while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\t'))
		t.n--;
	return t;
}
