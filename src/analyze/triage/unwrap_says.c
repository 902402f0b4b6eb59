#include "config.h"
#include "analyze/triage/unwrap.h"

#include <string.h>

#include "analyze/triage/internal.h"
#include "base/text/digit.h"

#define WRAPPED_MAX 260u          /* columns: terminals are not wider, so a longer line was not wrapped */
#define UNFINISHED_MAX (4u << 10) /* bytes of a line whose end is told by all of it */
#define PHRASE_MAX 64             /* bytes of a word on either side of a line end */
#define LONG_WORD 50u             /* bytes of one that may have been cut */
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

/* Returns the last word, including the blank after it. */
static struct slice last_word(struct slice s)
{
	size_t n = s.n && s.s[s.n - 1] == ' ';

	while (n < s.n && n < PHRASE_MAX && s.s[s.n - 1 - n] != ' ')
		n++;
	return (struct slice){ s.s + s.n - n, n };
}

static struct slice first_word(struct slice s)
{
	const char *end = memchr(s.s, ' ', s.n);

	return end ? (struct slice){ s.s, (size_t)(end - s.s) } : s;
}

/* The word at the joint is the beginning of one in a phrase. */
static bool may_be_phrase(const struct unwrap *u, struct slice this, struct slice next, bool blank)
{
	char text[PHRASE_MAX + 3];
	struct slice word;
	size_t n;

	if (blank && !is_digit(*next.s) && !triage_filter_may_begin(u->filter, (struct slice){ next.s, 1 }))
		return false;
	word = last_word(this);
	n = word.n;
	memcpy(text, word.s, n);
	if (blank)
		text[n++] = ' ';
	if (n && text[n - 1] != ' ')
		text[n++] = *next.s;
	else if (!is_digit(*next.s) && !triage_filter_may_begin(u->filter, (struct slice){ next.s, 1 }))
		return false;
	return triage_filter_may_begin(u->filter, (struct slice){ text, n });
}

/* How many phrases lie over the joint of both pieces. */
static int joined_phrases(const struct unwrap *u, struct slice this, struct slice next, bool blank)
{
	char text[2 * PHRASE_MAX + 1];
	size_t n = this.n < PHRASE_MAX ? this.n : PHRASE_MAX, k = next.n < PHRASE_MAX ? next.n : PHRASE_MAX,
	       hits;
	struct triage_hit hit[TRIAGE_HITS];
	int over = 0;

	if (!this.n || !next.n || !may_be_phrase(u, this, next, blank))
		return 0;
	memcpy(text, this.s + this.n - n, n);
	if (blank)
		text[n] = ' ';
	memcpy(text + n + blank, next.s, k);
	hits = triage_filter_find(u->filter, (struct slice){ text, n + blank + k }, hit);
	for (size_t i = 0; i < hits; i++)
		over += hit[i].at < n && hit[i].at + hit[i].phrase->text.n > n;
	return over;
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

/* "Limit:" */
static bool is_key(struct slice s)
{
	size_t n = 0;

	while (n < s.n && (s.s[n] | 32) >= 'a' && (s.s[n] | 32) <= 'z')
		n++;
	return n > 2 && n + 1 == s.n && s.s[n] == ':';
}

static bool is_number(struct slice s)
{
	size_t n = 0;

	while (n < s.n && is_digit(s.s[n]))
		n++;
	return n && n == s.n;
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
	return is_key(s) && is_number(next);
}

/* "RESOURCE_EXHAUSTED:" */
static bool is_code(struct slice word)
{
	size_t n = 0;

	while (n < word.n && ((word.s[n] >= 'A' && word.s[n] <= 'Z') || word.s[n] == '_'))
		n++;
	return n > 5 && n + 1 == word.n && word.s[n] == ':';
}

/* A sentence of an error goes on in the next line, or is over and the next line begins another one:
 * points. */
static int is_sentence(struct slice this, struct slice next, bool error)
{
	static const char *const goes_on[] = { "Aborting compilation ", "Exceeded ", "Ran out of memory",
		"Requires ", "Scoped ", "That ", "There ", "Used " };
	static const char *const unfinished[] = { "RuntimeError:", "device buffer:", "esource exhausted:",
		"Compilation failure:", "with envvar", "Error loading program",
		"HLO module:", "HLO computation:" };
	char end = this.n ? this.s[this.n - 1] : 0;
	bool over = slice_ends(this, "...");

	if (is_code(last_word(this)) || (end == ':' && is_code(first_word(next))))
		return PROOF;
	for (size_t i = 0; i < sizeof unfinished / sizeof *unfinished; i++)
		if (slice_ends(this, unfinished[i]))
			return PROOF;
	if (slice_ends(this, "':") && slice_begins(next, "Attempting to "))
		return PROOF;

	for (size_t i = 0; i < sizeof goes_on / sizeof *goes_on && error && !over; i++)
		if (slice_begins(next, goes_on[i]))
			return PROOF;
	if (over || (end && strchr(".:;!)]}", end) && next.n && *next.s >= 'A' && *next.s <= 'Z'))
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

bool unwrap_phrase_over(const struct unwrap *u, size_t first, size_t i)
{
	struct slice this = joined_line(u, first, i), next = unwrap_next_text(u, i);

	return joined_phrases(u, this, next, false) || joined_phrases(u, this, next, true);
}

/* What the joined line and the next one say together. */
int unwrap_ask_text(struct unwrap *u, size_t first, size_t i, struct unwrap_points *p)
{
	struct slice this = joined_line(u, first, i), next = unwrap_next_text(u, i),
		     text = unwrap_joined_text(u, first, i);
	int tight = joined_phrases(u, this, next, false), blank = tight, column, both;
	enum unwrap_says next_says;
	bool error, item;

	if (!break_at(u, i)->blank)
		blank = joined_phrases(u, this, next, true);
	u->says = says(u, i) > u->says ? says(u, i) : u->says;
	next_says = says(u, i + 1);
	/* two errors are two lines */
	error = u->line[i].cols <= WRAPPED_MAX + break_at(u, i)->prefix &&
	    (u->says >= SAYS_BEFORE || next_says >= SAYS_BEFORE) &&
	    (u->says != SAYS_ERROR || next_says != SAYS_ERROR);
	item = is_item(text);
	both = ((error || item) && unwrap_is_unfinished(text)) || (item && break_at(u, i)->inside)
	    ? PROOF
	    : is_sentence(text, next, error);
	if (tight > 0 || blank > 0)
		u->says = SAYS_ERROR;
	column = tight == blank ? unwrap_ask_words(u, i) : tight > blank ? 1 : -1;
	tight = tight > 0 || column > 0 ? PROOF : 0;
	blank = blank > 0 || column < 0 ? PROOF : 0;
	p->hard += both + tight;
	p->soft += both + blank;
	p->column += PROOF * column;
	return both + (tight | blank);
}

/* What follows the last line break that is written out. */
struct slice unwrap_last_written(struct slice s)
{
	const char *end = s.s + s.n, *at = end;

	while ((at = memrchr(s.s, '\\', (size_t)(at - s.s))) != NULL)
		if (at + 1 < end && at[1] == 'n')
			return slice_trim((struct slice){ at + 2, (size_t)(end - at - 2) });
	return s;
}

/* The next line begins as the joined one does, digits aside: it is another one of its kind. */
bool unwrap_begins_again(struct slice this, struct slice next)
{
	enum { ALIKE = 12, LETTERS = 5 };
	size_t letters = 0;

	if (this.n < ALIKE || next.n < ALIKE)
		return false;
	for (size_t i = 0; i < ALIKE; i++) {
		if (this.s[i] != next.s[i] && !(is_digit(this.s[i]) && is_digit(next.s[i])))
			return false;
		letters += (this.s[i] | 32) >= 'a' && (this.s[i] | 32) <= 'z';
	}
	return letters >= LETTERS;
}

/* A sentence of an error that never begins a line, after another one that ends one. */
static bool is_next_sentence(struct unwrap *u, size_t i, struct slice this, struct slice next)
{
	static const char *const sentences[] = { "Exceeded ", "That was not possible", "There are ",
		"Used " };
	bool any = false;

	if (!slice_ends(this, ".") || unwrap_is_quiet(u))
		return false;
	for (size_t k = 0; k < sizeof sentences / sizeof *sentences; k++)
		any |= slice_begins(next, sentences[k]);
	return any && ((says(u, i) | u->says) >= SAYS_BEFORE || triage_filter_any(u->filter, this));
}

/* "    reserved" and its size, "Limit:" and its bytes */
static bool is_cut_value(struct slice this, struct slice next)
{
	const char *end = memchr(next.s, ' ', next.n);
	size_t n = end ? (size_t)(end - next.s) : next.n;

	if (this.n > 20 || !n || !is_digit(*next.s))
		return false;
	return (strchr("BKMGT", next.s[n - 1]) || is_digit(next.s[n - 1])) && unwrap_is_cut_row(this, next);
}

/* A row of a memory usage report, or its heading, without all of its columns or shapes, where the lines around do
 * not tell */
static bool is_cut_columns(const struct unwrap *u, size_t i, struct slice s)
{
	return u->line[i].way.kind == WAY_NONE && strchr(";,", s.s[s.n - 1]) &&
	    (unwrap_is_row(s) || slice_begins(s, "cumulative_size;"));
}

/* "XLA label: %copy.1 = f32[8]{0}", without an opcode and operands, where the lines around do not tell */
static bool is_cut_instruction(const struct unwrap *u, size_t i, struct slice s)
{
	const char *at = slice_find(s, " = "), *end = s.s + s.n;

	if (u->line[i].way.kind != WAY_NONE || !slice_begins(s, "XLA label: ") || !strchr(")]}=", end[-1]) ||
	    unwrap_is_unfinished(s))
		return false;
	while (at && (at = memchr(at + 1, '(', (size_t)(end - at - 1))))
		if ((at[-1] >= 'a' && at[-1] <= 'z') || is_digit(at[-1]))
			return false;
	return true;
}

/* A line of an entry of a list goes on with what begins none. */
static bool is_cut_entry(const struct unwrap *u, size_t i, struct slice this, struct slice next)
{
	static const char *const keys[] = { "source_file=\"", "source_line=", "stack_frame_id=", "op_name=\"",
		"kind=k", "calls=", "metadata={", "custom_call_target=", "output_to_operand_aliasing=" };
	struct slice raw = unwrap_next_text(u, i);

	if (!triage_is_block(this))
		return false;
	if (is_cut_instruction(u, i, this))
		return true;
	for (size_t k = 0; strchr(",\":", this.s[this.n - 1]) && k < sizeof keys / sizeof *keys; k++)
		if (slice_begins(next, keys[k]))
			return true;
	return (break_at(u, i)->blank || (*raw.s == ' ' && next.n + 1 == raw.n)) &&
	    unwrap_is_unfinished(this);
}

/* "E1121 07:59:39.906386", without the thread and the place that follow */
static bool is_cut_head(struct slice s)
{
	size_t n = s.n;

	while (n && is_digit(s.s[n - 1]))
		n--;
	if (n + 6 != s.n || n < 16 || s.s[--n] != '.')
		return false;
	while (n && (is_digit(s.s[n - 1]) || s.s[n - 1] == ':'))
		n--;
	return n > 5 && memchr(s.s + n, ':', s.n - n) && s.s[n - 1] == ' ' && is_digit(s.s[n - 2]) &&
	    strchr("IWEF", s.s[n - 6]);
}

/* "E0100:" */
static bool is_error_code(struct slice s)
{
	return s.n == 6 && *s.s == 'E' && s.s[5] == ':' && is_number((struct slice){ s.s + 1, 4 });
}

/* Nothing ends with these. */
static bool is_cut_message(struct slice this)
{
	return is_cut_head(this) || is_error_code(last_word(this)) || slice_ends(this, "Check failed:") ||
	    slice_ends(this, "retry compilation of");
}

/* "87)", or nothing but the bracket */
static bool is_place_end(struct slice s)
{
	return s.n && s.s[s.n - 1] == ')' && (s.n == 1 || is_digit(s.s[s.n - 2])) && !memchr(s.s, ' ', s.n);
}

/* "(/model/train.py:87)": the place of a frame, which stands behind the name of a function. */
static bool is_place(struct slice s)
{
	return slice_begins(s, "(/") && (is_place_end(s) || unwrap_is_cut_place(s));
}

/* It is longer than a line. */
bool unwrap_is_cut_place(struct slice s)
{
	const char *blank;

	if (s.n > UNFINISHED_MAX)
		return false;
	blank = memrchr(s.s, ' ', s.n);
	if (blank)
		s = (struct slice){ blank + 1, (size_t)(s.s + s.n - blank - 1) };
	return s.n >= LONG_WORD && slice_begins(s, "(/") && !memchr(s.s, ')', s.n);
}

static bool ends_with_letter(const struct unwrap *u, size_t i)
{
	const struct unwrap_line *l = &u->line[i];
	char end = l->n ? u->bytes[l->at + l->n - 1] : ' ';

	return end >= 'a' && end <= 'z' && end != 'f';
}

bool unwrap_goes_on(struct unwrap *u, size_t first, size_t i)
{
	struct slice raw = unwrap_next_text(u, i), this, next;

	if (raw.n && *raw.s == '(' && is_place(slice_trim(raw)))
		return true;
	/* most lines of prose end with a letter, and with none that the tests below look for */
	if (i == first && raw.n && !is_digit(*raw.s) && *raw.s > ' ' && !break_at(u, i)->blank &&
	    ends_with_letter(u, i))
		return false;
	this = unwrap_joined_text(u, first, i);
	next = slice_trim(raw);
	if (!next.n)
		return false;
	if (is_place_end(next) && unwrap_is_cut_place(this))
		return true;
	if (!this.n) /* the head of a record, without a message */
		return i == first && unwrap_head(u, first) && !u->line[i + 1].head && *next.s != '*';
	return is_cut_value(this, next) || is_cut_columns(u, i, this) || is_cut_entry(u, i, this, next) ||
	    is_cut_message(this) || is_next_sentence(u, i, this, next);
}

bool unwrap_is_next_record(struct unwrap *u, size_t first, size_t i)
{
	const struct unwrap_line *next = &u->line[i + 1];
	struct slice last = { u->bytes + u->line[i].at, u->line[i].n };
	struct slice whole = { u->bytes + u->line[first].at, u->line[first].n };
	struct slice s = { u->bytes + next->at, next->n };
	uint32_t prefix = break_at(u, i)->prefix;

	if (next->later || !next->head || next->n <= next->head || !slice_ends(slice_trim(last), ".") ||
	    unwrap_head(u, first) != next->head || !triage_same_head(&u->labels, whole, s, next->head))
		return false;
	u->line[i].after.prefix = next->head;
	if (is_next_sentence(u, i, unwrap_joined_text(u, first, i), slice_trim(unwrap_next_text(u, i))))
		return true;
	u->line[i].after.prefix = prefix;
	return false;
}
