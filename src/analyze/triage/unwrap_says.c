#include "config.h"
#include "analyze/triage/unwrap.h"

#include <string.h>

#include "analyze/triage/internal.h"
#include "base/text/digit.h"

enum { END_MOST = 1024 };

#define WRAPPED_MAX 260u          /* columns: terminals are not wider, so a longer line was not wrapped */
#define UNFINISHED_MAX (4u << 10) /* bytes of a line whose end is told by all of it */
/* points: what the text proves, and what it only suggests */
#define PROOF 8
#define HINT 4

static const struct unwrap_break *break_at(const struct unwrap *u, size_t i)
{
	return &u->line[i].after;
}

/* Most texts have no phrase at all; one may lie over a break. */
bool unwrap_is_quiet(struct unwrap *u)
{
	size_t from = u->line[u->next].at;

	if (!u->heard)
		u->quiet = !triage_filter_any(u->filter, (struct slice){ u->bytes + from, u->cut - from });
	u->heard = true;
	return u->quiet;
}

static enum unwrap_says says(struct unwrap *u, size_t i)
{
	struct unwrap_line *l = &u->line[i];
	struct triage_hit hits[TRIAGE_HITS];
	size_t n;

	if (unwrap_is_quiet(u) || l->says)
		return l->says;
	n = triage_filter_find(u->filter, (struct slice){ u->bytes + l->at, l->n }, hits);
	l->says = SAYS_NOTHING;
	for (size_t k = 0; k < n && l->says != SAYS_ERROR; k++)
		if (hits[k].phrase->kind >= 0 && !hits[k].phrase->weak && !hits[k].phrase->general)
			l->says = SAYS_ERROR;
		else if (hits[k].phrase->kind >= 0 || hits[k].phrase->anchor == ANCHOR_BEFORE)
			l->says = SAYS_BEFORE;
	return l->says;
}

/* A bracket or a quote is not closed. */
bool unwrap_is_unfinished(struct slice s)
{
	static const int8_t
	    deeper[256] = { ['('] = 1, ['['] = 1, ['{'] = 1, [')'] = -1, [']'] = -1, ['}'] = -1 };
	bool quoted = false;
	int depth = 0;

	if (s.n > UNFINISHED_MAX)
		return false;
	for (size_t k = 0; k < s.n; k++) {
		quoted ^= s.s[k] == '"' && (!k || s.s[k - 1] != '\\');
		depth += deeper[(uint8_t)s.s[k]];
	}
	return depth > 0 || quoted || (s.n && s.s[s.n - 1] == ',');
}

/* A row of a report, or an entry of a list. */
static bool is_item(struct slice s)
{
	return unwrap_is_row(s) || slice_begins(s, "HLO temp ") || triage_is_block(s);
}

/* A row that lost its padding when it was wrapped between words, so that it is shorter than it was. */
bool unwrap_is_cut_row(struct slice s, struct slice next)
{
	static const char *const names[] = { "HLO temp", "arguments", "global", "overlays", "program",
		"reserved", "scoped" };

	if (unwrap_is_row(s) || slice_begins(s, "cumulative_size;"))
		return s.s[s.n - 1] == ';';
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_is(s, names[i]))
			return next.n && is_digit(*next.s);
	return false;
}

static struct slice first_word(struct slice s)
{
	const char *end = memchr(s.s, ' ', s.n);

	return end ? (struct slice){ s.s, (size_t)(end - s.s) } : s;
}

/* The last bytes of a line: a word or a row that is longer is none, and what was joined may have no end. */
static struct slice end_of(struct slice s)
{
	return s.n > END_MOST ? (struct slice){ s.s + s.n - END_MOST, END_MOST } : s;
}

static struct slice last_word(struct slice s)
{
	struct slice end = end_of(s);
	const char *blank = memrchr(end.s, ' ', end.n);

	return blank ? (struct slice){ blank + 1, (size_t)(s.s + s.n - blank - 1) } : s;
}

/* "RESOURCE_EXHAUSTED:" */
static bool is_code(struct slice word)
{
	size_t n = 0;

	while (n < word.n && ((word.s[n] >= 'A' && word.s[n] <= 'Z') || word.s[n] == '_'))
		n++;
	return n > 5 && n + 1 == word.n && word.s[n] == ':';
}

/* A sentence of an error goes on in the next line, or is over and the next line begins another one: points. */
static int is_sentence(struct slice this, struct slice next, bool error)
{
	char end = this.n ? this.s[this.n - 1] : 0;

	if (is_code(last_word(this)) || (end == ':' && is_code(first_word(next))))
		return PROOF;
	if (slice_ends(this, "...") ||
	    (end && strchr(".:;!)]}", end) && next.n && *next.s >= 'A' && *next.s <= 'Z'))
		return -HINT;
	return error ? HINT : 0;
}

static struct slice joined_line(const struct unwrap *u, size_t first, size_t i)
{
	return i > first ? (struct slice){ u->joined, u->njoined }
			 : (struct slice){ u->bytes + u->line[first].at, u->line[first].n };
}

/* Without its head, or the prefix that the next line has, too. */
struct slice unwrap_joined_text(struct unwrap *u, size_t first, size_t i)
{
	struct slice s = joined_line(u, first, i);
	size_t prefix = break_at(u, i)->prefix, head = unwrap_head(u, first);

	if (head > prefix && head <= s.n)
		prefix = head;
	return slice_trim((struct slice){ s.s + prefix, s.n - prefix });
}

struct slice unwrap_next_text(const struct unwrap *u, size_t i)
{
	const struct unwrap_line *next = &u->line[i + 1];
	size_t prefix = break_at(u, i)->prefix;

	return (struct slice){ u->bytes + next->at + prefix, next->n - prefix };
}

enum squeeze_joint unwrap_across(const struct unwrap *u, size_t first, size_t i)
{
	enum squeeze_joint across =
	    triage_filter_across(u->filter, joined_line(u, first, i), unwrap_next_text(u, i));

	/* a blank that was kept tells nothing */
	return across == SQUEEZE_WORDS && !break_at(u, i)->word ? SQUEEZE_OVER
	    : break_at(u, i)->blank && across == SQUEEZE_WORDS  ? SQUEEZE_OVER
								: across;
}

/* Adds the points for what the joined line and the next one say together; returns those that count for both ways. */
int unwrap_ask_text(struct unwrap *u, size_t first, size_t i, struct unwrap_points *p)
{
	struct slice next = unwrap_next_text(u, i), text = unwrap_joined_text(u, first, i);
	enum squeeze_joint across = unwrap_across(u, first, i);
	enum unwrap_says next_says;
	bool error, item;
	int points;

	u->says = says(u, i) > u->says ? says(u, i) : u->says;
	next_says = says(u, i + 1);
	/* two errors are two lines */
	error = u->line[i].cols <= WRAPPED_MAX + break_at(u, i)->prefix &&
	    (u->says >= SAYS_BEFORE || next_says >= SAYS_BEFORE) &&
	    (u->says != SAYS_ERROR || next_says != SAYS_ERROR);
	item = is_item(text);
	if (across) {
		u->says = SAYS_ERROR;
		points = PROOF;
	} else if (((error || item) && unwrap_is_unfinished(text)) || (item && break_at(u, i)->inside)) {
		points = PROOF;
	} else {
		points = is_sentence(text, next, error);
	}
	p->hard += points;
	p->soft += points;
	p->column += across == SQUEEZE_WORD ? PROOF : across == SQUEEZE_WORDS ? -PROOF : 0;
	return points;
}

/* Returns what follows the last line break that is written out. */
struct slice unwrap_last_written(struct slice s)
{
	const char *from = end_of(s).s, *end = s.s + s.n, *at = end;

	while ((at = memrchr(from, '\\', (size_t)(at - from))) != NULL)
		if (at + 1 < end && at[1] == 'n')
			return slice_trim((struct slice){ at + 2, (size_t)(end - at - 2) });
	return s;
}

/* "(/model/train.py:87)": the place of a frame, which stands behind the name of a function; or its beginning */
static bool is_place(struct slice s)
{
	return slice_begins(s, "(/") && !memchr(s.s, ' ', s.n) &&
	    (!memchr(s.s, ')', s.n) || (slice_ends(s, ")") && is_digit(s.s[s.n - 2])));
}

bool unwrap_is_cut_place(struct slice s)
{
	struct slice word = last_word(s);

	return is_place(word) && !memchr(word.s, ')', word.n);
}

/* "E1121 07:59:39.906386", without the thread and the place that follow */
static bool is_cut_head(struct slice s)
{
	const char *blank = memrchr(end_of(s).s, ' ', end_of(s).n);

	return blank && blank - s.s > 4 && triage_shape_is(s, s.n - strlen(".000000"), ".000000") &&
	    triage_digits(blank - 4, 4) && memchr("IWEF", blank[-5], 4);
}

/* "XLA label: %copy.1 = f32[8]{0}", without an opcode and operands */
static bool is_cut_instruction(struct slice s)
{
	const char *at = slice_find(s, " = "), *end = s.s + s.n;

	if (!at || !slice_begins(s, "XLA label: "))
		return false;
	while ((at = memchr(at + 1, '(', (size_t)(end - at - 1))))
		if ((at[-1] >= 'a' && at[-1] <= 'z') || is_digit(at[-1]))
			return false;
	return true;
}

/* "source_file=", "kind=": what follows in the line of an instruction or an operator */
static bool is_attribute(struct slice s)
{
	size_t n = 0;

	while (n < s.n && ((s.s[n] >= 'a' && s.s[n] <= 'z') || s.s[n] == '_'))
		n++;
	return n > 3 && n < s.n && s.s[n] == '=';
}

bool unwrap_goes_on(struct unwrap *u, size_t first, size_t i)
{
	struct slice this = unwrap_joined_text(u, first, i), next = slice_trim(unwrap_next_text(u, i));

	if (!this.n) /* the head of a record, without a message */
		return i == first && unwrap_head(u, first) && !u->line[i + 1].head && *next.s != '*';
	if (!triage_is_block(this))
		return is_place(next) || is_cut_head(this) || slice_is(next, "Memory usage report:");
	return is_attribute(next) || is_cut_instruction(this) ||
	    (this.s[this.n - 1] == ':' && !memchr(this.s, ' ', this.n));
}
