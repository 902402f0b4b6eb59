#include "config.h"
#include "analyze/cover/internal.h"

#include <string.h>

/* --- lines that end with a carriage return alone --- */

static bool has_returns(struct slice s)
{
	const char *first = memchr(s.s, '\r', s.n), *end = memchr(s.s, '\n', s.n);

	if (!first || (end && end + 1 < s.s + s.n))
		return false;
	return memchr(first + 1, '\r', (size_t)(s.s + s.n - first - 1)) != NULL;
}

static void read_returns(struct cover *c, struct slice s)
{
	for (size_t i = 0; i < s.n; i++) {
		bool end = s.s[i] == '\r';

		cover_put(c, end ? "\n" : s.s + i, s.s[i] != '\n');
		c->line += end;
	}
}

const struct cover_kind cover_returns = { has_returns, read_returns };

/* --- an empty line behind every line, as some programs show a text with CR LF --- */

static struct slice take_line(struct slice *s)
{
	const char *end = memchr(s->s, '\n', s->n);
	struct slice line = { s->s, end ? (size_t)(end - s->s) : s->n };
	size_t n = line.n + (end != NULL);

	*s = (struct slice){ s->s + n, s->n - n };
	slice_cut_end(&line, "\r");
	return line;
}

/* A line that was empty before shows that it is no text of paragraphs. */
static bool is_doubled(struct slice s)
{
	enum { ENOUGH = 4 };
	size_t pairs = 0, empty = 0;

	while (s.n) {
		struct slice line = take_line(&s);

		if (!s.n)
			break;
		if (take_line(&s).n)
			return false;
		pairs++;
		empty += !line.n;
	}
	return pairs >= ENOUGH && empty && 2 * empty < pairs;
}

static void read_doubled(struct cover *c, struct slice s)
{
	while (s.n) {
		const char *end = memchr(s.s, '\n', s.n);
		size_t n = end ? (size_t)(end - s.s) : s.n;

		if (c->line % 2 == 0)
			cover_put(c, s.s, n + (end != NULL));
		n += end != NULL;
		c->line += end != NULL;
		s = (struct slice){ s.s + n, s.n - n };
	}
}

const struct cover_kind cover_doubled = { is_doubled, read_doubled };
