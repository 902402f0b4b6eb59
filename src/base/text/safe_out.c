#include "config.h"
#include "base/text/safe_out.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/mem.h"
#include "base/text/utf8.h"

struct door {
	FILE *to;
	char rest[4]; /* the beginning of a character whose end comes with the next write */
	size_t nrest;
};

static bool is_plain(char c)
{
	return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
}

static size_t length_of(char lead)
{
	unsigned char c = (unsigned char)lead;

	return c < 0xc2 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 1;
}

/* Writes the characters that are whole, and returns how many bytes they have; at the end all are. */
static size_t put_safely(FILE *to, const char *s, size_t n, bool end)
{
	const char *at = s, *stop = s + n, *next;
	char out[8];

	while (at < stop) {
		for (next = at; next < stop && is_plain(*next); next++)
			;
		fwrite(at, 1, (size_t)(next - at), to);
		at = next;
		if (at == stop || (!end && (size_t)(stop - at) < length_of(*at)))
			break;
		fwrite(out, 1, (size_t)utf8_put(out, utf8_safe(utf8_next(&at, stop))), to);
	}
	return (size_t)(at - s);
}

static ssize_t door_write(void *cookie, const char *s, size_t n)
{
	struct door *d = cookie;
	char *joined = NULL;
	const char *all = s;
	size_t len = d->nrest + n, done;

	if (d->nrest) {
		joined = xmalloc(len);
		memcpy(joined, d->rest, d->nrest);
		memcpy(joined + d->nrest, s, n);
		all = joined;
	}
	done = put_safely(d->to, all, len, false);
	d->nrest = len - done;
	memcpy(d->rest, all + done, d->nrest);
	free(joined);
	return ferror(d->to) ? 0 : (ssize_t)n;
}

static int door_close(void *cookie)
{
	struct door *d = cookie;
	int bad;

	put_safely(d->to, d->rest, d->nrest, true);
	bad = fflush(d->to) || ferror(d->to);
	free(d);
	return bad ? EOF : 0;
}

FILE *safe_out(FILE *to)
{
	struct door *d = xcalloc(1, sizeof *d);

	d->to = to;
	return fopencookie(d, "w", (cookie_io_functions_t){ .write = door_write, .close = door_close });
}
