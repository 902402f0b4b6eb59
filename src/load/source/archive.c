#include "config.h"
#include "load/source/archive.h"

#include <stdio.h>
#include <string.h>

enum {
	BLOCK = 512,
	NAME = 0,
	NAME_LEN = 100,
	SIZE = 124,
	SIZE_LEN = 12,
	SUM = 148,
	SUM_LEN = 8,
	TYPE = 156,
	MAGIC = 257,
	PREFIX = 345,
	PREFIX_LEN = 155
};

/* Octal digits, with blanks around them; sizes beyond 8 GiB are binary, which no file in memory has. */
static bool octal(const uint8_t *s, size_t n, uint64_t *v)
{
	size_t i = 0;

	*v = 0;
	while (i < n && s[i] == ' ')
		i++;
	for (; i < n && s[i] >= '0' && s[i] <= '7'; i++)
		*v = *v << 3 | (uint64_t)(s[i] - '0');
	return i > 0 && (i == n || s[i] == ' ' || !s[i]);
}

/* The sum of all bytes of a head, with blanks in place of the sum itself. */
static bool is_head(const uint8_t *s)
{
	uint64_t said, sum = 0;

	for (int i = 0; i < BLOCK; i++)
		sum += i >= SUM && i < SUM + SUM_LEN ? ' ' : s[i];
	return octal(s + SUM, SUM_LEN, &said) && said == sum;
}

bool archive_is(const uint8_t *head, size_t n)
{
	return zip_is(head, n) || (n >= BLOCK && !memcmp(head + MAGIC, "ustar", 5) && is_head(head));
}

static bool is_end(const uint8_t *s)
{
	for (int i = 0; i < BLOCK; i++)
		if (s[i])
			return false;
	return true;
}

static void take_name(const uint8_t *s, char *name)
{
	int prefix = (int)strnlen((const char *)s + PREFIX, PREFIX_LEN);

	/* GNU tar has other things where POSIX has the prefix */
	if (memcmp(s + MAGIC, "ustar", 6))
		prefix = 0;
	snprintf(name, ARCHIVE_NAME, "%.*s%s%.*s", prefix, (const char *)s + PREFIX, prefix ? "/" : "",
	    (int)strnlen((const char *)s + NAME, NAME_LEN), (const char *)s + NAME);
}

/* "path" of a POSIX head: lines "LENGTH KEY=VALUE" */
static void take_path(const uint8_t *s, size_t n, char *name)
{
	const char *at = memmem(s, n, " path=", 6), *end;

	if (!at)
		return;
	at += 6;
	end = memchr(at, '\n', (size_t)((const char *)s + n - at));
	if (end)
		snprintf(name, ARCHIVE_NAME, "%.*s", (int)(end - at < ARCHIVE_NAME ? end - at : ARCHIVE_NAME),
		    at);
}

static bool stop_damaged(struct archive *a)
{
	a->damaged = true;
	a->where = a->at;
	a->at = a->n;
	return false;
}

bool archive_next(struct archive *a, struct archive_member *m)
{
	char longer[ARCHIVE_NAME] = "";

	m->own = false;
	if (zip_is(a->bytes, a->n))
		return zip_next(a, m);
	while (a->n - a->at >= BLOCK) {
		const uint8_t *head = a->bytes + a->at;
		uint64_t size;
		size_t left = a->n - a->at - BLOCK, padded;
		char type = (char)head[TYPE];

		if (is_end(head))
			return false;
		if (!is_head(head) || !octal(head + SIZE, SIZE_LEN, &size))
			return stop_damaged(a);
		m->bytes = head + BLOCK;
		m->cut = size > left;
		m->n = m->cut ? left : (size_t)size;
		if (m->cut) {
			a->damaged = true;
			a->where = a->n;
		}
		padded = (m->n + BLOCK - 1) / BLOCK * BLOCK;
		a->at += BLOCK + (padded < left ? padded : left);
		if (type == 'L')
			snprintf(longer, sizeof longer, "%.*s",
			    (int)(m->n < sizeof longer ? m->n : sizeof longer - 1), (const char *)m->bytes);
		else if (type == 'x')
			take_path(m->bytes, m->n, longer);
		else if (type == '0' || !type) {
			take_name(head, m->name);
			if (*longer)
				memcpy(m->name, longer, sizeof longer);
			return true;
		} else
			*longer = 0;
	}
	if (a->at < a->n)
		stop_damaged(a);
	return false;
}
