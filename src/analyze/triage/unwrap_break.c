#include "config.h"
#include "analyze/triage/unwrap.h"

#include <string.h>

#include "analyze/triage/internal.h"
#include "base/text/digit.h"

#define SHORTEST 2u /* columns of a line that may go on */
#define WIDEST 400u
#define PAIR 100u    /* bytes of a name and a value */
#define WHOLE 4      /* bits for a word that certainly ends, or begins */
#define LONGEST 512u /* of a word that is measured */

static struct slice line_at(const struct unwrap *u, size_t i)
{
	return (struct slice){ u->bytes + u->line[i].at, u->line[i].n };
}

static struct slice behind(struct slice s, size_t n)
{
	return (struct slice){ s.s + n, s.n - n };
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct slice first_word(struct slice s)
{
	size_t n = 0;

	while (n < s.n && n < LONGEST && !is_blank(s.s[n]))
		n++;
	return (struct slice){ s.s, n };
}

static struct slice last_word(struct slice s)
{
	size_t n = 0;

	while (n < s.n && n < LONGEST && !is_blank(s.s[s.n - 1 - n]))
		n++;
	return behind(s, s.n - n);
}

/* --- what begins something --- */

/* "========", and what points at a piece of the line before */
static bool is_rule(struct slice s)
{
	size_t n = 0;

	while (n < s.n && s.s[n] == *s.s)
		n++;
	return n >= 8 && n == s.n && strchr("=-_*#~^", *s.s);
}

/* "==============" at the end of a line, and more of it in the next one */
static bool is_cut_rule(struct slice this, struct slice next)
{
	char c = this.n ? this.s[this.n - 1] : ' ';

	return strchr("=-_*#~^", c) && next.n && *next.s == c &&
	    !(is_rule(this) && is_rule(next) && this.n == next.n);
}

/* "   24.19GiB(100%);" */
bool unwrap_is_row(struct slice s)
{
	int64_t v;

	if (!s.n || !is_digit(*s.s) || !size_read(&s, &v))
		return false;
	s = slice_trim(s);
	return s.n > 4 && *s.s == '(' && memmem(s.s, s.n < 8 ? s.n : 8, "%);", 3);
}

/* "[Debug] " */
static bool is_tag(struct slice s)
{
	size_t n = 1;

	if (*s.s != '[')
		return false;
	while (n < s.n && ((s.s[n] | 32) >= 'a' && (s.s[n] | 32) <= 'z'))
		n++;
	return n > 2 && n + 1 < s.n && s.s[n] == ']' && s.s[n + 1] == ' ';
}

static bool is_beginning(struct slice s)
{
	static const char *const words[] = { "*** ", "===", "File \"", "BufferAssignment:", "During handling",
		"Exception in ", "HBM capacity ", "Limit:  ", "Memory Space: ", "See https://",
		"Traceback (most recent", "[OOM Summary", "cumulative_size;", "jax.errors.", "jaxlib." };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (*s.s == *words[i] && slice_begins(s, words[i]))
			return true;
	return is_rule(s) || is_tag(s) || unwrap_is_row(s) || triage_is_dated(s) || triage_is_block(s);
}

static bool is_written(struct slice s)
{
	while (s.n && is_blank(s.s[s.n - 1]))
		s.n--;
	return s.n > 1 && s.s[s.n - 1] == 'n' && s.s[s.n - 2] == '\\';
}

/* After a line break that is written out ("\n"), and after a prefix without a message, anything may follow. */
static bool is_open(struct slice s, size_t head)
{
	return is_written(s) || (head && !slice_trim(behind(s, head)).n);
}

/* --- what does not look like one text --- */

/* Lines of a table, of a log without dates: both begin alike, digits aside, so neither goes on. */
static bool begin_alike(struct slice a, struct slice b)
{
	enum { ALIKE = 8 };
	size_t n = 0;

	while (n < a.n && n < b.n && a.s[n] == ' ' && b.s[n] == ' ')
		n++;
	if (n > 1 && n < a.n && n < b.n && a.s[n] != ' ' && b.s[n] != ' ')
		return true; /* one indentation */
	if (a.n < n + ALIKE || b.n < n + ALIKE || a.s[n] == ' ')
		return false;
	for (size_t i = n; i < n + ALIKE; i++)
		if (a.s[i] != b.s[i] && !(is_digit(a.s[i]) && is_digit(b.s[i])))
			return false;
	return true;
}

/* "InUse:                     32587366400" */
static bool is_pair(struct slice s)
{
	return s.n < PAIR && memchr(s.s, ':', s.n) && slice_find(s, ":  ") && !is_blank(s.s[s.n - 1]);
}

/* --- points --- */

static bool is_name(char c)
{
	return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || c == '/';
}

/* A word of messages: a piece of a line that is one of them was hardly cut out of a longer word. */
static bool is_common(struct slice s)
{
	enum { MOST = 5 };
	static const char *const words['z' - 'A' + 1][MOST] = {
		['A' - 'A'] = { "Attempting" },
		['E' - 'A'] = { "Exceeded" },
		['H' - 'A'] = { "HLO" },
		['R' - 'A'] = { "Ran", "Requires" },
		['T' - 'A'] = { "That", "There" },
		['U' - 'A'] = { "Used" },
		['a' - 'A'] = { "allocate", "and", "are", "at", "available" },
		['b' - 'A'] = { "because", "by", "bytes" },
		['c' - 'A'] = { "capacity", "compilation" },
		['d' - 'A'] = { "device" },
		['e' - 'A'] = { "enough", "exceed", "exceeded", "exceeds" },
		['f' - 'A'] = { "for", "free", "from" },
		['h' - 'A'] = { "has", "hbm" },
		['i' - 'A'] = { "in", "is", "it" },
		['l' - 'A'] = { "limit" },
		['m' - 'A'] = { "memory", "module:", "more" },
		['n' - 'A'] = { "not" },
		['o' - 'A'] = { "of", "on", "out" },
		['p' - 'A'] = { "possible." },
		['r' - 'A'] = { "required", "reserve" },
		['s' - 'A'] = { "size", "space" },
		['t' - 'A'] = { "that", "the", "to", "total" },
		['u' - 'A'] = { "unlikely" },
		['v' - 'A'] = { "vmem" },
		['w' - 'A'] = { "was", "while", "with", "would" },
	};
	const char *const *at;

	if (s.n < 2 || s.n > 11 || *s.s < 'A' || *s.s > 'z')
		return false;
	at = words[*s.s - 'A'];
	for (size_t i = 0; i < MOST && at[i]; i++)
		if (at[i][1] == s.s[1] && slice_is(s, at[i]))
			return true;
	return false;
}

/* "7.06G" */
static bool is_size(struct slice s)
{
	return s.n > 1 && is_digit(s.s[s.n - 2]) && strchr("BKMGT", s.s[s.n - 1]);
}

/* "=", which stands between blanks */
static bool is_sign(struct slice s)
{
	return s.n == 1 && strchr("=+|", *s.s);
}

/* A word ends before the break, or one begins behind it: bits. */
static int whole_words(struct slice before, struct slice after)
{
	char end = before.n ? before.s[before.n - 1] : ' ', next = after.n ? *after.s : ' ';

	if (is_blank(end) || is_blank(next))
		return 0;
	if (is_common(before) || is_common(after) || (end == '.' && next >= 'A' && next <= 'Z'))
		return WHOLE;
	if (is_sign(before) || is_sign(after) || (end == '}' && next >= 'a'))
		return WHOLE;
	if ((end == ',' && !is_digit(next)) || strchr("%#'", next) || (is_size(before) && next > '9'))
		return 3;
	return strchr(".:;)]=", end) && !(end == '.' && is_digit(next)) ? 2 : 0;
}

/* How unlikely the break is where nothing was wrapped, in bits.  That a line ends at the very column has a
 * chance of 1 in 64 or so; that the first word of the next one would not have fitted, the chance of its length
 * in a line. */
static void give_points(struct unwrap_break *b)
{
	b->hard = 6 - b->whole;
	b->soft = b->word <= 2 ? 5 : b->word <= 5 ? 4 : b->word <= 10 ? 3 : b->word <= 20 ? 2 : b->word <= 32;
	b->soft += b->blank ? 3 : b->whole > 2;
}

static void measure_break(struct unwrap_break *b, struct slice this, struct slice next)
{
	struct slice before = last_word(this), after = first_word(next);

	b->blank = is_blank(this.s[this.n - 1]);
	b->word = (uint32_t)after.n;
	b->last_word = (uint32_t)before.n;
	b->whole = whole_words(before, after);
	b->inside = before.n && after.n && is_name(before.s[before.n - 1]) && is_name(*after.s);
}

/* The bytes of the prefix that the next line has in common with line i; false: it has another one. */
static bool same_prefix(struct unwrap *u, size_t i, uint32_t *prefix)
{
	*prefix = u->line[i + 1].head;
	return !*prefix ||
	    (unwrap_head(u, i) >= *prefix && *prefix < u->line[i + 1].n &&
		triage_same_head(&u->labels, line_at(u, i), line_at(u, i + 1), *prefix));
}

/* The next line begins something, or this one ends it. */
static bool is_end(struct slice this, struct slice next, size_t head)
{
	struct slice text = slice_trim(next), end = slice_trim(behind(this, head));

	if (!text.n)
		return true;
	if (!is_blank(*next.s) && is_cut_rule(end, text))
		return false;
	if (is_beginning(text) && (!is_open(this, head) || *text.s == '*'))
		return true;
	if (this.s[this.n - 1] == ':' &&
	    (slice_ends(this, "/task:0:") ||
		(slice_ends(this, "ScopedVmemOom:") && slice_begins(next, "Ran out of memory in"))))
		return true;
	if (slice_begins(next, "    ") && slice_find(this, "\", line "))
		return true; /* the text of a frame of a traceback */
	return is_rule(end);
}

static bool is_loose(struct slice this)
{
	char end = this.s[this.n - 1];

	return (end == ':' && slice_ends(this, "Oom:")) || (end == ')' && slice_ends(this, "_HBM0)"));
}

void unwrap_break_find(struct unwrap *u, size_t i)
{
	struct unwrap_break *b = &u->line[i].after;
	struct slice this = line_at(u, i), next = line_at(u, i + 1), text = this;

	*b = (struct unwrap_break){ .side = SIDE_ENDS };
	if (u->line[i].cols < SHORTEST || u->line[i].cols > WIDEST ||
	    u->line[i + 1].cols == UNWRAP_NO_COLUMNS || !same_prefix(u, i, &b->prefix) ||
	    this.n < b->prefix || u->line[i + 1].n <= b->prefix)
		return;
	next = behind(next, b->prefix);
	text = behind(this, b->prefix);
	b->before = b->prefix;
	while (b->before - b->prefix < text.n && is_blank(text.s[b->before - b->prefix]))
		b->before++;
	if (text.n)
		measure_break(b, text, next);
	if (this.n == unwrap_head(u, i))
		b->whole = WHOLE;
	if (!text.n || is_end(this, next, unwrap_head(u, i)) ||
	    (u->begins && u->begins(u->ctx, slice_trim(next))))
		return;
	b->written = is_written(this);
	if (begin_alike(text, next) || (is_pair(text) && is_pair(next)))
		b->side = SIDE_ALIKE;
	else
		b->side = is_loose(this) ? SIDE_LOOSE : SIDE_OPEN;
	if (b->side == SIDE_OPEN)
		give_points(b);
}
