#include "config.h"
#include "analyze/triage/unwrap.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/triage/internal.h"
#include "base/mem.h"
#include "base/text/digit.h"

/* Points are bits: how unlikely it is that a break looks so where nothing was wrapped. */
#define COLUMN 6 /* a line ends at the column; the longest line always does */
#define ENOUGH 3 /* of them make a joint when the text agrees */
#define SURE 8   /* when it tells nothing */
#define PROOF 8  /* the text makes sense only so */
#define HINT 4
#define USUAL 3 /* many terminals and programs wrap at this width */
#define VOTE 3  /* of a break for a wrap at a column, or between words */
#define SAID 8  /* a known sentence tells which of both it is */
#define WIDEST 400u
#define NARROWEST 50u /* columns of a terminal */
#define UNFINISHED_MAX ((size_t)4 << 10)

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

static bool is_letter(char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static bool is_name(char c)
{
	return is_digit(c) || is_letter(c) || c == '_' || c == '/';
}

/* A sign that stands at the end of a word */
static bool ends_word(struct slice s)
{
	char end = s.s[s.n - 1];

	return strchr(".,:;)]}", end) || (end == '"' && s.n > 1 && s.s[s.n - 2] != '=');
}

static uint32_t first_word(struct slice s)
{
	size_t n = 0;

	while (n < s.n && n < WIDEST && !is_blank(s.s[n]))
		n++;
	return (uint32_t)n;
}

static uint32_t last_word(struct slice s)
{
	size_t n = 0;

	while (n < s.n && n < WIDEST && !is_blank(s.s[s.n - 1 - n]))
		n++;
	return (uint32_t)n;
}

/* "========", and what points at a piece of the line before */
static bool is_rule(struct slice s)
{
	size_t n = 0;

	while (n < s.n && s.s[n] == *s.s)
		n++;
	return n >= 8 && n == s.n && strchr("=-_*#~^", *s.s);
}

/* "   24.19GiB(100%);" */
static bool is_row(struct slice s)
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
		"Traceback (most recent", "[OOM Summary", "cumulative_size;", "hlo: ", "jax.errors.",
		"jaxlib." };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (*s.s == *words[i] && slice_begins(s, words[i]))
			return true;
	return is_rule(s) || is_tag(s) || is_row(s) || triage_is_dated(s) || triage_is_headed(s) ||
	    triage_is_block(s);
}

/* It ends with a line break that is written out, "\\n": anything may follow. */
static bool is_written(struct slice s)
{
	s = slice_trim(s);
	return s.n > 1 && s.s[s.n - 1] == 'n' && s.s[s.n - 2] == '\\';
}

/* Both lines begin alike, digits aside. */
static bool begin_alike(struct slice a, struct slice b)
{
	enum { LEAST = 8 };
	size_t n = 0;

	while (n < a.n && n < b.n && a.s[n] == ' ' && b.s[n] == ' ')
		n++;
	if (n > 1)
		return true; /* both are indented */
	if (a.n < n + LEAST || b.n < n + LEAST || a.s[n] == ' ')
		return false;
	for (size_t i = n; i < n + LEAST; i++)
		if (a.s[i] != b.s[i] && !(is_digit(a.s[i]) && is_digit(b.s[i])))
			return false;
	return true;
}

/* The bytes of the prefix that the next line has in common with line i; false: it has another one. */
static bool same_prefix(struct unwrap *u, size_t i, uint32_t *prefix)
{
	*prefix = unwrap_head(u, i + 1);
	return !*prefix ||
	    (unwrap_head(u, i) >= *prefix && *prefix < u->line[i + 1].n &&
		triage_same_head(&u->front, line_at(u, i), line_at(u, i + 1), *prefix));
}

/* The next line begins something, or this one ends it. */
static bool is_end(const struct unwrap *u, const struct unwrap_break *b, struct slice text, struct slice next)
{
	struct slice begins = slice_trim(next);

	return (!b->headed && !is_written(text) && is_beginning(begins)) || is_rule(slice_trim(text)) ||
	    *next.s == '\t' || (u->begins && u->begins(u->ctx, begins)) ||
	    (slice_ends(text, "ScopedVmemOom:") && slice_begins(next, "Ran out of memory in"));
}

void unwrap_break_find(struct unwrap *u, size_t i)
{
	struct unwrap_break *b = &u->line[i].after;
	struct slice this = line_at(u, i), next = line_at(u, i + 1), text;

	*b = (struct unwrap_break){ .ends = true };
	if (!this.n || u->line[i].cols > WIDEST || u->line[i + 1].cols == UNWRAP_NO_COLUMNS ||
	    !same_prefix(u, i, &b->prefix) || this.n < b->prefix || next.n <= b->prefix)
		return;
	next = behind(next, b->prefix);
	text = behind(this, b->prefix);
	if (!slice_trim(next).n || !text.n)
		return;
	b->headed = !unwrap_head(u, i + 1) && unwrap_head(u, i) && unwrap_head(u, i) + 1 >= this.n;
	b->blank = is_blank(this.s[this.n - 1]);
	b->word = first_word(next);
	b->last_word = last_word(text);
	while (b->before < this.n && (b->before < b->prefix || is_blank(this.s[b->before])))
		b->before++;
	b->whole = ends_word(text) && is_letter(*next.s);
	b->whole |= memchr("%#", *next.s, 2) && is_name(this.s[this.n - 1]);
	b->inside = is_name(this.s[this.n - 1]) && is_name(*next.s);
	b->alike = begin_alike(text, next);
	b->ends = is_end(u, b, text, next);
}

/* --- known sentences --- */

/* A blank that was kept does not tell that the break is between words. */
static enum squeeze_joint said_across(const struct unwrap *u, size_t i, struct slice before)
{
	const struct unwrap_break *b = &u->line[i].after;
	enum squeeze_joint said =
	    triage_filter_across(u->filter, before, behind(line_at(u, i + 1), b->prefix));

	return said == SQUEEZE_WORDS && (b->blank || !b->word) ? SQUEEZE_OVER : said;
}

/* Asks about two lines alone; about those that were given on before nothing is said. */
static enum squeeze_joint said_at(struct unwrap *u, size_t i)
{
	struct unwrap_break *b = &u->line[i].after;

	if (!b->asked && i >= u->next)
		b->said = said_across(u, i, line_at(u, i));
	b->asked |= i >= u->next;
	return b->said;
}

/* --- columns --- */

struct votes {
	int hard, soft; /* points */
	int column;     /* more than 0: at a column rather than between words */
	uint32_t width;
};

static bool is_near(const struct unwrap_line *l, uint32_t width)
{
	return l->after.word && l->cols + 1 + l->after.word > width;
}

/* The first word of the next line would not have fitted: the chance of its length in a line. */
static int soft_points(const struct unwrap_break *b)
{
	uint32_t n = b->word;

	return (n <= 2 ? 5 : n <= 5 ? 4 : n <= 10 ? 3 : n <= 20 ? 2 : n <= 32) + (b->blank ? 3 : 0);
}

/* Terminals and programs wrap at these more often than at others. */
static bool is_usual(uint32_t width)
{
	return width % 10 == 0 || width == 72 || width == 76 || width == 78 || width == 79 || width == 132;
}

/* One word is as long as the line, or both ends of the break belong to a name that is longer: it was cut at the column
 * in any case. */
static bool cuts_word(const struct unwrap_line *l, uint32_t width)
{
	const struct unwrap_break *b = &l->after;

	return l->cols == width && !b->blank && !b->whole &&
	    (b->last_word + b->before >= width || (b->word && b->inside && b->last_word + b->word > width));
}

static void vote(struct unwrap *u, struct votes *v, size_t i)
{
	const struct unwrap_line *l = &u->line[i];
	enum squeeze_joint said;
	const struct unwrap_break *b = &l->after;
	bool full = l->cols == v->width, near = is_near(l, v->width);
	bool cut = cuts_word(l, v->width);

	v->hard += full ? COLUMN : 0;
	v->soft += near ? soft_points(b) : 0;
	if (full && !cut)
		v->column += !near ? 2 * VOTE : b->inside ? VOTE : b->whole ? -2 * VOTE : 0;
	if (near && !full && l->cols + 1 < v->width)
		v->column -= VOTE + 1;
	said = full ? said_at(u, i) : SQUEEZE_UNKNOWN;
	v->column += said == SQUEEZE_WORD ? SAID : said == SQUEEZE_WORDS ? -SAID : 0;
}

/* The breaks among the lines around i that are not wider than it would be with the next word: the rests have a prefix,
 * as its rest has, or all of them have none. */
static struct votes votes_around(struct unwrap *u, size_t i)
{
	uint32_t widest = u->line[i].cols + u->line[i].after.word;
	struct votes v = { .soft = -soft_points(&u->line[i].after) };
	size_t from = i, to = i;
	bool usual;

	while (from > 0 && i - from < UNWRAP_AROUND && u->line[from - 1].cols <= widest)
		from--;
	while (to + 1 < u->nlines && to - i < UNWRAP_AROUND && u->line[to + 1].cols <= widest)
		to++;
	for (size_t k = from; k <= to; k++)
		v.width = u->line[k].cols > v.width ? u->line[k].cols : v.width;
	usual = is_usual(v.width) || is_usual(v.width - u->line[i].after.prefix);
	v.hard = usual ? USUAL - COLUMN : -USUAL - COLUMN;
	v.column = usual ? VOTE : -VOTE;
	for (size_t k = from; k < to; k++)
		if (!u->line[k].after.ends && u->line[k].after.prefix == u->line[i].after.prefix)
			vote(u, &v, k);
	return v;
}

/* --- text --- */

/* A bracket or a quote is not closed. */
static bool is_unfinished(struct slice s)
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

static struct slice joined_line(const struct unwrap *u, size_t first, size_t i)
{
	return i > first ? (struct slice){ u->joined, u->njoined } : line_at(u, first);
}

/* Which phrases a line has. */
static enum unwrap_says says(struct unwrap *u, size_t i)
{
	struct unwrap_line *l = &u->line[i];
	struct triage_hit hits[TRIAGE_HITS];
	size_t n;

	if (l->says)
		return l->says;
	n = triage_filter_find(u->filter, line_at(u, i), hits);
	l->says = n ? SAYS_SOMETHING : SAYS_NOTHING;
	for (size_t k = 0; k < n; k++)
		if (hits[k].phrase->kind >= 0 && !hits[k].phrase->weak && !hits[k].phrase->general)
			l->says = SAYS_ERROR;
	return l->says;
}

/* Most texts have no phrase at all, not even over line breaks: the prefixes of lines are left out, too. */
static bool is_quiet(struct unwrap *u)
{
	size_t n = 0;
	char *text;

	if (u->heard)
		return u->quiet;
	text = xmalloc(u->cut - u->line[u->next].at + 1);
	for (size_t i = u->next; i < u->nlines; i++)
		n += triage_squeeze(text + n, behind(line_at(u, i), u->line[i].later ? 0 : u->line[i].head));
	u->quiet = !triage_filter_any_tight(u->filter, (struct slice){ text, n });
	u->heard = true;
	free(text);
	return u->quiet;
}

/* It ends with a status or code in capitals, "RESOURCE_EXHAUSTED:", "E1000:". */
static bool is_code(struct slice s)
{
	size_t n = 1;

	if (!s.n || s.s[s.n - 1] != ':')
		return false;
	while (n < s.n &&
	    (is_digit(s.s[s.n - 1 - n]) || s.s[s.n - 1 - n] == '_' ||
		(s.s[s.n - 1 - n] >= 'A' && s.s[s.n - 1 - n] <= 'Z')))
		n++;
	return n > 5 && (n == s.n || is_blank(s.s[s.n - 1 - n]));
}

/* What the joined line and the next one say together: points. */
static int ask_text(struct unwrap *u, size_t i, struct slice text, struct slice next)
{
	struct slice word = { next.s, first_word(next) };
	char end = text.n ? text.s[text.n - 1] : ' ';
	enum unwrap_says following = says(u, i + 1);
	bool error, item = is_row(text) || triage_is_block(text) || slice_begins(text, "HLO temp ");

	/* two errors are two lines */
	error = (u->says > SAYS_NOTHING || following > SAYS_NOTHING) &&
	    (u->says < SAYS_ERROR || following < SAYS_ERROR);
	if ((error || item) && is_unfinished(text))
		return PROOF;
	if (is_code(text) || (end == ':' && is_code(word)))
		return PROOF;
	if ((slice_ends(word, "Error:") && end != ':') || slice_ends(text, "Oom:") ||
	    slice_ends(text, "_HBM0)"))
		return -PROOF;
	if ((end == '.' && is_letter(*next.s)) || (strchr(":;!)]}", end) && *next.s >= 'A' && *next.s <= 'Z'))
		return -HINT / 2;
	return error || item ? HINT : 0;
}

/* By the columns of the lines around. */
static enum unwrap_joint joint_around(struct unwrap *u, size_t first, size_t i, struct slice text,
    struct slice next, enum squeeze_joint across)
{
	const struct unwrap_line *l = &u->line[i];
	const struct unwrap_break *b = &l->after;
	struct votes v = votes_around(u, i);
	bool full = l->cols == v.width, near = is_near(l, v.width), column = v.column > 0;
	bool rest = !l[1].head && u->line[first].prefixed;
	int points, enough;

	if ((!full && !near) || v.width - b->prefix < NARROWEST)
		return JOINT_NONE;
	points = across ? PROOF : ask_text(u, i, text, next);
	if (b->alike && points < PROOF && !(i > first && full))
		return JOINT_NONE;
	points += rest ? PROOF : 0;
	/* one blank at the column may have been taken away */
	if (!full && column && l->cols + 1 < v.width && points < PROOF)
		return JOINT_NONE;
	enough = points > 0 ? ENOUGH : SURE;
	if (full && (!near || column) && v.hard + points >= enough)
		return JOINT_TIGHT;
	if (!near || (v.soft > v.hard ? v.soft : v.hard) + points < enough)
		return JOINT_NONE;
	return b->blank || cuts_word(l, v.width) ? JOINT_TIGHT : JOINT_BLANK;
}

enum unwrap_joint unwrap_joint(struct unwrap *u, size_t first, size_t i)
{
	const struct unwrap_break *b = &u->line[i].after;
	struct slice line = joined_line(u, first, i), next;
	size_t head = unwrap_head(u, first);
	enum squeeze_joint across;

	if (b->ends || is_quiet(u))
		return JOINT_NONE;
	if (b->headed && i == first)
		return JOINT_BLANK;
	next = behind(line_at(u, i + 1), b->prefix);
	across = i > first ? said_across(u, i, line) : said_at(u, i);
	u->says = says(u, i) > u->says ? says(u, i) : u->says;
	if (across == SQUEEZE_WORD || (across && b->blank))
		return JOINT_TIGHT;
	if (across == SQUEEZE_WORDS)
		return JOINT_BLANK;
	head = head > b->prefix && head <= line.n ? head : b->prefix;
	return joint_around(u, first, i, slice_trim(behind(line, head)), next, across);
}
